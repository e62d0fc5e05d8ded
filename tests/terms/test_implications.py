"""Implications: meanings of terms, against a list of all terms and their rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
from collections import defaultdict

import numpy as np
import pytest
from encoding_checks import encoding_of
from internals.terms import HeavyTerm, Implications, TermSearch
from internals.winnow import Allowed
from numpy.testing import assert_allclose

LITERALS = "equal", "ordered", "intervals"
VALUES = [
    np.arange(3.0),
    np.array([2.0, np.nan, 3.0]),
    np.array([2.0, 5.0, np.nan, 1.0]),
    np.array(list("abcd"), dtype=object),
    np.arange(5.0),
]


def every_row(encoding):
    """All rows of codes, unspecified values included, with literals."""
    codes = [range(n + 1) for n in encoding.n_values[: len(encoding.attributes)]]
    rows = np.array(list(itertools.product(*codes)), dtype=np.int32)
    return encoding.with_literals(rows)


def meaning_of(term, rows):
    """The rows that satisfy all literals of a term."""
    holds = np.ones(len(rows), dtype=bool)
    for column, code in term:
        holds &= rows[:, column] == code
    return frozenset(np.flatnonzero(holds).tolist())


def terms_of(rows, may_have, cap):
    """All terms that some rows satisfy, up to a size."""
    found = set()
    for row in rows.tolist():
        literals = [pair for pair in enumerate(row) if pair[1] and may_have(*pair)]
        largest = len(literals) if cap is None else min(cap, len(literals))
        for size in range(largest + 1):
            found.update(itertools.combinations(literals, size))
    return found


def a_search(random, literals):
    """What a search of a model with literals takes, and its encoding."""
    values = [VALUES[random.randint(4)] for _ in range(2)]
    encoding = encoding_of(values, literals)
    rows = every_row(encoding)
    examples = rows[random.permutation(len(rows))[: random.randint(1, 12)]]
    flags, allowed = None, None
    if random.rand() < 0.5:
        parts = [
            random.random_sample((1, n + 1)) < random.choice([0.8, 1.0])
            for n in encoding.n_values
        ]
        for part in parts:
            part[:, 0] = True
        allowed = Allowed(parts)
        (flags,) = allowed.flags
    return rows, {
        "examples": examples,
        "net_counts": random.randint(-4, 6, len(examples)),
        "log_alpha": float(random.choice([0.1, 0.53])),
        "log_beta": float(random.choice([0.0, -0.31, -1.4, 0.2])),
        "max_term_size": [None, 1, 2, 3][random.randint(4)],
        "row": rows[random.randint(len(rows))] if random.rand() < 0.5 else None,
        "allowed": allowed,
        "implications": Implications(encoding.columns, flags),
    }


def with_chosen_terms(random, rows, search):
    """The same search of a model without examples, of which few terms were learned."""
    terms = sorted(terms_of(rows, may_have_of(search), search["max_term_size"]))
    chosen = {}
    for i in random.permutation(len(terms))[:4]:
        log_weight = float(random.choice([-3.0, 0.5, 2.0]))
        term = HeavyTerm(terms[i], int(random.randint(-3, 4)), log_weight)
        chosen[meaning_of(terms[i], rows)] = term
    none = {"examples": search["examples"][:0], "net_counts": search["net_counts"][:0]}
    return {**search, **none, "chosen": list(chosen.values())}


def may_have_of(search):
    """Whether terms may contain a literal, a function of a column and a code."""
    allowed = search["allowed"]
    return lambda i, c: allowed is None or allowed.literals[i][0, c]


def all_meanings(rows, search):
    """{meaning: (log weight, net count)} of all that a search may list."""
    log_beta, row = search["log_beta"], search["row"]
    given = {term.literals: term for term in search.get("chosen", ())}
    among = rows if row is None else row[None]
    logs, defaults = defaultdict(list), defaultdict(list)
    for term in terms_of(among, may_have_of(search), search["max_term_size"]):
        meaning, log_weight = meaning_of(term, rows), len(term) * log_beta
        defaults[meaning].append(log_weight)
        logs[meaning].append(given[term].log_weight if term in given else log_weight)
    own = {meaning_of(term, rows): given[term].net_count for term in given}
    places = {tuple(one): i for i, one in enumerate(rows.tolist())}
    of_examples = [places[tuple(one)] for one in search["examples"].tolist()]
    found = {}
    for meaning, weights in logs.items():
        net = sum(
            count
            for i, count in zip(of_examples, search["net_counts"].tolist())
            if i in meaning
        )
        log_weight = np.logaddexp.reduce(weights) + search["log_alpha"] * net
        default = np.logaddexp.reduce(defaults[meaning])
        counts = log_weight > default + 1e-12 if meaning in own else net > 0
        if row is not None or counts:
            found[meaning] = log_weight, own.get(meaning, net)
    return found


@pytest.mark.parametrize("literals", LITERALS)
@pytest.mark.parametrize("seed", range(4))
def test_searches_list_each_meaning_once_with_the_weight_of_its_copies(seed, literals):
    random = np.random.RandomState(seed)
    n_found = n_copies = 0
    for _ in range(30):
        rows, search = a_search(random, literals)
        if random.rand() < 0.3:
            search = with_chosen_terms(random, rows, search)
        expected = all_meanings(rows, search)
        weights = sorted((-weight for weight, _ in expected.values()))
        for top in (3, 10**9):
            found = TermSearch(**search).heaviest(top)
            meanings = [meaning_of(term.literals, rows) for term in found]
            assert len(set(meanings)) == len(meanings) == min(top, len(expected))
            assert_allclose([-t.log_weight for t in found], weights[:top], atol=1e-9)
            for meaning, term in zip(meanings, found):
                log_weight, net_count = expected[meaning]
                assert term.net_count == net_count
                assert_allclose(term.log_weight, log_weight, atol=1e-9)
            n_found += len(found)
        n_copies += sum(
            term.log_weight
            > len(term.literals) * search["log_beta"]
            + search["log_alpha"] * term.net_count
            + 1e-9
            for term in found
        )
    assert n_found > 100 and (n_copies > 20 or literals == "equal")

"""The heaviest terms: branch and bound against a list of all terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.terms import TermSearch, equalities
from reference import all_terms


def search(examples, net_counts, log_alpha, log_beta, max_term_size=None, row=None):
    """A search over terms whose literals are equalities."""
    rows = examples if row is None else np.vstack([examples, row])
    implications = equalities(rows.max(axis=0, initial=1))
    weighting = log_alpha, log_beta, max_term_size
    return TermSearch(examples, net_counts, implications, *weighting, row=row)


def random_model(rng, n_columns=6):
    """Updates with exponents, some of them zero, and what else a search is about."""
    m, n_values = rng.integers(0, 25), rng.integers(1, 4)
    codes = rng.integers(rng.integers(2), n_values + 1, (m, n_columns))
    examples = rng.permutation(np.unique(codes.astype(np.int32), axis=0))
    row = rng.integers(0, n_values + 1, n_columns).astype(np.int32)
    return (
        examples,
        rng.integers(-5, 6, len(examples)),
        float(rng.choice([0.1, 0.5])),
        float(rng.choice([0.0, -0.3, -1.4, 0.2])),
        [None, 1, 2, 3][rng.integers(4)],
        row if rng.random() < 0.5 else None,
    )


@pytest.mark.parametrize("seed", range(8))
def test_terms_are_the_heaviest_of_all(seed):
    """In their order, ties and all, with each prior, cap, and number of them."""
    rng = np.random.default_rng(seed)
    n_found = 0
    for _ in range(50):
        model = random_model(rng, rng.integers(1, 7))
        top = int(rng.choice([1, 3, 10, 10**12]))
        terms = all_terms(*model)
        found, expected = search(*model).heaviest(top), terms[:top]
        n_found += len(found)
        assert [(t.literals, t.net_count) for t in found] == [t[2:] for t in expected]
        assert [-t.log_weight for t in found] == [t[0] for t in expected]
    assert n_found > 100


def test_long_rows_with_many_ties_end():
    """2^60 terms weigh the same: short ones are asked for, and no more looked at."""
    examples = np.ones((1, 60), dtype=np.int32)
    found = search(examples, np.array([3]), 0.4, 0.0).heaviest(100)
    assert [len(term.literals) for term in found] == [0] + 60 * [1] + 39 * [2]
    (term,) = search(examples[:, :30], np.array([3]), 0.4, 0.1).heaviest(1)
    assert len(term.literals) == 30


def test_nothing_to_find():
    """No updates, none promoted, and a row with nothing specified."""
    none = np.empty((0, 3), dtype=np.int32)
    assert search(none, np.empty(0, dtype=np.int64), 0.1, 0.0).heaviest(5) == []
    demoted = np.ones((1, 3), dtype=np.int32), np.array([-2])
    assert search(*demoted, 0.1, 0.0).heaviest(5) == []
    row = np.zeros(3, dtype=np.int32)
    (term,) = search(*demoted, 0.1, 0.0, None, row).heaviest(5)
    assert term.literals == () and term.net_count == -2

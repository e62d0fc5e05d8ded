"""References for the tests: slow, and written from the definitions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import json
import signal
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from internals.samplers import AgreementProblem
from sklearn.utils import check_random_state

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import SAMPLERS
from sklearn_dnfwinnow.sums import log_weighted_sum

#: Names of the samplers that run Markov chains.
CHAINS = [name for name, cls in SAMPLERS.items() if cls.runs_chains]


def plain_winnow(**params):
    """The paper's learner, with sums as by default: one thing at a time is tested."""
    settings = DNFWinnowClassifier.paper_settings()
    del settings["max_term_size"]
    return DNFWinnowClassifier(**{**settings, **params})


def orders(n_samples, n_epochs, random_state=0):
    """The order of each epoch of `fit`, of samples that are sorted by their codes."""
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    random = np.random.RandomState(seed)
    return [random.permutation(n_samples) for _ in range(n_epochs)]


@cache
def oracle(name="weighted_sums"):
    """The reference sums of tests/data/<name>.jsonl, with boolean agreements."""
    path = Path(__file__).parent / "data" / f"{name}.jsonl"
    instances = [json.loads(line) for line in path.read_text().splitlines()]
    for instance in instances:
        rows = [[c == "1" for c in text] for text in instance["agreements"]]
        instance["agreements"] = np.array(rows, dtype=bool).reshape(
            len(rows), instance["n"]
        )
    return instances


def hard_oracle():
    """Sums of 30 to 60 attributes that take up to 2.4 million states."""
    return oracle("hard_sums")


def sum_of(instance, **options):
    """The weighted sum of an instance of the oracle."""
    return log_weighted_sum(
        instance["agreements"],
        np.array(instance["net_counts"], dtype=int),
        alpha=instance["alpha"],
        literal_weight=instance["literal_weight"],
        **options,
    )


def problem_of(agreements, net_counts, compress=True):
    """The agreement problem of a boolean matrix and integer exponents."""
    agreements = np.asarray(agreements, dtype=bool)
    return AgreementProblem.of_row(
        np.ascontiguousarray(agreements, dtype=np.int32),
        np.asarray(net_counts, dtype=np.int64),
        np.ones(agreements.shape[1], dtype=np.int32),
        compress,
    )


def spread_out(problem, copies=81):
    """The same problem in more words: each set many times, with c, -c, ..., c."""
    signs = [(-1) ** copy for copy in range(copies)]
    bits = np.repeat(problem.agreements.T, copies, axis=1)
    bits = np.pad(bits, [(0, 0), (0, -bits.shape[1] % 64)])
    return replace(
        problem,
        columns=np.packbits(bits, axis=1, bitorder="little").view(np.uint64),
        net_counts=np.outer(problem.net_counts, signs).ravel(),
    )


def random_problem(n, m, seed, density=0.7, largest=3):
    """Boolean agreements and exponents at random."""
    random = np.random.RandomState(seed)
    agreements = random.random_sample((m, n)) < density
    return agreements, random.randint(-largest, largest + 1, size=m)


def distinct(rows):
    """Distinct rows, in the order of their first places."""
    return rows[np.sort(np.unique(rows, axis=0, return_index=True)[1])]


def random_rows(n, k, n_rows, seed=0):
    """Distinct rows of codes, with unspecified ones among them."""
    random = np.random.RandomState(seed)
    return distinct(random.randint(0, k + 1, (n_rows, n)).astype(np.int32))


def subsets(n):
    """All subsets of n attributes, as a boolean matrix (2^n, n)."""
    return np.array(list(itertools.product([False, True], repeat=n)), dtype=bool)


def phis(agreements, net_counts):
    """phi(S) of all subsets S, in the order of `subsets`."""
    terms = subsets(agreements.shape[1])
    inside = ~(terms[:, None, :] & ~agreements[None, :, :]).any(axis=2)
    return inside @ np.asarray(net_counts)


def log_sum(agreements, net_counts, alpha, literal_weight, max_term_size=None):
    """log W by its definition."""
    sizes = subsets(agreements.shape[1]).sum(axis=1)
    logs = phis(agreements, net_counts) * np.log(alpha) + sizes * np.log(literal_weight)
    if max_term_size is not None:
        logs = logs[sizes <= max_term_size]
    return np.logaddexp.reduce(logs)


def all_terms(examples, net_counts, log_alpha, log_beta, max_term_size, row):
    """(-log weight, size, literals, exponent) of all terms, heaviest first."""
    if row is None:
        promoted = examples[net_counts > 0]
        choices = [sorted({0, *codes}) for codes in promoted.T.tolist()]
    else:
        choices = [sorted({0, code}) for code in row.tolist()]
    terms = []
    for codes in itertools.product(*choices):
        literals = tuple((j, code) for j, code in enumerate(codes) if code)
        net_count = int(net_counts[extent(examples, literals)].sum())
        longest = len(codes) if max_term_size is None else max_term_size
        if len(literals) <= longest and (row is not None or net_count > 0):
            log_weight = len(literals) * log_beta + log_alpha * net_count
            terms.append((-log_weight, len(literals), literals, net_count))
    return sorted(terms)


def extent(examples, literals):
    """Which updates satisfy some literals."""
    columns = [examples[:, j] == code for j, code in literals]
    return np.logical_and.reduce([np.ones(len(examples), dtype=bool), *columns])


def minimal_flips(estimator, row, choices, class_=None, fixed=()):
    """Sets of columns that can turn a prediction, none with another as its part.

    A dict from the set to the rows with which it does; `choices` are the values of each
    column.
    """
    (before,) = estimator.predict([row])
    found = {}
    for size in range(1, len(row) + 1):
        for columns in itertools.combinations(range(len(row)), size):
            if set(columns) & set(fixed) or any(set(f) <= set(columns) for f in found):
                continue
            others = [[v for v in choices[c] if v != row[c]] for c in columns]
            rows = []
            for values in itertools.product(*others):
                changed = list(row)
                for c, value in zip(columns, values):
                    changed[c] = value
                rows.append(changed)
            if not rows:
                continue
            predicted = estimator.predict(np.array(rows, dtype=object))
            flips = predicted != before if class_ is None else predicted == class_
            if flips.any():
                found[columns] = [rows[i] for i in np.flatnonzero(flips)]
    return found


@contextmanager
def interrupt_after(seconds):
    """Ctrl-C in a while, as far as the block can tell."""

    def interrupt(number, frame):
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGALRM, interrupt)
    try:
        # Again, should the first one come where Python ignores exceptions.
        signal.setitimer(signal.ITIMER_REAL, seconds, 10.0)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)

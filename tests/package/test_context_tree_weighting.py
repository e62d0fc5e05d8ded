"""Context-tree weighting, the anchor for sequences: the mean over all trees."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import importlib
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose


@pytest.fixture
def module(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
    return importlib.import_module("benchmarks.bayes.context_tree_weighting")


def trees(context, depth, n_symbols):
    """Yield the prior probability and the leaves of each tree of contexts."""
    if len(context) == depth:
        yield 1.0, [context]
        return
    yield 0.5, [context]
    below = [[*trees((s, *context), depth, n_symbols)] for s in range(n_symbols)]
    for chosen in product(*below):
        prior = 0.5 * np.prod([p for p, _ in chosen])
        yield prior, [leaf for _, leaves in chosen for leaf in leaves]


def probability(X, y, n_symbols):
    """Probability of the symbols, by all trees, one symbol after the other."""
    total = 0.0
    for prior, leaves in trees((), X.shape[1], n_symbols):
        for leaf in leaves:
            counts = np.full(n_symbols, 0.5)
            for symbol in y[(X[:, X.shape[1] - len(leaf) :] == leaf).all(axis=1)]:
                prior *= counts[symbol] / counts.sum()
                counts[symbol] += 1
        total += prior
    return total


@pytest.mark.parametrize(
    "n_symbols, depth, n_rows", [(2, 1, 6), (2, 2, 9), (2, 3, 12), (3, 2, 7)]
)
def test_probabilities_are_those_of_all_trees(module, n_symbols, depth, n_rows):
    random = np.random.RandomState(0)
    X = random.randint(n_symbols, size=(n_rows, depth))
    y = np.append(np.arange(n_symbols), random.randint(n_symbols, size=n_rows))[:n_rows]
    anchor = module.ContextTreeWeighting().fit(X, y)
    of_training = probability(X, y, n_symbols)
    assert_allclose(np.exp(anchor.tree_.log_weight), of_training)
    rows = [*product(range(n_symbols), repeat=depth)]
    expected = [
        [
            probability(np.vstack([X, row]), np.append(y, k), n_symbols) / of_training
            for k in range(n_symbols)
        ]
        for row in rows
    ]
    assert_allclose(anchor.predict_proba(rows), expected)


def test_a_symbol_that_was_never_seen_leaves_what_is_known_after_it(module):
    X, y = [["a", "b"], ["a", "c"], ["b", "b"], ["a", "b"]], ["x", "y", "x", "x"]
    anchor = module.ContextTreeWeighting().fit(X, y)
    proba = anchor.predict_proba([["z", "b"], ["a", "z"], ["z", "z"]])
    assert_allclose(proba.sum(axis=1), 1.0)
    assert proba[0, 0] > proba[1, 0] > 0.5
    assert_allclose(proba[1], proba[2])
    assert anchor.predict([["z", "b"]]).tolist() == ["x"]

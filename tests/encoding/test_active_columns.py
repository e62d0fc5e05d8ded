"""The choice of columns of a sparse matrix, against a choice from dense literals."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations

import numpy as np
import pytest
from internals.encoding import active_columns
from numpy.testing import assert_array_equal
from scipy import sparse


def gain(holds, residuals, weights):
    """Return the gain of a literal, given residuals of each class."""
    sums = residuals[holds].T @ weights[holds]
    return np.float32((sums**2).sum() / (weights[holds].sum() + 2.0))


def dense_choice(X, labels, weights, n_columns, n_of_pairs):
    """Return what `active_columns` finds, from the dense table."""
    parts = np.array([weights[labels == k].sum() for k in range(labels.max() + 1)])
    parts /= weights.sum()
    residuals = (labels[:, None] == np.arange(len(parts))) - parts
    alone = []
    for column in X.T:
        values = np.sort(column[column != 0])
        literals = [column != 0]
        for quantile in (0.25, 0.5, 0.75):
            if len(values):
                cut = values[int(quantile * len(values))]
                literals += [
                    (column > cut) & literals[0],
                    (column <= cut) & literals[0],
                ]
        alone.append(max(gain(holds, residuals, weights) for holds in literals))
    alone = np.array(alone)
    best = [j for j in np.argsort(-alone, kind="stable").tolist() if alone[j] > 0]
    chosen = dict.fromkeys(best[: n_columns - n_of_pairs])
    frequencies = -parts
    classes = np.argsort(frequencies, kind="stable")[: max(1, len(parts) - 1)]
    present, pairs = X != 0, []
    for i, j in combinations(range(X.shape[1]), 2):
        both = present[:, i] & present[:, j]
        n = weights[both].sum()
        if n < 4:
            continue
        own = residuals[:, classes]
        means = [
            weights[of] @ own[of] / weights[of].sum() for of in present[:, [i, j]].T
        ]
        sums = weights[both] @ own[both] - n * (means[0] + means[1])
        pairs.append((-np.float32((sums**2).sum() / (n + 2.0)), i, j))
    for _, i, j in sorted(pairs)[:n_columns]:
        if len(chosen) >= n_columns:
            break
        chosen.update({i: None, j: None})
    for j in best:
        if len(chosen) >= n_columns:
            break
        chosen[j] = None
    return np.sort([*chosen][:n_columns])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_columns_are_those_of_dense_literals(seed, n_classes):
    """With other sums of floats, gains differ in the last digits: no ties here."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 40)) * (rng.random((90, 40)) < 0.3)
    labels = rng.integers(0, n_classes, 90)
    weights = rng.integers(1, 4, 90).astype(float)
    found = active_columns(sparse.csc_array(X), labels, weights, 16)
    assert_array_equal(found, dense_choice(X, labels, weights, 16, 4))


def test_few_columns_are_all_chosen():
    X = sparse.csc_array((5, 4))
    assert_array_equal(active_columns(X, np.arange(5) % 2, np.ones(5), 4), range(4))


def test_columns_that_say_nothing_are_not_chosen():
    X = np.zeros((40, 9))
    X[:, 2] = np.arange(40) % 2
    found = active_columns(sparse.csc_array(X), np.arange(40) % 2, np.ones(40), 5)
    assert_array_equal(found, [2])
    empty = sparse.csc_array((40, 9))
    assert not len(active_columns(empty, np.arange(40) % 2, np.ones(40), 5))


def parity(seed, n=800, n_columns=300):
    """Return columns and the parity of two of them, which alone say nothing."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, n_columns)) < 0.5).astype(float)
    return X, (X[:, 100] != X[:, 200]).astype(int)


def test_pairs_find_what_single_columns_do_not():
    """On six seeds; without pairs, luck finds both on fewer."""
    found = alone = 0
    for seed in range(6):
        X, y = parity(seed)
        chosen = active_columns(sparse.csc_array(X), y, np.ones(len(y)), 8)
        found += {100, 200} <= {*chosen.tolist()}
        residuals = (y - y.mean())[:, None]
        gains = [gain(x > 0, residuals, np.ones(len(y))) for x in X.T]
        alone += {100, 200} <= {*np.argsort(gains)[-8:].tolist()}
    assert found == 6
    assert alone <= 1


def test_rows_in_any_order():
    X, y = parity(0)
    weights = np.arange(len(y)) % 3 + 1.0
    order = np.random.default_rng(0).permutation(len(y))
    found = active_columns(sparse.csc_array(X), y, weights, 20)
    again = active_columns(sparse.csc_array(X[order]), y[order], weights[order], 20)
    assert_array_equal(found, again)
    copies = np.repeat(np.arange(len(y)), weights.astype(int))
    again = active_columns(
        sparse.csc_array(X[copies]), y[copies], np.ones(len(copies)), 20
    )
    assert_array_equal(found, again)

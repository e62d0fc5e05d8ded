"""Rows that vary samples, from which `to_dnf` learns about the model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from internals.inspection import varied_rows
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import to_dnf

CODES = np.array([[1, 1, 1], [2, 2, 2], [3, 3, 1]])


def test_varied_rows_change_a_tenth_of_the_values():
    varied = varied_rows(CODES, np.ones(3), n_rows=30_000, sources=np.arange(3))
    # Rows are in order, a third of each. A value is drawn from all three rows, so that
    # in two cases of three it is another one; in the last column, in four of nine.
    samples = np.repeat(CODES, 10_000, axis=0)
    shares = (varied != samples).mean(axis=0)
    expected = 0.1 * np.array([2 / 3, 2 / 3, 4 / 9])
    std_errors = np.sqrt(expected * (1 - expected) / 30_000)
    assert (np.abs(shares - expected) < 6 * std_errors).all()
    # Twice as many changes would be noticed.
    assert not (np.abs(shares - 2 * expected) < 6 * std_errors).any()


def test_columns_of_one_source_change_together():
    varied = varied_rows(CODES, np.ones(3), n_rows=3000, sources=np.array([0, 0, 1]))
    assert_array_equal(varied[:, 0], varied[:, 1])
    apart = varied_rows(CODES, np.ones(3), n_rows=3000, sources=np.arange(3))
    assert (apart[:, 0] != apart[:, 1]).any()


def test_rows_without_weight_are_not_drawn():
    varied = varied_rows(
        CODES, np.array([1.0, 0.0, 1.0]), n_rows=1000, sources=np.arange(3)
    )
    assert set(varied[:, 0]) == {1, 3}


def test_a_formula_does_not_depend_on_the_order_of_samples():
    X, y = load_monks(2, return_X_y=True, as_frame=True)
    model = DNFWinnowClassifier(random_state=0).fit(X, y)
    dnf = to_dnf(model, "1", X=X, y=y)
    turned = to_dnf(model, "1", X=X[::-1], y=y[::-1])
    assert dnf == turned


def test_samples_without_weight_do_not_count():
    X, y = load_monks(2, return_X_y=True, as_frame=True)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    some = np.arange(len(y)) % 8 == 0
    assert some.sum() > 20
    alone = to_dnf(classifier, X=X[some], y=y[some])
    masked = to_dnf(classifier, X=X, y=y, sample_weight=some.astype(float))
    assert str(masked) == str(alone)
    # The price is less, as if there were fewer samples.
    every = to_dnf(classifier, X=X, y=y)
    assert str(every) != str(alone)
    assert abs(masked.scores["objective"] - alone.scores["objective"]) < 1e-6

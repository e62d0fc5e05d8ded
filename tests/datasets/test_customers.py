"""Customers: the classes follow the rules and the probabilities that are stated."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.rules import DNF

# Probabilities with and without the rules, and shares that the docstring states.
STATED = {
    "churn": {"holds": 0.89, "fails": 0.11, "positive": 0.263, "covered": 0.197},
    "fraud": {"holds": 0.58, "fails": 0.002, "positive": 0.012, "covered": 0.018},
}
targets = pytest.mark.parametrize("target", STATED)


@targets
def test_formula_is_the_truth(target, global_random_seed):
    X, y, truth = make_customers(
        target=target, random_state=global_random_seed, return_truth=True
    )
    holds = DNF.parse(truth.formula, values=X).holds(X)
    assert holds.any() and not holds.all()
    assert_array_equal(
        truth.proba[:, 1],
        np.where(holds, STATED[target]["holds"], STATED[target]["fails"]),
    )
    assert_array_equal(truth.proba.sum(axis=1), 1.0)
    # Shares of class 1 where the rules hold, and elsewhere.
    for part, p in ((holds, "holds"), (~holds, "fails")):
        p = STATED[target][p]
        spread = np.sqrt(p * (1 - p) / part.sum())
        assert abs(y[part].mean() - p) < 6 * spread
    assert y[holds].mean() - y[~holds].mean() > 0.3


@targets
def test_shares_are_as_stated(target):
    n = 200_000
    _, y, truth = make_customers(
        n, target=target, as_frame=False, random_state=0, return_truth=True
    )
    covered = truth.proba[:, 1] > 0.5
    for found, stated in ((y, "positive"), (covered, "covered")):
        stated = STATED[target][stated]
        # The stated shares are rounded.
        spread = np.sqrt(stated * (1 - stated) / n)
        assert abs(found.mean() - stated) < 6 * spread + 0.0005
    if target == "churn":
        assert (covered == y).mean() == pytest.approx(0.89, abs=0.004)
    else:
        assert y[covered].mean() == pytest.approx(0.58, abs=0.05)
        assert covered[y == 1].mean() == pytest.approx(0.84, abs=0.05)


def test_frame_and_array_agree(global_random_seed):
    seed = global_random_seed
    frame, series = make_customers(500, random_state=seed)
    array, y = make_customers(500, as_frame=False, random_state=seed)
    assert array.dtype == object
    assert_array_equal(series, y)
    assert series.name == "churn"
    missing = np.array([[v is None or v != v for v in row] for row in array])
    assert_array_equal(frame.isna(), missing)
    same = frame.to_numpy(dtype=object) == array
    assert (same | missing).all()
    assert missing.any(axis=0).tolist() == [
        name in {"income", "device", "autopay"} for name in frame.columns
    ]


def test_columns_are_of_all_kinds(global_random_seed):
    X, _ = make_customers(500, random_state=global_random_seed)
    assert X.customer_id.is_unique
    assert X.signup_date.str.fullmatch(r"202\d-\d\d-\d\d").all()
    assert X.age.between(18, 90).all()
    assert X.income.dropna().gt(0).all()
    assert set(X.plan) == {"basic", "plus", "pro"}
    assert set(X.autopay.dropna()) == {True, False}


def test_seeds_differ_and_reproduce():
    first, again, other = (make_customers(30, random_state=s)[0] for s in (0, 0, 1))
    assert first.equals(again)
    assert not first.equals(other)


def test_target_is_checked():
    with pytest.raises(ValueError, match="'target' parameter of make_customers"):
        make_customers(target="loyalty")

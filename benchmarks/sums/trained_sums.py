"""Weighted sums that trained models meet, and those that the tests keep.

A model is trained on two thirds of a set for a few epochs; each sum is that of a test
row under one class, if at least 32 distinct agreement sets enter it. All is
deterministic.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path

import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow._encoding._columns import columns_of
from sklearn_dnfwinnow.datasets import (
    load_annealing,
    load_auto,
    load_house_votes_84,
    make_monotone_dnf,
)
from sklearn_dnfwinnow.samplers import Exact
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.sums import log_weighted_sum

DATA = Path(__file__).parents[2] / "tests" / "data"
MAX_ITER = 3
SUMS_A_SET = 10
# Smaller sums take microseconds whichever way.
FEWEST_SETS = 32
MAX_STATES = 5_000_000


@dataclass(frozen=True)
class Sum:
    """A weighted sum and, where it is known, its value.

    Attributes
    ----------
    set_name, name : str
    agreements : ndarray of shape (m, n), bool
    net_counts : ndarray of shape (m,), int64
    alpha, literal_weight : float
    log_value : float
        Natural logarithm of the sum, from an independent reference or by the exact
        engine.
    """

    set_name: str
    name: str
    agreements: np.ndarray
    net_counts: np.ndarray
    alpha: float
    literal_weight: float
    log_value: float

    @cached_property
    def problem(self):
        """The agreement problem, compressed."""
        return AgreementProblem.of_row(
            np.ascontiguousarray(self.agreements, dtype=np.int32),
            self.net_counts,
            np.ones(self.agreements.shape[1], dtype=np.int32),
        )

    def estimate(self, **options):
        """The sum by `log_weighted_sum`."""
        return log_weighted_sum(
            self.agreements,
            self.net_counts,
            alpha=self.alpha,
            literal_weight=self.literal_weight,
            **options,
        )


def _real(loader):
    bunch = loader(as_frame=False)
    columns = [bunch.feature_names.index(name) for name in bunch.numeric]
    return bunch.data, bunch.target, columns


def _simulated():
    """A monotone DNF over 40 attributes, of which a row specifies about half."""
    X, y = make_monotone_dnf(300, 40, random_state=0)
    return X, y, []


# Rows, classes, and the columns to cut. False attributes of a monotone DNF are
# unspecified by nature; elsewhere a missing value is a category.
_SETS = {
    "simulated": (_simulated, "unspecified"),
    "house-votes-84": (partial(_real, load_house_votes_84), "category"),
    "auto": (partial(_real, load_auto), "category"),
    "annealing": (partial(_real, load_annealing), "category"),
}
TRAINED = tuple(_SETS)


@cache
def trained_sums(set_name):
    """Sums of test rows, the classes by turns, that are not trivial."""
    load, missing = _SETS[set_name]
    X, y, numeric = load()
    X, X_test, y, _ = train_test_split(X, y, test_size=1 / 3, random_state=0)
    if numeric:
        discretizer = ClassEntropyDiscretizer(columns=numeric).fit(X, y)
        X, X_test = discretizer.transform(X), discretizer.transform(X_test)
    model = DNFWinnowClassifier(random_state=0)
    model.set_params(**DNFWinnowClassifier.paper_settings())
    model.set_params(missing=missing, max_iter=MAX_ITER).fit(X, y)
    rows = model._model.encoding.encode(columns_of(X_test), str)
    sums = []
    for i, row in enumerate(rows):
        k = i % len(model.classes_)
        kept = model.net_promotion_counts_[k] != 0
        agreements = (model.stored_examples_[kept] == row)[:, row != 0]
        name = f"{set_name} row {i} class {model.classes_[k]}"
        net_counts = model.net_promotion_counts_[k, kept]
        arguments = (set_name, name, agreements, net_counts, model.alpha, 1.0)
        unknown = Sum(*arguments, np.nan)
        if len(unknown.problem.net_counts) >= FEWEST_SETS:
            exact = unknown.estimate(sampler=Exact(max_states=MAX_STATES))
            sums.append(replace(unknown, log_value=exact.log_value))
        if len(sums) == SUMS_A_SET:
            return tuple(sums)
    return tuple(sums)


@cache
def reference_sums(filename):
    """Sums of tests/data, with values that were computed independently."""
    sums = []
    for line in (DATA / filename).read_text().splitlines():
        instance = json.loads(line)
        text = "".join(instance["agreements"])
        shape = len(instance["agreements"]), instance["n"]
        agreements = np.frombuffer(text.encode(), dtype=np.uint8).reshape(shape)
        sums.append(
            Sum(
                filename.removesuffix("_sums.jsonl"),
                instance["name"],
                agreements == ord("1"),
                np.array(instance["net_counts"], dtype=np.int64),
                instance["alpha"],
                instance["literal_weight"],
                instance["log_weighted_sum"],
            )
        )
    return tuple(sums)


def hard_sums():
    """Sums of hundreds of thousands of states, to put estimates to the test."""
    return reference_sums("hard_sums.jsonl")

"""Pool: candidates of the study, and what each of them comes to on a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from unittest.mock import patch

import numpy as np

from benchmarks.accuracy.records import EPSILON
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow import _classifier as classifier
from sklearn_dnfwinnow._winnow._candidate import AUTO_CANDIDATES, single_candidate
from sklearn_dnfwinnow._winnow._selection import _choice as choice
from sklearn_dnfwinnow._winnow._selection import _selection as selection

MDL = ClassEntropyDiscretizer(selection="mdl")
FEW = ClassEntropyDiscretizer(max_intervals=8, selection="quantiles")
MANY = ClassEntropyDiscretizer(max_intervals=32, selection="quantiles")
FINE = ClassEntropyDiscretizer(max_intervals=32)
STEPS = {"literals": "ordered", "max_term_size": 1}


def residual(scale, alpha, **others):
    """A candidate that updates by residuals."""
    return {"update": "residual", "scale": scale, "alpha": alpha, **others}


def margin(margin, alpha, **others):
    """A candidate that updates within a margin."""
    return {"update": "margin", "margin": margin, "alpha": alpha, **others}


POOL = [
    *AUTO_CANDIDATES,
    residual(10.0, 1.1, max_term_size=3),
    residual(10.0, 1.5, max_term_size=3),
    residual(30.0, 1.2, max_term_size=3),
    residual(10.0, 1.1, max_term_size=2),
    residual(30.0, 1.03, max_term_size=2),
    residual(30.0, 1.005, max_term_size=2),
    residual(30.0, 1.1, max_term_size=2, discretizer=MDL),
    residual(30.0, 1.03, max_term_size=2, discretizer=FEW),
    residual(10.0, 1.1, max_term_size=2, discretizer=FEW, literals="ordered"),
    residual(30.0, 1.01, discretizer=MANY, **STEPS),
    residual(100.0, 1.01, discretizer=FINE, **STEPS),
    residual(30.0, 1.01, **STEPS),
    residual(100.0, 1.1, **STEPS),
    margin(0.02, 1.01, discretizer=MANY, **STEPS),
    margin(0.2, 1.01, **STEPS),
    margin(0.02, 1.01, max_term_size=1),
    margin(0.05, 1.01, max_term_size=2, discretizer=MDL),
    margin(0.2, 1.01, max_term_size=2, discretizer=FEW),
    margin(1.0, 1.1, max_term_size=2, discretizer=FEW),
    margin(0.5, 1.01, term_prior=1.0, max_term_size=2, discretizer=MDL),
    margin(0.1, 1.1, max_term_size=2),
    margin(1.0, 1.1, max_term_size=3),
    margin(1.0, 1.05, max_term_size=3),
    residual(3.0, 1.5, max_term_size=2),
    residual(100.0, 1.03, max_term_size=3),
    residual(10.0, 1.05, term_prior=1.0, max_term_size=2),
    residual(30.0, 1.1, literals="both", max_term_size=2),
    residual(30.0, 1.03, max_term_size=2, discretizer=MANY),
    residual(10.0, 1.1, discretizer=FEW, **STEPS),
    residual(10.0, 1.02, discretizer=MANY, **STEPS),
    residual(30.0, 1.03, discretizer=FEW, literals="ordered", max_term_size=2),
    margin(0.2, 1.02, discretizer=MANY, **STEPS),
    margin(0.05, 1.01, discretizer=FEW, literals="ordered", max_term_size=2),
    margin(0.5, 1.05, discretizer=FEW, literals="ordered", max_term_size=2),
    margin(0.5, 1.01, max_term_size=1),
    margin(0.05, 1.01, max_term_size=2),
    margin(1.0, 1.1, max_term_size=2),
]


def name(candidate):
    """Return a short text for a candidate."""
    return ", ".join(f"{key}={value!r}" for key, value in candidate.items())


def outcomes(pool, X, y, test_X, test_y, seed):
    """Yield the inner log loss, the errors and the log losses of rows held out of each.

    All are trained in lockstep to their end: none is dropped, and none is left out for
    the time it takes. Otherwise it is `fit` with `candidates='auto'`, but for the choice.
    """
    given, settled, runs = [], [], []

    def all_of(estimator, batch):
        for one in pool:
            estimator.candidates = [one]
            given.append(single_candidate(estimator, batch))
        estimator.candidates = "auto"
        return given

    class Plan(choice.Plan):
        def settle(self, candidates, are_own, are_sized):
            settled.extend(self._settle(one, False) for one in candidates)
            return list({repr(one.described()): one for one in settled}.values())

    class Selection(choice.Selection):
        def best(self):
            runs.append(self)
            return super().best()

    with (
        patch.object(choice, "candidates_of", all_of),
        patch.object(choice, "Plan", Plan),
        patch.object(choice, "Selection", Selection),
        patch.object(selection, "_RUNGS", ()),
    ):
        DNFWinnowClassifier(random_state=seed).fit(X, y)
    found = {}
    for one, records in zip(runs[0]._candidates, runs[0]._records):
        if records:
            n_epochs, loss, scale = min(records, key=lambda record: record[1])
            chosen = choice.Choice(one, n_epochs, scale, runs[0].validation())
            with patch.object(classifier, "choose", lambda *_, c=chosen: c):
                model = DNFWinnowClassifier(random_state=seed).fit(X, y)
            found[repr(one.described())] = loss, *held_out(model, test_X, test_y)
    for one in settled:
        yield found.get(repr(one.described()))


def held_out(model, X, y):
    """Return the number of errors, and the sum of log losses of rows of known classes."""
    chances = model.predict_proba(X)
    wrong = int(np.sum(model.classes_[chances.argmax(axis=1)] != y))
    known = np.isin(y, model.classes_)
    own = chances[known, np.searchsorted(model.classes_, y[known])]
    return wrong, float(-np.log(np.maximum(own, EPSILON)).sum())

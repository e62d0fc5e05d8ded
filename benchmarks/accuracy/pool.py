"""Pool: candidates of the study, and what each of them comes to on a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from unittest.mock import patch

import numpy as np

from benchmarks.accuracy.records import EPSILON
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow import _classifier as classifier
from sklearn_dnfwinnow._winnow import _candidate
from sklearn_dnfwinnow._winnow._selection import _choice, _selection

# When and by how much rows update: slow and fast, for noise and for rules.
RULES = (
    *({"margin": 0.02, "alpha": alpha} for alpha in (1.01, 1.05)),
    *({"margin": 0.1, "alpha": alpha} for alpha in (1.01, 1.1)),
    *({"margin": 0.5, "alpha": alpha} for alpha in (1.01, 1.1)),
    {"margin": 1.0, "alpha": 1.05},
    *({"scale": 10.0, "alpha": alpha} for alpha in (1.01, 1.05)),
    {"scale": 10.0, "alpha": 1.2, "literal_weight": "1/n"},
    *({"scale": 30.0, "alpha": alpha} for alpha in (1.01, 1.1)),
    *({"scale": 100.0, "alpha": alpha} for alpha in (1.01, 1.1)),
)
# How columns of numbers are cut, and which terms there are.
EQUAL = {"literals": "equal", "cuts": {"selection": "quantiles", "max_intervals": 8}}
ORDERED = {"literals": "ordered", "cuts": {"max_intervals": 20}}
TABLES = (
    *({**EQUAL, "max_term_size": size} for size in (2, 3)),
    {**ORDERED, "max_term_size": 1},
)
#: In the form of `AUTO_CANDIDATES`, all of which are among them.
POOL = [{**rule, **table} for table in TABLES for rule in RULES]


def name(candidate):
    """Return a short text for a candidate."""
    rule = "margin" if "margin" in candidate else "scale"
    prior = ", prior 1/n" if "literal_weight" in candidate else ""
    return (
        f"{rule} {candidate[rule]:g}, alpha {candidate['alpha']:g}{prior}, "
        f"{candidate['literals']}, size {candidate['max_term_size']}"
    )


def outcomes(pool, X, y, test_X, test_y, seed):
    """Yield the inner log loss, the errors and the log losses of rows held out of each.

    All are trained in lockstep to their end: none is dropped, and none is left out for
    the time it takes. Otherwise it is what `fit` does with `candidates='auto'`.
    """
    given, settled, runs = [], [], []
    candidates_of = _choice.candidates_of

    def all_of(estimator, batch):
        for one in pool:
            with patch.object(_candidate, "AUTO_CANDIDATES", (one,)):
                given.extend(candidates_of(estimator, batch))
        return given

    class Work(_choice.Work):
        def affordable(self, candidates, are_own, are_sized):
            for one in candidates:
                settled.extend(super().affordable([one], are_own, are_sized))
            return list({one.key: one for one in settled}.values())

    class Selection(_choice.Selection):
        def best(self):
            runs.append(self)
            return super().best()

    with (
        patch.object(_choice, "candidates_of", all_of),
        patch.object(_choice, "Work", Work),
        patch.object(_choice, "Selection", Selection),
        patch.object(_selection, "_RUNGS", {8: len(pool)}),
    ):
        DNFWinnowClassifier(random_state=seed).fit(X, y)
    found = {}
    for one, records in zip(runs[0]._candidates, runs[0]._records):
        if records:
            n_epochs, loss, scale = min(records, key=lambda record: record[1])
            chosen = _choice.Choice(one, n_epochs, scale, runs[0].validation())
            with patch.object(classifier, "choose", lambda *_, c=chosen, **__: c):
                model = DNFWinnowClassifier(random_state=seed).fit(X, y)
            found[one.key] = loss, *held_out(model, test_X, test_y)
    for one in settled:
        yield found.get(one.key)


def held_out(model, X, y):
    """Return the number of errors, and the sum of log losses, of known classes."""
    chances = model.predict_proba(X)
    wrong = int(np.sum(model.classes_[chances.argmax(axis=1)] != y))
    known = np.isin(y, model.classes_)
    own = chances[known, np.searchsorted(model.classes_, y[known])]
    return wrong, float(-np.log(np.maximum(own, EPSILON)).sum())

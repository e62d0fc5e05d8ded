"""Pool: candidates of the study, and what each of them comes to on a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from math import inf
from unittest.mock import patch

import numpy as np

from benchmarks.accuracy.records import EPSILON
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow import _classifier as classifier
from sklearn_dnfwinnow._winnow import _folds as _work
from sklearn_dnfwinnow._winnow import _selection
from sklearn_dnfwinnow._winnow import _selection as _choice
from sklearn_dnfwinnow._winnow import _settings as _candidate
from sklearn_dnfwinnow._winnow._settings import all_terms

# When and by how much rows update: slow and fast, for noise and for rules.
NOISE = {"margin": 0.02, "alpha": 1.01}
MARGIN = {"margin": 0.5, "alpha": 1.01}
RULES = {"margin": 1.0, "alpha": 1.05}
SLOW = {"scale": 10.0, "alpha": 1.01}
FAST = {"scale": 10.0, "alpha": 1.2, "literal_weight": "1/n"}
MIDDLE = {"scale": 30.0, "alpha": 1.01}
STEEP = {"scale": 100.0, "alpha": 1.01}
# Steps for models that are good before the first one.
SMALL = {"scale": 300.0, "alpha": 1.0003}
SMALLEST = {"scale": 300.0, "alpha": 1.00003}


KINDS = "all", "smooth", "chosen"


def screened(strength, max_term_size, **rest):
    """Return how terms are chosen."""
    return {"screening": strength, "max_term_size": max_term_size, **rest}


TABLES = (
    (all_terms("equal", 8, 2), (NOISE, SLOW, MIDDLE)),
    (all_terms("equal", 8, 3), (MARGIN, RULES, FAST)),
    (all_terms("ordered", 20, 1, "max"), (NOISE, RULES, MIDDLE, STEEP)),
    (all_terms("ordered", 8, 2), (NOISE, MIDDLE)),
    (
        all_terms("intervals", 16, 2),
        (NOISE, MARGIN, RULES, SLOW, MIDDLE, STEEP),
    ),
    (all_terms("intervals", 16, 3), (SLOW, MIDDLE)),
    (all_terms("intervals", 8, 3), (RULES, MIDDLE)),
    (all_terms("intervals", 16, 2, "max"), (NOISE, SLOW, MIDDLE)),
    (all_terms("intervals", 16, 3, "mdl"), (NOISE, RULES, MIDDLE)),
    (screened(inf, 1), (MIDDLE, SLOW, SMALLEST)),
    (screened(1.0, 5), (SLOW, SMALLEST)),
    (screened(0.3, 5), (SLOW, SMALL, STEEP)),
    (screened(0.05, 5), (SMALL, STEEP)),
    (screened(0.02, 5), (STEEP,)),
)
#: In the form of `AUTO_CANDIDATES`, all of which are among them.
POOL = [{**rule, **of_table} for of_table, rules in TABLES for rule in rules]


def name(candidate):
    """Return a short text for a candidate."""
    rule = "margin" if "margin" in candidate else "scale"
    cuts, parts = candidate.get("cuts"), []
    parts.append(f"{rule} {candidate[rule]:g}, alpha {candidate['alpha']:g}")
    if "literal_weight" in candidate:
        parts.append("weight 1/n")
    if "screening" in candidate:
        parts.append(f"screening {candidate['screening']:g}")
    else:
        parts.append(f"{candidate['literals']} of {cuts['max_intervals']}")
        parts.append(cuts.get("selection", "max"))
    return f"{', '.join(parts)}, size {candidate['max_term_size']}"


def outcomes(pool, X, y, test_X, test_y, seed):
    """Yield the inner log loss, the errors and the log losses of rows held out of each.

    All are trained in lockstep to their end: none is dropped, and none is left out for
    the time it takes, up to eight times that of `fit`. Terms are chosen for small
    tables, too. Otherwise it is what `fit` does.
    """
    given, settled, runs = [], [], []
    candidates_of = _choice.candidates_of

    def all_of(estimator, batch):
        for one in pool:
            with patch.object(_candidate, "AUTO_CANDIDATES", (one,)):
                given.extend(candidates_of(estimator, batch))
        return given

    class Budget(_choice.Budget):
        def affordable(self, candidates, **settings):
            found = []
            for one in candidates:
                found.extend(super().affordable([one], **settings))
            settled.extend(map(_work.first_of, found))
            return list({_work.first_of(one).key: one for one in found}.values())

    class Selection(_choice.Selection):
        def best(self, n_models):
            runs.append(self)
            return super().best(n_models)

    with (
        patch.object(_candidate, "_which_kinds", lambda *_: KINDS),
        patch.object(_choice, "candidates_of", all_of),
        patch.object(_choice, "Budget", Budget),
        patch.object(_choice, "Selection", Selection),
        patch.object(_selection, "_RUNGS", {8: len(pool)}),
        patch.object(_selection, "_MANY_CELLS", inf),
        patch.object(_work, "_SHARE", 4),
    ):
        DNFWinnowClassifier(random_state=seed).fit(X, y)
    found = {}
    for one, records in zip(runs[0].candidates, runs[0]._records):
        if records:
            n_epochs, loss, scale = min(records, key=lambda record: record[1])
            chosen = _choice.Choice(
                replace(one, scale=scale), n_epochs, runs[0].validation()
            )
            with patch.object(classifier, "choose", lambda *_, c=chosen, **__: [c]):
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

"""Formulas in other programs: each says of all rows what `DNF.holds` says."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise
from math import nan

import numpy as np
from internals.inspection import TermDecoder
from literal_checks import run, stored
from pmml_reader import RuleSet
from sklearn.datasets import load_iris

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import (
    load_annealing,
    load_auto,
    load_breast_cancer_ljubljana,
    load_car,
    load_house_votes_84,
    load_tic_tac_toe,
)
from sklearn_dnfwinnow.rules import DNF

LOADERS = {
    "iris": load_iris,
    "annealing": load_annealing,
    "auto": load_auto,
    "breast cancer": load_breast_cancer_ljubljana,
    "car": load_car,
    "votes": load_house_votes_84,
    "tic-tac-toe": load_tic_tac_toe,
}

# Stands for a missing string: no other has it.
MISSING = "\x00missing"


def plain_rows(X, names):
    """Rows as mappings of Python's own values, None where missing."""
    columns = [list(map(stored, X[name].tolist())) for name in names]
    return [dict(zip(names, row)) for row in zip(*columns)]


def answers(dnf, holds):
    """What a formula says of rows, by which of them satisfy it."""
    said = (True, False) if dnf.otherwise is None else (dnf.class_, dnf.otherwise)
    return [said[not held] for held in holds]


def by_python(dnf, rows, **options):
    return list(map(run(dnf, **options), rows))


def by_pmml(dnf, rows):
    rules = RuleSet(dnf.to_pmml())
    return list(map(rules.predict, rows))


def onnx_feeds(session, rows, missing=MISSING):
    """What a session takes of some rows."""
    feeds = {}
    for each in session.get_inputs():
        values = [row[each.name] for row in rows]
        if each.type == "tensor(double)":
            column = np.array([np.nan if v is None else float(v) for v in values])
        else:
            assert each.type == "tensor(string)"
            column = np.array([missing if v is None else v for v in values], object)
        feeds[each.name] = column[:, None]
    return feeds


def session_of(model):
    """A session of onnxruntime, of a model that is as ONNX says."""
    import onnx
    import onnxruntime

    onnx.checker.check_model(model, full_check=True)
    return onnxruntime.InferenceSession(model.SerializeToString())


def by_onnx(dnf, rows, **options):
    session = session_of(dnf.to_onnx(missing=MISSING, **options))
    (labels,) = session.run(None, onnx_feeds(session, rows))
    return labels.tolist()


def bundled(name, **parameters):
    """A classifier of a bundled set, and rows of which some values are new to it."""
    X, y = LOADERS[name](return_X_y=True, as_frame=True)
    settings = {"cv": None, "max_iter": 2, "max_term_size": 2, "literals": "ordered"}
    clf = DNFWinnowClassifier(random_state=0, **{**settings, **parameters}).fit(X, y)
    for j in range(X.shape[1]):
        of_numbers = X.dtypes.iloc[j].kind in "if"
        X.isetitem(j, X.iloc[:, j].astype(float if of_numbers else object))
        X.iloc[j % 7 :: 29, j] = -2.5 if of_numbers else "new"
        X.iloc[j % 7 + 7 :: 29, j] = nan
    return clf, X


def heavy_formula(clf, k=0, n_terms=9):
    """Of the heaviest terms of a class, each and the next in one."""
    decoder = TermDecoder.from_estimator(clf)
    found = decoder.model.heaviest_terms(k, n_terms)
    terms = [
        decoder.term({*one.literals, *other.literals}) for one, other in pairwise(found)
    ]
    return DNF(terms, "yes", "no", decoder.table_features)

"""Formulas in other programs: each says of all rows what `DNF.holds` says."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from literal_checks import run, stored
from pmml_reader import RuleSet

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


def by_python(dnf, rows):
    return list(map(run(dnf), rows))


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


def by_onnx(dnf, rows):
    session = session_of(dnf.to_onnx(missing=MISSING))
    (labels,) = session.run(None, onnx_feeds(session, rows))
    return labels.tolist()

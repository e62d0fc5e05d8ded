"""Exports: whether a formula in other programs says of all rows what `holds` says."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sqlite3
from importlib.util import find_spec

import numpy as np
import pandas as pd

# Stands for a missing string in ONNX.
MISSING = "\x00missing"


def exports_of(dnf, X):
    """Return the names of the programs, after a check of each; raise if one differs."""
    plain = X[list(dnf.features)].astype(object)
    plain = plain.where(plain.notna(), None)
    programs = {"Python": by_python, "SQLite": by_sqlite}
    if find_spec("onnxruntime"):
        programs["ONNX Runtime"] = by_onnx
    expected = dnf.holds(X)
    for name, program in programs.items():
        n_differ = int((np.asarray(program(dnf, plain)) != expected).sum())
        if n_differ:
            raise ValueError(f"{name} differs on {n_differ} of {len(X)} rows.")
    return ", ".join(programs)


def yes(dnf):
    """Return the answer of programs for the rows that satisfy the formula."""
    return True if dnf.otherwise is None else dnf.class_


def by_python(dnf, rows):
    """Return what the Python function of a formula answers."""
    code = {}
    exec(dnf.to_python("predict"), code)
    return [code["predict"](row) == yes(dnf) for row in rows.to_dict("records")]


def by_sqlite(dnf, rows):
    """Return what SQLite answers."""
    with sqlite3.connect(":memory:") as connection:
        rows.to_sql("t", connection, index=False)
        formula = dnf.to_sql(dialect="sqlite")
        found = connection.execute(f"SELECT {formula} FROM t ORDER BY rowid")
        return [answer == yes(dnf) for (answer,) in found]


def by_onnx(dnf, rows):
    """Return what ONNX Runtime answers."""
    import onnxruntime

    model = dnf.to_onnx(missing=MISSING)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    feeds = {}
    for each in session.get_inputs():
        column = rows[each.name]
        if each.type == "tensor(double)":
            values = pd.to_numeric(column).to_numpy(dtype=float)
        else:
            values = column.fillna(MISSING).to_numpy(dtype=object)
        feeds[each.name] = values[:, None]
    (labels,) = session.run(None, feeds)
    return labels == yes(dnf)

"""ONNX: formulas as graphs of the Open Neural Network Exchange."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._json_values import check
from sklearn_dnfwinnow.rules._writers._cells import cells_of_literals
from sklearn_dnfwinnow.rules._writers._onnx_graph import Graph


def dnf_as_onnx(dnf, answers, missing):
    """Return a formula as a graph, see `DNF.to_onnx`.

    Parameters
    ----------
    dnf : DNF
    answers : (object, object)
        Plain values that are predicted if the formula holds, and if it does not.
    missing : str
        The string that represents a missing string.
    """
    literals = list(dict.fromkeys(one for term in dnf.terms for one in term.literals))
    check(
        literals, "a formula with a literal, as rows of no column have no number", dnf
    )
    graph = Graph(dnf.used_features, missing)
    tables = []
    for cells in cells_of_literals(literals):
        samples = cells.samples()
        own = [literal for literal in literals if literal.column == cells.column]
        tables.append((cells, own, [literal.holds(samples) for literal in own]))
    holds, _ = graph.conjunctions(tables, [term.literals for term in dnf.terms])
    numbers = graph.cast(holds, np.int64)
    holds = graph.add("ReduceMax", numbers, np.array([0]), keepdims=0)
    then, otherwise = answers
    label, dtype = graph.labels([otherwise, then], holds)
    graph.output(label, "label", dtype)
    return graph.model(dnf.notice)

"""ONNX: formulas as graphs of the Open Neural Network Exchange."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.rules._checks import check
from sklearn_dnfwinnow.rules._writers._cells import Cells
from sklearn_dnfwinnow.rules._writers._onnx_graph import Graph
from sklearn_dnfwinnow.rules._writers._plain_values import compared_columns


def decision_as_onnx(decision, missing):
    """Return a Decision as a graph, see `DNF.to_onnx`.

    Parameters
    ----------
    decision : Decision
    missing : str
        The string that represents a missing string.
    """
    literals = list(dict.fromkeys(decision.literals))
    check(
        literals,
        "a formula with a condition, because a graph counts rows by a column",
        list(map(str, decision.terms)),
    )
    graph = Graph(decision.used_features, missing)
    tables = []
    for column, compared in compared_columns(literals).items():
        cells = Cells.of(*compared)
        samples = cells.samples()
        own = [literal for literal in literals if literal.column == column]
        tables.append((cells, own, [literal.holds(samples) for literal in own]))
    holds, _ = graph.conjunctions(tables, [term.literals for term in decision.terms])
    # The first formula has the largest number, and 0 is for none.
    n = len(decision.formulas)
    of_terms = [n - i for i, (_, terms) in enumerate(decision.formulas) for _ in terms]
    numbers = graph.cast(holds, np.int64)
    if n > 1:
        numbers = graph.add("Mul", numbers, np.array(of_terms)[:, None])
    first = graph.add("ReduceMax", numbers, np.array([0]), keepdims=0)
    otherwise, *answers = decision.answers
    label, dtype = graph.labels([otherwise, *reversed(answers)], first)
    called = "label" if decision.result == "class" else decision.result
    graph.output(label, called, dtype)
    return graph.model(decision.notice)

"""Sums in ONNX: the part of a graph that computes the weighted sums of rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial, reduce
from math import comb

import numpy as np

from sklearn_dnfwinnow.export._parts import Part

# Weights of one matrix are within a factor of e to this power, far from underflow.
_WIDTH = 500.0
# Numbers of terms are equally far from overflow.
_MOST_COUNTED = 10**300


@dataclass(frozen=True, eq=False)
class Satisfied:
    """What rows satisfy of a part of the model.

    Attributes
    ----------
    part : Part
    held : str
        Which rows satisfy each listed term: bool of shape (n_terms, n_rows).
    counts : list of str
        For each literal table, the number of its literals that each row satisfies,
        among those that each group of classes allows: int64 of shape (n_groups,
        n_rows).
    n_terms : ndarray of shape (n_sizes, most + 1)
        Numbers of satisfied terms of each size, by the number of satisfied literals.
    """

    part: Part
    held: str
    counts: list
    n_terms: np.ndarray


def satisfied_of_rows(graph, tables, parts):
    """Append the comparison of rows with the terms and literals of all parts.

    Parameters
    ----------
    graph : Graph
    tables : list of LiteralTable
    parts : list of Part

    Returns
    -------
    satisfied : list of Satisfied
    """
    columns = [(table.cells, table.pairs, table.holds) for table in tables]
    found = []
    for i, part in enumerate(parts):
        held, places = graph.conjunctions(columns, part.weights.terms)
        counts = [
            graph.add("Gather", table.counts[i], place, axis=1)
            for table, place in zip(tables, places)
        ]
        most = sum(int(table.counts[i].max()) for table in tables)
        n_terms = _n_terms(len(part.weights.log_priors) - 1, most)
        found.append(Satisfied(part=part, held=held, counts=counts, n_terms=n_terms))
    return found


def log_sums_of_rows(graph, satisfied):
    """Append log W of a part, see `Satisfied`: float64 of shape (n_classes, n_rows)."""
    weights, n_terms = satisfied.part.weights, satisfied.n_terms
    held = graph.cast(satisfied.held, np.float64)
    n_literals = reduce(partial(graph.add, "Add"), satisfied.counts)
    is_of_size = weights.sizes == np.arange(len(n_terms))[:, None]
    counts, log_weights = [held], [weights.log_weights]
    for i, allowed in enumerate(weights.allowed):
        listed = (is_of_size & allowed).astype(np.float64)
        n_of_row = graph.add("Gather", n_literals, np.array(i))
        of_row = graph.add("Gather", n_terms, n_of_row, axis=1)
        counts.append(graph.add("Sub", of_row, graph.add("MatMul", listed, held)))
        is_own = (weights.groups == i)[:, None]
        log_weights.append(np.where(is_own, weights.log_priors, -np.inf))
    counts = graph.add("Concat", *counts, axis=0)
    log_weights = np.hstack(log_weights)
    logs = [
        graph.add("Add", graph.add("Log", graph.add("MatMul", matrix, counts)), shift)
        for matrix, shift in _matrices(log_weights)
    ]
    if len(logs) == 1:
        return logs[0]
    largest = graph.add("Max", *logs)
    relative = [graph.add("Exp", graph.add("Sub", one, largest)) for one in logs]
    return graph.add("Add", graph.add("Log", graph.add("Sum", *relative)), largest)


def sum_of_parts(graph, satisfied, log_sums):
    """Append the sum of the log W of all parts, each times its factor."""
    scaled = [
        graph.add("Mul", one, np.array(of_part.part.factor))
        for of_part, one in zip(satisfied, log_sums)
    ]
    return graph.add("Sum", *scaled)


def _n_terms(largest, most):
    """Return the numbers of satisfied terms of each size, by the number of literals."""
    n_terms = [[comb(n, size) for n in range(most + 1)] for size in range(largest + 1)]
    if max(map(sum, zip(*n_terms))) > _MOST_COUNTED:
        raise ValueError(
            f"Samples satisfy up to {most} literals, and more terms than double "
            "precision can represent. Train with a smaller `max_term_size`."
        )
    return np.array(n_terms, dtype=np.float64)


def _matrices(log_weights):
    """Yield weights as matrices of numbers from 0 to 1, with their factors.

    Parameters
    ----------
    log_weights : ndarray of shape (n_classes, n)
        -inf for a weight of zero.

    Yields
    ------
    matrix : ndarray of shape (n_classes, n)
        Zero, except for the weights of the magnitude that `shift` gives.
    shift : ndarray of shape (n_classes, 1)
        Logarithms of the factors of all classes.
    """
    top = log_weights.max(axis=1, keepdims=True)
    band = np.floor((top - log_weights) / _WIDTH)
    for i in np.unique(band[np.isfinite(band)]):
        shift = top - i * _WIDTH
        yield np.where(band == i, np.exp(np.minimum(log_weights - shift, 0)), 0), shift

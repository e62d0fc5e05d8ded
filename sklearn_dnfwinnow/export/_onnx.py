"""ONNX: a whole model as a graph of the Open Neural Network Exchange."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial, reduce
from math import comb

import numpy as np

from sklearn_dnfwinnow._utils._compat import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._display._text import transformation_notice
from sklearn_dnfwinnow._utils._json_values import check, plain
from sklearn_dnfwinnow.export._fitted import decoder_to_export
from sklearn_dnfwinnow.export._literal_tables import literal_tables
from sklearn_dnfwinnow.export._onnx_shapley import shapley_values_of_rows
from sklearn_dnfwinnow.export._shapley_game import ShapleyGame
from sklearn_dnfwinnow.export._term_weights import term_weights
from sklearn_dnfwinnow.rules._writers._onnx_graph import Graph

CONSTRAINTS = {
    "max_terms": [POSITIVE],
    "transformed": ["boolean"],
    "shapley_values": ["boolean"],
}
# Weights of one matrix are within a factor of e to this power, far from underflow.
_WIDTH = 500.0
# Numbers of terms are equally far from overflow.
_MOST_COUNTED = 10**300


@validate_params({**CONSTRAINTS, "missing": [str]})
def to_onnx(
    estimator,
    *,
    missing="",
    max_terms=10_000,
    transformed=False,
    shapley_values=False,
):
    """Return a whole model as a graph in the Open Neural Network Exchange format, ONNX.

    Scores and probabilities are those of the estimator if its sums are exact, except
    for rounding. Operators are those of opset 18.

    The graph has one input of shape (n_rows, 1) for each feature that the model uses,
    with the name of the feature, or ``x0``, ``x1``, ... if features have no names.
    Inputs are strings, or numbers in double precision; booleans are 0 and 1. Single
    precision would move numbers across cut points. A missing number is NaN.

    The outputs are 'label', of shape (n_rows,); 'probabilities', as returned by
    `predict_proba`; and 'scores', as returned by `log_weighted_sums`. The latter two
    have shape (n_rows, n_classes).

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or a Pipeline, search or FrozenEstimator with one
        Fitted.

    missing : str, default=''
        The string that represents a missing string.

    max_terms : int, default=10_000
        Maximum number of terms in the graph: those that stored examples satisfy. Time
        and memory per sample grow linearly with it.

    transformed : bool, default=False
        Whether the input of the graph is the output of the transformers in front of the
        classifier that cannot be inverted, if there are any.

    shapley_values : bool, default=False
        Whether the graph also gives the effects of the features. Its output
        'shapley_values' then has shape (n_rows, n_classes, n_features). The values are
        exact, and those of :func:`sklearn_dnfwinnow.inspection.shapley_values` for the
        log-odds of each class against all others. The outputs 'base_values', of shape
        (n_classes,), and 'features', the names of shape (n_features,), are the same for
        all rows. Time and memory per row double with each feature, up to 16.

    Returns
    -------
    model : onnx.ModelProto

    Raises
    ------
    ImportError
        If onnx is not installed.
    TypeError
        If `estimator` is none of these, or a category or label is not a string, number
        or boolean.
    ValueError
        If there are more terms; if the categories of a feature include both strings and
        others, or `missing`, or a number that double precision cannot represent; if two
        features have the same name, or must not occur together in a term; if no column
        had a value in training; or if there are transformers that cannot be inverted,
        and `transformed` is False. With `shapley_values`, also if the model uses more
        than 16 features, or those of its background have no exact values.

    See Also
    --------
    sklearn_dnfwinnow.rules.DNF.to_onnx : The same for a formula of a few terms.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.export import to_onnx
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> model = to_onnx(clf)  # doctest: +SKIP
    >>> [output.name for output in model.graph.output]  # doctest: +SKIP
    ['label', 'probabilities', 'scores']
    """
    decoder = decoder_to_export(estimator, transformed)
    model = decoder.model
    weights = term_weights(model, max_terms)
    tables = literal_tables(decoder, weights, typed=True)
    names = decoder.table_features
    check(tables, "a model with inputs: a column with a value in training", names)
    graph = Graph([table.cells.feature for table in tables], missing)
    held, counts = _literals(graph, tables, weights.terms)
    most = sum(int(table.counts.max()) for table in tables)
    n_terms = _n_terms(len(weights.log_priors) - 1, most)
    log_sums = _log_sums(
        graph=graph,
        weights=weights,
        held=graph.cast(held, np.float64),
        n_literals=reduce(partial(graph.add, "Add"), counts),
        n_terms=n_terms,
    )
    by_row = graph.add("Transpose", log_sums, perm=[1, 0])
    scores = graph.add("Sub", by_row, model.log_thresholds)
    scaled = graph.add("Mul", scores, np.array(model.scale))
    probabilities = graph.add("Softmax", scaled, axis=1)
    winners = graph.add("ArgMax", scores, axis=1, keepdims=0)
    classes = [plain(label, "There is a class") for label in decoder.classes]
    label, dtype = graph.labels(classes, winners)
    graph.output(label, "label", dtype)
    by_class = "n_rows", len(classes)
    graph.output(probabilities, "probabilities", np.float64, by_class)
    graph.output(scores, "scores", np.float64, by_class)
    if shapley_values:
        game = ShapleyGame.of(decoder, tables, weights.terms)
        values = shapley_values_of_rows(
            graph,
            game=game,
            weights=weights,
            model=model,
            held=held,
            counts=counts,
            n_terms=n_terms,
        )
        shape = len(classes), len(game.features)
        graph.output(values, "shapley_values", np.float64, ("n_rows", *shape))
        base_values = graph.add("Identity", game.base_values)
        graph.output(base_values, "base_values", np.float64, shape[:1])
        names, dtype = graph.labels(game.features, np.arange(shape[1]))
        graph.output(names, "features", dtype, shape[1:])
    return graph.model(transformation_notice(decoder.transformed_by))


def _literals(graph, tables, terms):
    """Append the comparison of rows with terms.

    Returns
    -------
    held : str
        Which rows satisfy each term: bool of shape (n_terms, n_rows).
    counts : list of str
        For each table, the number of its literals that each row satisfies, among those
        that each group of classes allows: int64 of shape (n_groups, n_rows).
    """
    held, places = graph.conjunctions(
        [(table.cells, table.pairs, table.holds) for table in tables], terms
    )
    counts = [
        graph.add("Gather", table.counts, place, axis=1)
        for table, place in zip(tables, places)
    ]
    return held, counts


def _log_sums(graph, weights, held, n_literals, n_terms):
    """Append log W of all classes: float64 of shape (n_classes, n_rows).

    `n_terms` has the numbers of terms of each size, by the number of literals.
    """
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

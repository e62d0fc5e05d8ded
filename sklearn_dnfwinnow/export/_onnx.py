"""ONNX: a whole model as a graph of the Open Neural Network Exchange."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import comb
from numbers import Integral

import numpy as np

from sklearn_dnfwinnow._utils._compat import Interval, validate_params
from sklearn_dnfwinnow._utils._json_values import plain
from sklearn_dnfwinnow._utils._text import transformation_notice
from sklearn_dnfwinnow.export._fitted import decoder_to_export
from sklearn_dnfwinnow.export._literal_tables import literal_tables
from sklearn_dnfwinnow.export._term_weights import term_weights
from sklearn_dnfwinnow.rules._writers._onnx_graph import Graph

CONSTRAINTS = {
    "max_terms": [Interval(Integral, 1, None, closed="left")],
    "transformed": ["boolean"],
}
# Weights of one matrix are within e to this power, far from what underflows.
_WIDTH = 500.0
# And numbers of terms are as far from what overflows.
_MOST_COUNTED = 10**300


@validate_params(
    {**CONSTRAINTS, "missing": [str]},
    prefer_skip_nested_validation=True,
)
def to_onnx(estimator, *, missing="", max_terms=10_000, transformed=False):
    """Return a whole model as a graph of the Open Neural Network Exchange, ONNX.

    Scores and probabilities are those of the estimator, where its sums are exact, but
    for rounding. Operators are those of opset 18.

    There is one input of shape (n_rows, 1) for each column with a value that the model
    knows, of the name that the column has, ``x0``, ``x1``, ... if it has none. Inputs
    are strings; or numbers in double precision, booleans being 0 and 1: single
    precision would round measurements across cuts. A missing number is NaN.

    Outputs are 'label', of shape (n_rows,); 'probabilities', as `predict_proba` returns
    them, and 'scores', as `log_weighted_sums` does, both of shape (n_rows, n_classes).

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or a Pipeline, search or FrozenEstimator with one
        Fitted.

    missing : str, default=''
        The string that stands for a missing one.

    max_terms : int, default=10_000
        Terms that the graph lists, at most: those that updates satisfy. Time and memory
        of a row grow linearly with them.

    transformed : bool, default=False
        Whether the graph takes the output of transformers in front of the classifier
        that cannot be inverted, if there are any.

    Returns
    -------
    model : onnx.ModelProto

    Raises
    ------
    ImportError
        If onnx is not installed.
    TypeError
        If `estimator` is none of these, or a category or label is no string, number or
        boolean.
    ValueError
        If there are more terms; if a column has strings and others among its
        categories, or `missing`, or a number that double precision lacks; if two
        columns have the same name; or if there are transformers that cannot be
        inverted, and `transformed` is False.

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
    tables = literal_tables(decoder, weights.terms, typed=True)
    graph = Graph([table.cells.feature for table in tables], missing)
    held, n_literals = _literals(graph, tables, weights.terms)
    most = sum(int(table.counts.max()) for table in tables)
    log_sums = _log_sums(
        graph=graph, weights=weights, held=held, n_literals=n_literals, most=most
    )
    by_row = graph.add("Transpose", log_sums, perm=[1, 0])
    scores = graph.add("Sub", by_row, np.array(model.log_threshold))
    scaled = graph.add("Mul", scores, np.array(model.scale))
    probabilities = graph.add("Softmax", scaled, axis=1)
    winners = graph.add("ArgMax", scores, axis=1, keepdims=0)
    classes = [plain(label, "There is a class") for label in decoder.classes]
    label, dtype = graph.labels(classes, winners)
    graph.output(label, "label", dtype)
    graph.output(probabilities, "probabilities", np.float64, len(classes))
    graph.output(scores, "scores", np.float64, len(classes))
    return graph.model(transformation_notice(decoder.transformed_by))


def _literals(graph, tables, terms):
    """Append what compares rows with terms.

    Returns
    -------
    held : str
        Which rows satisfy each term: float64 of shape (n_terms, n_rows).
    n_literals : str
        How many literals each row satisfies: int64 of shape (n_rows,).
    """
    known, rows, counts = {}, [], []
    for table in tables:
        pairs, holds = table.pairs, table.holds
        if not known:  # the literal of the empty term
            pairs = [None, *pairs]
            holds = np.vstack([np.ones((1, len(table.cells)), dtype=bool), holds])
        for pair in pairs:
            known[pair] = len(known)
        place = graph.place(table.cells)
        rows.append(graph.add("Gather", holds, place, axis=1))
        counts.append(graph.add("Gather", table.counts, place))
    n_literals = counts[0]
    for more in counts[1:]:
        n_literals = graph.add("Add", n_literals, more)
    places = [[known[pair] for pair in term or (None,)] for term in terms]
    held = graph.conjunctions(graph.add("Concat", *rows, axis=0), places)
    return graph.cast(held, np.float64), n_literals


def _log_sums(graph, weights, held, n_literals, most):
    """Append log W of all classes: float64 of shape (n_classes, n_rows).

    `most` is how many literals a row satisfies, at most.
    """
    largest = len(weights.log_priors) - 1
    is_of_size = weights.sizes == np.arange(largest + 1)[:, None]
    n_listed = graph.add("MatMul", is_of_size.astype(np.float64), held)
    n_terms = graph.add("Gather", _n_terms(largest, most), n_literals, axis=1)
    others = graph.add("Sub", n_terms, n_listed)
    counts = graph.add("Concat", held, others, axis=0)
    n_classes = len(weights.log_weights)
    log_priors = np.tile(weights.log_priors, (n_classes, 1))
    log_weights = np.hstack([weights.log_weights, log_priors])
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
    """Return how many terms of each size rows satisfy, by how many literals they do."""
    n_terms = [[comb(n, size) for n in range(most + 1)] for size in range(largest + 1)]
    if max(map(sum, zip(*n_terms))) > _MOST_COUNTED:
        raise ValueError(
            f"Rows satisfy up to {most} literals, and more terms than double precision "
            "has numbers. Train with a smaller `max_term_size`."
        )
    return np.array(n_terms, dtype=np.float64)


def _matrices(log_weights):
    """Yield weights as matrices of numbers from 0 to 1, and what they are to be times.

    Parameters
    ----------
    log_weights : ndarray of shape (n_classes, n)

    Yields
    ------
    matrix : ndarray of shape (n_classes, n)
        Zero but for the weights that are about as large as `shift` says.
    shift : ndarray of shape (n_classes, 1)
        Logarithms of the factors of all classes.
    """
    top = log_weights.max(axis=1, keepdims=True)
    band = np.floor((top - log_weights) / _WIDTH)
    for i in np.unique(band):
        shift = top - i * _WIDTH
        yield np.where(band == i, np.exp(np.minimum(log_weights - shift, 0)), 0), shift

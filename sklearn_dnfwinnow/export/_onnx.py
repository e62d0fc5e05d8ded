"""ONNX: a whole model as a graph of the Open Neural Network Exchange."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._compat import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._display._text import transformation_notice
from sklearn_dnfwinnow._utils._json_values import check, plain
from sklearn_dnfwinnow.export._fitted import decoder_to_export
from sklearn_dnfwinnow.export._literal_tables import literal_tables
from sklearn_dnfwinnow.export._onnx_shapley import shapley_values_of_rows
from sklearn_dnfwinnow.export._onnx_sums import (
    log_sums_of_rows,
    satisfied_of_rows,
    sum_of_parts,
)
from sklearn_dnfwinnow.export._parts import parts_of
from sklearn_dnfwinnow.export._shapley_game import ShapleyGame
from sklearn_dnfwinnow.rules._writers._onnx_graph import Graph

CONSTRAINTS = {
    "max_terms": [POSITIVE],
    "transformed": ["boolean"],
    "shapley_values": ["boolean"],
}


@validate_params({**CONSTRAINTS, "missing": [str]})
def to_onnx(
    estimator,
    *,
    missing="",
    max_terms=100_000,
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

    max_terms : int, default=100_000
        Maximum number of terms in the graph: those that stored examples of each of the
        `estimators_` satisfy. Time and memory per sample grow linearly with it.

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
    parts = parts_of(model, max_terms)
    tables = literal_tables(decoder, parts, typed=True)
    names = decoder.table_features
    check(tables, "a model with inputs: a column with a value in training", names)
    graph = Graph([table.cells.feature for table in tables], missing)
    satisfied = satisfied_of_rows(graph, tables, parts)
    log_sums = [log_sums_of_rows(graph, one) for one in satisfied]
    log_sums = sum_of_parts(graph, satisfied, log_sums)
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
        game = ShapleyGame.of(decoder, tables, parts)
        values = shapley_values_of_rows(
            graph, game=game, model=model, satisfied=satisfied
        )
        shape = len(classes), len(game.features)
        graph.output(values, "shapley_values", np.float64, ("n_rows", *shape))
        base_values = graph.add("Identity", game.base_values)
        graph.output(base_values, "base_values", np.float64, shape[:1])
        names, dtype = graph.labels(game.features, np.arange(shape[1]))
        graph.output(names, "features", dtype, shape[1:])
    return graph.model(transformation_notice(decoder.transformed_by))

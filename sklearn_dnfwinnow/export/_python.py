"""Python: a whole model as a module, which needs nothing else."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._compat import validate_params
from sklearn_dnfwinnow._utils._estimator_mixins import __version__
from sklearn_dnfwinnow._utils._json_values import plain
from sklearn_dnfwinnow._utils._text import transformation_notice
from sklearn_dnfwinnow.export._fitted import decoder_to_export
from sklearn_dnfwinnow.export._literal_tables import literal_tables
from sklearn_dnfwinnow.export._onnx import CONSTRAINTS
from sklearn_dnfwinnow.export._term_weights import term_weights

_MODULE = '''\
"""A classifier that is a formula, written by sklearn_dnfwinnow {version}.

Rows are mappings from names of columns to values{notice}.
"""

from bisect import bisect_left
from collections import Counter
from math import comb, exp, fsum, log

CLASSES = {classes}

# The name of each column; what its values are compared with: cuts, or the places of
# values; and how many literals, and which, each of them satisfies. The last but one is
# any other value, or one above all cuts; the last is a missing value.
COLUMNS = [
{columns}
]

# The literals of each term that was learned, and the logarithms of its weights in all
# classes.
TERMS = [
{terms}
]

# The logarithms of the weights of all other terms, by their numbers of literals.
LOG_PRIORS = {log_priors}

LOG_THRESHOLD = {log_threshold}
SCALE = {scale}


def _cell(value, points):
    """Return which part of the values of a column one is in."""
    try:
        known = value is not None and bool(value == value)
    except TypeError:  # what is not available has no truth
        known = False
    if not known:
        return -1
    if isinstance(points, dict):
        return points.get(value, -2)
    return bisect_left(points, float(value))


def log_weighted_sums(row):
    """Return log W - log theta of a row, in each class."""
    held, n_literals = set(), 0
    for name, points, cells in COLUMNS:
        n, literals = cells[_cell(row[name], points)]
        n_literals += n
        held.update(literals)
    satisfied = [
        (len(term), weights) for term, weights in TERMS if held.issuperset(term)
    ]
    listed = Counter(size for size, _ in satisfied)
    others = [
        log(n) + log_prior
        for size, log_prior in enumerate(LOG_PRIORS)
        if (n := comb(n_literals, size) - listed[size])
    ]
    scores = []
    for k in range(len(CLASSES)):
        logs = others + [weights[k] for _, weights in satisfied]
        largest = max(logs)
        total = fsum(exp(one - largest) for one in logs)
        scores.append(largest + log(total) - LOG_THRESHOLD)
    return scores


def predict_proba(row):
    """Return the probability of each class for a row."""
    scores = [SCALE * score for score in log_weighted_sums(row)]
    largest = max(scores)
    relative = [exp(score - largest) for score in scores]
    total = fsum(relative)
    return [one / total for one in relative]


def predict(row):
    """Return the class of a row: that of the highest score, the first in a tie."""
    scores = log_weighted_sums(row)
    return CLASSES[scores.index(max(scores))]
'''


@validate_params(CONSTRAINTS, prefer_skip_nested_validation=True)
def to_python(estimator, *, max_terms=10_000, transformed=False):
    """Return a whole model as the source of a Python module, which needs nothing else.

    Scores and probabilities are those of the estimator, where its sums are exact, but
    for rounding. The module has `CLASSES`, a list, and functions of one row, a mapping
    from names of columns to values: ``log_weighted_sums(row)`` and
    ``predict_proba(row)`` return a list of numbers, by class, ``predict(row)`` a class.
    Columns without names are ``x0``, ``x1``, ... None, NaN, NaT and pandas.NA are
    missing values.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or a Pipeline, search or FrozenEstimator with one
        Fitted.

    max_terms : int, default=10_000
        Terms that the module lists, at most: those that updates satisfy. The time of a
        row grows linearly with them.

    transformed : bool, default=False
        Whether rows are the output of transformers in front of the classifier that
        cannot be inverted, if there are any.

    Returns
    -------
    source : str

    Raises
    ------
    TypeError
        If `estimator` is none of these, or a category or label is no string, number or
        boolean.
    ValueError
        If there are more terms; if two columns have the same name; or if there are
        transformers that cannot be inverted, and `transformed` is False.

    See Also
    --------
    sklearn_dnfwinnow.rules.DNF.to_python : The same for a formula of a few terms.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.export import to_python
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["predict"](X.iloc[0].to_dict())
    '1'
    >>> clf.predict(X[:1])
    array(['1'], dtype=object)
    """
    decoder = decoder_to_export(estimator, transformed)
    model = decoder.model
    weights = term_weights(model, max_terms)
    tables = literal_tables(decoder, weights.terms, typed=False)
    pairs = [pair for table in tables for pair in table.pairs]
    numbers = {pair: i for i, pair in enumerate(pairs)}
    terms = [tuple(numbers[pair] for pair in term) for term in weights.terms]
    of_classes = [tuple(logs) for logs in weights.log_weights.T.tolist()]
    classes = [plain(label, "There is a class") for label in decoder.classes]
    notice = transformation_notice(decoder.transformed_by)
    return _MODULE.format(
        version=__version__,
        notice=f": {_in_docstring(notice)}" if notice else "",
        classes=repr(classes),
        columns=_lines(_column(table, numbers) for table in tables),
        terms=_lines(zip(terms, of_classes)),
        log_priors=repr(weights.log_priors.tolist()),
        log_threshold=repr(float(model.log_threshold)),
        scale=repr(float(model.scale)),
    )


def _column(table, numbers):
    """Return what the module knows of a column."""
    cells = table.cells
    points = list(cells.points)
    if not cells.of_numbers:
        points = {value: i for i, value in enumerate(points)}
    own = np.array([numbers[pair] for pair in table.pairs], dtype=np.int64)
    held = [tuple(own[holds].tolist()) for holds in table.holds.T]
    return cells.feature, points, list(zip(table.counts.tolist(), held))


def _lines(items):
    """Return items as the lines of a list."""
    return "\n".join(f"    {item!r}," for item in items)


def _in_docstring(text):
    """Return text that ends no docstring, and escapes nothing in it."""
    return text.replace("\\", "\\\\").replace('"', '\\"')

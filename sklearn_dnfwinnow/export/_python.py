"""Python: a whole model as a module without dependencies."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._compat import validate_params
from sklearn_dnfwinnow._utils._display._text import transformation_notice
from sklearn_dnfwinnow._utils._estimator_mixins import __version__
from sklearn_dnfwinnow._utils._json_values import plain
from sklearn_dnfwinnow.export._fitted import decoder_to_export
from sklearn_dnfwinnow.export._literal_tables import literal_tables
from sklearn_dnfwinnow.export._onnx import CONSTRAINTS
from sklearn_dnfwinnow.export._parts import parts_of
from sklearn_dnfwinnow.export._shapley_game import ShapleyGame

_MODULE = '''\
"""A classifier, exported by sklearn_dnfwinnow {version}.

Samples are mappings from names of columns to values{notice}.
"""

from bisect import bisect_left
from collections import Counter
from math import comb, exp, fsum, log

CLASSES = {classes}

# For each feature, the name of its column; cut points, or the indices of values; and,
# for each interval or value, the number of satisfied literals by group (see MODELS),
# and those literals that learned terms contain. The last but one is any other value, or
# one above all cut points; the last is a missing value.
COLUMNS = [
{columns}
]

# The score of a class is the logarithm of a sum of weights of terms, minus a threshold.
# If there are several models, each has such a sum, and a factor of its logarithm.
# - "groups": for each class, its group; classes of one group allow the same literals.
# - "log_priors": the logarithms of the weights of all terms that are not learned, by
#   number of literals.
# - "terms": the literals of each learned term, and the logarithms of its weights in all
#   classes; None if a class does not allow the term.
MODELS = [
{models}
]

# One for each class.
LOG_THRESHOLDS = {log_thresholds}
SCALE = {scale}


def _cell(value, points):
    """Return the index of the interval or value of a column."""
    try:
        known = value is not None and bool(value == value)
    except TypeError:  # what is not available has no truth
        known = False
    if not known:
        return -1
    if isinstance(points, dict):
        return points.get(value, -2)
    return bisect_left(points, float(value))


def _satisfied(row):
    """Return numbers of literals by column and group, and terms that hold by model."""
    held, counts = set(), []
    for name, points, cells in COLUMNS:
        of_groups, literals = cells[_cell(row[name], points)]
        counts.append(of_groups)
        held.update(literals)
    return counts, [
        [one for one in model["terms"] if held.issuperset(one[0])] for model in MODELS
    ]


def _log_sum(logs):
    """Return the logarithm of a sum of numbers, from their logarithms."""
    largest = max(logs)
    return largest + log(fsum(exp(one - largest) for one in logs))


def _scores(counts, satisfied):
    """Return the score of each class, from what `_satisfied` returns."""
    scores = [-one for one in LOG_THRESHOLDS]
    for model, terms in zip(MODELS, satisfied):
        for k, group in enumerate(model["groups"]):
            n_literals = sum(of_groups[group] for of_groups in counts)
            own = [(len(term), of[k]) for term, of in terms if of[k] is not None]
            listed = Counter(size for size, _ in own)
            logs = [log_weight for _, log_weight in own]
            for size, log_prior in enumerate(model["log_priors"]):
                n = comb(n_literals, size) - listed[size]
                if n:
                    logs.append(log(n) + log_prior)
            scores[k] += model["factor"] * _log_sum(logs)
    return scores


def log_weighted_sums(row):
    """Return the score of each class for a sample."""
    return _scores(*_satisfied(row))


def predict_proba(row):
    """Return the probability of each class for a sample."""
    scores = [SCALE * score for score in log_weighted_sums(row)]
    largest = max(scores)
    relative = [exp(score - largest) for score in scores]
    total = fsum(relative)
    return [one / total for one in relative]


def predict(row):
    """Return the class with the highest score; of tied classes, the first."""
    scores = log_weighted_sums(row)
    return CLASSES[scores.index(max(scores))]
'''

# An entry of MODELS.
_MODEL = """\
    {{
        "factor": {factor},
        "groups": {groups},
        "log_priors": {log_priors},
        "terms": [
{terms}
        ],
    }},"""

# What follows in a module with Shapley values.
_SHAPLEY = '''

# -- Shapley values --------------------------------------------------------------------

# The features that Shapley values belong to, the position of that of each entry of
# COLUMNS, and the entry of each literal.
FEATURES = {features}
PLAYERS = {players}
OWNERS = {{
    literal: j
    for j, (_, _, cells) in enumerate(COLUMNS)
    for _, literals in cells
    for literal in literals
}}

# The mean log-odds of the background, by class, and its mean Shapley values.
BASE_VALUES = {base_values}
MEAN_VALUES = [
{mean_values}
]


def shapley_values(row):
    """Return the Shapley values of a sample: for each class, a list by feature.

    They say how each of FEATURES moves the log-odds of a class against all others away
    from BASE_VALUES. The base value and all values add up to the log-odds.
    """
    counts, satisfied = _satisfied(row)
    known = [j for j, of_groups in enumerate(counts) if any(of_groups)]
    log_odds = _log_odds_of_sets([counts[j] for j in known], satisfied, known)
    n = len(known)
    parts = [1 / (n * comb(n - 1, size)) for size in range(n)]
    found = [[-mean for mean in means] for means in MEAN_VALUES]
    for k, values in enumerate(found):
        for i, j in enumerate(known):
            values[PLAYERS[j]] += fsum(
                parts[bin(s).count("1") - 1]
                * (log_odds[s][k] - log_odds[s ^ 1 << i][k])
                for s in range(1 << n)
                if s >> i & 1
            )
    return found


def _log_odds_of_sets(counts, satisfied, known):
    """Return the log-odds of the classes if only some columns are known, by bit set."""
    bits = {{j: 1 << i for i, j in enumerate(known)}}
    needed = [
        [sum(bits[j] for j in {{OWNERS[one] for one in term}}) for term, _ in terms]
        for terms in satisfied
    ]
    log_odds = []
    for s in range(1 << len(known)):
        literals = [of_groups for i, of_groups in enumerate(counts) if s >> i & 1]
        terms = [
            [one for one, own in zip(*of_model) if own & s == own]
            for of_model in zip(satisfied, needed)
        ]
        logits = [SCALE * score for score in _scores(literals, terms)]
        others = [logits[:k] + logits[k + 1 :] for k in range(len(logits))]
        log_odds.append([a - _log_sum(b) for a, b in zip(logits, others)])
    return log_odds
'''


@validate_params(CONSTRAINTS)
def to_python(estimator, *, max_terms=100_000, transformed=False, shapley_values=False):
    """Return a whole model as the source code of a Python module without dependencies.

    Scores and probabilities are those of the estimator if its sums are exact, except
    for rounding. The module contains `CLASSES`, a list, and functions of one sample, a
    mapping from feature names to values. ``log_weighted_sums(row)`` and
    ``predict_proba(row)`` return a list of numbers by class, and ``predict(row)``
    returns a class. Features without names are ``x0``, ``x1``, ... None, NaN, NaT and
    pandas.NA are missing values.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or a Pipeline, search or FrozenEstimator with one
        Fitted.

    max_terms : int, default=100_000
        Maximum number of terms in the module: those that stored examples of each of the
        `estimators_` satisfy. The time per sample grows linearly with it.

    transformed : bool, default=False
        Whether the samples are the output of the transformers in front of the
        classifier that cannot be inverted, if there are any.

    shapley_values : bool, default=False
        Whether the module also gives the effects of the features. Its function
        ``shapley_values(row)`` then returns, for each class, the value of each feature
        in its list `FEATURES`. They are exact, and those of
        :func:`sklearn_dnfwinnow.inspection.shapley_values` for the log-odds of this
        class against all others; `BASE_VALUES` has the base value of each class. The
        time per sample doubles with each feature, up to 16.

    Returns
    -------
    source : str

    Raises
    ------
    TypeError
        If `estimator` is none of these, or a category or label is not a string, number
        or boolean.
    ValueError
        If there are more terms; if two features have the same name, or must not occur
        together in a term; or if there are transformers that cannot be inverted, and
        `transformed` is False. With `shapley_values`, also if the model uses more than
        16 features, or those of its background have no exact values.

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
    >>> exec(to_python(clf, shapley_values=True), module)
    >>> row = X.iloc[0].to_dict()
    >>> module["predict"](row)
    '1'
    >>> print(clf.predict(X[:1]))
    ['1']
    >>> effects = module["shapley_values"](row)[module["CLASSES"].index("1")]
    >>> for feature, effect in zip(module["FEATURES"], effects):
    ...     print(feature, format(effect, "+.2f"))
    a1 +6.06
    a2 +6.05
    a3 -0.16
    a4 -0.39
    a5 -4.95
    a6 -0.25
    """
    decoder = decoder_to_export(estimator, transformed)
    model = decoder.model
    parts = parts_of(model, max_terms)
    tables = literal_tables(decoder, parts, typed=False)
    pairs = [pair for table in tables for pair in table.pairs]
    numbers = {pair: i for i, pair in enumerate(pairs)}
    classes = [plain(label, "There is a class") for label in decoder.classes]
    notice = transformation_notice(decoder.transformed_by)
    source = _MODULE.format(
        version=__version__,
        notice=f": {_in_docstring(notice)}" if notice else "",
        classes=repr(classes),
        columns=_lines(_column(table, numbers) for table in tables),
        models=_models(parts, numbers),
        log_thresholds=repr(model.log_thresholds.tolist()),
        scale=repr(float(model.scale)),
    )
    if not shapley_values:
        return source
    game = ShapleyGame.of(decoder, tables, parts)
    return source + _SHAPLEY.format(
        features=list(game.features),
        players=game.players,
        base_values=game.base_values.tolist(),
        mean_values=_lines(game.mean_values.tolist()),
    )


def _column(table, numbers):
    """Return the entry of a column in the module."""
    cells = table.cells
    points = list(cells.points)
    if not cells.of_numbers:
        points = {value: i for i, value in enumerate(points)}
    own = np.array([numbers[pair] for pair in table.pairs], dtype=np.int64)
    held = [tuple(own[holds].tolist()) for holds in table.holds.T]
    counts = map(tuple, np.vstack(table.counts).T.tolist())
    return cells.feature, points, list(zip(counts, held))


def _models(parts, numbers):
    """Return the entries of all parts in the module, whose groups differ."""
    entries, n_groups = [], 0
    for part in parts:
        weights = part.weights
        terms = [tuple(numbers[pair] for pair in term) for term in weights.terms]
        allowed = weights.allowed[weights.groups]
        of_classes = np.where(allowed, weights.log_weights, None).T.tolist()
        entries.append(
            _MODEL.format(
                factor=part.factor,
                groups=(n_groups + weights.groups).tolist(),
                log_priors=weights.log_priors.tolist(),
                terms=_lines(zip(terms, map(tuple, of_classes)), indent=12),
            )
        )
        n_groups += len(weights.allowed)
    return "\n".join(entries)


def _lines(items, indent=4):
    """Return items as the lines of a list."""
    return "\n".join(f"{' ' * indent}{item!r}," for item in items)


def _in_docstring(text):
    """Return text for a docstring, which it neither ends nor changes by escapes."""
    return text.replace("\\", "\\\\").replace('"', '\\"')

"""Merging: combine classifiers that were trained on parts of the data."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from math import lcm

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._columns import column_label, is_missing
from sklearn_dnfwinnow._encoding._encoding import recoded, union
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._estimators import StrOptions, validate_params
from sklearn_dnfwinnow._winnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._winnow._model import StoredExamples, totals
from sklearn_dnfwinnow._winnow._settings import UNCHANGED
from sklearn_dnfwinnow._winnow._stores import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._sums import Cache

# The meaning of net counts and codes depends on these attributes and parameters.
_EQUAL = *(f"{name}_" for name in UNCHANGED), "missing_", "multi_class"
_ADVICE = (
    "Fit all parts to the same columns and classes, with the same parameters, "
    "FrozenEstimator(fitted) as the discretizer, and screening=None."
)


@validate_params({"models": ["array-like"], "how": [StrOptions({"mean", "sum"})]})
def merge(models, *, how="mean"):
    """Merge classifiers that were trained on parts of the data into one.

    The weight of a term is its initial weight times `alpha_` to the power of its net
    promotion count. Net promotion counts of the parts add up, so that the merged weight
    of each term is exactly determined by the stored examples of all parts. Values get
    common codes. A value that occurs in some parts only contributes to the weights of
    these parts.

    Parameters
    ----------
    models : sequence of DNFWinnowClassifier
        Fitted classifiers with the same classes and features, `alpha_`,
        `literal_weight_`, `literals_`, `missing_`, `max_term_size_`, `screening_`,
        `multi_class`, rule of updates, `monotonic_cst` and cut points. With
        multi_class='ovr', they must have the same `threshold`, and after updates by
        residuals the same `scale_`. `fitted_params` of a fit to a sample returns
        parameters for them.

    how : {'mean', 'sum'}, default='mean'
        Method that combines the net promotion counts. All classifiers have the same
        influence.

        - 'mean': the sum is divided by the number of classifiers, so that the scores
          have the range of the scores of the parts.
        - 'sum': the sum is not divided. The weight of a term, relative to its initial
          weight, is the product of its relative weights in the parts.

    Returns
    -------
    merged : DNFWinnowClassifier
        Fitted classifier with the parameters of the first one. Its stored examples and
        net promotion counts do not depend on the order of `models`.

    Raises
    ------
    TypeError
        If an entry of `models` is not a DNFWinnowClassifier.
    NotFittedError
        If a classifier is not fitted.
    ValueError
        If `models` is empty or contains an average, or if two classifiers differ in a
        property that must be equal. The message names the property.

    Notes
    -----
    `scale_` is the mean of the parts, divided by the number of classifiers if `how` is
    'sum'. The constants ``intercept_ / scale_`` of the scores are averaged or added
    like the scores. `n_iter_` is the maximum of the parts, because their epochs are
    treated as simultaneous. `n_updates_`, `chains_` and `sums_` are totals, and
    `validation_` is None. The background of Shapley values represents the training
    rows of all parts. All other fitted attributes, such as `margin_`, `discretizer_`
    and seed, are those of the first classifier.

    References
    ----------
    .. [1] R. McDonald, K. Hall and G. Mann, "Distributed Training Strategies for the
       Structured Perceptron", NAACL HLT 2010, 456-464.

    Examples
    --------
    >>> from sklearn.base import clone
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier, merge
    >>> from sklearn_dnfwinnow.datasets import load_tic_tac_toe
    >>> X, y = load_tic_tac_toe(return_X_y=True)
    >>> clf = DNFWinnowClassifier(
    ...     alpha=1.1, literal_weight=0.3, literals="equal", cv=None, random_state=0
    ... )
    >>> parts = [clone(clf).fit(X[i::8], y[i::8]) for i in range(8)]
    >>> [round(part.score(X, y), 2) for part in parts]
    [0.91, 0.93, 0.9, 0.87, 0.89, 0.85, 0.9, 0.91]
    >>> round(merge(parts).score(X, y), 2)
    0.96
    """
    models = list(models)
    if not models:
        raise ValueError("models is empty; expected at least one classifier.")
    for model in models:
        if not isinstance(model, DNFWinnowClassifier):
            raise TypeError(
                f"models must be DNFWinnowClassifiers; got {type(model).__name__}. For "
                "pipelines with the same fitted steps, pass their final classifiers."
            )
        check_is_fitted(model)
        if len(model.estimators_) > 1:
            raise ValueError(
                f"models must not be averages; got one of {len(model.estimators_)} "
                "models. Set n_estimators=1 in all parts before `fit`."
            )
    _check_alike(models)
    first = models[0]
    merged = clone(first)
    for name in ("classes_", "n_features_in_", "feature_names_in_"):
        if hasattr(first, name):
            setattr(merged, name, getattr(first, name))
    merged._model = _merged([model._table_model() for model in models], how)
    return merged


def _check_alike(models):
    """Raise an error if classifiers differ in a property that must be equal."""
    first = _properties(models[0])
    for position, model in enumerate(models[1:], start=1):
        other = _properties(model)
        for name, value in first.items():
            if value != other.get(name):
                raise ValueError(
                    f"models with different {name} cannot be merged: it is "
                    f"{value!r:.500} in model 0, and {other.get(name)!r:.500} in model "
                    f"{position}. {_ADVICE}"
                )


def _properties(model):
    """Return the properties of a classifier that must be equal: dict by name."""
    names = list(map(str, getattr(model, "feature_names_in_", ())))
    found = {
        "classes_": model.classes_.tolist(),
        "features": names or model.n_features_in_,
        "rules of updates": "scale" if model.margin_ is None else "margin",
        **{name: getattr(model, name) for name in _EQUAL},
        "monotonic_cst": model._model.directions.signs,
    }
    if model.multi_class == "ovr":
        found["threshold"] = model.threshold  # scores are relative to it
    if model.margin_ is None:
        found["scale_"] = model.scale_  # a residual is a function of scale * score
    encoding, stored = model._model.encoding, model._model.stored
    for j, points in enumerate(encoding.cut_points):
        points = None if points is None else points.tolist()
        found[f"cut points of column {column_label(model, j)}"] = points
    if stored.are_terms:
        # NaN differs from itself.
        values = [
            [None if is_missing(value) else value for value in each.tolist()]
            for each in encoding.categories
        ]
        found["chosen terms"] = values, encoding.compared, stored.examples.tolist()
    return found


def _merged(models, how):
    """Return the Model that combines several."""
    first, n_summed = models[0], 1 if how == "mean" else len(models)
    parts = zip(*(model.encoding.attributes for model in models))
    attributes, of_columns = zip(*map(union, parts))
    encoding = replace(first.encoding, attributes=attributes)
    examples, rows = [], []
    for model, recoding in zip(models, zip(*of_columns)):
        rows.append(recoded(model.background.codes, recoding))
        examples.append(model.stored.examples)
        if not model.stored.are_terms:
            examples[-1] = recoded(examples[-1], recoding)
    records = [model.record for model in models]
    scale = float(np.mean([model.scale for model in models])) / n_summed
    return replace(
        first,
        encoding=encoding,
        cache=Cache(),
        stored=_total(
            [model.stored for model in models], examples, len(models) // n_summed
        ),
        record=replace(
            first.record,
            n_iter=max(record.n_iter for record in records),
            n_mistakes=_side_by_side([record.n_mistakes for record in records]),
            chains=totals([record.chains for record in records]),
            sums=totals([record.sums for record in records]),
            validation=None,
            background=Background.empty(len(attributes)).with_rows(
                np.concatenate(rows),
                np.concatenate([model.background.weights for model in models]),
            ),
        ),
        candidate=replace(first.candidate, scale=scale),
        log_threshold=first.settings.log_threshold(encoding.n_values, first.candidate),
        offsets=n_summed * np.mean([model.offsets for model in models], axis=0),
    )


def _total(all_examples, rows, n_parts):
    """Return the distinct stored examples of several models, with their summed counts.

    Stored examples whose net promotion counts cancel are left out, and the others are
    sorted. Neither depends on the order of the models.

    Parameters
    ----------
    all_examples : list of StoredExamples
    rows : list of ndarrays of int32
        Their codes, in those of the union of values.
    n_parts : int
        Number by which the sums are divided.
    """
    denominator = lcm(*(each.denominator for each in all_examples)) * n_parts
    # Python integers: the total is checked before it is computed in int64.
    times = [denominator // n_parts // each.denominator for each in all_examples]
    largest = [largest_sum(each.net_counts) * n for each, n in zip(all_examples, times)]
    check_sum(sum(largest), denominator)
    counts = [each.net_counts * n for each, n in zip(all_examples, times)]
    are_terms = all_examples[0].are_terms
    if are_terms:  # the same ones, in their order
        distinct, places = rows[0], np.tile(np.arange(len(rows[0])), len(rows))
    else:
        distinct, _, places = distinct_rows(np.concatenate(rows))
    total = np.zeros((len(counts[0]), len(distinct)), dtype=np.int64)
    np.add.at(total, (slice(None), places), np.concatenate(counts, axis=1))
    # A chosen term remains so.
    kept = total.any(axis=0) | are_terms
    total = np.ascontiguousarray(total[:, kept])
    common = int(np.gcd.reduce(total, axis=None, initial=denominator))
    return StoredExamples(
        examples=np.ascontiguousarray(distinct[kept]),
        net_counts=total // common,
        denominator=denominator // common,
        own=[np.flatnonzero(of_class) for of_class in total],
        are_terms=are_terms,
        versions=np.sum([each.versions for each in all_examples], axis=0).tolist(),
    )


def _side_by_side(n_mistakes):
    """Return the updates of simultaneous epochs, aligned at the last epoch."""
    total = np.zeros(max(counts.shape for counts in n_mistakes), dtype=np.int64)
    for counts in n_mistakes:
        total[len(total) - len(counts) :] += counts
    return total

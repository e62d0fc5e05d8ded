"""Feature effects: the partial dependence of the log-odds on one feature, centred."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from sklearn_dnfwinnow._encoding._columns import is_missing, numbers_of
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._draws import COVERAGE_CONSTRAINTS, interval_of
from sklearn_dnfwinnow._utils._estimators import (
    TableModelMixin,
    check_sample_weight,
    validate_params,
)
from sklearn_dnfwinnow.inspection._preimages import NumericPreimage, column_values
from sklearn_dnfwinnow.inspection._sections import Line, Section, Sectioned
from sklearn_dnfwinnow.inspection._shapley_values import ExplainedLogOdds, log_odds_text
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder, relation_and_label
from sklearn_dnfwinnow.inspection._terms import has_draws


def centred_dependence(
    model, explained, rows, *, attributes, settings, shares, coverage
):
    """Return the partial dependence on some attributes, minus its mean over the rows.

    Parameters
    ----------
    model : TermModel or InteractionModel
    explained : ExplainedLogOdds
    rows : Background
        Rows of codes, in which the attributes are unspecified.
    attributes : list of int
    settings : ndarray of shape (n_settings, n_attributes), int
        Distinct codes of the attributes.
    shares : ndarray of shape (n_settings,), float64
        Fraction of the rows that have each setting.
    coverage : float
        Fraction of the draws in each interval.

    Returns
    -------
    effects : ndarray of shape (n_settings, n_explained), float64
        Medians of posterior draws, if the model has draws.
    std_errors : ndarray of shape (n_settings, n_explained), float64
        0 where exact, or if the model has draws.
    intervals : ndarray of shape (n_settings, n_explained, 2), float64, or None
        Central intervals of the draws, or the least and the largest effect by the
        models of an average; None for a single model.
    base_values : ndarray of shape (n_explained,), float64
        The mean over the rows.
    """
    parts = rows.weights / rows.weights.sum()
    varied = _varied(rows.codes, attributes, settings)
    # The mean of the rows is subtracted from each partial dependence.
    centring = np.eye(len(shares)) - shares
    if has_draws(model):
        draws = _drawn_means(model, explained, varied, parts)
        centred = np.einsum("st,nte->nse", centring, draws)
        effects = np.median(centred, axis=0)
        base_values = np.median(np.einsum("t,nte->ne", shares, draws), axis=0)
        intervals = interval_of(centred, coverage)
        return effects, np.zeros_like(effects), intervals, base_values
    means, variances, of_models = _means(model, explained, varied, parts)
    std_errors, intervals = np.sqrt(centring**2 @ variances), None
    if len(model.models) > 1:
        centred = np.einsum("st,tke->ske", centring, of_models)
        intervals = np.stack([centred.min(axis=1), centred.max(axis=1)], axis=-1)
    return centring @ means, std_errors, intervals, shares @ means


def _varied(codes, attributes, settings):
    """Yield rows of codes with each of some settings of attributes."""
    for setting in settings:
        varied = codes.copy()
        varied[:, attributes] = setting
        yield varied


def _drawn_means(model, explained, varied, parts):
    """Return draws of weighted means of log-odds: (n_draws, n_settings, n_explained).

    Parameters
    ----------
    varied : iterable of n_settings ndarrays of shape (n_rows, n_columns), int32
    parts : ndarray of shape (n_rows,), float64
        Weights of the rows, which sum to 1.
    """
    means = []
    for scores in model.joint_scores(np.concatenate(list(varied))):
        log_odds = explained.of_scores(np.moveaxis(scores, -1, 0))
        of_settings = log_odds.reshape(*log_odds.shape[:2], -1, len(parts))
        means.append(np.moveaxis(of_settings @ parts, 0, -1))
    return np.concatenate(means)


def _means(model, explained, varied, parts):
    """Return weighted means of log-odds, and their squared standard errors.

    Parameters
    ----------
    varied, parts
        See `_drawn_means`.

    Returns
    -------
    means, variances : ndarrays of shape (n_settings, n_explained), float64
    of_models : ndarray of shape (n_settings, n_models, n_explained), float64
        The means of the models of an average.
    """
    means, variances, of_models = [], [], []
    for rows in varied:
        found = model.estimates_of_models(rows)
        of_models.append(
            [
                explained.of_scores(one.scale * (sums - one.log_thresholds).T) @ parts
                for one, (sums, _) in zip(model.models, found)
            ]
        )
        log_sums, errors = model.mean_estimates(found)
        scores = (log_sums - model.log_thresholds).T
        means.append(explained.of_scores(scores) @ parts)
        variance = np.zeros(len(explained.weights))
        # Errors of different rows and classes are independent.
        for k in np.flatnonzero(errors.any(axis=1)):
            gradients = explained.weights @ explained.payoff.gradients(scores[:, k])
            variance += ((parts[k] * gradients * errors[k]) ** 2).sum(axis=1)
        variances.append(variance)
    return np.array(means), np.array(variances), np.array(of_models)


MISSING = "missing"
# The fields with numbers for each value, and those with the same for missing values.
_OF_MISSING = {
    "effects": "missing_effect",
    "std_errors": "missing_error",
    "intervals": "missing_interval",
}


@dataclass(frozen=True, eq=False, repr=False)
class FeatureEffect(Sectioned):
    """The effect of one feature on the log-odds: a number for each of its values.

    Returned by :func:`feature_effect`. `print` shows the effects with the values or the
    intervals of the feature, and a notebook shows a table with bars. The axis of
    classes is omitted from effects, errors and intervals unless they are those of
    several classes.

    Parameters
    ----------
    feature : str
        Name of the feature.

    cut_points : ndarray of shape (n_values - 1,), float64, or None
        Ascending cut points, in the units of the data. The effect is the same for all
        numbers of an interval ``low < x <= high`` between two of them. None if effects
        are those of single values.

    values : ndarray of shape (n_values,), or None
        The single values, numbers or objects. None if there are cut points.

    labels : tuple of n_values str
        The values or the intervals as text.

    effects : ndarray of shape (n_values, n_classes), float64
        Effects in natural logarithms. Over the rows, their mean is 0. For a Bayesian
        classifier, they are the medians of posterior draws, and the mean over the
        rows is 0 in each draw.

    std_errors : ndarray of shape (n_values, n_classes), float64
        Standard errors of the estimation of weighted sums, 0 where exact. 0 for a
        Bayesian classifier.

    counts : ndarray of shape (n_values,), float64
        Total weight of the rows with each value.

    missing_effect : ndarray of shape (n_classes,), float64
        Effect of a missing value.

    missing_error : ndarray of shape (n_classes,), float64
        Standard error of `missing_effect`.

    n_missing : float
        Total weight of the rows with a missing value.

    base_values : ndarray of shape (n_classes,), float64
        Mean partial dependence of the rows. The effects plus this number are the
        partial dependence itself. For a Bayesian classifier, the median of the draws.

    data : ndarray of shape (n_samples,)
        The values of the feature in the rows: float64 if there are cut points.

    sample_weight : ndarray of shape (n_samples,), float64
        Weights of the rows.

    classes : ndarray of shape (n_classes,), or None
        Labels of the classes with effects; None if there is a single one.

    class_of_interest : object, default=None
        The class whose log-odds are described; None if there are several.

    against : object, default=None
        The class that the log-odds compare to, the other one of two; None if each class
        is compared to all others together.

    intervals : ndarray of shape (n_values, n_classes, 2), float64, or None
        Both ends of the central credible interval of each effect, for a Bayesian
        classifier; the least and the largest effect by the models of an average; None
        for a single model.

    missing_interval : ndarray of shape (n_classes, 2), float64, or None
        The same for `missing_effect`.

    coverage : float or None
        Fraction of the posterior draws in each interval. None if there are none.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import feature_effect
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(feature_effect(clf, X, "a5"))  # doctest: +ELLIPSIS
    Effect of a5 on the log-odds of 1 against 0: 556 rows
      effects (natural log), base value ...
         +...  1
         -...  2
         -...  3
         -...  4
    """

    feature: str
    cut_points: np.ndarray | None
    values: np.ndarray | None
    labels: tuple
    effects: np.ndarray
    std_errors: np.ndarray
    counts: np.ndarray
    missing_effect: np.ndarray
    missing_error: np.ndarray
    n_missing: float
    base_values: np.ndarray
    data: np.ndarray
    sample_weight: np.ndarray
    classes: np.ndarray | None
    class_of_interest: object = None
    against: object = None
    intervals: np.ndarray | None = None
    missing_interval: np.ndarray | None = None
    coverage: float | None = None

    @property
    def title(self):
        """Return a description of the effects as text, such as for a plot."""
        return f"Effect of {shown(self.feature)} on {log_odds_text(self)}"

    @property
    def is_numeric(self):
        """Return whether the values are numbers."""
        return self.values is None or self.values.dtype.kind == "f"

    def to_frame(self):
        """Return the effects as a data frame with one row for each value.

        Returns
        -------
        frame : DataFrame with n_values + 1 rows
            Requires pandas. The index has the values or intervals as text, and
            'missing' at the end. Columns are 'count' and 'effect', or 'count' and one
            for each class. For the log-odds of one class, the ends of the intervals, if
            there are any, are in 'effect_low' and 'effect_high'.
        """
        import pandas

        effects, _, intervals = self._with_missing()
        names = ["effect"] if self.classes is None else self.classes.tolist()
        frame = pandas.DataFrame(effects[..., 0], index=[*self.labels, MISSING])
        frame.columns = names
        if intervals is not None and self.classes is None:
            frame["effect_low"], frame["effect_high"] = intervals[:, 0].T
        frame.insert(0, "count", [*self.counts, self.n_missing])
        return frame

    def _with_missing(self):
        """Return effects, standard errors and intervals; missing values are last.

        Each is of shape (n_values + 1, n_classes, 1 or 2), also of a single class, or
        None.
        """
        n_classes = 1 if self.classes is None else len(self.classes)
        found = []
        for name, of_missing in _OF_MISSING.items():
            both = getattr(self, name)
            if both is not None:
                both = np.append(both, [getattr(self, of_missing)], axis=0)
                both = both.reshape(len(both), n_classes, -1)
            found.append(both)
        return found

    def _summary(self):
        """Return a headline, and a section of effects for each class."""
        labels = [*self.labels, MISSING]
        effects, errors, intervals = self._with_missing()
        # Of each class, if there is one, too.
        classes = [None] if self.classes is None else self.classes.tolist()
        n_shown = len(labels) if self.n_missing else len(labels) - 1
        sections = []
        for k, base_value in enumerate(np.atleast_1d(self.base_values)):
            of_class = "" if self.classes is None else f"class {shown(classes[k])}: "
            lines = [
                Line(
                    value=float(effects[i, k, 0]),
                    text=labels[i],
                    error=float(errors[i, k, 0]),
                    interval=None if intervals is None else tuple(intervals[i, k]),
                )
                for i in range(n_shown)
            ]
            heading = f"{of_class}effects (natural log), base value {base_value:+.2f}"
            sections.append(Section(heading, lines, note=self._note))
        return f"{self.title}: {len(self.data)} rows", sections

    @property
    def _note(self):
        """Return what the intervals are, '' if there are none."""
        if self.intervals is None:
            return ""
        if self.coverage is None:
            return "in brackets: range of the models that are averaged"
        return f"in brackets: intervals of {100 * self.coverage:.4g}% of the draws"


@validate_params(COVERAGE_CONSTRAINTS)
def feature_effect(
    estimator,
    X,
    feature,
    *,
    class_of_interest=None,
    sample_weight=None,
    coverage=0.9,
):
    """Return the effect of one feature on the log-odds, as a function of its value.

    The partial dependence [1]_ of the log-odds on a value of the feature is their mean
    over the rows, if the feature had this value in all of them. The effect is the
    partial dependence minus its mean over the rows. So the mean effect of the
    rows is 0, and differences between effects are differences between log-odds.

    The model distinguishes values only by its cut points and categories. So the effect
    of a number is constant in each interval, and is computed once for each, not on a
    grid. Each row counts.

    Parameters
    ----------
    estimator : DNFWinnowClassifier or BayesianInteractionClassifier, or an estimator \
            with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows, as `estimator` takes them, such as the training data: the mean is over
        these. The time is that of a prediction for all of them, times the number of
        intervals or values.

    feature : str or int
        Name or position of the feature.

    class_of_interest : object, default=None
        The class whose log-odds are described. None is the second of two classes, and
        each class if there are more. They are log(p / (1 - p)), against all other
        classes together.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the rows. None is 1 for each.

    coverage : float, default=0.9
        Fraction of the posterior draws in each interval, for a Bayesian classifier.
        Ignored for others.

    Returns
    -------
    found : FeatureEffect
        Effects in natural logarithms, in the order of the values.

    Raises
    ------
    TypeError
        If `estimator` has neither classifier.
    ValueError
        If X does not fit the estimator, the feature or the class does not exist, or the
        classifier does not get the feature.

    Warns
    -----
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        features are those of its output.

    See Also
    --------
    FeatureEffectDisplay : The effect as a curve.
    shapley_values : Effects of all features on single rows.
    sklearn.inspection.partial_dependence : The same mean for any estimator, on a grid.

    Notes
    -----
    The effect of an average is the mean of the effects of its models, times its scale.
    The intervals are the range of the models. They show how much the curve depends on
    the settings of training, not on the sample of rows.

    Log-odds are those of the classifier inside, without thresholds and calibration
    around it. Those of a DNFWinnowClassifier are `scale_` times differences of scores,
    as in `predict_proba`.

    A BayesianInteractionClassifier has one curve for each posterior draw. Effects are
    medians of these curves, and intervals contain a fraction `coverage` of them at each
    value. Terms that no training row satisfies are drawn from their prior, so the
    intervals are wide where there are few training rows. In one draw, a term has
    the same parameter in all rows. So the draws are joint, unlike those of
    `sample_proba`.

    If features are correlated, the mean is also over combinations of values that do not
    occur. The Shapley values of :func:`shapley_values` avoid this.

    References
    ----------
    .. [1] J. H. Friedman, "Greedy Function Approximation: A Gradient Boosting Machine",
       The Annals of Statistics 29(5), 1189-1232, 2001.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.inspection import feature_effect
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> found = feature_effect(clf, X, "petal width (cm)", class_of_interest=0)
    >>> len(found.effects) == len(found.cut_points) + 1
    True
    >>> bool(abs(found.counts @ found.effects) < 1e-9)
    True

    A Bayesian classifier has intervals:

    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> clf = BayesianInteractionClassifier(prior="normal", max_order=2, random_state=0)
    >>> found = feature_effect(
    ...     clf.fit(X, y == 0), X, "petal width (cm)", coverage=0.8
    ... )
    >>> found.intervals.shape == (len(found.effects), 2)
    True
    """
    decoder, codes = TermDecoder.with_codes(estimator, X, TableModelMixin)
    explained = ExplainedLogOdds(decoder, class_of_interest)
    weights = check_sample_weight(sample_weight, codes)
    decoder.warn_of_transformed_columns("The features are those of")
    position = decoder.position_of(feature, "feature")
    used = column_values(decoder.preimages)
    if position not in used:
        raise ValueError(
            f"Column {decoder.table_features[position]!r} has no effect: no rule has a "
            "condition on it, or a step before the classifier drops it."
        )
    column = decoder.columns(X)[position]
    places, values, cut_points, labels = _places_of(column, used[position].preimage)
    preimages = [decoder.preimages[j] for j in used[position].attributes]
    settings, of_values = np.unique(
        [
            [preimage.code_of(value) for preimage in preimages]
            for value in [*(values if cut_points is None else [*cut_points, inf]), None]
        ],
        axis=0,
        return_inverse=True,
    )
    of_values = of_values.ravel()
    counts = np.bincount(places, weights, minlength=len(of_values))
    attributes, without = used[position].attributes, codes.copy()
    without[:, attributes] = 0
    *found, base_values = centred_dependence(
        model=decoder.model,
        explained=explained,
        rows=Background.of_rows(without, weights),
        attributes=attributes,
        settings=settings,
        shares=np.bincount(of_values, counts) / counts.sum(),
        coverage=coverage,
    )
    classes = slice(None) if explained.several else 0
    parts = {}
    for (name, of_missing), of_settings in zip(_OF_MISSING.items(), found):
        if of_settings is not None:
            both = of_settings[of_values][:, classes]
            parts[name], parts[of_missing] = both[:-1], both[-1]
    return FeatureEffect(
        feature=decoder.table_features[position],
        cut_points=cut_points,
        values=values,
        labels=labels,
        counts=counts[:-1],
        n_missing=float(counts[-1]),
        base_values=base_values[classes],
        data=column if cut_points is None else numbers_of(column),
        sample_weight=weights,
        classes=decoder.classifier.classes_ if explained.several else None,
        class_of_interest=explained.class_of_interest,
        against=explained.against,
        coverage=float(coverage) if has_draws(decoder.model) else None,
        **parts,
    )


def _places_of(column, preimage):
    """Return the intervals or values of a column, and the place of each row.

    Returns
    -------
    places : ndarray of shape (n_samples,), int
        n_values where the value is missing.
    values : ndarray of shape (n_values,), or None
    cut_points : ndarray of shape (n_values - 1,), or None
    labels : tuple of n_values str
    """
    if isinstance(preimage, NumericPreimage):
        preimage = preimage.merged()
        n_values = len(preimage.codes)
        preimage = replace(preimage, codes=np.arange(n_values), missing=n_values)
        labels = tuple(
            " ".join(relation_and_label("in", {code}, preimage)).removeprefix("in ")
            for code in range(n_values)
        )
        return preimage.codes_of(column), None, preimage.cuts, labels
    cells = column.tolist()
    listed = dict.fromkeys(
        value for value in [*preimage.present, *cells] if not is_missing(value)
    )
    is_numeric = all(
        isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        for value in listed
    )
    try:
        values = sorted(listed)
    except TypeError:  # of several types
        values = sorted(listed, key=str)
    place = {value: i for i, value in enumerate(values)}
    places = [len(values) if is_missing(cell) else place[cell] for cell in cells]
    array = np.empty(len(values), dtype=float if is_numeric else object)
    array[:] = values
    return np.array(places), array, None, tuple(map(shown, values))

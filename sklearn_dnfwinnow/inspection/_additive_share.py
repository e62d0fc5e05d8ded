"""Additive share: how much of the log-odds sums of single-feature effects explain."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import diags_array
from scipy.sparse.linalg import lsqr
from sklearn.preprocessing import OneHotEncoder

from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._utils._compat import check_sample_weight
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._warning import warn
from sklearn_dnfwinnow.inspection._sections import Line, Section, Sectioned
from sklearn_dnfwinnow.inspection._shapley._shapley_values import log_odds_text
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

# Tolerance of the least squares, and the maximum number of steps for each effect.
_TOLERANCE, _STEPS = 1e-12, 10
# `AdditiveShare.chance` from which a warning says that there are too few samples.
_MOST_CHANCE = 0.5
# Standard deviations below this multiple of the largest log-odds are rounding errors.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class AdditiveShare(Sectioned):
    """The additive part of the log-odds, and its fraction of their variance.

    Returned by :func:`additive_share`. `print` and a notebook show the fractions. The
    last axis of arrays is omitted if there are two classes.

    Parameters
    ----------
    share : float
        Fraction of the variance that sums of effects of single features explain, from
        0 to 1. With several classes, variances are summed over all pairs of classes.

    class_shares : ndarray of shape (n_classes,), float64, or None
        The same for the log-odds of each class; None if there are two.

    additive : ndarray of shape (n_samples, n_classes), float64
        The additive part of the log-odds of each sample, in natural logarithms. It
        includes the mean log-odds.

    rest : ndarray of shape (n_samples, n_classes), float64
        The log-odds minus `additive`: what only combinations of features explain. Its
        weighted mean over the samples is 0.

    std_errors : ndarray of shape (n_samples, n_classes), float64
        Standard errors of the log-odds, 0 where exact.

    n_features : int
        Number of features that the classifier gets.

    n_effects : int
        Number of effects that are fitted: one less than the values that the model
        distinguishes, summed over the features.

    n_distinct : int
        Number of samples that the model distinguishes.

    classes : ndarray of shape (n_classes,), or None
        Labels of the classes; None if there are two.

    class_of_interest : object, default=None
        The class whose log-odds are described; None if there are several.

    against : object, default=None
        The class that the log-odds compare to; None if there are several.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import additive_share
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(additive_share(clf, X))  # doctest: +ELLIPSIS
    Additive share of the log-odds of 1 against 0: 556 rows, 6 features
      fraction of the variance
         4...%  sums of effects of single features
         5...%  combinations of features
        11 effects for 432 distinct rows: random numbers would be 2.6% additive
    """

    share: float
    class_shares: np.ndarray | None
    additive: np.ndarray
    rest: np.ndarray
    std_errors: np.ndarray
    n_features: int
    n_effects: int
    n_distinct: int
    classes: np.ndarray | None
    class_of_interest: object = None
    against: object = None

    @property
    def title(self):
        """Return a description of the log-odds as text, such as for a plot."""
        if self.classes is None:
            return f"Additive share of {log_odds_text(self)}"
        return f"Additive share of the log-odds of {len(self.classes)} classes"

    @property
    def chance(self):
        """Return the additive share that numbers without any structure would have.

        It is n_effects / (n_distinct - 1), the expected coefficient of determination of
        as many independent regressors for independent random numbers, up to 1.
        """
        return min(1.0, self.n_effects / max(1, self.n_distinct - 1))

    def to_frame(self):
        """Return both parts of the log-odds as a data frame.

        Returns
        -------
        frame : DataFrame of shape (n_samples, 2 or 2 * n_classes)
            Requires pandas. Columns are 'additive' and 'rest', or pairs of a class and
            one of these. Both add up to the log-odds.
        """
        import pandas

        columns = ["additive", "rest"]
        parts = np.stack([self.additive, self.rest], axis=-1)
        if self.classes is not None:
            columns = pandas.MultiIndex.from_product([self.classes.tolist(), columns])
        return pandas.DataFrame(parts.reshape(len(parts), -1), columns=columns)

    def _summary(self):
        """Return a headline, and sections of the shares."""
        note = (
            f"{self.n_effects} effects for {self.n_distinct} distinct rows: random "
            f"numbers would be {self.chance:.1%} additive"
        )
        if self.std_errors.any():
            note += "; errors of estimates count as combinations"
        lines = [
            Line(self.share, "sums of effects of single features"),
            Line(1.0 - self.share, "combinations of features"),
        ]
        heading = "fraction of the variance"
        sections = [Section(heading, lines, note=note, style=".1%", longest=1.0)]
        if self.classes is not None:
            lines = [
                Line(share, shown(class_))
                for class_, share in zip(self.classes.tolist(), self.class_shares)
            ]
            heading = "sums of effects, by class"
            sections.append(Section(heading, lines, style=".1%", longest=1.0))
        n_samples = len(self.additive)
        return f"{self.title}: {n_samples} rows, {self.n_features} features", sections


def additive_share(estimator, X, *, sample_weight=None):
    """Return how much of the log-odds is additive, and how much needs combinations.

    The log-odds of the samples are divided into their best additive approximation and
    the rest. The additive part is a sum of effects of single features, fitted by
    weighted least squares. An effect is one number for each value or interval that the
    model distinguishes. This is the first order of a functional analysis of variance
    over the given samples, whose features may be correlated [1]_. The additive share is
    the fraction of the variance that this part explains. It is 1 if the log-odds are a
    sum of main effects, and 0 if features matter only in combination.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples, as `estimator` takes them, such as the training data. Others without
        labels can be among them.

    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative weights of the samples. None is 1 for each.

    Returns
    -------
    found : AdditiveShare
        The additive share, and both parts of the log-odds of each sample.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X does not fit the estimator.

    Warns
    -----
    UserWarning
        If there are so few distinct samples that half of the variance of random numbers
        would be additive. If a transformer in front of the classifier cannot be
        inverted, so that the features are those of its output.

    See Also
    --------
    feature_effect : The effect of one feature, as a mean over samples.
    shapley_interactions : Shapley values split among pairs of features.
    terms : The combinations themselves.

    Notes
    -----
    Log-odds are `scale_` times differences of scores, as in `predict_proba`. They are
    those of the classifier inside, without thresholds and calibration around it. With
    two classes, they are those of the second against the first. With more, those of a
    class are the mean of its log-odds against each other class. These are additive for
    all classes if and only if those of all pairs are, unlike the log-odds against all
    others together, log(p / (1 - p)).

    A score is the logarithm of a sum of weights, and a term adds less to the logarithm
    of a larger sum. So the additive share can be below 1 even if all terms have a
    single literal.

    The H-statistic [2]_ compares a function with the sum of its partial dependences.
    These need predictions for combinations of values that may not exist, and if
    features are correlated, their sum is not the best additive approximation.

    References
    ----------
    .. [1] G. Hooker, "Generalized Functional ANOVA Diagnostics for High-Dimensional
       Functions of Dependent Variables", Journal of Computational and Graphical
       Statistics 16(3), 709-732, 2007.
    .. [2] J. H. Friedman and B. E. Popescu, "Predictive Learning via Rule Ensembles",
       The Annals of Applied Statistics 2(3), 916-954, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.inspection import additive_share
    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)] * 5)
    >>> clf = DNFWinnowClassifier(cv=None, random_state=0)
    >>> xor = clf.fit(X, X[:, 0] != X[:, 1])
    >>> additive_share(xor, X).share < 0.02
    True
    >>> one_feature = clf.fit(X, X[:, 0])
    >>> additive_share(one_feature, X).share > 0.98
    True
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    weights = check_sample_weight(sample_weight, codes)
    decoder.warn_of_transformed_columns("The features are those of")
    rows, inverse = Background.of_rows(codes, weights), distinct_rows(codes)[2]
    log_odds, errors = _log_odds(decoder.model, rows.codes)
    columns = [preimage.column for preimage in decoder.preimages]
    features, n_features = _indicators(rows.codes, columns), len(set(columns))
    parts = rows.weights / rows.weights.sum()
    means = parts @ log_odds
    additive = means + _least_squares(features, parts, log_odds - means)
    rest = log_odds - additive
    negligible = (_ROUNDING * np.abs(log_odds).max()) ** 2
    variances, unexplained = parts @ (log_odds - means) ** 2, parts @ rest**2
    several = len(decoder.classes) > 2
    last = (...,) if several else (..., 0)
    found = AdditiveShare(
        share=float(_share(variances.sum(), unexplained.sum(), negligible)),
        class_shares=_share(variances, unexplained, negligible) if several else None,
        additive=additive[inverse][last],
        rest=rest[inverse][last],
        std_errors=errors[inverse][last],
        n_features=n_features,
        n_effects=int(np.count_nonzero(parts @ features)) - n_features,
        n_distinct=int(np.count_nonzero(parts)),
        classes=decoder.classifier.classes_ if several else None,
        class_of_interest=None if several else decoder.classes[1],
        against=None if several else decoder.classes[0],
    )
    if found.chance >= _MOST_CHANCE:
        warn(
            f"X has {found.n_distinct} distinct samples for {found.n_effects} effects, "
            f"which would explain {found.chance:.0%} of the variance of random "
            "numbers. The additive share can be too large; pass more samples. They "
            "need no labels."
        )
    return found


def _log_odds(model, rows):
    """Return the mean log-odds of each class against each other, and their errors.

    Returns
    -------
    log_odds, std_errors : ndarrays of shape (n_rows, n_classes)
        Only the second class if there are two.
    """
    log_sums, errors = model.estimate_log_sums(rows)
    n_classes = log_sums.shape[1]
    contrasts = (n_classes * np.eye(n_classes) - 1.0) / (n_classes - 1)
    contrasts = model.scale * contrasts[:, n_classes == 2 :]
    scores = log_sums - model.log_thresholds
    # Errors of different classes are independent.
    return scores @ contrasts, np.sqrt(errors**2 @ contrasts**2)


def _indicators(codes, columns):
    """Return indicators of the values of features: sparse, (n_rows, n_values).

    Attributes of the same column of the data are one feature.
    """
    places = [
        distinct_rows(codes[:, np.equal(columns, column)])[2]
        for column in np.unique(columns)
    ]
    return OneHotEncoder().fit_transform(np.column_stack(places))


def _least_squares(features, parts, targets):
    """Return the best weighted approximation of targets by sums of effects.

    The iterations (LSQR, Paige & Saunders 1982) take time in proportion to the cells of
    the table, and find effects also if features determine each other.
    """
    totals = parts @ features
    # Columns of the same length: a rare value does not slow them down.
    lengths = diags_array(1.0 / np.sqrt(np.where(totals > 0.0, totals, 1.0)))
    regressors, roots = features @ lengths, np.sqrt(parts)
    weighted = diags_array(roots) @ regressors
    limits = {"atol": _TOLERANCE, "btol": _TOLERANCE, "conlim": 0.0}
    limits["iter_lim"] = _STEPS * len(totals)
    effects = [lsqr(weighted, roots * target, **limits)[0] for target in targets.T]
    return regressors @ np.column_stack(effects)


def _share(variances, unexplained, negligible):
    """Return the explained share of variances; constants are additive."""
    unexplained = np.where(variances <= negligible, 0.0, unexplained)
    return (1.0 - unexplained / np.where(variances > 0.0, variances, 1.0)).clip(
        0.0, 1.0
    )

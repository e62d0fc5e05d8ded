"""Shapley values: contributions of features that add up to the log-odds of rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import check_sample_weight, validate_params
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow.inspection._attribute_game import (
    PERMUTATIONS,
    OneAgainstRest,
    RelativeGames,
    Scores,
)
from sklearn_dnfwinnow.inspection._sections import Line, Section, Sectioned
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

# Features, and base values, that are printed.
_MOST_FEATURES = 10


@dataclass(frozen=True, eq=False, repr=False)
class ShapleyValues(Sectioned):
    """Shapley values of the log-odds of rows, relative to a background.

    Returned by :func:`shapley_values`. `print` shows the base value and the features
    with the largest importances. A notebook shows the same as a table with bars. Names
    and shapes of the arrays are those of `shap.Explanation`. The last axis is omitted
    unless the values are those of several classes.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_features, n_classes), float64
        Shapley values in natural logarithms. For each row and class they sum to the
        log-odds minus the base value.

    base_values : ndarray of shape (n_samples, n_classes), float64
        Mean log-odds of the background; the same for all rows.

    std_errors : ndarray of shape (n_samples, n_features, n_classes), float64
        Standard errors of `values`, 0 where exact.

    data : ndarray of shape (n_samples, n_features), object
        The values of the columns that the features are functions of.

    feature_names : tuple of str
        Names of the features.

    classes : ndarray of shape (n_classes,), or None
        Labels of the classes with values; None if there is a single one.

    class_of_interest : object, default=None
        The class whose log-odds are explained; None if there are several.

    against : object, default=None
        The class that the log-odds compare to, the other one of two; None if each class
        is compared to all others together.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import shapley_values
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(shapley_values(clf, X))
    Shapley values of the log-odds of 1 against 0: 556 rows, 6 features
      base value (natural log): +0.41
      mean absolute values, 6 of 6 columns shown
          6.80  a5
          3.35  a2
          3.34  a1
          0.49  a4
          0.42  a6
          0.42  a3
    """

    values: np.ndarray
    base_values: np.ndarray
    std_errors: np.ndarray
    data: np.ndarray
    feature_names: tuple
    classes: np.ndarray | None
    class_of_interest: object = None
    against: object = None

    @property
    def title(self):
        """Return a description of the values as text, such as for a plot."""
        return f"Shapley values of {log_odds_text(self)}"

    def feature_importances(self, sample_weight=None):
        """Return the importance of each feature: its mean absolute Shapley value.

        Parameters
        ----------
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the rows. None is 1 for each.

        Returns
        -------
        importances : Series of shape (n_features,), or dict without pandas
            Means over the rows, and over the classes if there are several, in
            natural logarithms: by how much a feature moves the log-odds, up or down.
            The index contains the names of the features, in the order of the columns.
        """
        means = self._importances(sample_weight)
        try:
            import pandas
        except ImportError:
            return dict(zip(self.feature_names, means.tolist()))
        return pandas.Series(means, index=[*self.feature_names], name="importance")

    def _importances(self, sample_weight=None):
        """Return the importance of each feature: (n_features,)."""
        weights = check_sample_weight(sample_weight, self.values)
        means = np.average(np.abs(self.values), axis=0, weights=weights)
        return means.reshape(len(means), -1).mean(axis=1)

    def to_frame(self):
        """Return the values as a data frame with the rows of X.

        Returns
        -------
        frame : DataFrame of shape (n_samples, n_features)
            Requires pandas. Columns are features, or pairs of a class and a feature if
            there are several classes. The sum of a row plus the base value is the
            log-odds of the row.
        """
        import pandas

        if self.classes is None:
            return pandas.DataFrame(self.values, columns=[*self.feature_names])
        columns = pandas.MultiIndex.from_product(
            [self.classes.tolist(), self.feature_names], names=["class", "feature"]
        )
        of_classes = np.moveaxis(self.values, -1, 1)
        return pandas.DataFrame(
            of_classes.reshape(len(of_classes), -1), columns=columns
        )

    def _summary(self):
        """Return a headline, and sections with base values and largest importances."""
        n_samples, n_features = self.data.shape
        values = np.atleast_1d(self.base_values[0])
        bases = ", ".join(f"{value:+.2f}" for value in values[:_MOST_FEATURES])
        more = ", ..." if len(values) > _MOST_FEATURES else ""
        importances = self._importances()
        # Features can have equal names: those that come from one column.
        largest = np.argsort(-importances, kind="stable")[:_MOST_FEATURES].tolist()
        means = Section(
            f"mean absolute values, {len(largest)} of {n_features} columns shown",
            [Line(importances[j], shown(self.feature_names[j])) for j in largest],
            style=".2f",
        )
        plural = "s" * (len(values) > 1)
        return f"{self.title}: {n_samples} rows, {n_features} features", [
            Section(f"base value{plural} (natural log): {bases}{more}", []),
            means,
        ]


@validate_params({"n_permutations": [PERMUTATIONS]})
def shapley_values(
    estimator,
    X,
    *,
    class_of_interest=None,
    background=None,
    n_permutations=100,
):
    """Return the Shapley values of the log-odds of rows, relative to a background.

    The Shapley values of a row are the amounts by which its features move its
    log-odds away from the mean log-odds of the background, the *base value*. The
    base value plus all values are the log-odds of the row. A feature that adds the
    same to the log-odds of all rows has the value 0.

    The values are defined by games. The players are the features of a row. The value of
    a set of players is the log-odds of the row if only these features are known; all
    others are unspecified and satisfy no literal. The Shapley value of a feature in
    this game is its mean contribution, over all orders in which features can become
    known [1]_. The value that is returned is the Shapley value in the game of the
    row, minus its mean in the games of the background rows.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows, as `estimator` takes them. A missing value, and one that does not occur
        in the training data, counts as unspecified.

    class_of_interest : object, default=None
        The class whose log-odds are explained. None is the second of two classes, and
        each class if there are more. They are log(p / (1 - p)), against all other
        classes together.

    background : {array-like, dataframe} of shape (n_rows, n_features), default=None
        Rows to compare to, as `estimator` takes them. None uses a selection of the
        training rows, with their weights: up to 256 different ones, which
        `fit` stores. Fewer are used if exact games are large: with two classes 128 rows
        for 17 features or literals, 64 for 18, and 32 for more; with k classes, 2/k
        times as many, but at least 32. Given rows are all used, and each takes as
        long as one of X.

    n_permutations : int, default=100
        Number of permutations of the features for estimated values; half of them are
        the reverses of the other half. Values are exact for rows with up to 16
        specified features, if these satisfy up to 20 literals, or if `max_term_size_`
        is small. Other values are estimated, with the standard errors `std_errors`.
        The estimates are unbiased if the sums are exact, and add up like exact values.
        They are a function of the model, including its seed, of the row and of the
        background.

    Returns
    -------
    found : ShapleyValues
        Values for the features of the classifier, in natural logarithms.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X or the background do not fit the estimator, or the class does not exist.

    See Also
    --------
    explain : The same values for single rows, with the terms behind a prediction.
    feature_effect : The effect of one feature as a function of its value.

    Notes
    -----
    Log-odds are `scale_` times differences of scores, as in `predict_proba`. They are
    those of the classifier inside, without thresholds and calibration around it.

    The explainers of the package shap use another game: an unknown feature has the
    value that it has in the background rows, and :math:`v(S)` is the mean prediction
    over these [2]_, [3]_. Both have the same base value, and give 0 to features that
    the model does not use, but divide the effects of interactions differently. Exact
    values of that game need up to 2^d predictions for each pair of a row and a
    background row. The game used here is solved exactly, and needs no predictions for
    combinations of values that do not occur.

    References
    ----------
    .. [1] L. S. Shapley, "A Value for n-Person Games", Contributions to the Theory of
       Games II, Princeton University Press, 307-317, 1953.
    .. [2] E. Strumbelj and I. Kononenko, "Explaining prediction models and individual
       predictions with feature contributions", Knowledge and Information Systems 41(3),
       647-665, 2014.
    .. [3] S. M. Lundberg and S.-I. Lee, "A Unified Approach to Interpreting Model
       Predictions", Advances in Neural Information Processing Systems 30, 2017.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import shapley_values
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> found = shapley_values(clf, X[:5])
    >>> found.values.shape
    (5, 6)
    >>> log_odds = clf.scale_ * clf.decision_function(X[:5])
    >>> total = found.values.sum(axis=1) + found.base_values
    >>> bool(abs(total - log_odds).max() < 1e-9)
    True
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    explained = ExplainedLogOdds(decoder, class_of_interest)
    games = RelativeGames(
        model=decoder.model,
        payoff=explained.payoff,
        background=background_of(decoder, background),
        n_permutations=n_permutations,
    )
    weights = explained.weights
    rows, _, inverse = distinct_rows(codes)
    progress = Progress(decoder.classifier)
    progress.stage("Shapley values of the background").start()
    _ = games.mean_game
    found = [games.values(row) for row in progress.over(rows, "Shapley values")]
    values = np.array([(weights @ one.values).T for one in found])
    base_values = np.array([weights @ one.base_values for one in found])
    errors = np.array(
        [np.column_stack([one.errors(of_one) for of_one in weights]) for one in found]
    )
    columns = decoder.columns(X)
    data = [columns[one.column].astype(object) for one in decoder.preimages]
    last = (...,) if explained.several else (..., 0)
    return ShapleyValues(
        values=values[inverse][last],
        base_values=base_values[inverse][last],
        std_errors=errors[inverse][last],
        data=np.column_stack(data),
        feature_names=decoder.features,
        classes=decoder.classifier.classes_ if explained.several else None,
        class_of_interest=explained.class_of_interest,
        against=explained.against,
    )


def log_odds_text(found):
    """Return a text for the log-odds that ShapleyValues or a FeatureEffect describe."""
    what = shown(found.class_of_interest)
    if found.classes is not None:
        what = f"each of {len(found.classes)} classes"
    rest = "all others" if found.against is None else shown(found.against)
    return f"the log-odds of {what} against {rest}"


class ExplainedLogOdds:
    """The log-odds that are explained.

    Parameters
    ----------
    decoder : TermDecoder
    class_of_interest : object
        As in `shapley_values`.

    Attributes
    ----------
    payoff : Scores or OneAgainstRest
    weights : ndarray of shape (n_explained, n_classes)
        Weights of the payoffs in the log-odds.
    several : bool
        Whether these are the log-odds of all classes.
    class_of_interest, against : object
        See `ShapleyValues`.

    Raises
    ------
    ValueError
        If the class does not exist.
    """

    def __init__(self, decoder, class_of_interest):
        classes, scale = decoder.classes, float(decoder.model.scale)
        if class_of_interest is None and len(classes) == 2:
            class_of_interest = classes[1]
        explained = list(decoder.class_indices(class_of_interest))
        chosen = np.eye(len(classes))[explained]
        if len(classes) == 2:
            # Explanations have the same games.
            self.payoff, self.weights = Scores(), scale * (chosen - chosen[:, ::-1])
            self.against = classes[1 - explained[0]]
        else:
            self.payoff, self.weights = OneAgainstRest(scale), chosen
            self.against = None
        self.several = class_of_interest is None
        self.class_of_interest = class_of_interest

    def of_scores(self, scores):
        """Return the log-odds of scores: (n_explained, ...), from (n_classes, ...)."""
        return np.tensordot(self.weights, self.payoff.of_scores(scores), axes=1)


def background_of(decoder, background):
    """Return the Background of given rows, None for None.

    Parameters
    ----------
    decoder : TermDecoder
    background : {array-like, dataframe} of shape (n_rows, n_features) or None

    Raises
    ------
    ValueError
        If the rows do not fit the estimator.
    """
    if background is None:
        return None
    try:
        codes = decoder.codes(background)
    except ValueError as error:
        raise ValueError(f"background does not fit the estimator: {error}") from error
    return Background.of_rows(codes, np.ones(len(codes)))

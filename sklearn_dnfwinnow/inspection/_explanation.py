"""Explanation: the prediction for a sample, and the reasons for it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import (
    BLUE,
    ORANGE,
    as_table,
    shown,
    transformation_notice,
)
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    StrOptions,
    num_samples,
    safe_indexing,
    validate_params,
)
from sklearn_dnfwinnow.inspection._attribute_game import (
    PERMUTATIONS,
    RelativeGames,
    Scores,
)
from sklearn_dnfwinnow.inspection._sections import (
    Line,
    PrintableList,
    Section,
    Sectioned,
    probability,
    text_of,
    with_error,
)
from sklearn_dnfwinnow.inspection._shapley_values import background_of
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.inspection._terms import TERM_COLUMNS, heavy_terms

OTHERS = "all other terms"
# Smaller effects are not listed, because they would be printed as 0.00.
LEAST_EFFECT = 0.005
# Maximum number of features whose effects are printed.
_MOST_FEATURES = 8


class ExplainedPrediction(Sectioned):
    """Mixin for the prediction for a sample, its probabilities and its sections.

    Classes have the fields `row`, `classes`, `probabilities`, `features`, `values`,
    `feature_effects` and `transformed_by`.
    """

    @property
    def prediction(self):
        """Return the class with the highest score; of tied classes, the first."""
        return self.classes.tolist()[self.ranking[0]]

    @property
    def ranking(self):
        """Return the indices of the classes, the highest score first."""
        return ranking_of(self._merits)

    def __repr__(self):
        return (
            f"{type(self).__name__}(row={self.row}, prediction={self.prediction!r}, "
            f"probability={self.probabilities.max():.2f})"
        )

    def __str__(self):
        # When printed, a blank line follows, which separates explanations.
        return text_of(*self._summary()) + "\n"

    def _summary(self):
        """Return the headline, and sections with the largest effects of features."""
        return self._headline(), self._sections(_MOST_FEATURES)

    def _headline(self):
        """Return the sample, the predicted and the next class, and their probabilities.

        Names the transformers if the features are not columns of the user's data.
        """
        places = self.ranking[:2]
        winner, next_ = map(shown, self.classes[places])
        p, q = map(probability, self.probabilities[places])
        of_winner, of_both = self._doubts()
        answer = f"predicted {winner} ({p}{of_winner}; next: {next_}, {q}{of_both})"
        notice = transformation_notice(self.transformed_by)
        return f"row {self.row}: {answer}" + (f"; {notice}" if notice else "")

    def _largest_effects(self, most, **uncertainties):
        """Return a Line for each feature with one of the largest effects.

        Keywords are the uncertainties of all effects, by the field of a Line.
        """
        effects = self.feature_effects
        return [
            Line(
                float(effects[j]),
                self._text_of(j),
                **{name: values[j] for name, values in uncertainties.items()},
            )
            for j in np.argsort(-np.abs(effects), kind="stable")[:most]
            if abs(effects[j]) >= LEAST_EFFECT
        ]

    def _text_of(self, j):
        """Return the literal that the sample satisfies for a feature, or why not.

        In comparison to other samples, it has an effect that a value is missing.
        """
        if self.values[j] is None:
            return f"{shown(self.features[j])}: missing or unknown"
        return self.values[j]


def explained_row(explain, estimator, X, row, **parameters):
    """Return the explanation of the sample at a position of X.

    Parameters
    ----------
    explain : callable
        `explain` or `explain_interactions`, with the other parameters of this call.

    Raises
    ------
    IndexError
        If X has no such row.
    """
    row = range(num_samples(X))[row]
    (found,) = explain(estimator, safe_indexing(X, [row]), **parameters)
    return replace(found, row=row)


def ranking_of(numbers):
    """Return indices in descending order; of tied numbers, the first comes first."""
    return np.argsort(-numbers, kind="stable")


# Description of the numbers in the section of a class.
_SHARES = "relative contributions to its weighted sum"
BASE = "average row"
# Number of codes in the rows that are summed in one call.
_MOST_CODES = 1 << 22
# Description of the effects on the log-odds, by the method of an explanation.
_EFFECTS = {
    "leave_one_out": "effects on the log-odds",
    "shapley": "Shapley values of the log-odds",
}


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(ExplainedPrediction):
    """The prediction for one sample, its feature effects, and its terms.

    Returned by :func:`explain`. `print` shows the predicted and the next class with
    their probabilities, the largest effects of features, and the terms of the classes
    with the highest scores. A notebook shows the same as a table with bars.

    Parameters
    ----------
    row : int
        Position of the sample in X.

    classes : ndarray of shape (n_classes,)
        Class labels.

    scores : ndarray of shape (n_classes,), float64
        As `log_weighted_sums` returns them, in natural logarithms.

    std_errors : ndarray of shape (n_classes,), float64
        Standard errors of `scores`, which are relative standard errors of W; 0 where
        the sum is exact.

    scale : float
        `scale_` of the classifier, which converts scores into probabilities.

    n_listed : int
        Number of classes with terms in `records`: those with the highest scores.

    records : list of dict
        The top-weighted terms of these classes that the sample satisfies, the class
        with the highest score first: 'class', 'term', its 'size' in literals, its
        'net_promotion_count', 'log_weight', and 'share', the relative contribution to
        W. The contributions of all terms of a class sum to 1; terms that are not listed
        have the rest. ``(baseline)`` is the empty term, which every sample satisfies.
        In an average, 'model' is the position in `estimators_` of the model with the
        term, and the contributions of its terms sum to its weight.

    features : tuple of str
        Names of the features.

    values : tuple of str or None
        The literal that the sample satisfies for each feature; None where unspecified.

    feature_shares : ndarray of shape (n_classes, n_features), float64
        Relative contribution to W of the terms with a literal on the feature, which W
        loses if the feature is unspecified. These do not sum to 1, because a term can
        contain several features.

    share_errors : ndarray of shape (n_classes, n_features), float64
        Standard errors of `feature_shares`, 0 where exact.

    transformed_by : tuple of str, default=()
        Names of the transformers that produce the features. Empty if the features are
        columns of X.

    method : {'leave_one_out', 'shapley'}, default='leave_one_out'
        The kind of `feature_effects`.

    shapley_values : ndarray of shape (n_classes, n_features), default=None
        Shapley values of `scores`, relative to the background: for each class they sum
        to the score minus its base value. None unless `method` is 'shapley', like
        `base_values` and `shapley_errors`.

    base_values : ndarray of shape (n_classes,), default=None
        Mean scores of the background.

    shapley_errors : ndarray of shape (n_features,), default=None
        Standard errors of the Shapley values of `log_odds`, 0 where exact.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> print(clf.explain(X[:1], top=2))
    row 0: predicted 1 (p > 0.99; next: 0, p < 0.01)
      Shapley values of the log-odds (natural log), 6 of 6 features shown
         +0.21  average row
         +5.19  a2 = 1
         +4.02  a1 = 1
         -3.38  a5 = 3
         -0.62  a3 = 1
         +0.55  a4 = 1
         -0.08  a6 = 1
        the log-odds are 5.89, the sum of these numbers
      class 1 (p > 0.99): relative contributions to its weighted sum
         85.1%  a1 = 1 & a2 = 1
          2.0%  a2 = 1 & a6 = 1
         13.0%  all other terms
      class 0 (p < 0.01): relative contributions to its weighted sum
         20.3%  (baseline)
         16.6%  a5 = 3
         63.1%  all other terms
    <BLANKLINE>
    """

    row: int
    classes: np.ndarray
    scores: np.ndarray
    std_errors: np.ndarray
    scale: float
    n_listed: int
    records: list
    features: tuple
    values: tuple
    feature_shares: np.ndarray
    share_errors: np.ndarray
    transformed_by: tuple = ()
    method: str = "leave_one_out"
    shapley_values: np.ndarray | None = None
    base_values: np.ndarray | None = None
    shapley_errors: np.ndarray | None = None

    @property
    def _merits(self):
        return self.scores

    @property
    def probabilities(self):
        """Return the probabilities of the classes, as `predict_proba` does.

        Of shape (n_classes,): the softmax of `scale` times `scores`. They are
        calibrated if `fit` selected `scale_` by internal cross-validation. Otherwise
        `scale_` is 1, and they are not calibrated.
        """
        return softmax(self.scale * self.scores)

    @property
    def log_odds(self):
        """Return the log-odds of the predicted class against the next (natural log).

        The odds are the ratio of the two probabilities, so this is `scale` times the
        difference of the two scores.
        """
        return float(self._log_odds_of(self.scores))

    @property
    def log_odds_error(self):
        """Return the standard error of `log_odds`, 0 if exact."""
        return float(self.scale * np.hypot(*self.std_errors[self.ranking[:2]]))

    @property
    def terms(self):
        """Return `records` as a data frame where pandas is installed."""
        return as_table(self.records, next(iter(self.records), TERM_COLUMNS))

    @property
    def base_value(self):
        """Return the mean of the same log-odds over the background, the average row.

        None without Shapley values.
        """
        if self.method != "shapley":
            return None
        return float(self._log_odds_of(self.base_values))

    @property
    def feature_effects(self):
        """Return the effect of each feature on `log_odds`: (n_features,).

        An effect of +0.69 doubles the odds of the predicted class against the next; a
        negative effect favours the next class. Shapley values and `base_value` add up
        to `log_odds`. A leave-one-out effect is the decrease of `log_odds` if only this
        feature were unspecified. Leave-one-out effects do not add up to `log_odds`.
        """
        if self.method == "shapley":
            return self._log_odds_of(self.shapley_values)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._log_odds_of(-np.log1p(-self.feature_shares))

    @property
    def effect_errors(self):
        """Return the standard errors of `feature_effects`, 0 where exact."""
        if self.method == "shapley":
            return self.shapley_errors
        of_two = self.ranking[:2]
        with np.errstate(divide="ignore", invalid="ignore"):
            losses = self.share_errors[of_two] / (1.0 - self.feature_shares[of_two])
        losses = np.where(self.share_errors[of_two] > 0, losses, 0.0)
        return self.scale * np.hypot(*losses)

    def _log_odds_of(self, scores):
        """Return the log-odds of the two highest classes, from scores or parts."""
        first, next_ = self.ranking[:2]
        return self.scale * (scores[first] - scores[next_])

    def of_class(self, class_):
        """Return the records of one class.

        Raises
        ------
        ValueError
            If `class_` is not one of the `n_listed` classes in `records`.
        """
        listed = self.classes[self.ranking[: self.n_listed]].tolist()
        if class_ not in listed:
            raise ValueError(
                f"class_ must be one of the classes whose terms are listed, {listed}; "
                f"got {class_!r}. Call explain with n_classes=None to list all classes."
            )
        return [record for record in self.records if record["class"] == class_]

    def _doubts(self):
        """Return what the headline has beside the probabilities, as text."""
        return "", "; estimates" if self.std_errors.any() else ""

    def _sections(self, most):
        """Return the sections of effects and of terms, as they are printed."""
        return [self._effects_that_add_up(most), *self._class_sections()]

    def _effects_section(self, most):
        """Return the features with the largest effects, of either sign."""
        lines = self._largest_effects(most, error=self.effect_errors)
        n_features = len(self.features)
        log_odds = with_error(f"{self.log_odds:.2f}", self.log_odds_error)
        note = "; leave-one-out effects do not add up to them"
        if self.base_value is not None:
            note = ", the sum of these numbers"
        return Section(
            f"{_EFFECTS[self.method]} (natural log), "
            f"{len(lines)} of {n_features} features shown",
            lines,
            note=f"the log-odds are {log_odds}{note}",
        )

    def _effects_that_add_up(self, most):
        """Return `_effects_section` with lines for base value and all other features.

        These are the first and the last line. Leave-one-out effects have neither.
        """
        section = self._effects_section(most)
        if self.base_value is None:
            return section
        lines = [Line(self.base_value, BASE), *section.lines]
        rest = self.log_odds - sum(line.value for line in lines)
        if abs(rest) >= LEAST_EFFECT:
            lines.append(Line(rest, "all other features"))
        return section._replace(lines=lines)

    def _class_sections(self):
        """Return a section for each class with listed terms, highest score first."""
        return [self._class_section(k) for k in self.ranking[: self.n_listed]]

    def _class_section(self, k):
        """Return relative contributions of listed terms of class k, and the rest."""
        class_, error = self.classes[k], self.std_errors[k]
        # The weight of a term is exact; the weighted sum can be an estimate.
        lines = [
            Line(record["share"], record["term"], record["share"] * error)
            for record in self.of_class(class_)
        ]
        listed = min(1.0, sum(line.value for line in lines))
        lines.append(Line(1.0 - listed, OTHERS, listed * error))
        p = probability(self.probabilities[k])
        estimated = f", weighted sum ± {error:.2%}" if error > 0 else ""
        return Section(
            f"class {shown(class_)} ({p}){estimated}",
            lines,
            measure=_SHARES,
            style=".1%",
            longest=1.0,
            colour=BLUE if k == self.ranking[0] else ORANGE,
        )


@validate_params(
    {
        "top": [POSITIVE],
        "n_classes": [POSITIVE, None],
        "method": [StrOptions({"auto", "leave_one_out", "shapley"})],
        "n_permutations": [PERMUTATIONS],
    }
)
def explain(
    estimator,
    X,
    top=5,
    *,
    n_classes=2,
    method="auto",
    background=None,
    n_permutations=100,
):
    """Explain the prediction for each sample.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples, as `estimator` takes them. A value that does not occur in the training
        data counts as unspecified.

    top : int, default=5
        Number of terms per class: the top-weighted ones that the sample satisfies.

    n_classes : int, default=2
        Number of classes whose terms are listed: those with the highest scores for the
        sample. None is all classes, which takes longer if there are many.

    method : {'auto', 'leave_one_out', 'shapley'}, default='auto'
        The kind of feature effects on the log-odds.

        - 'auto': 'shapley' for each sample whose values are exact, and otherwise
          'leave_one_out'. Exact values need up to 20 features, or small terms, see
          :func:`shapley_values`.
        - 'shapley': Shapley values. They say how each feature moves the log-odds away
          from those of the average background row, and add up. The first call after
          `fit` takes up to two seconds longer, for the background.
        - 'leave_one_out': the decrease of the log-odds if this feature alone were
          unspecified. These effects do not add up.

    background : {array-like, dataframe} of shape (n_rows, n_features), default=None
        Rows that Shapley values compare to, see :func:`shapley_values`. None uses a
        selection of the training samples.

    n_permutations : int, default=100
        Number of permutations for Shapley values of samples with too many features for
        exact values, see :func:`shapley_values`.

    Returns
    -------
    explanations : list of n_samples Explanation
        Each contains the position of its sample in X, which it prints. `print` shows
        all explanations, one after the other; an interpreter and a notebook show the
        first 20. Sums and probabilities are computed with the sampler 'auto',
        regardless of the sampler of the classifier: exactly if possible, otherwise as
        estimates with standard errors.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If X or the background do not fit the estimator. If `method` is 'shapley',
        `background` is None, and the model was stored by a version that did not store
        training samples.

    Warns
    -----
    ConvergenceWarning
        If the search stopped early because too many terms have almost the same weight.

    See Also
    --------
    Explanation : The prediction for one sample, and the reasons for it.
    ExplanationDisplay.from_estimator : An explanation as a figure.
    shapley_values : Shapley values of many samples, as arrays.
    explain_interactions : The same for a BayesianInteractionClassifier.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import explain
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> (explanation,) = explain(clf, X[:1])
    >>> explanation.prediction
    '1'
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    model, classes = decoder.model, decoder.classifier.classes_
    rows, _, inverse = distinct_rows(codes)
    log_sums, std_errors, shares, share_errors = _shares_of_rows(model, rows)
    solve = _solver(model, method, background_of(decoder, background), n_permutations)
    found = []
    for i, row in enumerate(rows):
        scores = log_sums[i] - model.log_thresholds
        listed = ranking_of(scores)[:n_classes]
        records = []
        for k in listed:
            found_terms = heavy_terms(model, k, top, row)
            of_row = model.term_shares(k, found_terms, row[None])[:, 0]
            records += [
                {
                    "class": decoder.classes[k],
                    **decoder.record(term),
                    "share": float(share),
                }
                for term, share in zip(found_terms, of_row)
            ]
        values = solve(row)
        found.append(
            Explanation(
                row=i,
                classes=classes,
                scores=scores,
                std_errors=std_errors[i],
                scale=float(model.scale),
                n_listed=len(listed),
                records=records,
                features=decoder.features,
                values=decoder.texts_of_row(row),
                feature_shares=shares[i],
                share_errors=share_errors[i],
                transformed_by=decoder.transformed_by,
                **_shapley_part(values, scores, model.scale),
            )
        )
    return PrintableList.of_rows(found, inverse)


def _solver(model, method, background, n_permutations):
    """Return a function from a row of codes to its GameValues, or to None."""
    if method == "leave_one_out":
        return lambda row: None
    games = RelativeGames(
        model=model,
        payoff=Scores(),
        background=background,
        n_permutations=n_permutations,
    )
    return games.values if method == "shapley" else games.exact_values


def _shapley_part(values, scores, scale):
    """Return the fields of an Explanation that describe its effects, by name."""
    if values is None:
        return {"method": "leave_one_out"}
    weights = np.zeros(len(scores))
    weights[ranking_of(scores)[:2]] = scale, -scale
    return {
        "method": "shapley",
        "shapley_values": values.values,
        "base_values": values.base_values,
        "shapley_errors": values.errors(weights),
    }


def _shares_of_rows(model, rows):
    """Return weighted sums of rows, and the relative contributions of their features.

    The terms that do not mention a feature are those that a sample satisfies where the
    feature is unspecified. The relative contribution is therefore 1 - W' / W, where W'
    is the sum of the sample without the feature.

    Parameters
    ----------
    model : TermModel
    rows : ndarray of shape (n_rows, n_features), int32
        Distinct.

    Returns
    -------
    log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
        log W, and the relative standard error of W, 0 where exact.
    shares : ndarray of shape (n_rows, n_classes, n_features)
        From 0 to 1; 0 where a feature is unspecified.
    share_errors : ndarray of shape (n_rows, n_classes, n_features)
        Their standard errors.
    """
    n_rows, n = rows.shape
    n_parts = min(n_rows, -(-n_rows * n * (n + 1) // _MOST_CODES))
    parts = [_shares(model, part) for part in np.array_split(rows, n_parts)]
    return tuple(map(np.concatenate, zip(*parts)))


def _shares(model, rows):
    """Return the same arrays for one part of the rows."""
    n_rows, n = rows.shape
    # The row without each of its features, and finally the complete row.
    variants = np.repeat(rows[:, None], n + 1, axis=1)
    variants[:, np.arange(n), np.arange(n)] = 0
    distinct, _, inverse = distinct_rows(variants.reshape(-1, n))
    log_sums, errors = (
        found[inverse].reshape(n_rows, n + 1, -1).swapaxes(1, 2)
        for found in model.estimate_log_sums(distinct)
    )
    log_ratios = log_sums[..., :n] - log_sums[..., n:]
    relative = np.where(
        rows[:, None] == 0, 0, np.hypot(errors[..., :n], errors[..., n:])
    )
    shares = np.clip(-np.expm1(log_ratios), 0.0, 1.0)
    return log_sums[..., n], errors[..., n], shares, np.exp(log_ratios) * relative

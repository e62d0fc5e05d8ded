"""Counterfactuals: the smallest changes of a sample that change its predicted class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from numbers import Real

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._encoding._columns import is_missing
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import POSITIVE, validate_params, warn
from sklearn_dnfwinnow.inspection._counterfactuals._alternatives import (
    column_values,
    rows_with,
)
from sklearn_dnfwinnow.inspection._counterfactuals._changes import (
    Change,
    Counterfactual,
    Counterfactuals,
)
from sklearn_dnfwinnow.inspection._counterfactuals._flip_search import FlipSearch
from sklearn_dnfwinnow.inspection._sections import PrintableList
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder


@validate_params(
    {
        "n": [POSITIVE],
        "weights": [Mapping, "array-like", None],
        "fixed": ["array-like"],
        "max_changes": [POSITIVE, None],
        "max_work": [POSITIVE],
    }
)
def counterfactuals(
    estimator,
    X,
    *,
    class_of_interest=None,
    n=3,
    weights=None,
    fixed=(),
    max_changes=None,
    max_work=1 << 18,
):
    """Return the smallest changes of each sample that change its predicted class.

    A change replaces the value of a feature by another value of the training data, or
    by a number in another interval. The cost of a counterfactual is the number of
    changed features, or the sum of their weights. The first counterfactual has the
    lowest cost of all. Each further one has the lowest cost among those that do not
    change all features of an earlier one. The results are therefore the cheapest
    minimal sets of features whose change can change the prediction. If several values
    are possible for a set, those that move numbers by the fewest intervals are
    preferred, and among these those with the largest score margin over the next class.

    The search is exact: it evaluates all changes in the order of their cost. If it does
    not finish within `max_work` evaluations, a greedy search follows, with as many
    evaluations at most. Its result is marked as not exact.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, or any estimator that
        :func:`explain` takes. The predicted class is that of the inner classifier;
        thresholds and calibrations around it are ignored.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples, as `estimator` takes them.

    class_of_interest : object, default=None
        The class that the changes have to give; None is any class other than the
        predicted one.

    n : int, default=3
        Maximum number of counterfactuals of each sample.

    weights : dict of str to float, or array-like of shape (n_features,), default=None
        Positive cost of changing each feature. Features that are missing in a dict have
        weight 1. None is 1 for each.

    fixed : sequence of str or int, default=()
        Features that must not change, by name or by position.

    max_changes : int, default=None
        Maximum number of features that change together; None is all.

    max_work : int, default=262144
        Maximum number of changes that each search evaluates per sample: the exact one,
        and then the greedy one. Each evaluation takes as long as a prediction: about a
        microsecond with an explicit weight table, but milliseconds if sums of long
        terms are computed one sample at a time.

    Returns
    -------
    found : list of n_samples Counterfactuals
        The counterfactuals of each sample. If there are fewer than `n`, `note` gives
        the reason. `print` shows those of all samples, one after the other.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If the class or a feature does not exist, a weight is not positive, or X does
        not fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If the exact search stopped before it found any changes for some samples.

    See Also
    --------
    explain : Feature effects and terms behind a prediction.

    Notes
    -----
    Scores are computed with the sampler 'auto', regardless of the sampler of the
    classifier, as in :func:`explain`. A missing value can be replaced by a value; no
    value becomes missing. If a transformer in front of the classifier cannot be
    inverted, the changes refer to its output, and `transformed_by` contains its name.
    Counterfactuals describe the model. They are not causal: a real change of these
    values need not change the true class.

    References
    ----------
    .. [1] S. Wachter, B. Mittelstadt and C. Russell, "Counterfactual Explanations
       without Opening the Black Box: Automated Decisions and the GDPR", Harvard Journal
       of Law & Technology 31(2), 841-887, 2018.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import counterfactuals
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> (found,) = counterfactuals(clf, X[:1])
    >>> print(found)
    row 0: predicted 1
      1. 0 (p > 0.99), cost 1
           a1 = 2 (was 1)
      2. 0 (p > 0.99), cost 1
           a2 = 2 (was 1)
      all other sets of features that give another class contain one of these
    <BLANKLINE>
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    names = decoder.table_features
    costs = _costs(weights, decoder)
    held = set(map(decoder.position_of, fixed))
    target = None
    if class_of_interest is not None:
        (target,) = decoder.class_indices(class_of_interest)
    question = _Question(
        decoder=decoder,
        table=decoder.table(X),
        columns=decoder.columns(X),
        movable=[v for v in column_values(decoder) if v.column not in held],
        costs=costs,
        target=target,
        n=n,
        max_changes=len(names) if max_changes is None else max_changes,
        max_work=max_work,
    )
    rows, _, inverse = distinct_rows(codes)
    log_sums, _ = decoder.model.estimate_log_sums(rows)
    scores = log_sums - decoder.model.log_thresholds
    winners = scores.argmax(axis=1)[inverse]
    answers = [
        question.answer(i, row, int(winner))
        for i, (row, winner) in enumerate(zip(codes, winners))
    ]
    given_up = [found.row for found, is_settled in answers if not is_settled]
    if given_up:
        warn(
            f"The exact search stopped early for {len(given_up)} of {len(codes)} "
            f"samples (the first is row {given_up[0]}) before it found any changes. "
            "Increase `max_work`, or add features to `fixed`.",
            ConvergenceWarning,
        )
    return PrintableList(found for found, _ in answers)


@dataclass(frozen=True, eq=False)
class _Question:
    """The parameters of `counterfactuals`, and what all samples have in common.

    Parameters
    ----------
    decoder : TermDecoder
    table : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        The data in the form that the decoder takes.
    columns : list of ndarrays of shape (n_samples,)
        Columns of the data.
    movable : list of ColumnValues
        Values of the features that can change.
    costs : list of n_features float
    target : int or None
    n, max_changes, max_work : int
    """

    decoder: TermDecoder
    table: object
    columns: list
    movable: list
    costs: list
    target: int | None
    n: int
    max_changes: int
    max_work: int

    def answer(self, i, row, winner):
        """Return the Counterfactuals of a row, and whether the exact search sufficed.

        Parameters
        ----------
        i : int
            Position of the row.
        row : ndarray of shape (n_attributes,), int32
            Its codes.
        winner : int
            Index of its predicted class.
        """
        cells = [_plain(column[i]) for column in self.columns]
        movable, alternatives = self._alternatives(i, row, cells)
        search = FlipSearch(
            model=self.decoder.model,
            row=row,
            attributes=[v.attributes for v in movable],
            codes=[np.array([a.codes for a in some]) for some in alternatives],
            steps=[np.array([a.steps for a in some]) for some in alternatives],
            weights=[self.costs[v.column] for v in movable],
            target=self.target,
            winner=winner,
        )
        flips, next_cost = [], None
        if winner != self.target:
            flips, next_cost = search.run(self.n, self.max_changes, self.max_work)
        is_settled = bool(flips) or next_cost is None
        if not is_settled:
            flip = search.climb(self.max_changes, self.max_work)
            flips = [] if flip is None else [flip]
        found = [
            self._counterfactual(
                search,
                flip,
                [
                    Change(
                        feature=self.decoder.table_features[movable[c].column],
                        old=cells[movable[c].column],
                        new=alternatives[c][place].value,
                        text=alternatives[c][place].text,
                    )
                    for c, place in flip.choices.items()
                ],
            )
            for flip in flips
        ]
        result = Counterfactuals(
            row=i,
            prediction=self.decoder.classes[winner],
            values=self._values(i, cells),
            found=tuple(found),
            note=self._note(winner, found, next_cost),
            transformed_by=self.decoder.transformed_by,
        )
        return result, is_settled

    def _values(self, i, cells):
        """Return the values of a row by feature; what is missing as in the data."""
        given = rows_with(self.table, i, [{}])
        given = getattr(given, "iat", given)  # of pandas
        return {
            name: given[0, j] if cell is None else cell
            for j, (name, cell) in enumerate(zip(self.decoder.table_features, cells))
        }

    def _alternatives(self, i, row, cells):
        """Return the features that can change, and their Alternatives, both as lists.

        Of those with the same codes, it is the first that the estimator accepts and to
        which it gives these codes.
        """
        proposed = [
            (v, alternative)
            for v in self.movable
            for alternative in v.alternatives(
                cells[v.column], tuple(row[v.attributes].tolist())
            )
        ]
        changes = [{v.column: alternative.value} for v, alternative in proposed]
        kept = defaultdict(dict)
        for (v, found), codes in zip(proposed, self._codes_with(i, changes)):
            expected = row.copy()
            expected[v.attributes] = found.codes
            if np.array_equal(codes, expected):
                kept[v].setdefault(found.codes, found)
        return [*kept], [[*some.values()] for some in kept.values()]

    def _codes_with(self, i, changes):
        """Return the codes of row i with each of some changes, None for a refused one.

        Parameters
        ----------
        changes : list of dict of int to object

        Returns
        -------
        codes : list of ndarray of shape (n_attributes,) or None
        """
        if not changes:
            return []
        try:
            return [*self.decoder.codes_of_table(rows_with(self.table, i, changes))]
        except Exception:  # whatever a foreign step raises
            middle = len(changes) // 2
            parts = (changes[:middle], changes[middle:]) if middle else ()
            return [c for part in parts for c in self._codes_with(i, part)] or [None]

    def _counterfactual(self, search, flip, changes):
        """Return a Flip in terms of the original data."""
        model = self.decoder.model
        sums, errors = model.estimate_log_sums(search.with_choices(flip.choices)[None])
        scores = sums[0] - model.log_thresholds
        return Counterfactual(
            changes=tuple(changes),
            prediction=self.decoder.classes[scores.argmax()],
            cost=flip.cost,
            scores=scores,
            std_errors=errors[0],
            probabilities=softmax(model.scale * scores),
            exact=flip.is_exact and not errors.any(),
        )

    def _note(self, winner, found, next_cost):
        """Return the reason if the search found fewer than requested, otherwise ''."""
        classes = self.decoder.classes
        if winner == self.target:
            return f"the prediction already is {shown(classes[winner])}"
        goal = "another class" if self.target is None else shown(classes[self.target])
        if next_cost is not None:
            return (
                f"the exact search for {goal} stopped early at cost {next_cost:g}, "
                f"after max_work={self.max_work} changes"
            )
        if len(found) == self.n:
            return ""
        if found:
            return f"all other sets of features that give {goal} contain one of these"
        return f"no change of the features that can change gives {goal}"


def _plain(value):
    """Return a value as a Python object, None if it is missing."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if is_missing(value) else value


def _costs(weights, decoder):
    """Check the weights, and return the cost of changing each feature."""
    names = decoder.table_features
    costs = [1.0] * len(names)
    if isinstance(weights, Mapping):
        for feature, weight in weights.items():
            costs[decoder.position_of(feature)] = weight
    elif weights is not None:
        costs = list(weights)
        if len(costs) != len(names):
            raise ValueError(
                f"weights must have {len(names)} values; got {len(costs)}."
            )
    for name, cost in zip(names, costs):
        if not (isinstance(cost, Real) and 0 < cost < inf):
            raise ValueError(
                f"The weight of feature {name!r} must be a positive number; got "
                f"{cost!r}. Use `fixed` for features that must not change."
            )
    return [float(cost) for cost in costs]

"""Counterfactuals: the smallest changes of a sample that change its predicted class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import inf
from numbers import Real
from typing import NamedTuple
from warnings import warn

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._encoding._missing import is_missing
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import POSITIVE, validate_params
from sklearn_dnfwinnow._utils._display._html import cell, table
from sklearn_dnfwinnow._utils._display._text import shown, transformation_notice
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow.inspection._counterfactuals._alternatives import (
    column_values,
    rows_with,
)
from sklearn_dnfwinnow.inspection._counterfactuals._flip_search import FlipSearch
from sklearn_dnfwinnow.inspection._printable_list import PrintableList
from sklearn_dnfwinnow.inspection._sections import probability
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder


class Change(NamedTuple):
    """A change of the value of one feature.

    Attributes
    ----------
    feature : str
        Name of the feature.
    old, new : object
        The values, in the form that the data have; `old` is None if it is missing.
    text : str
        Relation and new value as readable text. For a number this is an interval; `new`
        is a number in the interval, near the old value.
    """

    feature: str
    old: object
    new: object
    text: str

    def __str__(self):
        old = "missing" if self.old is None else shown(self.old)
        return f"{shown(self.feature)} {self.text} (was {old})"


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """Changes of a sample that change its predicted class.

    Parameters
    ----------
    changes : tuple of Change
        In the order of the features.

    prediction : object
        The predicted class after the changes.

    cost : float
        The sum of the weights of the changed features; without weights, their number.

    scores, std_errors, probabilities : ndarrays of shape (n_classes,), float64
        After the changes, with the same meaning as in :class:`Explanation`.

    exact : bool
        Whether it is proven that no cheaper changes give the class, apart from those
        that come before this one in the list. False if the search stopped early, or if
        scores are estimates.
    """

    changes: tuple
    prediction: object
    cost: float
    scores: np.ndarray
    std_errors: np.ndarray
    probabilities: np.ndarray
    exact: bool

    @property
    def features(self):
        """Return the names of the features that change."""
        return tuple(change.feature for change in self.changes)

    def __str__(self):
        return "\n".join([_headline(self), *(f"  {change}" for change in self.changes)])


@dataclass(frozen=True, eq=False)
class Counterfactuals(Sequence):
    """The smallest changes of one sample that change its predicted class.

    Returned by :func:`counterfactuals`. This is a sequence of :class:`Counterfactual`,
    the cheapest first. `print` shows it as text, and a notebook shows a table.

    Parameters
    ----------
    row : int
        Position of the sample in X.

    prediction : object
        The predicted class of the sample.

    values : dict of str to object
        The values of the sample by feature; None for a missing value.

    found : tuple of Counterfactual
        No counterfactual changes all features of another one.

    note : str
        The reason if there are fewer counterfactuals than requested, or if the exact
        search stopped early; otherwise ''.

    transformed_by : tuple of str, default=()
        Names of the transformers that produce the features. Empty if the features are
        columns of X.
    """

    row: int
    prediction: object
    values: dict
    found: tuple
    note: str
    transformed_by: tuple = ()

    def __len__(self):
        return len(self.found)

    def __getitem__(self, place):
        return self.found[place]

    def to_frame(self):
        """Return a data frame with the original sample and all changed samples.

        Returns
        -------
        frame : DataFrame of shape (1 + n_found, n_features)
            Requires pandas. The index is 'row', 1, 2, ...
        """
        import pandas

        rows = [self.values]
        for one in self.found:
            rows.append(self.values | {c.feature: c.new for c in one.changes})
        index = ["row", *range(1, len(rows))]
        return pandas.DataFrame(rows, index=index, columns=list(self.values))

    def __repr__(self):
        return (
            f"Counterfactuals(row={self.row}, prediction={self.prediction!r}, "
            f"{len(self)} found)"
        )

    def __str__(self):
        lines = [self._title()]
        for place, one in enumerate(self.found, start=1):
            first, *changes = str(one).split("\n")
            lines += [f"  {place}. {first}", *(f"     {line}" for line in changes)]
        if self.note:
            lines.append(f"  {self.note}")
        return "\n".join(lines) + "\n"

    def _title(self):
        """Return the position of the sample and its class."""
        notice = transformation_notice(self.transformed_by)
        title = f"row {self.row}: predicted {shown(self.prediction)}"
        return f"{title}; {notice}" if notice else title

    def _repr_html_(self):
        """Return an HTML table without colours of its own."""
        rows = [cell(escape(self._title()), "th", span=2)]
        for one in self.found:
            changes = "<br>".join(escape(str(change)) for change in one.changes)
            rows.append(cell(escape(_headline(one))) + cell(changes))
        if self.note:
            rows.append(cell(f"<i>{escape(self.note)}</i>", span=2))
        return table(rows)


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
    not finish within `max_work` evaluations, a greedy search follows, and its result is
    marked as not exact.

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
        Maximum number of changes that are evaluated per sample before the exact search
        stops. Each evaluation takes as long as a prediction: about a microsecond with
        an explicit weight table, but milliseconds if sums of long terms are computed
        one sample at a time.

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
            stacklevel=stacklevel_of_caller(),
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
        """Return the Counterfactuals of a row, and whether the exact search was
        sufficient.

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
            flip = search.climb(self.max_changes)
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
            values=dict(zip(self.decoder.table_features, cells)),
            found=tuple(found),
            note=self._note(winner, found, next_cost),
            transformed_by=self.decoder.transformed_by,
        )
        return result, is_settled

    def _alternatives(self, i, row, cells):
        """Return the features that can change, and their Alternatives, both as lists.

        The value of each is the first that the estimator accepts and that has the
        expected codes; without such a value, the alternative is omitted.
        """
        proposed = [
            (v, alternative)
            for v in self.movable
            for alternative in v.alternatives(
                cells[v.column], tuple(row[v.attributes].tolist())
            )
        ]
        values = [(a.value, *a.others) for _, a in proposed]
        changes = [
            {v.column: value}
            for (v, _), some in zip(proposed, values)
            for value in some
        ]
        codes = iter(self._codes_with(i, changes))
        kept = defaultdict(list)
        for (v, alternative), some in zip(proposed, values):
            expected = row.copy()
            expected[v.attributes] = alternative.codes
            fitting = [
                value
                for value, found in zip(some, codes)
                if np.array_equal(found, expected)
            ]
            if fitting:
                kept[v].append(alternative._replace(value=fitting[0]))
        return [*kept], [*kept.values()]

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


def _headline(counterfactual):
    """Return the class, its probability and the cost, as text."""
    p = probability(counterfactual.probabilities.max())
    cheapest = "" if counterfactual.exact else "; not proven to be the cheapest"
    cost = f"cost {counterfactual.cost:g}"
    return f"{shown(counterfactual.prediction)} ({p}), {cost}{cheapest}"


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

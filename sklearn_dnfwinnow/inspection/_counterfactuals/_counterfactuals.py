"""Counterfactuals: the smallest changes of a row that give it another class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import inf
from numbers import Integral, Real
from typing import NamedTuple
from warnings import warn

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._preprocessing._missing import is_missing
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._compat import validate_params
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._html import cell, table
from sklearn_dnfwinnow._utils._text import shown, transformation_notice
from sklearn_dnfwinnow.inspection._counterfactuals._alternatives import (
    column_values,
    rows_with,
)
from sklearn_dnfwinnow.inspection._counterfactuals._flip_search import FlipSearch
from sklearn_dnfwinnow.inspection._explanation_sections import probability
from sklearn_dnfwinnow.inspection._heavy_terms import POSITIVE
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder


class Change(NamedTuple):
    """Another value of one feature.

    Attributes
    ----------
    feature : str
        Name of the column.
    old, new : object
        The values, as the table has them; `old` is None if it is missing.
    text : str
        Relation and new value, for people: of numbers the interval, of which `new` is a
        number near to the old one.
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
    """Changes of a row that give it another class.

    Parameters
    ----------
    changes : tuple of Change
        In the order of the columns.

    prediction : object
        The class after the changes.

    cost : float
        The sum of the weights of the features that change; without weights their
        number.

    scores, std_errors, probabilities : ndarrays of shape (n_classes,), float64
        After the changes, as an :class:`Explanation` has them.

    exact : bool
        Whether it is proven that no cheaper changes give the class, those apart that
        come before it in the list. Not where the search was given up, and not where
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
    """The smallest changes of one row that give it another class.

    :func:`counterfactuals` makes them. It is a sequence of :class:`Counterfactual`, the
    cheapest first; `print` shows them, and a notebook shows a table.

    Parameters
    ----------
    row : int
        Position of the row in X.

    prediction : object
        The class of the row.

    values : dict of str to object
        The row as it is, by feature; None for a missing value.

    found : tuple of Counterfactual
        None of them changes all features of another one.

    note : str
        Why there are fewer than asked for, or that the exact search was given up; ''
        if there is neither to say.

    transformed_by : tuple of str, default=()
        Names of the transformers whose output the features are. Empty if they are
        columns of the table.
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
        """Return a data frame of the row as it is, and with the changes of each.

        Returns
        -------
        frame : DataFrame of shape (1 + n_found, n_features)
            It needs pandas. The index says 'row' and 1, 2, ...
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
        """Return the row and its class, and what features are of."""
        notice = transformation_notice(self.transformed_by)
        title = f"row {self.row}: predicted {shown(self.prediction)}"
        return f"{title}; {notice}" if notice else title

    def _repr_html_(self):
        """Return them as a small table; colours are those of the page."""
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
    },
    prefer_skip_nested_validation=True,
)
def counterfactuals(
    estimator,
    X,
    *,
    class_=None,
    n=3,
    weights=None,
    fixed=(),
    max_changes=None,
    max_work=1 << 18,
):
    """Return the smallest changes of each row that give it another class.

    A change gives a feature another value that training had, or a number of another
    interval. The cost of changes is the number of features that change, or the sum of
    their weights. The first counterfactual is of the least cost there is. Each further
    one is of the least cost among those that do not change all features of an earlier
    one: so these are the cheapest sets of features that can turn the prediction, none
    of them with a feature that is not needed. Of the values with which a set does, it
    has those that move numbers by the fewest intervals; among these, those of the
    highest score against the next class.

    The search is exact: it scores all changes in the order of their cost. What it does
    not come to in `max_work` rows is searched greedily, and flagged.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, or what else
        :func:`explain` takes. The class is that of the classifier inside: thresholds
        and calibrations around it are not looked at.

    X : {array-like, dataframe} of shape (n_samples, n_features)
        Rows, as `estimator` takes them.

    class_ : object, default=None
        The class that rows are to get; None is any but the one they have.

    n : int, default=3
        How many counterfactuals of each row, at most.

    weights : dict of str to float, or array-like of shape (n_features,), default=None
        Cost of changing each feature, positive; a dict may leave out those of weight 1.
        None is 1 for each.

    fixed : sequence of str or int, default=()
        Features that must not change, by name or position.

    max_changes : int, default=None
        Most features that may change together; None is all.

    max_work : int, default=262144
        Most changes that are scored for a row, after which the exact search is given
        up. Each takes as long as a prediction: about a microsecond by a table of terms,
        but milliseconds where long terms are summed one row at a time.

    Returns
    -------
    found : list of n_samples Counterfactuals
        With fewer than `n`, each says why in its `note`.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If there is no such class or feature, a weight is not positive, or X does not
        fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If the exact search found nothing for some rows before it was given up.

    See Also
    --------
    explain : What the prediction is made of.

    Notes
    -----
    Scores are those of the sampler 'auto', whatever the classifier has, as in
    :func:`explain`. A missing value may get a value; no value becomes missing. Where a
    transformer in front of the classifier cannot be inverted, changes are about its
    output, as `transformed_by` says. They are about the model: nothing says that a
    change of the world would change its class.

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
           a2 = 3 (was 1)
      2. 0 (p > 0.99), cost 1
           a1 = 2 (was 1)
      other features can give another class only together with these
    <BLANKLINE>
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    names = decoder.table_features
    costs = _costs(weights, names)
    held = {_position(feature, names) for feature in fixed}
    question = _Question(
        decoder=decoder,
        table=decoder.table(X),
        columns=decoder.columns(X),
        movable=[v for v in column_values(decoder) if v.column not in held],
        costs=costs,
        target=None if class_ is None else decoder.class_indices(class_)[0],
        n=n,
        max_changes=len(names) if max_changes is None else max_changes,
        max_work=max_work,
    )
    rows, _, inverse = distinct_rows(codes)
    log_sums, _ = decoder.model.estimate_log_sums(rows)
    scores = log_sums - decoder.model.log_threshold
    winners = scores.argmax(axis=1)[inverse]
    answers = [
        question.answer(i, row, int(winner))
        for i, (row, winner) in enumerate(zip(codes, winners))
    ]
    given_up = [found.row for found, is_settled in answers if not is_settled]
    if given_up:
        warn(
            f"The exact search was given up for {len(given_up)} of {len(codes)} rows, "
            f"the first of which is row {given_up[0]}, before it found any changes. "
            "Raise `max_work`, or give more features in `fixed`.",
            ConvergenceWarning,
            stacklevel=stacklevel_of_caller(),
        )
    return [found for found, _ in answers]


@dataclass(frozen=True, eq=False)
class _Question:
    """What is asked of each row, with the parameters of `counterfactuals`.

    Parameters
    ----------
    decoder : TermDecoder
    table : {array-like, dataframe} of shape (n_samples, n_features)
        That of the decoder.
    columns : list of ndarrays of shape (n_samples,)
        Of the table.
    movable : list of ColumnValues
        Of the columns that may change.
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
            Its class.
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
        """Return the columns that may change, and their Alternatives, both as lists.

        A value that the transformers make other codes of than expected is left out.
        """
        proposed = [
            (v, alternative)
            for v in self.movable
            for alternative in v.alternatives(
                cells[v.column], tuple(row[v.attributes].tolist())
            )
        ]
        if not proposed:
            return [], []
        changes = [{v.column: alternative.value} for v, alternative in proposed]
        codes = self.decoder.codes_of_table(rows_with(self.table, i, changes))
        kept = defaultdict(list)
        for (v, alternative), found in zip(proposed, codes):
            expected = row.copy()
            expected[v.attributes] = alternative.codes
            if np.array_equal(found, expected):
                kept[v].append(alternative)
        return [*kept], [*kept.values()]

    def _counterfactual(self, search, flip, changes):
        """Return a Flip as people read it."""
        model = self.decoder.model
        sums, errors = model.estimate_log_sums(search.with_choices(flip.choices)[None])
        scores = sums[0] - model.log_threshold
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
        """Return why the search found fewer than asked for, '' if it did not."""
        classes = self.decoder.classes
        if winner == self.target:
            return f"it is predicted {shown(classes[winner])} as it is"
        goal = "another class" if self.target is None else shown(classes[self.target])
        if next_cost is not None:
            return (
                f"the exact search for {goal} was given up at cost {next_cost:g}, "
                f"after max_work={self.max_work} changes"
            )
        if len(found) == self.n:
            return ""
        if found:
            return f"other features can give {goal} only together with these"
        return f"no changes of the features that may change give {goal}"


def _headline(counterfactual):
    """Return the class, its probability and the cost, as text."""
    p = probability(counterfactual.probabilities.max())
    cheapest = "" if counterfactual.exact else "; perhaps not the cheapest"
    cost = f"cost {counterfactual.cost:g}"
    return f"{shown(counterfactual.prediction)} ({p}), {cost}{cheapest}"


def _plain(value):
    """Return a cell of a column as Python's own object, None if it is missing."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if is_missing(value) else value


def _position(feature, names):
    """Return the position of a feature that is given by its name or position."""
    if feature in names:
        return names.index(feature)
    if isinstance(feature, Integral) and 0 <= feature < len(names):
        return int(feature)
    raise ValueError(f"There is no feature {feature!r}; there are {list(names)}.")


def _costs(weights, names):
    """Return the cost of changing each feature, checked."""
    costs = [1.0] * len(names)
    if isinstance(weights, Mapping):
        for feature, weight in weights.items():
            costs[_position(feature, names)] = weight
    elif weights is not None:
        costs = list(weights)
        if len(costs) != len(names):
            raise ValueError(
                f"weights has {len(costs)} values, for {len(names)} features."
            )
    for name, cost in zip(names, costs):
        if not (isinstance(cost, Real) and 0 < cost < inf):
            raise ValueError(
                f"The weight of feature {name!r} must be a positive number; got "
                f"{cost!r}. For a feature that must not change there is `fixed`."
            )
    return [float(cost) for cost in costs]

"""Counterfactuals: the smallest changes of a row that change its predicted class."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import combinations, compress, product, takewhile
from math import floor, inf, isfinite, prod
from numbers import Real
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._encoding._columns import (
    array_of,
    dense,
    frame_library,
    is_missing,
)
from sklearn_dnfwinnow._encoding._cuts import shortest
from sklearn_dnfwinnow._utils import _display as display
from sklearn_dnfwinnow._utils._display import near, shown, transformation_notice
from sklearn_dnfwinnow._utils._estimators import POSITIVE, validate_params, warn
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow.inspection._preimages import NumericPreimage, column_values
from sklearn_dnfwinnow.inspection._sections import PrintableList, probability
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder, relation_and_label

# Maximum number of codes of the rows that are scored in one call.
_MAX_CODES = 1 << 20
# Maximum number of rows that are scored to widen one interval.
_MOST_ROWS = 1024
# Maximum distance of a value from the lower end of its interval, as a fraction of the
# width.
_NEAR = 0.1


class Change(NamedTuple):
    """A change of the value of one feature.

    Attributes
    ----------
    feature : str
        Name of the feature.
    old, new : object
        The values, in the form that the data have; `old` is None if it is missing.
    text : str
        Relation and new value as readable text. For a number this is the widest
        interval around `new` of which all numbers give the class, whatever numbers the
        other changes take in theirs; `new` is near the old value.
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
    """Changes of a row that change its predicted class.

    Parameters
    ----------
    changes : tuple of Change
        In the order of the features.

    prediction : object
        The predicted class after the changes.

    scores, std_errors, probabilities : ndarrays of shape (n_classes,), float64
        After the changes, with the same meaning as in :class:`Explanation`.

    exact : bool
        Whether it is proven that no cheaper changes give the class, apart from those
        that come before this one in the list. False if the search stopped early, or if
        scores are estimates.
    """

    changes: tuple
    prediction: object
    scores: np.ndarray
    std_errors: np.ndarray
    probabilities: np.ndarray
    exact: bool

    @property
    def cost(self):
        """Return the number of changed features."""
        return len(self.changes)

    @property
    def features(self):
        """Return the names of the features that change."""
        return tuple(change.feature for change in self.changes)

    def __str__(self):
        return "\n".join([_headline(self), *(f"  {change}" for change in self.changes)])


@dataclass(frozen=True, eq=False)
class Counterfactuals(Sequence):
    """The smallest changes of one row that change its predicted class.

    Returned by :func:`counterfactuals`. This is a sequence of :class:`Counterfactual`,
    the cheapest first. `print` shows it as text, and a notebook shows a table.

    Parameters
    ----------
    row : int
        Position of the row in X.

    prediction : object
        The predicted class of the row.

    values : dict of str to object
        The values of the row by feature; a missing value is None or NaN, as in X.

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
        """Return a data frame with the original row and all changed rows.

        Returns
        -------
        frame : DataFrame of shape (1 + n_found, n_features)
            Requires pandas. The index is 'row', 1, 2, ...
        """
        import pandas

        changes = [{c.feature: c.new for c in one.changes} for one in self.found]
        rows = [self.values | new for new in [{}, *changes]]
        frame = pandas.DataFrame(rows, ["row", *range(1, len(rows))], [*self.values])
        # Without any value, a column may be one of categories.
        empty = frame.columns[frame.isna().all()]
        return frame.astype(dict.fromkeys(empty, object))

    def __repr__(self):
        return (
            f"Counterfactuals(row={self.row}, prediction={self.prediction!r}, "
            f"{len(self)} found)"
        )

    def __str__(self):
        lines = [self._title()]
        for place, one in enumerate(self.found, start=1):
            lines.append(f"  {place}. " + str(one).replace("\n", "\n     "))
        if self.note:
            lines.append(f"  {self.note}")
        return "\n".join(lines) + "\n"

    def _title(self):
        """Return the position of the row and its class."""
        notice = transformation_notice(self.transformed_by)
        title = f"changes to row {self.row}, predicted {shown(self.prediction)}"
        return f"{title}; {notice}" if notice else title

    def _repr_html_(self):
        """Return an HTML table without colours of its own."""
        rows = [display.cell(escape(self._title()), "th", span=2)]
        for one in self.found:
            changes = "<br>".join(escape(str(change)) for change in one.changes)
            rows.append(display.cells([escape(_headline(one)), changes]))
        if self.note:
            rows.append(display.cell(f"<i>{escape(self.note)}</i>", span=2))
        return display.table(rows)


def _headline(counterfactual):
    """Return the class, its probability and the cost, as text."""
    p = probability(counterfactual.probabilities.max())
    cheapest = "" if counterfactual.exact else "; not proven to be the cheapest"
    prediction, cost = shown(counterfactual.prediction), counterfactual.cost
    return f"{prediction} ({p}), cost {cost}{cheapest}"


@validate_params(
    {
        "n": [POSITIVE],
        "fixed": ["array-like"],
        "permitted_range": [Mapping, None],
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
    fixed=(),
    permitted_range=None,
    max_changes=None,
    max_work=1 << 18,
):
    """Return the smallest changes of each row that change its predicted class.

    A change replaces the value of a feature by another value of the training data, or
    by a number in another interval. The cost of a counterfactual is the number of
    changed features. The first counterfactual has the lowest cost of all. Each further
    one has the lowest cost among those that do not change all features of an earlier
    one. The results are therefore the cheapest minimal sets of features whose change
    can change the prediction. If several values are possible for a set, those that move
    numbers by the fewest intervals are preferred, and among these those with the
    largest score margin over the next class.

    The search is exact: it evaluates all changes in the order of their cost. If it
    finds nothing within `max_work` evaluations, it starts again with the features whose
    single changes have the largest effect, each with its best value. Its results are
    then marked as not exact.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, or any estimator that
        :func:`explain` takes. The predicted class is that of the inner classifier;
        thresholds and calibrations around it are ignored.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows, as `estimator` takes them.

    class_of_interest : object, default=None
        The class that the changes have to give; None is any class other than the
        predicted one.

    n : int, default=3
        Maximum number of counterfactuals of each row.

    fixed : sequence of str or int, default=()
        Features that must not change, by name or by position.

    permitted_range : dict, default=None
        What features may change to, by name or by position: the smallest and the
        largest number, such as ``{"income": (50, 100)}``, or a list of categories. The
        old value may be another. None, and features that are not in it, permit all.

    max_changes : int, default=None
        Maximum number of features that change together; None is all.

    max_work : int, default=262144
        Maximum number of changes that are evaluated per row, and again if nothing is
        found. Each evaluation takes as long as a prediction: about a microsecond with
        an explicit weight table, but milliseconds if sums of long terms are computed
        one row at a time.

    Returns
    -------
    found : list of n_samples Counterfactuals
        The counterfactuals of each row. If there are fewer than `n`, `note` gives
        the reason. `print` shows those of all rows, one after the other, and its
        method `to_frame` returns them as one data frame.

    Raises
    ------
    TypeError
        If `estimator` has no DNFWinnowClassifier.
    ValueError
        If the class, a feature or a category does not exist, a range has no two ends in
        order, or X does not fit the estimator.

    Warns
    -----
    ConvergenceWarning
        If the exact search stopped before it found any changes for some rows.

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
    changes to row 0, predicted 1
      1. 0 (p > 0.99), cost 1
           a1 = 2 (was 1)
      2. 0 (p > 0.99), cost 1
           a2 = 2 (was 1)
      all other sets of columns that give another class contain one of these
    <BLANKLINE>
    """
    decoder, codes = TermDecoder.with_codes(estimator, X)
    table = dense(decoder.table(X))
    values = column_values(decoder.preimages)
    for feature, permitted in (permitted_range or {}).items():
        column = decoder.position_of(feature, "permitted_range")
        if column in values:
            name = decoder.table_features[column]
            values[column] = _within(values[column], permitted, name)
    fixed = {decoder.position_of(feature, "fixed") for feature in fixed}
    is_free = class_of_interest is None
    search = _Search(
        decoder=decoder,
        table=table if frame_library(table) else array_of(table),
        columns=decoder.columns(X),
        movable={c: v for c, v in values.items() if c not in fixed},
        target=None if is_free else decoder.class_indices(class_of_interest)[0],
        n=n,
        max_changes=max_changes or len(decoder.table_features),
        max_work=max_work,
    )
    rows = Progress(decoder.classifier).over(codes, "counterfactuals")
    answers = [search.run(i, row) for i, row in enumerate(rows)]
    stopped = [found.row for found, is_exact in answers if not is_exact]
    if stopped:
        warn(
            f"For {len(stopped)} of {len(codes)} rows (the first is row {stopped[0]}), "
            "the exact search found nothing within `max_work` combinations; only the "
            "most promising values were tried then. Raise `max_work`, or add columns "
            "to `fixed`.",
            ConvergenceWarning,
        )
    return PrintableList(found for found, _ in answers)


def _within(values, permitted, name):
    """Return the ColumnValues of a feature with the permitted values only."""
    preimage = values.preimage
    if values.is_ordered:
        try:
            low, high = map(float, permitted)
        except (TypeError, ValueError):
            low, high = inf, -inf
        if not low <= high:
            raise ValueError(
                f"permitted_range of {name!r} must be two numbers, (smallest, largest);"
                f" got {permitted!r:.200}."
            )
        if isinstance(preimage, NumericPreimage):
            preimage = preimage.within(low, high)
            return values.restricted(preimage, preimage.codes)
        permitted = [value for value in preimage.present if low <= value <= high]
    for value in [permitted] if isinstance(permitted, (str, Real)) else permitted:
        if value not in preimage.present:
            raise ValueError(
                f"permitted_range of {name!r} must be a list of its values; got "
                f"{value!r:.200}{near(str(value), preimage.present)}."
            )
    codes = {value: preimage.codes[value] for value in permitted}
    if not preimage.is_direct:  # several values can have a code
        preimage = replace(preimage, codes=codes, other=0, cuts=None)
    return values.restricted(preimage, codes.values())


def _plain(value):
    """Return a value as a Python object, None if it is missing."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if is_missing(value) else value


# -- the search ------------------------------------------------------------------------


class _Sample:
    """A row, with all Alternatives to its values.

    Parameters
    ----------
    row : ndarray of shape (n_attributes,), int32
        Its codes.
    winner : int
        Index of its predicted class.
    alternatives : list of Alternative
        Ascending by column.

    Attributes
    ----------
    differences : ndarray of shape (n_alternatives, n_attributes), int32
    steps : ndarray of shape (n_alternatives,), int
    places : dict of int to list of int
        Positions of the alternatives, by column.
    """

    def __init__(self, row, winner, alternatives):
        self.row, self.winner, self.alternatives = row, winner, alternatives
        self.differences = np.array([one.difference for one in alternatives])
        self.steps = np.array([one.steps for one in alternatives])
        self.places = defaultdict(list)
        for place, one in enumerate(alternatives):
            self.places[one.column].append(place)


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the cheapest changes, with what all rows have in common.

    Parameters
    ----------
    decoder : TermDecoder
    table : {ndarray, dataframe} of shape (n_samples, n_features)
        The data in the form that the decoder takes.
    columns : list of ndarrays of shape (n_samples,)
        Columns of the data.
    movable : dict of int to ColumnValues
        Values of the features that can change, by column.
    target : int or None
        Index of the class to reach; None is any class other than the predicted one.
    n, max_changes, max_work : int
    """

    decoder: TermDecoder
    table: object
    columns: list
    movable: dict
    target: int | None
    n: int
    max_changes: int
    max_work: int

    def run(self, i, row):
        """Return the Counterfactuals of row i with some codes, and if it is exact.

        The search is exact unless it stopped before it found any changes.
        """
        cells = [_plain(column[i]) for column in self.columns]
        winner = int(self._scores(row[None]).argmax())
        alternatives = [
            one
            for values in self.movable.values()
            for one in _alternatives(values, cells[values.column], row)
        ]
        sample = _Sample(row, winner, alternatives)
        flips, next_cost, is_exact = [], None, True
        if winner != self.target:
            flips, next_cost = self._cheapest(sample)
            is_exact = bool(flips) or next_cost is None
        if not is_exact and len(sample.alternatives) <= self.max_work:
            flips, _ = self._cheapest(self._promising(sample))
        table = getattr(self.table, "iat", self.table)  # of pandas
        names = enumerate(self.decoder.table_features)
        found = Counterfactuals(
            row=i,
            prediction=self.decoder.classes[winner],
            # What is missing is as in the data.
            values={n: table[i, j] if cells[j] is None else cells[j] for j, n in names},
            found=tuple(self._result(sample, cells, flip, is_exact) for flip in flips),
            note=self._note(winner, len(flips), next_cost),
            transformed_by=self.decoder.transformed_by,
        )
        return found, is_exact

    def _cheapest(self, sample):
        """Return the cheapest minimal changes that change the class.

        Sets of features are searched in ascending order of size, each with all its
        combinations of alternatives. A set that contains an earlier result is skipped,
        and counts as one combination.

        Returns
        -------
        flips : list of dict of int to Alternative
            At most `n`; ascending by cost.
        next_cost : int or None
            Cost of the first sets that were not searched because of `max_work`; None if
            the search is complete.
        """
        found, work = [], 0
        batch_size = max(1, _MAX_CODES // len(sample.row))
        most = min(self.max_changes, len(sample.places))
        for cost in range(1, most + 1):
            batches = defaultdict(list)
            for features in combinations(sorted(sample.places), cost):
                if any(flip.keys() <= {*features} for flip in found):
                    work += 1
                else:
                    batches[work // batch_size].append(features)
                    work += prod(len(sample.places[c]) for c in features)
                if work > self.max_work:
                    return found, cost
            ranked = [one for b in batches.values() for one in self._best(sample, b)]
            found += [flip for _, flip in sorted(ranked, key=itemgetter(0))]
            if len(found) >= self.n:
                return found[: self.n], None
        return found, None

    def _best(self, sample, sets):
        """Yield a sort key and the best changes, for sets that can change the class.

        Fewer steps are better, then a larger margin over the next class.
        """
        grids = [np.array([*product(*(sample.places[c] for c in s))]) for s in sets]
        parts = [np.sum(sample.differences[g], axis=1, dtype=np.int32) for g in grids]
        ends = np.cumsum([len(grid) for grid in grids])
        scores = np.split(self._scores(sample.row + np.concatenate(parts)), ends[:-1])
        for features, grid, those in zip(sets, grids, scores):
            classes = those.argmax(axis=1)
            is_free = self.target is None
            flips = classes != sample.winner if is_free else classes == self.target
            if flips.any():
                grid, ordered = grid[flips], np.sort(those[flips], axis=1)
                steps = sample.steps[grid].sum(axis=1)
                lead = ordered[:, -1] - ordered[:, -2]
                best = np.lexsort((-lead, steps))[0]
                chosen = [sample.alternatives[place] for place in grid[best]]
                rank = steps[best], -lead[best], features
                yield rank, {one.column: one for one in chosen}

    def _promising(self, sample):
        """Return a row with few alternatives, so that all sets can be searched.

        They are those of the features whose single changes have the largest effect
        towards another class, each with the best of its alternatives.
        """
        scores = self._scores(sample.row + sample.differences)
        k = sample.winner if self.target is None else self.target
        lead = scores[:, k] - np.delete(scores, k, axis=1).max(axis=1)
        lead = -lead if self.target is None else lead
        best = [max(those, key=lead.__getitem__) for those in sample.places.values()]
        best.sort(key=lead.__getitem__, reverse=True)
        places = sorted(best[: self.max_work.bit_length() - 1])
        kept = [sample.alternatives[place] for place in places]
        return _Sample(sample.row, sample.winner, kept)

    def _scores(self, rows):
        """Return the scores of distinct rows, with the same ties as in `predict`."""
        model = self.decoder.model
        return model.estimate_log_sums(rows)[0] - model.log_thresholds

    def _texts(self, sample, flip, class_):
        """Return the text of each change: of a number, the widest interval.

        All numbers in the intervals, in any combination, give the class.
        """
        boxes = {c: one.difference[None] for c, one in flip.items()}
        texts = []
        for c, one in flip.items():
            values, numbers = self.movable[c], {one.number}
            others = [box for column, box in boxes.items() if column != c]
            some = [sample.alternatives[place] for place in sample.places[c]]
            n_rows = len(some) * prod(map(len, others))
            if values.is_ordered and n_rows <= _MOST_ROWS:
                boxes[c] = np.array([other.difference for other in some])
                rows = sample.row + np.array([*map(sum, product(*others, boxes[c]))])
                is_right = self._scores(rows).argmax(axis=1) == class_
                is_right = is_right.reshape(-1, len(some)).all(axis=0)
                right = {other.number for other in compress(some, is_right)}
                numbers = _around(one.number, [*values.profiles], right)
                boxes[c] = boxes[c][[other.number in numbers for other in some]]
            relation, label = relation_and_label(
                "=" if len(numbers) == 1 else "in", numbers, values.preimage
            )
            texts.append(f"{relation} {label}")
        return texts

    def _result(self, sample, cells, flip, is_exact):
        """Return changes as a Counterfactual."""
        model, names = self.decoder.model, self.decoder.table_features
        changed = sample.row + sum(one.difference for one in flip.values())
        sums, errors = model.estimate_log_sums(changed[None])
        scores = sums[0] - model.log_thresholds
        class_ = scores.argmax()
        texts = self._texts(sample, flip, class_)
        return Counterfactual(
            changes=tuple(
                Change(feature=names[c], old=cells[c], new=one.value, text=text)
                for (c, one), text in zip(flip.items(), texts)
            ),
            prediction=self.decoder.classes[class_],
            scores=scores,
            std_errors=errors[0],
            probabilities=softmax(model.scale * scores),
            exact=is_exact and not errors.any(),
        )

    def _note(self, winner, n_found, next_cost):
        """Return the reason if the search found fewer than requested, otherwise ''."""
        classes = self.decoder.classes
        if winner == self.target:
            return f"the prediction already is {shown(classes[winner])}"
        goal = "another class" if self.target is None else shown(classes[self.target])
        if next_cost is not None:
            return f"there may be others, of cost {next_cost} or more"
        if n_found == self.n:
            return ""
        if n_found:
            return f"all other sets of columns that give {goal} contain one of these"
        return f"no change of the columns that can change gives {goal}"


# -- values of a feature ---------------------------------------------------------------


class Alternative(NamedTuple):
    """Another value of a feature of a row.

    Attributes
    ----------
    column : int
        Position of the feature in the data.
    difference : ndarray of shape (n_attributes,), int32
        What it adds to the codes of the row.
    value : object
        In the form that the data have.
    number : int
        Of the profile, see `ColumnValues`.
    steps : int
        Number of intervals, or of training values, between old and new value; 1 for
        categories.
    """

    column: int
    difference: np.ndarray
    value: object
    number: int
    steps: int


def _alternatives(values, cell, row):
    """Yield the Alternatives to the value of a feature, without missing values.

    Parameters
    ----------
    values : ColumnValues
    cell : object
        The value; None if it is missing.
    row : ndarray of shape (n_attributes,), int32
        Codes of the row.
    """
    profiles = [*values.profiles.values()]
    codes = tuple(row[values.attributes].tolist())
    has_steps = values.is_ordered and codes in profiles
    for place, (number, profile) in enumerate(values.profiles.items()):
        if profile == codes or number not in values.permitted:
            continue
        value = _value(values.preimage, number, cell)
        if value is None:
            continue
        difference = np.zeros_like(row)
        difference[values.attributes] = np.subtract(profile, codes)
        yield Alternative(
            column=values.column,
            difference=difference,
            value=value,
            number=number,
            steps=abs(place - profiles.index(codes)) if has_steps else 1,
        )


def _around(number, ordered, right):
    """Return the numbers in a row, among the ordered ones, that contain one."""
    place = ordered.index(number)
    before = takewhile(right.__contains__, ordered[:place][::-1])
    return {number, *before, *takewhile(right.__contains__, ordered[place:])}


def _value(preimage, code, cell):
    """Return a value with a code; of numbers, the one nearest to an old value.

    None if it is the code of values that training did not have.
    """
    found = preimage.among({code})
    if isinstance(preimage, NumericPreimage):
        return _nearest([preimage.printed_ends(one) for one in found], cell)
    if found.complement:
        return None
    value = found.listed[0]
    is_whole = type(cell) is int and isinstance(value, float) and value.is_integer()
    return int(value) if is_whole else value


def _nearest(intervals, cell):
    """Return the number in some intervals that is nearest to another number.

    Parameters
    ----------
    intervals : list of (float, float)
        The intervals ``low < x <= high``; not empty.
    cell : object
        The other number, outside of the intervals; it can be missing.
    """
    if is_missing(cell):
        return _inside(*intervals[0], whole=False)
    whole, number, found = isinstance(cell, int), float(cell), []
    for low, high in intervals:
        value = high if number > high else _inside(low, high, whole)
        # Intervals mostly do not end at integers.
        found.append(floor(value) if whole and low < floor(value) else value)
    return min(found, key=lambda value: abs(value - number))


def _inside(low, high, whole):
    """Return a short number in (low, high], near the lower end if it is finite."""
    if low == -inf:
        return high if isfinite(high) else 0.0
    if whole and floor(low) + 1 <= high:
        return floor(low) + 1
    width = high - low if isfinite(high) else abs(low) or 1.0
    return float(shortest(low, max(np.nextafter(low, inf), low + _NEAR * width)))

"""Changes of a sample that change its predicted class, as text and as tables."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._utils._display import cell, shown, table, transformation_notice
from sklearn_dnfwinnow.inspection._sections import probability


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
        The values of the sample by feature; a missing value is None or NaN, as in X.

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
        frame = pandas.DataFrame(rows, index=index, columns=list(self.values))
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


def _headline(counterfactual):
    """Return the class, its probability and the cost, as text."""
    p = probability(counterfactual.probabilities.max())
    cheapest = "" if counterfactual.exact else "; not proven to be the cheapest"
    cost = f"cost {counterfactual.cost:g}"
    return f"{shown(counterfactual.prediction)} ({p}), {cost}{cheapest}"

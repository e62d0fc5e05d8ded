"""Sources: what the attributes of a classifier are in the table that it came from."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._classifier import DNFWinnowClassifier
from sklearn_dnfwinnow._discretizer import ClassEntropyDiscretizer


@dataclass(frozen=True, eq=False)
class Source:
    """Where an attribute comes from.

    Parameters
    ----------
    column : int
        Which column of the table.
    cut_points : ndarray of shape (n_intervals - 1,) or None
        Between the intervals that the column was cut into, of which the attribute has
        the numbers. None if it has the values of the column.
    labels : ndarray of shape (n_intervals,) or None
        What these intervals are called.
    """

    column: int
    cut_points: np.ndarray | None = None
    labels: np.ndarray | None = None


def steps_of(estimator):
    """The steps before a classifier, and the classifier.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search for these
        Fitted.

    Returns
    -------
    steps : list of transformers
        Those of pipelines within pipelines, too; without those that do nothing.
    classifier : DNFWinnowClassifier

    Raises
    ------
    TypeError
        If there is no DNFWinnowClassifier.
    NotFittedError
        If it is not fitted.
    """
    steps, last = [], estimator
    while not isinstance(last, DNFWinnowClassifier):
        if isinstance(last, Pipeline):
            *before, last = (step for _, step in last.steps)
            steps += _flat(before)
        elif hasattr(last, "refit"):  # a search
            check_is_fitted(last, "best_estimator_")
            last = last.best_estimator_
        else:
            raise TypeError(
                "estimator must be a DNFWinnowClassifier, or a Pipeline that ends with "
                f"one, or a search for one of these; got {type(estimator).__name__}."
            )
    check_is_fitted(last)
    return steps, last


def through(steps, X):
    """What steps make of a table, one after the other."""
    for step in steps:
        X = step.transform(X)
    return X


def sources_of(steps, n_attributes):
    """Walk back from attributes, as long as the steps are understood.

    Parameters
    ----------
    steps : list of transformers
        As `steps_of` returns them.
    n_attributes : int
        Number of columns behind the last step.

    Returns
    -------
    n_opaque : int
        How many of the first steps are left: the table is what these make.
    sources : list of n_attributes Source
        In that table.
    """
    sources = [Source(j) for j in range(n_attributes)]
    for n_opaque in range(len(steps), 0, -1):
        known = _step_sources(steps[n_opaque - 1], 1 + max(s.column for s in sources))
        before = known and _before(sources, known)
        if not before:
            return n_opaque, sources
        sources = before
    return 0, sources


def _flat(steps):
    """Steps one after the other, without those that do nothing."""
    flat = []
    for step in steps:
        if isinstance(step, Pipeline):
            flat += _flat(step for _, step in step.steps)
        elif step is not None and step != "passthrough":
            flat.append(step)
    return flat


def _before(sources, known):
    """The same sources, a step earlier; None if a column was cut twice."""
    before = []
    for source in sources:
        earlier = known[source.column]
        if source.cut_points is None:
            before.append(earlier)
        elif earlier.cut_points is None:
            before.append(replace(source, column=earlier.column))
        else:
            return None
    return before


def _step_sources(step, n_columns):
    """Sources of the columns that a step makes; None if it is not understood.

    `n_columns` is how many these are, or more than anyone asks for.
    """
    if isinstance(step, ClassEntropyDiscretizer):
        cut = zip(step.cut_points_, step.interval_labels_)
        return [Source(j, *of_column) for j, of_column in enumerate(cut)]
    if isinstance(step, SelectorMixin):
        return [Source(j) for j in step.get_support(indices=True).tolist()]
    if isinstance(step, ColumnTransformer):
        return _column_transformer_sources(step)
    if isinstance(step, FunctionTransformer) and step.func is None:
        return [Source(j) for j in range(n_columns)]
    return None


def _column_transformer_sources(step):
    places = step.output_indices_
    sources = [None] * max(place.stop for place in places.values())
    for name, transformer, columns in step.transformers_:
        place = places[name]
        n_columns = place.stop - place.start
        if not n_columns:
            continue
        n_opaque, within = sources_of(_flat([transformer]), n_columns)
        if n_opaque:
            return None
        positions = positions_of(columns, step)
        sources[place] = [replace(s, column=positions[s.column]) for s in within]
    return sources


def positions_of(columns, step):
    """Positions of some columns of a table, however they are named."""
    names = list(getattr(step, "feature_names_in_", ()))
    every = np.arange(step.n_features_in_)
    if isinstance(columns, slice):
        if isinstance(columns.start, str) or isinstance(columns.stop, str):
            # By name, to the last inclusive.
            start = columns.start and names.index(columns.start)
            stop = columns.stop and 1 + names.index(columns.stop)
            columns = slice(start, stop)
        return every[columns].tolist()
    columns = np.atleast_1d(columns)
    if columns.dtype.kind in "ib":
        return every[columns].tolist()
    return [names.index(name) for name in columns]

"""Condition reader: validation of `monotonic_cst`, `forbidden` and `initial_terms`."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import chain
from numbers import Integral, Real

import numpy as np

from sklearn_dnfwinnow._winnow._conditions._column_conditions import (
    ColumnConditions,
    WeightedTerm,
)
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._syntax_error import DNFSyntaxError
from sklearn_dnfwinnow.rules._term import Term


def read_conditions(estimator, batch, fitted=None):
    """Return the conditions of the parameters of an estimator.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
        With `classes_`.
    batch : Batch
        Its training samples.
    fitted : ColumnConditions or None
        Conditions of the first training call. A text that was read then has the same
        meaning now, for any values of this batch.

    Returns
    -------
    conditions : ColumnConditions

    Raises
    ------
    ValueError
        With the name of the parameter, and the expected value.
    """
    reader = _Reader(estimator, batch, fitted or ColumnConditions())
    features, pairs, literals = reader.forbidden()
    return ColumnConditions(
        directions=reader.directions(),
        features=features,
        pairs=pairs,
        literals=literals,
        initial_terms=reader.initial_terms(),
        names=tuple(map(str, batch.table.names)),
    )


class _Reader:
    """Reader of the parameters of an estimator.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    batch : Batch
    fitted : ColumnConditions
    """

    def __init__(self, estimator, batch, fitted):
        self._estimator, self._batch = estimator, batch
        self._classes = estimator.classes_.tolist()
        # Columns without names have the names x0, x1, ... of listed terms.
        n_columns = len(batch.table.columns)
        self._names = list(map(str, batch.table.names)) or [
            f"x{j}" for j in range(n_columns)
        ]
        terms = [given.term.literals for given in fitted.initial_terms]
        self._like = Term(chain(fitted.literals, *terms)) if fitted else None

    def directions(self):
        """Return the directions in `monotonic_cst`."""
        given = self._estimator.monotonic_cst
        if given is None:
            return ()
        if not isinstance(given, Mapping):
            n = len(self._batch.table.columns)
            is_row = (
                not isinstance(given, set | frozenset)
                and getattr(given, "ndim", 1) == 1
            )
            if not is_row or len(given) != n:
                raise ValueError(
                    "monotonic_cst must be a dict, or contain one sign for each of the "
                    f"{n} columns of X; got {given!r}."
                )
            given = dict(enumerate(given))
        found = {}
        for column, sign in given.items():
            j = self._position(column, "monotonic_cst")
            signs = self._signs(column, sign)
            if j in found:
                raise ValueError(f"monotonic_cst contains column {column!r} twice.")
            if any(signs) and not self._has_order(j):
                raise ValueError(
                    f"monotonic_cst must select numeric columns; got column "
                    f"{self._label(j)}, whose values are not all numbers."
                )
            found[j] = signs
        return tuple((j, found[j]) for j in sorted(found) if any(found[j]))

    def _signs(self, column, given):
        """Return the sign of each class."""
        if isinstance(given, Mapping):
            signs = [0] * len(self._classes)
            for class_, sign in given.items():
                signs[self._class(class_, "monotonic_cst")] = self._sign(column, sign)
            return tuple(signs)
        sign = self._sign(column, given)
        if sign and len(self._classes) != 2:
            raise ValueError(
                f"monotonic_cst[{column!r}] must be a dict from classes to signs if "
                f"there are more than two classes, such as "
                f"{{{self._classes[-1]!r}: 1, {self._classes[0]!r}: -1}}; got "
                f"{given!r} with {len(self._classes)} classes."
            )
        return (-sign, sign) if sign else (0,) * len(self._classes)

    def _sign(self, column, given):
        is_sign = isinstance(given, Real) and not isinstance(given, bool | np.bool_)
        if not (is_sign and given in (-1, 0, 1)):
            raise ValueError(
                f"monotonic_cst[{column!r}] must be -1, 0 or 1, or a dict from classes "
                f"to these; got {given!r}."
            )
        return int(given)

    def forbidden(self):
        """Return the features, pairs and literals in `forbidden`."""
        features, pairs, literals = set(), set(), []
        for given in self._entries("forbidden"):
            if isinstance(given, Literal):
                literals.append(self._placed(given, "forbidden"))
            elif isinstance(given, tuple | list | set | frozenset):
                if len(given) != 2:
                    raise ValueError(
                        f"forbidden may contain pairs of columns; got {given!r}."
                    )
                pair = sorted(self._position(c, "forbidden") for c in given)
                if pair[0] == pair[1]:
                    raise ValueError(
                        "forbidden must contain pairs of different columns; got "
                        f"{given!r}."
                    )
                pairs.add(tuple(pair))
            elif isinstance(given, str) and given not in self._names:
                literal = self._read(Literal, given, "forbidden")
                literals.append(self._placed(literal, "forbidden"))
            else:
                features.add(self._position(given, "forbidden"))
        return (
            tuple(sorted(features)),
            tuple(sorted(pairs)),
            _in_order(set(literals)),
        )

    def initial_terms(self):
        """Return the terms in `initial_terms`."""
        found = []
        for given in self._entries("initial_terms"):
            try:
                term, class_, weight = given
            except (TypeError, ValueError):
                raise ValueError(
                    "initial_terms must contain triples of a term, a class and a "
                    f"weight; got {given!r}."
                ) from None
            if isinstance(term, str):
                term = self._read(Term, term, "initial_terms")
            if not isinstance(term, Term):
                raise ValueError(
                    f"initial_terms must contain terms or their text; got {term!r}."
                )
            is_number = isinstance(weight, Real) and not isinstance(weight, bool)
            is_number = is_number and 0 < weight <= sys.float_info.max
            if not (is_number and float(weight) > 0):
                raise ValueError(
                    "The weights in initial_terms must be positive numbers; got "
                    f"{weight!r}."
                )
            literals = [self._placed(one, "initial_terms") for one in term.literals]
            k = self._class(class_, "initial_terms")
            found.append(WeightedTerm(Term(literals), k, float(weight)))
        if len({(given.term, given.k) for given in found}) < len(found):
            raise ValueError("initial_terms contains a term of a class twice.")
        return _in_order(found)

    def _entries(self, parameter):
        given = getattr(self._estimator, parameter)
        if isinstance(given, Mapping) or getattr(given, "ndim", 1) == 0:
            raise ValueError(f"{parameter} must be a list; got {given!r}.")
        return () if given is None else list(given)

    def _class(self, class_, parameter):
        if not isinstance(class_, Hashable) or class_ not in self._classes:
            raise ValueError(
                f"{parameter} must contain classes of y, {self._classes}; got "
                f"{class_!r}."
            )
        return self._classes.index(class_)

    def _position(self, column, parameter):
        """Return the position of a column that is given by its name or its position."""
        n = len(self._batch.table.columns)
        if isinstance(column, str):
            if column not in self._names:
                raise ValueError(
                    f"{parameter} contains {column!r}, which is not a column of X."
                )
            return self._names.index(column)
        is_position = isinstance(column, Integral) and not isinstance(column, bool)
        if not (is_position and 0 <= column < n):
            raise ValueError(
                f"{parameter} must contain names of columns of X, or positions from 0 "
                f"to {n - 1}; got {column!r}."
            )
        return int(column)

    def _has_order(self, j):
        """Return whether a column is numeric, or all of its values are missing."""
        column = self._batch.table.columns[j]
        return column.is_numeric or len(column.values) == 1

    def _label(self, j):
        return repr(self._names[j])

    def _placed(self, literal, parameter):
        """Return a literal with the position of its column."""
        named = literal.feature if len(self._batch.table.names) else literal.column
        j = self._position(named, parameter)
        literal = replace(literal, column=j)
        if literal.intervals is not None and not self._has_order(j):
            raise ValueError(
                f"{parameter} compares column {named!r} with numbers, but its values "
                "are not all numbers."
            )
        return literal

    def _read(self, kind, text, parameter):
        """Return the literal or the term of a text.

        Parameters
        ----------
        kind : type
            Literal or Term.
        text, parameter : str
        """
        names, columns = self._names, self._batch.table.columns
        try:
            return kind.parse(
                text,
                features=names,
                values={n: column.values for n, column in zip(names, columns)},
                like=self._like,
            )
        except DNFSyntaxError as error:
            kind_name = "term" if kind is Term else "column or literal"
            raise ValueError(
                f"{parameter} contains {text!r}, which is not a {kind_name}. {error}"
            ) from None


def _in_order(entries):
    """Return sorted entries: the order of a set differs between processes."""
    return tuple(sorted(entries, key=repr))

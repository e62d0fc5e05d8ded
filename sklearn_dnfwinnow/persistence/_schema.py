"""Schema: kinds of values, each with its form in JSON, its bounds and its checks.

A schema names each field of an object once, with its kind. Writing and reading both
follow from it. The messages contain the place of a value in the file, such as
``estimator.fitted.stored.versions``.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Mapping
from itertools import pairwise
from math import inf, prod
from numbers import Integral, Real
from types import SimpleNamespace

import numpy as np

from sklearn_dnfwinnow._utils._compat import make_constraint
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    is_number,
    is_storable,
    plain_numbers,
    storable,
)

# Types of arrays of labels by kind. Unsigned integers are loaded as signed ones if
# these can represent them.
_LABEL_TYPES = {
    "U": str,
    "i": np.int64,
    "u": np.uint64,
    "f": np.float64,
    "b": np.bool_,
    "O": object,
}


class Kind:
    """A kind of values.

    Attributes
    ----------
    values : type or tuple of types
        Types of Python values of this kind.
    forms : type or tuple of types
        Types of their forms in JSON.
    """

    values = forms = object

    def takes(self, value):
        """Return whether a Python value has a type of this kind."""
        return isinstance(value, self.values)

    def fits(self, state):
        """Return whether JSON has a type of this kind."""
        return isinstance(state, self.forms)

    def write(self, value, where):
        """Return the form of a value in JSON.

        Raises
        ------
        TypeError
            If the value has none; the message begins with `where`.
        """
        return value

    def read(self, state, where, budget):
        """Check JSON, and return the value.

        Parameters
        ----------
        state : object
            Anything that JSON can represent.
        where : str
            Place in the file, for messages.
        budget : Budget
            Asked before anything is allocated that is not in proportion to the file.

        Raises
        ------
        ValueError
            If the state is not of this kind, or exceeds the budget.
        """
        return state


# -- single values ---------------------------------------------------------------------


class _Value(Kind):
    """A string, a boolean, or a finite number of 64 bits."""

    values = str, bool, Real, np.generic
    forms = str, bool, int, float

    def write(self, value, where):
        return storable(value, f"{where} is")

    def read(self, state, where, budget):
        expected = f"{where} to be a string, a boolean or a number of 64 bits"
        check(is_storable(state), expected, state)
        return state


class _Nothing(Kind):
    """None."""

    values = forms = type(None)

    def read(self, state, where, budget):
        check(state is None, f"no {where}", state)


class Single(Kind):
    """A value of one type with one condition.

    Parameters
    ----------
    dtype : type
        str, bool, int, or float, which integers are converted to.
    expected : str
        The condition, for messages.
    is_right : callable
        From a value of the type to whether it satisfies the condition.
    """

    def __init__(self, dtype, expected, is_right=lambda state: True):
        self._dtype, self._expected, self._is_right = dtype, expected, is_right
        self.values = {int: Integral, float: Real}.get(dtype, dtype)
        self.forms = (int, float) if dtype is float else dtype

    def write(self, value, where):
        return self._dtype(value)

    def read(self, state, where, budget):
        is_float = self._dtype is float
        right = is_number(state) if is_float else type(state) is self._dtype
        check(right and self._is_right(state), f"{where} {self._expected}", state)
        return self._dtype(state)


VALUE, NOTHING = _Value(), _Nothing()
TEXT, FLAG = Single(str, "to be a string"), Single(bool, "to be a boolean")


def integer(low, high):
    """Return the kind of integers from `low` to `high`."""
    return Single(int, f"from {low} to {high}", lambda state: low <= state <= high)


def number(low=-inf, high=inf):
    """Return the kind of finite numbers from `low` to `high`, as floats."""
    return Single(float, f"from {low} to {high}", lambda state: low <= state <= high)


def choice(*names):
    """Return the kind of strings among some."""
    return Single(str, f"among {list(names)}", lambda state: state in names)


#: The seed of a model.
SEED = integer(0, np.iinfo(np.int32).max)


def fitted(constraints, dtype, high=inf):
    """Return the kind of values of a parameter other than 'auto'.

    Parameters
    ----------
    constraints : list
        Constraints of the parameter.
    dtype : type
    high : float
        Largest number.
    """

    def is_right(state):
        if state == "auto" or (dtype is float and state > high):
            return False
        return any(make_constraint(one).is_satisfied_by(state) for one in constraints)

    return Single(dtype, "to be a value of this parameter", is_right)


class Own(Kind):
    """An object of a class with methods that write and read it."""

    forms = dict

    def __init__(self, cls, write, read):
        self.values = cls
        self._write, self._read = write, read

    def write(self, value, where):
        return self._write(value)

    def read(self, state, where, budget):
        return self._read(state)


class OneOf(Kind):
    """A value of one of several kinds: the first that has its type."""

    def __init__(self, *kinds):
        self._kinds = kinds

    def takes(self, value):
        return any(kind.takes(value) for kind in self._kinds)

    def fits(self, state):
        return any(kind.fits(state) for kind in self._kinds)

    def write(self, value, where):
        for kind in self._kinds:
            if kind.takes(value):
                return kind.write(value, where)
        name = type(value).__name__
        raise TypeError(f"{where} is {value!r:.200} of type {name}, which has no JSON.")

    def read(self, state, where, budget):
        fitting = (kind for kind in self._kinds if kind.fits(state))
        # The last one has the message for all others.
        return next(fitting, self._kinds[-1]).read(state, where, budget)


def optional(kind):
    """Return the kind of values of a kind, and of None."""
    return OneOf(NOTHING, kind)


# -- several values --------------------------------------------------------------------


class ListOf(Kind):
    """Values of one kind.

    Parameters
    ----------
    kind : Kind
    length : int or None
    make : callable
        From the list of values to the result.
    """

    forms = list

    def __init__(self, kind, length=None, make=list):
        self._kind, self._length, self._make = kind, length, make

    def takes(self, value):
        return hasattr(value, "__iter__") and not isinstance(value, str | Mapping)

    def write(self, value, where):
        return [self._kind.write(v, f"{where}[{i}]") for i, v in enumerate(value)]

    def read(self, state, where, budget):
        check(type(state) is list, f"a list of {where}", state)
        right = self._length in (None, len(state))
        check(right, f"{self._length} entries of {where}", len(state))
        read = self._kind.read
        return self._make(
            [read(entry, f"{where}[{i}]", budget) for i, entry in enumerate(state)]
        )


class Items(ListOf):
    """Values of several kinds, one of each."""

    def __init__(self, *kinds, make=tuple):
        self._kinds, self._make = kinds, make

    def write(self, value, where):
        check(len(value) == len(self._kinds), f"{len(self._kinds)} of {where}", value)
        return [kind.write(v, where) for kind, v in zip(self._kinds, value)]

    def read(self, state, where, budget):
        right = type(state) is list and len(state) == len(self._kinds)
        check(right, f"{where} to be {len(self._kinds)} values", state)
        return self._make(
            [kind.read(one, where, budget) for kind, one in zip(self._kinds, state)]
        )


class Pairs(Kind):
    """A dict with keys of any type: pairs, because JSON keys are always strings."""

    values = Mapping

    def __init__(self, key, value):
        self._items = ListOf(Items(key, value))

    def fits(self, state):
        return type(state) is dict and [*state] == ["pairs"]

    def write(self, value, where):
        return {"pairs": self._items.write(value.items(), where)}

    def read(self, state, where, budget):
        check(self.fits(state), f"pairs of {where}", state)
        return dict(self._items.read(state["pairs"], where, budget))


class Numbers(Kind):
    """An array of numbers, as a flat list.

    Parameters
    ----------
    dtype : type
        Type of the array.
    low, high : float
    shape : tuple of int
        Lengths of the axes; one may be -1, for any.
    missing : bool
        Whether NaN is allowed, which is None in JSON.
    """

    forms = list

    def __init__(self, dtype, low=-inf, high=inf, *, shape=(-1,), missing=False):
        self._dtype, self._low, self._high = dtype, low, high
        self._shape, self._missing = shape, missing

    def write(self, value, where):
        return plain_numbers(value)

    def read(self, state, where, budget):
        check(type(state) is list, f"a list of {where}", state)
        n = prod(length for length in self._shape if length >= 0)
        right = len(state) % n == 0 if -1 in self._shape else len(state) == n
        shape = ", ".join("any" if n < 0 else str(n) for n in self._shape)
        check(right, f"{where} of shape ({shape})", f"{len(state)} of them")
        of_integers = np.issubdtype(self._dtype, np.integer)
        # Types first: NumPy would convert lists and long strings to huge arrays.
        types = {int} if of_integers else {int, float}
        if self._missing:
            types.add(type(None))
        right = set(map(type, state)) <= types
        try:
            array = np.array(
                state if right else [], np.int64 if of_integers else np.float64
            )
        except OverflowError:
            right = False
        check(right, f"{where} to be numbers within 64 bits", state)
        present = array[~np.isnan(array)]
        if present.size:
            ends = [present.min(), present.max()]
            right = self._low <= ends[0] and ends[1] <= self._high
            right = right and np.isfinite(ends).all()
            check(right, f"{where} from {self._low} to {self._high}", ends)
        return np.ascontiguousarray(array.reshape(self._shape), dtype=self._dtype)


class Labels(Kind):
    """An array of sorted labels, without repeats, and at least `least` of them.

    An array of strings has as much room for each as for the longest, for which the
    budget is asked.
    """

    def __init__(self, least=1):
        self._least = least

    def write(self, value, where):
        kind = value.dtype.kind
        if kind == "u" and value.max() <= np.iinfo(np.int64).max:
            kind = "i"
        return _LABELS.write({"kind": kind, "values": value.tolist()}, where)

    def read(self, state, where, budget):
        kind, values = _LABELS.read(state, where, budget).values()
        check(kind in [*_LABEL_TYPES], f"a kind of {where}", kind)
        check(len(values) >= self._least, f"{self._least} {where} or more", values)
        n_characters = max(len(v) if type(v) is str else 20 for v in values)
        if kind == "U":
            n_bytes = 4 * len(values) * n_characters
            budget.take(f"the array of {where}", n_bytes)
        try:
            ascending = all(a < b for a, b in pairwise(values))
            array = np.array(values, dtype=_LABEL_TYPES[kind])
            # An array of strings cannot end with null characters.
            same = [(type(v), v) for v in array.tolist()]
            ascending = ascending and same == [(type(v), v) for v in values]
        except (TypeError, ValueError, OverflowError):
            ascending = False
        check(ascending, f"{where} that ascend, of kind {kind}", values)
        return array


# -- objects ---------------------------------------------------------------------------


class Record(Kind):
    """An object with named fields, as a dict. One of the fields tells it from others.

    Parameters
    ----------
    fields : dict of str to Kind or callable
        The kind of each field; or a function from the fields so far, as attributes, to
        the kind. The object itself is the argument when it is written.
    make : callable
        From the fields as keyword arguments to the object.
    parts : callable
        From the object to another with the fields as attributes or as keys.
    check : callable
        Accepts the fields, as attributes, and the budget; raises ValueError if they
        contradict each other. It can replace fields.
    """

    forms = dict

    def __init__(self, fields, make=dict, parts=None, check=None):
        self._fields, self._make = fields, make
        self._parts, self._check = parts, check
        self.values = make if isinstance(make, type) else object

    def fits(self, state):
        return type(state) is dict and not self._fields.keys().isdisjoint(state)

    def write(self, value, where):
        if self._parts is not None:
            value = self._parts(value)
        if isinstance(value, dict):
            value = SimpleNamespace(**value)
        return {
            name: _kind(kind, value).write(getattr(value, name), f"{where}.{name}")
            for name, kind in self._fields.items()
        }

    def read(self, state, where, budget):
        check_keys(state, self._fields, where)
        found = SimpleNamespace()
        for name, kind in self._fields.items():
            read = _kind(kind, found).read
            setattr(found, name, read(state[name], f"{where}.{name}", budget))
        if self._check is not None:
            self._check(found, budget)
        return self._make(**vars(found))


def _kind(kind, fields):
    """Return the kind of a field, which other fields may determine."""
    return kind if isinstance(kind, Kind) else kind(fields)


_LABELS = Record({"kind": TEXT, "values": ListOf(VALUE)})


def onto(estimator, fields, check=None):
    """Return the record of attributes of an estimator, which sets them on it."""

    def set_all(**attributes):
        for name, value in attributes.items():
            setattr(estimator, name, value)
        return estimator

    return Record(fields, set_all, check=check)


class Tagged(Kind):
    """An object of one of several classes: a record, and the name of the class.

    Parameters
    ----------
    key : str
        Key of the name.
    records : callable
        Without arguments; returns the Record of each class.
    hint : str
        What to do with objects of other classes.
    name : str
        Attribute of a class that contains its name.
    """

    forms = dict

    def __init__(self, key, records, hint, name="__name__"):
        self._key, self._records, self._hint, self._name = key, records, hint, name

    def write(self, value, where):
        record = self._records().get(type(value))
        if record is None:
            raise TypeError(self._refusal(type(value).__name__, where))
        name = getattr(type(value), self._name)
        return {self._key: name, **record.write(value, where)}

    def read(self, state, where, budget):
        right = type(state) is dict and type(state.get(self._key)) is str
        check(right, f"{where} to have a {self._key}", state)
        name = state[self._key]
        own = {key: value for key, value in state.items() if key != self._key}
        for cls, record in self._records().items():
            if getattr(cls, self._name) == name:
                return record.read(own, where, budget)
        raise ValueError(self._refusal(name, where))

    def _refusal(self, name, where):
        known = ", ".join(getattr(cls, self._name) for cls in self._records())
        return f"{where} is a {name:.50}. JSON is for {known}. {self._hint}"

"""Parameters: the schema of the parameters of each estimator."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Mapping
from numbers import Integral

from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._json_values import check, is_number
from sklearn_dnfwinnow._winnow._candidate import check_candidates
from sklearn_dnfwinnow._winnow._settings import CONSTRAINTS
from sklearn_dnfwinnow.persistence._schema import (
    NOTHING,
    TEXT,
    VALUE,
    Items,
    Kind,
    ListOf,
    OneOf,
    Own,
    Pairs,
    Record,
    Single,
    Tagged,
)
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.samplers._registry import SAMPLERS, sampler_of
from sklearn_dnfwinnow.samplers._sampler import Sampler

# Files of earlier versions do not have them. They have their defaults then.
_LATER = ("n_estimators",)
# Not saved, because the number of threads depends on the machine.
_MACHINE = "n_jobs"
_HINT = "These are the samplers of sklearn_dnfwinnow.samplers."


class Parameters(Record):
    """The parameters of an estimator, from which it is made.

    All of them are checked when they are written, because parameters can have been set
    to anything since `fit`.
    """

    def __init__(self, cls):
        defaults = cls().get_params(deep=False)
        names = [name for name in defaults if name != _MACHINE]
        super().__init__({name: _KINDS.get(name, _SIMPLE) for name in names}, cls)
        self._later = {name: defaults[name] for name in _LATER if name in defaults}

    def takes(self, value):
        return type(value) is self.values

    def write(self, value, where):
        value._validate_params()
        state = super().write(value, where)
        self.read(state, where, None)
        return state

    def read(self, state, where, budget):
        if type(state) is dict:
            state = {**self._later, **state}
        estimator = super().read(state, where, budget)
        estimator._validate_params()
        weights = getattr(estimator, "class_weight", None)
        if isinstance(weights, dict):
            right = all(map(is_number, weights.values()))
            check(right, f"{where}.class_weight of classes and numbers", weights)
        if hasattr(estimator, "candidates"):
            check_candidates(estimator.candidates, CONSTRAINTS)
        return estimator


class _SamplerObject(Tagged):
    """A sampler, as its name and its parameters."""

    values = Sampler

    def __init__(self):
        super().__init__("name", _samplers, _HINT, name="name")

    def read(self, state, where, budget):
        return sampler_of(super().read(state, where, budget))


def _samplers():
    """Return the schema of each sampler."""
    return {
        cls: Record(dict.fromkeys(cls().get_params(deep=False), VALUE), cls)
        for cls in SAMPLERS.values()
    }


class _Candidate(Kind):
    """Some of the parameters of a classifier, as a dict."""

    values, forms = Mapping, dict

    def write(self, value, where):
        return {name: _kind(name).write(v, where) for name, v in value.items()}

    def read(self, state, where, budget):
        check(type(state) is dict, f"{where} to be parameters by name", state)
        return {name: _kind(name).read(v, where, budget) for name, v in state.items()}


class _Simplified(OneOf):
    """A parameter that only `fit` uses: values of other types become a simple one."""

    def __init__(self, types, instead, *kinds):
        super().__init__(*kinds)
        self._types, self._instead = types, instead

    def write(self, value, where):
        is_simple = isinstance(value, self._types)
        return super().write(value if is_simple else self._instead, where)


def _kind(name):
    return _KINDS.get(name, _SIMPLE)


def _given(*kinds):
    """Return the kind of a parameter that can also be a single value, or None."""
    return OneOf(NOTHING, VALUE, *kinds)


#: Formulas, literals and terms have a form of their own.
FORMULA = Own(DNF, DNF._to_dict, DNF._from_dict)
LITERAL = Own(Literal, Literal.to_dict, Literal.from_dict)
TERM = Own(Term, Term.to_dict, Term.from_dict)
_SIMPLE = _given()
_NO_SPLITS = Single(list, "without splits", lambda splits: False)
# Kinds of the parameters that can be more than a single value. The discretizer comes
# last, because it has parameters itself.
_KINDS = {
    "random_state": _Simplified(Integral, None, NOTHING, VALUE),
    "sampler": _given(_SamplerObject()),
    "class_weight": _given(Pairs(VALUE, VALUE)),
    "cv": _Simplified(Integral | str | None, "auto", NOTHING, _NO_SPLITS, VALUE),
    "estimator": _Simplified((), None, NOTHING),
    "columns": _given(ListOf(VALUE)),
    "monotonic_cst": _given(
        Pairs(VALUE, OneOf(VALUE, Pairs(VALUE, VALUE))),
        ListOf(OneOf(VALUE, Pairs(VALUE, VALUE))),
    ),
    "forbidden": _given(ListOf(OneOf(VALUE, LITERAL, ListOf(VALUE, make=tuple)))),
    "initial_terms": _given(ListOf(Items(OneOf(VALUE, TERM), VALUE, VALUE))),
    "candidates": _given(ListOf(_Candidate())),
    "dnf": _given(Pairs(VALUE, OneOf(TEXT, FORMULA)), FORMULA),
}
#: The parameters of a discretizer.
DISCRETIZER = Parameters(ClassEntropyDiscretizer)
_KINDS["discretizer"] = _given(DISCRETIZER)

"""Candidates: settings of which `fit` takes the one of the least log loss."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

from sklearn_dnfwinnow._preprocessing._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._preprocessing._discretizer_choice import chosen_discretizer
from sklearn_dnfwinnow._utils._compat import validate_parameter_constraints
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule

# Two ways to cut columns of numbers: few intervals, of which terms may have several,
# and many cuts, one a term, which make an additive model.
_EQUAL = {"literals": "equal", "cuts": {"selection": "quantiles", "max_intervals": 8}}
_ORDERED = {"literals": "ordered", "cuts": {"max_intervals": 20}, "max_term_size": 1}
#: Those of candidates='auto', the most valuable first: see the study in ``benchmarks``.
#: Steps of scale * log(alpha) about 0.1 to 0.3 are for noise, those of 1 and more for
#: rules.
AUTO_CANDIDATES = (
    {"margin": 0.02, "alpha": 1.01, "max_term_size": 2, **_EQUAL},
    {"scale": 30.0, "alpha": 1.01, **_ORDERED},
    {"scale": 100.0, "alpha": 1.01, **_ORDERED},
    {"scale": 10.0, "alpha": 1.2, "max_term_size": 3, "term_prior": "1/n", **_EQUAL},
    {"margin": 1.0, "alpha": 1.05, "max_term_size": 3, **_EQUAL},
    {"scale": 10.0, "alpha": 1.01, "max_term_size": 2, **_EQUAL},
    {"margin": 0.02, "alpha": 1.01, **_ORDERED},
    {"margin": 0.5, "alpha": 1.01, "max_term_size": 3, **_EQUAL},
)
# What 'auto' stands for without folds: few updates, as sums over terms that no table
# has room for take the longer the more there are.
_AUTO = {
    "update": "margin",
    "margin": 0.5,
    "scale": 30.0,
    "alpha": 1.1,
    "literals": "equal",
}
# Parameters of one rule of updates: to set one of them is to ask for that rule.
_RULES = {"margin": "margin", "scale": "residual"}
_NUMBERS = "margin", "scale", "alpha", "term_prior"


@dataclass(frozen=True)
class Candidate:
    """The parameters that say what is learned from the data.

    Parameters
    ----------
    update : {'margin', 'residual'}
    margin, scale, alpha : float
    term_prior : float or 'auto'
        'auto' before rows are encoded.
    max_term_size : int, 'auto' or None
    literals : {'equal', 'both', 'ordered'}
    discretizer : ClassEntropyDiscretizer or None
        Not fitted.
    """

    update: str
    margin: float
    scale: float
    alpha: float
    term_prior: float | str
    max_term_size: int | str | None
    literals: str
    discretizer: ClassEntropyDiscretizer | None

    @property
    def rule(self):
        """Return when and by how much rows update."""
        return UpdateRule(self.update, self.margin, self.scale)

    @cached_property
    def key(self):
        """What is equal for candidates that learn the same."""
        return repr((self.view_key, self.described(as_text=False)))

    @cached_property
    def view_key(self):
        """What is equal for candidates that encode a table alike."""
        # Quicker than the representation of an estimator.
        cuts = self.discretizer and vars(self.discretizer)
        return repr((cuts, self.literals))

    def with_prior(self, n_attributes):
        """Return the candidate with a number for a prior that was left open."""
        if not _is_auto(self.term_prior):
            return self
        return replace(self, term_prior=n_attributes**-0.5)

    def described(self, as_text=True):
        """Return the parameters that count, by name; a discretizer as text."""
        counting = {
            name: getattr(self, name)
            for name in NAMES
            if _RULES.get(name, self.update) == self.update
        }
        if self.discretizer is not None:
            counting["discretizer"] = as_text and repr(self.discretizer)
        return counting


#: Names of the parameters of a candidate.
NAMES = tuple(field.name for field in fields(Candidate))


def single_candidate(estimator, batch):
    """Return the candidate of an estimator that does not choose by folds.

    Raises
    ------
    ValueError
        If there are several candidates of the user's own.
    """
    (given, *others) = _own_candidates(estimator) or [{}]
    if others:
        raise ValueError(
            f"candidates has {1 + len(others)} dicts of parameters, among which fit "
            "chooses if n_folds is not None; without folds, and in partial_fit, there "
            "can be one."
        )
    candidate = _candidate(_own(given, _set_values(estimator)), batch)
    return candidate.with_prior(len(batch.columns))


def candidates_of(estimator, batch):
    """Return the candidates of an estimator, those that learn the same once.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
        Its parameters were validated.
    batch : Batch

    Returns
    -------
    candidates : list of Candidate
    """
    fixed, own = _set_values(estimator), _own_candidates(estimator)
    if own:
        given = [_own(of_one, fixed) for of_one in own]
    else:
        rule = fixed.get("update", _rule_of(fixed))
        given = [
            {"update": _rule_of(of_one), **_but_for_order(of_one, batch), **fixed}
            for of_one in AUTO_CANDIDATES
            if rule in (None, _rule_of(of_one))
        ]
    found = [_candidate(of_one, batch) for of_one in given]
    return list({one.key: one for one in found}.values())


def has_several(estimator):
    """Return whether an estimator has several candidates of the user's own."""
    return len(_own_candidates(estimator)) > 1


def _own_candidates(estimator):
    """Return the candidates of the user's own, none for 'auto'."""
    given = estimator.candidates
    return [] if isinstance(given, str) else list(given)


def _own(given, fixed):
    """Return a candidate of the user's with the values set that it lacks.

    The rule of updates that it asks for goes before the one that these ask for.
    """
    return {"update": _rule_of(given) or "auto", **fixed, **given}


def _but_for_order(given, batch):
    """Return parameters without literals that need numbers where there are none."""
    if given.get("literals") == "ordered" and not any(batch.numeric):
        return {**given, "literals": "equal"}
    return given


def check_candidates(candidates, constraints):
    """Refuse candidates that are no dicts of parameters with values they may have.

    Parameters
    ----------
    candidates : 'auto' or iterable of dict
    constraints : dict of str to list
        Of the parameters of the estimator.

    Raises
    ------
    ValueError
        That names the parameter.
    """
    if isinstance(candidates, str):
        return
    candidates = list(candidates)
    if not candidates:
        raise ValueError("candidates must hold at least one dict of parameters.")
    for candidate in candidates:
        if not isinstance(candidate, Mapping):
            raise ValueError(
                f"candidates must hold dicts of parameters, got {candidate!r}."
            )
        unknown = [name for name in candidate if name not in NAMES]
        if unknown:
            raise ValueError(
                f"candidates may hold the parameters {', '.join(NAMES)}; got "
                f"{unknown[0]!r}."
            )
        validate_parameter_constraints(
            {name: constraints[name] for name in candidate},
            dict(candidate),
            caller_name="candidates",
        )


def _set_values(estimator):
    """Return the parameters that are not 'auto'."""
    values = {name: getattr(estimator, name) for name in NAMES}
    return {name: value for name, value in values.items() if not _is_auto(value)}


def _candidate(given, batch):
    """Return the candidate of some parameters, numbers for all that are left open."""
    values = {
        **_AUTO,
        "term_prior": "auto",
        "max_term_size": "auto",
        "discretizer": "auto",
        "cuts": {},
    }
    values["update"] = _rule_of(given) or values["update"]
    values |= {name: value for name, value in given.items() if not _is_auto(value)}
    if values["term_prior"] == "1/n":
        values["term_prior"] = 1.0 / len(batch.columns)
    cuts = values.pop("cuts")
    values["discretizer"] = chosen_discretizer(
        values["discretizer"], batch, batch.conditions.ordered, **cuts
    )
    for name in _NUMBERS:
        if not _is_auto(values[name]):
            values[name] = float(values[name])
    return Candidate(**values)


def _rule_of(given):
    """Return the rule of updates that parameters ask for, None if they do not."""
    asked = {rule for name, rule in _RULES.items() if name in given}
    return asked.pop() if len(asked) == 1 else None


def _is_auto(value):
    return isinstance(value, str) and value == "auto"

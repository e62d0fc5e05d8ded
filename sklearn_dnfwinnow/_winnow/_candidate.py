"""Candidates: settings among which `fit` selects the one with the lowest log loss."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np
from sklearn.base import clone

from sklearn_dnfwinnow._encoding._discretizer import (
    EIGHTHS,
    ClassEntropyDiscretizer,
    chosen_discretizer,
)
from sklearn_dnfwinnow._utils._compat import validate_parameter_constraints
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule
from sklearn_dnfwinnow.samplers._registry import sampler_of

# Quantiles of numeric features, and the terms over them: intervals of several widths,
# with or without main effects to start from; single values or eighths; thresholds in
# pairs. Thresholds of least entropy, with terms of one feature, which give an additive
# model. And terms that screening chooses: many, or the few that stand out from noise.
_SIXTEENTHS = {"cuts": {"selection": "quantiles", "max_intervals": 16}}
_EIGHTHS = {"cuts": EIGHTHS}
_INTERVALS = {"literals": "intervals", **_SIXTEENTHS}
_EFFECTS = {"main_effects": True, "max_term_size": 1, **_INTERVALS}
_ADDITIVE = {"literals": "ordered", "cuts": {"max_intervals": 20}, "max_term_size": 1}
_SCREENED = {"screening": 0.05, "main_effects": True, "max_term_size": 5}
_FEW_TERMS = {**_SCREENED, "screening": 1.0}
#: Candidates of candidates='auto', in the order of their value: see the study in
#: ``benchmarks``. Steps of scale * log(alpha) from 0.1 to 0.3 suit noise, and steps of
#: 1 or more suit rules.
AUTO_CANDIDATES = (
    {"scale": 100.0, "alpha": 1.01, **_SCREENED},
    {
        "scale": 10.0,
        "alpha": 1.2,
        "literal_weight": "1/n",
        "max_term_size": 3,
        "literals": "equal",
        **_EIGHTHS,
    },
    {
        "margin": 0.02,
        "alpha": 1.01,
        "max_term_size": 2,
        "literals": "ordered",
        **_EIGHTHS,
    },
    {"margin": 0.02, "alpha": 1.01, **_ADDITIVE},
    {
        "margin": 1.0,
        "alpha": 1.05,
        "max_term_size": 3,
        "literals": "intervals",
        **_EIGHTHS,
    },
    {"scale": 30.0, "alpha": 1.01, **_ADDITIVE},
    {"scale": 30.0, "alpha": 1.0003, **_EFFECTS},
    {"margin": 1.0, "alpha": 1.05, "max_term_size": 2, **_INTERVALS},
    {
        "scale": 30.0,
        "alpha": 1.01,
        "max_term_size": 2,
        "literals": "equal",
        **_EIGHTHS,
    },
    {"scale": 10.0, "alpha": 1.01, "max_term_size": 2, **_INTERVALS},
    {"scale": 10.0, "alpha": 1.01, **_FEW_TERMS},
)
# Values of 'auto' without internal cross-validation. They give few stored examples,
# because the time of sums without a table increases with their number.
_AUTO = {
    "screening": None,
    "update": "margin",
    "margin": 0.5,
    "scale": 30.0,
    "alpha": 1.1,
    "literal_weight": "auto",
    "max_term_size": "auto",
    "literals": "equal",
    "main_effects": False,
    "discretizer": "auto",
    "cuts": {},
}
# Others if training starts from main effects, for which these steps are too large.
_AUTO_EFFECTS = {"alpha": 1.01}
# And others if terms are chosen. Their number may be large, and the sum of the initial
# weights of all others is to be moderate.
_AUTO_SCREENED = {"literal_weight": 1e-3, "max_term_size": 3}
# With monotonic_cst, classes differ in the number of terms that a row satisfies. The
# initial weights of hundreds of thresholds would be an effect of their own.
_DIRECTED_WEIGHT = 1e-5
# Parameters of one update rule each: setting one of them selects the rule.
_RULES = {"margin": "margin", "scale": "residual"}
_NUMBERS = "margin", "scale", "alpha", "literal_weight", "screening"
# With fewer samples, a choice of terms did not lower the errors in the study, but takes
# time; nor did it without numbers, where there is room for all terms of three literals.
# With very many columns, there is not even room for pairs.
_MANY_SAMPLES, _MANY_COLUMNS, _VERY_MANY_COLUMNS = 750, 30, 91
# With more samples than these, no more cells of the table: the chosen terms of samples
# take about a KiB for each cell, see ``benchmarks.large``.
_MOST_SAMPLES, _MOST_CELLS = 50_000, 1_000_000
# With more columns, the codes of all thresholds take gigabytes.
_MOST_ORDERED = 500
# Quantiles among which screening chooses the cut points.
_FINE = {"selection": "quantiles", "max_intervals": 255}


@dataclass(frozen=True)
class Candidate:
    """The parameters that determine what is learned from the data.

    Parameters
    ----------
    update : {'margin', 'residual'}
    margin, scale, alpha : float
    literal_weight : float or 'auto'
        'auto' before samples are encoded.
    max_term_size : int, 'auto' or None
    literals : {'equal', 'ordered', 'intervals'}
    main_effects : bool
        Whether training starts from main effects.
    screening : float or None
        Strength of the choice of terms; None for all terms.
    discretizer : ClassEntropyDiscretizer or None
        Not fitted.
    """

    update: str
    margin: float
    scale: float
    alpha: float
    literal_weight: float | str
    max_term_size: int | str | None
    literals: str
    main_effects: bool
    screening: float | None
    discretizer: ClassEntropyDiscretizer | None

    @property
    def rule(self):
        """Return the update rule."""
        return UpdateRule(self.update, self.margin, self.scale)

    @cached_property
    def key(self):
        """A key that is equal for candidates that learn the same model."""
        return repr((self.view_key, self._counting))

    @cached_property
    def cuts_key(self):
        """A key that is equal for candidates that cut the data at the same points."""
        # Quicker than the representation of an estimator.
        return repr(self.discretizer and vars(self.discretizer))

    @property
    def cut_columns(self):
        """The columns of numbers that are cut, as the discretizer is given them."""
        if self.discretizer is None:
            return ()
        return tuple(np.atleast_1d(self.discretizer.columns).tolist())

    def with_other_cuts(self, factor):
        """Return the candidate with another maximum number of intervals.

        Screening chooses among so many that it is the same candidate.
        """
        if self.discretizer is None or self.screening is not None or factor == 1:
            return self
        discretizer = clone(self.discretizer)
        discretizer.max_intervals = round(factor * discretizer.max_intervals)
        return replace(self, discretizer=discretizer)

    @property
    def view_key(self):
        """A key that is equal for candidates with the same encoding of the data."""
        if self.screening is not None:
            return self.cuts_key, self.literals, self.screening, self.max_term_size
        return self.cuts_key, self.literals

    def with_prior(self, n_attributes):
        """Return the candidate with a number as its initial weight per literal."""
        if not _is_auto(self.literal_weight):
            return self
        return replace(self, literal_weight=n_attributes**-0.5)

    @cached_property
    def described(self):
        """The parameters that have an effect, by name; a discretizer as text."""
        text = self.discretizer and repr(self.discretizer)
        return {**self._counting, "discretizer": text}

    @property
    def _counting(self):
        """Return the parameters that have an effect, but for the discretizer."""
        return {
            name: getattr(self, name)
            for name in NAMES
            if _RULES.get(name, self.update) == self.update and name != "discretizer"
        }


#: Names of the parameters of a candidate.
NAMES = tuple(field.name for field in fields(Candidate))


def single_candidate(estimator, batch):
    """Return the candidate of an estimator without internal cross-validation.

    Raises
    ------
    ValueError
        If the user has given several candidates.
    """
    (given, *others) = _own_candidates(estimator) or [{}]
    if others:
        raise ValueError(
            f"candidates must contain a single dict with cv=None, and in "
            f"partial_fit; got {1 + len(others)} dicts. `fit` selects among several "
            "only by internal cross-validation."
        )
    candidate = _candidate(_own(given, _set_values(estimator)), batch)
    _check(candidate, estimator, batch)
    return candidate.with_prior(len(batch.table.columns))


def candidates_of(estimator, batch):
    """Return the candidates of an estimator, without duplicates.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
        With validated parameters.
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
        # Main effects require classes that compete, and moderate initial weights.
        may_start = estimator.multi_class == "joint" and "literal_weight" not in fixed
        screened = _which_screened(estimator, batch, fixed)
        given = [
            {"update": _rule_of(of_one), **_suited(of_one, batch), **fixed}
            for of_one in AUTO_CANDIDATES
            if rule in (None, _rule_of(of_one))
            and (may_start or not _starts_additive(of_one))
            and _is_screened(of_one) in screened
        ]
        # The parameters may leave none of them, as screening with 'ovr' does.
        given = given or [fixed]
    found = [_candidate(of_one, batch) for of_one in given]
    for of_one in found:
        _check(of_one, estimator, batch)
    return list({one.key: one for one in found}.values())


def has_several(estimator):
    """Return whether the user has given several candidates."""
    return len(_own_candidates(estimator)) > 1


def _own_candidates(estimator):
    """Return the candidates that the user has given, none for 'auto'."""
    given = estimator.candidates
    return [] if isinstance(given, str) else list(given)


def _own(given, fixed):
    """Return a given candidate, completed by the parameters of the estimator.

    An update rule that the candidate implies has precedence over the rule that the
    parameters of the estimator imply.
    """
    return {"update": _rule_of(given) or "auto", **fixed, **given}


def _suited(given, batch):
    """Return parameters of 'auto' as a batch needs them.

    Without literals of numbers if there are none, or very many columns.
    """
    is_of_numbers = given.get("literals") in ("ordered", "intervals")
    is_too_wide = len(batch.table.columns) > _MOST_ORDERED
    if is_of_numbers and (is_too_wide or not any(batch.table.numeric)):
        return {**given, "literals": "equal"}
    return given


def check_candidates(candidates, constraints):
    """Raise an error if candidates are not dicts of parameters with valid values.

    Parameters
    ----------
    candidates : 'auto' or iterable of dict
    constraints : dict of str to list
        Constraints of the parameters of the estimator.

    Raises
    ------
    ValueError
        With the name of the parameter.
    """
    if isinstance(candidates, str):
        return
    candidates = list(candidates)
    if not candidates:
        raise ValueError("candidates must contain at least one dict of parameters.")
    for candidate in candidates:
        if not isinstance(candidate, Mapping):
            raise ValueError(
                f"candidates must contain dicts of parameters; got {candidate!r}."
            )
        unknown = [name for name in candidate if name not in NAMES]
        if unknown:
            raise ValueError(
                f"candidates may contain the parameters {', '.join(NAMES)}; got "
                f"{unknown[0]!r}."
            )
        validate_parameter_constraints(
            {name: constraints[name] for name in candidate},
            dict(candidate),
            caller_name="candidates",
        )


def _which_screened(estimator, batch, fixed):
    """Return whether candidates of 'auto' choose terms: some of (False, True)."""
    if "screening" in fixed:
        return (fixed["screening"] is not None,)
    if "literals" in fixed or _against_screening(estimator, batch):
        return (False,)
    # A sample of weight 2 is as two samples.
    n_samples, n_columns = batch.sample_weights.sum(), len(batch.table.columns)
    has_many_terms = any(batch.table.numeric) or n_columns >= _MANY_COLUMNS
    is_worth_it = n_samples >= _MANY_SAMPLES and has_many_terms
    is_small = n_samples <= max(_MOST_SAMPLES, _MOST_CELLS / n_columns)
    if not (is_small and (is_worth_it or n_columns >= _VERY_MANY_COLUMNS)):
        return (False,)
    return (False, True)


def _against_screening(estimator, batch):
    """Return a parameter that forbids to choose terms, and its value; or None."""
    if estimator.max_stored_examples is not None:
        return "max_stored_examples", estimator.max_stored_examples
    sampler = sampler_of(estimator.sampler)
    return None if sampler.term_by_term else ("sampler", estimator.sampler)


def _check(candidate, estimator, batch):
    """Raise an error if other parameters do not allow what a candidate asks for."""
    against = _against_screening(estimator, batch)
    if candidate.screening is not None and against:
        name, value = against
        raise ValueError(
            f"screening={candidate.screening!r} cannot be combined with {name}; got "
            f"{value!r}. Set screening=None to learn all terms."
        )
    if not candidate.main_effects:
        return
    for name, value, needed in (
        ("update", candidate.update, "residual"),
        ("multi_class", estimator.multi_class, "joint"),
    ):
        if value != needed:
            raise ValueError(
                f"main_effects=True requires {name}={needed!r}, because log-odds "
                f"between classes are additive; got {name}={value!r}."
            )


def _set_values(estimator):
    """Return the parameters that are not 'auto'."""
    values = {name: getattr(estimator, name) for name in NAMES}
    return {name: value for name, value in values.items() if not _is_auto(value)}


def _candidate(given, batch):
    """Return the candidate with given parameters, and defaults for all others."""
    values = {**_AUTO, "update": _rule_of(given) or _AUTO["update"]}
    if _is_screened(given):
        values |= _AUTO_SCREENED | {"cuts": _FINE}
    if _starts_additive(given):
        values |= _AUTO_EFFECTS
    if batch.directions and (_is_screened(given) or _starts_additive(given)):
        values["literal_weight"] = _DIRECTED_WEIGHT
    values |= {name: value for name, value in given.items() if not _is_auto(value)}
    if values["literal_weight"] == "1/n":
        values["literal_weight"] = 1.0 / len(batch.table.columns)
    cuts = values.pop("cuts")
    values["discretizer"] = chosen_discretizer(
        values["discretizer"], batch.table, batch.directions.columns, **cuts
    )
    values["main_effects"] = bool(values["main_effects"])
    for name in _NUMBERS:
        if not (values[name] is None or _is_auto(values[name])):
            values[name] = float(values[name])
    return Candidate(**values)


def _rule_of(given):
    """Return the update rule that parameters imply, None if they imply none."""
    asked = {rule for name, rule in _RULES.items() if name in given}
    if _starts_additive(given):
        asked.add("residual")
    return asked.pop() if len(asked) == 1 else None


def _starts_additive(given):
    """Return whether parameters ask for main effects."""
    return given.get("main_effects", False) not in (False, "auto")


def _is_screened(given):
    """Return whether parameters ask for a choice of terms."""
    return given.get("screening", "auto") not in (None, "auto")


def _is_auto(value):
    return isinstance(value, str) and value == "auto"

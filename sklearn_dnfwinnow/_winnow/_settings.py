"""Settings: constraints of parameters, values of the paper, and the candidates."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import inf, isfinite, log
from numbers import Integral, Real

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator

from sklearn_dnfwinnow._encoding._discretizer import (
    ClassEntropyDiscretizer,
    chosen_discretizer,
)
from sklearn_dnfwinnow._terms._term_index import log_initial_weight
from sklearn_dnfwinnow._utils._estimators import (
    OR_AUTO,
    POSITIVE,
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn_dnfwinnow.samplers._engine import Sampler
from sklearn_dnfwinnow.samplers._registry import SAMPLERS, by_tables, sampler_of
from sklearn_dnfwinnow.sums._log_weighted_sum import SUM_CONSTRAINTS

#: Constraints of the parameters of `DNFWinnowClassifier`.
CONSTRAINTS = {
    **SUM_CONSTRAINTS,
    "max_term_size": [OR_AUTO, POSITIVE, None],
    "multi_class": [StrOptions({"joint", "ovr"})],
    "margin": [OR_AUTO, Interval(Real, 0, None, closed="left")],
    "scale": [OR_AUTO, Interval(Real, 0, None, closed="neither")],
    "alpha": [OR_AUTO, *SUM_CONSTRAINTS["alpha"]],
    "threshold": [OR_AUTO, Interval(Real, 0, None, closed="neither")],
    "literal_weight": [OR_AUTO, *SUM_CONSTRAINTS["literal_weight"]],
    "literals": [StrOptions({"auto", "equal", "ordered", "intervals"})],
    "screening": [OR_AUTO, Interval(Real, 0, None, closed="right"), None],
    "discretizer": [OR_AUTO, ClassEntropyDiscretizer, FrozenEstimator, None],
    "monotonic_cst": ["array-like", dict, None],
    "n_estimators": [OR_AUTO, POSITIVE],
    "cv": [OR_AUTO, "cv_object"],
    "average": ["boolean"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "max_iter": [OR_AUTO, POSITIVE],
    "max_stored_examples": [POSITIVE, None],
    "missing": [StrOptions({"auto", "unspecified", "category", "most_frequent"})],
    "n_jobs": [Integral, None],
    "verbose": ["verbose"],
}
#: Parameters of the algorithm of the paper.
PAPER = {
    "multi_class": "ovr",
    "margin": 0.0,
    "alpha": 1.5,
    "threshold": "auto",
    "literal_weight": 1.0,
    "literals": "equal",
    "screening": None,
    "discretizer": None,
    "monotonic_cst": None,
    "max_term_size": None,
    "max_iter": 20,
    "cv": None,
    "average": False,
    "class_weight": None,
    "max_stored_examples": None,
    "missing": "unspecified",
}


def paper_settings(sampler=None):
    """Return the parameters of the paper, see `DNFWinnowClassifier.paper_settings`."""
    if sampler is None:
        return dict(PAPER)
    if sampler not in SAMPLERS:
        names = ", ".join(map(repr, SAMPLERS))
        raise ValueError(f"sampler must be one of {names}, or None; got {sampler!r}.")
    return {**PAPER, "sampler": SAMPLERS[sampler].paper()}


def validate_call(estimator):
    """Validate the parameters of an estimator that a call other than `fit` reads."""
    names = [*(field.name for field in fields(Settings)), "margin", "scale"]
    validate_parameter_constraints(
        {name: CONSTRAINTS[name] for name in names},
        {name: getattr(estimator, name) for name in names},
        caller_name=type(estimator).__name__,
    )


@dataclass(frozen=True)
class Settings:
    """The parameters of training and sums in one call, as they are at its start.

    A change of one of them does not change what was learned.

    Parameters
    ----------
    sampler : Sampler
        The given object, or the object of the given name.
    multi_class, threshold, average, max_stored_examples, n_jobs
        See :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    """

    sampler: Sampler
    multi_class: str
    threshold: float | str
    average: bool
    max_stored_examples: int | None
    n_jobs: int | None

    @classmethod
    def of(cls, estimator):
        """Return the settings of an estimator with validated parameters."""
        values = {field.name: getattr(estimator, field.name) for field in fields(cls)}
        return cls(**{**values, "sampler": sampler_of(estimator.sampler)})

    @classmethod
    def of_fit(cls, estimator):
        """Return the settings of `fit`: tables for exact samplers, unless cv is None.

        A table gives the sums of any exact sampler, so that what is learned does not
        depend on it.
        """
        settings = cls.of(estimator)
        if estimator.cv is None:
            return settings
        return replace(settings, sampler=by_tables(settings.sampler))

    def log_threshold(self, n_values, candidate):
        """Log theta, for the given numbers of values."""
        if self.threshold == "auto":
            return candidate.log_initial_weight(n_values)
        return log(self.threshold)


def all_terms(literals, max_intervals, max_term_size, selection="quantiles"):
    """Return parameters of a candidate that learns all terms over cut numbers."""
    cuts = {"selection": selection, "max_intervals": max_intervals}
    return {"literals": literals, "max_term_size": max_term_size, "cuts": cuts}


def from_smooth_effects(screening, max_term_size):
    """Return parameters of a candidate that takes small steps from smooth effects.

    Its scale is to be large: effects of about its size fade, see `ScreenedTable`.
    """
    return {"screening": screening, "max_term_size": max_term_size, "doubt": 0.0}


# How much lower the log loss of a candidate must be, relatively, than that of small
# steps from smooth effects: the held-out loss of others, and most of all that of large
# steps, varies more with the rows and their order.
_DOUBT, _GREAT_DOUBT = 0.03, 0.06
#: Candidates of internal cross-validation, in the order of their value: see the study
#: in ``benchmarks``. Steps of scale * log(alpha) near 0 keep smooth effects, those from
#: 0.1 to 0.3 suit noise, and steps of 1 or more suit rules.
#:
#: Smooth effects alone; with terms that screening chooses, those that stand out from
#: noise, or many. Terms over quantiles of numbers: single values of eighths, thresholds
#: in pairs, or intervals of several widths. Thresholds of least entropy, with terms of
#: one feature.
AUTO_CANDIDATES = (
    {"scale": 300.0, "alpha": 1.00003, **from_smooth_effects(inf, 1)},
    {"scale": 300.0, "alpha": 1.0003, **from_smooth_effects(0.3, 5)},
    {"scale": 100.0, "alpha": 1.01, "screening": 0.05, "max_term_size": 5},
    {
        "scale": 10.0,
        "alpha": 1.2,
        "literal_weight": "1/n",
        **all_terms("equal", 8, 3),
        "doubt": _GREAT_DOUBT,
    },
    {"margin": 0.02, "alpha": 1.01, **all_terms("ordered", 8, 2)},
    {"margin": 0.02, "alpha": 1.01, **all_terms("ordered", 20, 1, "max")},
    {"margin": 1.0, "alpha": 1.05, **all_terms("intervals", 16, 2)},
    {"margin": 1.0, "alpha": 1.05, **all_terms("intervals", 8, 3)},
    {"scale": 30.0, "alpha": 1.01, **all_terms("equal", 8, 2)},
    {"scale": 10.0, "alpha": 1.01, **all_terms("intervals", 16, 2)},
)
# Values of 'auto' without internal cross-validation. They give few stored examples,
# because the time of sums without a table increases with their number.
_AUTO = {
    "screening": None,
    "margin": 0.5,
    "alpha": 1.1,
    "literal_weight": "auto",
    "max_term_size": "auto",
    "literals": "equal",
    "discretizer": "auto",
    "cuts": {},
}
# Others if terms are chosen. Their number may be large, and the sum of the initial
# weights of all others is to be moderate.
_AUTO_SCREENED = {"literal_weight": 1e-3, "max_term_size": 3}
# With monotonic_cst, classes differ in the number of terms that a row satisfies. The
# initial weights of hundreds of thresholds would be an effect of their own.
_DIRECTED_WEIGHT = 1e-5
# With more classes, regressions take too long.
_MOST_CLASSES = 200
# With fewer samples, a choice of terms raised the log loss in the study. Tables without
# numbers have room for all terms of three literals, but very wide ones not even for
# pairs.
_MANY_SAMPLES, _MANY_COLUMNS, _VERY_MANY_COLUMNS = 500, 30, 91
# With more samples than these, no more cells of the table: the chosen terms of samples
# take about a KiB for each cell, see ``benchmarks.large``.
_MOST_SAMPLES, _MOST_CELLS = 50_000, 1_000_000
# With more columns, cuts of least entropy take too long, and the codes of all
# thresholds gigabytes.
_MOST_CUT, _MOST_ORDERED = 100, 500
# Quantiles among which screening chooses the cut points.
_FINE = {"selection": "quantiles", "max_intervals": 255}
# Parts of a promotion that residuals are rounded to.
_RESIDUAL_PARTS = 64


@dataclass(frozen=True)
class UpdateRule:
    """The samples that promote and demote classes, and the size of updates.

    Parameters
    ----------
    margin : float, default=0.0
        Minimum margin in logarithms; without effect by residuals.
    scale : float, default=1.0
        Factor of log W in the probabilities of residuals.
    by_residuals : bool, default=False
        Whether updates are the residuals of all samples, which require the sums of all
        classes; or whole promotions, for samples without the margin.
    """

    margin: float = 0.0
    scale: float = 1.0
    by_residuals: bool = False

    @property
    def parts(self):
        """Number of parts of a promotion, the units of updates."""
        return _RESIDUAL_PARTS if self.by_residuals else 1


@dataclass(frozen=True)
class Candidate:
    """The settings of a model, which determine what it learns from the data.

    Parameters
    ----------
    alpha : float
    literal_weight : float or 'auto'
        'auto' before samples are encoded.
    max_term_size : int, 'auto' or None
        'auto' before samples are encoded.
    literals : {'equal', 'ordered', 'intervals'}
    margin : float or None
        Margin of updates; None for updates by residuals.
    scale : float
        Factor from scores to log-odds: of residuals, or else of probabilities only.
    screening : float or None
        Strength of the choice of terms; None for all terms.
    discretizer : ClassEntropyDiscretizer or None
        Not fitted.
    doubt : float, default=0.0
        By how much its log loss must be lower to be chosen, as a fraction.
    """

    alpha: float
    literal_weight: float | str
    max_term_size: int | str | None
    literals: str
    margin: float | None
    scale: float
    screening: float | None
    discretizer: ClassEntropyDiscretizer | None
    doubt: float = 0.0

    @property
    def rule(self):
        """Return the update rule."""
        if self.margin is None:
            return UpdateRule(scale=self.scale, by_residuals=True)
        return UpdateRule(self.margin, self.scale)

    @property
    def log_alpha(self):
        """Return the logarithm of the promotion factor."""
        return log(self.alpha)

    @property
    def log_beta(self):
        """Return the logarithm of the initial weight per literal."""
        return log(self.literal_weight)

    def longest(self, n):
        """Return the number of literals of the longest terms over n columns."""
        return n if self.max_term_size is None else min(n, self.max_term_size)

    def log_initial_weight(self, n_values):
        """Return the log initial weight of all terms, for some numbers of values."""
        return log_initial_weight(n_values, self.log_beta, self.max_term_size)

    @cached_property
    def key(self):
        """A key that is equal for candidates that learn the same model."""
        return repr((self.view_key, self._effective))

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

    @property
    def index_key(self):
        """A key that is equal for candidates with the same index of terms."""
        # The weights of groups of terms depend on the initial weight per literal.
        prior = self.literal_weight if self.max_term_size is None else None
        return self.view_key, prior

    def with_prior(self, n_attributes):
        """Return the candidate with a number as its initial weight per literal."""
        if not _is_auto(self.literal_weight):
            return self
        return replace(self, literal_weight=n_attributes**-0.5)

    def with_rule_of(self, estimator):
        """Return the candidate with the update rule that parameters ask for.

        It is the same object if nothing changes.
        """
        check_rule(estimator)
        changed = self
        if not _is_auto(estimator.margin):
            changed = replace(self, margin=float(estimator.margin))
        if not _is_auto(estimator.scale):
            changed = replace(self, margin=None, scale=float(estimator.scale))
        return self if changed == self else changed

    @cached_property
    def described(self):
        """The parameters that have an effect, by name; a discretizer as text."""
        text = self.discretizer and repr(self.discretizer)
        return {**self._effective, "discretizer": text}

    @property
    def _effective(self):
        """Return the parameters that have an effect, but for the discretizer."""
        without = "discretizer", "margin" if self.margin is None else "scale"
        return {name: getattr(self, name) for name in COLUMNS if name not in without}


#: Columns of `validation_`, with their types.
COLUMNS = {
    "margin": np.float64,
    "scale": np.float64,
    "alpha": np.float64,
    "literal_weight": np.float64,
    "max_term_size": object,
    "literals": object,
    "screening": object,
    "discretizer": object,
}
#: Parameters of an estimator that cannot change after the first training call.
UNCHANGED = "alpha", "literal_weight", "max_term_size", "literals", "screening"


def check_rule(estimator):
    """Raise an error if parameters ask for two update rules."""
    if not (_is_auto(estimator.margin) or _is_auto(estimator.scale)):
        raise ValueError(
            "margin and scale cannot both be set, because each of them selects a rule "
            f"of updates; got margin={estimator.margin!r} and "
            f"scale={estimator.scale!r}. Set one of them to 'auto'."
        )


def treatment_of_missing(estimator, batch):
    """Return the treatment of missing values in a first batch, see `Encoding`.

    By 'auto', they are a category in columns where they tell the classes apart, if
    there is cross-validation.
    """
    if estimator.missing != "auto":
        return estimator.missing
    columns = () if estimator.cv is None else batch.telling_columns
    return columns or "unspecified"


def single_candidate(estimator, batch):
    """Return the candidate of an estimator without internal cross-validation."""
    candidate = _candidate(_set_values(estimator), batch)
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
    fixed = _set_values(estimator)
    # Main effects require classes that compete, and moderate initial weights.
    may_start = estimator.multi_class == "joint" and "literal_weight" not in fixed
    pool = AUTO_CANDIDATES
    if sampler_of(estimator.sampler).runs_chains:
        # The time of a sum grows with net counts, which are small for whole promotions.
        # Terms of any size must not have several literals on a feature.
        pool = [{**one, "literals": "equal"} for one in pool if "margin" in one]
    kinds = _which_kinds(estimator, batch, fixed)
    is_wide = len(batch.table.columns) > _MOST_CUT
    given = [
        {"doubt": _DOUBT, **_suited(one, batch), **fixed}
        for one in pool
        if not {"margin", "scale"} <= {*one, *fixed}
        and (may_start or not _is_screened(one))
        and not (is_wide and one.get("cuts", {}).get("selection") == "max")
        and kind_of(one.get("screening")) in kinds
    ]
    # The parameters may leave none of them, as screening with 'ovr' does.
    candidates = [_candidate(one, batch) for one in given or [fixed]]
    return list({one.key: one for one in candidates}.values())


def _suited(given, batch):
    """Return a candidate of 'auto' as a batch needs it.

    Without literals of numbers if there are none, or very many columns.
    """
    is_of_numbers = given.get("literals") in ("ordered", "intervals")
    is_too_wide = len(batch.table.columns) > _MOST_ORDERED
    if is_of_numbers and (is_too_wide or not any(batch.table.numeric)):
        return {**given, "literals": "equal"}
    return given


def _which_kinds(estimator, batch, fixed):
    """Return the kinds of candidates of 'auto', see `kind_of`."""
    if "screening" in fixed:
        return (kind_of(fixed["screening"]),)
    is_excluded = "literals" in fixed or _against_screening(estimator)
    if is_excluded or len(batch.class_weights) > _MOST_CLASSES:
        return ("all",)
    # A sample of weight 2 is as two samples.
    n_samples, n_columns = batch.sample_weights.sum(), len(batch.table.columns)
    has_many_terms = any(batch.table.numeric) or n_columns >= _MANY_COLUMNS
    is_worth_it = n_samples >= _MANY_SAMPLES and has_many_terms
    is_small = n_samples <= max(_MOST_SAMPLES, _MOST_CELLS / n_columns)
    if not (is_small and (is_worth_it or n_columns >= _VERY_MANY_COLUMNS)):
        return "all", "smooth"
    return "all", "smooth", "chosen"


def _against_screening(estimator):
    """Return a parameter that forbids to choose terms, and its value; or None."""
    if estimator.max_stored_examples is not None:
        return "max_stored_examples", estimator.max_stored_examples
    if isinstance(estimator.discretizer, FrozenEstimator):
        return "discretizer", estimator.discretizer
    sampler = sampler_of(estimator.sampler)
    return ("sampler", estimator.sampler) if sampler.runs_chains else None


def _set_values(estimator):
    """Return the parameters that are not 'auto'.

    Raises
    ------
    ValueError
        If terms are to be chosen, and another parameter does not allow it.
    """
    values = {name: getattr(estimator, name) for name in COLUMNS}
    values = {name: value for name, value in values.items() if not _is_auto(value)}
    against = _against_screening(estimator)
    if _is_screened(values) and against:
        raise ValueError(
            f"screening={estimator.screening!r} cannot be combined with {against[0]}; "
            f"got {against[1]!r}. Set screening=None to learn all terms."
        )
    return values


def _candidate(given, batch):
    """Return the candidate with given parameters, and defaults for all others."""
    values, is_screened = dict(_AUTO), _is_screened(given)
    if is_screened:
        values |= _AUTO_SCREENED | {"cuts": _FINE}
    if batch.directions and is_screened:
        values["literal_weight"] = _DIRECTED_WEIGHT
    # The scale of probabilities is not yet known.
    values |= {"margin": None} if "scale" in given else {"scale": 1.0}
    values |= given
    if values["literal_weight"] == "1/n":
        values["literal_weight"] = 1.0 / len(batch.table.columns)
    cuts = values.pop("cuts")
    values["discretizer"] = chosen_discretizer(
        values["discretizer"], batch.table, batch.directions.columns, **cuts
    )
    for name, value in values.items():
        is_number = COLUMNS.get(name) is np.float64 or name == "screening"
        if is_number and not (value is None or _is_auto(value)):
            values[name] = float(value)
    return Candidate(**values)


def _is_screened(given):
    """Return whether parameters ask for a choice of terms."""
    return given.get("screening") is not None


def kind_of(screening):
    """Return which terms are learned: 'all', 'chosen' ones, or 'smooth' effects."""
    if screening is None:
        return "all"
    return "chosen" if isfinite(screening) else "smooth"


def _is_auto(value):
    return isinstance(value, str) and value == "auto"

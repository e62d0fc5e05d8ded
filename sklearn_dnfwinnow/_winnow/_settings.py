"""Settings: constraints of parameters, values of 'auto', values of the paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, fields
from math import log
from numbers import Integral, Real
from typing import Any

from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._utils._compat import (
    Interval,
    StrOptions,
    validate_parameter_constraints,
)
from sklearn_dnfwinnow.samplers._registry import SAMPLERS, sampler_of
from sklearn_dnfwinnow.samplers._sampler import Sampler
from sklearn_dnfwinnow.sums._log_weighted_sum import SUM_CONSTRAINTS

#: Constraints of the parameters of `DNFWinnowClassifier`.
CONSTRAINTS = {
    **SUM_CONSTRAINTS,
    "max_term_size": [
        StrOptions({"auto"}),
        Interval(Integral, 1, None, closed="left"),
        None,
    ],
    "multi_class": [StrOptions({"joint", "ovr"})],
    "update": [StrOptions({"auto", "margin", "residual"})],
    "margin": [StrOptions({"auto"}), Interval(Real, 0, None, closed="left")],
    "scale": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
    "alpha": [StrOptions({"auto"}), *SUM_CONSTRAINTS["alpha"]],
    "threshold": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither")],
    "literal_weight": [StrOptions({"auto"}), *SUM_CONSTRAINTS["literal_weight"]],
    "literals": [StrOptions({"auto", "equal", "ordered", "intervals"})],
    "main_effects": [StrOptions({"auto"}), "boolean"],
    "screening": [
        StrOptions({"auto"}),
        Interval(Real, 0, None, closed="neither"),
        None,
    ],
    "discretizer": [StrOptions({"auto"}), ClassEntropyDiscretizer, None],
    "monotonic_cst": ["array-like", dict, None],
    "candidates": [StrOptions({"auto"}), "array-like"],
    "n_estimators": [
        StrOptions({"auto"}),
        Interval(Integral, 1, None, closed="left"),
    ],
    "cv": [StrOptions({"auto"}), "cv_object"],
    "average": ["boolean"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "max_iter": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
    "max_stored_examples": [Interval(Integral, 1, None, closed="left"), None],
    "missing": [StrOptions({"unspecified", "category", "most_frequent"})],
    "n_jobs": [Integral, None],
    "verbose": ["verbose"],
}
#: Parameters that have no effect unless another parameter, one of those given, has one
#: of certain values. Parameters of a sampler are named as in
#: `set_params`, and are considered only if the sampler is an object with these
#: parameters. Effects that depend on the data are not included.
EFFECTIVE_WITH = {
    "sampler__swap_probability": {"sampler__tempering": (True,)},
    # Joint training computes all sums in full. Tempering depends on the groups of
    # chains, which depend on `early_stop`.
    "sampler__early_stop": {"multi_class": ("ovr",), "sampler__tempering": (True,)},
    "margin": {"update": ("auto", "margin")},
    "scale": {"update": ("auto", "residual")},
    # All scores have the same threshold, so it does not decide between classes.
    "threshold": {"multi_class": ("ovr",)},
}
#: Parameters of the algorithm of the paper.
PAPER = {
    "multi_class": "ovr",
    "update": "margin",
    "margin": 0.0,
    "alpha": 1.5,
    "threshold": "auto",
    "literal_weight": 1.0,
    "literals": "equal",
    "main_effects": False,
    "screening": None,
    "discretizer": None,
    "monotonic_cst": None,
    "candidates": "auto",
    "max_term_size": None,
    "max_iter": 20,
    "cv": None,
    "average": False,
    "class_weight": None,
    "max_stored_examples": None,
    "missing": "unspecified",
}
# max_iter='auto' without folds.
_AUTO_ITER = 20
# cv='auto': none for few samples, and more folds for some hundreds of samples, of
# which a third is too many to hold out. Of many samples, one third is held out: it is
# enough to choose by, and the candidates take a third of the time.
_FEW_ROWS, _SOME_ROWS, _MANY_ROWS, _MORE_FOLDS, _FOLDS = 30, 500, 1500, 5, 3


def paper_settings(sampler=None):
    """Return the parameters of the paper, see `DNFWinnowClassifier.paper_settings`."""
    if sampler is None:
        return dict(PAPER)
    if sampler not in SAMPLERS:
        names = ", ".join(map(repr, SAMPLERS))
        raise ValueError(f"sampler must be one of {names}, or None; got {sampler!r}.")
    return {**PAPER, "sampler": SAMPLERS[sampler].paper()}


@dataclass(frozen=True)
class Settings:
    """The parameters of training and sums in one call, as they are at its start.

    A change of one of them does not change what was learned. Parameters that would
    change it are kept by the model, see
    :class:`sklearn_dnfwinnow._winnow._model.Model`.

    Parameters
    ----------
    sampler : Sampler
        The given object, or the object of the given name.
    multi_class, update, margin, scale, threshold, max_iter, cv, average, \
            max_stored_examples, n_jobs
        See :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    """

    sampler: Sampler
    multi_class: str
    update: str
    margin: float | str
    scale: float | str
    threshold: float | str
    max_iter: int | str
    cv: Any
    average: bool
    max_stored_examples: int | None
    n_jobs: int | None

    @classmethod
    def of(cls, estimator):
        """Return the settings of an estimator with validated parameters."""
        found = {field.name: getattr(estimator, field.name) for field in fields(cls)}
        return cls(**{**found, "sampler": sampler_of(found["sampler"])})

    @classmethod
    def validated(cls, estimator):
        """Return the settings of an estimator whose parameters may have changed."""
        # Only `fit` uses cv, and checks it, which takes the time of all others.
        names = [field.name for field in fields(cls) if field.name != "cv"]
        validate_parameter_constraints(
            {name: CONSTRAINTS[name] for name in names},
            {name: getattr(estimator, name) for name in names},
            caller_name=type(estimator).__name__,
        )
        return cls.of(estimator)

    def log_threshold(self, n_values, log_beta, max_term_size):
        """Log theta, for the given numbers of values."""
        if self.threshold == "auto":
            return log_initial_weight(n_values, log_beta, max_term_size)
        return log(self.threshold)

    @property
    def epochs_without_folds(self):
        """Maximum number of epochs without internal cross-validation."""
        return _AUTO_ITER if self.max_iter == "auto" else self.max_iter

    def folds_of(self, n_rows, several):
        """Number of folds of the internal cross-validation, None for none.

        Parameters
        ----------
        n_rows : int
            Number of repetitions of samples in an epoch.
        several : bool
            Whether the user has given several candidates.
        """
        if self.cv is None:
            return None
        if self.cv != "auto":
            return min(self.cv, n_rows)  # further folds would be empty
        enough = self.sampler.term_by_term and n_rows >= _FEW_ROWS
        if not (enough or several):
            return None
        return min(_MORE_FOLDS if n_rows < _SOME_ROWS else _FOLDS, n_rows)

    def held_out_of(self, n_rows, n_folds):
        """Number of the folds that are held out in turn; others are only trained on."""
        return 1 if self.cv == "auto" and n_rows >= _MANY_ROWS else n_folds

"""Model: the result of training, an immutable value that training replaces."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import zip_longest
from math import log

import numpy as np

from sklearn_dnfwinnow._preprocessing._discretizer import cuts_like
from sklearn_dnfwinnow._preprocessing._encoding import Encoding
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._terms._heaviest_terms import TermSearch
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._winnow._conditions._code_conditions import in_codes
from sklearn_dnfwinnow._winnow._conditions._column_conditions import ColumnConditions
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._settings import Settings
from sklearn_dnfwinnow._winnow._summation import Summation
from sklearn_dnfwinnow._winnow._term_sums import Cache, term_sums
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule
from sklearn_dnfwinnow._winnow._weights._class_state import ClassState, union
from sklearn_dnfwinnow.samplers._registry import as_auto
from sklearn_dnfwinnow.sums._subset_sums import MORE_LITERALS, by_rows, by_terms

# Number of epochs in `n_mistakes`, unless the last training call has more.
_EPOCHS_KEPT = 1000
# Parameters that define the meaning of the learned numbers. The model keeps them.
_KEPT = "alpha", "term_prior", "literals", "missing", "max_term_size"
# Parameters that any call may change, unless they are 'auto'.
_OF_RULE = "update", "margin", "scale"
# Names of the parts of a model in an estimator: public ones, and the rest.
_ATTRIBUTES = {
    "update": "update_",
    "margin": "margin_",
    "alpha": "alpha_",
    "term_prior": "term_prior_",
    "updates": "updates_",
    "exponents": "exponents_",
    "denominator": "denominator_",
    "max_term_size": "max_term_size_",
    "log_threshold": "log_threshold_",
    "n_iter": "n_iter_",
    "n_mistakes": "n_mistakes_",
    "scale": "scale_",
    "validation": "validation_",
    "chains": "chains_",
    "sums": "sums_",
    "seed": "_seed",
    "column_conditions": "conditions_",
    "encoding": "_encoding",
    "background": "_background",
    "own": "_own",
    "versions": "_versions",
}
# Number of epochs that indicate the size of the last training calls.
_LATEST = 32
# Parts of a model that its sums depend on.
_SUMMED = (
    "updates",
    "exponents",
    "denominator",
    "n_mistakes",
    "encoding",
    "alpha",
    "term_prior",
    "max_term_size",
    "column_conditions",
)

# Parts of a model that its conditions in codes depend on.
_CONDITIONED = "column_conditions", "encoding"

#: Parameters that earlier versions did not have, with values of the same effect.
FORMER_PARAMETERS = {
    "update": "margin",
    "scale": "auto",
    "discretizer": None,
    "candidates": "auto",
    "max_time": None,
    "monotone": None,
    "forbidden": None,
    "initial_terms": None,
}


def former_values(margin):
    """Return values that earlier versions did not store, by the names of a model.

    Parameters
    ----------
    margin : float
        The parameter, which each call read.
    """
    return {
        "update": "margin",
        "margin": float(margin),
        "discretizer": None,
    }


def with_former(state):
    """Return the attributes of an estimator, with those that earlier versions lack."""
    added = dict(FORMER_PARAMETERS)
    if "exponents_" in state and "update_" not in state:
        values = former_values(state["margin"])
        added |= {_ATTRIBUTES[held]: value for held, value in values.items()}
    if "exponents_" in state:
        added["conditions_"] = ColumnConditions()
        added["_background"] = None
        added["_cache"] = Cache()
    return {**added, **state}


@dataclass(frozen=True, eq=False)
class Model:
    """The result of training, with the settings of scores and of further training.

    Nothing is changed in place: an estimator whose training fails keeps its model.
    Parameters that define the meaning of the numbers are part of the model: `alpha`,
    `term_prior`, `max_term_size`, and `literals` and `missing` of the encoding.

    Parameters
    ----------
    settings : Settings
    update, margin, alpha, term_prior, updates, exponents, denominator, max_term_size, \
            log_threshold, n_iter, n_mistakes, scale, validation, chains, sums
        See the attributes of :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
        `max_term_size` may be 'auto' before the first batch.
    seed : int
        Seed of all randomness.
    column_conditions : ColumnConditions
        Conditions on terms of the first training call.
    encoding : Encoding
        From cells to codes. Its discretizer is fitted to the first batch.
    background : Background or None
        A sample of the training rows, weighted by their sample weights; None if the
        model was stored by an earlier version.
    own : list of ndarrays of int
        Positions of the stored examples of each class among all, in order of arrival.
    versions : list of int
        Number of updates in each class.
    cache : Cache
        Cache of term sums.
    """

    settings: Settings
    update: str
    margin: float
    alpha: float
    term_prior: float
    updates: np.ndarray
    exponents: np.ndarray
    denominator: int
    max_term_size: int | str | None
    log_threshold: float
    n_iter: int
    n_mistakes: np.ndarray
    scale: float
    validation: dict | None
    chains: dict
    sums: dict
    seed: int
    column_conditions: ColumnConditions
    encoding: Encoding
    background: Background | None
    own: list
    versions: list
    cache: Cache = field(default_factory=Cache)

    @classmethod
    def untrained(cls, estimator, candidate, seed, conditions):
        """Return the model before its first batch, without values and stored examples.

        Parameters
        ----------
        estimator : DNFWinnowClassifier
            With `n_features_in_`, `classes_`, and validated parameters.
        candidate : Candidate
        seed : int
        conditions : ColumnConditions
        """
        n_classes = len(estimator.classes_)
        n_features = estimator.n_features_in_
        return cls(
            settings=Settings.of(estimator),
            update=candidate.update,
            margin=candidate.margin,
            alpha=candidate.alpha,
            term_prior=candidate.term_prior,
            max_term_size=candidate.max_term_size,
            updates=np.empty((0, n_features), dtype=np.int32),
            exponents=np.empty((n_classes, 0), dtype=np.int64),
            denominator=1,
            # Without values, the empty term is the only one.
            log_threshold=0.0,
            n_iter=0,
            n_mistakes=np.empty((0, n_classes), dtype=np.int64),
            scale=candidate.scale if candidate.rule.by_residuals else 1.0,
            validation=None,
            chains={"run": 0, "ladder": 0, "simulated": 0},
            sums={"full": 0, "skipped": 0},
            seed=seed,
            column_conditions=conditions,
            encoding=Encoding.empty(
                n_features,
                n_classes,
                estimator.missing,
                discretizer=candidate.discretizer,
                literals=candidate.literals,
                ordered=conditions.ordered,
            ),
            background=Background.empty(n_features),
            own=[np.empty(0, dtype=np.intp)] * n_classes,
            versions=[0] * n_classes,
        )

    @classmethod
    def of(cls, estimator):
        """Return the model of a fitted estimator, with its current parameters."""
        settings = Settings.of(estimator)
        kept = {name: getattr(estimator, held) for name, held in _ATTRIBUTES.items()}
        for name in _OF_RULE:
            # The scale of residuals is not the scale of probabilities of margins.
            counts = name != "scale" or kept["update"] == "residual"
            value = getattr(settings, name)
            if counts and value != "auto":
                # True is a number for scikit-learn, but not in a file.
                kept[name] = value if name == "update" else float(value)
        return cls(settings, **kept, cache=estimator._cache)

    def attributes(self):
        """Return the attributes that an estimator stores, by their names there."""
        kept = {held: getattr(self, name) for name, held in _ATTRIBUTES.items()}
        return {
            **kept,
            "_cache": Cache(),
            "literals_": self.encoding.literals,
            "missing_": self.encoding.missing,
            "discretizer_": self.encoding.discretizer,
            "categories_": self.encoding.categories,
        }

    def check_unchanged(self, estimator, conditions):
        """Raise an error for parameters that contradict the parameters of the model.

        Parameters
        ----------
        estimator : DNFWinnowClassifier
        conditions : ColumnConditions
            Conditions of the current parameters.

        Raises
        ------
        ValueError
            If training would continue with another meaning of the learned numbers.
        """
        for name in _KEPT:
            value, fitted = getattr(estimator, name), getattr(estimator, f"{name}_")
            if value not in ("auto", fitted):
                _refuse_change(name, value, fitted)
        given = estimator.discretizer
        if not cuts_like(given, self.encoding.discretizer):
            _refuse_change("discretizer", given, self.encoding.discretizer)
        if conditions != self.column_conditions:
            raise ValueError(
                "monotone, forbidden and initial_terms must be the same as in the "
                "first training call; partial_fit cannot change them. Call fit to "
                "train a new model."
            )

    # -- terms -------------------------------------------------------------------------

    @property
    def n_classes(self):
        """Return the number of classes."""
        return len(self.exponents)

    @property
    def log_alpha(self):
        """Return the logarithm of the promotion factor, a unit of exponents."""
        return log(self.alpha) / self.denominator

    @property
    def log_beta(self):
        """Return the logarithm of the initial weight per literal."""
        return log(self.term_prior)

    @cached_property
    def conditions(self):
        """Return the conditions on terms in codes with literals, or None."""
        if not self.column_conditions:
            return None
        key = tuple(getattr(self, name) for name in _CONDITIONED)
        made = partial(self._in_codes, self.column_conditions)
        return self.cache.get("conditions", key, made)

    def warn_of_absent_terms(self):
        """Warn of initial terms that no sample can satisfy, given the known values."""
        given = self.column_conditions
        absent = [
            repr(str(one.term))
            for one in given.initial_terms
            if not self._in_codes(replace(given, initial_terms=(one,))).initial_terms
        ]
        if absent:
            warnings.warn(
                f"Some terms in initial_terms have no effect: {', '.join(absent)}. The "
                "training data do not contain their values.",
                UserWarning,
                stacklevel=stacklevel_of_caller(),
            )

    def _in_codes(self, column_conditions):
        return in_codes(column_conditions, self.encoding, self.n_classes)

    @cached_property
    def literal_updates(self):
        """Return the codes of the stored examples, with literals."""
        return self.encoding.with_literals(self.updates)

    @property
    def rule(self):
        """Return the update rule."""
        return UpdateRule(self.update, self.margin, self.scale)

    @cached_property
    def summation(self):
        """Return the computation of sums, for exponents in the units of this model."""
        return Summation(
            sampler=self.settings.sampler,
            max_term_size=self.max_term_size,
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            seed=self.seed,
            conditions=self.conditions,
        )

    def heaviest_terms(self, k, top, irredundant=False, row=None):
        """Search the top-weighted terms of class k, see `TermModel.heaviest_terms`."""
        if row is not None:
            row = self.encoding.with_literals(row[None])[0]
        search = TermSearch(
            updates=self.literal_updates,
            exponents=self.exponents[k],
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            max_term_size=self.max_term_size,
            row=row,
            conditions=self.conditions,
            k=k,
        )
        return search.heaviest(top, irredundant)

    # -- learning ----------------------------------------------------------------------

    def class_states(self):
        """Return the state of each class at the start of further training."""
        return [
            ClassState(
                updates=self.literal_updates[own],
                exponents=exponents[own],
                version=version,
                places=own,
            )
            for exponents, own, version in zip(self.exponents, self.own, self.versions)
        ]

    def in_units_of(self, denominator):
        """Return the same model, with its exponents in smaller units."""
        times = denominator // self.denominator
        check_sum(largest_sum(self.exponents) * times, denominator)
        exponents = self.exponents * times
        return replace(self, exponents=exponents, denominator=denominator)

    def after(self, all_trained):
        """Return the model after the training of all classes.

        Parameters
        ----------
        all_trained : list of Trained

        Returns
        -------
        model : Model
        """
        chains, sums = self.chains, self.sums
        for trained in all_trained:
            chains, sums = _total(chains, trained.chains), _total(sums, trained.sums)
        mistakes = [trained.mistakes for trained in all_trained]
        counts = np.array(list(zip_longest(*mistakes, fillvalue=0)), dtype=np.int64)
        n_kept = max(_EPOCHS_KEPT, len(counts))
        return replace(
            self._with_updates_of(all_trained),
            n_iter=self.n_iter + len(counts),
            n_mistakes=np.concatenate([self.n_mistakes, counts])[-n_kept:],
            chains=chains,
            sums=sums,
        )

    def _with_updates_of(self, all_trained):
        """Return the model with new stored examples; itself if nothing changed."""
        versions = [trained.version for trained in all_trained]
        sizes = [len(trained.updates) for trained in all_trained]
        if versions == self.versions and sizes == [len(own) for own in self.own]:
            return self
        updates, exponents, own, times = union(all_trained)
        check_sum(largest_sum(exponents), self.denominator * times)
        return replace(
            self,
            updates=np.ascontiguousarray(updates[:, : self.updates.shape[1]]),
            exponents=exponents,
            denominator=self.denominator * times,
            own=own,
            versions=versions,
        )

    # -- scores ------------------------------------------------------------------------

    def log_scores(self, rows):
        """Return log W - log theta of distinct rows of codes: (n_rows, n_classes)."""
        rows = self.encoding.with_literals(rows)
        sums = self.summation.in_parallel(
            self._evaluation(rows, self.summation).log_sums, rows, self.settings.n_jobs
        )
        return sums - self.log_threshold

    def winners(self, rows):
        """Return the class with the highest score of distinct rows: (n_rows,)."""
        rows = self.encoding.with_literals(rows)
        winners = partial(
            self._evaluation(rows, self.summation).winners,
            log_threshold=self.log_threshold,
        )
        return self.summation.in_parallel(winners, rows, self.settings.n_jobs)

    def estimate_log_sums(self, rows):
        """Return log W of distinct rows of codes, and its relative standard error.

        The sampler is always 'auto', which gives exact sums whenever this is feasible.

        Returns
        -------
        log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
        """
        auto = replace(self.summation, sampler=as_auto(self.settings.sampler))
        rows = self.encoding.with_literals(rows)
        evaluation = self._evaluation(rows, auto)
        found = auto.in_parallel(evaluation.estimates, rows, self.settings.n_jobs)
        return found[..., 0], found[..., 1]

    def log_subset_sums(self, row):
        """Return log W for all sets of known attributes, see `TermModel`."""
        codes = self.encoding.with_literals(row[None])[0]
        ways = [
            partial(
                by_terms,
                codes=codes,
                owners=self._owners,
                updates=self.literal_updates,
                exponents=self.exponents,
                log_alpha=self.summation.log_alpha,
                log_beta=self.log_beta,
                max_term_size=self.max_term_size,
                conditions=self.conditions,
            ),
            partial(by_rows, row, self.estimate_log_sums, self.max_term_size),
        ]
        n_literals, n_attributes = np.count_nonzero(codes), np.count_nonzero(row)
        if n_literals > n_attributes + MORE_LITERALS:
            ways.reverse()
        found = ways[0]()
        return ways[1]() if found is None else found

    @cached_property
    def _owners(self):
        """Return the attribute of each column of codes with literals."""
        return np.array([column.attribute for column in self.encoding.columns])

    def questions(self, rows):
        """Yield the arguments of `log_sum` for each row of codes in each class."""
        rows = self.encoding.with_literals(rows)
        evaluation = self.summation.evaluation(
            self.literal_updates, self.exponents, rows
        )
        for row in rows:
            yield from map(evaluation.question(row), range(self.n_classes))

    def _evaluation(self, rows, summation):
        """Return the evaluation of some rows, by term sums if these are faster."""
        found = None
        if summation.sampler.term_by_term:
            found = self.cache.get(
                "term_sums", self._summed, partial(self._term_sums, summation)
            )
        if found is None:
            return summation.evaluation(self.literal_updates, self.exponents, rows)
        return found

    def cached(self, name, make):
        """Return a result that depends on scores and background, computed once."""
        return self.cache.get(name, (*self._summed, self.background), make)

    @property
    def _summed(self):
        """Return the parts of the model that its sums depend on."""
        return tuple(getattr(self, name) for name in _SUMMED)

    def _term_sums(self, summation):
        return term_sums(
            summation=summation,
            updates=self.literal_updates,
            exponents=self.exponents,
            n_values=self.encoding.n_values,
            n_latest=int(self.n_mistakes[-_LATEST:].max(initial=0)),
        )


def _refuse_change(name, value, fitted):
    """Raise an error for another value of a parameter that the model keeps."""
    raise ValueError(
        f"{name}={value!r} differs from the fitted {name}_={fitted!r}, which "
        f"partial_fit cannot change. Call fit to train a new model with "
        f"{name}={value!r}, or set_params({name}={fitted!r}) to continue."
    )


def _total(counts, more):
    return {kind: count + counts[kind] for kind, count in more.items()}

"""Model: what an estimator has learned, as a value that training replaces."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from math import log

import numpy as np

from sklearn_dnfwinnow._preprocessing._literal_columns import (
    n_values_with,
    with_literals,
)
from sklearn_dnfwinnow._preprocessing._value_encoder import ValueEncoder
from sklearn_dnfwinnow._terms._heaviest_terms import TermSearch
from sklearn_dnfwinnow._winnow._exponents import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._implicit_weights import union
from sklearn_dnfwinnow._winnow._settings import Settings, meaning_of
from sklearn_dnfwinnow._winnow._trainer import Winnows
from sklearn_dnfwinnow._winnow._update_budget import NO_LIMIT
from sklearn_dnfwinnow.samplers._registry import as_auto

# `n_mistakes` keeps so many epochs, or all those of the last training call.
_EPOCHS_KEPT = 1000
# Parameters that give what was learned its meaning, which the model keeps.
_KEPT = "alpha", "term_prior", "literals", "missing", "max_term_size"
# What an estimator calls the parts of its model: those that users read, and the rest.
_ATTRIBUTES = {
    "alpha": "alpha_",
    "term_prior": "term_prior_",
    "literals": "literals_",
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
    "encoder": "_encoder",
    "own": "_own",
    "versions": "_versions",
}


@dataclass(frozen=True, eq=False)
class Model:
    """What was learned so far, and the settings to score it and to go on with.

    Nothing is changed in place: an estimator whose training fails keeps the model that
    it had. Parameters that give its numbers their meaning are part of it: `alpha`,
    `term_prior`, `literals`, `max_term_size`, and `missing` of the encoder.

    Parameters
    ----------
    settings : Settings
    alpha, term_prior, literals, updates, exponents, denominator, max_term_size, \
            log_threshold, n_iter, n_mistakes, scale, validation, chains, sums
        As the attributes of :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`;
        `max_term_size` may be 'auto' before the first batch.
    seed : int
        Of all randomness.
    encoder : ValueEncoder
    own : list of ndarrays of int
        Where the updates of each class are among all, in order of arrival.
    versions : list of int
        Numbers of updates made in each class.
    """

    settings: Settings
    alpha: float
    term_prior: float
    literals: str
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
    encoder: ValueEncoder
    own: list
    versions: list

    @classmethod
    def untrained(cls, estimator, seed, n_classes):
        """The model before its first batch: no values known, and no updates.

        Parameters
        ----------
        estimator : DNFWinnowClassifier
            With `n_features_in_` and parameters that were validated.
        seed, n_classes : int
        """
        n_features = estimator.n_features_in_
        kept = {
            name: meaning_of(name, getattr(estimator, name), n_features)
            for name in _KEPT
        }
        encoder = ValueEncoder(kept.pop("missing"), n_features, n_classes)
        return cls(
            **kept,
            settings=Settings.of(estimator),
            updates=np.empty((0, n_features), dtype=np.int32),
            exponents=np.empty((n_classes, 0), dtype=np.int64),
            denominator=1,
            # There is but the empty term.
            log_threshold=0.0,
            n_iter=0,
            n_mistakes=np.empty((0, n_classes), dtype=np.int64),
            scale=1.0,
            validation=None,
            chains={"run": 0, "ladder": 0, "simulated": 0},
            sums={"full": 0, "increments": 0, "skipped": 0},
            seed=seed,
            encoder=encoder,
            own=[np.empty(0, dtype=np.intp)] * n_classes,
            versions=[0] * n_classes,
        )

    @classmethod
    def of(cls, estimator):
        """That of a fitted estimator, with its other parameters as they are now."""
        return cls(
            Settings.of(estimator),
            **{name: getattr(estimator, held) for name, held in _ATTRIBUTES.items()},
        )

    def attributes(self):
        """What an estimator has to keep of it, by the names it has there."""
        kept = {held: getattr(self, name) for name, held in _ATTRIBUTES.items()}
        return {
            **kept,
            "missing_": self.missing,
            "categories_": self.encoder.categories_,
        }

    def check_unchanged(self, estimator):
        """Refuse parameters that stand for something else than what the model keeps.

        Raises
        ------
        ValueError
            If training would go on with another meaning of what was learned.
        """
        for name in _KEPT:
            value, fitted = getattr(estimator, name), getattr(self, name)
            meaning = meaning_of(name, value, estimator.n_features_in_)
            if meaning not in ("auto", fitted):
                raise ValueError(
                    f"{name}={value!r} is not what the model was fitted with: "
                    f"{name}_={fitted!r}, which partial_fit cannot change. Call fit to "
                    f"learn anew with {name}={value!r}, or set_params({name}="
                    f"{fitted!r}) to go on."
                )

    # -- terms -------------------------------------------------------------------------

    @property
    def n_classes(self):
        """Number of classes."""
        return len(self.exponents)

    @property
    def missing(self):
        """What a missing value means."""
        return self.encoder.missing

    @property
    def log_beta(self):
        """Logarithm of the term prior."""
        return log(self.term_prior)

    @property
    def n_values(self):
        """Largest codes of all columns, those of literals behind the others."""
        return n_values_with(
            self.encoder.n_values, self.literals, self.encoder.categories_
        )

    def with_literals(self, codes):
        """Codes of rows as the Winnows have them, a column for each literal behind."""
        return with_literals(codes, self.literals, self.encoder.categories_)

    @cached_property
    def literal_updates(self):
        """Codes of the updates, with literals."""
        return self.with_literals(self.updates)

    @property
    def winnows(self):
        """The Winnows of all classes, for exponents in the units of this model."""
        settings, most = self.settings, self.settings.max_updates
        return Winnows(
            settings.sampler,
            self.max_term_size,
            log(self.alpha) / self.denominator,
            self.log_beta,
            self.seed,
            NO_LIMIT if most is None else min(most, NO_LIMIT),
            settings.multi_class == "joint",
            settings.margin,
            settings.average,
        )

    def search(self, k, row=None):
        """A TermSearch of class k, or of the terms that a row of codes satisfies."""
        if row is not None:
            row = self.with_literals(row[None])[0]
        return TermSearch(
            *(self.literal_updates, self.exponents[k], self.winnows.log_alpha),
            *(self.log_beta, self.max_term_size, row),
        )

    # -- learning ----------------------------------------------------------------------

    def in_units_of(self, denominator):
        """The same model, its exponents in smaller units."""
        times = denominator // self.denominator
        check_sum(largest_sum(self.exponents) * times, denominator)
        exponents = self.exponents * times
        return replace(self, exponents=exponents, denominator=denominator)

    def after(self, all_trained):
        """What the model is after the Winnows of all classes learned.

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
        """The same model where nothing was updated, and nothing forgotten."""
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
        """log W - log theta of some distinct rows of codes: (n_rows, n_classes)."""
        sums = self.winnows.log_sums(
            *(self.literal_updates, self.exponents, self.with_literals(rows)),
            self.settings.n_jobs,
        )
        return sums - self.log_threshold

    def best_estimates(self, rows):
        """log W of some distinct rows of codes, and its relative standard error.

        By the sampler 'auto', whatever was asked for: exact where that can be done.

        Returns
        -------
        log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
        """
        winnows = replace(self.winnows, sampler=as_auto(self.settings.sampler))
        found = winnows.estimates(
            *(self.literal_updates, self.exponents, self.with_literals(rows)),
            self.settings.n_jobs,
        )
        return found[..., 0], found[..., 1]

    def winners(self, rows):
        """The class of the highest score, of some distinct rows of codes: (n_rows,)."""
        return self.winnows.winners(
            *(self.literal_updates, self.exponents, self.with_literals(rows)),
            *(self.log_threshold, self.settings.n_jobs),
        )

    def questions(self, rows):
        """What is asked about some rows of codes, see `Winnows.questions`."""
        return self.winnows.questions(
            self.literal_updates, self.exponents, self.with_literals(rows)
        )


def _total(counts, more):
    return {kind: count + more[kind] for kind, count in counts.items()}

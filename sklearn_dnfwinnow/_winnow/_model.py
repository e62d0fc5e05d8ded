"""Model: the result of training, an immutable value that training replaces."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import zip_longest
from math import lcm
from operator import attrgetter

import numpy as np

from sklearn_dnfwinnow._encoding._discretizer import cuts_like
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow._terms._chosen_terms import ChosenTerms, terms_of
from sklearn_dnfwinnow._terms._heaviest_terms import HeavyTerm, TermSearch
from sklearn_dnfwinnow._terms._implications import Implications
from sklearn_dnfwinnow._utils._computing import distinct_in_order
from sklearn_dnfwinnow._winnow._monotone import Directions
from sklearn_dnfwinnow._winnow._settings import UNCHANGED, Candidate, Settings
from sklearn_dnfwinnow._winnow._stores import check_sum, largest_sum, no_chains
from sklearn_dnfwinnow._winnow._sums import Cache, ChosenSums, Summation, TermSums
from sklearn_dnfwinnow.samplers._registry import as_auto
from sklearn_dnfwinnow.sums._subset_sums import (
    MORE_LITERALS,
    along_permutations,
    by_rows,
    by_terms,
)


@dataclass(frozen=True, eq=False)
class StoredExamples:
    """The stored examples of all classes.

    Parameters
    ----------
    examples : ndarray of shape (m, n_features), int32
        Their codes.
    net_counts : ndarray of shape (n_classes, m), int64
        Net promotion counts, in units of ``1 / denominator``.
    denominator : int
    own : list of ndarrays of int
        Positions of the stored examples of each class among all, in order of arrival.
    versions : list of int
        Number of updates in each class.
    are_terms : bool, default=False
        Whether the examples are chosen terms, in codes with literals. A net count is
        then that of one term, and not of all that an example satisfies.
    """

    examples: np.ndarray
    net_counts: np.ndarray
    denominator: int
    own: list
    versions: list
    are_terms: bool = False

    @classmethod
    def empty(cls, n_features, n_classes):
        """Return no examples."""
        examples = np.empty((0, n_features), dtype=np.int32)
        return cls.of(examples, np.empty((n_classes, 0), dtype=np.int64))

    @classmethod
    def of(cls, examples, net_counts, denominator=1, are_terms=False):
        """Return given examples, as those of all classes before any update."""
        return cls(
            examples=examples,
            net_counts=net_counts,
            denominator=denominator,
            own=[np.arange(len(examples), dtype=np.intp)] * len(net_counts),
            versions=[0] * len(net_counts),
            are_terms=are_terms,
        )

    def in_units_of(self, denominator):
        """Return the same examples, with net promotion counts in smaller units."""
        times = denominator // self.denominator
        check_sum(largest_sum(self.net_counts) * times, denominator)
        net_counts = self.net_counts * times
        return replace(self, net_counts=net_counts, denominator=denominator)

    def after(self, all_trained):
        """Return the examples after training; the same object if nothing changed.

        Parameters
        ----------
        all_trained : list of TrainedClass
        """
        versions = [trained.version for trained in all_trained]
        sizes = [len(trained.examples) for trained in all_trained]
        if versions == self.versions and sizes == [len(own) for own in self.own]:
            return self
        # Rows of one block have the same examples.
        distinct = all_trained[0].examples
        places = np.tile(np.arange(len(distinct)), len(all_trained))
        if any(trained.examples is not distinct for trained in all_trained):
            distinct, places = distinct_in_order(
                np.concatenate([trained.examples for trained in all_trained])
            )
        ends = np.cumsum([len(trained.net_counts) for trained in all_trained])
        owned = np.split(places, ends[:-1])
        times = lcm(*(trained.times for trained in all_trained))
        net_counts = np.zeros((len(all_trained), len(distinct)), dtype=np.int64)
        for row, own, trained in zip(net_counts, owned, all_trained):
            more = times // trained.times
            check_sum(largest_sum(trained.net_counts) * more, times)
            row[own] = trained.net_counts * more
        # Reduced to the smallest integers.
        common = int(np.gcd.reduce(net_counts, axis=None, initial=times))
        net_counts //= common
        denominator = self.denominator * (times // common)
        check_sum(largest_sum(net_counts), denominator)
        return replace(
            self,
            examples=np.ascontiguousarray(distinct[:, : self.examples.shape[1]]),
            net_counts=net_counts,
            denominator=denominator,
            own=owned,
            versions=versions,
        )


# Number of epochs in `n_mistakes`, unless the last training call has more.
_EPOCHS_KEPT = 1000


@dataclass(frozen=True, eq=False)
class TrainingRecord:
    """The course of all training calls, and a sample of the rows.

    Parameters
    ----------
    n_iter, n_mistakes, chains, sums, validation
        See the attributes of :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    background : Background
        A sample of the training rows, weighted by their sample weights.
    """

    n_mistakes: np.ndarray
    background: Background
    n_iter: int = 0
    chains: dict = field(default_factory=no_chains)
    sums: dict = field(default_factory=lambda: {"full": 0, "skipped": 0})
    validation: dict | None = None

    def after(self, all_trained):
        """Return the record with another training call.

        Parameters
        ----------
        all_trained : list of TrainedClass
        """
        mistakes = [trained.mistakes for trained in all_trained]
        counts = np.array(list(zip_longest(*mistakes, fillvalue=0)), dtype=np.int64)
        n_kept = max(_EPOCHS_KEPT, len(counts))
        return replace(
            self,
            n_iter=self.n_iter + len(counts),
            n_mistakes=np.concatenate([self.n_mistakes, counts])[-n_kept:],
            chains=totals([self.chains, *(one.chains for one in all_trained)]),
            sums=totals([self.sums, *(one.sums for one in all_trained)]),
        )


def totals(counts):
    """Return the totals of dicts with the same keys."""
    return {kind: sum(each[kind] for each in counts) for kind in counts[0]}


# Parts of a model that its allowed literals depend on, and those of its sums.
_ALLOWED = attrgetter("directions", "encoding")
_SUMMED = attrgetter(
    "encoding",
    "stored",
    "candidate",
    "directions",
    "record.n_mistakes",
)


def _part(path):
    """Return a property that is a part of one of the values of a model."""
    return property(attrgetter(path))


class Scores:
    """Base class of a model and of an average of models: scores, by their log W."""

    def log_scores(self, rows):
        """Return the scores of distinct rows of codes: (n_rows, n_classes)."""
        return self.log_sums(rows) - self.log_thresholds

    def term_shares(self, k, terms, rows):
        """Return the relative contributions of terms to the sums of rows.

        Parameters
        ----------
        k : int
            Index of the class.
        terms : list of HeavyTerm
            As `heaviest_terms` returns them.
        rows : ndarray of shape (n_rows, n_features), int32
            Codes; a term is taken as satisfied.

        Returns
        -------
        shares : ndarray of shape (n_terms, n_rows), float64
            Those of all terms of a model that a row satisfies add up to its weight.
        """
        estimates = self.estimates_of_models(rows)
        shares = np.empty((len(terms), len(rows)))
        for of_term, term in zip(shares, terms):
            log_sums, _ = estimates[term.model]
            log_shares = np.minimum(term.log_weight - log_sums[:, k], 0.0)
            of_term[:] = self.weights[term.model] * np.exp(log_shares)
        return shares


@dataclass(frozen=True, eq=False)
class Model(Scores):
    """The result of training, with the settings of scores and of further training.

    Nothing is changed in place: an estimator whose training fails keeps its model.

    Parameters
    ----------
    encoding : Encoding
        From tables to codes.
    stored : StoredExamples
        What was learned.
    candidate : Candidate
        What the numbers mean that were learned. `max_term_size` may be 'auto' before
        the first batch.
    directions : Directions
        Directions of `monotonic_cst`, of the first training call.
    log_threshold : float
        log theta.
    offsets : ndarray of shape (n_classes,), float64
        Added to the scores log W - log theta of the classes.
    seed : int
        Seed of all randomness.
    record : TrainingRecord
        What training did.
    settings : Settings
        The parameters of the current call.
    cache : Cache
        Cache of term sums.
    """

    encoding: Encoding
    stored: StoredExamples
    candidate: Candidate
    directions: Directions
    log_threshold: float
    offsets: np.ndarray
    seed: int
    record: TrainingRecord
    settings: Settings
    cache: Cache = field(default_factory=Cache)

    denominator = _part("stored.denominator")
    log_beta = _part("candidate.log_beta")
    max_term_size = _part("candidate.max_term_size")
    scale = _part("candidate.scale")
    background = _part("record.background")
    rule = _part("candidate.rule")

    # -- as an average of one model ----------------------------------------------------

    # Weights of its models, and factors of their log W in that of the average.
    weights = factors = np.ones(1)

    @property
    def models(self):
        """Return the models whose log-odds are averaged."""
        return (self,)

    def estimates_of_models(self, rows):
        """Return log W of rows of codes, and its standard error, for each model."""
        return [self.estimate_log_sums(rows)]

    def mean_estimates(self, found):
        """Return the estimates of this model, from those of its models."""
        return found[0]

    # -- training ----------------------------------------------------------------------

    @classmethod
    def untrained(cls, estimator, candidate, seed, missing, directions, settings):
        """Return the model before its first batch, without values and stored examples.

        Parameters
        ----------
        estimator : DNFWinnowClassifier
            With `n_features_in_`, `classes_`, and validated parameters.
        candidate : Candidate
        seed : int
        missing : str or tuple of int
            See `Encoding`.
        directions : Directions
        settings : Settings
        """
        n_features, n_classes = estimator.n_features_in_, len(estimator.classes_)
        return cls(
            encoding=Encoding.empty(
                n_features,
                n_classes,
                missing,
                discretizer=candidate.discretizer,
                literals=candidate.literals,
                ordered=directions.columns,
                nearest=estimator.discretizer is not None,
            ),
            stored=StoredExamples.empty(n_features, n_classes),
            candidate=candidate,
            directions=directions,
            # Without values, the empty term is the only one.
            log_threshold=0.0,
            offsets=np.zeros(n_classes),
            seed=seed,
            record=TrainingRecord(
                n_mistakes=np.empty((0, n_classes), dtype=np.int64),
                background=Background.empty(n_features),
            ),
            settings=settings,
        )

    def with_models(self, models, batch):
        """Return the model after a batch, see `Average.with_models`."""
        (model,) = models
        return model

    def with_parameters(self, estimator):
        """Return the model with the parameters of another call."""
        return replace(
            self,
            settings=Settings.of(estimator),
            candidate=self.candidate.with_rule_of(estimator),
        )

    def with_record(self, **changes):
        """Return the model with another record."""
        return replace(self, record=replace(self.record, **changes))

    def check_unchanged(self, estimator, directions):
        """Raise an error for parameters that contradict the parameters of the model.

        Parameters
        ----------
        estimator : DNFWinnowClassifier
        directions : Directions
            Directions of the current parameters.

        Raises
        ------
        ValueError
            If training would continue with another meaning of the learned numbers.
        """
        kept = {name: getattr(self.candidate, name) for name in UNCHANGED}
        for name, fitted in {**kept, "missing": self.encoding.missing}.items():
            value = getattr(estimator, name)
            if value not in ("auto", fitted):
                _refuse_change(name, value, fitted)
        given = estimator.discretizer
        if not cuts_like(given, self.encoding.discretizer):
            _refuse_change("discretizer", given, self.encoding.discretizer)
        if directions != self.directions:
            raise ValueError(
                "monotonic_cst must be the same as in the first training call; "
                "partial_fit cannot change it. Call fit to train a new model."
            )

    # -- terms -------------------------------------------------------------------------

    @property
    def n_classes(self):
        """Return the number of classes."""
        return len(self.stored.net_counts)

    @property
    def log_alpha(self):
        """Return the logarithm of the promotion factor, a unit of net counts."""
        return self.candidate.log_alpha / self.denominator

    @cached_property
    def allowed(self):
        """Return the Allowed literals of each class, None for all."""
        make = partial(self.directions.allowed, self.encoding, self.n_classes)
        return self.cache.get("allowed", _ALLOWED(self), make)

    @property
    def examples(self):
        """Return the codes of the stored examples; none if these are chosen terms."""
        if self.stored.are_terms:
            return np.empty((0, len(self.encoding.attributes)), dtype=np.int32)
        return self.stored.examples

    @cached_property
    def literal_examples(self):
        """Return the codes of the stored examples, with literals.

        For chosen terms, rows that move these terms only: them and all their parts.
        """
        if self.chosen_terms is not None:
            return self.chosen_terms.with_parts.rows
        return self.encoding.with_literals(self.examples)

    @cached_property
    def net_counts(self):
        """Return the net counts of `literal_examples`: (n_classes, n_examples)."""
        if self.chosen_terms is None:
            return self.stored.net_counts
        every = self.chosen_terms.with_parts
        of_terms = np.zeros((self.n_classes, len(every.terms)), dtype=np.int64)
        of_terms[:, every.places_of(self.chosen_terms.terms)] = self.stored.net_counts
        return every.net_counts_of_rows(of_terms)

    @cached_property
    def chosen_terms(self):
        """Return the ChosenTerms of screening, None if all terms are learned."""
        if not self.stored.are_terms:
            return None
        return ChosenTerms(terms_of(self.stored.examples), self.encoding.n_values)

    @cached_property
    def summation(self):
        """Return the computation of sums, for net counts in the units of this model."""
        return Summation(
            sampler=self.settings.sampler,
            max_term_size=self.max_term_size,
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            seed=self.seed,
            allowed=self.allowed,
        )

    @cached_property
    def _implications(self):
        """Return the Implications of literals for each class."""
        columns, size = self.encoding.columns, self.max_term_size
        if self.allowed is None:
            return [Implications(columns, None, size)] * self.n_classes
        return [Implications(columns, own, size) for own in self.allowed.flags]

    def heaviest_terms(self, k, top, row=None):
        """Search the top-weighted terms of a class.

        Parameters
        ----------
        k : int
            Index of the class.
        top : int
            Number of terms.
        row : ndarray of shape (n_features,), int32, default=None
            Codes of a row that satisfies the terms; None for any terms.

        Returns
        -------
        terms : list of HeavyTerm
            By descending weight. Literals are pairs of a column of
            `Encoding.with_literals` and a code.

        Raises
        ------
        GaveUp
            If the search took too long.
        """
        if row is not None:
            row = self.encoding.with_literals(row[None])[0]
        if self.chosen_terms is None:
            examples, net_counts = self.literal_examples, self.net_counts[k]
            chosen = None
        else:
            examples = self.stored.examples[:0]
            net_counts = self.stored.net_counts[k, :0]
            chosen = [
                HeavyTerm(literals, int(net_count), float(log_weight))
                for literals, net_count, log_weight in zip(
                    self.chosen_terms.terms,
                    self.stored.net_counts[k],
                    self._chosen_sums.log_weights[k],
                )
                if log_weight > -np.inf
            ]
        search = TermSearch(
            examples=examples,
            net_counts=net_counts,
            implications=self._implications[k],
            chosen=chosen,
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            max_term_size=self.max_term_size,
            row=row,
            allowed=self.allowed,
            k=k,
        )
        return search.heaviest(top)

    # -- learning ----------------------------------------------------------------------

    def in_units_of(self, denominator):
        """Return the same model, with its net counts in smaller units."""
        return replace(self, stored=self.stored.in_units_of(denominator))

    def after(self, all_trained):
        """Return the model after the training of all classes.

        Parameters
        ----------
        all_trained : list of TrainedClass

        Returns
        -------
        model : Model
        """
        return replace(
            self,
            stored=self.stored.after(all_trained),
            record=self.record.after(all_trained),
            cache=Cache(),
        )

    # -- scores ------------------------------------------------------------------------

    @property
    def log_thresholds(self):
        """Return log theta of each class, with its offset: (n_classes,)."""
        return self.log_threshold - self.offsets

    @property
    def intercepts(self):
        """Return the log-odds that probabilities add to those of log W."""
        return self.scale * self.offsets

    def log_sums(self, rows):
        """Return log W of distinct rows of codes: (n_rows, n_classes)."""
        return self._estimates(rows, self.summation)[..., 0]

    def estimate_log_sums(self, rows):
        """Return log W of distinct rows of codes, and its relative standard error.

        The sampler is always 'auto', which gives exact sums whenever this is feasible.

        Returns
        -------
        log_sums, std_errors : ndarrays of shape (n_rows, n_classes)
            The errors of exact sums are 0.
        """
        sampler = as_auto(self.settings.sampler)
        found = self._estimates(rows, replace(self.summation, sampler=sampler))
        return found[..., 0], found[..., 1]

    def _estimates(self, rows, summation):
        """Return log W and its standard error: (n_rows, n_classes, 2)."""
        rows = self.encoding.with_literals(rows)
        estimates = self._evaluation(rows, summation).estimates
        return summation.in_parallel(estimates, rows, self.settings.n_jobs)

    def log_subset_sums(self, row):
        """Return log W of a row for all sets of known attributes.

        Parameters
        ----------
        row : ndarray of shape (n_features,), int32
            Codes; n attributes are specified.

        Returns
        -------
        log_sums : ndarray of shape (n_classes, 2 ** n), float64, or None
            Bit j of an index is 1 if the j-th specified attribute is known; the others
            are unspecified. None if there are too many sets for exact sums.
        """
        codes = self.encoding.with_literals(row[None])[0]
        ways = [
            partial(
                by_terms,
                self.summation,
                codes=codes,
                owners=np.array([c.attribute for c in self.encoding.columns]),
                examples=self.literal_examples,
                net_counts=self.net_counts,
            ),
            partial(by_rows, row, self.estimate_log_sums, self.max_term_size),
        ]
        n_literals, n_attributes = np.count_nonzero(codes), np.count_nonzero(row)
        if n_literals > n_attributes + MORE_LITERALS:
            ways.reverse()
        found = ways[0]()
        return ways[1]() if found is None else found

    def log_sums_along(self, row, places):
        """Return log W of a row as attributes become known, in some permutations.

        Parameters
        ----------
        row : ndarray of shape (n_features,), int32
            Codes; n attributes are specified.
        places : ndarray of shape (n_permutations, n), int
            The places of these attributes in the permutations.

        Returns
        -------
        log_sums : ndarray of shape (n_permutations, n + 1, n_classes), or None
            None if sums of rows are faster, or are estimates.
        """
        return along_permutations(
            row, places, self.estimate_log_sums, self.max_term_size
        )

    def questions(self, rows):
        """Yield the keywords of `log_sum` for each row of codes in each class."""
        rows = self.encoding.with_literals(rows)
        evaluation = self.summation.evaluation(
            self.literal_examples, self.net_counts, rows
        )
        for row in rows:
            for k in range(self.n_classes):
                yield evaluation.question(row, k)

    def _evaluation(self, rows, summation):
        """Return the evaluation of some rows, by term sums if these are faster."""
        found = None
        if self.stored.are_terms and not summation.sampler.runs_chains:
            return self._chosen_sums
        if summation.sampler.term_by_term:
            make = partial(TermSums.of, self, summation)
            found = self.cache.get("term_sums", self.summed, make)
        if found is None:
            return summation.evaluation(self.literal_examples, self.net_counts, rows)
        return found

    @property
    def _chosen_sums(self):
        """Return the evaluation of a model whose terms are chosen."""
        return self.cache.get("chosen_sums", self.summed, partial(ChosenSums, self))

    @property
    def summed(self):
        """Return the values of the model that its sums depend on."""
        return _SUMMED(self)

    def cached(self, name, make):
        """Return a result that depends on scores and background, computed once."""
        return self.cache.get(name, (*self.summed, self.background), make)


def _refuse_change(name, value, fitted):
    """Raise an error for another value of a parameter that the model keeps."""
    raise ValueError(
        f"{name}={value!r} differs from the fitted {name}_={fitted!r}, which "
        f"partial_fit cannot change. Call fit to train a new model with "
        f"{name}={value!r}, or set_params({name}={fitted!r}) to continue."
    )

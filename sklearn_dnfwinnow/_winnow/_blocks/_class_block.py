"""Class block: one class against the threshold, or all classes against each other."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import presentation
from sklearn_dnfwinnow._terms._index_choice import TooManyTerms, index_to_present
from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums
from sklearn_dnfwinnow._utils._distinct_rows import distinct_in_order
from sklearn_dnfwinnow._winnow._blocks._block import Block, Trained
from sklearn_dnfwinnow._winnow._net_counts import check_sum, largest_sum
from sklearn_dnfwinnow._winnow._stores._implicit_weights import ImplicitWeights
from sklearn_dnfwinnow._winnow._stores._term_table import TermTable
from sklearn_dnfwinnow._winnow._stores._update_budget import NO_LIMIT, merged

# W and theta are sums of logarithms in different orders. If they are mathematically
# equal, W >= theta must hold.
_ROUNDING = 1e-12
# With a maximum term size, a table takes as long as the sums of one row per this number
# of stored examples.
_UPDATES_A_ROW = 128


class ClassInTraining:
    """The stored examples of one class, and the store of its weights.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes: the stored examples, and the rows to be presented.
    net : ndarray of shape (n_rows,), int64
        Net promotion counts of all rows, which training changes.
    places : ndarray of int
        Rows that are stored examples, oldest first.
    version : int
        Number of updates so far.
    store : TermTable or ImplicitWeights
        For these net promotion counts.
    max_stored_examples : int
        Maximum number of stored examples, see :mod:`.._stores._update_budget`.
    """

    def __init__(self, rows, net, places, version, store, max_stored_examples=NO_LIMIT):
        self.rows, self.net, self.store = rows, net, store
        self.max_stored_examples, self.discarded = max_stored_examples, np.zeros(2)
        known = np.zeros(len(rows), dtype=np.uint8)
        known[places] = True
        self._arrivals = np.zeros(len(rows), dtype=np.int64)
        self._arrivals[: len(places)] = places
        self.kernel = presentation.ClassInTraining(
            store=store.kernel,
            net=net,
            known=known,
            arrivals=self._arrivals,
            n_stored=len(places),
            version=version,
            bounds=store.first_bounds(),
        )

    @property
    def places(self):
        """Rows that are stored examples, oldest first."""
        return self._arrivals[: self.kernel.n_stored]

    def drop_excess(self):
        """Discard stored examples if there are too many."""
        places = self.places.copy()
        if len(places) <= self.max_stored_examples:
            return
        stay, sums, discarded = merged(
            self.rows[places], self.net[places], self.max_stored_examples
        )
        self.discarded += discarded
        aims = np.zeros_like(places)
        aims[stay] = sums
        for place, aim in zip(places, aims):
            amount = int(aim - self.net[place])
            while amount and not self.kernel.move(place, amount):
                self.store.make_room(abs(amount))
        self.kernel.keep(places[stay])


class ClassBlock(Block):
    """Training of one class against the threshold, or of all classes jointly.

    With two classes in joint training the net promotion counts are opposite: this is
    Balanced Winnow (Littlestone 1989), over all terms.

    Parameters
    ----------
    summation : Summation
    rule : UpdateRule
    log_threshold : float
        log theta.
    rows : Repetitions
    states : list of ClassState
        State of each class at the start.
    index : TermIndex or None
        Index of the stored examples and the rows.
    average : bool
        Whether the result is the mean over epochs, see `Block`.
    max_stored_examples : int
        Maximum number of stored examples, see :mod:`.._stores._update_budget`.
    k : int or None
        The class; None for all classes.
    """

    def __init__(
        self,
        *,
        summation,
        rule,
        log_threshold,
        rows,
        states,
        index=None,
        average=False,
        max_stored_examples=NO_LIMIT,
        k=None,
    ):
        self._rule, self._log_threshold = rule, None
        self._guesses = np.zeros(len(rows.codes), dtype=np.uint8)
        numbers, labels = range(len(states)), rows.labels
        if k is not None:
            numbers, labels = [k], labels != k
            self._log_threshold = _but_for_rounding(log_threshold)
        states = [states[j] for j in numbers]
        self._labels = np.ascontiguousarray(labels, dtype=np.int64)
        if index is None:
            distinct, found = distinct_in_order(
                np.concatenate([*(state.examples for state in states), rows.codes])
            )
            ends = np.cumsum([len(state.examples) for state in states])
            *all_places, self._places = np.split(found, ends)
            if k is not None:
                self._guesses[:] = first_guesses(
                    codes=rows.codes,
                    log_beta=summation.log_beta,
                    log_threshold=log_threshold,
                    max_term_size=summation.max_term_size,
                )
        else:
            distinct, self._places = index.rows, index.positions(rows.codes)
            all_places = [
                np.arange(len(state.examples)) if state.places is None else state.places
                for state in states
            ]
        self._distinct = distinct
        net = np.zeros((len(states), len(distinct)), dtype=np.int64)
        self.classes, store = [], None
        for j, counts, places, state in zip(numbers, net, all_places, states):
            counts[places] = state.net_counts
            if index is None:
                store = ImplicitWeights(distinct, summation, j)
            else:
                store = TermTable(
                    index=index,
                    log_alpha=summation.log_alpha,
                    net=counts,
                    allowed=summation.allowed,
                    k=j,
                    log_threshold=self._log_threshold or 0.0,
                    owner=store,
                )
            self.classes.append(
                ClassInTraining(
                    rows=distinct,
                    net=counts,
                    places=places,
                    version=state.version,
                    store=store,
                    max_stored_examples=max_stored_examples,
                )
            )
        super().__init__(
            rows=rows,
            net=net,
            n_examples=self._versions(),
            largest=largest_sum(net),
            average=average,
        )

    def trained(self):
        """Return the result of each class: list of Trained."""
        return [
            Trained(
                examples=self._distinct[seen],
                net_counts=total[seen],
                version=class_.kernel.version,
                mistakes=list(counts),
                chains=class_.store.chains,
                sums=class_.kernel.sums,
                times=self._times,
                discarded=class_.discarded,
            )
            for class_, seen, total, counts in zip(
                self.classes, self._seen, self._total, zip(*self.mistakes)
            )
        ]

    def present(self, order):
        """Present some samples, one after another."""
        position = remaining = 0
        self._drop_excess()
        while position < len(order):
            position, remaining = presentation.present(
                classes=[class_.kernel for class_ in self.classes],
                order=order,
                rows=self._places,
                labels=self._labels,
                units=self._rows.units,
                guesses=self._guesses,
                one=self._rows.one,
                rule=self._rule,
                log_threshold=self._log_threshold,
                most_stored=self.classes[0].max_stored_examples,
                position=position,
                remaining=remaining,
            )
            self._drop_excess()
            if position < len(order):
                for class_ in self.classes:
                    class_.store.make_room(self._rows.one)
        self._n_examples = self._versions()

    def _drop_excess(self):
        for class_ in self.classes:
            class_.drop_excess()

    def _versions(self):
        return np.array([class_.kernel.version for class_ in self.classes])

    def _continues(self, wrong):
        self.mistakes.append(wrong.tolist())
        return bool(wrong.any())

    def _restart(self):
        super()._restart()
        self._largest = 0.0
        self._seen = [np.empty(0, dtype=np.int64) for _ in self.classes]

    def _add(self, times):
        self._largest += times * largest_sum(self._net)
        check_sum(self._largest)
        super()._add(times)
        self._seen = [
            _in_order(seen, class_.places)
            for seen, class_ in zip(self._seen, self.classes)
        ]


def _in_order(seen, places):
    """Return distinct rows: those seen before, and then others."""
    if np.array_equal(seen, places[: len(seen)]):
        # No stored examples were dropped so far.
        return places.copy()
    both = np.concatenate([seen, places])
    return both[np.sort(np.unique(both, return_index=True)[1])]


def _but_for_rounding(log_threshold):
    return log_threshold - _ROUNDING * max(1.0, abs(log_threshold))


def first_guesses(codes, log_beta, log_threshold, max_term_size=None):
    """Return whether W reaches theta before any update, for each row of codes.

    Guesses decide what is computed first. They are those of all terms, allowed or not.
    """
    log_first = log_initial_sums(codes, log_beta, max_term_size)
    return log_first >= _but_for_rounding(log_threshold)


def index_for(summation, examples, codes, n_values):
    """Return the index of term tables for some rows, or None without tables.

    Parameters
    ----------
    summation : Summation
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples so far, in all classes.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows to be presented.
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.

    Returns
    -------
    index : TermIndex or None
    """
    if not summation.sampler.term_by_term:
        return None
    capped = summation.max_term_size is not None
    optional = not (summation.sampler.table_required or capped)
    # A table is built from all stored examples, which is too slow for a small batch.
    few = (_UPDATES_A_ROW if capped else 1) * len(codes) < len(examples)
    if few and (optional or capped):
        return None
    try:
        return index_to_present(
            examples=examples,
            codes=codes,
            n_values=n_values,
            max_term_size=summation.max_term_size,
            log_beta=summation.log_beta,
            may_group=summation.allowed is None,
        )
    except TooManyTerms:
        if optional:
            return None
        raise

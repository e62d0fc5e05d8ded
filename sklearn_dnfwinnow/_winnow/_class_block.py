"""Class block: the training of one class, or of all classes against each other."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._kernels import presentation
from sklearn_dnfwinnow._terms._term_index import (
    TooManyTerms,
    index_to_present,
    log_initial_sums,
)
from sklearn_dnfwinnow._utils._computing import distinct_in_order
from sklearn_dnfwinnow._winnow._stores import (
    NO_LIMIT,
    ImplicitWeights,
    TermTable,
    check_sum,
    largest_sum,
    merged,
)


@dataclass
class TrainedClass:
    """The result of the training of one class.

    Attributes
    ----------
    examples, version : ndarray and int
        Stored examples in order of arrival, and version of the weights, after training.
    net_counts : ndarray of shape (m,), int64
        Sums of net promotion counts over `times` epochs, each at the end of the epoch.
    mistakes : list of int
        Number of updates in each epoch; training stops after an epoch without updates.
    chains : dict of str to int
        Numbers of Markov chains of the sums: 'run' and 'ladder', those used and those
        of the full ladder, and 'simulated', those run.
    sums : dict of str to int
        Numbers of sums: those computed in 'full', and those 'skipped' because bounds
        determined their side of the threshold.
    times : int
    discarded : array-like of shape (2,), float
        Sum of the absolute net promotion counts that `max_stored_examples` discarded,
        and the part that is lost.
    """

    examples: np.ndarray
    net_counts: np.ndarray
    version: int
    mistakes: list
    chains: dict
    sums: dict
    times: int = 1
    discarded: Sequence = (0.0, 0.0)


class Block:
    """Trainings on the same rows in the same order: one, or several in lanes.

    A kind of block has the net promotion counts of all rows in `_net`, the number of
    updates so far in `_n_examples`, and the methods `present`, `_continues` and
    `trained`.

    Parameters
    ----------
    rows : Repetitions
    net : ndarray, int64
        Net promotion counts in each class, which training changes.
    n_examples : ndarray of int64
    largest : float
        Largest sum of the absolute net counts of a class before training.
    average : bool
        Whether the result is the mean over epochs, see `train`. The last mistakes have
        too much influence, and the mean is more stable (as with the averaged perceptron
        of Freund & Schapire 1999). It is stored as a sum of integers.

    Attributes
    ----------
    n_epochs : int
        Number of epochs so far.
    mistakes : list of ndarrays
        Number of updates in each epoch.
    """

    def __init__(self, rows, net, n_examples, largest, average):
        self.n_epochs, self.mistakes = 0, []
        self._rows, self._average = rows, average
        self._orders = rows.orders()
        self._net, self._n_examples = net, n_examples
        # Sum of the counts after each epoch since the last start, and how many.
        self._total, self._times = np.zeros_like(net), 0
        # Bound of the promotions and demotions of a class, in units: before training,
        # in the epochs so far, and in the next epoch.
        self._most = largest + float(rows.units.sum())

    def train(self, n_epochs, progress):
        """Train for some more epochs; the result is of these epochs only.

        Parameters
        ----------
        n_epochs : int
        progress : Progress
            Receives a report of each epoch, and can stop training after it.

        Returns
        -------
        over : bool
            Whether nothing would change in more epochs, or progress stopped training.
        """
        self._restart()
        for left in range(n_epochs, 0, -1):
            check_sum(self._most, self._rows.one)
            before = self._n_examples.copy()
            progress.begin()
            for part in progress.parts(next(self._orders)):
                self.present(np.ascontiguousarray(part, dtype=np.int64))
                progress.so_far(f"{(self._n_examples - before).sum()} updates")
            wrong = self._n_examples - before
            self._most += float(wrong.max()) * self._rows.one
            self.n_epochs += 1
            learned = not self._continues(wrong)
            over = progress.end(f"{wrong.sum()} updates") or learned
            if self._average:
                # The epochs that are left would end as this one did.
                self._add(left if learned else 1)
            elif over or left == 1:
                self._add(1)
            if over:
                return True
        return False

    def _restart(self):
        self._total[:], self._times = 0, 0

    def _add(self, times):
        self._total += times * self._net
        self._times += times


def checkpoints(n_epochs):
    """Return the epochs of comparisons: 2, 4, 8, 12, 16, 24, 32, ... and the last.

    Averages are over the epochs since the previous checkpoint, a quarter to a half of
    all epochs. Their number is a power of two, so that denominators remain small.
    """
    ends = {2, 4, *(s << i for s in (2, 3) for i in range(2, n_epochs.bit_length()))}
    return sorted({n_epochs, *(end for end in ends if end < n_epochs)})


def learn(make, n_epochs, k, progress):
    """Train a block to the end.

    The block is made by the task that trains it, so that the number of tables does not
    exceed the number of classes in training; only the result leaves its process.

    Parameters
    ----------
    make : callable
        Returns a block of class k.
    n_epochs : int
        Maximum number of epochs.
    k : int or None
        None for all classes.
    progress : Progress
        Receives a report of each epoch, and can stop training after it.

    Returns
    -------
    trained : list of TrainedClass
        Result of each class of the block.
    """
    block = make(k=k)
    progress.start()
    for end in checkpoints(n_epochs):
        if block.train(end - block.n_epochs, progress):
            break
    progress.finish()
    return block.trained()


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
    """

    def __init__(self, rows, net, places, version, store):
        self.rows, self.net, self.store = rows, net, store
        self.discarded = np.zeros(2)
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

    def drop_excess(self, most):
        """Discard stored examples if there are more than so many, see `merged`."""
        places = self.places.copy()
        if len(places) <= most:
            return
        stay, sums, discarded = merged(self.rows[places], self.net[places], most)
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
    model : Model
        With the stored examples at the start.
    rows : Repetitions
    index : TermIndex or None
        Index of the stored examples and the rows.
    k : int or None
        The class; None for all classes.
    """

    def __init__(self, model, rows, index, k=None):
        summation, stored, settings = model.summation, model.stored, model.settings
        self._rule, self._log_threshold = model.rule, None
        self._most_stored = min(settings.max_stored_examples or NO_LIMIT, NO_LIMIT)
        self._guesses = np.zeros(len(rows.codes), dtype=np.uint8)
        numbers, labels = range(len(stored.own)), rows.labels
        if k is not None:
            numbers, labels = [k], labels != k
            rounding = _ROUNDING * max(1.0, abs(model.log_threshold))
            self._log_threshold = model.log_threshold - rounding
        self._labels = np.ascontiguousarray(labels, dtype=np.int64)
        own = stored.own
        if index is None:
            examples = model.literal_examples
            if k is not None:
                examples, own = examples[own[k]], {k: np.arange(len(own[k]))}
                # They decide what is computed first: whether W reaches theta before
                # any update, over all terms, allowed or not.
                first_sums = log_initial_sums(
                    rows.codes, summation.log_beta, summation.max_term_size
                )
                self._guesses[:] = first_sums >= self._log_threshold
            distinct, found = distinct_in_order(np.concatenate([examples, rows.codes]))
            self._places = found[len(examples) :]
        else:
            distinct, self._places = index.rows, index.positions(rows.codes)
        self._distinct = distinct
        net = np.zeros((len(numbers), len(distinct)), dtype=np.int64)
        self.classes, store = [], None
        for j, counts in zip(numbers, net):
            counts[own[j]] = stored.net_counts[j, stored.own[j]]
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
                    places=own[j],
                    version=stored.versions[j],
                    store=store,
                )
            )
        super().__init__(
            rows=rows,
            net=net,
            n_examples=self._versions(),
            largest=largest_sum(net),
            average=settings.average,
        )

    def trained(self):
        """Return the result of each class: list of TrainedClass."""
        return [
            TrainedClass(
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
        """Present some rows, one after another."""
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
                most_stored=self._most_stored,
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
            class_.drop_excess(self._most_stored)

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


def index_for(model, codes):
    """Return the index of term tables for some rows, or None without tables.

    Parameters
    ----------
    model : Model
        With the stored examples so far, in all classes.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows to be presented.

    Returns
    -------
    index : TermIndex or None
    """
    summation, examples = model.summation, model.literal_examples
    if not summation.sampler.term_by_term:
        return None
    capped = summation.max_term_size is not None
    optional = summation.sampler.prefers_exact and not capped
    # A table is built from all stored examples, which is too slow for a small batch.
    few = (_UPDATES_A_ROW if capped else 1) * len(codes) < len(examples)
    if few and (optional or capped):
        return None
    try:
        return index_to_present(
            summation,
            examples=examples,
            codes=codes,
            n_values=model.encoding.n_values,
            may_group=summation.allowed is None,
        )
    except TooManyTerms:
        if optional:
            return None
        raise


# Maximum memory of the classes that are trained at the same time, and the number of
# classes from which it is checked: with fewer, the rows or terms are too many, and not
# the classes.
_MOST_CLASS_BYTES, _MANY_CLASSES = 1 << 32, 64


def bytes_of_lanes(n_terms, n_rows, n_lanes):
    """Return the memory of lanes: weights, averaged weights, and net counts.

    Classes that are trained without lanes take about as much.
    """
    return n_lanes * (2 * 4 * n_terms + 3 * 8 * n_rows)


def check_bytes(n_bytes, n_classes, n_rows):
    """Raise an error if the training of many classes has no room.

    Parameters
    ----------
    n_bytes : int
        Memory of all classes that are trained together.
    n_classes : int
    n_rows : int
        Number of distinct rows.

    Raises
    ------
    ValueError
        With the number of classes, and the memory that they need.
    """
    if n_classes >= _MANY_CLASSES and n_bytes > _MOST_CLASS_BYTES:
        raise ValueError(
            f"To train {n_classes:,} classes on {n_rows:,} distinct rows takes "
            f"{n_bytes / 2**30:,.1f} GiB of memory, more than the limit of "
            f"{_MOST_CLASS_BYTES / 2**30:,.1f} GiB: it grows with the product of both. "
            "Merge rare classes, pass fewer rows, or set max_term_size=1 if there "
            "are many terms. With multi_class='ovr' and cv=None, one class is trained "
            "at a time."
        )

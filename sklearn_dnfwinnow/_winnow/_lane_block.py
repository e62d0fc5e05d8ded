"""Lane block: several trainings on the rows of one index, run together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from math import log, log2

import numpy as np

from sklearn_dnfwinnow._kernels import lane_block
from sklearn_dnfwinnow._winnow._class_block import Block, TrainedClass
from sklearn_dnfwinnow._winnow._settings import Candidate
from sklearn_dnfwinnow._winnow._stores import net_counts_of_terms, no_chains

#: Lanes of a chunk, see the kernel.
CHUNK = 16


@dataclass(frozen=True, eq=False)
class Lane:
    """One training of a block, with one lane for each class.

    Parameters
    ----------
    candidate : Candidate
    joint : bool
        Whether classes compete; otherwise each is compared with the threshold.
    log_threshold : float
    fold : int
        Fold whose samples are held out; -1 for none.
    position : int
        Position of the candidate.
    start : ndarray of shape (n_classes, m), int64, or None
        Net promotion counts before training, in units of this training, of the chosen
        terms of the index; None for none.
    """

    candidate: Candidate
    joint: bool = True
    log_threshold: float = 0.0
    fold: int = -1
    position: int = 0
    start: np.ndarray | None = None

    @classmethod
    def of(cls, candidate, settings, n_values, **where):
        """Return the training of a candidate over some numbers of values."""
        joint = settings.multi_class == "joint"
        log_threshold = 0.0 if joint else settings.log_threshold(n_values, candidate)
        return cls(candidate, joint, log_threshold, **where)

    @property
    def rule(self):
        """Return the update rule."""
        return self.candidate.rule

    @property
    def alpha(self):
        """Return the promotion factor."""
        return self.candidate.alpha


class LaneBlock(Block):
    """Trainings of Winnow on the same rows in the same order, in float32.

    Parameters
    ----------
    index : TermIndex
        Index of the rows, for the largest term size of all trainings.
    rows : Repetitions
    folds : ndarray of shape (n,), int
        The fold of each presentation.
    trainings : list of Lane
    n_classes : int
    average : bool
        Whether the result is the mean over epochs, see `Block`.
    allowed : Allowed, optional
        Literals that the terms of each class may contain; all by default. The index
        must not group the terms then.

    Attributes
    ----------
    trainings : list of Lane
    active : ndarray of shape (n_trainings,), bool
        Trainings that continue: without an epoch without updates so far, and within the
        range of float32.
    diverged : ndarray of shape (n_trainings,), bool
        Trainings whose sums exceed the range of float32.
    mistakes : list of ndarrays of shape (n_trainings, n_classes)
        Number of updates in each epoch.
    """

    def __init__(
        self,
        index,
        rows,
        folds,
        trainings,
        n_classes,
        average=True,
        allowed=None,
    ):
        self.trainings = list(trainings)
        self.active = np.ones(len(trainings), dtype=bool)
        self.diverged = np.zeros(len(trainings), dtype=bool)
        self._index, self._n_classes = index, n_classes
        self._allowed = allowed
        self._places = index.positions(rows.codes)
        self._labels = np.ascontiguousarray(rows.labels, dtype=np.int64)
        self._folds = np.ascontiguousarray(folds, dtype=np.int64)
        self._n_folds, self._rows = int(folds.max(initial=0)) + 1, rows
        self._weights = self._initial_weights()
        for k in range(n_classes if allowed is not None else 0):
            # Weights are only multiplied: a weight of 0 remains 0.
            self._weights[~allowed.of_terms(index, k), k::n_classes] = 0.0
        n_lanes = self._weights.shape[1]
        for t, lane in enumerate(trainings):
            if lane.start is not None:
                self._start(t, lane)
        super().__init__(
            rows=rows,
            net=np.zeros((len(index.rows), n_lanes), dtype=np.int64),
            n_examples=np.zeros(n_lanes, dtype=np.int64),
            largest=0.0,
            average=average,
        )
        self._make_kernel()

    # -- training ----------------------------------------------------------------------

    def present(self, order):
        """Present some samples, one after another."""
        self._kernel.present(
            order=order,
            rows=self._places,
            labels=self._labels,
            units=self._rows.units,
            folds=self._folds,
            n_segments=self._presented_segments,
        )

    def _continues(self, wrong):
        n = len(self.trainings)
        wrong = wrong[: n * self._n_classes].reshape(n, self._n_classes)
        self.mistakes.append(wrong)
        self.active &= wrong.any(axis=1)
        n_active = np.count_nonzero(self.active)
        # Trainings may end here or in the kernel, but none begins again.
        if n_active < self._n_active:
            self._choose_segments()
        return n_active > 0

    def _choose_segments(self):
        """Choose the segments that presentations sum over: of active trainings."""
        self._n_active = np.count_nonzero(self.active)
        self._presented_segments = self._n_segments(held_out=False)

    def keep(self, chosen):
        """Drop all trainings except those at the positions `chosen`."""
        chosen = np.asarray(chosen, dtype=np.intp)
        lanes = (chosen[:, None] * self._n_classes + np.arange(self._n_classes)).ravel()
        self.trainings = [self.trainings[t] for t in chosen]
        self.active, self.diverged = self.active[chosen], self.diverged[chosen]
        self.mistakes = [wrong[chosen] for wrong in self.mistakes]
        self._weights = _columns(self._weights, lanes)
        self._net = _columns(self._net, lanes)
        self._total = _columns(self._total, lanes)
        self._n_examples = _columns(self._n_examples[None], lanes)[0]
        self._make_kernel()

    # -- what was learned --------------------------------------------------------------

    def trained(self):
        """Return the result of each class of the only training, of chosen terms."""
        net_counts, times = self.net_counts(0)
        mistakes, examples = np.concatenate(self.mistakes), self._index.chosen.rows
        return [
            TrainedClass(
                examples=examples,
                net_counts=net_counts_of_terms(self._index, of_class) + times * start,
                version=int(counts.sum()),
                mistakes=counts.tolist(),
                chains=no_chains(),
                sums={"full": len(counts) * len(self._labels), "skipped": 0},
                times=times,
            )
            for of_class, start, counts in zip(
                net_counts.T, self.trainings[0].start, mistakes.T
            )
        ]

    def net_counts(self, t):
        """Return the result of a training.

        Returns
        -------
        net_counts : ndarray of shape (n_rows, n_classes), int64
            Sums over `times` epochs, for the rows of the index.
        times : int
        """
        first = t * self._n_classes
        return self._total[:, first : first + self._n_classes], self._times

    def held_out_scores(self):
        """Return log W of the rows that each training holds out.

        Returns
        -------
        scores : list of ndarrays of shape (n_held_out, n_classes), float32
            One array a training; rows in the order of presentations.
        """
        held = np.isin(self._folds, [lane.fold for lane in self.trainings])
        folds = self._folds[held]
        logs = np.empty((len(folds), self._weights.shape[1]), dtype=np.float32)
        self._kernel.log_sums(
            weights=self._learned_weights(),
            rows=self._places[held],
            folds=folds,
            n_segments=self._n_segments(held_out=True),
            logs=logs,
        )
        k = self._n_classes
        return [
            logs[folds == lane.fold, t * k : (t + 1) * k]
            for t, lane in enumerate(self.trainings)
        ]

    def _learned_weights(self):
        """Return the weights of terms for the resulting net counts."""
        units = np.zeros(self._weights.shape[1])
        for t, lane in enumerate(self.trainings):
            lanes = slice(t * self._n_classes, (t + 1) * self._n_classes)
            units[lanes] = self._log2_unit(lane)
        # Relative to the current weights, factors are near 1.
        change = self._total / self._times - self._net
        if not change.any():
            return self._weights
        weights = _aligned(self._weights.shape)
        weights[:] = self._weights
        self._kernel.multiply(
            weights=weights,
            log2_factors=(change * units).astype(np.float32),
            n_segments=self._n_segments(held_out=True).max(axis=0),
        )
        return weights

    # -- lanes -------------------------------------------------------------------------

    def _initial_weights(self):
        """Return the weights of all terms before any update: (n_terms, n_lanes)."""
        n_lanes = _whole_chunks(len(self.trainings) * self._n_classes)
        weights = _aligned((self._index.n_terms, n_lanes))
        priors = np.zeros((len(self._index.log_priors), n_lanes), dtype=np.float32)
        for t, lane in enumerate(self.trainings):
            lanes = slice(t * self._n_classes, (t + 1) * self._n_classes)
            sizes = np.arange(self._lengths(lane))
            # Values beyond float32 make the training diverge at once.
            with np.errstate(over="ignore", under="ignore"):
                priors[sizes, lanes] = (lane.candidate.literal_weight**sizes)[:, None]
        if self._index.kind == "groups":
            # The weights are those of the initial weight per literal of the index.
            with np.errstate(over="ignore"):
                weights[:] = np.exp(self._index.log_weights)[:, None]
            return weights
        np.take(priors, self._index.segments, axis=0, out=weights)
        return weights

    def _start(self, t, lane):
        """Set the weights of the chosen terms of a training, by their net counts."""
        weights = self._weights[:, t * self._n_classes : (t + 1) * self._n_classes]
        with np.errstate(over="ignore", under="ignore"):
            factors = np.exp(lane.start.T * (self._log2_unit(lane) * log(2.0)))
            factors = factors.astype(np.float32)
            # A term that is not allowed has no weight, even times infinity.
            np.multiply(weights, factors, out=weights, where=weights != 0.0)

    def _make_kernel(self):
        most = max(lane.rule.parts for lane in self.trainings)
        factors = np.ones((len(self.trainings), 2 * most + 1), dtype=np.float32)
        for of_lane, lane in zip(factors, self.trainings):
            parts = lane.rule.parts
            steps = np.arange(-parts, parts + 1) / parts
            with np.errstate(over="ignore", under="ignore"):
                of_lane[: len(steps)] = lane.alpha**steps
        self._choose_segments()
        self._kernel = lane_block.LaneBlock(
            index=self._index,
            n_classes=self._n_classes,
            trainings=self.trainings,
            active=self.active.view(np.uint8),
            diverged=self.diverged.view(np.uint8),
            factors=factors,
            one=self._rows.one,
            weights=self._weights,
            rest=self._rest(),
            net=self._net,
            n_examples=self._n_examples,
        )

    def _rest(self):
        """Return the weights of terms that no training moves: (n_rows, n_lanes)."""
        if self._index.chosen is None:
            return np.zeros((1, self._weights.shape[1]), dtype=np.float32)
        index = self._index
        rest = np.zeros((len(index.rows), self._weights.shape[1]), dtype=np.float32)
        for t, lane in enumerate(self.trainings):
            for k in range(self._n_classes):
                place = t * self._n_classes + k
                if k and self._allowed is None:
                    rest[:, place] = rest[:, place - 1]
                    continue
                logs = index.chosen.log_rest(
                    weighting=lane.candidate,
                    rows=index.rows,
                    satisfied=(index.starts, index.terms),
                    allowed=self._allowed,
                    k=k,
                )
                with np.errstate(over="ignore"):
                    rest[:, place] = np.exp(logs)
        return rest

    def _log2_unit(self, lane):
        return log2(lane.alpha) / (lane.rule.parts * self._rows.one)

    def _lengths(self, lane):
        """Return the number of segments of the terms of a training."""
        n_segments = len(self._index.log_priors)
        return lane.candidate.longest(n_segments - 1) + 1

    def _n_segments(self, held_out):
        """Return the number of segments to sum over by chunk, for rows of each fold.

        Returns
        -------
        n_segments : ndarray of shape (n_folds, n_chunks), int64
            Maximum over the trainings in the chunk that hold out the fold, or over the
            active ones that do not; 0 if there are none.
        """
        every = np.arange(self._n_folds)[:, None]
        folds = every == [lane.fold for lane in self.trainings]
        if not held_out:
            folds = ~folds & self.active
        lengths = folds * np.array([self._lengths(lane) for lane in self.trainings])
        of_lanes = np.zeros((self._n_folds, self._weights.shape[1]), dtype=np.int64)
        n_lanes = len(self.trainings) * self._n_classes
        of_lanes[:, :n_lanes] = np.repeat(lengths, self._n_classes, axis=1)
        return of_lanes.reshape(self._n_folds, -1, CHUNK).max(axis=2)


def _whole_chunks(n_lanes):
    return -(-n_lanes // CHUNK) * CHUNK


def _columns(array, lanes):
    """Return some columns, and zeros up to whole chunks."""
    chosen = _aligned((len(array), _whole_chunks(len(lanes))), array.dtype)
    chosen[:, : len(lanes)] = array[:, lanes]
    return chosen


def _aligned(shape, dtype=np.float32):
    """Return zeros, with a chunk of lanes in the smallest number of cache lines."""
    dtype = np.dtype(dtype)
    n_bytes = int(np.prod(shape)) * dtype.itemsize
    room = np.zeros(n_bytes + 64, dtype=np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + n_bytes].view(dtype).reshape(shape)


def block_of_model(model, rows, index, k=None):
    """Return the block of the one training of chosen terms on all samples, in lanes.

    Parameters
    ----------
    model : Model
        As returned by `take_in`, with the terms that screening chose.
    rows : Repetitions
    index : TermIndex
        Index of the terms of the samples.
    k : None
        All classes are trained together.
    """
    # Lanes count promotions in their own parts.
    parts = model.rule.parts
    lane = Lane.of(
        model.candidate,
        model.settings,
        model.encoding.n_values,
        start=model.stored.net_counts,
    )
    return LaneBlock(
        index=index,
        rows=replace(rows, units=rows.units // parts, one=rows.one // parts),
        folds=np.zeros(len(rows.labels), dtype=np.int64),
        trainings=[lane],
        n_classes=model.n_classes,
        average=model.settings.average,
        allowed=model.allowed,
    )

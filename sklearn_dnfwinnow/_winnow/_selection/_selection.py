"""Selection: candidates trained without each fold, the worse dropped on the way."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import partial
from time import monotonic

import numpy as np

from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._winnow._candidate import Candidate
from sklearn_dnfwinnow._winnow._learner import checkpoints
from sklearn_dnfwinnow._winnow._progress import Silent
from sklearn_dnfwinnow._winnow._selection._calibration import fit_scales

# A candidate ends where so many checkpoints after its best, four times the epochs, were
# no better.
_PATIENCE = 4
# Successive halving (Jamieson & Talwalkar 2016): after so many epochs the better half
# goes on. Before the first of them no candidate is judged.
_RUNGS = 8, 16, 32


@dataclass(frozen=True, eq=False)
class Choice:
    """What the folds chose.

    Parameters
    ----------
    candidate : Candidate
    n_epochs : int
    scale : float
        Of probabilities.
    validation : dict of str to ndarray
        See :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    """

    candidate: Candidate
    n_epochs: int
    scale: float
    validation: dict


class Selection:
    """The course of candidates, from checkpoint to checkpoint.

    Parameters
    ----------
    candidates : list of Candidate
    blocks : list of LaneBlock
    rows : Presentations
        Their labels and units are those of the blocks.
    folds : ndarray of shape (n,), int
    n_classes : int

    Attributes
    ----------
    alive : list of int
        Positions of the candidates that go on.
    """

    def __init__(self, candidates, blocks, rows, folds, n_classes):
        self._candidates = candidates
        self._blocks = blocks
        self._rows, self._folds, self._n_classes = rows, folds, n_classes
        self.alive = list(range(len(candidates)))
        # Epochs, log losses and scales of each candidate at its checkpoints.
        self._records = [[] for _ in candidates]

    def run(self, n_epochs, n_jobs=None, deadline=np.inf, report=None):
        """Train candidates until all have ended, or the epochs or the time are over.

        Parameters
        ----------
        n_epochs : int
            Most of a candidate.
        n_jobs : int or None
        deadline : float
            Of `time.monotonic`. The first checkpoint is always reached, others only if
            they can be in time.
        report : callable, optional
            Takes the epochs made, the selection, and whether it is over; after each
            checkpoint.

        Returns
        -------
        in_time : bool
            Whether no candidate was cut short.
        """
        done = 0
        for end in checkpoints(n_epochs):
            began = monotonic()
            changes = self._go_on(end - done, n_jobs)
            self._judge(end)
            if not changes:
                self.alive = []
            pace = (monotonic() - began) / (end - done)
            done = end
            in_time = monotonic() + pace * _next_step(end) < deadline
            over = not (self.alive and in_time)
            if report is not None:
                report(end, self, over)
            if over:
                break
        return in_time or not self.alive

    def choice(self):
        """Return the candidate and the number of epochs of the least log loss."""
        position, best = min(
            (
                (position, record)
                for position, records in enumerate(self._records)
                for record in records
            ),
            key=lambda found: found[1][1],
        )
        n_epochs, _, scale = best
        return Choice(
            candidate=self._candidates[position],
            n_epochs=n_epochs,
            scale=scale,
            validation=self._validation(),
        )

    def best_so_far(self):
        """Return the position of the best candidate, and its log loss."""
        least = [self._least(position) for position in range(len(self._candidates))]
        return int(np.argmin(least)), min(least)

    def _go_on(self, n_epochs, n_jobs):
        """Train all blocks; return whether any is left that would change."""
        all_progress = [Silent() for _ in self._blocks]
        over = run_tasks(
            partial(_train, n_epochs),
            zip(self._blocks, all_progress),
            n_jobs=n_jobs,
            all_progress=all_progress,
        )
        return not all(over)

    def _judge(self, end):
        """Record the log losses of all candidates, and drop those that are behind."""
        scores = self._scores()
        finite = [p for p in scores if np.isfinite(scores[p]).all()]
        if finite:
            scales, losses = fit_scales(
                scores=np.stack([scores[position] for position in finite]),
                labels=self._rows.labels,
                units=self._rows.units,
            )
            for position, loss, scale in zip(finite, losses, scales):
                self._records[position].append((end, float(loss), float(scale)))
        self.alive = [p for p in finite if p in self.alive and not self._is_past(p)]
        if end in _RUNGS:
            ranked = sorted(self.alive, key=self._least)
            self.alive = sorted(ranked[: -(-len(ranked) // 2)])
        self._blocks = [block for block in self._blocks if self._cut_down(block)]

    def _cut_down(self, block):
        """Keep only trainings of candidates that go on; return whether there are any."""
        kept = [
            t for t, lane in enumerate(block.trainings) if lane.candidate in self.alive
        ]
        if kept and len(kept) < len(block.trainings):
            block.keep(kept)
        return bool(kept)

    def _scores(self):
        """Return log W of all rows, by those who lack them: a dict by candidate."""
        shape = len(self._rows.labels), self._n_classes
        scores = {position: np.full(shape, np.nan) for position in self.alive}
        for block in self._blocks:
            of_block = block.held_out_scores()
            for lane, diverged, found in zip(block.trainings, block.diverged, of_block):
                if not diverged:
                    scores[lane.candidate][self._folds == lane.fold] = found
        return scores

    def _least(self, position):
        losses = [loss for _, loss, _ in self._records[position]]
        return min(losses, default=np.inf)

    def _is_past(self, position):
        losses = [loss for _, loss, _ in self._records[position]]
        return len(losses) > np.argmin(losses) + _PATIENCE

    def _validation(self):
        """Return all that was tried, in columns."""
        tried = [
            {**candidate.described(), "n_epochs": end, "log_loss": loss, "scale_": scale}
            for candidate, records in zip(self._candidates, self._records)
            for end, loss, scale in records
        ]
        names = dict.fromkeys(name for row in tried for name in row)
        return {
            name: np.array([row.get(name) for row in tried], dtype=_dtype(name))
            for name in names
        }


def _dtype(name):
    """Return the type of a column of validation."""
    if name == "n_epochs":
        return np.int64
    numbers = "margin", "scale", "alpha", "term_prior", "log_loss", "scale_"
    return np.float64 if name in numbers else object


def _train(n_epochs, block, progress):
    return block.train(n_epochs, progress)


def _next_step(end):
    """Return the epochs from a checkpoint to the next one."""
    return next(later for later in checkpoints(4 * end) if later > end) - end

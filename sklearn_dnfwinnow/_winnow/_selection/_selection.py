"""Selection: candidates trained without each fold; the worse are dropped on the way."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import partial

import numpy as np
from scipy.special import log_softmax

from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._winnow._blocks._block import checkpoints
from sklearn_dnfwinnow._winnow._blocks._progress import Silent
from sklearn_dnfwinnow._winnow._candidate import COLUMNS
from sklearn_dnfwinnow._winnow._selection._calibration import fit_scales

# A candidate ends if this number of checkpoints, which is twice the epochs, did not
# improve it by more than this, relatively or in nats.
_PATIENCE, _BETTER, _BETTER_NATS = 2, 0.01, 1e-3
# Successive halving (Jamieson & Talwalkar 2016): after these numbers of epochs, times
# `patience`, the better half continues, or the best two, or one. No candidate is
# dropped before.
_RUNGS = {8: None, 24: 2, 48: 1}


# Columns of the results: the candidate, its parameters, the number of epochs, and the
#: measures.
_COLUMNS = {
    "candidate": np.int64,
    **COLUMNS,
    "n_epochs": np.int64,
    "log_loss": np.float64,
    "scale_": np.float64,
}


class Selection:
    """The training of candidates, from checkpoint to checkpoint.

    Parameters
    ----------
    candidates : list of Candidate
    rows : Repetitions
        With the labels and units of the blocks.
    folds : ndarray of shape (n,), int
        From `n_folds` for those that are never held out.
    n_folds, n_classes : int
    patience : {1, 2, 4}, default=1
        Factor of the numbers of epochs after which candidates are dropped.

    Attributes
    ----------
    alive : list of int
        Positions of the candidates that continue.
    n_epochs : int
        Number of epochs so far.
    """

    def __init__(self, candidates, rows, folds, n_folds, n_classes, patience=1):
        self._candidates, self._n_classes = candidates, n_classes
        self._rungs = {patience * end: n_kept for end, n_kept in _RUNGS.items()}
        held_out = folds < n_folds
        self._labels, self._units = rows.labels[held_out], rows.units[held_out]
        self._folds = folds[held_out]
        self._blocks, self.alive = [], []
        self.n_epochs = 0
        # Epochs, log losses and scales of each candidate at its checkpoints, and its
        # log probabilities at the best one.
        self._records = [[] for _ in candidates]
        self._log_chances = {}

    def run(self, positions, blocks, n_epochs, progress, n_jobs=None):
        """Train candidates until all have ended, or the epochs are used up.

        Parameters
        ----------
        positions : list of int
            Positions of the candidates.
        blocks : list of LaneBlock
            Their trainings.
        n_epochs : int
            Maximum number of epochs of a candidate.
        progress : CandidateProgress
        n_jobs : int or None
        """
        self._blocks, self.alive, self.n_epochs = blocks, list(positions), 0
        for end in checkpoints(n_epochs):
            changes = self._go_on(end - self.n_epochs, n_jobs)
            self.n_epochs = end
            self._judge(end)
            stopped = progress.checkpoint(
                n_epochs=end,
                n_left=len(self.alive),
                n_candidates=len(self._candidates),
                log_loss=min(map(self._least, range(len(self._candidates)))),
            )
            if stopped or not (changes and self.alive):
                break

    def best(self, n_models=1):
        """Return the candidates whose average has a low log loss, the best one first.

        Candidates join one after the other, each the one that gives the lowest log loss
        of the mean of log probabilities; a candidate can join repeatedly (greedy
        selection, Caruana et al. 2004). All of them cut the same columns.

        Parameters
        ----------
        n_models : int, default=1
            Number of candidates.

        Returns
        -------
        found : list of (int, int, float)
            Position, number of epochs, and scale of probabilities of each candidate.
            Empty if there is none.
        scale : float
            Scale of the probabilities of the average: models that err differently are
            right more often together than the mean of their probabilities says.
        """
        if not self._log_chances:
            return [], 1.0
        ranked = sorted(self._log_chances, key=self._least)
        cut_columns = [self._candidates[p].cut_columns for p in ranked]
        alike = [p for p, own in zip(ranked, cut_columns) if own == cut_columns[0]]
        positions, total = ranked[:1], self._log_chances[ranked[0]]
        for n in range(2, n_models + 1):
            losses = [self._loss_of((total + self._log_chances[p]) / n) for p in alike]
            positions.append(alike[np.argmin(losses)])
            total = total + self._log_chances[positions[-1]]
        scales, _ = fit_scales(
            total[None] / n_models, labels=self._labels, units=self._units
        )
        records = [min(self._records[p], key=lambda one: one[1]) for p in positions]
        found = [(p, end, own) for p, (end, _, own) in zip(positions, records)]
        return found, float(scales[0])

    def _loss_of(self, mean):
        """Return the log loss of the mean of log probabilities."""
        log_chances = log_softmax(mean, axis=1)
        own = log_chances[np.arange(len(self._labels)), self._labels]
        return -(self._units @ own) / self._units.sum()

    def _go_on(self, n_epochs, n_jobs):
        """Train all blocks; return whether any block would change in more epochs."""
        all_progress = [Silent() for _ in self._blocks]
        over = run_tasks(
            partial(_train, n_epochs),
            zip(self._blocks, all_progress),
            n_jobs=n_jobs,
            all_progress=all_progress,
        )
        return not all(over)

    def _judge(self, end):
        """Record the log losses of all candidates, and drop the worse ones."""
        scores = self._scores()
        finite = [p for p in scores if np.isfinite(scores[p]).all()]
        if finite:
            candidates = [self._candidates[position] for position in finite]
            scales, losses = fit_scales(
                scores=np.stack([scores[position] for position in finite]),
                labels=self._labels,
                units=self._units,
                # Residuals are those of probabilities at their scale.
                known=[c.scale if c.margin is None else np.nan for c in candidates],
            )
            for position, loss, scale in zip(finite, losses, scales):
                self._records[position].append((end, float(loss), float(scale)))
                if loss <= self._least(position):
                    found = log_softmax(scale * scores[position], axis=1)
                    self._log_chances[position] = found
        self.alive = [p for p in finite if p in self.alive and not self._is_past(p)]
        if end in self._rungs:
            leader = min(self.alive, key=self._least, default=None)
            ranked = sorted(self.alive, key=lambda p: (p != leader, self._expected(p)))
            self.alive = sorted(ranked[: self._rungs[end] or -(-len(ranked) // 2)])
        self._blocks = [block for block in self._blocks if self._cut_down(block)]

    def _cut_down(self, block):
        """Keep trainings of candidates that continue; return whether there are any."""
        kept = [
            t for t, lane in enumerate(block.trainings) if lane.position in self.alive
        ]
        if kept and len(kept) < len(block.trainings):
            block.keep(kept)
        return bool(kept)

    def _scores(self):
        """Return log W of all held-out samples: a dict by candidate."""
        shape = len(self._labels), self._n_classes
        scores = {position: np.full(shape, np.nan) for position in self.alive}
        for block in self._blocks:
            of_block = block.held_out_scores()
            for lane, diverged, found in zip(block.trainings, block.diverged, of_block):
                if not diverged:
                    scores[lane.position][self._folds == lane.fold] = found
        return scores

    def _least(self, position):
        losses = [loss for _, loss, _ in self._records[position]]
        return min(losses, default=np.inf)

    def _expected(self, position):
        """Return the log loss if the last improvement is repeated.

        Small steps learn slowly: their candidates are behind at first, and still
        improve when others do not.
        """
        losses = [loss for _, loss, _ in self._records[position]]
        before, last = losses[-2:][0], losses[-1]
        return min(losses) - max(before - last, 0.0)

    def _is_past(self, position):
        losses = np.array([loss for _, loss, _ in self._records[position]])
        if len(losses) <= _PATIENCE or self.n_epochs < min(self._rungs):
            return False
        before = losses[:-_PATIENCE].min()
        return losses.min() > min(before * (1.0 - _BETTER), before - _BETTER_NATS)

    def validation(self):
        """Return all results: a dict of columns, with one entry per checkpoint."""
        tried = [
            {
                **candidate.described,
                "candidate": position,
                "n_epochs": end,
                "log_loss": loss,
                "scale_": scale,
            }
            for position, candidate in enumerate(self._candidates)
            for end, loss, scale in self._records[position]
        ]
        return {
            name: np.array([row.get(name) for row in tried], dtype=dtype)
            for name, dtype in _COLUMNS.items()
        }


def _train(n_epochs, block, progress):
    return block.train(n_epochs, progress)

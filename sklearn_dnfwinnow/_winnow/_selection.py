"""Selection: candidates trained without each fold, and the choice among them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle
from math import sqrt

import numpy as np
from scipy.special import log_softmax, logsumexp

from sklearn_dnfwinnow._terms._term_index import TooManyTerms
from sklearn_dnfwinnow._utils._computing import distinct_rows, run_tasks
from sklearn_dnfwinnow._utils._estimators import warn
from sklearn_dnfwinnow._winnow._class_block import checkpoints
from sklearn_dnfwinnow._winnow._folds import (
    Budget,
    FoldedTable,
    assign_folds,
    blocks_of,
    first_of,
    numbered_folds,
)
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._repetitions import (
    Repetitions,
    canonical_rows,
    whole_units,
)
from sklearn_dnfwinnow._winnow._screening import MOST_SMOOTH
from sklearn_dnfwinnow._winnow._settings import (
    COLUMNS,
    Candidate,
    Settings,
    candidates_of,
    kind_of,
    single_candidate,
    treatment_of_missing,
)
from sklearn_dnfwinnow.samplers._registry import sampler_of

# Scores are scaled by e^-8 to e^8.
_MOST_LOG_SCALE = 8.0
# Maximum number of steps of Newton's method, or of bisections if these leave the
# interval; and a negligible change of the logarithm, as losses are flat near minima.
_STEPS, _NEAR = 40, 3e-3
# A negligible decrease of the loss by intercepts, in nats, which the last step makes.
_NEGLIGIBLE = 1e-9


def fit_scales(scores, labels, units, known=np.nan):
    """Return the factors of scores with the lowest log loss of their softmax.

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n, n_classes)
        Finite.
    labels : ndarray of shape (n,), int
    units : ndarray of shape (n,)
        Weights.
    known : float or array-like of shape (n_candidates,), default=nan
        Fixed scales; NaN for scales to fit.

    Returns
    -------
    scales, log_losses : ndarrays of shape (n_candidates,)
        The losses are for labels with a small uncertainty, of one sample among all (as
        in Platt 1999), so that scores without an error also have a finite scale.
    """
    n = len(labels)
    weights = units / units.sum()
    doubt = 1.0 / (n + 2.0)
    # Classes first, so that sums over classes are sums of long rows.
    lead = np.ascontiguousarray(np.moveaxis(scores, 2, 0), dtype=np.float64)
    lead -= lead.max(axis=0)
    own = lead[labels, :, np.arange(n)].T
    expected = ((1.0 - doubt) * own + doubt * lead.mean(axis=0)) @ weights

    log_scales = np.log(np.broadcast_to(known, len(scores)))
    is_open = np.isnan(log_scales)
    log_low = np.where(is_open, -_MOST_LOG_SCALE, log_scales)
    log_high = np.where(is_open, _MOST_LOG_SCALE, log_scales)
    log_scales = np.where(is_open, 0.0, log_scales)
    for _ in range(_STEPS if is_open.any() else 0):
        scales = np.exp(log_scales)
        total, slope, bend = _moments(lead, scales, weights)
        slope -= expected
        # The loss is convex in the scale: it decreases towards its minimum.
        falls = slope < 0
        log_low = np.where(falls, log_scales, log_low)
        log_high = np.where(falls, log_high, log_scales)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = np.log(scales - slope / bend)
        inside = (newton > log_low) & (newton < log_high)
        found = np.where(inside, newton, (log_low + log_high) / 2)
        found = np.where(is_open, found, log_scales)
        moved = np.abs(found - log_scales).max()
        log_scales = found
        if moved < _NEAR:
            break
    scales = np.where(is_open, np.exp(log_scales), known)
    total, _, _ = _moments(lead, scales, weights)
    return scales, total - scales * expected


def _moments(lead, scales, weights):
    """Return mean log totals of exp(scale * lead), and their first two derivatives."""
    odds = np.exp(scales[:, None] * lead)
    totals = odds.sum(axis=0)
    odds *= lead
    mean = odds.sum(axis=0) / totals
    odds *= lead
    square = odds.sum(axis=0) / totals
    return np.log(totals) @ weights, mean @ weights, (square - mean**2) @ weights


def fit_intercepts(logits, labels, units):
    """Return the terms of logits that minimize the log loss of their softmax.

    Half the sum of their squares is added to the loss of n samples. This is the penalty
    of a normal prior with standard deviation 1, or, near 0, of one more sample of each
    class with equal logits. So intercepts of classes with few samples stay near 0. n
    times the mean probability of a class is the number of its samples, minus its
    intercept.

    Parameters
    ----------
    logits : ndarray of shape (n, n_classes)
        Finite.
    labels : ndarray of shape (n,), int
    units : ndarray of shape (n,)
        Weights.

    Returns
    -------
    intercepts : ndarray of shape (n_classes,), float64
        Their sum is 0.
    """
    n, n_classes = logits.shape
    weights = units / units.sum()
    shares = np.bincount(labels, weights, minlength=n_classes)
    ridge = 1.0 / n
    found, step = np.zeros((2, n_classes))
    least, decrease = np.inf, 0.0
    for _ in range(_STEPS):
        trial = found + step
        totals = logsumexp(logits + trial, axis=1)
        loss = totals @ weights - trial @ shares + 0.5 * ridge * trial @ trial
        if loss > least - 0.1 * decrease:
            step, decrease = 0.5 * step, 0.5 * decrease
            continue
        found, least = trial, loss
        # Newton's method; the loss is convex.
        chances = np.exp(logits + trial - totals[:, None])
        weighted = weights[:, None] * chances
        means = weighted.sum(axis=0)
        slope = means - shares + ridge * trial
        bend = np.diag(means + ridge) - weighted.T @ chances
        step = -np.linalg.solve(bend, slope)
        decrease = -(slope @ step)
        if decrease < _NEGLIGIBLE:
            return found + step
    return found


# A candidate ends if this number of checkpoints, which is twice the epochs, did not
# improve it by more than this, relatively or in nats.
_PATIENCE, _BETTER, _BETTER_NATS = 2, 0.01, 1e-3
# Successive halving (Jamieson & Talwalkar 2016): after these numbers of epochs, so many
# candidates continue. None is dropped before. More than two classes need so many times
# the epochs, which takes too long for more samples times classes than these.
_RUNGS = {4: 4, 8: 3, 16: 2, 32: 1}
_LATER, _MOST_LATE = 2, 100_000


# Number of times that candidates join an average; and by how much a new one must lower
# the log loss, relatively, as each makes the formula longer and its training slower.
_JOINING, _WORTH = 10, 0.003

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
    folded : FoldedTable
        The samples of the blocks.

    Attributes
    ----------
    candidates : list of Candidate
    alive : list of int
        Positions of the candidates that continue.
    n_epochs : int
        Number of epochs so far.
    """

    def __init__(self, candidates, folded):
        self.candidates, self._n_classes = candidates, folded.n_classes
        rows, held_out = folded.rows, folded.folds < folded.n_folds
        self._labels, self._units = rows.labels[held_out], rows.units[held_out]
        self._folds = folded.folds[held_out]
        is_late = folded.n_classes > 2 and folded.n_all * folded.n_classes <= _MOST_LATE
        times = _LATER if is_late else 1
        self._rungs = {times * end: n_kept for end, n_kept in _RUNGS.items()}
        self._blocks, self.alive, self.n_epochs = [], [], 0
        # Epochs, log losses and scales of each candidate at its checkpoints, and its
        # log probabilities at the best one.
        self._records = [[] for _ in candidates]
        self._log_chances = {}

    def run(self, positions, blocks, n_epochs, progress, n_jobs=None, lead=None):
        """Train candidates until all have ended, or the epochs are used up.

        Or until the first one has ended without a lead, which is all that is asked.

        Parameters
        ----------
        positions : list of int
            Positions of the candidates.
        blocks : list of LaneBlock
            Their trainings.
        n_epochs : int
            Maximum number of epochs of a candidate.
        progress : Progress
        n_jobs : int or None
        lead : float or None, default=None
            See `leads`; None to compare all.
        """
        self._blocks, self.alive, self.n_epochs = blocks, list(positions), 0
        for end in checkpoints(n_epochs):
            n_more = end - self.n_epochs
            train = partial(_train, n_more, progress)
            progress.begin()
            over = run_tasks(train, zip(self._blocks), n_jobs, [progress])
            self.n_epochs = end
            self._judge(end)
            log_loss = min(map(self._least, range(len(self.candidates))))
            stopped = progress.end(
                f"{len(self.alive)} of {len(self.candidates)} continue, lowest log "
                f"loss {log_loss:.4f}",
                n=n_more,
            )
            has_lost = lead is not None and 0 not in self.alive and not self.leads(lead)
            if stopped or has_lost or all(over) or not self.alive:
                break

    def best(self, n_models=1):
        """Return the candidates whose average has a low log loss, the best one first.

        Candidates join one after the other, each the one that gives the lowest log loss
        of the mean of log probabilities; a candidate can join repeatedly (greedy
        selection, Caruana et al. 2004), and each with its doubt. All of them cut the
        same columns.

        Parameters
        ----------
        n_models : int, default=1
            Maximum number of candidates.

        Returns
        -------
        found : list of (int, int, float, int)
            Position, number of epochs, scale of probabilities, and how often each
            candidate has joined. Empty if there is none.
        scale : float
            Scale of the probabilities of the average: models that err differently are
            right more often together than the mean of their probabilities says.
        """
        if not self._log_chances:
            return [], 1.0
        ranked = sorted(
            self._log_chances,
            key=lambda p: self._least(p) * (1.0 + self.candidates[p].doubt),
        )
        cut_columns = [self.candidates[p].cut_columns for p in ranked]
        alike = [p for p, own in zip(ranked, cut_columns) if own == cut_columns[0]]
        joined, total = Counter(ranked[:1]), self._log_chances[ranked[0]]
        for n in range(2, (_JOINING if n_models > 1 else 1) + 1):
            others = alike if len(joined) < n_models else list(joined)
            losses = [
                self._loss_of((total + self._log_chances[p]) / n)
                * (1.0 + self.candidates[p].doubt / n)
                * (1.0 if p in joined else 1.0 + _WORTH)
                for p in others
            ]
            position = others[np.argmin(losses)]
            joined[position] += 1
            total = total + self._log_chances[position]
        scales, _ = fit_scales(
            total[None] / joined.total(), labels=self._labels, units=self._units
        )
        found = []
        for position, count in joined.items():
            end, _, scale = min(self._records[position], key=lambda one: one[1])
            found.append((position, end, scale, count))
        return found, float(scales[0])

    def leads(self, lead):
        """Return whether the first candidate is better than each other one.

        Parameters
        ----------
        lead : float
            Minimum difference of the log losses, in its standard errors; negative if
            the first one may be worse.
        """
        if 0 not in self._log_chances:
            return False
        weights = self._units / self._units.sum()
        for position in self._log_chances.keys() - {0}:
            ratios = self._log_chances[0] - self._log_chances[position]
            better = self._of_labels(ratios)
            mean = weights @ better
            if mean < lead * np.sqrt(weights**2 @ (better - mean) ** 2):
                return False
        return True

    def _loss_of(self, mean):
        """Return the log loss of the mean of log probabilities."""
        own = self._of_labels(log_softmax(mean, axis=1))
        return -(self._units @ own) / self._units.sum()

    def _of_labels(self, of_classes):
        """Return the values of the classes of the rows."""
        return of_classes[np.arange(len(self._labels)), self._labels]

    def _judge(self, end):
        """Record the log losses of all candidates, and drop the worse ones."""
        scores = self._scores()
        finite = [p for p in scores if np.isfinite(scores[p]).all()]
        if finite:
            candidates = [self.candidates[position] for position in finite]
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
            self.alive = sorted(ranked[: self._rungs[end]])
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
            for position, candidate in enumerate(self.candidates)
            for end, loss, scale in self._records[position]
        ]
        return {
            name: np.array([row.get(name) for row in tried], dtype=dtype)
            for name, dtype in _COLUMNS.items()
        }


def _train(n_epochs, progress, block):
    return block.train(n_epochs, progress.silent())


# Maximum number of samples in the internal cross-validation, and for intercepts.
_MOST_ROWS = 24576
# max_iter='auto' without folds, and of Markov chains.
_AUTO_ITER = 20
# cv='auto': none for few samples, and more folds for some hundreds of samples, of
# which a third is too many to hold out. Of tables with many cells, times classes, one
# fold is enough to see which candidates are worth a comparison on all: at most so many.
_FEW_ROWS, _SOME_ROWS, _MORE_FOLDS, _FOLDS = 30, 500, 5, 3
_MANY_CELLS, _COMPARED = 60_000, 3
# So many candidates are tried before all others: smooth effects, and one or two choices
# of terms beside them. They suffice if smooth effects are better than one choice, or no
# worse than both, in standard errors: where chosen terms do not improve smooth effects
# of all columns, no others do by much. With fewer rows than these, all are compared.
_SCOUTS, _SCOUTED = {2: 1.0, 3: -1.0}, 750
# Number of epochs with an order of the samples: more than a candidate makes.
_ANY_EPOCHS = 1 << 30
# Number of epochs up to which the training on all samples makes as many as the choice.
_FEW_EPOCHS = 4
# n_estimators='auto' if numbers are cut: on small data sets, predictions depend on the
# places of the cuts and on the candidate, see the study in ``benchmarks``. With more
# entries, the training of more models takes too long.
_MODELS, _MOST_ENTRIES = 3, 1_000_000
# Numbers of intervals of the models of an average, relative to their candidates.
_OTHER_CUTS = 1, 7 / 8, 5 / 4, 9 / 8, 3 / 4


@dataclass(frozen=True, eq=False)
class Choice:
    """A training on all samples.

    Parameters
    ----------
    candidate : Candidate
        With the scale of probabilities that was selected.
    n_epochs : int
    validation : dict of str to ndarray, or None
        Results of the internal cross-validation, see
        :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`. None without it.
    weight : float, default=1.0
        Weight of the model in an average.
    scale_of_average : float, default=1.0
        Scale of the probabilities of the average.
    """

    candidate: Candidate
    n_epochs: int
    validation: dict | None = None
    weight: float = 1.0
    scale_of_average: float = 1.0

    def model(self, estimator, batch, seed):
        """Return the model before its training."""
        return Model.untrained(
            estimator=estimator,
            candidate=self.candidate,
            seed=seed,
            missing=treatment_of_missing(estimator, batch),
            directions=batch.directions,
            settings=Settings.of_fit(estimator),
        ).with_record(validation=self.validation)

    def calibrated(self, model, rows):
        """Return the trained model with intercepts, if there was cross-validation.

        A single update moves the log-odds of many rows, by up to scale * log(alpha).
        This sum of single steps is another one in each training, so the intercepts are
        those of this model on the rows that it has learned, not of held-out scores.

        Parameters
        ----------
        model : Model
        rows : Repetitions
            All training samples.
        """
        if self.validation is None:
            return model
        rows = _some(rows, model.seed)
        n_features = len(model.encoding.attributes)
        codes, _, inverse = distinct_rows(rows.codes[:, :n_features])
        intercepts = fit_intercepts(
            logits=model.scale * model.log_scores(codes)[inverse],
            labels=rows.labels,
            units=rows.units,
        )
        return replace(model, offsets=intercepts / model.scale)


def choose(estimator, batch, seed, progress, folds=None):
    """Return the selected candidates, or the only one without cross-validation.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
        With `classes_`, and validated parameters.
    batch : Batch
    seed : int
    progress : Progress
    folds : ndarray of shape (n_samples,), int32, default=None
        Folds that `cv` gives to the samples of the batch.

    Returns
    -------
    choices : list of Choice
        The best one first; several if their models are to be averaged.
    """
    folded, choices = _folded(estimator, batch, seed, folds), []
    if folded is not None:
        try:
            choices = _chosen(estimator, batch, folded, progress)
        except TooManyTerms:
            if not isinstance(estimator.cv, str):
                raise
            if sampler_of(estimator.sampler).runs_chains:
                warn(
                    "Terms of any size, over which Markov chains sum, are too many for "
                    "tables here: no settings are selected, and 'auto' means "
                    "margin=0.5, alpha=1.1, literals='equal' and max_iter=20. Set "
                    "these parameters and cv=None, or sampler='auto'."
                )
    if choices:
        return choices
    candidate = single_candidate(estimator, batch)
    n_epochs = _AUTO_ITER if estimator.max_iter == "auto" else estimator.max_iter
    return [Choice(candidate, n_epochs)]


def _folded(estimator, batch, seed, folds):
    """Return the samples of internal cross-validation in folds; None without it."""
    if estimator.cv is None:
        return None
    units, one = whole_units(batch.sample_weights, least=1)
    codes = batch.table.codes
    if folds is not None:
        # Equal samples are merged within a fold.
        codes = np.column_stack([codes, folds])
    rows = canonical_rows(Repetitions(codes, batch.labels, units, one))
    n_all = len(rows.labels)
    rows = _some(rows, seed)
    if folds is None:
        n_folds = _n_folds(estimator.cv, n_all)
        if n_folds is None:
            return None
        folds = assign_folds(rows.labels, n_folds, seed)
        rows = replace(rows, codes=np.column_stack([rows.codes, folds]))
    # Repetitions by the weight of its class stay in the fold of a sample.
    rows = canonical_rows(rows, seed=seed, class_weights=batch.class_weights)
    folds, n_folds = numbered_folds(rows.codes[:, -1])
    rows = replace(
        rows, codes=np.asfortranarray(rows.codes[:, :-1]), n_epochs=_ANY_EPOCHS
    )
    return FoldedTable(
        table=replace(batch.table, codes=rows.codes),
        rows=rows,
        folds=folds,
        n_folds=n_folds,
        n_classes=len(estimator.classes_),
        missing=treatment_of_missing(estimator, batch),
        directions=batch.directions,
        n_all=n_all,
    )


def _n_folds(cv, n_rows):
    """Return the number of folds of some repetitions of samples, None for none."""
    if cv != "auto":
        return min(cv, n_rows)  # further folds would be empty
    if n_rows < _FEW_ROWS:
        return None
    return min(_MORE_FOLDS if n_rows < _SOME_ROWS else _FOLDS, n_rows)


def _some(rows, seed):
    """Return the presentations of the internal cross-validation, and of intercepts."""
    if len(rows.labels) <= _MOST_ROWS:
        return rows
    chosen = np.random.RandomState(seed).permutation(len(rows.labels))
    chosen = np.sort(chosen[:_MOST_ROWS])
    return replace(
        rows,
        codes=rows.codes[chosen],
        labels=rows.labels[chosen],
        units=rows.units[chosen],
    )


def _chosen(estimator, batch, folded, progress):
    """Return the selected candidates; none if all left the range of float32."""
    candidates = candidates_of(estimator, batch)
    n_models = _n_models(estimator, candidates, folded)
    kinds = [kind_of(one.screening) for one in candidates]
    has_scouts = estimator.cv == "auto" and kinds[:2] == ["smooth", "chosen"]
    is_narrow = len(batch.table.columns) <= MOST_SMOOTH
    leads = {len(candidates): None}
    if has_scouts and is_narrow and folded.n_all >= _SCOUTED:
        leads = _SCOUTS | leads
    for n_tried, lead in leads.items():
        compared = _compared(
            estimator=estimator,
            candidates=candidates[:n_tried],
            folded=folded,
            progress=progress,
            n_models=n_models,
            lead=lead,
        )
        if compared is not None:
            break
    selection, validation = compared
    found, scale_of_average = selection.best(n_models)
    choices = []
    for (position, n_epochs, scale, count), factor in zip(found, cycle(_OTHER_CUTS)):
        candidate = replace(selection.candidates[position], scale=scale)
        if estimator.discretizer == "auto":
            candidate = candidate.with_other_cuts(factor)
        choices.append(
            Choice(
                candidate=candidate,
                n_epochs=_epochs_of_all(n_epochs, n_all=folded.n_all),
                validation=validation,
                weight=count,
                scale_of_average=scale_of_average,
            )
        )
    return choices


def _compared(estimator, candidates, folded, progress, n_models, lead):
    """Return the Selection by all folds, and the results of all candidates.

    Of a large table, the first fold says which candidates are compared on all. Its
    results suffice if only one is left, or if the first one has the lead.

    Parameters
    ----------
    estimator : DNFWinnowClassifier
    candidates : list of Candidate
    folded : FoldedTable
    progress : Progress
    n_models : int
        Maximum number of models of an average.
    lead : float or None
        The lead that the first candidate must have on the first folds, see
        `Selection.leads`: without it, None is returned. None for no such condition.
    """
    is_large = folded.n_cells * folded.n_classes >= _MANY_CELLS
    first = folded
    if is_large and estimator.cv == "auto":
        first = replace(folded, folds=np.minimum(folded.folds, 1), n_folds=1)
    selection = _trained(estimator, candidates, first, progress, lead=lead)
    validation = selection.validation()
    if lead is not None:
        return (selection, validation) if selection.leads(lead) else None
    if first is not folded:
        found, _ = selection.best(max(n_models, _COMPARED))
        kept = [position for position, *_ in found]
        if len(kept) > 1:
            # The encodings of the first fold are known.
            candidates = [selection.candidates[position] for position in kept]
            folded.keep(candidates)
            selection = _trained(estimator, candidates, folded, progress)
            validation = _joint(validation, selection.validation(), kept)
    return selection, validation


def _joint(of_first, of_all, kept):
    """Return results of the first fold, with those of all folds for some candidates.

    Parameters
    ----------
    of_first, of_all : dict of str to ndarray
        See `Selection.validation`.
    kept : list of int
        The candidates of `of_all`, by their positions in `of_first`.
    """
    others = ~np.isin(of_first["candidate"], kept)
    numbers = np.array(kept)[of_all["candidate"]]
    of_all = {**of_all, "candidate": numbers}
    order = np.argsort(np.append(of_first["candidate"][others], numbers), kind="stable")
    return {
        name: np.append(of_first[name][others], of_all[name])[order] for name in of_all
    }


def _trained(estimator, candidates, folded, progress, lead=None):
    """Return the Selection of some candidates, trained without each of some folds.

    With a lead, it ends where the first candidate does not have it: `Selection.run`.
    """
    settings = Settings.of_fit(estimator)
    budget = Budget(folded, settings.sampler)
    in_parts = budget.affordable(candidates, estimator=estimator, progress=progress)
    candidates = [first_of(one) for one in in_parts]
    n_epochs = estimator.max_iter
    if n_epochs == "auto":
        is_slow = settings.sampler.runs_chains
        n_epochs = _AUTO_ITER if is_slow else budget.most_epochs(candidates)
    selection = Selection(candidates, folded)
    batches = budget.batches(candidates)
    stage = progress.stage(
        "candidates",
        len(batches) * n_epochs,
        step="epoch",
        # Other tasks have the numbers of the classes.
        task=folded.n_classes,
        n_subtasks=len(batches) * len(checkpoints(n_epochs)),
        subtask="checkpoint",
    ).start()
    for positions in batches:
        blocks = blocks_of(
            folded=folded, settings=settings, candidates=in_parts, positions=positions
        )
        selection.run(
            positions=positions,
            blocks=blocks,
            n_epochs=n_epochs,
            progress=stage,
            n_jobs=settings.n_jobs,
            lead=lead,
        )
    stage.finish()
    return selection


def _n_models(estimator, candidates, folded):
    """Return the maximum number of models of an average."""
    given, cuts = estimator.n_estimators, candidates[0].cut_columns
    may_share = not cuts or estimator.missing != "most_frequent"
    if given != "auto":
        if given > 1 and not may_share:
            raise ValueError(
                f"n_estimators={given!r} cannot be combined with missing="
                "'most_frequent' if numbers are cut, because the most frequent "
                "interval depends on the cuts. Set n_estimators=1, or missing to "
                "'unspecified' or 'category'."
            )
        return given
    is_small = folded.n_all <= _MOST_ROWS and folded.n_cells <= _MOST_ENTRIES
    is_joint = estimator.multi_class == "joint"
    # Markov chains are slow.
    is_slow = sampler_of(estimator.sampler).runs_chains
    is_free = is_joint and estimator.max_stored_examples is None and not is_slow
    is_worth_it = cuts and may_share and len(candidates) > 1
    return _MODELS if is_small and is_free and is_worth_it else 1


def _epochs_of_all(n_epochs, n_all):
    """Return the number of epochs of the training on all samples.

    If only a part of the samples took part in the choice, an epoch of all makes more
    updates, so that fewer epochs are needed. The number of presented samples grows with
    the root of the number of samples. Averages are taken from one checkpoint to the
    next, so the last epoch is one.
    """
    least = n_epochs * sqrt(min(1.0, _MOST_ROWS / n_all))
    least = max(least, min(n_epochs, _FEW_EPOCHS))
    return next(end for end in checkpoints(n_epochs) if end >= least)

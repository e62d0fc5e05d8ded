"""Choice: a candidate that is trained on all samples, and its number of epochs."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import Counter
from dataclasses import dataclass, replace
from itertools import cycle
from math import prod, sqrt

import numpy as np

from sklearn_dnfwinnow._terms._index_choice import TooManyTerms
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._winnow._blocks._block import checkpoints
from sklearn_dnfwinnow._winnow._blocks._repetitions import (
    Repetitions,
    canonical_rows,
    whole_units,
)
from sklearn_dnfwinnow._winnow._candidate import (
    Candidate,
    candidates_of,
    single_candidate,
)
from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._selection._calibration import fit_intercepts
from sklearn_dnfwinnow._winnow._selection._candidate_blocks import blocks_of
from sklearn_dnfwinnow._winnow._selection._folds import (
    NEVER,
    FoldedTable,
    assign_folds,
    numbered_folds,
)
from sklearn_dnfwinnow._winnow._selection._selection import Selection
from sklearn_dnfwinnow._winnow._selection._work import Work, first_of
from sklearn_dnfwinnow._winnow._settings import Settings

# Maximum number of samples in the internal cross-validation, and for intercepts.
_MOST_ROWS = 24576
# max_iter='auto' without folds.
_AUTO_ITER = 20
# cv='auto': none for few samples, and more folds for some hundreds of samples, of
# which a third is too many to hold out. Of many samples, one third is held out: it is
# enough to choose by, and the candidates take a third of the time.
_FEW_ROWS, _SOME_ROWS, _MANY_ROWS, _MORE_FOLDS, _FOLDS = 30, 500, 1500, 5, 3
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
    weight : int, default=1
        Weight of the model in an average.
    scale_of_average : float, default=1.0
        Scale of the probabilities of the average.
    """

    candidate: Candidate
    n_epochs: int
    validation: dict | None = None
    weight: int = 1
    scale_of_average: float = 1.0

    def model(self, estimator, batch, seed):
        """Return the model before its training."""
        model = Model.untrained(
            estimator=estimator,
            candidate=self.candidate,
            seed=seed,
            directions=batch.directions,
        )
        return model.with_record(validation=self.validation)

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
    progress : CandidateProgress
    folds : ndarray of shape (n_samples,), int32, default=None
        Folds that `cv` gives to the samples of the batch.

    Returns
    -------
    choices : list of Choice
        The best one first; several if their models are to be averaged.
    """
    settings, choices = Settings.of(estimator), []
    if estimator.cv is not None:
        choices = _choices_of_folds(
            estimator=estimator,
            batch=batch,
            settings=settings,
            seed=seed,
            progress=progress,
            folds=folds,
        )
    if choices:
        return choices
    candidate = single_candidate(estimator, batch)
    n_epochs = _AUTO_ITER if estimator.max_iter == "auto" else estimator.max_iter
    return [Choice(candidate, n_epochs)]


def _choices_of_folds(estimator, batch, settings, seed, progress, folds):
    """Return the selected candidates; none without folds, or without tables."""
    units, one = whole_units(batch.sample_weights, least=1)
    codes = batch.table.codes
    if folds is not None:
        # Equal samples are merged within a fold.
        codes = np.column_stack([codes, folds])
    rows = canonical_rows(Repetitions(codes, batch.labels, units, one))
    n_all = len(rows.labels)
    rows = _some(rows, seed)
    if folds is None:
        n_folds = _n_folds(estimator.cv, settings.sampler, n_all)
        if n_folds is None:
            return []
        folds = assign_folds(rows.labels, n_folds, seed)
        if estimator.cv == "auto" and n_all >= _MANY_ROWS:
            folds[folds > 0] = NEVER
        rows = replace(rows, codes=np.column_stack([rows.codes, folds]))
    # Repetitions by the weight of its class stay in the fold of a sample.
    rows = canonical_rows(rows, seed=seed, class_weights=batch.class_weights)
    folds, n_folds = numbered_folds(rows.codes[:, -1])
    rows = replace(
        rows, codes=np.ascontiguousarray(rows.codes[:, :-1]), n_epochs=_ANY_EPOCHS
    )
    folded = FoldedTable(
        table=batch.table.with_codes(rows.codes),
        rows=rows,
        folds=folds,
        n_folds=n_folds,
        n_classes=len(estimator.classes_),
        missing=estimator.missing,
        directions=batch.directions,
    )
    work = Work(folded, settings.sampler, n_all)
    try:
        return _chosen(
            estimator=estimator,
            batch=batch,
            folded=folded,
            settings=settings,
            work=work,
            progress=progress,
        )
    except TooManyTerms:
        if not isinstance(estimator.cv, str):
            raise
        return []


def _n_folds(cv, sampler, n_rows):
    """Return the number of folds of some repetitions of samples, None for none."""
    if cv != "auto":
        return min(cv, n_rows)  # further folds would be empty
    if not sampler.term_by_term or n_rows < _FEW_ROWS:
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


def _chosen(estimator, batch, folded, settings, work, progress):
    """Return the selected candidates; none if all left the range of float32."""
    in_parts = work.affordable(
        candidates_of(estimator, batch), are_sized=estimator.max_term_size != "auto"
    )
    candidates = [first_of(one) for one in in_parts]
    n_models = _n_models(
        estimator, candidates, shape=(work.n_all, len(batch.table.columns))
    )
    n_epochs = estimator.max_iter
    if n_epochs == "auto":
        n_epochs = work.most_epochs(candidates)
    selection = Selection(
        candidates=candidates,
        rows=folded.rows,
        folds=folded.folds,
        n_folds=folded.n_folds,
        n_classes=folded.n_classes,
        patience=work.patience(candidates),
    )
    batches = work.batches(candidates)
    progress.start(len(batches) * len(checkpoints(n_epochs)))
    for positions in batches:
        selection.run(
            positions=positions,
            blocks=blocks_of(
                folded=folded,
                settings=settings,
                candidates=in_parts,
                positions=positions,
            ),
            n_epochs=n_epochs,
            progress=progress,
            n_jobs=settings.n_jobs,
        )
    progress.finish()
    validation = selection.validation()
    may_cut = estimator.discretizer == "auto"
    found, scale_of_average = selection.best(n_models)
    choices = [
        Choice(
            candidate=replace(
                candidates[position].with_other_cuts(factor if may_cut else 1),
                scale=scale,
            ),
            n_epochs=_epochs_of_all(n_epochs, n_all=work.n_all),
            validation=validation,
            scale_of_average=scale_of_average,
        )
        for factor, (position, n_epochs, scale) in zip(cycle(_OTHER_CUTS), found)
    ]
    counts = Counter(choice.candidate.key for choice in choices)
    distinct = {choice.candidate.key: choice for choice in reversed(choices)}
    return [replace(distinct[key], weight=count) for key, count in counts.items()]


def _n_models(estimator, candidates, shape):
    """Return the maximum number of models of an average, for a table of some shape."""
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
    is_small = shape[0] <= _MOST_ROWS and prod(shape) <= _MOST_ENTRIES
    is_joint = estimator.multi_class == "joint"
    is_free = is_joint and estimator.max_stored_examples is None
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

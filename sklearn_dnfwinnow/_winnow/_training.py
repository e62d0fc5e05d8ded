"""Training: one call, from a model and a batch to the next model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from sklearn_dnfwinnow._encoding._column_warnings import warn_of_columns
from sklearn_dnfwinnow._encoding._table import LabelledTable
from sklearn_dnfwinnow._terms._chosen_terms import index_of_chosen
from sklearn_dnfwinnow._terms._term_index import (
    choose_max_term_size,
    warn_of_lost_interactions,
)
from sklearn_dnfwinnow._utils._computing import distinct_rows, run_tasks
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import warn
from sklearn_dnfwinnow._winnow._class_block import (
    ClassBlock,
    bytes_of_lanes,
    check_bytes,
    index_for,
    learn,
)
from sklearn_dnfwinnow._winnow._lane_block import block_of_model
from sklearn_dnfwinnow._winnow._model import StoredExamples
from sklearn_dnfwinnow._winnow._monotone import read_directions
from sklearn_dnfwinnow._winnow._repetitions import Repetitions, whole_units
from sklearn_dnfwinnow._winnow._screening import FineCells, ScreenedTable
from sklearn_dnfwinnow._winnow._stores import MOST_LOST


class Batch(LabelledTable):
    """Samples with positive weight, their classes, and directions of scores.

    Parameters
    ----------
    estimator, X, y, weights
        See `LabelledTable`.

    Attributes
    ----------
    directions : Directions
        Directions of `monotonic_cst`.
    cells : dict
        Fine cells by the key of the cuts of candidates, which models share.
    """

    def __init__(self, estimator, X, y, weights):
        super().__init__(estimator, X, y, weights)
        self.directions, self.cells = read_directions(estimator, self), {}


def take_in(model, batch):
    """Encode a batch; determine the maximum term size, the threshold and the start.

    Parameters
    ----------
    model : Model
    batch : Batch

    Returns
    -------
    model : Model
        With all values, but not yet trained.
    rows : Repetitions
        Each row once, in the given order, with its weight without class weights.
    """
    encoding, known = model.encoding, (batch.table, batch.labels, batch.weights)
    screened, strength = None, model.candidate.screening
    is_first = model.record.n_iter == 0
    units, one = whole_units(
        batch.sample_weights, least=model.denominator, parts=model.rule.parts
    )
    if is_first and strength is not None:
        screened = _screened(model, batch, units / one)
        encoding, codes = screened.encoding, screened.codes
    else:
        if is_first:
            encoding = encoding.with_cuts(*known)
        encoding, codes = encoding.learn(*known)
    warn_of_columns(batch, codes, encoding, before=model.encoding)
    background = model.background
    # In new rows, the most frequent value is that of all classes.
    fills = encoding.missing == "most_frequent"
    as_new = encoding.codes_as_new(batch.table) if fills else codes
    background = background.with_rows(as_new, batch.sample_weights)
    model = replace(model, encoding=encoding).with_record(background=background)
    codes, n_values = encoding.with_literals(codes), encoding.n_values
    if strength is None:
        model = replace(model, candidate=_sized(model, codes))
    log_threshold = model.settings.log_threshold(n_values, model.candidate)
    model = replace(model, log_threshold=log_threshold)
    rows = Repetitions(codes, batch.labels, units, one)
    if screened is not None:
        net_counts = screened.net_counts(model.candidate, one)
        terms = screened.terms.rows
        stored = StoredExamples.of(terms, net_counts, one, are_terms=True)
        model = replace(model, stored=stored)
    return model, rows


def _sized(model, codes):
    """Return the candidate with a value for max_term_size='auto', for rows to learn."""
    candidate, n_values = model.candidate, model.encoding.n_values
    if candidate.max_term_size != "auto":
        return candidate
    if not model.settings.sampler.term_by_term:
        # Samplers without tables sum over terms of any size.
        return replace(candidate, max_term_size=None)
    rows = distinct_rows(codes)[0]
    size = choose_max_term_size(rows, n_values, model.n_classes)
    if size == 1 < codes.shape[1]:
        n = len(model.encoding.attributes)
        equal = distinct_rows(codes[:, :n])[0]
        of_equal = choose_max_term_size(equal, n_values[:n], model.n_classes)
        warn_of_lost_interactions(rows, equal_helps=of_equal != 1)
    return replace(candidate, max_term_size=size)


def _screened(model, batch, weights):
    """Return the terms that screening of a batch chooses."""
    key = model.candidate.cuts_key
    if key not in batch.cells:
        weights = weights * batch.class_weights[batch.labels]
        batch.cells[key] = FineCells(
            model.encoding,
            {"table": batch.table, "labels": batch.labels, "weights": weights},
            model.directions,
        )
    return ScreenedTable(batch.cells[key], model.candidate)


def train(model, rows, progress, classes):
    """Train all classes: jointly, or in parallel if they are independent.

    Chosen terms are trained in lanes, and all terms in tables or by a sampler.

    Parameters
    ----------
    model : Model
        As returned by `take_in`.
    rows : Repetitions
    progress : Progress
        Of the whole call; each training is a stage.
    classes : ndarray of shape (n_classes,)
        Labels of the classes.

    Returns
    -------
    model : Model
    """
    settings = model.settings
    groups = [None] if settings.multi_class == "joint" else range(model.n_classes)
    if model.chosen_terms is not None:
        index = index_of_chosen(
            terms=model.chosen_terms, codes=rows.codes, log_beta=model.log_beta
        )
        n_bytes = bytes_of_lanes(index.n_terms, len(index.rows), model.n_classes)
        check_bytes(n_bytes, model.n_classes, len(index.rows))
        make, groups = partial(block_of_model, model, rows, index), [None]
    else:
        index = index_for(model, rows.codes)
        n_terms, n_rows = 0, len(model.examples) + len(rows.codes)
        if index is not None:
            n_terms, n_rows = index.n_terms, len(index.rows)
        n_together = model.n_classes // len(groups)
        n_bytes = bytes_of_lanes(n_terms, n_rows, n_together)
        check_bytes(n_bytes, model.n_classes, n_rows)
        engine = model.summation.engine()
        engine.check_training(rows.codes, model.literal_examples)
        make = partial(ClassBlock, model, rows, index)
    stages = [
        progress.stage(
            "all classes" if k is None else f"class {shown(classes[k])}",
            rows.n_epochs,
            step="epoch",
            n_before=model.record.n_iter,
            task=k or 0,
        )
        for k in groups
    ]
    all_trained = run_tasks(
        partial(learn, make, rows.n_epochs),
        zip(groups, stages),
        n_jobs=settings.n_jobs,
        all_progress=[progress],
    )
    all_trained = list(chain(*all_trained))
    _warn_of_lost_counts(all_trained, settings.max_stored_examples)
    return model.after(all_trained)


def _warn_of_lost_counts(all_trained, max_stored_examples):
    """Warn if `max_stored_examples` is too small to replace discarded examples."""
    discarded, lost = np.sum([trained.discarded for trained in all_trained], axis=0)
    if lost > MOST_LOST * discarded:
        warn(
            f"max_stored_examples={max_stored_examples} is too small for these data: "
            f"more than {MOST_LOST:.0%} of what the discarded examples had taught is "
            "lost. Accuracy may fall; set max_stored_examples to a larger number, or "
            "to None.",
        )

"""Training: one call, from a model and a batch to the next model."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from sklearn_dnfwinnow._terms._conditions import check_initial_terms
from sklearn_dnfwinnow._terms._index_choice import choose_max_term_size
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow._utils._parallel import run_tasks
from sklearn_dnfwinnow._utils._rollback import unshared
from sklearn_dnfwinnow._winnow._block import learn
from sklearn_dnfwinnow._winnow._class_block import ClassBlock, index_for
from sklearn_dnfwinnow._winnow._lost_interactions import warn_of_lost_interactions
from sklearn_dnfwinnow._winnow._presentations import Presentations, whole_units
from sklearn_dnfwinnow._winnow._selection._lane_block import block_of_model
from sklearn_dnfwinnow._winnow._weights._update_budget import MOST_LOST, NO_LIMIT


def take_in(model, columns, batch):
    """Encode a batch; determine the maximum term size, and the threshold.

    Parameters
    ----------
    model : Model
    columns : list of ndarrays of shape (n_samples,)
        Columns of the batch, cut into intervals if the model cuts them.
    batch : Batch

    Returns
    -------
    model : Model
        With all values, but not yet trained.
    rows : Presentations
        Each row once, in the given order, with its weight without class weights.
    """
    units, one = whole_units(
        batch.sample_weights, least=model.denominator, parts=model.rule.parts
    )
    encoder = unshared(model.encoder)
    codes = encoder.learn(columns, batch.labels, batch.weights, batch.label)
    background = model.background
    if background is not None:
        # In new rows, the most frequent value is that of all classes.
        fills = encoder.missing == "most_frequent"
        as_new = encoder.encode(columns, batch.label) if fills else codes
        background = background.with_rows(as_new, batch.sample_weights)
    model = replace(model, encoder=encoder, background=background)
    codes, n_values = model.with_literals(codes), model.n_values
    max_term_size = resolve_max_term_size(
        sampler=model.settings.sampler,
        max_term_size=model.max_term_size,
        codes=codes,
        n_values=n_values,
        n_classes=model.n_classes,
        least=model.conditions.longest if model.conditions else 1,
    )
    if max_term_size == 1 != model.max_term_size and codes.shape[1] > 1:
        warn_of_lost_interactions(distinct_rows(codes)[0], model.literals)
    if model.conditions is not None:
        check_initial_terms(model.conditions.longest, max_term_size)
    log_threshold = model.settings.log_threshold(
        n_values, model.log_beta, max_term_size
    )
    model = replace(model, max_term_size=max_term_size, log_threshold=log_threshold)
    return model, Presentations(codes, batch.labels, units, one)


def resolve_max_term_size(sampler, max_term_size, codes, n_values, n_classes, least=1):
    """Return the value of max_term_size='auto' for a sampler and rows to be learned.

    Samplers without tables sum over terms of any size. Terms may have at least `least`
    literals.
    """
    if max_term_size != "auto":
        return max_term_size
    if not sampler.term_by_term:
        return None
    size = choose_max_term_size(distinct_rows(codes)[0], n_values, n_classes)
    return None if size is None else max(size, least)


def train(model, rows, progress_of, in_lanes=False):
    """Train all classes: jointly, or in parallel if they are independent.

    Parameters
    ----------
    model : Model
        As returned by `take_in`.
    rows : Presentations
    progress_of : callable
        Accepts the number of epochs and a class, None for all of them; returns the
        reporter of their progress.
    in_lanes : bool
        Whether sums in float32 are sufficient, as in the selection of the candidate.
        Ignored without an index of all terms.

    Returns
    -------
    model : Model
    """
    settings, summation = model.settings, model.summation
    index = index_for(
        summation=summation,
        updates=model.literal_updates,
        codes=rows.codes,
        n_values=model.n_values,
    )
    groups = [None] if settings.multi_class == "joint" else range(model.n_classes)
    if in_lanes and index is not None:
        make, groups = partial(block_of_model, model, rows, index), [None]
    else:
        summation.engine().check_training(rows.codes, model.literal_updates)
        make = partial(
            ClassBlock,
            summation=summation,
            rule=model.rule,
            log_threshold=model.log_threshold,
            rows=rows,
            states=model.class_states(),
            index=index,
            average=settings.average,
            max_updates=min(settings.max_updates or NO_LIMIT, NO_LIMIT),
        )
    all_progress = [progress_of(rows.n_epochs, k) for k in groups]
    all_trained = run_tasks(
        partial(learn, make, rows.n_epochs),
        zip(groups, all_progress),
        n_jobs=settings.n_jobs,
        all_progress=all_progress,
    )
    all_trained = list(chain(*all_trained))
    _warn_of_lost_counts(all_trained, settings.max_updates)
    return model.after(all_trained)


def _warn_of_lost_counts(all_trained, max_updates):
    """Warn if `max_updates` is too small to replace discarded examples by others."""
    discarded, lost = np.sum([trained.discarded for trained in all_trained], axis=0)
    if lost > MOST_LOST * discarded:
        warnings.warn(
            f"max_updates={max_updates} is too small for these data: more than "
            f"{MOST_LOST:.0%} of what the discarded examples had taught is lost. "
            "Accuracy may fall; set max_updates to a larger number, or to None.",
            UserWarning,
            stacklevel=stacklevel_of_caller(),
        )

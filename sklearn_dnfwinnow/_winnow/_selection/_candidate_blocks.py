"""Blocks of lanes for candidates and folds: trainings that run together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict

import numpy as np
from joblib import effective_n_jobs

from sklearn_dnfwinnow._terms._chosen_terms import index_of_chosen
from sklearn_dnfwinnow._terms._index_choice import index_to_present
from sklearn_dnfwinnow._winnow._blocks._lane_block import LaneBlock, lane_of
from sklearn_dnfwinnow._winnow._main_effects import single_conditions

# Maximum number of lanes of a block.
_MOST_LANES = 128


def blocks_of(folded, settings, candidates, positions):
    """Return the blocks of lanes of some candidates, each without each fold.

    Parameters
    ----------
    folded : FoldedTable
    settings : Settings
    candidates : list of dict of tuple of int to Candidate
        Each by its parts, see `Work.affordable`.
    positions : list of int
        Positions of the candidates to train.

    Raises
    ------
    TooManyTerms
        If the terms of a candidate do not fit into memory.
    """
    alike = defaultdict(list)
    for position in positions:
        for folds, candidate in candidates[position].items():
            alike[candidate.index_key, folds].append((position, candidate))
    blocks = []
    for (_, folds), same in alike.items():
        blocks += _blocks_alike(folded, settings, same, folds)
    return blocks


def _blocks_alike(folded, settings, numbered, folds):
    """Return the blocks of candidates that share an index, without each of some folds.

    Parameters
    ----------
    numbered : list of (int, Candidate)
    folds : tuple of int
        One of `folded.parts`.
    """
    view = folded.view(numbered[0][1], folds)
    index = _index(view, [candidate for _, candidate in numbered])
    shortest_first = sorted(numbered, key=lambda pair: pair[1].max_term_size or np.inf)
    lanes, starts = [], []
    for fold in folds:
        for position, candidate in shortest_first:
            lanes.append(
                lane_of(
                    candidate=candidate,
                    settings=settings,
                    n_values=view.n_values,
                    fold=fold,
                    position=position,
                )
            )
            starts.append(None)
            if candidate.main_effects:
                one = candidate.rule.parts * view.rows.one
                if view.screened is None:
                    effects = folded.main_effects(candidate, folds, fold)
                    starts[-1] = effects.net_counts(view.encoding, candidate, one)
                else:
                    starts[-1] = view.screened.net_counts(candidate, one)
    share = -(-len(lanes) // effective_n_jobs(settings.n_jobs))
    n_together = max(1, min(share, _MOST_LANES // folded.n_classes))
    return [
        LaneBlock(
            index=index,
            rows=view.rows,
            folds=folded.folds,
            trainings=lanes[start : start + n_together],
            n_classes=folded.n_classes,
            average=settings.average,
            allowed=view.allowed,
            starts=starts[start : start + n_together],
        )
        for start in range(0, len(lanes), n_together)
    ]


def _index(view, candidates):
    """Return the index of the terms of a view, for all of some candidates."""
    log_beta = candidates[0].log_beta
    if view.screened is not None:
        return index_of_chosen(view.screened.terms, view.rows.codes, log_beta)
    examples = np.zeros((0, len(view.encoding.attributes)), dtype=np.int32)
    if any(candidate.main_effects for candidate in candidates):
        examples = single_conditions(view.encoding)
    sizes = [candidate.max_term_size for candidate in candidates]
    return index_to_present(
        examples=view.encoding.with_literals(examples),
        codes=view.rows.codes,
        n_values=view.n_values,
        max_term_size=None if None in sizes else max(sizes),
        log_beta=log_beta,
        may_group=view.allowed is None,
    )

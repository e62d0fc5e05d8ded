"""Blocks of lanes for candidates and folds: trainings that run together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import replace
from math import log

import numpy as np
from joblib import effective_n_jobs

from sklearn_dnfwinnow._terms._conditions import check_initial_terms
from sklearn_dnfwinnow._terms._index_choice import (
    choose_max_term_size,
    count_listed,
    count_terms,
    index_to_present,
)
from sklearn_dnfwinnow._terms._term_index import cap_of
from sklearn_dnfwinnow._winnow._lost_interactions import warn_of_lost_interactions
from sklearn_dnfwinnow._winnow._selection._lane_block import (
    CHUNK,
    LaneBlock,
    bytes_of_lanes,
    lane_of,
)

# Maximum memory of the lanes that are trained at the same time, and lanes of a block.
_MOST_BYTES, _MOST_LANES = 2**30, 128
# Work that candidates='auto' may take, in chunks of weights: a constant, and a number
# per sample, about the time of a random forest of 200 trees. Number of epochs of an
# average candidate, and its fraction of the work before its terms may be long.
_WORK, _WORK_A_ROW, _EPOCHS, _SHARE = 2.0e8, 2.0e4, 30, 1 / 8
_SIZES = (None, 3, 2, 1)
# Minimum and maximum number of epochs of a candidate: small steps need many epochs. The
# fraction of the work for the last remaining candidate.
_LEAST_EPOCHS, _MOST_EPOCHS, _LAST_SHARE = 64, 512, 0.7
# Number of terms whose weights in a chunk fit a near cache, and the relative time of
# others.
_MOST_NEAR, _FAR = 1 << 15, 3


class Plan:
    """The candidates that are trained on a data set, and their blocks.

    Parameters
    ----------
    folded : FoldedTable
    settings : Settings
    n_all : int
        Number of samples of the final training, of which the table may be a part.
    """

    def __init__(self, folded, settings, n_all):
        self.folded = folded
        self.settings = settings
        self._n_all = n_all
        # Candidates with the same encoding share the encoded rows.
        self._views = {}

    # -- candidates --------------------------------------------------------------------

    def settle(self, candidates, are_own, are_sized):
        """Return candidates with their maximum term sizes, as many as the time allows.

        A warning is issued if all have terms of one literal, and some because pairs
        take too long. Otherwise the folds choose.

        Parameters
        ----------
        candidates : list of Candidate
        are_own : bool
            Whether they are given by the user, so that none is left out.
        are_sized : bool
            Whether their maximum term sizes are given by the user.
        """
        settled, work, shortened = {}, 0, None
        for candidate in candidates:
            view = self._first_view(candidate)
            candidate = candidate.with_prior(len(view.n_values))
            had_pairs = candidate.max_term_size != 1
            candidate = self._sized(candidate, are_sized)
            if had_pairs and candidate.max_term_size == 1:
                shortened = shortened or candidate
            more = self._work(candidate, candidate.max_term_size)
            if are_own or not settled or work + more <= self._most_work:
                work += more * (candidate.key not in settled)
                settled.setdefault(candidate.key, candidate)
        if shortened and all(one.max_term_size == 1 for one in settled.values()):
            rows = self._first_view(shortened).distinct
            warn_of_lost_interactions(rows, shortened.literals)
        return list(settled.values())

    def _sized(self, candidate, is_sized):
        """Return a candidate with a maximum term size that memory and time allow."""
        view, size = self._first_view(candidate), candidate.max_term_size
        longest = view.conditions.longest if view.conditions else 0
        if is_sized and size != "auto":
            check_initial_terms(longest, size)
            return candidate
        if not self.settings.sampler.term_by_term:
            # All other samplers sum over terms of any size.
            return replace(candidate, max_term_size=None)
        largest = choose_max_term_size(
            view.distinct, view.n_values, self.folded.n_classes
        )
        if isinstance(size, int) and (largest is None or size < largest):
            largest = size
        for size in _SIZES[_SIZES.index(largest) :] if largest in _SIZES else [largest]:
            if self._work(candidate, size) <= _SHARE * self._most_work:
                break
        size = None if size is None else max(size, longest)
        return replace(candidate, max_term_size=size)

    def most_epochs(self, candidates):
        """Return the number of epochs of max_iter='auto' that the time allows."""
        work = max(self._work(one, one.max_term_size) for one in candidates)
        # A single remaining candidate also takes whole chunks.
        lanes = self.folded.n_folds * self.folded.n_classes
        an_epoch = work / _EPOCHS * max(1.0, CHUNK / lanes)
        n_epochs = _LAST_SHARE * self._most_work / an_epoch
        return int(np.clip(n_epochs, _LEAST_EPOCHS, _MOST_EPOCHS))

    @property
    def _most_work(self):
        return _WORK + _WORK_A_ROW * self._n_all

    def _work(self, candidate, size):
        """Return the work of a candidate with terms up to a size."""
        view = self._first_view(candidate)
        cap = cap_of(size, view.distinct)
        listed = count_listed(view.distinct, cap)
        lanes = self.folded.n_folds * self.folded.n_classes
        presented = listed / len(view.distinct) * len(self.folded.folds)
        work = _EPOCHS * presented * lanes / CHUNK
        n_terms = min(listed, count_terms(view.n_values, cap))
        return work * (_FAR if n_terms > _MOST_NEAR else 1)

    def _parts(self, candidate):
        return self.folded.parts(candidate.discretizer)

    def _view(self, candidate, folds):
        key = candidate.view_key, tuple(folds)
        if key not in self._views:
            self._views[key] = self.folded.view(
                candidate.discretizer, candidate.literals, folds
            )
        return self._views[key]

    def _first_view(self, candidate):
        return self._view(candidate, self._parts(candidate)[0])

    # -- blocks ------------------------------------------------------------------------

    def heats(self, candidates):
        """Return candidates in lists that fit into memory at the same time.

        Parameters
        ----------
        candidates : list of Candidate

        Returns
        -------
        heats : list of list of int
            Positions.
        """
        heats, room = [], 0
        for position, candidate in enumerate(candidates):
            needed = self._bytes(candidate)
            if needed > room:
                heats.append([])
                room = _MOST_BYTES
            heats[-1].append(position)
            room -= needed
        return heats

    def _bytes(self, candidate):
        """Return the maximum memory of the trainings of a candidate."""
        view = self._first_view(candidate)
        cap = cap_of(candidate.max_term_size, view.distinct)
        listed = count_listed(view.distinct, cap)
        return bytes_of_lanes(
            n_terms=min(listed, count_terms(view.n_values, cap)),
            n_rows=len(view.distinct),
            n_lanes=self.folded.n_folds * self.folded.n_classes,
        )

    def blocks(self, candidates, positions):
        """Return the blocks of lanes of some candidates, each without each fold.

        Parameters
        ----------
        candidates : list of Candidate
        positions : list of int
            Positions of the candidates to train.

        Raises
        ------
        TooManyTerms
            If the terms of a candidate do not fit into memory.
        """
        alike = defaultdict(list)
        for position in positions:
            candidate = candidates[position]
            # The weights of groups of terms depend on the initial weight per literal.
            prior = (
                candidate.literal_weight if candidate.max_term_size is None else None
            )
            alike[candidate.view_key, prior].append(position)
        blocks = []
        for positions in alike.values():
            for folds in self._parts(candidates[positions[0]]):
                blocks += self._blocks_of(candidates, positions, folds)
        return blocks

    def _blocks_of(self, candidates, positions, folds):
        first = candidates[positions[0]]
        view = self._view(first, folds)
        sizes = [candidates[position].max_term_size for position in positions]
        largest = None if None in sizes else max(sizes)
        index = index_to_present(
            updates=np.empty((0, view.rows.codes.shape[1]), dtype=np.int32),
            codes=view.rows.codes,
            n_values=view.n_values,
            max_term_size=largest,
            log_beta=log(first.literal_weight),
            may_group=view.conditions is None,
        )
        lanes = [
            lane_of(
                candidate=candidates[position],
                settings=self.settings,
                n_values=view.n_values,
                fold=fold,
                position=position,
            )
            for fold in folds
            for position in sorted(
                positions, key=lambda i: candidates[i].max_term_size or np.inf
            )
        ]
        n_classes = self.folded.n_classes
        share = -(-len(lanes) // effective_n_jobs(self.settings.n_jobs))
        n_together = max(1, min(share, _MOST_LANES // n_classes))
        return [
            LaneBlock(
                index=index,
                rows=view.rows,
                folds=self.folded.folds,
                trainings=lanes[start : start + n_together],
                n_classes=n_classes,
                average=self.settings.average,
                conditions=view.conditions,
            )
            for start in range(0, len(lanes), n_together)
        ]

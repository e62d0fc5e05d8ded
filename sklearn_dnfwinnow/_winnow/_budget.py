"""Budget: the time and memory of candidates, and what `fit` may take of both."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from math import inf

import numpy as np

from sklearn_dnfwinnow._terms._term_index import (
    CAPS,
    TooManyTerms,
    choose_max_term_size,
    group_terms,
    warn_of_lost_interactions,
)
from sklearn_dnfwinnow._winnow._lane_block import CHUNK

# Maximum memory of the lanes that are trained at the same time.
_MOST_BYTES = 2**30
# Work that candidates may take, in sums of one weight in a chunk (2 ns): a
# constant, and a number per sample, about the time of a random forest of 200 trees, for
# up to so many classes; in proportion for more, each of which takes as much. Number of
# epochs of an average candidate, and its fraction of the work before its terms may be
# long; and how many times the work the training on all samples may take.
_WORK, _WORK_A_ROW, _CLASSES = 7.0e7, 1.0e5, 4
_EPOCHS, _SHARE, _FINAL = 30, 1 / 2, 2
# Minimum and maximum number of epochs of a candidate: small steps need many epochs. The
# fraction of the work for the last remaining candidate.
_LEAST_EPOCHS, _MOST_EPOCHS, _LAST_SHARE = 64, 512, 0.7
# A presentation takes as long as the sum of this number of weights, besides its terms.
_PRESENTED = 75
# Numbers of terms whose weights in a chunk fit into the caches, and the relative time
# of a sum of others: measured on seven data sets.
_FAR = {1 << 17: 1, 1 << 20: 2, inf: 4}


class Budget:
    """The time and memory that candidates take in internal cross-validation.

    Parameters
    ----------
    folded : FoldedTable
    sampler : Sampler
    """

    def __init__(self, folded, sampler):
        self._folded = folded
        self._sampler = sampler
        self._most = _WORK + _WORK_A_ROW * folded.n_all
        self._most *= max(1.0, folded.n_classes / _CLASSES)
        self._n_lanes = int(folded.n_folds) * folded.n_classes

    def affordable(self, candidates, estimator, progress):
        """Return candidates with values for 'auto', as many as the time allows.

        These values depend on the encoding, which may depend on the labels it was made
        with. So each part of the folds has its own.

        Chains need tables of terms of any size. Without them, an error is raised.

        A warning is issued if all have terms of one literal, and some because pairs
        take too long. Otherwise the folds choose.

        Parameters
        ----------
        candidates : list of Candidate
        estimator : DNFWinnowClassifier
            Its maximum term size, if it is a number or None, is kept.
        progress : Progress

        Returns
        -------
        settled : list of dict of tuple of int to Candidate
            Each candidate by its parts, see `FoldedTable.parts`. The training on all
            samples has the values of the first one.
        """
        settled, work, shortened = {}, 0, None
        are_sized = estimator.max_term_size != "auto"
        for candidate in progress.over(candidates, "encoding", step="candidate"):
            first, *others = self._folded.parts(candidate)
            found = self._settled(candidate, first, are_sized)
            if found.max_term_size == 1 != candidate.max_term_size:
                shortened = shortened or found
            more = self._work_of(found)
            if not settled or work + more <= self._most:
                if found.key in settled:
                    continue
                if not self._has_tables(candidate):
                    if settled:
                        continue
                    break  # The first candidates have the fewest terms.
                work += more
                settled[found.key] = {first: found} | {
                    part: self._settled(candidate, part, are_sized) for part in others
                }
        settled = list(settled.values())
        if not settled:
            raise TooManyTerms(
                f"sampler={self._sampler.name!r} sums over terms of any size, which "
                "are too many for tables, by which internal cross-validation compares "
                "settings. Set cv=None and the settings, or sampler='auto'."
            )
        if shortened and all(first_of(one).max_term_size == 1 for one in settled):
            equal = replace(shortened, literals="equal", max_term_size="auto")
            (part, *_) = self._folded.parts(equal)
            equal = self._settled(equal, part, is_sized=False)
            rows = self._folded.first_view(shortened).distinct
            warn_of_lost_interactions(rows, equal_helps=equal.max_term_size != 1)
        return settled

    def _settled(self, candidate, part, is_sized):
        """Return a candidate with values for 'auto' that memory and time allow."""
        view = self._folded.view(candidate, part)
        candidate = candidate.with_prior(len(view.n_values))
        if candidate.screening is not None:
            return candidate
        size = candidate.max_term_size
        if is_sized and size != "auto":
            return candidate
        if self._sampler.runs_chains:
            # Chains sum over terms of any size.
            return replace(candidate, max_term_size=None)
        largest = self._largest_size(view)
        if isinstance(size, int) and (largest is None or size < largest):
            largest = size
        for size in CAPS[CAPS.index(largest) :] if largest in CAPS else [largest]:
            if self._is_affordable(view, size):
                break
        return replace(candidate, max_term_size=size)

    def _largest_size(self, view):
        """Return the largest term size for which training is fast; None for any."""
        return choose_max_term_size(
            view.distinct, view.n_values, self._folded.n_classes
        )

    def _has_tables(self, candidate):
        """Return whether the terms fit into tables, if chains need those of any size.

        Those of any size are in groups if they are many.
        """
        if not self._sampler.runs_chains:
            return True
        view = self._folded.first_view(candidate)
        if self._largest_size(view) is None:
            return True
        # Their number does not depend on their initial weights.
        may_group = view.allowed is None
        return may_group and group_terms(view.distinct, log_beta=0.0) is not None

    def most_epochs(self, candidates):
        """Return the number of epochs of max_iter='auto' that the time allows."""
        work = max(map(self._work_of, candidates))
        # A single remaining candidate also takes whole chunks.
        an_epoch = work / _EPOCHS * max(1.0, CHUNK / self._n_lanes)
        n_epochs = _LAST_SHARE * self._most / an_epoch
        return int(np.clip(n_epochs, _LEAST_EPOCHS, _MOST_EPOCHS))

    def _is_affordable(self, view, size):
        """Return whether time allows terms up to a size, before and after the choice.

        The training on all samples fills a chunk with the lanes of a few classes.
        """
        n_chunks = -(-self._folded.n_classes // CHUNK)
        final = n_chunks * self._folded.n_all * _an_epoch(view, size) * _EPOCHS
        work = self._work(view, size)
        return work <= _SHARE * self._most and final <= _FINAL * self._most

    def _work_of(self, candidate):
        """Return the work of a candidate in all parts, judged by the first one."""
        return self._work(self._folded.first_view(candidate), candidate.max_term_size)

    def _work(self, view, size):
        """Return the work of a candidate with terms up to a size."""
        presented = _EPOCHS * len(self._folded.folds) * _an_epoch(view, size)
        return presented * self._n_lanes / CHUNK

    # -- memory ------------------------------------------------------------------------

    def batches(self, candidates):
        """Return candidates in lists that fit into memory at the same time.

        Parameters
        ----------
        candidates : list of Candidate

        Returns
        -------
        batches : list of list of int
            Positions.
        """
        batches, room = [], 0
        for position, candidate in enumerate(candidates):
            needed = self._bytes(candidate)
            if needed > room:
                batches.append([])
                room = _MOST_BYTES
            batches[-1].append(position)
            room -= needed
        return batches

    def _bytes(self, candidate):
        """Return the maximum memory of the trainings of a candidate."""
        view = self._folded.first_view(candidate)
        n_rows, _, n_terms = view.counts(candidate.max_term_size)
        n_bytes = bytes_of_lanes(n_terms=n_terms, n_rows=n_rows, n_lanes=self._n_lanes)
        check_bytes(n_bytes, n_classes=self._folded.n_classes, n_rows=n_rows)
        return n_bytes


def first_of(of_parts):
    """Return the candidate of the first part, see `Budget.affordable`."""
    return next(iter(of_parts.values()))


def _an_epoch(view, size):
    """Return the work of presenting a row once to a chunk of lanes."""
    n_rows, listed, n_terms = view.counts(size)
    slower = next(times for most, times in _FAR.items() if n_terms <= most)
    return slower * (listed / n_rows + _PRESENTED)


# Maximum memory of the classes that are trained at the same time, and the number of
# classes from which it is checked: with fewer, the rows or terms are too many, and not
# the classes.
_MOST_CLASS_BYTES, _MANY_CLASSES = 1 << 32, 64
# Bytes of a row in a class: net count, sum of net counts, order of arrival, two bounds,
# and a flag; and of a term.
_BYTES_A_ROW, _BYTES_A_TERM = 5 * 8 + 1, 2


def bytes_of_lanes(n_terms, n_rows, n_lanes):
    """Return the memory of lanes: weights, averaged weights, and net counts."""
    return n_lanes * (2 * 4 * n_terms + 3 * 8 * n_rows)


def bytes_of_classes(n_terms, n_rows, n_classes):
    """Return the memory of classes that are trained together without lanes."""
    return n_classes * (_BYTES_A_TERM * n_terms + _BYTES_A_ROW * n_rows)


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

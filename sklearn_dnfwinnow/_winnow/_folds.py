"""Folds: rows that are held out, and what trainings without them take and are."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf

import numpy as np
from joblib import effective_n_jobs

from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._encoding._table import FactorizedTable
from sklearn_dnfwinnow._terms._chosen_terms import index_of_chosen
from sklearn_dnfwinnow._terms._term_index import (
    CAPS,
    TooManyTerms,
    cap_of,
    choose_max_term_size,
    count_listed,
    count_terms,
    group_terms,
    index_to_present,
    warn_of_lost_interactions,
)
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._estimators import has_splits, masks_of_splits
from sklearn_dnfwinnow._winnow._class_block import bytes_of_lanes, check_bytes
from sklearn_dnfwinnow._winnow._lane_block import CHUNK, Lane, LaneBlock
from sklearn_dnfwinnow._winnow._monotone import Allowed, Directions
from sklearn_dnfwinnow._winnow._repetitions import Repetitions
from sklearn_dnfwinnow._winnow._screening import FineCells, ScreenedTable

#: Fold of rows that are in all training sets.
NEVER = np.iinfo(np.int32).max


def assign_folds(labels, n_folds, seed):
    """Return the fold in which each presentation is held out: (n,), int32.

    The folds have equal numbers of rows of a class, up to one. Equal rows are
    assigned at random: an even distribution would give each fold information on the
    classes in the others. The result is a function of the rows and their numbers,
    like the rest of training.
    """
    turns = np.empty(len(labels), dtype=np.int32)
    chance = np.random.RandomState(seed).permutation(len(turns))
    turns[np.lexsort([chance, labels])] = np.arange(len(turns)) % n_folds
    return turns


def folds_of_splits(cv, X, y, groups=None):
    """Return the split in which each row is held out: (n_samples,), int32.

    Parameters
    ----------
    cv : int, None, 'auto', splitter or iterable of (train, test)
    X, y : as given
    groups : array-like of shape (n_samples,), default=None
        For splitters that need them.

    Returns
    -------
    folds : ndarray of shape (n_samples,), int32, or None
        `NEVER` for rows that no split holds out. None if `cv` leaves the folds to
        `fit`.

    Raises
    ------
    ValueError
        If a split is not a pair of arrays of indices, or does not train on all rows
        that it does not hold out. If a row is held out twice.
    """
    if not has_splits(cv):
        return None
    folds = np.full(len(y), NEVER, dtype=np.int32)
    splits = masks_of_splits(cv, X, y, groups=groups)
    for fold, (learned, held_out) in enumerate(splits):
        if (learned == held_out).any():
            raise ValueError(
                "Each split of cv must train on all rows that it does not hold out, "
                f"and on no others; got a {type(cv).__name__}, of which split {fold} "
                f"trains on {learned.sum()} and holds out {held_out.sum()} of {len(y)} "
                "rows."
            )
        again = held_out & (folds != NEVER)
        if again.any():
            i = np.flatnonzero(again)[0]
            raise ValueError(
                "cv must hold out each row at most once, so it cannot be repeated; "
                f"got a {type(cv).__name__}, of which splits {folds[i]} and {fold} "
                f"hold out row {i}."
            )
        folds[held_out] = fold
    return folds


def numbered_folds(given):
    """Return folds without gaps, those of rows that are never held out last.

    Parameters
    ----------
    given : ndarray of shape (n,), int32
        As `folds_of_splits` returns them, of some of the rows.

    Returns
    -------
    folds : ndarray of shape (n,), int64
    n_folds : int
        Number of folds that are held out.

    Raises
    ------
    ValueError
        If no row is held out, or all are in the same fold.
    """
    values, folds = np.unique(given, return_inverse=True)
    if len(values) < 2:
        raise ValueError(
            "cv must have a split with training rows and held-out rows of "
            "positive weight."
        )
    return folds, np.count_nonzero(values != NEVER)


@dataclass(frozen=True, eq=False)
class View:
    """Repetitions, encoded without the information of some of them.

    Parameters
    ----------
    rows : Repetitions
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.
    encoding : Encoding
    allowed : Allowed or None
        Literals that the terms of each class may contain; None for all.
    screened : ScreenedTable or None
        The chosen terms; None for all terms.
    known : dict
        Results of `counts`, as many candidates have the same view and size, and the
        index of chosen terms.
    """

    rows: Repetitions
    n_values: np.ndarray
    encoding: Encoding
    allowed: Allowed | None = None
    screened: ScreenedTable | None = None
    known: dict = field(default_factory=dict)

    @cached_property
    def distinct(self):
        """Distinct rows of codes."""
        return distinct_rows(self.rows.codes)[0]

    def counts(self, size):
        """Return the numbers of distinct rows, of their terms, and of distinct ones.

        The terms have at most some literals; None for any number.
        """
        if size not in self.known:
            if self.screened is not None:
                terms = self.screened.terms
                listed = terms.satisfied(self.distinct)[0][-1, -1]
                n_terms = len(terms.terms)
            else:
                cap = cap_of(size, self.distinct)
                listed = count_listed(self.distinct, cap)
                n_terms = min(listed, count_terms(self.n_values, cap))
            self.known[size] = len(self.distinct), listed, n_terms
        return self.known[size]


@dataclass(frozen=True, eq=False)
class FoldedTable:
    """Repetitions, and the fold in which each is held out.

    Parameters
    ----------
    table : FactorizedTable
        Of the presentations.
    rows : Repetitions
        Their codes are the codes of the table.
    folds : ndarray of shape (n,), int64
        From `n_folds` for those that are never held out.
    n_folds, n_classes : int
    missing : {'unspecified', 'category', 'most_frequent'}
    directions : Directions
        Directions of `monotonic_cst`.
    n_all : int
        Number of samples of the final training, of which these may be a part.
    known : dict
        Views, encodings and fine cells by what candidates share, and by their folds.
    """

    table: FactorizedTable
    rows: Repetitions
    folds: np.ndarray
    n_folds: int
    n_classes: int
    missing: str
    directions: Directions = field(default_factory=Directions)
    n_all: int = 0
    known: dict = field(default_factory=dict)

    @property
    def n_cells(self):
        """Return the number of cells of the table of the final training."""
        return self.n_all * len(self.table.columns)

    def parts(self, candidate):
        """Return the folds that must be encoded separately, in tuples."""
        if candidate.screening is None and self.table.is_one_view(
            candidate.discretizer, self.missing
        ):
            return [tuple(range(self.n_folds))]
        return [(fold,) for fold in range(self.n_folds)]

    def first_view(self, candidate):
        """Return the view of a candidate without its first fold."""
        return self.view(candidate, self.parts(candidate)[0])

    def view(self, candidate, folds):
        """Return the presentations, encoded without the information of some folds.

        Parameters
        ----------
        candidate : Candidate
            With `discretizer` and `literals`.
        folds : tuple of int
            One of `parts`.

        Returns
        -------
        view : View
        """
        make = self._encoded if candidate.screening is None else self._screened
        key = "view", candidate.view_key, folds
        return self._once(key, partial(make, candidate, folds))

    def _once(self, key, make):
        """Return what is known by a key, made at first."""
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    def keep(self, candidates):
        """Forget the views that none of some candidates has."""
        keys = {key for one in candidates for key in (one.view_key, one.cuts_key)}
        for key in [key for key in self.known if key[1] not in keys]:
            del self.known[key]

    def _encoded(self, candidate, folds):
        """Return the view of all terms."""
        samples, empty = self._samples(folds), self._empty_encoding(candidate)

        def learned():
            encoding, codes = empty.with_cuts(**samples).learn(**samples)
            return encoding, _in_bytes(codes, encoding.n_known)

        key = "codes", candidate.cuts_key, folds
        encoding, codes = self._once(key, learned)
        encoding = replace(encoding, literals=candidate.literals)
        codes = _in_bytes(encoding.with_literals(codes), encoding.n_values)
        return View(
            rows=replace(self.rows, codes=np.ascontiguousarray(codes)),
            n_values=encoding.n_values,
            encoding=encoding,
            allowed=self.directions.allowed(encoding, self.n_classes),
        )

    def _screened(self, candidate, folds):
        """Return the view of the terms that screening chooses."""
        samples, empty = self._samples(folds), self._empty_encoding(candidate)
        cells = self._once(
            key=("cells", candidate.cuts_key, folds),
            make=lambda: FineCells(empty, samples, self.directions),
        )
        found = ScreenedTable(cells, candidate)
        n_values = found.encoding.n_values
        codes, found.codes = found.encoding.with_literals(found.codes), None
        return View(
            rows=replace(self.rows, codes=_in_bytes(codes, n_values)),
            n_values=n_values,
            encoding=found.encoding,
            allowed=found.allowed,
            screened=found,
        )

    def _empty_encoding(self, candidate):
        return Encoding.empty(
            n_features=len(self.table.columns),
            n_classes=self.n_classes,
            missing=self.missing,
            discretizer=candidate.discretizer,
            ordered=self.directions.columns,
        )

    def _samples(self, folds):
        """Return what an encoding learns from, without one fold or with all."""
        return {
            "table": self.table,
            "labels": self.rows.labels,
            "weights": self.rows.units / self.rows.one,
            "rows": self.folds != folds[0] if len(folds) == 1 else slice(None),
        }


def _in_bytes(codes, n_values):
    """Return codes in bytes, if these suffice: views of wide tables are large."""
    return codes.astype(np.min_scalar_type(n_values.max(initial=0)), copy=False)


# Maximum memory of the lanes that are trained at the same time.
_MOST_BYTES = 2**30
# Work that candidates may take, in sums of one weight in a chunk (2 ns): a
# constant, and a number per sample, about the time of a random forest of 200 trees, for
# up to so many classes; in proportion for more, up to a number of classes. Number of
# epochs of an average candidate, and its fraction of the work before its terms may be
# long; and how many times the work the training on all samples may take.
_WORK, _WORK_A_ROW, _CLASSES, _MOST_CLASSES = 7.0e7, 1.0e5, 4, 12
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
        self._most *= max(1.0, min(folded.n_classes, _MOST_CLASSES) / _CLASSES)
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


# Maximum number of lanes of a block.
_MOST_LANES = 128


def blocks_of(folded, settings, candidates, positions):
    """Return the blocks of lanes of some candidates, each without each fold.

    Parameters
    ----------
    folded : FoldedTable
    settings : Settings
    candidates : list of dict of tuple of int to Candidate
        Each by its parts, see `Budget.affordable`.
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
    shortest_first = sorted(numbered, key=lambda pair: pair[1].longest(np.inf))
    lanes = []
    for fold in folds:
        for position, candidate in shortest_first:
            where = {"fold": fold, "position": position}
            if view.screened is not None:
                one = candidate.rule.parts * view.rows.one
                where["start"] = view.screened.net_counts(candidate, one)
            lanes.append(Lane.of(candidate, settings, view.n_values, **where))
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
        )
        for start in range(0, len(lanes), n_together)
    ]


def _index(view, candidates):
    """Return the index of the terms of a view, for all of some candidates."""
    if view.screened is not None:
        # Other selections have the same views.
        if "index" not in view.known:
            log_beta = candidates[0].log_beta
            view.known["index"] = index_of_chosen(
                view.screened.terms, view.rows.codes, log_beta
            )
        return view.known["index"]
    return index_to_present(
        max(candidates, key=lambda one: one.longest(np.inf)),
        examples=view.rows.codes[:0],
        codes=view.rows.codes,
        n_values=view.n_values,
        may_group=view.allowed is None,
    )

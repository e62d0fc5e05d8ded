"""Builders of term indices, of three kinds: lists, numbers and groups of terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import comb

import numpy as np

from sklearn_dnfwinnow._kernels import extents, term_lists
from sklearn_dnfwinnow._terms._term_index import TermIndex, cap_of

#: Maximum bytes of one index with a table.
MEMORY_BUDGET = 512 * 2**20
# Grouping is tried with this number of states first, and then with sixteen times as
# many while memory allows: it is quick if there are far too many.
_FIRST_STATES, _MOST_STATES = 1 << 14, 1 << 22
# It stops after this number of words of masks: about half a second.
_MOST_WORK = 1 << 24


def list_terms(rows, n_values, max_term_size, log_beta):
    """Return the index that lists the terms of each row, by size."""
    cap = cap_of(max_term_size, rows)
    n_specified = (rows != 0).sum(axis=1)
    choose = np.array(
        [[comb(n, s) for s in range(cap + 1)] for n in range(n_specified.max() + 1)]
    )
    starts = np.zeros((len(rows), cap + 2), dtype=np.int64)
    np.cumsum(choose[n_specified], axis=1, out=starts[:, 1:])
    starts[1:] += np.cumsum(starts[:-1, -1])[:, None]
    terms = np.empty(starts[-1, -1], dtype=np.int32)
    width = int(max(n_values, default=0)) + 1
    n_terms = term_lists.list_terms(
        columns=np.ascontiguousarray(rows.T),
        count=np.zeros(width, dtype=np.int32),
        seen=np.empty(width, dtype=np.int32),
        cursors=starts[:, :-1].copy(),
        terms=terms,
    )
    return TermIndex(
        kind="lists",
        rows=rows,
        n_terms=n_terms,
        log_beta=log_beta,
        log_priors=log_beta * np.arange(cap + 1.0),
        recipe=(list_terms, (rows, n_values, max_term_size, log_beta)),
        terms=terms,
        starts=starts,
    )


def n_longer_terms(n_values, max_term_size):
    """Return counts of terms of up to c literals over attributes from j on, by (c, j).

    They are Python integers.
    """
    counts = [[1] * (len(n_values) + 1) for _ in range(max_term_size + 1)]
    for c in range(1, max_term_size + 1):
        for j in reversed(range(len(n_values))):
            counts[c][j] = counts[c][j + 1] + int(n_values[j]) * counts[c - 1][j + 1]
    return counts


def number_terms(rows, n_values, max_term_size, log_beta, cap=None):
    """Return the index that numbers all terms over all values, without lists.

    `cap` is the size of the longest terms; by default, of the terms that the rows
    satisfy.
    """
    cap = cap_of(max_term_size, rows) if cap is None else cap
    n_longer = np.array(n_longer_terms(n_values, cap), dtype=np.int64)
    return TermIndex(
        kind="numbers",
        rows=rows,
        n_terms=int(n_longer[cap, 0]),
        log_beta=log_beta,
        log_priors=log_beta * np.arange(cap + 1.0),
        recipe=(number_terms, (rows, n_values, max_term_size, log_beta, cap)),
        n_longer=n_longer,
    )


def group_terms(rows, n_values, log_beta, budget=MEMORY_BUDGET):
    """Return the index of groups: terms of any size that exactly the same rows satisfy.

    The terms of a group are always promoted and demoted together. They share one
    net count, and act as one term with the sum of their initial weights (Li & Neal
    2008).

    Returns
    -------
    TermIndex or None
        None if there are too many groups.
    """
    if int(np.sum(n_values)) * len(rows) > budget:
        return None
    # The smallest extents first: they reach the closed form early.
    order = np.argsort(-np.asarray(n_values), kind="stable")
    n_later = np.zeros((len(order) + 1, len(rows)))
    n_later[:-1] = (rows[:, order] != 0).T[::-1].cumsum(axis=0)[::-1]
    log_rest = n_later * np.log1p(np.exp(log_beta))
    found = _extents(rows, n_values, order, log_rest, log_beta, budget)
    if found is None:
        return None
    groups, log_weights, log_singles = found
    single = log_singles > -np.inf
    sizes = single.astype(np.int64)
    extents.count_rows(groups, sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    terms = np.empty(starts[-1], dtype=np.int32)
    extents.list_extents(groups, starts[:-1].copy(), terms)
    # The group of a row alone is the last of its list.
    terms[starts[1:][single] - 1] = len(groups) + np.arange(single.sum())
    return TermIndex(
        kind="groups",
        rows=rows,
        n_terms=int(len(groups) + single.sum()),
        log_beta=log_beta,
        log_priors=np.zeros(1),
        recipe=(group_terms, (rows, n_values, log_beta, budget)),
        terms=terms,
        starts=np.ascontiguousarray(np.column_stack([starts[:-1], starts[1:]])),
        log_weights=np.concatenate([log_weights, log_singles[single]]),
    )


def _extents(rows, n_values, order, log_rest, log_beta, budget):
    """Return the extents of two or more rows, their weights, and those of single rows.

    None if there are too many.
    """
    literals = _literals(rows, n_values, order)
    first = np.cumsum([0, *np.asarray(n_values)[order]])
    n_states = _FIRST_STATES
    while n_states <= min(_MOST_STATES, budget // (8 * literals.shape[1] + 32)):
        found = np.empty((n_states, literals.shape[1]), dtype=np.uint64)
        log_weights = np.empty(n_states)
        log_singles = np.full(len(rows), -np.inf)
        n_found = extents.closed_extents(
            literals=literals,
            first=first.astype(np.int64),
            log_rest=log_rest,
            log_beta=log_beta,
            max_listed=budget // 4,
            max_work=_MOST_WORK,
            extents=found,
            log_weights=log_weights,
            log_singles=log_singles,
        )
        if n_found >= 0:
            return found[:n_found], log_weights[:n_found], log_singles
        if n_found == -2:
            return None
        n_states *= 16
    return None


def _literals(rows, n_values, order):
    """Return the rows that satisfy each literal, as bits: (n_literals, n_words)."""
    n_rows = len(rows)
    literals = np.concatenate(
        [rows[:, j] == np.arange(1, n_values[j] + 1)[:, None] for j in order]
    )
    bits = np.zeros((len(literals), 8 * -(-n_rows // 64)), dtype=np.uint8)
    bits[:, : -(-n_rows // 8)] = np.packbits(literals, axis=1, bitorder="little")
    return bits.view("<u8").astype(np.uint64)

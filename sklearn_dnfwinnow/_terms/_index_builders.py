"""Builders of term indices, of three kinds: lists, numbers and groups of terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import comb

import numpy as np
from scipy.sparse import csr_array

from sklearn_dnfwinnow._kernels import interactions, term_lists
from sklearn_dnfwinnow._terms._term_index import TermIndex, cap_of

#: Maximum bytes of one index with a table.
MEMORY_BUDGET = 512 * 2**20
# Bytes of a group of terms for each number of literals, and of a row in it, while they
# are made; and what is added up at most, for all groups, columns and numbers of
# literals: it takes a fraction of a second to find out that there are too many.
_GROUP_BYTES, _ENTRY_BYTES, _MOST_WORK = 64, 128, 1 << 27
# Initial size of arrays of groups, which grow.
_FIRST_ROOM = 1 << 10


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
        n_longer=n_longer,
    )


def group_terms(rows, log_beta, budget=MEMORY_BUDGET):
    """Return the index of groups: terms of any size that exactly the same rows satisfy.

    The terms of a group are always promoted and demoted together. They share one
    net count, and act as one term with the sum of their initial weights (Li & Neal
    2008).

    Returns
    -------
    TermIndex or None
        None if there are too many groups, or more terms than floats can count.
    """
    longest = cap_of(None, rows)
    most_work = min(budget * rows.shape[1] // _GROUP_BYTES, _MOST_WORK)
    found = interactions.group_interactions(
        columns=np.ascontiguousarray(rows.T),
        max_order=longest,
        n_codes=int(rows.max(initial=0)) + 1,
        max_groups=most_work // (rows.shape[1] * (longest + 1)),
        max_entries=budget // _ENTRY_BYTES,
        room=_FIRST_ROOM,
    )
    if found is None or not np.isfinite(found["counts"]).all():
        return None
    counts, members = found["counts"], found["members"]
    memberships = csr_array(
        (np.ones(len(members), dtype=bool), members, found["starts"].astype(np.int32)),
        shape=(len(counts), len(rows)),
    ).tocsc()
    starts = memberships.indptr.astype(np.int64)
    with np.errstate(divide="ignore"):
        log_weights = np.log(counts) + log_beta * np.arange(longest + 1)
    return TermIndex(
        kind="groups",
        rows=rows,
        n_terms=len(counts),
        log_beta=log_beta,
        log_priors=np.zeros(1),
        terms=memberships.indices,
        starts=np.column_stack([starts[:-1], starts[1:]]),
        log_weights=np.logaddexp.reduce(log_weights, axis=1),
    )

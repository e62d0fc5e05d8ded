"""Choice of a term index: the kind that fits into memory, and the term size."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log

import numpy as np

from sklearn_dnfwinnow._terms._index_builders import (
    MEMORY_BUDGET,
    group_terms,
    list_terms,
    n_longer_terms,
    number_terms,
)
from sklearn_dnfwinnow._terms._prior_weights import log_initial_weight
from sklearn_dnfwinnow._terms._term_index import cap_of, n_subsets
from sklearn_dnfwinnow._utils._distinct_rows import behind_examples
from sklearn_dnfwinnow._utils._warning import warn

# Number of terms per row above which groups are tried first.
_LONG_LIST = 1 << 12
# The possible values of max_term_size='auto'.
_CAPS = (None, 3, 2, 1)
# Its budget: average terms of a row; and terms that an epoch of all classes sums.
_MOST_TERMS, _MOST_SUMMED = 1 << 12, 1 << 30
# Terms over all values are numbered if a table of them is small, or if listing takes
# this many times as long: a list costs as much as ten sums over it.
_SMALL_TABLE, _LISTED_A_TERM = 1 << 17, 4


class TooManyTerms(ValueError):
    """The terms of the rows exceed the memory budget."""


def count_listed(rows, cap):
    """Return the number of terms in the lists of all rows, as a Python integer."""
    counts = np.bincount((rows != 0).sum(axis=1))
    return sum(
        int(counts[size]) * n_subsets(int(size), cap) for size in np.flatnonzero(counts)
    )


def count_terms(n_values, cap):
    """Return the number of terms up to a size over all values, as a Python integer.

    It is exact below 2^62, and at most the true number otherwise.
    """
    # Logarithms first: they are fast for very many terms.
    log2_total = log_initial_weight(n_values, 0.0, cap) / log(2)
    if log2_total < 62:
        return n_longer_terms(n_values, cap)[cap][0]
    return 2 ** int(log2_total)


def _fitting_kind(rows, n_values, max_term_size, budget):
    """Return the kind of index of all terms that fits a budget, or None; and its bytes.

    If none fits, the bytes are those of the smaller kind. Nothing is allocated.
    """
    cap = cap_of(max_term_size, rows)
    n_listed = count_listed(rows, cap)
    n_terms = count_terms(n_values, cap)
    lists = 4 * n_listed + 8 * len(rows) * (cap + 2) + 2 * min(n_listed, n_terms)
    # Including the terms of a row.
    numbers = 2 * n_terms + 8 * n_subsets(rows.shape[1], cap)
    short = n_terms <= max(_SMALL_TABLE, n_listed // _LISTED_A_TERM)
    if numbers <= budget and (short or lists > budget):
        return "numbers", numbers
    if lists <= budget:
        return "lists", lists
    return None, min(lists, numbers)


def _mib(n_bytes):
    mib = -(-n_bytes // 2**20)
    return f"{mib:,} MiB" if mib < 10**6 else f"2^{mib.bit_length() - 1} MiB"


def choose_max_term_size(rows, n_values, n_classes, budget=None):
    """Return the value of max_term_size='auto': the largest size within the budgets.

    The budgets are memory, as in `term_index`, and work. Measurements showed that
    longer terms beyond this work cost more time than they reduce errors
    (``benchmarks/README.rst``).
    """
    budget = MEMORY_BUDGET if budget is None else budget
    most_listed = min(_MOST_TERMS * len(rows), _MOST_SUMMED // n_classes)
    for cap in _CAPS:
        few = count_listed(rows, cap_of(cap, rows)) <= most_listed
        if few and _fitting_kind(rows, n_values, cap, budget)[0]:
            return cap
    return 1


def index_to_present(
    examples, codes, n_values, max_term_size, log_beta, may_group=True
):
    """Return the index of the stored examples and of rows to be presented.

    Parameters
    ----------
    examples : ndarray of shape (m, n_attributes), int32
        Distinct codes, which become the first rows of the index.
    codes : ndarray of shape (n_rows, n_attributes), int32
    n_values, max_term_size, log_beta, may_group
        See `term_index`.
    """
    rows, places = behind_examples(examples, codes)
    index = term_index(
        rows=rows,
        n_values=n_values,
        max_term_size=max_term_size,
        log_beta=log_beta,
        may_group=may_group,
    )
    index.presented = codes, places
    return index


def term_index(rows, n_values, max_term_size, log_beta, budget=None, may_group=True):
    """Return the index of some distinct rows that fits a budget.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes.
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit.
    log_beta : float
    budget : int, optional
        Bytes of the index and one table; `MEMORY_BUDGET` by default.
    may_group : bool
        Whether terms that the same rows satisfy may be grouped: not if a class may
        have only some of them.
    """
    budget = MEMORY_BUDGET if budget is None else budget
    kind, needed = _fitting_kind(rows, n_values, max_term_size, budget)
    long = kind is None or needed > 4 * _LONG_LIST * len(rows)
    if max_term_size is None and long and may_group:
        index = group_terms(rows, log_beta, budget)
        if index is not None:
            return index
    if kind == "lists":
        return list_terms(rows, n_values, max_term_size, log_beta)
    if kind == "numbers":
        return number_terms(rows, n_values, max_term_size, log_beta)
    grouping = ""
    if max_term_size is None and may_group:
        grouping = ", and there are too many groups of terms"
    raise TooManyTerms(
        f"sampler='table' with max_term_size={max_term_size} needs {_mib(needed)} for "
        f"the terms of {len(rows)} distinct samples with {rows.shape[1]} features, "
        f"more than the {_mib(budget)} allowed{grouping}. Set max_term_size to a "
        "smaller number, or to 'auto'."
    )


def warn_of_lost_interactions(rows, equal_helps):
    """Warn that `fit` reduced the maximum term size to one literal.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_columns), int32
        Distinct codes, including columns of literals.
    equal_helps : bool
        Whether literals='equal' is a way out: whether its pairs are few enough.
    """
    a_row = (count_listed(rows, 2) - count_listed(rows, 1)) // len(rows)
    ways = ["set max_term_size=2 to learn pairs in more time", "pass fewer columns"]
    if equal_helps:
        ways.append("set literals='equal'")
    warn(
        "No interactions between columns are learned: pairs of conditions, about "
        f"{a_row:,} for each row, would take too much time or memory. To learn "
        f"interactions, {', '.join(ways[:-1])} or {ways[-1]}.",
    )

"""Subset sums: log W of one row for all sets of known attributes, and of short rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import comb

import numpy as np

from sklearn_dnfwinnow._kernels import superset
from sklearn_dnfwinnow._terms._term_index import small_sets
from sklearn_dnfwinnow.samplers._agreement_problem import log_one_plus

#: Maximum number of sets of literals, or of attributes: 16 MiB, and a fraction of a
#: second per class.
MOST_CELLS = 1 << 20
#: With more literals than this, in addition to one for each attribute, sums of the
#: rows are faster than sums over all sets of literals: one takes as long as 2^6 sets.
MORE_LITERALS = 6
# Maximum number of rows that are summed one by one.
_MOST_ROWS = 1 << 13


def by_terms(weighting, codes, owners, examples, net_counts):
    """Return log W for all sets of known attributes, from all terms of a row.

    Parameters
    ----------
    weighting : object
        With `log_alpha`, `log_beta`, `max_term_size`, and the `allowed` literals of
        each class, None for all.
    codes : ndarray of shape (n_columns,), int32
        A row with literals, 0 for unspecified columns.
    owners : ndarray of shape (n_columns,), int
        The attribute of each column.
    examples : ndarray of shape (m, n_columns), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64

    Returns
    -------
    log_sums : ndarray of shape (n_classes, 2 ** n_attributes), float64, or None
        Bit j of an index is 1 if the j-th attribute that the row specifies is known.
        None if the literals of the row have more than `MOST_CELLS` sets.
    """
    satisfied = np.flatnonzero(codes)
    n_literals, cap = len(satisfied), weighting.max_term_size
    if 1 << n_literals > MOST_CELLS:
        return None
    bits = np.uint64(1) << np.arange(n_literals, dtype=np.uint64)
    sets = (examples[:, satisfied] == codes[satisfied]) @ bits
    # All literals of all sets of attributes.
    whole = np.zeros(1, dtype=np.int64)
    for attribute in np.unique(owners[satisfied]):
        own = int(bits[owners[satisfied] == attribute].sum())
        whole = np.concatenate([whole, whole | own])
    log_sums = np.empty((len(net_counts), len(whole)))
    sizes = np.bitwise_count(np.arange(1 << n_literals))
    initial = weighting.log_beta * sizes
    if cap is not None:
        initial[sizes > cap] = -np.inf
    for k, amounts in enumerate(net_counts):
        phi = np.zeros(len(initial), dtype=np.int64)
        np.add.at(phi, sets, amounts)
        for without, with_it in halves(phi):
            without += with_it
        cells = weighting.log_alpha * phi + initial
        if weighting.allowed is not None:
            may = weighting.allowed.of_codes(k, satisfied, codes[satisfied])
            for i in np.flatnonzero(~may):
                cells.reshape(-1, 2, 1 << i)[:, 1] = -np.inf
        log_sums[k] = _sums_over_subsets(cells)[whole]
    return log_sums


def halves(values):
    """Yield the values of sets without and with an attribute, the last one first.

    They are views of the last axis, where sets are bits.
    """
    size = values.shape[-1] // 2
    while size:
        pairs = values.reshape(*values.shape[:-1], -1, 2, size)
        yield pairs[..., 0, :], pairs[..., 1, :]
        size //= 2


def _sums_over_subsets(logs):
    """Return the sums over the subsets of all sets, as logarithms: (2 ** n,).

    All sums have the weight of the empty set. If the largest weight is not too far
    above it, no sum underflows.
    """
    top = logs.max()
    if top - logs[0] > _LARGEST_LOG_WEIGHT:
        for without, with_it in halves(logs):
            np.logaddexp(without, with_it, out=with_it)
        return logs
    sums = np.exp(logs - top)
    for without, with_it in halves(sums):
        with_it += without
    return top + np.log(sums)


def by_rows(row, estimate_log_sums, max_attributes=None):
    """Return log W for all sets of known attributes, from the sums of small sets.

    If terms have at most t attributes, the weight of the terms with exactly the
    attributes T is W(T) minus the weight of all terms of smaller sets, and 0 if T is
    larger than t. Rounding is harmless, as W(T) is a part of all sums that include T.

    Parameters
    ----------
    row : ndarray of shape (n_features,), int32
        Codes, 0 for unspecified attributes.
    estimate_log_sums : callable
        From rows of codes to log W and its standard errors: (n_rows, n_classes) each.
    max_attributes : int or None
        Maximum number of attributes of a term. None means no limit.

    Returns
    -------
    log_sums : ndarray of shape (n_classes, 2 ** n_attributes), float64, or None
        See `by_terms`. None if too many sums are required, or some are estimates.
    """
    n = np.count_nonzero(row)
    if 1 << n > MOST_CELLS:
        return None
    found = _sums_of_small_sets(row, estimate_log_sums, max_attributes)
    if found is None:
        return None
    members, small_sums = found
    longest = len(members) - 1
    if longest < n:
        _subtract_subsets(members, small_sums)
    log_sums = np.full((len(small_sums), 1 << n), -np.inf)
    log_sums[:, _bits(members)] = small_sums
    if longest < n:
        log_sums = np.array([_sums_over_subsets(of_class) for of_class in log_sums])
    return log_sums


def along_permutations(row, places, estimate_log_sums, max_attributes=None):
    """Return log W as attributes become known one by one, in some permutations.

    Parameters
    ----------
    row : ndarray of shape (n_features,), int32
        See `by_rows`.
    places : ndarray of shape (n_permutations, n), int
        The places of the n specified attributes in the permutations.
    estimate_log_sums, max_attributes : object
        See `by_rows`.

    Returns
    -------
    log_sums : ndarray of shape (n_permutations, n + 1, n_classes), float64, or None
        Without attributes, with the first one, and so on. None if too many sums are
        required, or some are estimates, or terms differ too much in weight.
    """
    n = np.count_nonzero(row)
    found = _sums_of_small_sets(row, estimate_log_sums, max_attributes)
    if found is None:
        return None
    members, log_weights = found
    _subtract_subsets(members, log_weights)
    tops = log_weights.max(axis=1, keepdims=True)
    # The first weight, of the empty set, is a part of all sums.
    if (tops[:, 0] - log_weights[:, 0] > _LARGEST_LOG_WEIGHT).any():
        return None
    # The terms of a set are known from the last place of its attributes on.
    ends = [(places[:, of_size] + 1).max(axis=2, initial=0) for of_size in members]
    cells = np.concatenate(ends, axis=1) + (n + 1) * np.arange(len(places))[:, None]
    sums = np.empty((len(places), n + 1, len(log_weights)))
    for k, of_class in enumerate(np.exp(log_weights - tops)):
        repeated = np.broadcast_to(of_class, cells.shape)
        added = np.bincount(cells.ravel(), repeated.ravel(), sums[..., k].size)
        sums[..., k] = np.log(added.reshape(sums.shape[:2]).cumsum(axis=1)) + tops[k]
    return sums


def _sums_of_small_sets(row, estimate_log_sums, max_attributes):
    """Return sets of up to some attributes, and log W if only these are known.

    Returns
    -------
    members : list of ndarrays of shape (n_sets, size), int
        Positions among the specified attributes, by size.
    log_sums : ndarray of shape (n_classes, n_sets), float64
        For all sizes one after the other. None, instead of both, if there are too many
        sets, or some sums are estimates.
    """
    specified = np.flatnonzero(row)
    n = len(specified)
    longest = n if max_attributes is None else min(max_attributes, n)
    if sum(comb(n, size) for size in range(longest + 1)) > _MOST_ROWS:
        return None
    members = small_sets(n, longest)
    rows = np.zeros((sum(map(len, members)), len(row)), dtype=np.int32)
    starts = np.cumsum([0, *map(len, members)])
    for start, of_size in zip(starts, members):
        places = start + np.arange(len(of_size))[:, None]
        rows[places, specified[of_size]] = row[specified[of_size]]
    log_sums, errors = estimate_log_sums(rows)
    return None if errors.any() else (members, log_sums.T.copy())


def _bits(members):
    """Return sets as bits: (n_sets,), int64."""
    return np.concatenate([(1 << of_size).sum(axis=1) for of_size in members])


def _subtract_subsets(members, logs):
    """Replace the sums of sets by the weights of their own terms.

    Parameters
    ----------
    members : list of ndarrays of shape (n_sets, size), int64
        By size, all sets of each.
    logs : ndarray of shape (n_classes, n_sets), float64
        Logarithms.
    """
    bits = _bits(members)
    order = bits.argsort()
    stop = 0
    for size, of_size in enumerate(members):
        start, stop = stop, stop + len(of_size)
        smaller = np.full((len(logs), len(of_size)), -np.inf)
        for chosen in range((1 << size) - 1):
            within = [place for place in range(size) if chosen >> place & 1]
            parts = (1 << of_size[:, within]).sum(axis=1)
            found = order[np.searchsorted(bits, parts, sorter=order)]
            np.logaddexp(smaller, logs[:, found], out=smaller)
        with np.errstate(divide="ignore"):
            # Only rounding is left if a set has no terms of its own.
            shares = np.maximum(-np.expm1(smaller - logs[:, start:stop]), 0.0)
            logs[:, start:stop] += np.log(shares)


# Maximum length of rows, and maximum number of terms in all classes, for which this is
# the fastest method.
_MOST_SPECIFIED, _MOST_CELLS = 14, 1 << 17
# Maximum sum of net counts: phi must fit 32 bits, and the powers of alpha a cache.
_LARGEST_NET_COUNT = 1 << 20
# Initial weights are within this of 1 (natural logarithms): weights that underflow have
# no effect on the sum.
_LARGEST_LOG_WEIGHT = 300.0


def in_reach(net_counts, codes, log_beta):
    """Return the rows that `log_sums` supports.

    Parameters
    ----------
    net_counts : ndarray of shape (n_classes, m), int64
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_beta : float

    Returns
    -------
    in_reach : ndarray of shape (n_rows,), bool
        A function of each row and the model.
    """
    n = (codes != 0).sum(axis=1)
    span = max(log_one_plus(log_beta), -log_beta)
    return (
        (n <= _MOST_SPECIFIED)
        & (len(net_counts) << np.minimum(n, _MOST_SPECIFIED) <= _MOST_CELLS)
        & (n * span <= _LARGEST_LOG_WEIGHT)
        & (0 < np.abs(net_counts).sum(axis=1).max(initial=0) <= _LARGEST_NET_COUNT)
    )


def log_sums(examples, net_counts, codes, log_alpha, log_beta):
    """Return the weighted sums of short rows in all classes, over terms of any size.

    Parameters
    ----------
    examples : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples.
    net_counts : ndarray of shape (n_classes, m), int64
        Their net promotion counts in each class.
    codes : ndarray of shape (n_rows, n_attributes), int32
    log_alpha, log_beta : float

    Returns
    -------
    log_sums : ndarray of shape (n_rows, n_classes), float64
    """
    classes, acting = np.nonzero(net_counts)
    sums = np.empty((len(codes), len(net_counts)))
    superset.log_sums(
        columns=np.ascontiguousarray(examples.T),
        rows=codes,
        starts=np.searchsorted(classes, np.arange(len(net_counts) + 1)),
        examples=np.ascontiguousarray(acting),
        net_counts=net_counts[classes, acting],
        log_alpha=log_alpha,
        log_beta=log_beta,
        sums=sums,
    )
    return sums

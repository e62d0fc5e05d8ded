"""Implications between the literals of an attribute, and terms of the same meaning.

``x <= 5`` implies ``x <= 9``, so the term ``x <= 5 & x <= 9`` is satisfied by the same
rows as ``x <= 5``: it is a copy, with the same net count. The weights of a term and of
its copies add up to the weight of its meaning.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import defaultdict
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array
from scipy.special import comb

from sklearn_dnfwinnow._encoding._encoding import NESTED


class Implications:
    """Which literals imply others, and how many copies terms consequently have.

    The number of a literal is that of its column, plus its code. A term is named by
    literals that do not imply one another, the first of those with the same values. If
    they amount to a single literal, as ``x > 4 & x <= 5`` to ``x = 5``, that one is the
    name. So each meaning has one name, for the literals of `derived_columns`.

    A literal with m numbers (itself, and literals with the same values) that implies u
    others has ``[(1 + b)^m - 1] (1 + b)^u`` copies over its attribute, where the power
    of b is their size. If e others amount to it, ``b^e (1 + b)^(u - e)`` are added. The
    copies of a term are those of its literals, in all combinations.

    Parameters
    ----------
    columns : list of DerivedColumn
    allowed : ndarray of shape (n_literals,), bool, default=None
        Literals that terms may contain, all for None.
    max_term_size : int or None, default=None
        Maximum number of literals in a term.

    Attributes
    ----------
    firsts : ndarray of shape (n_columns + 1,), int64
        Numbers of code 0 of each column, and their end.
    owners : ndarray of shape (n_columns,), int32
        The attribute of each column.
    implied : csr_array of shape (n_literals, n_literals), uint8
        Whether each literal (row) implies others, itself included.
    names : ndarray of shape (n_literals,), int32
        The first literal with the same values.
    kinds : ndarray of shape (n_literals,), int32
        Positions in `numbers`.
    numbers : ndarray of shape (n_kinds, 3), int64
        Numbers m, u and e of literals, e = 0 if no others amount to them.
    joint : dict of frozenset to int
        Literals that amount to a single one.

    Notes
    -----
    If intervals overlap and none is within the other, a third one may be around both,
    and copies would count it twice. With more than two literals in a term, the literals
    of such an attribute imply no others here.
    """

    def __init__(self, columns, allowed=None, max_term_size=None):
        firsts = np.cumsum([0, *(len(c.relations) + 1 for c in columns)])
        owners = np.array([c.attribute for c in columns], dtype=np.int32)
        holds, places = _values_of_literals(columns, firsts, owners, allowed)
        n, sizes = firsts[-1], holds.sum(axis=1)
        common = (holds @ holds.T).tocoo()
        implies = common.data == sizes[common.row]
        a, b = common.row[implies], common.col[implies]
        others = {c.attribute for c in columns if {*c.relations} - NESTED}
        owner_of = np.repeat(owners, np.diff(firsts))
        if max_term_size is None or max_term_size > 2:
            crosses = (common.data < sizes[common.row]) & (
                common.data < sizes[common.col]
            )
            apart = {*owner_of[common.row[crosses]].tolist()} - others
            is_kept = (a == b) | ~np.isin(owner_of[a], sorted(apart))
            a, b = a[is_kept], b[is_kept]
        is_same = sizes[a] == sizes[b]
        names = np.arange(n)
        np.minimum.at(names, a[is_same], b[is_same])
        m, u = (np.bincount(a[same], minlength=n) for same in (is_same, ~is_same))
        joint = {}
        for j in sorted(others):
            literals = np.flatnonzero(owner_of == j)
            literals = literals[(sizes[literals] > 0) & (names[literals] == literals)]
            of_attribute = holds[literals, places[j] : places[j + 1]].toarray() > 0
            joint |= _joint(literals.tolist(), of_attribute)
        e = np.zeros(n, dtype=np.int64)
        for literals, literal in joint.items():
            e[literal] = len(literals)
        numbers, kinds = np.unique([m, u, e], axis=1, return_inverse=True)
        self.firsts, self.owners = firsts.astype(np.int64), owners
        self.implied = csr_array((np.ones(len(a), dtype=np.uint8), (a, b)), (n, n))
        self.names, self.kinds = names.astype(np.int32), kinds.ravel().astype(np.int32)
        self.numbers, self.joint = numbers.T, joint

    @cached_property
    def _parts_with(self):
        """Return the keys of `joint` that have each literal: dict of int to list."""
        found = defaultdict(list)
        for parts in self.joint:
            for literal in parts:
                found[literal].append(parts)
        return dict(found)

    def related(self, literals):
        """Return whether one of two literals implies the other: (n, n), bool."""
        implied = self.implied[literals][:, literals].toarray() > 0
        return implied | implied.T

    def amount_to_one(self, path, literals):
        """Return whether two literals and some of a path are a key of `joint`.

        Parameters
        ----------
        path : list of int
        literals : ndarray of shape (n,), int

        Returns
        -------
        found : ndarray of shape (n, n), bool
        """
        found = np.zeros((len(literals), len(literals)), dtype=bool)
        for i, literal in enumerate(literals.tolist() if self.joint else ()):
            for parts in self._parts_with.get(literal, ()):
                left = parts - {literal, *path}
                if len(left) == 1:
                    found[i] |= literals == next(iter(left))
        return found

    def name(self, literals):
        """Return the literals that name a term: list of int, ascending."""
        kept = set(self.names[list(literals)].tolist())
        starts, implied = self.implied.indptr, self.implied.indices
        for literal in list(kept):
            others = implied[starts[literal] : starts[literal + 1]].tolist()
            kept.difference_update({*others} - {literal})
        for literal in sorted(kept):
            for parts in self._parts_with.get(literal, ()):
                if parts <= kept:
                    kept = kept - parts | {self.joint[parts]}
        return sorted(kept)

    def factors(self, log_beta, max_term_size):
        """Return weights of the copies of literals of each kind, by their excess size.

        Parameters
        ----------
        log_beta : float
        max_term_size : int or None

        Returns
        -------
        factors : ndarray of shape (n_kinds, n_sizes), float64
            Number of copies times beta to the number of literals beyond the first.
            With None, their sum.
        """
        n_sizes = max_term_size or int(self.numbers.sum(axis=1).max(initial=1))
        n_sizes = min(n_sizes, len(self.owners))
        powers = np.exp(log_beta * np.arange(n_sizes))
        factors = np.zeros((len(self.numbers), n_sizes))
        for of_kind, (m, u, e) in zip(factors, self.numbers.tolist()):
            own = comb(m, 1 + np.arange(n_sizes))
            of_kind += np.convolve(own, comb(u, np.arange(n_sizes)))[:n_sizes]
            if 0 < e <= n_sizes:
                of_kind[e - 1 :] += comb(u - e, np.arange(n_sizes - e + 1))
            of_kind *= powers
        if max_term_size is None:
            return factors.sum(axis=1, keepdims=True)
        return factors

    def log_copies(self, literals, factors, max_term_size):
        """Return the log weight of a name with its copies, minus that of the name."""
        counts = np.ones(1)
        for literal in literals:
            counts = np.convolve(counts, factors[self.kinds[literal]])
        if max_term_size is not None:
            counts = counts[: max(1, max_term_size - len(literals) + 1)]
        return float(np.log(counts.sum()))


def _values_of_literals(columns, firsts, owners, allowed):
    """Return which values satisfy each literal: sparse, (n_literals, n_values).

    And the place of the first value of each attribute, and their end.
    """
    n_values = np.zeros(owners.max(initial=-1) + 2, dtype=np.int64)
    for column in columns:
        n_values[column.attribute + 1] = len(column.codes) - 1
    places = np.cumsum(n_values)
    literals, values = [], []
    for first, column in zip(firsts.tolist(), columns):
        satisfying = np.flatnonzero(column.codes)
        literals.append(first + column.codes[satisfying])
        values.append(places[column.attribute] + satisfying - 1)
    literals, values = (
        np.concatenate([[], *x]).astype(int) for x in (literals, values)
    )
    if allowed is not None:
        literals, values = literals[allowed[literals]], values[allowed[literals]]
    shape = firsts[-1], places[-1]
    return csr_array((np.ones(len(literals)), (literals, values)), shape), places


def _joint(literals, holds):
    """Return literals that amount to a single one: dict of frozenset to int.

    They are the ones among all wider literals that exclude a value alone.
    """
    found = {}
    is_within = ~(holds.astype(np.float32) @ ~holds.T).astype(bool)
    for literal, own, within in zip(literals, holds, is_within & ~is_within.T):
        wider = holds[within]
        if len(wider) > 1 and (wider.all(axis=0) == own).all():
            is_alone = (~wider).sum(axis=0) == 1
            parts = np.flatnonzero(within)[~wider[:, is_alone].all(axis=1)]
            found[frozenset(literals[i] for i in parts)] = literal
    return found

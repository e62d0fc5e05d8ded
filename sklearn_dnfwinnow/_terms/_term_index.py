"""Term index: the terms up to a size that some rows satisfy, numbered.

It is built once for all classes.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from sklearn_dnfwinnow._kernels import lane_block
from sklearn_dnfwinnow._terms._prior_weights import log_initial_sums


def no_entries(dtype, ndim=1):
    """Return an empty array."""
    return np.empty((0,) * ndim, dtype=dtype)


@dataclass(eq=False)
class TermIndex:
    """Terms of some distinct rows, numbered.

    Attributes
    ----------
    kind : {'lists', 'numbers', 'groups'}
        'lists': the terms of each row are listed. 'numbers': all terms over all values
        are numbered, and the terms of a row are computed from its codes. 'groups':
        groups of terms that the same rows satisfy are listed.
    rows : ndarray of shape (n_rows, n_attributes), int32
        Distinct codes.
    n_terms : int
        Number of terms or groups.
    log_beta : float
    log_priors : ndarray of shape (n_segments,), float64
        Initial weight of the terms of each segment of the list of a row.
    terms, starts : ndarrays, int32 and int64
        Lists of all rows, and starts of their segments, (n_rows, n_segments + 1).
    n_longer : ndarray of shape (max_term_size + 1, n_attributes + 1), int64
        For 'numbers': number of terms of up to c literals over the attributes from j
        on.
    log_weights : ndarray of shape (n_terms,), float64
        Initial weights of groups.
    chosen : ChosenTerms or None
        The terms, if only these are numbered; None if all are.
    log_scale : float
        The largest initial weight of a term, or group.
    priors, weights : ndarrays
        Initial weights of terms or of groups, relative to the largest.
    """

    kind: str
    rows: np.ndarray
    n_terms: int
    log_beta: float
    log_priors: np.ndarray
    terms: np.ndarray = field(default_factory=lambda: no_entries(np.int32))
    starts: np.ndarray = field(default_factory=lambda: no_entries(np.int64, 2))
    n_longer: np.ndarray = field(default_factory=lambda: no_entries(np.int64, 2))
    log_weights: np.ndarray = field(default_factory=lambda: no_entries(np.float64))
    chosen: Any = None

    def __post_init__(self):
        relative = self.log_weights if len(self.log_weights) else self.log_priors
        self.log_scale = float(relative.max())
        self.priors = np.exp(self.log_priors - self.log_scale)
        self.weights = np.exp(self.log_weights - self.log_scale)
        # Codes of the last presentations, and where they are among the rows.
        self.presented = None, None

    @cached_property
    def log_initials(self):
        """Weighted sums of the rows before any update: (n_rows,), float64."""
        cap = None if self.kind == "groups" else len(self.log_priors) - 1
        return log_initial_sums(self.rows, self.log_beta, cap)

    def rest(self, log_beta, max_term_size, allowed=None, k=0):
        """Return the initial weights of the terms that were not chosen: (n_rows,).

        See :meth:`sklearn_dnfwinnow._terms._chosen_terms.ChosenTerms.log_rest`.
        """
        logs = self.chosen.log_rest(
            self.rows,
            (self.starts, self.terms),
            log_beta=log_beta,
            max_term_size=max_term_size,
            allowed=allowed,
            k=k,
        )
        return np.exp(logs)

    @cached_property
    def _places(self):
        """Position of each row by its bytes."""
        return {row.tobytes(): i for i, row in enumerate(self.rows)}

    @cached_property
    def segments(self):
        """The segment of each term that some row satisfies: (n_terms,), uint8."""
        segments = np.zeros(self.n_terms, dtype=np.uint8)
        lane_block.segments_of_terms(self, segments)
        return segments

    def positions(self, codes):
        """Return the positions of presentations among the rows, from a cache."""
        if self.presented[0] is not codes:
            self.presented = codes, self.find(codes)
        return self.presented[1]

    def find(self, codes):
        """Return the positions of some rows of codes among the rows."""
        found = [self._places[row.tobytes()] for row in codes]
        return np.array(found, dtype=np.int64)


# -- numbers of terms ------------------------------------------------------------------


def n_subsets(n, max_term_size):
    """Return the number of terms that a row of n specified attributes satisfies."""
    if max_term_size >= n:
        return 2**n
    return sum(comb(n, size) for size in range(max_term_size + 1))


def cap_of(max_term_size, rows):
    """Return the size of the longest terms of some rows; None means any size."""
    longest = int((rows != 0).sum(axis=1).max(initial=0))
    return longest if max_term_size is None else min(max_term_size, longest)

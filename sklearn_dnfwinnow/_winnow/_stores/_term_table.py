"""Explicit weight table: the weights of all terms up to a size, of training rows.

The rows are known before training, so that their terms can be numbered once, for all
classes. A weighted sum is a gather, and an update an increment, over the terms of one
row. The number of stored examples has no effect on their time.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import term_table
from sklearn_dnfwinnow._terms._term_index import no_entries
from sklearn_dnfwinnow._winnow._net_counts import largest_sum

# Powers of alpha are tabulated for this number of net counts, and up to e^600 above the
# largest one: sums of 2^31 powers are finite. If the net counts span more, powers are
# relative to the threshold, near which sums remain.
_MOST_POWERS, _LARGEST_LOG_POWER = 1 << 20, 600.0
_MARGIN = 64
# Largest weight of a term that can be added to the empty term as it is.
_LARGEST_LOG_WEIGHT = 400.0
# Differences between net counts fit 64 bits.
_LARGEST = 1 << 62
_WIDTHS = (np.int16, np.int32, np.int64)


class TermTable:
    """Term weights as integers, one net count per term: exact, up to a term size.

    The table is a cache: it is determined by the net promotion counts of rows.

    Parameters
    ----------
    index : TermIndex
    log_alpha : float
        Logarithm of the factor of one unit of net count.
    net : ndarray of shape (m,), int64
        Net promotion counts of the first rows of the index.
    is_final : bool
        Whether no update follows: net counts, and their powers, then take minimum
        memory.
    allowed : Allowed, optional
        Literals that the terms of each class may contain; all by default. The index
        must not group the terms then.
    k : int
        Index of the class in `allowed`.
    log_threshold : float
        Near which sums remain.
    owner : TermTable, optional
        Another table of the index in the same training, to share memory with.
    alone : bool
        Whether no other row may have an effect on the bits of a sum; no update follows.

    Attributes
    ----------
    kernel : Table
    """

    # A table runs no Markov chains.
    chains = {"run": 0, "ladder": 0, "simulated": 0}

    def __init__(
        self,
        index,
        log_alpha,
        net,
        is_final=False,
        allowed=None,
        k=0,
        log_threshold=0.0,
        owner=None,
        alone=False,
    ):
        self.index = index
        self._log_alpha, self._log_threshold = log_alpha, log_threshold
        self._is_masked = allowed is not None
        self.kernel, self._term_net_counts = _added_up(
            index,
            net,
            log_alpha=log_alpha,
            owner=owner and owner.kernel,
            allowed=allowed and allowed.of_terms(index, k).view(np.uint8),
        )
        if alone:
            self._weigh_terms(net)
        else:
            self.make_room(0, is_final)

    def first_bounds(self):
        """Return bounds of log W of all rows before any update: (n_rows, 2)."""
        if self._is_masked:
            return np.tile([np.inf, -np.inf], (len(self.index.rows), 1))
        return np.column_stack([self.index.log_initials] * 2)

    def log_sums(self, places):
        """Return the logarithms of the weighted sums of some rows of the index."""
        places = np.ascontiguousarray(places, dtype=np.int64)
        logs = np.empty(len(places))
        self.kernel.log_sums(places, logs)
        return logs

    def _weigh_terms(self, net):
        """Prepare sums of rows, on which no other row of the index has an effect.

        Each term has a power of its own, relative to the empty term, which all rows
        satisfy: sums are at least 1. If they may be too large, or longer terms have
        larger initial weights, sums are relative to the largest term of each row.
        """
        farthest = largest_sum(net) * self._log_alpha
        if self.index.log_beta <= 0 and farthest <= _LARGEST_LOG_WEIGHT:
            base = int(net.sum())
            above = np.subtract(self._term_net_counts, base, dtype=np.int64)
            powers = np.exp(above * self._log_alpha)
            net_counts = np.arange(len(powers), dtype=np.int32)
            low, high = 0, len(powers) - 1
            log_scale = base * self._log_alpha
        else:
            powers, net_counts = no_entries(np.float64), self._term_net_counts
            limits = np.iinfo(net_counts.dtype)
            low, high = max(limits.min, -_LARGEST), min(limits.max, _LARGEST)
            log_scale = 0.0
        self.kernel.tabulate(
            net_counts=net_counts,
            powers=powers,
            low=low,
            high=high,
            log_scale=log_scale,
        )

    def make_room(self, amount, is_final=False):
        """Prepare for an update: widen net counts if needed, and tabulate their powers.

        An update without room changes nothing, so that net counts never overflow.
        """
        lowest, highest = self.kernel.range
        width = _narrowest(lowest - amount, highest + amount)
        if is_final or np.iinfo(width).bits > 8 * self._term_net_counts.itemsize:
            self._term_net_counts = self._term_net_counts.astype(width)
        limits = np.iinfo(self._term_net_counts.dtype)
        least, most = max(limits.min, -_LARGEST), min(limits.max, _LARGEST)
        span = highest - lowest
        up = margin = 0 if is_final else max(_MARGIN, amount, span)
        if span * self._log_alpha > _LARGEST_LOG_POWER:
            middle = (self._log_threshold - self.index.log_scale) / self._log_alpha
        else:
            middle = highest
            up = min(margin, int(_LARGEST_LOG_POWER / self._log_alpha))
        low, high = max(lowest - margin, least), min(highest + up, most)
        if up >= amount and high - low < _MOST_POWERS:
            logs = (np.arange(low, high + 1) - middle) * self._log_alpha
            with np.errstate(over="ignore"):
                powers = np.exp(logs)
        else:
            powers, low, high = no_entries(np.float64), least, most
        self.kernel.tabulate(
            net_counts=self._term_net_counts,
            powers=powers,
            low=low,
            high=high,
            log_scale=middle * self._log_alpha + self.index.log_scale,
        )


def net_counts_of_terms(index, net):
    """Return net counts of all terms, given those of rows: (n_terms,), int."""
    return _added_up(index, net, log_alpha=0.0)[1]


def _added_up(index, net, **rest):
    """Return the kernel of a table and its net counts, those of rows added up."""
    net_counts = np.zeros(
        index.n_terms, dtype=_narrowest(net[net < 0].sum(), net[net > 0].sum())
    )
    kernel = term_table.Table(
        index=index, net=np.ascontiguousarray(net), net_counts=net_counts, **rest
    )
    return kernel, net_counts


def _narrowest(low, high):
    """Return the narrowest integer type that holds some net counts."""
    for width in _WIDTHS:
        limits = np.iinfo(width)
        if low >= limits.min and high <= limits.max:
            return width
    raise OverflowError("The net promotion counts of terms exceed 64 bits.")

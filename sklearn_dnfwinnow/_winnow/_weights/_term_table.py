"""Explicit weight table: the weights of all terms up to a size, of training rows.

The rows are known before training, so that their terms can be numbered once, for all
classes. A weighted sum is a gather, and an update an increment, over the terms of one
row. The number of stored examples has no effect on their time.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import lru_cache

import numpy as np

from sklearn_dnfwinnow._kernels import term_table
from sklearn_dnfwinnow._terms._term_index import no_entries
from sklearn_dnfwinnow._terms._term_marks import mark_terms
from sklearn_dnfwinnow._winnow._presentations import Presentations
from sklearn_dnfwinnow._winnow._weights._update_budget import NO_LIMIT, merged

# Powers of alpha are tabulated for this number of exponents, and up to e^600 above the
# largest one: sums of 2^31 powers are finite. If the exponents span more, powers are
# relative to the threshold, near which sums remain.
_MOST_POWERS, _LARGEST_LOG_POWER = 1 << 20, 600.0
_MARGIN = 64
# Other sums are relative to their largest term, down to the smallest double.
_LAST_LOG_FADE = 746.0
_WIDTHS = (np.int16, np.int32, np.int64)


class TermTable:
    """Term weights as integers, one exponent per term: exact, up to a term size.

    The table is a cache: it is determined by `updates` and `exponents`.

    Parameters
    ----------
    index : TermIndex
        Index of the stored examples, in their order, and then of all other rows.
    log_alpha : float
        Logarithm of the factor of one unit of exponent.
    exponents : ndarray of shape (m,), int64
        Exponents of the stored examples, oldest first.
    version : int
        Number of updates so far.
    places : ndarray of shape (m,), int, optional
        Positions of the stored examples among the rows of the index; the first by
        default.
    max_stored_examples : int
        Maximum number of stored examples, see :mod:`._update_budget`.
    is_final : bool
        Whether no update follows: exponents, and their powers, then take minimum
        memory.
    conditions : Conditions, optional
        Conditions on the terms. The index must not group the terms then.
    k : int
        Index of the class in the conditions.
    """

    # A table runs no Markov chains.
    chains = {"run": 0, "ladder": 0, "simulated": 0}

    def __init__(
        self,
        index,
        log_alpha,
        exponents,
        version=0,
        places=None,
        max_stored_examples=NO_LIMIT,
        is_final=False,
        conditions=None,
        k=0,
    ):
        self.index = index
        self.max_stored_examples = max_stored_examples
        self.discarded = np.zeros(2)
        self._log_alpha = log_alpha
        self._first_version = version
        self._log_threshold = 0.0
        n_rows, m = len(index.rows), len(exponents)
        places = np.arange(m) if places is None else places
        self._net = np.zeros(n_rows, dtype=np.int64)
        self._net[places] = exponents
        self._known = np.zeros(n_rows, dtype=np.uint8)
        self._known[places] = True
        self._arrivals = np.zeros(n_rows, dtype=np.int64)
        self._arrivals[:m] = places
        # Bounds of log W without all promotions, and without all demotions.
        initial = np.zeros(n_rows) if is_final else index.log_initials
        self._bounds = np.column_stack([initial, initial])
        marked = {}
        if conditions is not None:
            # The initial sum of a row is not known before its first sum.
            self._bounds[:] = np.inf, -np.inf
            marked = _marked(index, conditions, k)
        self._term_exponents = np.zeros(
            index.n_terms,
            dtype=_narrowest(
                int(exponents[exponents < 0].sum()), int(exponents[exponents > 0].sum())
            ),
        )
        self.kernel = term_table.Table(
            index=index,
            log_alpha=log_alpha,
            fades=_fades(log_alpha),
            net=self._net,
            known=self._known,
            arrivals=self._arrivals,
            n_updates=m,
            bounds=self._bounds,
            exponents=self._term_exponents,
            **marked,
        )
        self.make_room(0, is_final)

    @property
    def updates(self):
        """Codes of the stored examples, distinct: (m, n_attributes), int32."""
        return self.index.rows[self._places]

    @property
    def exponents(self):
        """Exponents of the stored examples: (m,), int64."""
        return self._net[self._places]

    @property
    def version(self):
        """Number of updates so far."""
        return self._first_version + self.kernel.state["n_mistakes"]

    @property
    def sums(self):
        """Number of sums in training, by how they were computed."""
        state = self.kernel.state
        return {"full": state["n_full"], "skipped": state["n_skipped"]}

    def log_sums(self, places):
        """Return the logarithms of the weighted sums of some rows of the index."""
        places = np.ascontiguousarray(places, dtype=np.int64)
        logs = np.empty(len(places))
        self.kernel.log_sums(places, logs)
        return logs

    def forget_powers(self):
        """Sum relative to the largest term of each row: no other row has an effect."""
        limits = np.iinfo(self._term_exponents.dtype)
        self.kernel.tabulate(
            exponents=self._term_exponents,
            powers=no_entries(np.float64),
            low=limits.min,
            high=limits.max,
            log_scale=0.0,
        )

    def epoch(self, order, codes, positive, units, one, log_threshold, guesses, rule):
        """Present rows one after another; `guesses` are neither used nor updated."""
        if np.isfinite(log_threshold) and log_threshold != self._log_threshold:
            self._log_threshold = log_threshold
            self.make_room(one)
        before = self.version
        self.joint_epoch(
            all_weights=[self],
            order=order,
            rows=Presentations(codes, np.logical_not(positive), units, one=one),
            rule=rule,
            log_threshold=log_threshold,
        )
        return self.version - before

    @staticmethod
    def joint_epoch(all_weights, order, rows, rule, log_threshold=None):
        """Present rows one after another to the tables of all classes, of one index.

        With a log_threshold, there is one table, of class 0; see `epoch`.
        """
        for table in all_weights:
            # The limit may have changed since the last call.
            table.drop_excess()
        epoch = term_table.WinnowEpoch(
            tables=[table.kernel for table in all_weights],
            order=np.ascontiguousarray(order, dtype=np.int64),
            rows=all_weights[0].index.positions(rows.codes),
            labels=np.ascontiguousarray(rows.labels, dtype=np.int64),
            units=rows.units,
            one=rows.one,
            parts=rule.parts,
            margin=rule.margin,
            scale=rule.scale if rule.by_residuals else 0.0,
            log_threshold=log_threshold,
            max_stored_examples=all_weights[0].max_stored_examples,
        )
        while not epoch.present():
            for table in all_weights:
                table.drop_excess()
                table.make_room(rows.one)

    def make_room(self, amount, is_final=False):
        """Prepare for an update: widen exponents if needed, and tabulate their powers.

        An update without room changes nothing, so that exponents never overflow.
        """
        state = self.kernel.state
        lowest, highest = state["low"], state["high"]
        width = _narrowest(lowest - amount, highest + amount)
        if is_final or np.iinfo(width).bits > 8 * self._term_exponents.itemsize:
            self._term_exponents = self._term_exponents.astype(width)
        limits = np.iinfo(self._term_exponents.dtype)
        span = highest - lowest
        up = margin = 0 if is_final else max(_MARGIN, amount, span)
        if span * self._log_alpha > _LARGEST_LOG_POWER:
            middle = (self._log_threshold - self.index.log_scale) / self._log_alpha
        else:
            middle = highest
            up = min(margin, int(_LARGEST_LOG_POWER / self._log_alpha))
        low, high = max(lowest - margin, limits.min), min(highest + up, limits.max)
        if up >= amount and high - low < _MOST_POWERS:
            logs = (np.arange(low, high + 1) - middle) * self._log_alpha
            with np.errstate(over="ignore"):
                powers = np.exp(logs)
        else:
            powers, low, high = no_entries(np.float64), limits.min, limits.max
        self.kernel.tabulate(
            exponents=self._term_exponents,
            powers=powers,
            low=low,
            high=high,
            log_scale=middle * self._log_alpha + self.index.log_scale,
        )

    def drop_excess(self):
        """Discard stored examples if there are too many."""
        places = self._places
        if len(places) <= self.max_stored_examples:
            return
        stay, sums, discarded = merged(
            self.updates, self.exponents, self.max_stored_examples
        )
        self.discarded += discarded
        aims = np.zeros_like(places)
        aims[stay] = sums
        for place, aim in zip(places, aims):
            amount = int(aim - self._net[place])
            while amount and not self.kernel.update(place, amount):
                self.make_room(abs(amount))
        self._known[np.delete(places, stay)] = False
        self.kernel.keep(places[stay])

    @property
    def _places(self):
        return self._arrivals[: self.kernel.state["n_updates"]]


def _marked(index, conditions, k):
    """Return the arguments of the kernel for conditions."""
    marks = mark_terms(index, conditions, k)
    log_beta = index.log_priors[1] if len(index.log_priors) > 1 else 0.0
    log_factors = marks.log_factors(log_beta)
    with np.errstate(over="ignore"):
        factors = np.exp(log_factors)
    return {"marks": marks.marks, "factors": factors, "log_factors": log_factors}


def _narrowest(low, high):
    """Return the narrowest integer type that holds some exponents."""
    for width in _WIDTHS:
        limits = np.iinfo(width)
        if low >= limits.min and high <= limits.max:
            return width
    raise OverflowError("The net promotion counts of terms exceed 64 bits.")


@lru_cache(maxsize=1)
def _fades(log_alpha):
    """Return alpha^-d for d = 0, 1, ... down to 0; none if there are too many.

    Tables of all classes and folds share them. They take some milliseconds if a unit of
    exponent is a small part of a promotion.
    """
    n_fades = _LAST_LOG_FADE / log_alpha + 2
    if n_fades > _MOST_POWERS:
        return no_entries(np.float64)
    fades = np.exp(-log_alpha * np.arange(int(n_fades)))
    fades.setflags(write=False)
    return fades

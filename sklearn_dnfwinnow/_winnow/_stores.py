"""Stores: the weights of all terms of one class in training."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._kernels import implicit, term_table
from sklearn_dnfwinnow._terms._term_index import cap_of, no_entries
from sklearn_dnfwinnow.samplers._agreement_problem import MAX_LOG_SPAN, MAX_POWERS

#: Largest sum of the absolute net counts of a class, in units of 1 / denominator, and
#: largest denominator.
#:
#: Kernels add and subtract net counts in int64 without checks. Let S be the sum of all
#: absolute promotions and demotions of one class. No net count, no phi of a term and no
#: sum of net counts exceeds S in absolute value. The largest expressions are
#: differences of two sums, up to 2 S, and the margin of an explicit weight table on
#: both sides of its net counts, S + 2 S + one update. With S <= 2^60 these are below
#: 2^62, and so are sums of two. Derived float64 values, such as phi times log(alpha),
#: are below 2^70 and finite. Tables by phi have their own, far smaller budgets
#: (`MAX_POWERS`).
LARGEST_SUM = 1 << 60


def largest_sum(net_counts):
    """Return the largest sum of the absolute net counts of a class, as a float.

    Parameters
    ----------
    net_counts : ndarray of shape (n_classes, m) or (m,), int64

    Returns
    -------
    largest : float
        For any int64, without overflow.
    """
    sums = np.abs(np.asarray(net_counts, dtype=np.float64)).sum(axis=-1)
    return float(np.max(sums, initial=0.0))


def check_sum(total, denominator=1):
    """Raise an error if a sum of net counts exceeds the limit.

    Parameters
    ----------
    total : int or float
        Largest possible sum of the absolute net counts of a class, in units.
    denominator : int
        Units of a whole promotion.

    Raises
    ------
    ValueError
        If `total` or `denominator` exceeds `LARGEST_SUM`.
    """
    # Written with `not`, so that NaN raises an error.
    if not (total <= LARGEST_SUM and denominator <= LARGEST_SUM):
        raise ValueError(
            "The net promotion counts of a class are too large: in units of 1 / "
            f"{float(denominator):.3g} of a promotion, their sum may reach "
            f"{float(total):.3g}, more than 2**60. Use smaller weights of rows and "
            "classes, or call fit to train a new model."
        )


def no_chains():
    """Return numbers of Markov chains, of which none were run."""
    return {"run": 0, "ladder": 0, "simulated": 0}


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
    chains = no_chains()

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
    limits = map(np.iinfo, _WIDTHS)
    return next(own.dtype for own in limits if own.min <= low and high <= own.max)


# Maximum number of attributes of a row for the kernel: 2^18 entries.
_MOST_SPECIFIED = 18


class ImplicitWeights:
    """Weights of one class that are implied by its stored examples.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_attributes), int32
        Codes of stored examples, and of rows to be presented.
    summation : Summation
    k : int
        The class.

    Attributes
    ----------
    kernel : Implicit
    chains : dict of str to int
        Numbers of Markov chains of the sums so far: 'run' and 'ladder', those used and
        those of the full ladder, and 'simulated', those run.
    """

    def __init__(self, rows, summation, k):
        rows = np.ascontiguousarray(summation.masked(rows, k))
        self._rows, self._summation, self._k = rows, summation, k
        # Stored examples and their net counts, as the kernel lists them.
        self._codes = np.empty_like(rows)
        self._counts = np.empty(len(rows), dtype=np.int64)
        self.chains = no_chains()
        # The largest size for which the initial weights of terms fit float64.
        most = min(_MOST_SPECIFIED, MAX_LOG_SPAN / max(abs(summation.log_beta), 1.0))
        self.kernel = implicit.Implicit(
            rows=rows,
            codes=self._codes,
            counts=self._counts,
            ask=self._ask,
            always_asks=not summation.is_exact,
            log_alpha=summation.log_alpha,
            log_odds=np.full(int(most), summation.log_beta),
            max_powers=MAX_POWERS,
            max_term_size=cap_of(summation.max_term_size, rows),
        )

    def first_bounds(self):
        """Return bounds of log W at the start, none: (n_rows, 2)."""
        return np.tile([np.inf, -np.inf], (len(self._rows), 1))

    def make_room(self, amount):
        """Prepare for an update. There always is room."""

    def _ask(self, row, n_stored, version, aim, guess):
        """Return log W of a row, or an infinite number on its side; and if exact."""
        evaluation = self._summation.in_training(
            examples=self._codes[:n_stored],
            net_counts=self._counts[:n_stored],
            k=self._k,
            version=version,
        )
        if np.isnan(aim):
            found = evaluation.weighted_sum(self._rows[row])
            value = found.log_value
        else:
            above, found = evaluation.exceeds(self._rows[row], aim, guess)
            value = found.log_value if found.exact else np.inf if above else -np.inf
        self.chains["run"] += found.n_chains
        self.chains["ladder"] += found.n_ladder
        self.chains["simulated"] += found.n_simulated
        return value, found.exact


#: More stored examples than training can create.
NO_LIMIT = np.iinfo(np.int64).max
#: Fraction of the discarded counts whose loss causes a warning. On tables of customers
#: and three random DNF, streams with a larger loss were 4 to 30 points below the
#: accuracy without a limit, and those with a smaller loss up to 6 points, or 10 points
#: for 40 binary features.
MOST_LOST = 0.55
# One in so many is discarded at once. With one in five, accuracy falls for a while.
_PART = 20


def merged(codes, net_counts, max_stored_examples):
    """Return the stored examples to keep if there are too many, and their net counts.

    The examples with the smallest absolute net counts are discarded, the oldest of
    these first, until 95 % of `max_stored_examples` remain. The net count of each is
    added to that of the kept example with which it shares most codes, the oldest of
    these. Their sum, which is the net count of the empty term, does not change, and
    terms that both satisfy keep their net counts.

    Parameters
    ----------
    codes : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples, in order of arrival. 0 is shared by none.
    net_counts : ndarray of shape (m,), int64
    max_stored_examples : int

    Returns
    -------
    places : ndarray of int
        Increasing.
    net_counts : ndarray of int64
        New net counts of the kept examples.
    discarded : ndarray of shape (2,), float64
        Sum of the discarded absolute net counts, and the part of it that is lost. For
        an example, this is the number of codes that the other one does not share,
        relative to the mean number for all kept examples.
    """
    n_gone = max(
        0, len(net_counts) - (max_stored_examples - max_stored_examples // _PART)
    )
    weakest_first = np.argsort(np.abs(net_counts), kind="stable")
    gone, places = weakest_first[:n_gone], np.sort(weakest_first[n_gone:])
    kept, sums, discarded = codes[places], net_counts[places], np.zeros(2)
    for place in gone[net_counts[gone] != 0]:
        row, net_count = codes[place], net_counts[place]
        n_shared = np.count_nonzero((kept == row) & (row != 0), axis=1)
        n_other = np.count_nonzero(row) - n_shared
        nearest = n_other.argmin()
        sums[nearest] += net_count
        lost = n_other[nearest] / max(n_other.mean(), 1e-9)
        discarded += np.abs([net_count, net_count * lost])
    return places, sums, discarded

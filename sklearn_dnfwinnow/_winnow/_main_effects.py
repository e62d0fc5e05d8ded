"""Main effects: an additive model, as stored examples from which training starts.

A stored example with one specified feature satisfies terms of this feature only, and
the empty one. Net counts of such examples move the sum of a row by an amount for each
of its values, so that the sum over all terms is additive before the first update.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_diag, csr_array, eye_array
from sklearn.linear_model import LogisticRegression

from sklearn_dnfwinnow._terms._additive_model import coefficients_of
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._winnow._monotone import chains_of

# Inverse strength of the penalty, the default of scikit-learn; tolerance; iterations.
_C, _TOLERANCE, _ITERATIONS = 1.0, 1e-4, 100
# Maximum number of steps of Newton's method, and of their halvings; a negligible error;
# what is added to second derivatives, as a part of their values at the minimum.
_STEPS, _HALVES, _NEAR, _RIDGE = 100, 40, 1e-8, 1e-10
#: Fraction of an initial weight that effects may take away.
FALL = 0.9
# The factor by which what is added instead may raise the sum of all weights.
_RISE = 3.0
# Maximum number of steps to the level.
_LEVEL_STEPS = 50
# Attributes with derived columns have effects up to these numbers of values, and of
# sets of values that their terms select.
_MOST_VALUES, _MOST_SETS = 512, 1 << 13


@dataclass(frozen=True, eq=False)
class MainEffects:
    """An additive model: log-odds of classes by the codes of single attributes.

    Parameters
    ----------
    intercepts : ndarray of shape (n_classes,)
        Their mean is 0.
    effects : list of n_attributes ndarrays of shape (n_classes, n_values)
        Of the codes from 1. The mean over classes is 0, or the minimum of each class if
        the literals of the attribute are in chains.
    frequencies : list of n_attributes ndarrays of shape (n_values,)
        Weight of the samples of each code.
    n_literals : ndarray of shape (n_classes,), int
        Mean number of literals of a sample that terms of a class may contain.
    chains : dict of int to list of n_classes Chain
        Of the attributes with a direction.
    """

    intercepts: np.ndarray
    effects: list
    frequencies: list
    n_literals: np.ndarray
    chains: dict

    @classmethod
    def fit(cls, table, encoding, rows, n_classes, class_weights=None, allowed=None):
        """Fit a penalised logistic regression to samples.

        The regressors of a feature are indicators of its values, or the mean number of
        the samples of each code, standardised. The result is a function of the weights
        of distinct samples. Under `monotonic_cst`, effects are those of the closest
        monotone function, or none if the literals of a feature are not in chains.

        Parameters
        ----------
        table : FactorizedTable
        encoding : Encoding
        rows : Repetitions
            The samples of the table, with codes of this encoding. Those that are held
            out are not used.
        n_classes : int
        class_weights : ndarray of shape (n_classes,), float64, default=None
            Factors of the weights of the rows.
        allowed : Allowed, default=None
            Literals that the terms of each class may contain.
        """
        places, codes, labels, weights = _merged(table, rows, class_weights)
        own = codes[:, : len(encoding.attributes)]
        frequencies = [
            np.bincount(of_one, weights=weights, minlength=n + 1)[1:]
            for of_one, n in zip(own.T, encoding.n_known)
        ]
        found = chains_of(encoding, allowed, n_classes)
        chains = {j: of_classes for j, of_classes in found.items() if of_classes}
        design = [
            _design(column, *cells, weights, n) if free else np.zeros((n + 1, 0))
            for column, *cells, n, free in zip(
                table.columns,
                places.T,
                own.T,
                encoding.n_known,
                [found.get(j, True) for j in range(own.shape[1])],
            )
        ]
        intercepts, effects = _logistic(design, own, labels, weights, n_classes)
        for of_one, known in zip(effects, frequencies):
            if known.any():
                means = np.average(of_one, axis=1, weights=known)
                intercepts += means
                of_one -= means[:, None]
            of_one[:, known == 0] = 0.0
            of_one -= of_one.mean(axis=0)
        for j, of_classes in chains.items():
            for k, chain in enumerate(of_classes):
                effects[j][k] = chain.monotone(effects[j][k], frequencies[j])
                intercepts[k] += effects[j][k].min(initial=np.inf)
                effects[j][k] -= effects[j][k].min(initial=np.inf)
        of_classes = [
            codes if allowed is None else allowed.masked(codes, k)
            for k in range(n_classes)
        ]
        n_literals = [
            np.average((of_class != 0).sum(axis=1), weights=weights)
            for of_class in of_classes
        ]
        return cls(
            intercepts=intercepts - intercepts.mean(),
            effects=effects,
            frequencies=frequencies,
            n_literals=np.rint(n_literals).astype(np.int64),
            chains=chains,
        )

    def net_counts(self, encoding, candidate, one):
        """Return net counts with which ``scale * log W`` is about the additive model.

        The sum of a row in class k becomes A + u (b_k + h_1k + h_2k + ...), where b and
        h are the intercept and the effects of its values, divided by the scale. A is
        common to all classes, and near the level u.

        Parameters
        ----------
        encoding : Encoding
        candidate : Candidate
        one : int
            Units of a whole promotion.

        Returns
        -------
        net_counts : ndarray of shape (n_classes, n_conditions), int64
            Net promotion counts of the rows of `single_conditions`, in units.
        """
        sums = [candidate.log_initial_weight(np.ones(n)) for n in self.n_literals]
        sums, beta = np.exp(sums), np.exp(candidate.log_beta)
        columns = [[] for _ in self.effects]
        for column in encoding.columns:
            columns[column.attribute].append(column)
        moving = {}
        for j, of_one in enumerate(self.effects):
            longest = candidate.longest(len(columns[j]))
            sets = of_one.any() and _ValueSets.of(columns[j], beta, longest)
            if sets and j not in self.chains:
                moving[j] = sets, of_one / candidate.scale
        intercepts = self.intercepts / candidate.scale
        level, amount, amounts = self._level(sums, intercepts, moving)
        factors = [np.zeros(of_one.shape) for of_one in self.effects]
        for j, (sets, effects) in moving.items():
            targets = sets.totals + amounts[j] + level * effects
            factors[j] = sets.log_factors(targets)
        for j, chains in self.chains.items():
            for k, chain in enumerate(chains):
                added = level * self.effects[j][k] / candidate.scale
                factors[j][k] = chain.log_factors(added, beta)
        empty = np.log(1.0 + amount + sums.max() - sums + level * intercepts)
        # All examples satisfy the empty term: its net count is rounded once, too.
        factors = np.column_stack([*factors, empty])
        net_counts = candidate.nearest_net_counts(factors, one)
        net_counts[:, -1] -= net_counts[:, :-1].sum(axis=1)
        return net_counts

    def _level(self, sums, intercepts, moving):
        """Return u, and the common amounts of the empty term and of values."""
        # Of the values of all attributes, one after another.
        most_negative = [effects.min(axis=0) for _, effects in moving.values()]
        falls = -np.concatenate([np.zeros(0), *most_negative])
        spare = np.concatenate([np.zeros(0), *(s.totals for s, _ in moving.values())])
        shares = [self.frequencies[j] / self.frequencies[j].sum() for j in moving]
        shares = np.concatenate([np.zeros(0), *shares])

        def common(level):
            amount = (sums - sums.max() - level * intercepts).max() - FALL
            return max(0.0, amount), np.maximum(0.0, level * falls - FALL * spare)

        def mean(level):
            amount, amounts = common(level)
            return sums.max() + amount + amounts @ shares

        level = level_of(mean, sums.max())
        amount, amounts = common(level)
        ends = np.cumsum([len(found) for found in most_negative])
        return level, amount, dict(zip(moving, np.split(amounts, ends)))


def level_of(mean, every):
    """Return the smallest level that is the mean of A.

    A start moves the sum of a row in a class to A + u (effects), where the level u is
    near A, so that its logarithm is about additive. Weights stay positive: what effects
    take away is at most a fraction of an initial weight, and where they would take
    more, all classes get the rest. This raises A, and with it u.

    Effects fade where A would be more than `_RISE` times the sum of all initial
    weights: the level is then the largest one with this mean.

    Parameters
    ----------
    mean : callable
        The mean of A for a level, which it increases with.
    every : float
        Sum of all initial weights.

    Returns
    -------
    level : float
    """
    low, high = 0.0, _RISE * every
    for _ in range(_LEVEL_STEPS):
        middle = (low + high) / 2
        fits = mean(middle) <= _RISE * every
        low, high = (middle, high) if fits else (low, middle)
    # As the mean increases with the level, these steps end at the smallest solution.
    level = min(every, low)
    for _ in range(_LEVEL_STEPS):
        level = min(mean(level), low)
    return level


def single_conditions(encoding):
    """Return a row of codes for each value of each attribute, and one without values.

    Returns
    -------
    rows : ndarray of shape (n_conditions, n_attributes), int32
    """
    known = encoding.n_known
    owners = np.repeat(np.arange(len(known)), known)
    rows = np.zeros((len(owners) + 1, len(known)), dtype=np.int32)
    numbers = np.arange(len(owners))
    rows[numbers, owners] = numbers - (np.cumsum(known) - known)[owners] + 1
    return rows


# -- the additive model ----------------------------------------------------------------


def _merged(table, rows, class_weights):
    """Return places, codes, labels and weights of distinct samples, in their order.

    Sums are then independent of the order of samples, and a weight is as so many
    copies.
    """
    kept = slice(None) if rows.held_out is None else ~rows.held_out
    places, codes, labels = table.codes[kept], rows.codes[kept], rows.labels[kept]
    pairs = np.column_stack([places, labels.astype(np.int32)])
    _, first, inverse = distinct_rows(pairs)
    # Units are integers, and their sums are exact.
    weights = np.bincount(inverse, weights=rows.units[kept]) / rows.one
    labels = labels[first]
    if class_weights is not None:
        weights *= class_weights[labels]
    return places[first], codes[first], labels, weights


def _design(column, places, codes, weights, n_values):
    """Return the regressors of the codes of an attribute: (n_values + 1, n_regressors).

    A standardised number, and an indicator of each code without one.
    """
    indicators = eye_array(n_values + 1, n_values, k=-1)
    # Two numbers are two categories.
    if not column.is_numeric or n_values < 3:
        return indicators
    known = (codes > 0) & ~np.isnan(column.numbers[places])
    places, codes, weights = places[known], codes[known], weights[known]
    totals = np.bincount(codes, weights=weights, minlength=n_values + 1)
    numbers = np.zeros(n_values + 1)
    found = totals > 0
    if not found.any():
        return indicators
    # Relative to the largest, so that no product overflows.
    given = column.numbers[places]
    given = given / (np.abs(given).max() or 1.0)
    numbers[found] = (
        np.bincount(codes, weights=weights * given, minlength=n_values + 1)[found]
        / totals[found]
    )
    mean = np.average(numbers, weights=totals)
    spread = np.sqrt(np.average((numbers - mean) ** 2, weights=totals)) or 1.0
    numbers[found] = (numbers[found] - mean) / spread
    unseen = np.flatnonzero(~found[1:]) + 1
    regressors = np.zeros((n_values + 1, 1 + len(unseen)))
    regressors[:, 0], regressors[unseen, np.arange(1, 1 + len(unseen))] = numbers, 1.0
    return regressors


def _logistic(design, codes, labels, weights, n_classes):
    """Fit the classes of samples to regressors of single attributes.

    Returns
    -------
    intercepts : ndarray of shape (n_classes,)
        A class without samples has that of the rarest class.
    effects : list of n_attributes ndarrays of shape (n_classes, n_values)
    """
    widths = np.array([of_one.shape[0] for of_one in design])
    firsts = np.cumsum(widths) - widths
    intercepts, of_codes = np.zeros(n_classes), np.zeros((n_classes, widths.sum()))
    regressors = csr_array(block_diag(design))
    if len(np.unique(labels)) > 1 and regressors.shape[1]:
        starts = np.arange(len(codes) + 1) * codes.shape[1]
        satisfied = csr_array(
            (np.ones(codes.size), (codes + firsts).ravel(), starts),
            shape=(len(codes), widths.sum()),
        )
        coefficients, intercepts = coefficients_of(
            LogisticRegression(C=_C, tol=_TOLERANCE, max_iter=_ITERATIONS),
            satisfied @ regressors,
            labels,
            weights,
            n_classes=n_classes,
        )
        of_codes[:] = (regressors @ coefficients.T).T
    return intercepts, [of_one[:, 1:] for of_one in np.split(of_codes, firsts[1:], 1)]


# -- weights of terms ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _ValueSets:
    """The sets of values that terms over the columns of one attribute select.

    Parameters
    ----------
    inside : ndarray of shape (n_sets, n_values), float64, or None
        1 for the values of each set; None if the sets are the single values.
    weights : ndarray of shape (n_sets,)
        Total initial weight of the terms that select it.
    """

    inside: np.ndarray | None
    weights: np.ndarray

    @classmethod
    def of(cls, columns, beta, longest):
        """Return the sets of values; None if there are too many.

        Terms have up to `longest` literals.
        """
        n_values = len(columns[0].relations)
        if len(columns) == 1:
            return cls(None, np.full(n_values, beta))
        if n_values > _MOST_VALUES:
            return None
        # Weights by the values as bits, and the number of literals.
        found = {((1 << n_values) - 1, 0): 1.0}
        for column in columns:
            longer = dict(found)
            for code in range(1, len(column.relations) + 1):
                own = sum(1 << int(v) for v in np.flatnonzero(column.codes[1:] == code))
                for (values, size), weight in found.items():
                    if values & own and size < longest:
                        key = values & own, size + 1
                        longer[key] = longer.get(key, 0.0) + weight * beta
            found = longer
            if len(found) > _MOST_SETS:
                return None
        totals = {}
        for (values, size), weight in found.items():
            if size:
                totals[values] = totals.get(values, 0.0) + weight
        inside = [[values >> v & 1 for v in range(n_values)] for values in totals]
        weights = np.array(list(totals.values()))
        return cls(np.array(inside, dtype=np.float64), weights)

    @property
    def totals(self):
        """Total initial weight of the terms that each value satisfies: (n_values,)."""
        return self.weights if self.inside is None else self.weights @ self.inside

    def log_factors(self, targets):
        """Return logarithms of factors of values that change the totals to targets.

        The weight of a set is multiplied by the factors of all its values. These
        weights are the closest to the initial ones in relative entropy (Darroch &
        Ratcliff 1972, generalized iterative scaling). The factors minimize a convex
        function; single values are sets, so that any positive targets can be reached.

        Parameters
        ----------
        targets : ndarray of shape (n_classes, n_values)
            Positive.

        Returns
        -------
        logs : ndarray of shape (n_classes, n_values)
        """
        if self.inside is None:
            return np.log(targets / self.weights)
        logs = np.zeros(targets.shape)
        weights, values = self._moved(logs, targets)
        for _ in range(_STEPS):
            slopes = weights @ self.inside - targets
            if (np.abs(slopes) <= _NEAR * targets).all():
                break
            bends = (self.inside.T * weights[:, None]) @ self.inside
            # Directions that matter little may be lost in rounding.
            bends += _RIDGE * targets[:, None] * np.eye(targets.shape[1])
            steps = -np.linalg.solve(bends, slopes[..., None])[..., 0]
            falls = (slopes * steps).sum(axis=1)
            lengths = np.ones(len(steps))
            # Newton's method with steps that are halved until they lead down.
            for _ in range(_HALVES):
                weights, lower = self._moved(logs + lengths[:, None] * steps, targets)
                least = values + 1e-4 * lengths * falls
                # But for the rounding of sums, near the minimum.
                up = lower > least + 1e-12 * np.abs(values)
                if not up.any():
                    break
                lengths[up] /= 2
            logs, values = logs + lengths[:, None] * steps, lower
        return logs

    def _moved(self, logs, targets):
        """Return the weights of sets, and the function that log_factors minimizes."""
        with np.errstate(over="ignore"):
            weights = self.weights * np.exp(logs @ self.inside.T)
        return weights, weights.sum(axis=1) - (targets * logs).sum(axis=1)

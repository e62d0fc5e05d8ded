"""Sum draws: ways to draw the sums of one set, given Polya-Gamma variables.

The likelihood of the linear predictor e_i of row i is then proportional to
``exp(information_i e_i - precision_i e_i^2 / 2)``. The prior of the sum of group g is
normal with mean 0 and some variance. All ways draw from the same normal law, but for
the last, which draws each sum given the others.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from abc import ABC, abstractmethod

import numpy as np

from sklearn_dnfwinnow._kernels import _group_sums, _sum_draws

# Most rows, or groups, of a matrix that is factorized in each draw.
MOST_FACTORIZED = 1500
# Groups with more than this part of the rows are multiplied as a dense matrix.
_DENSE = 0.4
# Sums that the data tell more than this about are drawn jointly: prior variance times
# precision.
_TELLING = 0.02
# Columns of it at a time.
_BLOCK = 1024


class SumDraws(ABC):
    """A way to draw the sums of all groups.

    Parameters
    ----------
    groups : InteractionGroups
    """

    def __init__(self, groups):
        self.groups = groups
        self.lists = {"starts": groups.starts, "members": groups.members}

    @abstractmethod
    def draw(self, *, sigma, variances, precision, information, sums, generator):
        """Draw the sums of one set.

        Parameters
        ----------
        sigma : ndarray of shape (max_order + 1,)
            Widths of the orders.
        variances : ndarray of shape (n_groups,)
            Of the priors of the sums.
        precision, information : ndarray of shape (n_rows,)
            Of the likelihood. The precisions are positive.
        sums : ndarray of shape (n_groups,)
            The present ones.
        generator : numpy.random.Generator

        Returns
        -------
        sums : ndarray of shape (n_groups,)
        predictor : ndarray of shape (n_rows,)
        """

    def predictor(self, sums):
        """Return the sums of each row's groups, added up."""
        predictor = np.empty(len(self.groups.rows))
        _group_sums.add_to_rows(**self.lists, sums=sums, predictor=predictor)
        return predictor


class OverRows(SumDraws):
    """A joint draw by a matrix of rows (Bhattacharya, Chakraborty & Mallick 2016)."""

    def __init__(self, groups):
        super().__init__(groups)
        dense = groups.sizes > _DENSE * len(groups.rows)
        self._sparse = _entries_by_row(groups, ~dense)
        self._dense = np.flatnonzero(dense)
        self._columns = _indicators(groups, self._dense)

    def draw(self, *, sigma, variances, precision, information, sums, generator):
        """Draw the sums of one set."""
        root = np.sqrt(precision)
        proposal = np.sqrt(variances) * generator.standard_normal(len(variances))
        gap = information / root - root * self.predictor(proposal)
        gap -= generator.standard_normal(len(root))
        matrix = self.gram(sigma, variances)
        matrix *= root
        matrix *= root[:, np.newaxis]
        matrix.flat[:: len(root) + 1] += 1.0
        _solve(matrix, gap)
        gap *= root
        step = np.empty(len(variances))
        _group_sums.add_to_groups(**self.lists, values=gap, totals=step)
        sums = proposal + variances * step
        return sums, self.predictor(sums)

    def gram(self, sigma, variances):
        """Return the lower triangle of the prior covariance of the predictors."""
        gram = np.zeros((len(self.groups.rows),) * 2)
        deviations = np.sqrt(variances[self._dense])
        for start in range(0, len(deviations), _BLOCK):
            block = slice(start, start + _BLOCK)
            columns = self._columns[:, block] * deviations[block]
            gram += columns @ columns.T
        _group_sums.add_gram(**self.lists, **self._sparse, weights=variances, gram=gram)
        return gram


class OverRowsByOrder(OverRows):
    """As `OverRows`, of normal priors: the matrix is a sum of one for each order."""

    def __init__(self, groups):
        super().__init__(groups)
        parent = super()
        self._by_order = np.stack(
            [parent.gram(None, np.ascontiguousarray(row)) for row in groups.counts.T]
        )

    def gram(self, sigma, variances):
        """Return the lower triangle of the prior covariance of the predictors."""
        return np.tensordot(sigma**2, self._by_order, axes=1)


class OverGroups(SumDraws):
    """A joint draw by a matrix of groups."""

    def __init__(self, groups):
        super().__init__(groups)
        self._columns = _indicators(groups, np.arange(groups.n_groups))

    def draw(self, *, sigma, variances, precision, information, sums, generator):
        """Draw the sums of one set."""
        root, deviations = np.sqrt(precision), np.sqrt(variances)
        columns = self._columns * root[:, np.newaxis] * deviations
        matrix = columns.T @ columns
        matrix.flat[:: len(deviations) + 1] += 1.0
        score = columns.T @ (information / root + generator.standard_normal(len(root)))
        score += generator.standard_normal(len(deviations))
        _solve(matrix, score)
        sums = deviations * score
        return sums, self.predictor(sums)


class LargestOverRows(OverRows):
    """A joint draw of the sums that the data tell about, then each given all others.

    Most scales of Cauchy priors are small, and such sums are nearly independent of the
    data. Which sums are drawn jointly depends on what the draw is given, not on them.
    """

    def __init__(self, groups):
        super().__init__(groups)
        self._one_at_a_time = OneAtATime(groups)

    def draw(self, *, sigma, variances, precision, information, sums, generator):
        """Draw the sums of one set."""
        totals = np.empty(len(variances))
        _group_sums.add_to_groups(**self.lists, values=precision, totals=totals)
        jointly = variances * totals > _TELLING
        rest = np.where(jointly, 0.0, sums)
        # A sum without a variance is drawn as 0.
        drawn, _ = super().draw(
            sigma=sigma,
            variances=np.where(jointly, variances, 0.0),
            precision=precision,
            information=information - precision * self.predictor(rest),
            sums=sums,
            generator=generator,
        )
        return self._one_at_a_time.draw(
            sigma=sigma,
            variances=variances,
            precision=precision,
            information=information,
            sums=drawn + rest,
            generator=generator,
        )


class AlongTree(SumDraws):
    """A joint draw for nested groups, by two passes over their tree."""

    def __init__(self, groups):
        super().__init__(groups)
        # Groups come behind their parents: the last one of a row is the deepest.
        self._leaves = np.empty(len(groups.rows), dtype=np.int32)
        numbers = np.arange(groups.n_groups, dtype=np.int32)
        self._leaves[groups.members] = np.repeat(numbers, groups.sizes)

    def draw(self, *, sigma, variances, precision, information, sums, generator):
        """Draw the sums of one set."""
        drawn, predictor = np.empty(len(variances)), np.empty(len(precision))
        _sum_draws.along_tree(
            parents=self.groups.parents,
            leaves=self._leaves,
            precision=precision,
            information=information,
            variances=variances,
            sums=drawn,
            predictor=predictor,
            bit_generator=generator.bit_generator,
        )
        return drawn, predictor


class OneAtATime(SumDraws):
    """Each sum given all others, in turn: where matrices are too large."""

    def draw(self, *, sigma, variances, precision, information, sums, generator):
        """Draw the sums of one set."""
        drawn = sums.copy()
        _sum_draws.one_at_a_time(
            **self.lists,
            precision=precision,
            residual=information - precision * self.predictor(sums),
            variances=variances,
            sums=drawn,
            bit_generator=generator.bit_generator,
        )
        return drawn, self.predictor(drawn)


def sum_draws_for(problem):
    """Return the way for a problem that costs least among those that draw jointly."""
    groups = problem.groups
    n_rows = len(groups.rows)
    if groups.parents is not None:
        return AlongTree(groups)
    if groups.n_groups <= min(n_rows, MOST_FACTORIZED):
        return OverGroups(groups)
    if n_rows <= MOST_FACTORIZED:
        normal = problem.prior.family == "normal"
        return OverRowsByOrder(groups) if normal else LargestOverRows(groups)
    return OneAtATime(groups)


def _indicators(groups, chosen):
    """Return which rows are in some groups: (n_rows, n_chosen), bool."""
    columns = np.zeros((len(groups.rows), len(chosen)), dtype=bool)
    for column, g in enumerate(chosen):
        members = groups.members[groups.starts[g] : groups.starts[g + 1]]
        columns[members, column] = True
    return columns


def _entries_by_row(groups, chosen):
    """Return the entries of some groups in the order of rows, for `add_gram`."""
    numbers = np.arange(groups.n_groups, dtype=np.int32)
    group_of = np.repeat(numbers, groups.sizes)
    entries = np.flatnonzero(chosen[group_of])
    rows = groups.members[entries]
    by_row = np.argsort(rows, kind="stable")
    sizes = np.bincount(rows, minlength=len(groups.rows))
    return {
        "row_starts": np.concatenate([[0], np.cumsum(sizes)]),
        "entries": entries[by_row],
        "entry_groups": group_of[entries[by_row]],
    }


def _solve(matrix, vector):
    """Solve a linear system in place; the matrix is its lower triangle."""
    if not _group_sums.solve_positive(matrix, vector):
        raise np.linalg.LinAlgError("The matrix of a joint draw is not finite.")

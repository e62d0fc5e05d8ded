"""Sum draws: methods that draw the sums of one set, given Polya-Gamma variables.

The likelihood of the linear predictor e_i of row i is proportional to
``exp(information_i e_i - precision_i e_i^2 / 2)``. The prior of the sum of group g is
normal with mean 0 and a given variance. All methods draw from the same normal
distribution, except the last one, which draws each sum given the others.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from abc import ABC, abstractmethod

import numpy as np

from sklearn_dnfwinnow._kernels import _group_sums, _sum_draws

# Maximum number of rows, or groups, of a matrix that is factorized in each draw.
MOST_FACTORIZED = 1500
# Groups with more than this fraction of the rows are multiplied as a dense matrix.
_DENSE = 0.4
# Sums whose prior variance times precision exceeds this are drawn jointly.
_TELLING = 0.02
# Number of columns of the dense matrix that are processed at once.
_BLOCK = 1024


class SumDraws(ABC):
    """A method that draws the sums of all groups.

    Parameters
    ----------
    groups : InteractionGroups
    """

    def __init__(self, groups):
        self.groups = groups
        self.lists = {"starts": groups.starts, "members": groups.members}

    @abstractmethod
    def draw(
        self, *, sigma, widths, variances, precision, information, sums, generator
    ):
        """Draw the sums of one set.

        Parameters
        ----------
        sigma : ndarray of shape (max_order + 1,)
            Widths of the orders.
        widths : ndarray of shape (n_groups,)
            Widths of the priors of the sums.
        variances : ndarray of shape (n_groups,)
            Variances of these priors, given mixing variables for Cauchy priors.
        precision, information : ndarray of shape (n_rows,)
            Precision and information of the likelihood. The precisions are positive.
        sums : ndarray of shape (n_groups,)
            The current sums.
        generator : numpy.random.Generator

        Returns
        -------
        sums : ndarray of shape (n_groups,)
        predictor : ndarray of shape (n_rows,)
        """

    def predictor(self, sums):
        """Return the sum over the groups of each row."""
        predictor = np.empty(len(self.groups.rows))
        _group_sums.add_to_rows(**self.lists, sums=sums, predictor=predictor)
        return predictor


class OverRows(SumDraws):
    """A joint draw by a matrix of rows (Bhattacharya, Chakraborty & Mallick 2016)."""

    def __init__(self, groups):
        super().__init__(groups)
        dense = groups.sizes > _DENSE * len(groups.rows)
        self._sparse = _by_member(
            groups.starts, groups.members, len(groups.rows), chosen=~dense
        )
        self._dense = np.flatnonzero(dense)
        self._columns = _indicators(groups, self._dense)

    def draw(
        self, *, sigma, widths, variances, precision, information, sums, generator
    ):
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
    """As `OverRows`, for normal priors: the matrix is a sum of one matrix per order."""

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
        # The groups of each row, in the form of the rows of each group for `add_gram`.
        by_row = _by_member(groups.starts, groups.members, len(groups.rows))
        self._rows = {"starts": by_row["row_starts"], "members": by_row["entry_groups"]}
        self._entries = _by_member(**self._rows, n_members=groups.n_groups)

    def draw(
        self, *, sigma, widths, variances, precision, information, sums, generator
    ):
        """Draw the sums of one set."""
        deviations = np.sqrt(variances)
        matrix = np.zeros((len(deviations),) * 2)
        _group_sums.add_gram(
            **self._rows, **self._entries, weights=precision, gram=matrix
        )
        matrix *= deviations
        matrix *= deviations[:, np.newaxis]
        matrix.flat[:: len(deviations) + 1] += 1.0
        noise = np.sqrt(precision) * generator.standard_normal(len(precision))
        score = np.empty(len(deviations))
        _group_sums.add_to_groups(
            **self.lists, values=information + noise, totals=score
        )
        score *= deviations
        score += generator.standard_normal(len(deviations))
        _solve(matrix, score)
        sums = deviations * score
        return sums, self.predictor(sums)


class LargestOverRows(OverRows):
    """A joint draw of the sums that depend on the data, given the others.

    Most variances of sums with Cauchy priors are small, and such sums are nearly
    independent of the data. The choice of the sums that are drawn jointly depends on
    the conditions of the draw, not on the sums. The other sums are unchanged:
    `OneAtATime` must follow.
    """

    def draw(
        self, *, sigma, widths, variances, precision, information, sums, generator
    ):
        """Draw the sums of one set."""
        totals = np.empty(len(variances))
        _group_sums.add_to_groups(**self.lists, values=precision, totals=totals)
        jointly = variances * totals > _TELLING
        rest = np.where(jointly, 0.0, sums)
        of_rest = self.predictor(rest)
        # A sum without a variance is drawn as 0.
        drawn, predictor = super().draw(
            sigma=sigma,
            widths=widths,
            variances=np.where(jointly, variances, 0.0),
            precision=precision,
            information=information - precision * of_rest,
            sums=sums,
            generator=generator,
        )
        return drawn + rest, predictor + of_rest


class AlongTree(SumDraws):
    """A joint draw for nested groups, by two passes over their tree."""

    def __init__(self, groups):
        super().__init__(groups)
        # Groups follow their parents: the last one of a row is the deepest.
        self._leaves = np.empty(len(groups.rows), dtype=np.int32)
        numbers = np.arange(groups.n_groups, dtype=np.int32)
        self._leaves[groups.members] = np.repeat(numbers, groups.sizes)

    def draw(
        self, *, sigma, widths, variances, precision, information, sums, generator
    ):
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
    """An update of each sum given all others, in turn.

    It needs no mixing variables for Cauchy priors.

    Parameters
    ----------
    groups : InteractionGroups
    cauchy : bool
        Whether the prior is a Cauchy distribution, otherwise normal.
    """

    def __init__(self, groups, cauchy):
        super().__init__(groups)
        self._cauchy = cauchy

    def draw(
        self, *, sigma, widths, variances, precision, information, sums, generator
    ):
        """Draw the sums of one set."""
        drawn = sums.copy()
        _sum_draws.one_at_a_time(
            **self.lists,
            precision=precision,
            residual=information - precision * self.predictor(sums),
            widths=widths,
            cauchy=self._cauchy,
            sums=drawn,
            bit_generator=generator.bit_generator,
        )
        return drawn, self.predictor(drawn)


def sum_draws_for(problem):
    """Return the fastest method for a problem among those that draw jointly."""
    groups = problem.groups
    n_rows = len(groups.rows)
    if groups.parents is not None:
        return AlongTree(groups)
    if groups.n_groups <= min(n_rows, MOST_FACTORIZED):
        return OverGroups(groups)
    if n_rows <= MOST_FACTORIZED:
        normal = problem.prior.family == "normal"
        return OverRowsByOrder(groups) if normal else LargestOverRows(groups)
    return OneAtATime(groups, problem.prior.family == "cauchy")


def _indicators(groups, chosen):
    """Return a mask of the rows in some groups: (n_rows, n_chosen), bool."""
    columns = np.zeros((len(groups.rows), len(chosen)), dtype=bool)
    for column, g in enumerate(chosen):
        members = groups.members[groups.starts[g] : groups.starts[g + 1]]
        columns[members, column] = True
    return columns


def _by_member(starts, members, n_members, chosen=None):
    """Return the entries of some lists in the order of their members, for `add_gram`.

    Parameters
    ----------
    starts : ndarray of shape (n_lists + 1,), int64
    members : ndarray of shape (starts[-1],), int32
    n_members : int
        Members are numbers below it.
    chosen : ndarray of shape (n_lists,), bool, default=None
        Mask of the lists; None is all.
    """
    lists = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    entries = np.arange(len(members))
    if chosen is not None:
        entries = np.flatnonzero(chosen[lists])
    entries = entries[np.argsort(members[entries], kind="stable")]
    sizes = np.bincount(members[entries], minlength=n_members)
    return {
        "row_starts": np.concatenate([[0], np.cumsum(sizes)]),
        "entries": entries,
        "entry_groups": lists[entries],
    }


def _solve(matrix, vector):
    """Solve a linear system in place; the matrix is its lower triangle."""
    if not _group_sums.solve_positive(matrix, vector):
        raise np.linalg.LinAlgError("The matrix of a joint draw is not finite.")

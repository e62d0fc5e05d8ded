"""Sum draws: methods that draw the sums of one set, given Polya-Gamma variables.

The likelihood of the linear predictor e_i of row i is proportional to
``exp(information_i e_i - precision_i e_i^2 / 2)``. The prior of the sum of group g is
normal with mean 0 and a given variance. Each method is a function of a problem, of what
is given, and of a generator, and returns new sums. All draw from the same normal
distribution, except the last one, which draws each sum given the others.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrs

from sklearn_dnfwinnow._kernels import sum_draws

# Maximum number of rows, or groups, of a matrix that is factorized in each draw.
MOST_FACTORIZED = 1500
# Groups with more than this fraction of the rows are multiplied as a dense matrix.
_DENSE = 0.4
# Sums whose prior variance times precision exceeds this are drawn jointly.
_TELLING = 0.02
# Number of columns of the dense matrix that are processed at once.
_BLOCK = 1024


@dataclass(eq=False)
class Given:
    """What the sums of one set are drawn from.

    Attributes
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
    """

    sigma: np.ndarray
    widths: np.ndarray
    variances: np.ndarray
    precision: np.ndarray
    information: np.ndarray
    sums: np.ndarray


def over_rows(problem, given, generator):
    """Draw all sums jointly by a matrix of rows, for normal priors."""
    return RowFactor(problem, given).draw(generator)


class RowFactor:
    """The factor of a matrix of rows, which is a sum of one matrix per order.

    Parameters
    ----------
    problem : Problem
        With a normal prior.
    given : Given

    Attributes
    ----------
    log_marginal : float
        Logarithm of the likelihood with the sums integrated out, up to a constant.
    """

    def __init__(self, problem, given):
        self._problem, self._given = problem, given
        self._root = np.sqrt(given.precision)
        kernels = problem.once(kernels_of)
        self._matrix = np.tensordot(given.sigma**2, kernels, axes=1)
        _add_noise(self._matrix, self._root)
        targets = given.information / self._root
        solution = targets.copy()
        _solve(self._matrix, solution)
        log_determinant = np.log(self._matrix.diagonal()).sum()
        self.log_marginal = -0.5 * targets @ solution - log_determinant

    def draw(self, generator):
        """Draw all sums jointly."""
        return _corrected(
            problem=self._problem,
            variances=self._given.variances,
            information=self._given.information,
            root=self._root,
            solve=lambda gap: dpotrs(self._matrix.T, gap, lower=0)[0],
            generator=generator,
        )


def largest_over_rows(problem, given, generator):
    """Draw the sums that depend on the data by a matrix of rows, given the others.

    Most variances of sums with Cauchy priors are small, and such sums are nearly
    independent of the data. The choice of the sums that are drawn jointly depends on
    the conditions of the draw, not on the sums. The other sums are unchanged:
    `one_at_a_time` must follow.
    """
    totals = problem.to_groups(given.precision)
    jointly = given.variances * totals > _TELLING
    rest = np.where(jointly, 0.0, given.sums)
    # A sum without a variance is drawn as 0.
    variances = np.where(jointly, given.variances, 0.0)
    drawn = _drawn_over_rows(
        problem=problem,
        variances=variances,
        gram=gram_of_rows(problem, variances),
        precision=given.precision,
        information=given.information - given.precision * problem.to_rows(rest),
        generator=generator,
    )
    return drawn + rest


def over_groups(problem, given, generator):
    """Draw all sums jointly by a matrix of groups."""
    return GroupFactor(problem, given).draw(generator)


class GroupFactor:
    """The factor of a matrix of groups, as `RowFactor` of a matrix of rows."""

    def __init__(self, problem, given):
        self._problem, self._given = problem, given
        self._deviations = np.sqrt(given.variances)
        self._matrix = np.zeros((len(self._deviations),) * 2)
        sum_draws.add_gram(
            **problem.once(_groups_of_rows), weights=given.precision, gram=self._matrix
        )
        _add_noise(self._matrix, self._deviations)
        score = self._deviations * problem.to_groups(given.information)
        solution = score.copy()
        _solve(self._matrix, solution)
        log_determinant = np.log(self._matrix.diagonal()).sum()
        self.log_marginal = 0.5 * score @ solution - log_determinant

    def draw(self, generator):
        """Draw all sums jointly."""
        given = self._given
        noise = generator.standard_normal(len(given.precision))
        score = given.information + np.sqrt(given.precision) * noise
        score = self._deviations * self._problem.to_groups(score)
        score += generator.standard_normal(len(score))
        return self._deviations * dpotrs(self._matrix.T, score, lower=0)[0]


def along_tree(problem, given, generator):
    """Draw all sums of nested groups jointly, by two passes over their tree."""
    sums = np.empty(len(given.variances))
    sum_draws.along_tree(
        parents=problem.groups.parents,
        leaves=problem.once(_leaves),
        precision=given.precision,
        information=given.information,
        variances=given.variances,
        sums=sums,
        bit_generator=generator.bit_generator,
    )
    return sums


def one_at_a_time(problem, given, generator):
    """Update each sum given all others, in turn, without mixing variables."""
    sums = given.sums.copy()
    sum_draws.one_at_a_time(
        starts=problem.groups.starts,
        members=problem.groups.members,
        precision=given.precision,
        residual=given.information - given.precision * problem.to_rows(sums),
        widths=given.widths,
        cauchy=problem.prior.family == "cauchy",
        sums=sums,
        bit_generator=generator.bit_generator,
    )
    return sums


def sum_draws_for(problem):
    """Return the fastest methods for a problem, which are applied in turn: a tuple."""
    groups = problem.groups
    n_rows = len(groups.rows)
    cauchy = problem.prior.family == "cauchy"
    if groups.parents is not None:
        jointly = along_tree
    elif groups.n_groups <= min(n_rows, MOST_FACTORIZED):
        jointly = over_groups
    elif n_rows <= MOST_FACTORIZED:
        jointly = largest_over_rows if cauchy else over_rows
    else:
        return (one_at_a_time,)
    return (jointly, one_at_a_time) if cauchy else (jointly,)


def factor_for(problem):
    """Return the class of factors whose marginal likelihood is cheap, or None.

    With several sets of parameters, the sums of other sets determine the widths.
    """
    first = sum_draws_for(problem)[0]
    if problem.n_sets > 1:
        return None
    return {over_rows: RowFactor, over_groups: GroupFactor}.get(first)


def _drawn_over_rows(problem, variances, gram, precision, information, generator):
    """Draw sums jointly.

    `gram`, the lower triangle of the prior covariance of the predictors, is changed.
    """
    root = np.sqrt(precision)
    _add_noise(gram, root)

    def solve(gap):
        _solve(gram, gap)
        return gap

    return _corrected(
        problem=problem,
        variances=variances,
        information=information,
        root=root,
        solve=solve,
        generator=generator,
    )


def _add_noise(gram, root):
    """Change a covariance of predictors to that of these times roots, plus noise."""
    gram *= root
    gram *= root[:, np.newaxis]
    gram.flat[:: len(root) + 1] += 1.0


def _corrected(problem, variances, information, root, solve, generator):
    """Return corrected prior draws (Bhattacharya, Chakraborty & Mallick 2016)."""
    proposal = np.sqrt(variances) * generator.standard_normal(len(variances))
    gap = information / root - root * problem.to_rows(proposal)
    gap -= generator.standard_normal(len(root))
    gap = root * solve(gap)
    return proposal + variances * problem.to_groups(gap)


def gram_of_rows(problem, variances):
    """Return the lower triangle of the prior covariance of the predictors."""
    n_rows = len(problem.groups.rows)
    gram = np.zeros((n_rows, n_rows))
    dense, columns = problem.once(_dense_columns)
    deviations = np.sqrt(variances[dense])
    for start in range(0, len(deviations), _BLOCK):
        block = slice(start, start + _BLOCK)
        scaled = columns[:, block] * deviations[block]
        gram += scaled @ scaled.T
    sum_draws.add_gram(
        starts=problem.groups.starts,
        members=problem.groups.members,
        weights=np.where(dense, 0.0, variances),
        gram=gram,
    )
    return gram


def _dense_columns(problem):
    """Return a mask of the large groups, and of the rows in each: (n_rows, n), bool."""
    dense = problem.groups.sizes > _DENSE * len(problem.groups.rows)
    return dense, problem.memberships[dense].T.toarray() > 0


def kernels_of(problem):
    """Return `gram_of_rows` for each order, of width 1."""
    return np.stack([gram_of_rows(problem, row) for row in problem.groups.counts.T])


def _groups_of_rows(problem):
    """Return the groups of each row, as `InteractionGroups` has the rows of groups."""
    rows = problem.memberships.T.tocsr()
    return {"starts": rows.indptr.astype(np.int64), "members": rows.indices}


def _leaves(problem):
    """Return the deepest group of each row in a tree: (n_rows,), int32."""
    groups = problem.groups
    leaves = np.empty(len(groups.rows), dtype=np.int32)
    # Groups follow their parents.
    leaves[groups.members] = np.repeat(
        np.arange(groups.n_groups, dtype=np.int32), groups.sizes
    )
    return leaves


def _solve(matrix, vector):
    """Solve a linear system in place; the matrix is its lower triangle."""
    if not sum_draws.solve_positive(matrix, vector):
        raise np.linalg.LinAlgError("The matrix of a joint draw is not finite.")

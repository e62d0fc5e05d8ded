"""Sum draws: methods that draw the sums of one set, given Polya-Gamma variables.

The likelihood of the linear predictor e_i of row i is proportional to
``exp(information_i e_i - precision_i e_i^2 / 2)``. The prior of the sum of group g is
normal with mean 0 and a given variance. Each method is a function of a problem, of what
is given, and of a generator, and returns new sums. Some draw all sums at once, others
draw some of them given the rest.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

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
    widths : ndarray of shape (n_groups,)
        Widths of the priors of the sums.
    variances : ndarray of shape (n_groups,)
        Variances of these priors, given mixing variables for Cauchy priors.
    precision, information : ndarray of shape (n_rows,)
        Precision and information of the likelihood. The precisions are positive.
    sums : ndarray of shape (n_groups,)
        The current sums.
    """

    widths: np.ndarray
    variances: np.ndarray
    precision: np.ndarray
    information: np.ndarray
    sums: np.ndarray


def over_rows(problem, given, generator):
    """Draw the sums that depend on the data by a matrix of rows, given the others.

    Most variances of sums with Cauchy priors are small, and such sums are nearly
    independent of the data. The choice of the sums that are drawn jointly depends on
    the conditions of the draw, not on the sums. The other sums are unchanged:
    `one_at_a_time` must follow.
    """
    root = np.sqrt(given.precision)
    jointly = given.variances * problem.to_groups(given.precision) > _TELLING
    rest = np.where(jointly, 0.0, given.sums)
    # A sum without a variance is drawn as 0.
    variances = np.where(jointly, given.variances, 0.0)
    gram = gram_of_rows(problem, variances)
    _add_noise(gram, root)
    # A draw from the prior, corrected (Bhattacharya, Chakraborty & Mallick 2016).
    drawn = np.sqrt(variances) * generator.standard_normal(len(variances))
    gap = given.information / root - root * problem.to_rows(rest + drawn)
    gap -= generator.standard_normal(len(root))
    _solve(gram, gap)
    return rest + drawn + variances * problem.to_groups(root * gap)


def over_groups(problem, given, generator):
    """Draw all sums jointly by a matrix of groups."""
    deviations = np.sqrt(given.variances)
    matrix = np.zeros((len(deviations),) * 2)
    sum_draws.add_gram(
        **problem.once(_groups_of_rows), weights=given.precision, gram=matrix
    )
    _add_noise(matrix, deviations)
    noise = generator.standard_normal(len(given.precision))
    score = given.information + np.sqrt(given.precision) * noise
    score = deviations * problem.to_groups(score)
    score += generator.standard_normal(len(score))
    _solve(matrix, score)
    return deviations * score


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
    if groups.parents is not None:
        jointly = along_tree
    elif groups.n_groups <= min(n_rows, MOST_FACTORIZED):
        jointly = over_groups
    elif n_rows <= MOST_FACTORIZED:
        return over_rows, one_at_a_time
    else:
        return (one_at_a_time,)
    if problem.prior.family == "cauchy":
        return jointly, one_at_a_time
    return (jointly,)


def _add_noise(gram, root):
    """Change a covariance of predictors to that of these times roots, plus noise."""
    gram *= root
    gram *= root[:, np.newaxis]
    gram.flat[:: len(root) + 1] += 1.0


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

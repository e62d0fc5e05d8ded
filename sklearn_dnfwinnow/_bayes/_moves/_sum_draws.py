"""Sum draws: methods that draw the sums of one set, given Polya-Gamma variables.

The likelihood of the linear predictor e_i of row i is proportional to
``exp(information_i e_i - precision_i e_i^2 / 2)``. The prior of the sum of group g is
normal with mean 0 and a given variance. Each method is a function of a problem, of what
is given, and of a generator, and returns new sums.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._kernels import sum_draws


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
    """Return the methods for a problem, which are applied in turn: a tuple."""
    if problem.groups.parents is None:
        return (one_at_a_time,)
    if problem.prior.family == "cauchy":
        return along_tree, one_at_a_time
    return (along_tree,)


def _leaves(problem):
    """Return the deepest group of each row in a tree: (n_rows,), int32."""
    groups = problem.groups
    leaves = np.empty(len(groups.rows), dtype=np.int32)
    # Groups follow their parents.
    leaves[groups.members] = np.repeat(
        np.arange(groups.n_groups, dtype=np.int32), groups.sizes
    )
    return leaves

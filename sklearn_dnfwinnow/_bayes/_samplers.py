"""Samplers: which one updates the states of a problem."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._bayes._hamiltonian._gaussian import MOST_FACTORIZED
from sklearn_dnfwinnow._bayes._hamiltonian._hamiltonian import Hamiltonian
from sklearn_dnfwinnow._bayes._hamiltonian._row_basis import in_row_basis
from sklearn_dnfwinnow._bayes._moves._sweeps import SWEEPS, Sweeps

#: Names of samplers.
SAMPLERS = "hmc", *SWEEPS
# Maximum number of rows times groups: their memberships are stored as a dense matrix.
_MOST_CELLS = 1 << 25


def sampler_for(problem, name):
    """Return a sampler, and the problem that it samples.

    Parameters
    ----------
    problem : Problem
    name : {'auto', 'hmc', 'gibbs', 'slice'}
        'auto' is 'hmc' if it is possible and terms are not nested, otherwise 'gibbs'.

    Raises
    ------
    ValueError
        If 'hmc' is not possible.
    """
    groups, is_normal = problem.groups, problem.prior.family == "normal"
    n_rows, n_groups = len(groups.rows), groups.n_groups
    in_rows = is_normal and n_rows <= MOST_FACTORIZED
    is_possible = in_rows or (
        n_rows * n_groups <= _MOST_CELLS
        and (n_groups <= MOST_FACTORIZED or not is_normal)
    )
    if name == "auto":
        name = "hmc" if is_possible and groups.parents is None else "gibbs"
    if name != "hmc":
        return Sweeps(problem, name), problem
    if not is_possible:
        most = f"{_MOST_CELLS:,} groups of terms times distinct samples"
        if is_normal:
            most = f"{MOST_FACTORIZED} distinct samples, or groups with at most {most}"
        raise ValueError(
            f"sampler='hmc' requires at most {most}, got {n_rows} samples and "
            f"{n_groups} groups. Use sampler='auto' or a smaller max_order."
        )
    if in_rows:
        problem = in_row_basis(problem)
    return Hamiltonian(problem), problem

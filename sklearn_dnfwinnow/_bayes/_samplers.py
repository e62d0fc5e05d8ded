"""Samplers: which one updates the states of a problem."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._bayes._hamiltonian._hamiltonian import Hamiltonian
from sklearn_dnfwinnow._bayes._hamiltonian._row_basis import in_row_basis
from sklearn_dnfwinnow._bayes._moves._sum_draws import MOST_FACTORIZED
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
    groups, family = problem.groups, problem.prior.family
    n_rows, n_groups = len(groups.rows), groups.n_groups
    is_small = n_rows <= MOST_FACTORIZED or (
        n_groups <= MOST_FACTORIZED and n_rows * n_groups <= _MOST_CELLS
    )
    is_possible = family == "normal" and is_small
    if name == "auto":
        name = "hmc" if is_possible and groups.parents is None else "gibbs"
    if name != "hmc":
        return Sweeps(problem, name), problem
    if family != "normal":
        raise ValueError(
            f"sampler='hmc' requires prior='normal', got prior={family!r}."
        )
    if not is_possible:
        raise ValueError(
            f"sampler='hmc' requires at most {MOST_FACTORIZED} distinct samples, or "
            f"groups of terms (with at most {_MOST_CELLS:,} groups times samples), got "
            f"{n_rows} samples and {n_groups} groups. Use sampler='auto' or a smaller "
            "max_order."
        )
    if n_rows <= MOST_FACTORIZED:
        problem = in_row_basis(problem)
    return Hamiltonian(problem), problem

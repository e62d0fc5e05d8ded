"""Settings: constraints of the parameters, and the values of the paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

from sklearn_dnfwinnow._bayes._gibbs import SWEEPS, Sweeps
from sklearn_dnfwinnow._bayes._hamiltonian import Hamiltonian
from sklearn_dnfwinnow._bayes._metric import MOST_FACTORIZED
from sklearn_dnfwinnow._bayes._prior import HYPERPRIORS
from sklearn_dnfwinnow._bayes._row_basis import in_row_basis
from sklearn_dnfwinnow._encoding._discretizer import ClassEntropyDiscretizer
from sklearn_dnfwinnow._utils._estimators import OR_AUTO, POSITIVE, Interval, StrOptions

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
        most = f"{_MOST_CELLS:,} groups of terms times distinct rows"
        if is_normal:
            most = f"{MOST_FACTORIZED} distinct rows, or groups with at most {most}"
        raise ValueError(
            f"sampler='hmc' requires at most {most}, got {n_rows} rows and "
            f"{n_groups} groups. Use sampler='auto' or a smaller max_order."
        )
    if in_rows:
        problem = in_row_basis(problem)
    return Hamiltonian(problem), problem


# Widths can be far above and below scales, and their squares must be finite.
_SCALE = Interval(Real, 1e-6, 1e6, closed="both")

#: Constraints of the parameters of `BayesianInteractionClassifier`.
CONSTRAINTS = {
    "interactions": [StrOptions({"all", "nested"})],
    "max_order": [OR_AUTO, Interval(Integral, 0, None, closed="left")],
    "prior": [StrOptions({"cauchy", "normal"})],
    "hyperprior": [StrOptions(set(HYPERPRIORS))],
    # The tail of the density of log sigma is negligible where `LIMIT` cuts it off.
    "hyperprior_shape": [Interval(Real, 0.1, 1e3, closed="both")],
    "scale": [_SCALE],
    "intercept_scale": [_SCALE],
    "fit_intercept_scale": ["boolean"],
    "sampler": [StrOptions({"auto", *SAMPLERS})],
    "n_draws": [Interval(Integral, 4, None, closed="left")],
    "burn_in": [Interval(Integral, 0, None, closed="left")],
    "n_chains": [POSITIVE],
    "max_rhat": [Interval(Real, 1, None, closed="left")],
    "min_ess": [Interval(Real, 0, None, closed="left")],
    "max_sweeps": [POSITIVE],
    "max_time": [Interval(Real, 0, None, closed="neither"), None],
    "discretizer": [OR_AUTO, ClassEntropyDiscretizer, None],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    "missing": [StrOptions({"unspecified", "category", "most_frequent"})],
    "n_jobs": [Integral, None],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}

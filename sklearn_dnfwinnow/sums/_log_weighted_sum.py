"""Weighted sums over all terms that a query satisfies, exact or estimated.

This is the mathematics of the package on its own, for those who have agreements and
exponents of their own to sum. :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` takes the
same path.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._problems._agreement_problem import AgreementProblem
from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum, closed_form
from sklearn_dnfwinnow._utils._compat import Interval, validate_params
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow.samplers._registry import (
    SAMPLER_CONSTRAINT,
    check_max_term_size,
    sampler_of,
)

__all__ = ["WeightedSum", "log_weighted_sum"]

#: What the classifier and `log_weighted_sum` both accept.
SUM_CONSTRAINTS = {
    "sampler": SAMPLER_CONSTRAINT,
    "alpha": [Interval(Real, 1, None, closed="neither")],
    "term_prior": [Interval(Real, 0, None, closed="neither")],
    "random_state": ["random_state"],
}


def log_sum(engine, problem, log_alpha, log_beta, stream):
    """Return the weighted sum of a problem, in closed form if there is one."""
    known = closed_form(problem, log_alpha, log_beta, engine.max_term_size)
    return known or engine.log_sum(problem, log_alpha, log_beta, stream)


def exceeds(engine, problem, log_alpha, log_beta, stream, log_threshold, guess):
    """Return whether the sum reaches a threshold, and the sum as far as it went."""
    known = closed_form(problem, log_alpha, log_beta, engine.max_term_size)
    if known is not None:
        return known.log_value >= log_threshold, known
    return engine.exceeds(problem, log_alpha, log_beta, stream, log_threshold, guess)


@validate_params(
    {
        "agreements": ["array-like"],
        "exponents": ["array-like"],
        "max_term_size": [Interval(Integral, 1, None, closed="left"), None],
        **SUM_CONSTRAINTS,
    },
    prefer_skip_nested_validation=True,
)
def log_weighted_sum(
    agreements,
    exponents,
    *,
    alpha=1.5,
    term_prior=1.0,
    sampler="auto",
    max_term_size=None,
    random_state=None,
):
    """Weighted sum over all terms that a query satisfies.

    A query with n specified attributes satisfies 2^n terms, one for each subset S of
    its attributes. With `A_u` the attributes on which stored update u agrees with the
    query and `c_u` its exponent (promotions less demotions), the sum is

    .. math:: W = \\sum_S \\beta^{|S|} \\alpha^{\\varphi(S)}, \\qquad
              \\varphi(S) = \\sum_{u : S \\subseteq A_u} c_u ,

    or the sum over those of up to `max_term_size` attributes.

    Parameters
    ----------
    agreements : array-like of shape (n_updates, n_attributes), bool
        True where an update agrees with the query.

    exponents : array-like of shape (n_updates,), int
        Net promotions of each update; any sign.

    alpha : float, default=1.5
        Promotion factor, above 1.

    term_prior : float, default=1.0
        beta: the initial weight of a term of k literals is ``term_prior ** k``.

    sampler : {'auto', 'table', 'exact', 'frontier', 'brute_force', 'metropolis', \
            'gibbs', 'metropolized_gibbs'} or Sampler, default='auto'
        How to sum: a name, or an object of :mod:`sklearn_dnfwinnow.samplers` that has
        parameters of its own, such as ``Frontier(max_states=500)``.

        - 'exact': by the superset sum over all 2^n terms or by the frontier, which
          counts terms with the same updates alive together, whichever is predicted to
          be cheaper; an error where the frontier exceeds its `max_states`.
        - 'frontier': by the frontier, exact up to its `max_states`; beyond, its states
          are resampled without bias [2]_, and the sum is the mean of some runs.
        - 'auto': by the superset sum where that is cheaper, else as 'frontier';
          'table' is the same here, where there are no rows to make a table for.
        - 'brute_force': term by term, over at most 28 attributes.
        - 'metropolis', 'gibbs', 'metropolized_gibbs': ratios of sums along a ladder of
          Markov chains, estimated [1]_.

        Sums with a closed form (no update acts, or only one does, or no attribute tells
        updates apart) are exact under any sampler.

    max_term_size : int or None, default=None
        Most literals of a term, None for any number; Markov chains take None alone.

    random_state : int, RandomState instance or None, default=None
        Seeds what is drawn.

    Returns
    -------
    WeightedSum
        With `log_value`, the natural logarithm of W; `std_error`, its standard error
        (0 if exact); `exact`; `sampler`, what ran; the states or chains it took; and,
        if exact over terms of any size, the `density` of states: W at every alpha.

    Raises
    ------
    ValueError
        If the shapes do not fit, an exponent is not an integer or does not fit 62 bits
        in sum, there are too many attributes for brute force, `max_term_size` is a
        number for a Markov chain, the frontier exceeds `max_states` in
        sampler='exact', or a parameter of the sampler is not valid.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] P. Fearnhead and P. Clifford, "On-line inference for hidden Markov models via
       particle filters", Journal of the Royal Statistical Society B 65(4), 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> from sklearn_dnfwinnow.sums import log_weighted_sum
    >>> agreements = [[True, True, False], [True, False, True]]
    >>> exact = log_weighted_sum(agreements, [2, -1])
    >>> round(exact.log_value, 5), exact.exact, exact.sampler
    (2.38263, True, 'superset')
    >>> {phi: float(np.exp(v).round()) for phi, v in exact.density.items()}
    {-1: 2.0, 0: 2.0, 1: 2.0, 2: 2.0}
    >>> gibbs = Gibbs(n_steps=1000)
    >>> estimate = log_weighted_sum(agreements, [2, -1], sampler=gibbs, random_state=0)
    >>> abs(estimate.log_value - exact.log_value) < 6 * estimate.std_error
    True
    """
    check_max_term_size(sampler, max_term_size)
    problem, row, max_term_size = problem_of_agreements(
        agreements, exponents, max_term_size
    )
    engine = sampler_of(sampler).engine(max_term_size).in_full()
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    return log_sum(engine, problem, log(alpha), log(term_prior), stream(seed, row=row))


def problem_of_agreements(agreements, exponents, max_term_size=None):
    """Return the problem of agreements and exponents as given, checked, and the query.

    And `max_term_size`, None where no term is larger.
    """
    agreements = np.asarray(agreements)
    exponents = np.asarray(exponents)
    if agreements.ndim != 2:
        raise ValueError(
            f"agreements must be of shape (n_updates, n_attributes); got an array of "
            f"{agreements.ndim} dimension(s)."
        )
    if agreements.dtype != bool and not np.isin(agreements, (0, 1)).all():
        raise ValueError("agreements must be boolean.")
    if exponents.shape != agreements.shape[:1]:
        raise ValueError(
            f"exponents must be of shape ({agreements.shape[0]},), one for each row of "
            f"agreements; got {exponents.shape}."
        )
    if exponents.size and exponents.dtype.kind not in "iu":
        raise ValueError(f"exponents must be integers; got dtype {exponents.dtype}.")
    if np.abs(exponents.astype(float)).sum() >= 2.0**62:
        raise ValueError("exponents must sum to less than 2**62 in absolute value.")

    # One code suffices: an update agrees where it says 1 too.
    updates = np.ascontiguousarray(agreements, dtype=np.int32)
    row = np.ones(agreements.shape[1], dtype=np.int32)
    if max_term_size is not None and max_term_size >= len(row):
        max_term_size = None
    problem = AgreementProblem.of_row(
        updates, exponents.astype(np.int64), row, compress=max_term_size is None
    )
    return problem, row, max_term_size

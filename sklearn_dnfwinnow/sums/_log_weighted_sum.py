"""Weighted sums over all terms that a query satisfies, exact or estimated."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log
from numbers import Real

import numpy as np
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._utils._computing import stream
from sklearn_dnfwinnow._utils._estimators import POSITIVE, Interval, validate_params
from sklearn_dnfwinnow.samplers._agreement_problem import (
    AgreementProblem,
    WeightedSum,
    closed_form,
)
from sklearn_dnfwinnow.samplers._registry import (
    SAMPLER_CONSTRAINT,
    check_max_term_size,
    sampler_of,
)

__all__ = ["WeightedSum", "log_weighted_sum"]

#: Constraints of the parameters that the classifier and `log_weighted_sum` share.
SUM_CONSTRAINTS = {
    "sampler": SAMPLER_CONSTRAINT,
    "alpha": [Interval(Real, 1, None, closed="neither")],
    "literal_weight": [Interval(Real, 0, None, closed="neither")],
    "random_state": ["random_state"],
}
#: Constraints of the parameters that all functions of a single sum share.
PROBLEM_CONSTRAINTS = {
    "agreements": ["array-like"],
    "net_promotion_counts": ["array-like"],
    **SUM_CONSTRAINTS,
}


def log_sum(engine, problem, log_alpha, log_beta, stream):
    """Return the weighted sum of a problem, in closed form if there is one."""
    known = closed_form(problem, log_alpha, log_beta, engine.max_term_size)
    return known or engine.log_sum(problem, log_alpha, log_beta, stream)


def exceeds(engine, problem, log_alpha, log_beta, stream, log_threshold, guess):
    """Return whether the sum reaches a threshold, and the sum so far."""
    known = closed_form(problem, log_alpha, log_beta, engine.max_term_size)
    if known is not None:
        return known.log_value >= log_threshold, known
    return engine.exceeds(problem, log_alpha, log_beta, stream, log_threshold, guess)


@validate_params({**PROBLEM_CONSTRAINTS, "max_term_size": [POSITIVE, None]})
def log_weighted_sum(
    agreements,
    net_promotion_counts,
    *,
    alpha=1.5,
    literal_weight=1.0,
    sampler="auto",
    max_term_size=None,
    random_state=None,
):
    """Compute the weighted sum over all terms that a query satisfies.

    A query with n specified features satisfies 2^n terms, one for each subset S of
    its features. Let `A_u` be the features on which :term:`stored example` u agrees
    with the query, and `c_u` its net promotion count (promotions minus demotions). The
    sum is

    .. math:: W = \\sum_S \\beta^{|S|} \\alpha^{\\varphi(S)}, \\qquad
              \\varphi(S) = \\sum_{u : S \\subseteq A_u} c_u .

    With `max_term_size`, it is the sum over the subsets of at most this size.

    Parameters
    ----------
    agreements : array-like of shape (n_examples, n_features), bool
        Agreement of each stored example with the query on each feature.

    net_promotion_counts : array-like of shape (n_examples,), int
        Net promotion count of each stored example, of any sign.

    alpha : float, default=1.5
        Promotion factor, greater than 1.

    literal_weight : float, default=1.0
        Initial weight per literal, beta: the initial weight of a term with k literals
        is ``literal_weight ** k``.

    sampler : {'auto', 'table', 'exact', 'frontier', 'brute_force', 'metropolis', \
            'gibbs', 'metropolized_gibbs'} or Sampler, default='auto'
        :term:`Engine <engine>` that computes the sum: a name, or an object of
        :mod:`sklearn_dnfwinnow.samplers` with its own parameters, such as
        ``Frontier(max_states=500)``.

        - 'exact': the :term:`superset sum` over all 2^n terms for few features, or the
          :term:`state-merging dynamic program`, see
          :class:`~sklearn_dnfwinnow.samplers.Exact`. An error is raised if the dynamic
          program exceeds its `max_states`.
        - 'frontier': the state-merging dynamic program, exact up to its `max_states`.
          Beyond, its states are resampled without bias [2]_, and the sum is the mean of
          several runs.
        - 'auto': the superset sum as by 'exact', and otherwise 'frontier'. 'table' is
          the same here, because there are no samples to build a table for.
        - 'brute_force': enumeration of all terms, for at most 28 features.
        - 'metropolis', 'gibbs', 'metropolized_gibbs': estimates by ratios of sums along
          a :term:`temperature ladder` of Markov chains [1]_.

        Sums with a closed form are exact with any sampler. These are the sums in which
        at most one stored example has an effect, or no feature distinguishes between
        stored examples.

    max_term_size : int or None, default=None
        Maximum number of literals in a term. None means no limit. Markov chains accept
        only None.

    random_state : int, RandomState instance or None, default=None
        Seed of the random draws.

    Returns
    -------
    WeightedSum
        Its `log_value` is the natural logarithm of W. `std_error` is the standard error
        of `log_value` (0 if exact), and `exact` whether it is exact. `sampler` is the
        engine that ran, with the numbers of its states or chains. If the sum is exact
        and terms of any size are included, `density` is the density of states, which
        gives W for every alpha.

    Raises
    ------
    ValueError
        If the shapes are inconsistent. If one of `net_promotion_counts` is not an
        integer, or their sum exceeds 62 bits. If there are too many features for brute
        force. If `max_term_size` is a number for a Markov chain. If the dynamic program
        exceeds `max_states` with sampler='exact'. If a parameter of the sampler is not
        valid.

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
        agreements, net_promotion_counts, max_term_size
    )
    engine = sampler_of(sampler).engine(max_term_size).in_full()
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    return log_sum(
        engine, problem, log(alpha), log(literal_weight), stream(seed, row=row)
    )


def problem_of_agreements(agreements, net_promotion_counts, max_term_size=None):
    """Return the checked problem, the query, and `max_term_size`.

    `max_term_size` is None if no term can be larger.
    """
    agreements = np.asarray(agreements)
    counts = np.asarray(net_promotion_counts)
    if agreements.ndim != 2:
        raise ValueError(
            "agreements must be of shape (n_examples, n_features); got an array "
            f"with {agreements.ndim} dimension(s)."
        )
    if agreements.dtype != bool and not np.isin(agreements, (0, 1)).all():
        raise ValueError(
            "agreements must be boolean, or contain only 0 and 1; got dtype "
            f"{agreements.dtype} with other values."
        )
    if counts.shape != agreements.shape[:1]:
        raise ValueError(
            f"net_promotion_counts must be of shape ({agreements.shape[0]},), one for "
            f"each row of agreements; got {counts.shape}."
        )
    if counts.size and counts.dtype.kind not in "iu":
        raise ValueError(
            f"net_promotion_counts must be integers; got dtype {counts.dtype}."
        )
    if np.abs(counts.astype(float)).sum() >= 2.0**62:
        raise ValueError(
            "net_promotion_counts must sum to less than 2**62 in absolute value."
        )

    # One code suffices: a stored example agrees if its code is 1, too.
    examples = np.ascontiguousarray(agreements, dtype=np.int32)
    row = np.ones(agreements.shape[1], dtype=np.int32)
    if max_term_size is not None and max_term_size >= len(row):
        max_term_size = None
    problem = AgreementProblem.of_row(
        examples,
        counts.astype(np.int64),
        row,
        compress=max_term_size is None,
    )
    return problem, row, max_term_size

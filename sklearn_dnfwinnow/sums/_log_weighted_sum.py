"""Weighted sums over all terms that a query satisfies, exact or estimated.

This is the mathematics of the package on its own, for those who have agreements and
exponents of their own to sum. :class:`~sklearn_dnfwinnow.DNFWinnowClassifier` takes the
same path.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import fields
from functools import partial
from math import log
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._problems._agreement_problem import AgreementProblem
from sklearn_dnfwinnow._problems._weighted_sum import WeightedSum, closed_form
from sklearn_dnfwinnow._utils._compat import Interval, StrOptions, validate_params
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow.samplers._exact import MAX_STATES, BruteForce, Exact, Frontier
from sklearn_dnfwinnow.samplers._markov_chains import Chains

__all__ = ["CHAINS", "SAMPLERS", "WeightedSum", "log_weighted_sum"]


# How each sampler's engine is made of all options; each takes those that concern it.


def _auto(max_states, n_replicates, max_term_size, **options):
    return Frontier(
        *(_states(max_states, _KEPT_STATES), n_replicates),
        superset=True,
        max_term_size=max_term_size,
    )


def _exact(max_states, max_term_size, **options):
    return Exact(_states(max_states, _EXACT_STATES), max_term_size=max_term_size)


def _frontier(max_states, n_replicates, max_term_size, **options):
    return Frontier(
        *(_states(max_states, _KEPT_STATES), n_replicates), max_term_size=max_term_size
    )


def _brute_force(max_term_size, **options):
    return BruteForce(max_term_size=max_term_size)


def _chains(sampler, **options):
    return Chains(sampler, **{name: options[name] for name in CHAIN_OPTIONS})


def _states(max_states, default):
    return default if max_states == "auto" else max_states


#: The samplers that are Markov chains, and what they are told besides.
CHAINS = ("metropolis", "gibbs", "metropolized_gibbs")
CHAIN_OPTIONS = tuple(f.name for f in fields(Chains) if f.name != "sampler")

_ENGINES = {
    "auto": _auto,
    "exact": _exact,
    "frontier": _frontier,
    "brute_force": _brute_force,
    **{sampler: partial(_chains, sampler) for sampler in CHAINS},
}

#: What :func:`engine_of` needs to know, besides the sampler.
ENGINE_OPTIONS = ("max_states", "n_replicates", *CHAIN_OPTIONS)
#: The names of the samplers.
SAMPLERS = tuple(_ENGINES)

# max_states='auto': up to 5 million states, where the answer has to be exact (some 200
# megabytes, half a second), and a few thousand where it need not (milliseconds).
_EXACT_STATES, _KEPT_STATES = 5_000_000, 2_000
# Steps beyond this would take days, and products of them leave 64 bits.
MOST = 2**48
# What the classifier and `log_weighted_sum` both accept, said once.
SUM_CONSTRAINTS = {
    "sampler": [StrOptions(set(SAMPLERS))],
    "max_states": [
        StrOptions({"auto"}),
        Interval(Integral, 1, MAX_STATES, closed="both"),
    ],
    "n_replicates": [Interval(Integral, 1, 10**6, closed="both")],
    "tempering": ["boolean"],
    "swap_probability": [Interval(Real, 0, 1, closed="both")],
    "alpha": [Interval(Real, 1, None, closed="neither")],
    "term_prior": [Interval(Real, 0, None, closed="neither")],
    "n_steps": [StrOptions({"auto"}), Interval(Integral, 1, MOST, closed="both")],
    "burn_in": [StrOptions({"auto"}), Interval(Integral, 0, MOST, closed="both")],
    "ladder_step": [Interval(Real, 0, None, closed="neither")],
    "ladder_scale": [StrOptions({"sum", "max", "range"})],
    "early_stop": ["boolean"],
    "random_state": ["random_state"],
}


def engine_of(sampler, max_term_size=None, **options):
    """The engine of a sampler's name; chains know no limit to the size of terms."""
    return _ENGINES[sampler](max_term_size=max_term_size, **options)


def check_max_term_size(sampler, max_term_size):
    """Refuse a limit to the size of terms that a sampler does not have."""
    if isinstance(max_term_size, Integral) and sampler in CHAINS:
        raise ValueError(
            f"max_term_size={max_term_size} does not go with sampler={sampler!r}: "
            f"{', '.join(map(repr, CHAINS))} take no number. Set max_term_size=None, "
            "or another sampler."
        )


def log_sum(engine, problem, log_alpha, log_beta, stream):
    """The weighted sum of a problem, in closed form if there is one."""
    known = closed_form(problem, log_alpha, log_beta, engine.max_term_size)
    return known or engine.log_sum(problem, log_alpha, log_beta, stream)


def exceeds(engine, problem, log_alpha, log_beta, stream, log_threshold, guess):
    """Whether the weighted sum reaches a threshold, and the sum as far as it went."""
    known = closed_form(problem, log_alpha, log_beta, engine.max_term_size)
    if known is not None:
        return known.log_value >= log_threshold, known
    return engine.exceeds(problem, log_alpha, log_beta, stream, log_threshold, guess)


@validate_params(
    {
        "agreements": ["array-like"],
        "exponents": ["array-like"],
        "max_term_size": [Interval(Integral, 1, None, closed="left"), None],
        **{k: v for k, v in SUM_CONSTRAINTS.items() if k != "early_stop"},
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
    max_states="auto",
    n_replicates=8,
    tempering=False,
    swap_probability=0.9,
    n_steps="auto",
    burn_in="auto",
    ladder_step=1.0,
    ladder_scale="range",
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

    sampler : {'auto', 'exact', 'frontier', 'brute_force', 'metropolis', 'gibbs', \
            'metropolized_gibbs'}, default='auto'
        How to sum.

        - 'exact': by the superset sum over all 2^n terms or by the frontier, which
          counts terms with the same updates alive together, whichever is predicted to
          be cheaper; an error where the frontier exceeds `max_states`.
        - 'frontier': by the frontier, exact up to `max_states`; beyond, its states are
          thinned without bias [2]_, and the sum is the mean of `n_replicates` runs.
        - 'auto': by the superset sum where that is cheaper, else as 'frontier'.
        - 'brute_force': term by term, over at most 28 attributes.
        - 'metropolis', 'gibbs', 'metropolized_gibbs': ratios of sums along a ladder of
          Markov chains, estimated [1]_.

        Sums with a closed form (no update acts, or only one does, or no attribute tells
        updates apart) are exact under any sampler.

    max_term_size : int or None, default=None
        Most literals of a term, None for any number; Markov chains take None alone.

    max_states : int or 'auto', default='auto'
        Budget of the frontier: the states it may have in 'exact', keeps in 'frontier'
        and 'auto'. With m distinct agreement sets a state takes up to 2 (8 ceil(m / 64)
        + 24) bytes, and 16 (max_term_size + 1) more where that is a number. 'auto' is
        5,000,000 in 'exact', 2,000 otherwise.

    n_replicates : int, default=8
        Independent runs of a frontier that had to be thinned; their spread gives the
        standard error, which is at least what one more random draw may change.

    tempering : bool, default=False
        Whether neighbouring chains swap states (parallel tempering).

    swap_probability : float, default=0.9
        Probability of attempting a swap before each step, if `tempering`.

    n_steps : int or 'auto', default='auto'
        Updates of a single attribute in each chain after burn-in; 'auto' is 10 n^2.

    burn_in : int or 'auto', default='auto'
        Updates of a single attribute before that; 'auto' is n^2.

    ladder_step : float, default=1.0
        kappa: neighbouring rungs differ by at most a factor 1 + kappa / m in alpha.

    ladder_scale : {'sum', 'max', 'range'}, default='range'
        m: with u promotions and v demotions, u + v ([1]_, section 3.1), max(u, v)
        (Theorem 4), or the largest that abs(phi) can be by the sums of the positive and
        of the negative exponents after equal agreements are added up, which has the
        same guarantee (Lemma 3) with the fewest chains.

    random_state : int, RandomState instance or None, default=None
        Seeds the chains.

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
        number for a Markov chain, or the frontier exceeds `max_states` in
        sampler='exact'.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] P. Fearnhead and P. Clifford, "On-line inference for hidden Markov models via
       particle filters", Journal of the Royal Statistical Society B 65(4), 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow.sums import log_weighted_sum
    >>> agreements = [[True, True, False], [True, False, True]]
    >>> exact = log_weighted_sum(agreements, [2, -1])
    >>> round(exact.log_value, 5), exact.exact, exact.sampler
    (2.38263, True, 'superset')
    >>> {phi: float(np.exp(v).round()) for phi, v in exact.density.items()}
    {-1: 2.0, 0: 2.0, 1: 2.0, 2: 2.0}
    >>> estimate = log_weighted_sum(
    ...     agreements, [2, -1], sampler="gibbs", random_state=0
    ... )
    >>> abs(estimate.log_value - exact.log_value) < 6 * estimate.std_error
    True
    """
    check_max_term_size(sampler, max_term_size)
    problem, row, max_term_size = problem_of_agreements(
        agreements, exponents, max_term_size
    )
    engine = engine_of(
        sampler,
        max_term_size=max_term_size,
        max_states=max_states,
        n_replicates=n_replicates,
        tempering=tempering,
        swap_probability=swap_probability,
        n_steps=n_steps,
        burn_in=burn_in,
        ladder_step=ladder_step,
        ladder_scale=ladder_scale,
        early_stop=False,
    )
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    return log_sum(engine, problem, log(alpha), log(term_prior), stream(seed, row=row))


def problem_of_agreements(agreements, exponents, max_term_size=None):
    """Agreements and exponents as given, checked: their problem, and the query.

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
        *(updates, exponents.astype(np.int64), row), compress=max_term_size is None
    )
    return problem, row, max_term_size

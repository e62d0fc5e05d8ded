"""Metropolis, Gibbs and MetropolizedGibbs: the Markov chain samplers of the paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

from sklearn_dnfwinnow._kernels import chains
from sklearn_dnfwinnow._utils._compat import Interval, StrOptions
from sklearn_dnfwinnow.samplers._markov_chains import MarkovChainEngine
from sklearn_dnfwinnow.samplers._sampler import Sampler

# More steps would take days, and their products would overflow 64 bits.
_MOST_STEPS = 2**48


class MarkovChain(Sampler):
    """Estimate weighted sums with Markov chains along a temperature ladder.

    Base class. A subclass defines `name` and `transition`, and a method `climb` if the
    kernel does not implement its transition.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    Attributes
    ----------
    transition : dict of str to bool
        Properties of a step. 'random_site': whether it examples one random feature, or
        all features in turn. 'heat_bath': whether a feature is drawn from its
        conditional distribution, or its flip is proposed (Metropolis).
    """

    transition: dict

    takes_max_term_size = False
    runs_chains = True

    _parameter_constraints = {
        "n_steps": [
            StrOptions({"auto"}),
            Interval(Integral, 1, _MOST_STEPS, closed="both"),
        ],
        "burn_in": [
            StrOptions({"auto"}),
            Interval(Integral, 0, _MOST_STEPS, closed="both"),
        ],
        "tempering": ["boolean"],
        "swap_probability": [Interval(Real, 0, 1, closed="both")],
        "ladder_step": [Interval(Real, 0, None, closed="neither")],
        "ladder_scale": [StrOptions({"sum", "max", "range"})],
        "early_stop": ["boolean"],
    }

    def __init__(
        self,
        *,
        n_steps="auto",
        burn_in="auto",
        tempering=False,
        swap_probability=0.9,
        ladder_step=1.0,
        ladder_scale="range",
        early_stop=True,
    ):
        self.n_steps = n_steps
        self.burn_in = burn_in
        self.tempering = tempering
        self.swap_probability = swap_probability
        self.ladder_step = ladder_step
        self.ladder_scale = ladder_scale
        self.early_stop = early_stop

    def engine(self, max_term_size=None):
        """Return the engine of the chains, which sample terms of any size."""
        return MarkovChainEngine(self, self.early_stop)

    def climb(self, **ladder):
        """Simulate the chains; see the kernel for arguments and results."""
        return chains.climb(transition=self.transition, **ladder)

    @classmethod
    def paper(cls):
        """Return the sampler with the temperature ladder of section 3.1."""
        return cls(ladder_scale="sum")


class Metropolis(MarkovChain):
    """Metropolis sampler: each step proposes the flip of one random feature.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    See Also
    --------
    Gibbs : Draw each feature in turn.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import Metropolis
    >>> Metropolis(n_steps=5000)
    Metropolis(n_steps=5000)
    """

    name = "metropolis"
    transition = chains.SAMPLERS["metropolis"]


class Gibbs(MarkovChain):
    """Gibbs sampler: each feature in turn is drawn given all others.

    W is estimated as the product of W(1) and of ratios of sums along a
    :term:`temperature ladder`. Each chain samples terms at its own value
    of alpha [1]_.

    Parameters
    ----------
    n_steps : int or 'auto', default='auto'
        Length of each chain after burn-in: the number of examples of a single feature.
        'auto' is 10 n^2 for a sample with n specified features.

    burn_in : int or 'auto', default='auto'
        Length of the burn-in: the number of examples of a single feature before the
        first sample of a chain. 'auto' is n^2.

    tempering : bool, default=False
        Whether neighbouring chains swap states (parallel tempering). If `early_stop` is
        True, chains swap within groups; otherwise they swap along all temperatures.

    swap_probability : float, default=0.9
        Probability that a swap is attempted before each step. It has no effect unless
        `tempering` is True.

    ladder_step : float, default=1.0
        Step of the temperature ladder, kappa: the values of alpha of neighbouring
        chains differ by a factor of at most 1 + kappa / m.

    ladder_scale : {'sum', 'max', 'range'}, default='range'
        Definition of m, for u promotions and v demotions.

        - 'sum': u + v (section 3.1 of the paper).
        - 'max': max(u, v) (Theorem 4).
        - 'range': the largest possible absolute net promotion count of a term, by the
          sums of the positive and of the negative counts. Counts of equal agreements
          are added first.

        The guarantee of Theorem 4 holds for all of them. 'range' requires the fewest
        chains.

    early_stop : bool, default=True
        Whether training stops the computation of a sum when its side of the threshold
        is determined (Table I of the paper). It has no effect on predictions, which
        compare the sums of the classes and compute all estimates in full. It also has
        no effect on :func:`~sklearn_dnfwinnow.sums.log_weighted_sum`, which has no
        threshold.

    See Also
    --------
    sklearn_dnfwinnow.diagnostics.diagnose_chains : Check the length of the chains.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> clf = DNFWinnowClassifier(sampler=Gibbs(n_steps=5000))
    >>> clf.set_params(sampler__tempering=True).sampler
    Gibbs(n_steps=5000, tempering=True)
    """

    name = "gibbs"
    transition = chains.SAMPLERS["gibbs"]


class MetropolizedGibbs(MarkovChain):
    """Metropolized Gibbs sampler: the flip of each feature in turn is proposed.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    See Also
    --------
    Gibbs : Draw each feature independently of its current value.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import MetropolizedGibbs
    >>> MetropolizedGibbs(burn_in=100)
    MetropolizedGibbs(burn_in=100)
    """

    name = "metropolized_gibbs"
    transition = chains.SAMPLERS["metropolized_gibbs"]

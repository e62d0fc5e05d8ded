"""Metropolis, Gibbs and MetropolizedGibbs: the samplers of the paper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Integral, Real

from sklearn_dnfwinnow._kernels import chains
from sklearn_dnfwinnow._utils._compat import Interval, StrOptions
from sklearn_dnfwinnow.samplers._markov_chains import MarkovChainEngine
from sklearn_dnfwinnow.samplers._sampler import Sampler

# Steps beyond this would take days, and products of them leave 64 bits.
_MOST_STEPS = 2**48


class MarkovChain(Sampler):
    """Estimate sums by ratios along a ladder of Markov chains.

    A subclass has a `name` and a `transition`; and a `climb` of its own if the kernel
    does not have the transition.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    Attributes
    ----------
    transition : dict of str to bool
        Of a step: 'random_site', whether it updates one attribute at random, or all of
        them in turn; 'heat_bath', whether an attribute is drawn from its conditional
        law, or its flip is proposed (Metropolis).
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
        """Return the engine of the chains, which walk over terms of any size."""
        return MarkovChainEngine(self, self.early_stop)

    def climb(self, **ladder):
        """Simulate the chains of a ladder, see the kernel for arguments and results."""
        return chains.climb(transition=self.transition, **ladder)

    @classmethod
    def paper(cls):
        """Return the sampler with the ladder of the paper's section 3.1."""
        return cls(ladder_scale="sum")


class Metropolis(MarkovChain):
    """Sample terms by Metropolis chains: a random attribute a step, its flip proposed.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    See Also
    --------
    Gibbs : All attributes one after another.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import Metropolis
    >>> Metropolis(n_steps=5000)
    Metropolis(n_steps=5000)
    """

    name = "metropolis"
    transition = chains.SAMPLERS["metropolis"]


class Gibbs(MarkovChain):
    """Sample terms by Gibbs chains: each attribute in turn, drawn given the others.

    W is the product of W(1) and of ratios of sums along a ladder of chains, each of
    which samples terms at an alpha of its own [1]_.

    Parameters
    ----------
    n_steps : int or 'auto', default='auto'
        Updates of a single attribute in each chain after burn-in; 'auto' is 10 n^2, for
        a row with n specified attributes.

    burn_in : int or 'auto', default='auto'
        Updates of a single attribute before that; 'auto' is n^2.

    tempering : bool, default=False
        Whether neighbouring chains swap states (parallel tempering): in groups of
        chains if `early_stop`, else all along the ladder.

    swap_probability : float, default=0.9
        Probability of attempting a swap before each step, if `tempering`.

    ladder_step : float, default=1.0
        kappa: neighbouring rungs differ by at most a factor 1 + kappa / m in alpha.

    ladder_scale : {'sum', 'max', 'range'}, default='range'
        m: with u promotions and v demotions, u + v (the paper's section 3.1), max(u, v)
        (Theorem 4), or the largest that a term's net promotions can be in absolute
        value by the sums of the positive and of the negative exponents, equal
        agreements added up. All have the guarantee of Theorem 4; 'range' needs the
        fewest chains.

    early_stop : bool, default=True
        In training, whether to stop climbing the ladder once the side of the threshold
        is settled (the paper's Table I). Prediction compares the sums of classes, and
        estimates are always computed in full there. There is no threshold, and no stop,
        in :func:`~sklearn_dnfwinnow.sums.log_weighted_sum`.

    See Also
    --------
    sklearn_dnfwinnow.diagnostics.diagnose_chains : Whether chains are long enough.

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
    """Sample terms by Metropolized Gibbs chains: each attribute's flip is proposed.

    Parameters
    ----------
    n_steps, burn_in, tempering, swap_probability, ladder_step, ladder_scale, early_stop
        See :class:`Gibbs`.

    See Also
    --------
    Gibbs : Attributes are drawn, whatever they are.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import MetropolizedGibbs
    >>> MetropolizedGibbs(burn_in=100)
    MetropolizedGibbs(burn_in=100)
    """

    name = "metropolized_gibbs"
    transition = chains.SAMPLERS["metropolized_gibbs"]

"""Registry: all samplers by name."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy
from numbers import Integral

from sklearn_dnfwinnow._utils._estimators import (
    StrOptions,
    validate_parameter_constraints,
)
from sklearn_dnfwinnow.samplers._brute_force import BruteForce
from sklearn_dnfwinnow.samplers._engine import Sampler
from sklearn_dnfwinnow.samplers._frontier import Auto, Exact, Frontier, Table
from sklearn_dnfwinnow.samplers._markov_chains import (
    Gibbs,
    Metropolis,
    MetropolizedGibbs,
)

# A class that is added here is available everywhere.
_KINDS = Auto, Table, Exact, Frontier, BruteForce, Metropolis, Gibbs, MetropolizedGibbs
#: Classes of samplers by name.
SAMPLERS = {cls.name: cls for cls in _KINDS}


#: Constraint of a parameter `sampler`; it follows changes of `SAMPLERS`.
SAMPLER_CONSTRAINT = [StrOptions(SAMPLERS.keys()), Sampler]


def names_of_chains():
    """Return the names of all samplers that run Markov chains, as a text."""
    return ", ".join(repr(name) for name, cls in SAMPLERS.items() if cls.runs_chains)


def sampler_of(sampler):
    """Return the sampler of a parameter `sampler`, with validated parameters.

    Parameters
    ----------
    sampler : str or Sampler
        A name stands for an object with default parameters.

    Raises
    ------
    ValueError
        If a parameter is not valid.
    """
    if isinstance(sampler, str) and sampler in SAMPLERS:
        return SAMPLERS[sampler]()
    validate_parameter_constraints(
        {"sampler": SAMPLER_CONSTRAINT},
        {"sampler": sampler},
        caller_name="weighted sums",
    )
    validate_parameter_constraints(
        sampler._parameter_constraints,
        sampler.get_params(deep=False),
        caller_name=f"sampler {type(sampler).__name__}",
    )
    return sampler


def as_auto(sampler):
    """Return the sampler 'auto' with the parameters shared with another sampler."""
    params = sampler.get_params(deep=False)
    shared = Auto().get_params(deep=False).keys() & params.keys()
    return Auto(**{name: params[name] for name in shared})


def by_tables(sampler):
    """Return an exact sampler that stores the weights of terms in tables that fit.

    Where they do not fit, it sums as the given one. Markov chains stay as they are.
    """
    if sampler.term_by_term or sampler.runs_chains:
        return sampler
    tabled = copy(sampler)
    tabled.term_by_term = tabled.prefers_exact = True
    return tabled


def check_max_term_size(sampler, max_term_size):
    """Raise an error if `max_term_size` is a number and the sampler accepts none."""
    runs_chains = sampler_of(sampler).runs_chains
    if runs_chains and isinstance(max_term_size, Integral):
        raise ValueError(
            "max_term_size must be None or 'auto' for the samplers "
            f"{names_of_chains()}; got max_term_size={max_term_size} with "
            f"sampler={sampler!r}. Set max_term_size=None, or use another sampler."
        )

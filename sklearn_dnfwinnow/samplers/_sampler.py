"""Sampler: how weighted sums are computed, as an object with parameters of its own."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import BaseEstimator


class Sampler(BaseEstimator):
    """Base class of samplers: a choice of an engine and of its parameters.

    Parameters are scikit-learn's: those of the constructor, with `get_params`,
    `set_params`, and constraints in `_parameter_constraints`. The attributes of a class
    say what else the classifier does under it.

    Attributes
    ----------
    name : str
        What the `sampler` parameter calls it.
    term_by_term : bool
        Whether weights of terms may be kept in a table, where that fits, and rows be
        summed term by term, where that is quick.
    table_required : bool
        Whether terms that do not fit a table are an error.
    prefers_exact : bool
        Whether sums are exact wherever they can be, so that training may compute them
        by a kernel of its own.
    takes_max_term_size : bool
        Whether terms may have a largest size.
    runs_chains : bool
        Whether its engine is a :class:`MarkovChainEngine`, for diagnostics.
    """

    name: str
    term_by_term = False
    table_required = False
    prefers_exact = False
    takes_max_term_size = True
    runs_chains = False

    _parameter_constraints: dict = {}

    def engine(self, max_term_size=None):
        """Return the engine that sums over terms of up to so many literals."""
        raise NotImplementedError

    @classmethod
    def paper(cls):
        """Return the sampler with the parameters of the paper."""
        return cls()

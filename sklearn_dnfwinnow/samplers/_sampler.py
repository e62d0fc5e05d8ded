"""Sampler: an engine that computes weighted sums, as an object with parameters."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import BaseEstimator


class Sampler(BaseEstimator):
    """Base class of samplers: the choice of an engine and of its parameters.

    A sampler is a scikit-learn estimator without `fit`. Its parameters are the
    arguments of its constructor, with `get_params`, `set_params`, and constraints in
    `_parameter_constraints`. Class variables describe how the classifier uses it.

    Attributes
    ----------
    name : str
        Name of the sampler in the parameter `sampler`.
    term_by_term : bool
        Whether the weights of terms may be stored in an explicit weight table if it
        fits into memory, and samples may be summed term by term if this is fast.
    table_required : bool
        Whether an error is raised if the terms do not fit into a table.
    prefers_exact : bool
        Whether sums are exact whenever this is feasible, so that training may compute
        them with its own kernel.
    takes_max_term_size : bool
        Whether `max_term_size` may be a number.
    runs_chains : bool
        Whether the engine is a :class:`MarkovChainEngine`, for diagnostics.
    """

    name: str
    term_by_term = False
    table_required = False
    prefers_exact = False
    takes_max_term_size = True
    runs_chains = False

    _parameter_constraints: dict = {}

    def engine(self, max_term_size=None):
        """Return the engine for terms of at most `max_term_size` literals."""
        raise NotImplementedError

    @classmethod
    def paper(cls):
        """Return the sampler with the parameters of the paper."""
        return cls()

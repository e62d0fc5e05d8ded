"""Engine: the interface of all computations of a weighted sum, and their samplers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, field

from sklearn.base import BaseEstimator


@dataclass(frozen=True)
class Engine:
    """Base class of engines, which have parameters but no state.

    A subclass defines `log_sum`. The other methods have defaults that are valid for any
    engine; a subclass overrides them with better answers.

    Parameters
    ----------
    max_term_size : int or None
        Maximum number of literals in a term. None means no limit. A number requires
        problems that are not compressed.
    """

    max_term_size: int | None = field(default=None, kw_only=True)

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return the weighted sum W of a problem without a closed form.

        Parameters
        ----------
        problem : AgreementProblem
        log_alpha, log_beta : float
        stream : int
            Number of a random stream. Equal streams give equal sums.

        Returns
        -------
        weighted_sum : WeightedSum
        """
        raise NotImplementedError

    def exceeds(self, problem, log_alpha, log_beta, stream, log_threshold, guess):
        """Return whether W reaches a threshold, and the sum that decided it.

        Parameters
        ----------
        problem, log_alpha, log_beta, stream
            See `log_sum`.
        log_threshold : float
        guess : bool
            Likely answer. It can save time, and does not change an exact answer.
        """
        weighted_sum = self.log_sum(problem, log_alpha, log_beta, stream)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def in_full(self):
        """Return the engine for sums that are not compared with a threshold."""
        return self

    def check_rows(self, rows, examples, net_counts):
        """Raise an error for rows of codes that cannot be summed over, before any sum.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_attributes), int32
        examples : ndarray of shape (m, n_attributes), int32
        net_counts : ndarray of shape (n_classes, m), int64

        Raises
        ------
        ValueError
            If a row cannot be summed over.
        """

    def check_training(self, rows, examples):
        """Raise an error for rows of codes that training cannot sum over.

        Parameters
        ----------
        rows, examples
            See `check_rows`. Each row may also become a stored example.
        """


def longest_term(problem, max_term_size):
    """Return the maximum number of literals in a term, at most one per feature."""
    return problem.n if max_term_size is None else min(max_term_size, problem.n)


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
        fits into memory, and samples may be summed term by term if this is fast. Unless
        `cv` is None, `fit` stores them so with any sampler that runs no chains.
    prefers_exact : bool
        Whether sums are exact whenever this is feasible, so that training may compute
        them with its own kernel. If not, an error is raised if the weights of terms are
        to be stored, and do not fit into a table.
    runs_chains : bool
        Whether the engine is a :class:`MarkovChainEngine`, for diagnostics. Then
        `max_term_size` must not be a number.
    """

    name: str
    term_by_term = False
    prefers_exact = False
    runs_chains = False

    _parameter_constraints: dict = {}

    def engine(self, max_term_size=None):
        """Return the engine for terms of at most `max_term_size` literals."""
        raise NotImplementedError

    @classmethod
    def paper(cls):
        """Return the sampler with the parameters of the paper."""
        return cls()

"""BruteForce: sums term by term, the reference for all other engines."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

from sklearn_dnfwinnow._kernels import brute_force
from sklearn_dnfwinnow._terms._term_index import n_subsets
from sklearn_dnfwinnow.samplers._engine import Engine, Sampler, longest_term
from sklearn_dnfwinnow.samplers._frontier import exact_sum

# The largest n of which all terms are enumerated, which takes some seconds, and their
# number.
MAX_BRUTE_FORCE = 28
_MOST_TERMS = 1 << MAX_BRUTE_FORCE


class BruteForce(Sampler):
    """Enumeration of all terms that a row satisfies.

    Without a maximum term size, a row may have at most 28 specified features.
    Features that agree with the same stored examples count once. With a maximum term
    size, a row may have at most as many terms, 2^28.

    Examples
    --------
    >>> from sklearn_dnfwinnow.samplers import BruteForce
    >>> from sklearn_dnfwinnow.sums import log_weighted_sum
    >>> agreements = [[True, True, False], [True, False, True]]
    >>> round(log_weighted_sum(agreements, [2, -1], sampler=BruteForce()).log_value, 5)
    2.38263
    """

    name = "brute_force"

    def engine(self, max_term_size=None):
        """Return the engine for terms of at most `max_term_size` literals."""
        return BruteForceEngine(max_term_size=max_term_size)


@dataclass(frozen=True)
class BruteForceEngine(Engine):
    """Enumerate all terms in the order of a Gray code."""

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return W; `stream` has no effect."""
        longest = longest_term(problem, self.max_term_size)
        n_terms = n_subsets(problem.n, longest)
        if n_terms > _MOST_TERMS:
            self._refuse(problem)
        log_value = brute_force.log_sum(
            problem=problem,
            log_alpha=log_alpha,
            log_odds=problem.log_odds(log_beta),
            max_term_size=longest,
        )
        return exact_sum(
            problem=problem,
            log_beta=log_beta,
            log_value=log_value,
            sampler="brute_force",
            n_states=n_terms,
            max_term_size=self.max_term_size,
        )

    def _refuse(self, problem):
        n, n_specified = problem.n, problem.n_free + int(problem.multiplicities.sum())
        merged = ""
        if n < n_specified:
            merged = f", and n={n} after equivalent features are merged"
        raise ValueError(
            "sampler='brute_force' enumerates the 2**n terms over n features of a "
            f"row, or those up to a maximum size, for n up to {MAX_BRUTE_FORCE}. A "
            f"row has {n_specified} specified features{merged}. Use "
            "sampler='auto', or sampler='exact' to exclude estimates."
        )

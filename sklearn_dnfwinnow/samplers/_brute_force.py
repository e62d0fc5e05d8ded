"""BruteForce: sums term by term, the reference for all other engines."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._kernels import brute_force
from sklearn_dnfwinnow._terms._term_index import n_subsets
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
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
        self._check(problem)
        log_value = brute_force.log_sum(
            problem=problem,
            log_alpha=log_alpha,
            log_odds=problem.log_odds(log_beta),
            max_term_size=longest_term(problem, self.max_term_size),
        )
        return exact_sum(
            problem=problem,
            log_beta=log_beta,
            log_value=log_value,
            sampler="brute_force",
            n_states=n_subsets(problem.n, longest_term(problem, self.max_term_size)),
            max_term_size=self.max_term_size,
        )

    def check_rows(self, rows, examples, net_counts):
        """Raise an error if a row has too many features to enumerate."""
        for row in rows[np.count_nonzero(rows, axis=1) > MAX_BRUTE_FORCE]:
            for of_class in net_counts:
                problem = AgreementProblem.of_row(
                    examples, of_class, row, compress=self.max_term_size is None
                )
                # If no stored example has an effect, the sum has a closed form.
                if len(problem.net_counts):
                    self._check(problem)

    def _check(self, problem):
        n, n_specified = problem.n, problem.n_free + int(problem.multiplicities.sum())
        if n_subsets(n, longest_term(problem, self.max_term_size)) > _MOST_TERMS:
            merged = ""
            if n < n_specified:
                merged = f", and n={n} after equivalent features are merged"
            raise ValueError(
                "sampler='brute_force' enumerates the 2**n terms over n features of a "
                f"row, or those up to a maximum size, for n up to {MAX_BRUTE_FORCE}. A "
                f"row has {n_specified} specified features{merged}. Use "
                "sampler='auto', or sampler='exact' to exclude estimates."
            )

    def check_training(self, rows, examples):
        """Raise an error if stored examples can give a row too many features."""
        distinct = distinct_rows(rows)[0]
        examples = np.concatenate([examples, distinct])
        # If all net counts are positive, no subset of the stored examples
        # distinguishes more features.
        ones = np.ones((1, len(examples)), dtype=np.int64)
        self.check_rows(distinct, examples, ones)

"""BruteForce: sums term by term, the reference for every other engine."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._kernels import brute_force
from sklearn_dnfwinnow._problems._agreement_problem import AgreementProblem
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows
from sklearn_dnfwinnow.samplers._density import exact_sum
from sklearn_dnfwinnow.samplers._engine import Engine, longest_term
from sklearn_dnfwinnow.samplers._sampler import Sampler

# The largest n that is enumerated: 2^28 terms, some seconds.
MAX_BRUTE_FORCE = 28


class BruteForce(Sampler):
    """Sum over all 2^n terms of a row, one by one.

    It takes at most 28 specified attributes, those that agree with the same updates
    counting once.

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
        """Return the engine that sums over terms of up to so many literals."""
        return BruteForceEngine(max_term_size=max_term_size)


@dataclass(frozen=True)
class BruteForceEngine(Engine):
    """Enumerate all terms in the order of a Gray code."""

    def log_sum(self, problem, log_alpha, log_beta, stream):
        """Return W; `stream` is not used."""
        if problem.n > MAX_BRUTE_FORCE:
            raise ValueError(
                f"sampler='brute_force' visits 2**n terms and takes at most "
                f"{MAX_BRUTE_FORCE} specified attributes; n={problem.n} are left after "
                "attributes with equal agreements are merged. Use another sampler, "
                "such as 'auto'."
            )
        log_value = brute_force.log_sum(
            columns=problem.columns,
            planes=problem.planes,
            log_alpha=log_alpha,
            log_odds=problem.log_odds(log_beta),
            max_term_size=longest_term(problem, self.max_term_size),
        )
        return exact_sum(
            problem=problem,
            log_beta=log_beta,
            log_value=log_value,
            sampler="brute_force",
            n_states=1 << problem.n,
            max_term_size=self.max_term_size,
        )

    def surely_exact(self, n_specified, n_sets, totals, log_beta):
        """Return True for all sums."""
        return np.ones(n_sets.shape, dtype=bool)

    def cost_bounds(self, n, m, total, log_alpha):
        """Return bounds of the memory and the time of a sum."""
        return 0.0, 2.0 ** min(n, MAX_BRUTE_FORCE)

    def check_rows(self, rows, updates, exponents):
        """Refuse rows with more attributes than are enumerated."""
        n_specified = np.count_nonzero(rows, axis=1)
        for i in np.flatnonzero(n_specified > MAX_BRUTE_FORCE):
            for of_class in exponents:
                problem = AgreementProblem.of_row(
                    updates, of_class, rows[i], compress=self.max_term_size is None
                )
                # Without an update that acts, the sum has a closed form.
                if problem.n > MAX_BRUTE_FORCE and len(problem.exponents):
                    raise ValueError(_message(n_specified[i], problem.n))

    def check_training(self, rows, updates):
        """Refuse rows that some choice of updates makes too wide."""
        distinct = distinct_rows(rows)[0]
        updates = np.concatenate([updates, distinct])
        # If all are positive, no choice of them tells more attributes apart.
        ones = np.ones((1, len(updates)), dtype=np.int64)
        self.check_rows(distinct, updates, ones)


def _message(n_specified, n):
    merged = ""
    if n < n_specified:
        merged = f", n={n} after those that agree with the same rows are merged"
    return (
        "sampler='brute_force' visits the 2**n terms over n attributes, and takes at "
        f"most {MAX_BRUTE_FORCE}. A row has {n_specified} specified attributes"
        f"{merged}. Use sampler='auto', or sampler='exact' to exclude estimates."
    )

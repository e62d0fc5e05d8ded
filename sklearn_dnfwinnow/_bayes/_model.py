"""Model: the draws of a fitted classifier, and their training."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._bayes._chains import Convergence, run_until_converged
from sklearn_dnfwinnow._bayes._prediction import Prediction
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._bayes._problem import Problem, group_interactions, n_sets_of
from sklearn_dnfwinnow._encoding._column_warnings import encode_rows
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._utils._computing import distinct_rows
from sklearn_dnfwinnow._utils._estimators import warn


@dataclass(frozen=True, eq=False)
class BayesianModel(Prediction):
    """Codes, groups of interactions, a prior, and draws from the posterior.

    Attributes
    ----------
    groups, prior, draws, seed
        See `Prediction`.
    encoding : Encoding
        All literals are equalities.
    class_weights : ndarray of shape (n_rows, n_classes), float64
        Weights of each class in the distinct training rows.
    convergence : Convergence
    """

    encoding: Encoding
    class_weights: np.ndarray
    convergence: Convergence

    @property
    def n_classes(self):
        """Return the number of classes."""
        return self.class_weights.shape[1]

    @property
    def n_draws(self):
        """Return the total number of draws of all chains."""
        return self.draws.log_likelihood.size

    # -- groups ------------------------------------------------------------------------

    @cached_property
    def group_sizes(self):
        """Return the total training weight of each group."""
        return (self.groups.memberships() @ self.class_weights).sum(axis=1)

    @cached_property
    def group_orders(self):
        """Return the lowest order of the terms of each group."""
        return (self.groups.counts > 0).argmax(axis=1)

    def effects(self, groups):
        """Return draws of the effects of some groups: (n_draws, n, n_classes)."""
        return self._centred(self.sums[:, groups].astype(np.float64))

    def _centred(self, of_sets):
        """Return effects on classes from effects of sets of parameters."""
        if of_sets.shape[-1] == 1:
            return np.concatenate([-of_sets, of_sets], axis=-1)
        return of_sets - of_sets.mean(axis=-1, keepdims=True)

    # -- predictions -------------------------------------------------------------------

    @property
    def scale(self):
        """Return the factor of scores in the softmax of probabilities."""
        return 0.5 if self.n_classes == 2 else 1.0

    def sample_scores(self, rows):
        """Return draws of the scores of some rows: (n_draws, n, n_classes).

        They are centred like effects. The effects of terms that no training row
        satisfies are drawn from their prior.
        """
        return self._centred(self.predictors(rows))

    def joint_scores(self, rows):
        """Yield draws of the scores of distinct rows, for means over rows.

        In one draw, a term has the same effect in all rows that satisfy it. Each row
        has the same distribution as in `sample_scores`. Some of the draws come after
        the other.
        """
        return map(self._centred, self.joint_predictors(rows))

    def shares(self, groups, counts):
        """Return the contributions of some terms of groups to scores.

        Parameters
        ----------
        groups : ndarray of shape (n,), int
        counts : ndarray of shape (n, max_order + 1), float64
            Number of terms of each order. A term may count in part.

        Returns
        -------
        effects : ndarray of shape (n_draws, n, n_classes), float64
            For each draw, the mean of the effect of these terms, given the effect of
            the whole group. For all terms of a row, means over draws are exact
            contributions to the mean score.
        """
        part = self.prior.widths(self.log_sigma, counts)
        whole = self.prior.widths(self.log_sigma, self.groups.counts[groups])
        ratio = (part / whole) ** self.prior.power
        return self.effects(groups) * ratio[..., None]

    # -- chains ------------------------------------------------------------------------

    @property
    def r_hat(self):
        """Return R-hat of the recorded quantities, by name."""
        return self.convergence.by_name(self.convergence.r_hat)

    @property
    def ess(self):
        """Return effective sample sizes of the recorded quantities, by name."""
        return self.convergence.by_name(self.convergence.ess)


def train(estimator, table, seed):
    """Return the trained model of an estimator.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier
        With validated parameters.
    table : LabelledTable
    seed : int
    """
    encoding, codes = encode_rows(table, estimator.missing, estimator.discretizer)
    rows, _, inverse = distinct_rows(codes)
    class_weights = np.zeros((len(rows), len(estimator.classes_)))
    # Sorted first, so that the rounding of sums does not depend on the order of rows.
    order = np.lexsort((table.weights, table.labels, inverse))
    np.add.at(
        class_weights,
        (inverse[order], table.labels[order]),
        table.weights[order],
    )
    groups = group_interactions(estimator, rows, n_sets_of(class_weights.shape[1]))
    prior = Prior.of(estimator, rows.shape[1], groups.max_order)
    problem = Problem(groups, class_weights, prior)
    draws, convergence = run_until_converged(estimator, problem, seed)
    model = BayesianModel(
        encoding=encoding,
        groups=groups,
        prior=prior,
        draws=draws,
        class_weights=class_weights,
        seed=seed,
        convergence=convergence,
    )
    if not convergence.reached(estimator):
        _warn_of_short_chains(estimator, convergence)
    return model


def _warn_of_short_chains(estimator, convergence):
    """Warn that chains ended before they agreed, and what would help."""
    n_sweeps, missed = convergence.n_sweeps, []
    if not convergence.worst <= estimator.max_rhat:
        missed.append(
            f"R-hat is {convergence.worst:.3f} (at most {estimator.max_rhat} required)"
        )
    if not convergence.fewest >= estimator.min_ess:
        missed.append(
            f"the smallest effective sample size is {convergence.fewest:.0f} (at least "
            f"{estimator.min_ess} required)"
        )
    n_made = n_sweeps - estimator.burn_in
    limit = "max_sweeps" if n_made >= estimator.max_sweeps else "max_time"
    quicker = "" if estimator.prior == "normal" else ", or use prior='normal'"
    warn(
        f"The Markov chains have not converged after {n_sweeps} sweeps of each chain: "
        f"{' and '.join(missed)}; see r_hat_ and ess_. Increase {limit}{quicker}.",
        ConvergenceWarning,
    )

"""Model: the result of the training of a BayesianInteractionClassifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._bayes._prediction import Prediction
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._utils._caller import stacklevel_of_caller
from sklearn_dnfwinnow._utils._convergence import effective_sample_size, r_hat

# Limits of R-hat, and of the effective sample size per chain, without a warning. Widths
# of orders mix slowly if orders can substitute for each other, which hardly affects
# predictions: stricter limits would give a warning for most data sets.
_MOST_R_HAT, _FEWEST_EFFECTIVE = 1.2, 4


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
    """

    encoding: Encoding
    class_weights: np.ndarray

    @property
    def n_classes(self):
        """Return the number of classes."""
        return self.class_weights.shape[1]

    @property
    def n_draws(self):
        """Return the total number of draws of all chains."""
        return self.draws.log_likelihood.size

    # -- groups ------------------------------------------------------------------------

    def group_weights(self):
        """Return the training weight of each group, see `InteractionModel`."""
        return self.groups.memberships() @ self.class_weights

    @cached_property
    def group_sizes(self):
        """Return the total training weight of each group."""
        return self.group_weights().sum(axis=1)

    @cached_property
    def group_orders(self):
        """Return the lowest order of the terms of each group."""
        return (self.groups.counts > 0).argmax(axis=1)

    def effects(self, groups):
        """Return draws of the effects of some groups, see `InteractionModel`."""
        return self._centred(self.sums[:, groups].astype(np.float64))

    def _centred(self, of_sets):
        """Return effects on classes from effects of sets of parameters."""
        if of_sets.shape[-1] == 1:
            return np.concatenate([-of_sets, of_sets], axis=-1)
        return of_sets - of_sets.mean(axis=-1, keepdims=True)

    # -- predictions -------------------------------------------------------------------

    @property
    def scale(self):
        """Return the factor of scores in the softmax, see `InteractionModel`."""
        return 0.5 if self.n_classes == 2 else 1.0

    def sample_scores(self, rows):
        """Return draws of the scores of some rows, see `InteractionModel`."""
        return self._centred(self.predictors(rows))

    def joint_scores(self, rows):
        """Yield joint draws of the scores of some rows, see `InteractionModel`."""
        return map(self._centred, self.joint_predictors(rows))

    def shares(self, groups, counts):
        """Return the contributions of some terms to scores, see `InteractionModel`."""
        part = self.prior.widths(self.log_sigma, counts)
        whole = self.prior.widths(self.log_sigma, self.groups.counts[groups])
        ratio = (part / whole) ** self.prior.power
        return self.effects(groups) * ratio[..., None]

    # -- chains ------------------------------------------------------------------------

    @cached_property
    def r_hat(self):
        """Return R-hat of the drawn quantities, by name."""
        return self._of_chains(r_hat)

    @cached_property
    def ess(self):
        """Return effective sample sizes of the drawn quantities, by name."""
        return self._of_chains(effective_sample_size)

    def _of_chains(self, measure):
        """Return a measure of convergence of the drawn quantities."""
        return {
            "log_sigma": measure(self.draws.log_sigma[..., self.prior.first :]),
            "log_likelihood": measure(self.draws.log_likelihood),
        }

    def warn_of_short_chains(self):
        """Warn if the chains disagree, or have too few effective samples."""
        # Measures of constant quantities are NaN.
        worst = np.nanmax(np.append(np.hstack([*self.r_hat.values()]), 1.0))
        fewest = np.nanmin(np.append(np.hstack([*self.ess.values()]), np.inf))
        enough = _FEWEST_EFFECTIVE * len(self.draws.log_likelihood)
        if worst <= _MOST_R_HAT and fewest >= enough:
            return
        warnings.warn(
            "The Markov chains are too short: R-hat is up to "
            f"{worst:.2f} (at most {_MOST_R_HAT} is required), and the smallest "
            f"effective sample size is {fewest:.0f} (at least {enough} is required); "
            "see r_hat_ and ess_. Increase burn_in and n_draws, or thin.",
            ConvergenceWarning,
            stacklevel=stacklevel_of_caller(),
        )

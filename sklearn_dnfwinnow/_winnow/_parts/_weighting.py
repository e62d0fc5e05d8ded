"""Weighting: the numbers that turn net promotion counts into weights and scores."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from math import log

import numpy as np

from sklearn_dnfwinnow._winnow._monotone import Directions
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule


@dataclass(frozen=True, eq=False)
class Weighting:
    """All that scores depend on, besides the encoding and the stored examples.

    Parameters
    ----------
    alpha, literal_weight, max_term_size, log_threshold, update, margin, scale
        See the attributes of :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
        `max_term_size` may be 'auto' before the first batch.
    offsets : ndarray of shape (n_classes,), float64
        Added to the scores log W - log theta of the classes.
    directions : Directions
        Directions of `monotonic_cst`, of the first training call.
    seed : int
        Seed of all randomness.
    screening : float or None, default=None
        Strength of the choice of terms; None if all terms are learned.
    """

    alpha: float
    literal_weight: float
    max_term_size: int | str | None
    log_threshold: float
    offsets: np.ndarray
    directions: Directions
    update: str
    margin: float
    scale: float
    seed: int
    screening: float | None = None

    def with_rule(self, settings):
        """Return the weighting with the current parameters of the update rule.

        Parameters
        ----------
        settings : Settings
            With values that have precedence unless they are 'auto'.
        """
        values = {"update": settings.update, "margin": settings.margin}
        # The scale of residuals is not the scale of probabilities of margins.
        if "residual" in (settings.update, self.update) and settings.update != "margin":
            values["scale"] = settings.scale
        # True is a number for scikit-learn.
        given = {
            name: value if name == "update" else float(value)
            for name, value in values.items()
            if value != "auto"
        }
        return replace(self, **given) if given else self

    @property
    def log_beta(self):
        """Return the logarithm of the initial weight per literal."""
        return log(self.literal_weight)

    @property
    def intercepts(self):
        """Return the log-odds that probabilities add to those of log W."""
        return self.scale * self.offsets

    @property
    def rule(self):
        """Return the update rule."""
        return UpdateRule(self.update, self.margin, self.scale)

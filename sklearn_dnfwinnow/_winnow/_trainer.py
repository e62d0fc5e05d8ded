"""Trainer: the samples that are presented to all classes, and how the classes learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

from sklearn_dnfwinnow._terms._term_index import TermIndex
from sklearn_dnfwinnow._winnow._learner import (
    Joint,
    OneVsRest,
    first_guesses,
    stages,
)
from sklearn_dnfwinnow._winnow._presentations import Presentations
from sklearn_dnfwinnow._winnow._settings import Settings
from sklearn_dnfwinnow._winnow._summation import Summation
from sklearn_dnfwinnow._winnow._update_rule import UpdateRule
from sklearn_dnfwinnow._winnow._weights._update_list import NO_LIMIT
from sklearn_dnfwinnow._winnow._weights._weights import weights_for


@dataclass(frozen=True, eq=False)
class Trainer:
    """The samples that are presented to all classes, and how the classes learn.

    It is sent to other processes with each of its tasks, and contains only what these
    need.

    Parameters
    ----------
    settings : Settings
    rule : UpdateRule
    summation : Summation
    log_threshold : float
        log theta.
    rows : Presentations
    index : TermIndex or None
        Index of the stored examples and these rows.
    """

    settings: Settings
    rule: UpdateRule
    summation: Summation
    log_threshold: float
    rows: Presentations
    index: TermIndex | None

    def groups(self, n_classes):
        """Return the independent trainings: each class, or None for all jointly."""
        return [None] if self._joint else range(n_classes)

    def stages(self, states, k, progress):
        """Train class k, or all classes if it is None; see `stages` of the learner.

        Parameters
        ----------
        states : list of ClassState
            State of each class at the start.
        k : int or None
        progress : Silent
        """
        learner = self._learner(states, k)
        return stages(
            learner=learner,
            rows=self.rows,
            average=self.settings.average,
            progress=progress,
        )

    def train(self, states, k, progress):
        """Return the result of class k, or of each class: list of Trained."""
        *_, trained = self.stages(states, k, progress)
        return trained

    @property
    def _joint(self):
        return self.settings.multi_class == "joint"

    def _learner(self, states, k):
        """Create the weights of class k, or of all classes, and their learner.

        They are created by the task that needs them, so that the number of tables does
        not exceed the number of classes in training.
        """
        if k is None:
            all_weights = [self._weights(j, state) for j, state in enumerate(states)]
            return Joint(all_weights, self.rows, self.rule)
        # Conditions are ignored, because sums under conditions are computed in full.
        guesses = first_guesses(
            codes=self.rows.codes,
            log_beta=self.summation.log_beta,
            log_threshold=self.log_threshold,
            max_term_size=self.summation.max_term_size,
        )
        return OneVsRest(
            weights=self._weights(k, states[k]),
            rows=self.rows,
            k=k,
            log_threshold=self.log_threshold,
            rule=self.rule,
            guesses=guesses,
        )

    def _weights(self, k, state):
        most = self.settings.max_stored_examples
        return weights_for(
            summation=self.summation,
            k=k,
            state=state,
            index=self.index,
            max_stored_examples=NO_LIMIT if most is None else min(most, NO_LIMIT),
            in_full=self._joint or self.rule.by_residuals,
        )

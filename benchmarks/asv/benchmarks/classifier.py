"""The classifier: with its defaults, as in the paper, and fed with batches."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.base import clone
from sklearn.utils import gen_batches

from benchmarks.common import Fits, Predicts, table
from sklearn_dnfwinnow import DNFWinnowClassifier


class Default(Predicts):
    """All defaults, over tables of several sizes."""

    params = ["house-votes-84", "car", "annealing", "10000"]
    param_names = ["table"]

    def rows(self, name):
        return table(name)

    def estimator(self, name):
        return DNFWinnowClassifier(random_state=0)


class Paper(Predicts):
    """The paper's learner, each way to sum, over the votes of 1984."""

    params = ["table", "exact", "frontier", "gibbs", "metropolized_gibbs"]
    param_names = ["sampler"]

    def rows(self, sampler):
        return table("house-votes-84")

    def estimator(self, sampler):
        # Three epochs of short chains: it is changes that are looked for.
        settings = DNFWinnowClassifier.paper_settings(sampler) | {"max_iter": 3}
        if settings["sampler"].runs_chains:
            settings["sampler"].set_params(n_steps=1000, burn_in=100)
        return DNFWinnowClassifier(**settings, random_state=0)


class Stream(Fits):
    """Rows that come a thousand at a time, into bounded models."""

    params = ["car", "10000"]
    param_names = ["table"]

    def rows(self, name):
        return table(name)

    def estimator(self, name):
        return DNFWinnowClassifier(max_stored_examples=200, random_state=0)

    def fit(self):
        classes = sorted(set(self.y))
        self.model = clone(self.model)
        for batch in gen_batches(len(self.y), 1000):
            self.model.partial_fit(self.X[batch], self.y[batch], classes)

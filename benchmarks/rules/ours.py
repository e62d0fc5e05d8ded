"""Ours: the model of all terms, formulas that are read from it, and rule sets."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier


class Model:
    """The model itself, which has a weight for each term: it has no size."""

    lengths_ = None

    def fit(self, X, y):
        self.model_ = DNFWinnowClassifier(random_state=0).fit(X, y)
        return self

    def predict(self, X):
        return self.model_.predict(X)


class Formula:
    """The formula of `to_dnf` for the target."""

    def __init__(self, target=None, seed=0):
        self.target = target
        self.seed = seed

    def fit(self, X, y):
        model = DNFWinnowClassifier(random_state=self.seed).fit(X, y)
        (self.other_,) = model.classes_[model.classes_ != self.target]
        self.dnf_ = model.to_dnf(self.target, X=X, y=y, miss_cost=1)
        self.lengths_ = [len(term.literals) for term in self.dnf_.terms]
        return self

    def predict(self, X):
        return np.where(self.dnf_.holds(X), self.target, self.other_)


class RuleSets:
    """Rules of the target, or of all classes: DNFClassifier."""

    def __init__(self, target=None):
        self.target = target

    def fit(self, X, y):
        rules = DNFClassifier(
            class_of_interest=self.target,
            miss_cost="auto" if self.target is None else 1,
            random_state=0,
        )
        self.rules_ = rules.fit(X, y)
        self.lengths_ = [
            len(term.literals) for dnf in self.rules_.dnfs_ for term in dnf.terms
        ]
        return self

    def predict(self, X):
        return self.rules_.predict(X)

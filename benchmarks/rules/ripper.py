"""RIPPER of wittgenstein: rules for one class, or for each class against the rest."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


class Ripper:
    """RIPPER with its defaults; of several classes the most probable one is predicted.

    With a `target` there are rules for this class, and no others. Otherwise each class
    has rules against the rest, and probabilities of these decide.
    """

    def __init__(self, max_rules=None, target=None, random_state=0):
        self.max_rules = max_rules
        self.target = target
        self.random_state = random_state

    def fit(self, X, y):
        from wittgenstein import RIPPER

        self.medians_ = X.median(numeric_only=True)
        X = self._filled(X)
        # The most frequent class first: it wins where probabilities are equal.
        classes, counts = np.unique(y, return_counts=True)
        self.classes_ = classes[np.argsort(-counts, kind="stable")]
        own = self.classes_ if self.target is None else [self.target]
        self.rules_ = {}
        for class_ in own:
            rules = RIPPER(max_rules=self.max_rules, random_state=self.random_state)
            rules.fit(X, y == class_, pos_class=True)
            self.rules_[class_] = rules
        self.lengths_ = [
            len(rule.conds) for rules in self.rules_.values() for rule in rules.ruleset_
        ]
        return self

    def predict(self, X):
        X = self._filled(X)
        if self.target is not None:
            (other,) = self.classes_[self.classes_ != self.target]
            holds = np.array(self.rules_[self.target].predict(X), dtype=bool)
            return np.where(holds, self.target, other)
        p = [self.rules_[class_].predict_proba(X)[:, 1] for class_ in self.classes_]
        return self.classes_[np.argmax(p, axis=0)]

    def _filled(self, X):
        return (
            X.fillna(self.medians_)
            .astype(dict.fromkeys(X.select_dtypes(exclude="number"), object))
            .fillna("?")
        )

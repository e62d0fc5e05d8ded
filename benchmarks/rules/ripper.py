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
        if self.target is None:
            return self.classes_[np.argmax(self._shares(X), axis=1)]
        (other,) = self.classes_[self.classes_ != self.target]
        holds = self.rules_[self.target].predict(self._filled(X))
        return np.where(np.array(holds, dtype=bool), self.target, other)

    def predict_proba(self, X):
        """Return probabilities of two classes; those of several are not for one row."""
        (share,) = self._shares(X).T
        is_target = self.classes_ == self.target
        return np.where(is_target, share[:, None], 1 - share[:, None])

    def _shares(self, X):
        """Return probabilities of the classes that have rules."""
        X = self._filled(X)
        p = [rules.predict_proba(X)[:, 1] for rules in self.rules_.values()]
        return np.transpose(p)

    def _filled(self, X):
        return (
            X.fillna(self.medians_)
            .astype(dict.fromkeys(X.select_dtypes(exclude="number"), object))
            .fillna("?")
        )

"""Trees, and sums of trees: pruned, optimal, FIGS and boosted ones.

All take a data frame, and after `fit` they have `lengths_`, the number of literals of
each rule, see `leaves`.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks.rules.columns import Columns
from benchmarks.rules.leaves import (
    leaves_of_figs,
    leaves_of_sklearn,
    leaves_of_streed,
    lengths_of_sum,
    lengths_of_tree,
)

# Seconds after which the search for an optimal tree returns the best one it has.
SEARCH = 20


class PrunedTree:
    """scikit-learn's tree, pruned by cost and complexity to some leaves, or by folds.

    Without a number of leaves, five folds choose the largest penalty whose error is
    within one standard error of the lowest (Breiman et al. 1984).
    """

    def __init__(self, n_leaves=None, random_state=0):
        self.n_leaves = n_leaves
        self.random_state = random_state

    def fit(self, X, y):
        self.columns_ = Columns().fit(X)
        Z = self.columns_.transform(X)
        full = DecisionTreeClassifier(random_state=self.random_state)
        alphas = np.unique(
            np.maximum(full.cost_complexity_pruning_path(Z, y).ccp_alphas, 0)
        )
        alpha = self._of_folds(Z, y, alphas) if self.n_leaves is None else None
        if alpha is None:
            alpha = self._of_size(Z, y, alphas)
        self.tree_ = self._pruned(alpha).fit(Z, y)
        leaves = leaves_of_sklearn(self.tree_.tree_, self.tree_.classes_)
        self.lengths_ = lengths_of_tree(leaves, self.columns_.sources_)
        return self

    def predict(self, X):
        return self.tree_.predict(self.columns_.transform(X))

    def _pruned(self, alpha):
        # A little more than a penalty of the path, so that rounding does not matter.
        return DecisionTreeClassifier(
            ccp_alpha=alpha * (1 + 1e-9), random_state=self.random_state
        )

    def _of_size(self, Z, y, alphas):
        """Return the least penalty with so many leaves: sizes fall along the path."""
        low, high = 0, len(alphas) - 1
        while low < high:
            middle = (low + high) // 2
            if self._pruned(alphas[middle]).fit(Z, y).get_n_leaves() <= self.n_leaves:
                high = middle
            else:
                low = middle + 1
        return alphas[low]

    def _of_folds(self, Z, y, alphas):
        """Return the penalty of the rule of one standard error, of at most 40."""
        places = np.unique(np.linspace(0, len(alphas) - 1, 40).astype(int))
        alphas = alphas[places]
        wrong = np.zeros((len(alphas), len(y)))
        folds = StratifiedKFold(5, shuffle=True, random_state=self.random_state)
        for train, test in folds.split(Z, y):
            for a, alpha in enumerate(alphas):
                tree = self._pruned(alpha).fit(Z[train], y[train])
                wrong[a, test] = tree.predict(Z[test]) != y[test]
        errors = wrong.mean(axis=1)
        best = errors.argmin()
        limit = errors[best] + wrong[best].std() / np.sqrt(len(y))
        return alphas[np.flatnonzero(errors <= limit)[-1]]


class OptimalTree:
    """STreeD: the tree of a depth with the fewest errors, nine cuts a number.

    With `depth` None, its own folds choose the size up to depth 3.
    """

    def __init__(self, depth=None, random_state=0):
        self.depth = depth
        self.random_state = random_state

    def fit(self, X, y):
        from pystreed import STreeDClassifier

        self.columns_ = Columns(n_cuts=9).fit(X)
        Z = self.columns_.transform(X).astype(np.intc)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.tree_ = STreeDClassifier(
            "accuracy",
            max_depth=3 if self.depth is None else self.depth,
            hyper_tune=self.depth is None,
            time_limit=SEARCH,
            random_seed=self.random_state,
        ).fit(Z, labels)
        found = self.tree_.fit_result
        self.note_ = "optimal" if found.is_optimal() else "stopped, not proven"
        leaves = leaves_of_streed(self.tree_.tree_)
        self.lengths_ = lengths_of_tree(leaves, self.columns_.sources_)
        return self

    def predict(self, X):
        Z = self.columns_.transform(X).astype(np.intc)
        return self.classes_[np.asarray(self.tree_.predict(Z), dtype=int)]


class SumOfTrees:
    """A sum of trees of imodels, for labels as numbers."""

    def fit(self, X, y):
        self.columns_ = Columns().fit(X)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.model_ = self._model()
        self.model_.fit(self.columns_.transform(X), labels)
        self.lengths_ = lengths_of_sum(self._trees(), self.columns_.sources_)
        return self

    def predict(self, X):
        found = self.model_.predict(self.columns_.transform(X))
        return self.classes_[np.asarray(found, dtype=int)]


class Figs(SumOfTrees):
    """FIGS of imodels: trees that are added, grown together, of some splits in all."""

    def __init__(self, n_splits=12):
        self.n_splits = n_splits

    def _model(self):
        from imodels import FIGSClassifier

        return FIGSClassifier(max_rules=self.n_splits)

    def _trees(self):
        return [leaves_of_figs(root) for root in self.model_.trees_]


class BoostedRules(SumOfTrees):
    """Boosted rules of imodels: weighted votes of trees of one split."""

    def __init__(self, n_estimators=15, random_state=0):
        self.n_estimators = n_estimators
        self.random_state = random_state

    def _model(self):
        from imodels import BoostedRulesClassifier

        return BoostedRulesClassifier(
            n_estimators=self.n_estimators, random_state=self.random_state
        )

    def _trees(self):
        return [leaves_of_sklearn(tree.tree_) for tree in self.model_.estimators_]

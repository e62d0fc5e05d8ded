"""Context-tree weighting: an anchor for sequences, the mean over trees of contexts.

    python -m benchmarks.bayes.context_tree_weighting --orders 1 2 3 5 10 20

prints the error and the average minus log probability (AMLP) of each order, for the
pieces of text and the hidden Markov chains of ``benchmarks.bayes.sequences``.

F. M. J. Willems, Y. M. Shtarkov and T. J. Tjalkens, "The Context-Tree Weighting Method:
Basic Properties", IEEE Transactions on Information Theory 41(3), 653-664, 1995.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.bayes.sequences import N_TRAIN, sequences

LOG_HALF = np.log(0.5)


@dataclass
class Context:
    """A context that was seen: what it predicts, and whether longer ones do better.

    Attributes
    ----------
    proba : ndarray of shape (n_classes,)
        Of the next symbol, by the estimator of Krichevsky and Trofimov.
    log_weight : float
        Log probability of the symbols after it, over all trees below.
    share : float
        Posterior probability that the tree ends here.
    longer : dict
        Contexts with one more symbol before.
    """

    proba: np.ndarray
    log_weight: float
    share: float
    longer: dict


class ContextTreeWeighting(ClassifierMixin, BaseEstimator):
    """Predict the class from the last columns, the last one being nearest to it.

    A tree ends at a context, or goes on, each with probability 1/2, up to as many
    symbols as there are columns. The prior of each context's symbols is Dirichlet(1/2).
    """

    def fit(self, X, y):
        """Add up all trees."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.tree_ = self._context(np.asarray(X)[:, ::-1], codes)
        return self

    def predict_proba(self, X):
        """Return the mean over all trees, by their posterior probabilities."""
        return np.array([self._mean(self.tree_, row[::-1]) for row in np.asarray(X)])

    def predict(self, X):
        """Return the most probable classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _context(self, X, codes):
        """Return a context that some rows have in common; X has what is before it."""
        counts = np.bincount(codes, minlength=len(self.classes_))
        proba = (counts + 0.5) / (counts + 0.5).sum()
        log_end = log_marginal(counts)
        if not X.shape[1]:
            return Context(proba, log_end, 1.0, {})
        longer = {
            symbol: self._context(X[X[:, 0] == symbol, 1:], codes[X[:, 0] == symbol])
            for symbol in np.unique(X[:, 0])
        }
        log_longer = sum(context.log_weight for context in longer.values())
        log_weight = LOG_HALF + np.logaddexp(log_end, log_longer)
        return Context(
            proba=proba,
            log_weight=log_weight,
            share=np.exp(LOG_HALF + log_end - log_weight),
            longer=longer,
        )

    def _mean(self, context, row):
        """Return the probabilities of the next symbol; row has what is before it."""
        if context is None:
            return np.full(len(self.classes_), 1 / len(self.classes_))
        if context.share == 1.0:
            return context.proba
        longer = self._mean(context.longer.get(row[0]), row[1:])
        return context.share * context.proba + (1 - context.share) * longer


def log_marginal(counts):
    """Return the log probability of symbols by their counts, one after the other."""
    n, k = counts.sum(), len(counts)
    terms = gammaln(counts + 0.5) - gammaln(0.5)
    return terms.sum() + gammaln(k / 2) - gammaln(n + k / 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=4)
    parser.add_argument("--orders", type=int, nargs="+", default=[1, 2, 3, 5, 10, 20])
    options = parser.parse_args()
    for order in options.orders:
        found = {}
        for name, (X, y) in sequences(options.sequences, options.sequences):
            X = X[:, X.shape[1] - order :]
            anchor = ContextTreeWeighting().fit(X[:N_TRAIN], y[:N_TRAIN])
            proba = anchor.predict_proba(X[N_TRAIN:])
            of_class = proba[y[N_TRAIN:, np.newaxis] == anchor.classes_]
            error = np.mean(anchor.classes_[proba.argmax(axis=1)] != y[N_TRAIN:])
            found.setdefault(name, []).append((error, -np.log(of_class).mean()))
        for name, figures in found.items():
            error, amlp = np.mean(figures, axis=0)
            print(f"{name}, order {order}: error {error:.3f}, AMLP {amlp:.3f}")


if __name__ == "__main__":
    main()

"""Additive model: a penalised logistic regression of classes on terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.sparse import csc_array, csr_array, hstack
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from sklearn_dnfwinnow._utils._computing import one_blas_thread

# Inverse strength of the penalty, tolerance, and iterations of one fit.
_C, _TOLERANCE, _ITERATIONS = 0.1, 1e-3, 50
# Iterations of a fit within bounds.
_BOUNDED_ITERATIONS = 200
# Parts of the rows; residuals of each part are those of a fit to the others, as a fit
# to itself hides what is left to learn.
_PARTS = 3
# Least curvature of a row: where a fit is certain and wrong, it is not to dominate.
_LEAST_CURVATURE = 0.01


class AdditiveModel:
    """Log-odds of classes as sums over the terms that a row satisfies.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,), int
    weights : ndarray of shape (n_rows,), float64
    n_classes : int

    Attributes
    ----------
    satisfied : csr_array of shape (n_rows, n_terms), float64
        1 for the terms of each row.
    """

    def __init__(self, labels, weights, n_classes):
        self._labels, self._weights, self._n_classes = labels, weights, n_classes
        self.satisfied = csr_array((len(labels), 0))
        # Each part has the same shares of the classes.
        self._parts = np.empty(len(labels), dtype=np.int64)
        self._parts[np.argsort(labels, kind="stable")] = np.arange(len(labels)) % _PARTS
        self._fitted = [None] * _PARTS
        self._logits = np.zeros((len(labels), n_classes))

    def add(self, all_rows):
        """Add terms, given the rows that satisfy each of them."""
        starts = np.cumsum([0, *map(len, all_rows)])
        rows = np.concatenate([np.zeros(0, dtype=np.int32), *all_rows])
        shape = len(self._labels), len(all_rows)
        new = csc_array((np.ones(len(rows)), rows, starts), shape=shape)
        self.satisfied = csr_array(hstack([self.satisfied, csr_array(new)]))

    def replace(self, all_rows):
        """Replace all terms by others, see `add`."""
        self.satisfied = self.satisfied[:, :0]
        self.add(all_rows)

    def fit(self):
        """Fit the model to all parts of the rows but one, for each of them."""
        for part in range(_PARTS):
            own = self._parts == part
            coefficients, intercepts = self._logistic(~own, self._fitted[part])
            self._fitted[part] = coefficients, intercepts
            self._logits[own] = self.satisfied[own] @ coefficients.T + intercepts

    def effects(self, penalty=1.0, is_free=True):
        """Return effects of terms and intercepts of classes, fitted to all rows.

        Parameters
        ----------
        penalty : float, default=1.0
            In units of scikit-learn's default.
        is_free : ndarray of shape (n_classes, n_terms), bool, or True, default=True
            Whether each class may have an effect of a term. Where some may not, it is
            not negative in the others.

        Returns
        -------
        effects : ndarray of shape (n_classes, n_terms)
        intercepts : ndarray of shape (n_classes,)
        """
        if not np.all(is_free):
            return self._bounded(is_free, 1 / penalty)
        every = np.ones(len(self._labels), dtype=bool)
        return self._logistic(every, start=None, c=1 / penalty)

    def _bounded(self, is_free, c):
        """Return effects and intercepts of the same loss and penalty, within bounds.

        Parameters
        ----------
        is_free : ndarray of shape (n_classes, n_terms), bool
        c : float
            Inverse strength of the penalty.
        """
        satisfied, weights = self.satisfied, c * self._weights[:, None]
        is_class = self._labels[:, None] == np.arange(self._n_classes)
        is_common, shape = is_free.all(axis=0), is_free.shape
        # Two classes have one effect, half of it each.
        factors = np.where(is_common & (len(is_free) == 2), 2.0, 1.0)

        def loss(parameters):
            effects, intercepts = np.split(parameters, [is_free.size])
            effects = effects.reshape(shape)
            logs = log_softmax(satisfied @ effects.T + intercepts, axis=1)
            slopes = weights * (np.exp(logs) - is_class)
            value = -(weights * logs)[is_class].sum() + (factors * effects**2).sum() / 2
            of_effects = (satisfied.T @ slopes).T + factors * effects
            return value, np.concatenate([of_effects.ravel(), slopes.sum(axis=0)])

        low, high = np.where(is_common, -np.inf, 0.0), np.where(is_free, np.inf, 0.0)
        unbounded = np.full(self._n_classes, np.inf)
        found = minimize(
            loss,
            np.zeros(is_free.size + self._n_classes),
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(
                np.append(np.broadcast_to(low, shape), -unbounded),
                np.append(high, unbounded),
            ),
            options={"maxiter": _BOUNDED_ITERATIONS},
        )
        effects, intercepts = np.split(found.x, [is_free.size])
        return effects.reshape(shape), intercepts

    def moments(self):
        """Return residuals, curvatures and weights of rows by class.

        Returns
        -------
        moments : ndarray of shape (n_targets, n_rows, 3), float32
            Of the second of two classes, or of each class.
        """
        shares = softmax(self._logits, axis=1)
        classes = [1] if self._n_classes == 2 else range(self._n_classes)
        found = []
        for k in classes:
            own = (self._labels == k) - shares[:, k]
            bend = np.maximum(shares[:, k] * (1.0 - shares[:, k]), _LEAST_CURVATURE)
            of_one = np.column_stack([own, bend, np.ones(len(own))])
            found.append((of_one * self._weights[:, None]).astype(np.float32))
        return np.array(found)

    def _logistic(self, rows, start, c=_C):
        """Fit some rows; return coefficients and intercepts by class."""
        n_terms, n_classes = self.satisfied.shape[1], self._n_classes
        labels, weights = self._labels[rows], self._weights[rows]
        n_present = len(np.unique(labels))
        if not n_terms or n_present < 2:
            totals = np.bincount(labels, weights=weights, minlength=n_classes)
            intercepts = np.log(totals + 0.5)
            return np.zeros((n_classes, n_terms)), intercepts - intercepts.mean()
        regression = LogisticRegression(
            C=c, tol=_TOLERANCE, max_iter=_ITERATIONS, warm_start=start is not None
        )
        if start is not None and n_present == n_classes:
            _begin(regression, *start, n_terms)
        return coefficients_of(
            regression, self.satisfied[rows], labels, weights, n_classes=n_classes
        )


def coefficients_of(regression, regressors, labels, weights, *, n_classes):
    """Fit a logistic regression; return its coefficients and intercepts by class.

    Parameters
    ----------
    regression : LogisticRegression
    regressors : sparse array of shape (n_rows, n_regressors)
    labels : ndarray of shape (n_rows,), int
        Of two classes or more.
    weights : ndarray of shape (n_rows,), float64
    n_classes : int

    Returns
    -------
    coefficients : ndarray of shape (n_classes, n_regressors)
    intercepts : ndarray of shape (n_classes,)
        A class without rows has that of the rarest class.
    """
    # Threads would change the last bits, and be slower for so few parameters.
    with one_blas_thread(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        regression.fit(regressors, labels, sample_weight=weights)
    found, constants = regression.coef_, regression.intercept_
    if len(regression.classes_) == 2:
        found = np.concatenate([-found, found]) / 2
        constants = np.concatenate([-constants, constants]) / 2
    coefficients = np.zeros((n_classes, found.shape[1]))
    coefficients[regression.classes_] = found
    intercepts = np.full(n_classes, constants.min())
    intercepts[regression.classes_] = constants
    return coefficients, intercepts


def _begin(regression, coefficients, intercepts, n_terms):
    """Let a regression start from the coefficients of fewer terms."""
    wide = np.zeros((len(coefficients), n_terms))
    wide[:, : coefficients.shape[1]] = coefficients
    if len(coefficients) == 2:
        wide, intercepts = wide[1:] - wide[:1], intercepts[1:] - intercepts[:1]
    regression.coef_, regression.intercept_ = wide, intercepts
    regression.classes_ = np.arange(len(coefficients))

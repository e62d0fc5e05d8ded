"""Additive model: a penalised logistic regression on smooth effects and terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy
from functools import cached_property

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.sparse import block_diag, csr_array, hstack, vstack
from scipy.special import log_softmax, softmax
from sklearn.preprocessing import SplineTransformer

from sklearn_dnfwinnow._kernels import additive_loss
from sklearn_dnfwinnow._utils._computing import one_blas_thread

# Knots of the splines of a number, at equal ranks; the penalty of their second
# differences relative to that of coefficients; and the standard deviations by which a
# number differs from the mean, at most.
_KNOTS, _ROUGH, _FAR = 5, 0.3, 3.0
# Largest code up to which ordered values have indicators instead.
_FEW = 2


def _turned():
    """Return what makes equal penalties of coefficients that of a smooth function."""
    n = _KNOTS + 2
    differences = np.diff(np.eye(n), 2, axis=0)
    penalties, turned = np.linalg.eigh(np.eye(n) + _ROUGH * differences.T @ differences)
    return turned / np.sqrt(penalties)


_TURNED = _turned()
_SPLINES = SplineTransformer(knots=np.linspace(0.0, 1.0, _KNOTS)[:, None])
_SPLINES.fit([[0.0], [1.0]])


class SmoothEffects:
    """Effects of single features: a smooth function of a number, or one of each value.

    A smooth function is a cubic spline of the mean rank of the rows of a code (Eilers &
    Marx 1996), plus a multiple of the number.

    Parameters
    ----------
    cells : Cells
    numbers : list of n_features ndarrays of shape (n_codes,), float64
        The mean number of each code; without effect for features without an order.
    weights : ndarray of shape (n_rows,), float64
    features : ndarray of shape (n_some,), int
        Those that have an effect.
    with_missing : ndarray of shape (n_features,), bool
        Whether a missing value of a feature is a value of its own, with code 0.
    """

    def __init__(self, cells, numbers, weights, features, with_missing):
        self._cells, self.features = cells, features
        self.bases, references = [], []
        every = {
            f: np.bincount(cells.codes[f], weights, minlength=cells.n_codes[f])
            for f in features
        }
        is_smooth = cells.ordered.astype(bool) & (cells.n_codes - 1 > _FEW)
        splines = _splines({f: every[f][1:] for f in features if is_smooth[f]})
        for f, totals in every.items():
            of_values = np.eye(len(totals) - 1)
            if is_smooth[f]:
                linear = _standardised(numbers[f][1:], totals[1:])
                of_values = np.column_stack([splines[f], linear])
            basis = np.zeros((len(totals), of_values.shape[1] + with_missing[f]))
            basis[1:, : of_values.shape[1]] = of_values
            if with_missing[f]:
                basis[0, -1] = 1.0
            self.bases.append(basis)
            references.append(_reference(basis, totals))
        self.reference = np.concatenate([np.zeros(0), *references])
        self._relative = [b - r for b, r in zip(self.bases, references)]

    @cached_property
    def regressors(self):
        """Regressors of the rows: csr_array of shape (n_rows, n_regressors).

        They are relative to `reference`: an intercept is larger by its product with
        the coefficients.
        """
        codes = self._cells.codes[self.features].T
        widths = np.array([len(basis) for basis in self.bases], dtype=np.int64)
        if not len(widths):
            return csr_array((self._cells.n_rows, 0))
        firsts = np.cumsum(widths) - widths
        starts = np.arange(len(codes) + 1) * codes.shape[1]
        of_codes = csr_array(
            (np.ones(codes.size), (codes + firsts).ravel(), starts),
            shape=(len(codes), widths.sum()),
        )
        return of_codes @ csr_array(block_diag(self._relative))

    def of_codes(self, coefficients):
        """Return the effects of the codes of each feature.

        Parameters
        ----------
        coefficients : ndarray of shape (n_classes, n_regressors)

        Returns
        -------
        effects : dict of int to ndarray of shape (n_classes, n_codes)
        """
        ends = np.cumsum([basis.shape[1] for basis in self.bases])[:-1]
        parts = np.split(coefficients, ends, axis=1) if self.bases else []
        return {
            int(f): part @ basis.T
            for f, basis, part in zip(self.features, self.bases, parts)
        }


def _splines(weights):
    """Return splines of the mean ranks of values, given the weights of each feature."""
    if not weights:
        return {}
    ranks = [
        (np.cumsum(totals) - totals / 2) / max(totals.sum(), 1e-300)
        for totals in weights.values()
    ]
    # One call takes as long as one of each feature.
    splines = _SPLINES.transform(np.concatenate(ranks)[:, None]) @ _TURNED
    ends = np.cumsum([len(of_one) for of_one in ranks])[:-1]
    return dict(zip(weights, np.split(splines, ends)))


def _standardised(numbers, totals):
    """Return numbers less their mean, in standard deviations, within bounds."""
    total = max(totals.sum(), 1e-300)
    # Relative to the largest, so that no square overflows.
    numbers = numbers / (np.abs(numbers).max() or 1.0)
    far = numbers - numbers @ totals / total
    spread = np.sqrt(far**2 @ totals / total) or 1.0
    return np.clip(far / spread, -_FAR, _FAR)


def _reference(basis, totals):
    """Return the regressors of the usual code, or zeros if these leave more zeros.

    Most rows of a column of counts have the same value: relative to it, their
    regressors are zeros, which sparse products skip.
    """
    usual = basis[np.argmax(totals)]
    n_entries = [totals @ np.count_nonzero(b, axis=1) for b in (basis, basis - usual)]
    return usual if n_entries[1] < n_entries[0] else np.zeros_like(usual)


# Inverse strength of the penalty of terms in the search for others, and those of smooth
# effects, of which held-out rows choose one. They ascend, as each fit starts from the
# last one, and soon ends: after a weaker penalty, effects would not shrink again.
_C, _SMOOTH = 0.1, (0.03, 0.1, 0.3, 1.0, 3.0)
# Size of a slope, and relative decrease of the loss, that end a fit; and iterations.
_TOLERANCE, _FALL, _ITERATIONS = 1e-3, 1e-7, 50
# Iterations of a fit within bounds.
_BOUNDED_ITERATIONS = 200
# Parts of the rows; residuals of each part are those of a fit to the others, as a fit
# to itself hides what is left to learn.
_PARTS = 2
# Least curvature of a row: where a fit is certain and wrong, it is not to dominate.
_LEAST_CURVATURE = 0.01


class AdditiveModel:
    """Log-odds of classes as sums of smooth effects, and of the terms of a row.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,), int
    weights : ndarray of shape (n_rows,), float64
    n_classes : int
    smooth : csr_array of shape (n_rows, n_smooth), float64
        Regressors of smooth effects.
    """

    def __init__(self, labels, weights, n_classes, smooth):
        self._labels, self._weights, self._n_classes = labels, weights, n_classes
        self._n_smooth, self._smoothness = smooth.shape[1], _SMOOTH[0]
        # Each part has the same shares of the classes.
        order = np.argsort(labels, kind="stable")
        self._rows = [np.sort(order[part::_PARTS]) for part in range(_PARTS)]
        # Regressors of each part, one after the other, those of smooth effects first.
        # Sparse products add in one order, on any processor.
        self._regressors = [csr_array(smooth[rows].T) for rows in self._rows]
        self._fitted = [None] * _PARTS
        self._logits = np.zeros((len(labels), n_classes))

    def copy(self):
        """Return a model to which other terms can be added."""
        other = copy(self)
        other._regressors, other._fitted = list(self._regressors), list(self._fitted)
        return other

    def add(self, all_rows):
        """Add terms, given the rows that satisfy each of them."""
        rows = np.concatenate([np.zeros(0, dtype=np.int32), *all_rows])
        starts = np.cumsum([0, *map(len, all_rows)])
        shape = len(all_rows), len(self._labels)
        new = csr_array((np.ones(len(rows)), rows, starts), shape=shape)
        for part, of_part in enumerate(self._rows):
            both = vstack([self._regressors[part], new[:, of_part]])
            self._regressors[part] = csr_array(both)

    def replace(self, all_rows):
        """Replace all terms by others, see `add`."""
        self._regressors = [of_part[: self._n_smooth] for of_part in self._regressors]
        self._fitted = [None] * _PARTS
        self.add(all_rows)

    @property
    def shares(self):
        """Return the weighted fraction of the rows that satisfy each term."""
        totals = sum(
            of_part[self._n_smooth :] @ self._weights[rows]
            for of_part, rows in zip(self._regressors, self._rows)
        )
        return totals / self._weights.sum()

    def choose_smoothness(self):
        """Choose the penalty of smooth effects by held-out rows, and fit them."""
        found = []
        for smoothness in _SMOOTH if self._n_smooth else _SMOOTH[:1]:
            self._smoothness = smoothness
            self.fit()
            logs = log_softmax(self._logits, axis=1)
            loss = -(self._weights * logs[np.arange(len(logs)), self._labels]).sum()
            found.append((loss, self._smoothness, list(self._fitted), self._logits))
            # The loss has one minimum, but for noise.
            if loss > min(f[0] for f in found):
                break
        _, self._smoothness, self._fitted, self._logits = min(found, key=lambda f: f[0])

    def fit(self):
        """Fit the model to all parts of the rows but one, for each of them."""
        self._logits = np.empty_like(self._logits)
        for part, rows in enumerate(self._rows):
            others = [p for p in range(_PARTS) if p != part]
            self._fitted[part] = self._regression(others, self._fitted[part], c=_C)
            coefficients, intercepts = self._fitted[part]
            logits = self._regressors[part].T @ coefficients.T
            self._logits[rows] = logits + intercepts

    def effects(self, penalty=1.0, is_free=True):
        """Return effects of terms and intercepts of classes, fitted to all rows.

        Parameters
        ----------
        penalty : float or ndarray of shape (n_terms,), default=1.0
            Of the effects of terms, in units of scikit-learn's default.
        is_free : ndarray of shape (n_classes, n_terms), bool, or True, default=True
            Whether each class may have an effect of a term. Where some may not, it is
            not negative in the others.

        Returns
        -------
        smooth : ndarray of shape (n_classes, n_smooth)
            Coefficients of smooth effects.
        effects : ndarray of shape (n_classes, n_terms)
        intercepts : ndarray of shape (n_classes,)
        """
        bounded = None if np.all(is_free) else is_free
        coefficients, intercepts = self._regression(
            parts=range(_PARTS),
            start=self._fitted[0] if bounded is None else None,
            c=1 / penalty,
            is_free=bounded,
        )
        smooth, effects = np.split(coefficients, [self._n_smooth], axis=1)
        return smooth, effects, intercepts

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

    def _regression(self, parts, start, c, is_free=None):
        """Return coefficients and intercepts by class, fitted to parts of the rows.

        Two classes have one coefficient of a regressor, half of it each, but within
        bounds.

        Parameters
        ----------
        parts : sequence of int
        start : tuple or None
            A result for the first of the regressors.
        c : float or ndarray of shape (n_terms,)
            Inverse strength of the penalty of terms.
        is_free : ndarray of shape (n_classes, n_terms), bool, default=None
            See `effects`.
        """
        rows = np.concatenate([self._rows[part] for part in parts])
        blocks = [self._regressors[part] for part in parts]
        # A copy of a single part would take as long as some steps.
        regressors = blocks[0] if len(blocks) == 1 else hstack(blocks, format="csr")
        labels, weights = self._labels[rows], self._weights[rows]
        n, n_smooth = regressors.shape[0], self._n_smooth
        present = np.unique(labels)
        if not n or len(present) < 2:
            totals = np.bincount(labels, weights=weights, minlength=self._n_classes)
            intercepts = np.log(totals + 0.5)
            return np.zeros((self._n_classes, n)), intercepts - intercepts.mean()
        classes = present if is_free is None else np.arange(self._n_classes)
        is_one = len(classes) == 2 and is_free is None
        is_class = (labels[:, None] == classes).astype(np.float64)
        is_class = np.ascontiguousarray(is_class[:, 1:] if is_one else is_class)
        shape = n + 1, is_class.shape[1]
        # In units in which all penalties are one half of the square.
        units = np.sqrt(
            np.append(np.full(n_smooth, self._smoothness), c * np.ones(n - n_smooth))
        )
        penalties = np.ones(shape)
        penalties[n] = 0.0
        bounds, iterations = None, _ITERATIONS
        if is_free is not None:
            is_free = np.vstack(
                [np.ones((n_smooth, len(classes)), dtype=bool), is_free.T]
            )
            is_common = is_free.all(axis=1)
            low = np.where(is_common, -np.inf, 0.0)[:, None]
            low = np.broadcast_to(low, is_free.shape)
            high = np.where(is_free, np.inf, 0.0)
            edges = np.full((1, len(classes)), np.inf)
            bounds = Bounds(
                np.vstack([low, -edges]).ravel(), np.vstack([high, edges]).ravel()
            )
            iterations = _BOUNDED_ITERATIONS
            # As of one coefficient with half of it in each class.
            penalties[:n][is_common] *= 2.0 if len(classes) == 2 else 1.0
        first = np.zeros(shape)
        if start is not None and len(present) == self._n_classes:
            coefficients, intercepts = start
            known = np.column_stack([coefficients, intercepts]).T
            known = known[:, 1:] - known[:, :1] if is_one else known
            width = coefficients.shape[1]
            first[:width] = known[:width] / units[:width, None]
            first[n] = known[width]
        total, slopes = weights.sum(), np.empty(shape)
        given = {
            "starts": regressors.indptr.astype(np.int64),
            "rows": regressors.indices.astype(np.int32, copy=False),
            "values": regressors.data,
            "units": units,
            "targets": is_class,
            "weights": weights,
            "penalties": penalties,
            # Eight lanes are read at a time.
            "room": np.zeros(is_class.size + 7),
            "slopes": slopes,
        }

        def loss(parameters):
            parameters = parameters.reshape(shape)
            value = additive_loss.penalized_loss(parameters=parameters, **given)
            return value / total, slopes.ravel() / total

        # Threads would change the last bits, and be slower for so few parameters.
        with one_blas_thread():
            result = minimize(
                loss,
                first.ravel(),
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                options={"maxiter": iterations, "gtol": _TOLERANCE, "ftol": _FALL},
            )
        found = result.x.reshape(shape)
        coefficients = np.zeros((self._n_classes, n))
        if is_one:
            found = np.hstack([-found, found]) / 2
        # A class without rows has the intercept of the rarest class.
        intercepts = np.full(self._n_classes, found[n].min())
        coefficients[classes] = found[:n].T * units
        intercepts[classes] = found[n]
        return coefficients, intercepts

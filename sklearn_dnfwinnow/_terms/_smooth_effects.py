"""Smooth effects: splines of numbers and indicators of values, as regressors."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from functools import cached_property

import numpy as np
from scipy.sparse import block_diag, csr_array
from sklearn.preprocessing import SplineTransformer

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
        for f in features:
            totals = np.bincount(cells.codes[f], weights, minlength=cells.n_codes[f])
            basis = _basis(
                totals,
                numbers=numbers[f] if cells.ordered[f] else None,
                with_missing=bool(with_missing[f]),
            )
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


def _basis(totals, numbers, with_missing):
    """Return the regressors of the codes of a feature: (n_codes, n_regressors).

    Parameters
    ----------
    totals : ndarray of shape (n_codes,), float64
        Weight of the rows of each code.
    numbers : ndarray of shape (n_codes,) or None
    with_missing : bool
    """
    n_values = len(totals) - 1
    if numbers is not None and n_values > _FEW:
        ranks = np.cumsum(totals[1:]) - totals[1:] / 2
        total = max(totals[1:].sum(), 1e-300)
        ranks = ranks / total
        # Relative to the largest, so that no square overflows.
        numbers = numbers[1:] / (np.abs(numbers[1:]).max() or 1.0)
        far = numbers - numbers @ totals[1:] / total
        spread = np.sqrt(far**2 @ totals[1:] / total) or 1.0
        linear = np.clip(far / spread, -_FAR, _FAR)
        knots = np.linspace(0.0, 1.0, _KNOTS)[:, None]
        splines = SplineTransformer(knots=knots).fit(ranks[:, None])
        of_values = np.column_stack(
            [splines.transform(ranks[:, None]) @ _TURNED, linear]
        )
    else:
        of_values = np.eye(n_values)
    basis = np.zeros((n_values + 1, of_values.shape[1] + with_missing))
    basis[1:, : of_values.shape[1]] = of_values
    if with_missing:
        basis[0, -1] = 1.0
    return basis


def _reference(basis, totals):
    """Return the regressors of the usual code, or zeros if these leave more zeros.

    Most rows of a column of counts have the same value: relative to it, their
    regressors are zeros, which sparse products skip.
    """
    usual = basis[np.argmax(totals)]
    n_entries = [totals @ np.count_nonzero(b, axis=1) for b in (basis, basis - usual)]
    return usual if n_entries[1] < n_entries[0] else np.zeros_like(usual)

"""Update rule: when a row promotes and demotes classes, and by how much."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from math import exp

#: Parts of a promotion that residuals are rounded to.
RESIDUAL_PARTS = 64


@dataclass(frozen=True)
class UpdateRule:
    """When a row promotes and demotes classes, and by how much.

    Parameters
    ----------
    update : {'margin', 'residual'}
        By whole promotions, of rows that are not on the right side by a margin; or by
        the residuals of all rows, see :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    margin : float
        In logarithms, for 'margin'.
    scale : float
        Factor of log W in the probabilities that residuals are of, for 'residual'.
    """

    update: str = "margin"
    margin: float = 0.0
    scale: float = 1.0

    @property
    def by_residuals(self):
        """Whether classes move by residuals, which takes the sums of all of them."""
        return self.update == "residual"

    @property
    def parts(self):
        """Parts of a promotion that updates are made of."""
        return RESIDUAL_PARTS if self.by_residuals else 1

    def residuals(self, log_sums, label):
        """Return [k == label] - p_k of all classes k, in parts, not yet rounded.

        Parameters
        ----------
        log_sums : list of float
            log W of each class; p is the softmax of their multiples by the scale. A
            threshold counts as a class.
        label : int
            The class of the row.
        """
        top = max(log_sums)
        # The exponential function of the kernels, bit for bit.
        shares = [exp(self.scale * (value - top)) for value in log_sums]
        total = sum(shares)
        return [
            self.parts * ((k == label) - share / total)
            for k, share in enumerate(shares)
        ]

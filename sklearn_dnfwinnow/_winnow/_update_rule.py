"""Update rule: when a row promotes and demotes classes, and by how much."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

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

    update: str
    margin: float
    scale: float

    @property
    def parts(self):
        """Parts of a promotion that updates are made of."""
        return RESIDUAL_PARTS if self.update == "residual" else 1

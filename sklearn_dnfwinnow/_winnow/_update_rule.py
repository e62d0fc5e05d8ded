"""Update rule: the samples that promote and demote classes, and the size of updates."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

#: Parts of a promotion that residuals are rounded to.
RESIDUAL_PARTS = 64


@dataclass(frozen=True)
class UpdateRule:
    """The samples that promote and demote classes, and the size of updates.

    Parameters
    ----------
    update : {'margin', 'residual'}
        By whole promotions, for samples without the required margin; or by the
        residuals of all samples, see :class:`~sklearn_dnfwinnow.DNFWinnowClassifier`.
    margin : float
        Minimum margin in logarithms, for 'margin'.
    scale : float
        Factor of log W in the probabilities of the residuals, for 'residual'.
    """

    update: str = "margin"
    margin: float = 0.0
    scale: float = 1.0

    @property
    def by_residuals(self):
        """Whether updates are residuals, which require the sums of all classes."""
        return self.update == "residual"

    @property
    def parts(self):
        """Number of parts of a promotion, the units of updates."""
        return RESIDUAL_PARTS if self.by_residuals else 1

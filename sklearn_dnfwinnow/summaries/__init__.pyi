# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["MonteCarloMessage", "message_from_monte_carlo", "representative_draws"]

@dataclass(frozen=True, eq=False, repr=False)
class MonteCarloMessage:
    regions: list[NDArray[np.int64]]
    representatives: NDArray[np.int64]
    lengths: NDArray[np.float64]
    weights: NDArray[np.float64]
    divergences: NDArray[np.float64]

def message_from_monte_carlo(
    log_likelihoods: ArrayLike,
    divergence: ArrayLike | Callable[[NDArray[np.int64], int], ArrayLike],
    *,
    search: Literal["exhaustive", "sequential"] = "exhaustive",
) -> MonteCarloMessage: ...
def representative_draws(
    estimator: Any, *, search: Literal["exhaustive", "sequential"] = "exhaustive"
) -> MonteCarloMessage: ...

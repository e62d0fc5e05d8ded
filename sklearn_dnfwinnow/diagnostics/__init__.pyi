# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from sklearn_dnfwinnow.samplers import MarkovChain
from sklearn_dnfwinnow.sums import WeightedSum

__all__ = [
    "ChainDiagnostics",
    "ChainDiagnosticsDisplay",
    "SampleSize",
    "diagnose_chains",
    "diagnose_weighted_sum",
    "sample_size",
]

@dataclass(frozen=True, eq=False)
class ChainDiagnostics:
    weighted_sum: WeightedSum
    from_heavy: WeightedSum
    alphas: NDArray[np.float64] = ...
    log_ratios: NDArray[np.float64] = ...
    std_errors: NDArray[np.float64] = ...
    acceptance: NDArray[np.float64] = ...
    swap_rates: NDArray[np.float64] = ...
    autocorrelation_times: NDArray[np.float64] = ...
    effective_sample_sizes: NDArray[np.float64] = ...
    relative_variances: NDArray[np.float64] = ...
    burn_in: int = ...
    n_steps: int = ...

    @property
    def effective_sample_size(self) -> float: ...
    @property
    def distance_of_starts(self) -> float: ...
    @property
    def complaints(self) -> list[str]: ...
    @property
    def too_short(self) -> bool: ...

class ChainDiagnosticsDisplay:
    diagnostics: NDArray[np.object_]
    figure_: Figure
    axes_: NDArray[np.object_]

    def __init__(
        self, diagnostics: ChainDiagnostics | Sequence[Any] | NDArray[np.object_]
    ) -> None: ...
    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, *, axes: Sequence[Axes] | None = None
    ) -> Self: ...
    def plot(self, axes: Sequence[Axes] | None = None) -> Self: ...

@dataclass(frozen=True)
class SampleSize:
    n_samples: int
    variation_distance: float
    n_runs: int
    burn_in: int | None = None
    n_steps: int | None = None

def diagnose_chains(estimator: Any, X: Any) -> NDArray[np.object_]: ...
def diagnose_weighted_sum(
    agreements: ArrayLike,
    net_promotion_counts: ArrayLike,
    *,
    alpha: float = 1.5,
    literal_weight: float = 1.0,
    sampler: Literal["metropolis", "gibbs", "metropolized_gibbs"]
    | MarkovChain = "gibbs",
    random_state: int | np.random.RandomState | None = None,
) -> ChainDiagnostics: ...
def sample_size(
    epsilon: float,
    n_rungs: int,
    *,
    ladder_step: float = 1.0,
    delta: float = 0.03,
    relaxation_time: float | None = None,
    log_weight_range: float = 0.0,
) -> SampleSize: ...

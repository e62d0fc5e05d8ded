# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_dnfwinnow.samplers import Sampler
from sklearn_dnfwinnow.samplers import _Name as _SamplerName

__all__ = ["WeightedSum", "log_weighted_sum"]

@dataclass(frozen=True)
class WeightedSum:
    log_value: float
    std_error: float
    exact: bool
    sampler: str
    n_states: int = 0
    n_replicates: int = 0
    n_chains: int = 0
    n_simulated: int = 0
    n_ladder: int = 0
    _count: Callable[[], Any] | None = None

    @cached_property
    def density(self) -> dict[int, float] | None: ...

def log_weighted_sum(
    agreements: ArrayLike,
    net_promotion_counts: ArrayLike,
    *,
    alpha: float = 1.5,
    literal_weight: float = 1.0,
    sampler: _SamplerName | Sampler = "auto",
    max_term_size: int | None = None,
    random_state: int | np.random.RandomState | None = None,
) -> WeightedSum: ...

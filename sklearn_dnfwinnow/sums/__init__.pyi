# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["CHAINS", "SAMPLERS", "WeightedSum", "log_weighted_sum"]

CHAINS: tuple[str, ...]
SAMPLERS: tuple[str, ...]

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
    exponents: ArrayLike,
    *,
    alpha: float = 1.5,
    term_prior: float = 1.0,
    sampler: Literal[
        "auto",
        "exact",
        "frontier",
        "brute_force",
        "metropolis",
        "gibbs",
        "metropolized_gibbs",
    ] = "auto",
    max_term_size: int | None = None,
    max_states: int | Literal["auto"] = "auto",
    n_replicates: int = 8,
    tempering: bool = False,
    swap_probability: float = 0.9,
    n_steps: int | Literal["auto"] = "auto",
    burn_in: int | Literal["auto"] = "auto",
    ladder_step: float = 1.0,
    ladder_scale: Literal["sum", "max", "range"] = "range",
    random_state: int | np.random.RandomState | None = None,
) -> WeightedSum: ...

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from sklearn_dnfwinnow.sums import WeightedSum

__all__ = [
    "SAMPLERS",
    "Auto",
    "BruteForce",
    "Engine",
    "Exact",
    "Frontier",
    "Gibbs",
    "MarkovChain",
    "Metropolis",
    "MetropolizedGibbs",
    "Sampler",
    "Table",
]

_Name: TypeAlias = Literal[
    "auto",
    "table",
    "exact",
    "frontier",
    "brute_force",
    "metropolis",
    "gibbs",
    "metropolized_gibbs",
]
_States: TypeAlias = int | Literal["auto"]

SAMPLERS: dict[str, type[Sampler]]

@dataclass(frozen=True, kw_only=True)
class Engine:
    max_term_size: int | None = None

    def log_sum(
        self, problem: Any, log_alpha: float, log_beta: float, stream: int
    ) -> WeightedSum: ...
    def exceeds(
        self,
        problem: Any,
        log_alpha: float,
        log_beta: float,
        stream: int,
        log_threshold: float,
        guess: bool,
    ) -> tuple[bool, WeightedSum]: ...
    def in_full(self) -> Engine: ...
    def cost_bounds(
        self, n: int, m: int, total: float, log_alpha: float
    ) -> tuple[float, float]: ...
    def check_rows(
        self, rows: NDArray[Any], examples: NDArray[Any], net_counts: NDArray[Any]
    ) -> None: ...
    def check_training(self, rows: NDArray[Any], examples: NDArray[Any]) -> None: ...

class Sampler(BaseEstimator):
    name: str
    term_by_term: bool
    table_required: bool
    prefers_exact: bool
    takes_max_term_size: bool
    runs_chains: bool

    def engine(self, max_term_size: int | None = None) -> Engine: ...
    @classmethod
    def paper(cls) -> Self: ...

class BruteForce(Sampler):
    def engine(self, max_term_size: int | None = None) -> Engine: ...

class Exact(Sampler):
    def __init__(self, *, max_states: _States = "auto") -> None: ...
    def engine(self, max_term_size: int | None = None) -> Engine: ...

class Frontier(Sampler):
    def __init__(
        self, *, max_states: _States = "auto", n_replicates: int = 8
    ) -> None: ...
    def engine(self, max_term_size: int | None = None) -> Engine: ...

class Auto(Frontier): ...
class Table(Auto): ...

class MarkovChain(Sampler):
    transition: dict[str, bool]

    def __init__(
        self,
        *,
        n_steps: int | Literal["auto"] = "auto",
        burn_in: int | Literal["auto"] = "auto",
        tempering: bool = False,
        swap_probability: float = 0.9,
        ladder_step: float = 1.0,
        ladder_scale: Literal["sum", "max", "range"] = "range",
        early_stop: bool = True,
    ) -> None: ...
    def engine(self, max_term_size: int | None = None) -> Engine: ...
    def climb(self, **ladder: Any) -> tuple[float, int, int]: ...
    @classmethod
    def paper(cls) -> Self: ...

class Metropolis(MarkovChain): ...
class Gibbs(MarkovChain): ...
class MetropolizedGibbs(MarkovChain): ...

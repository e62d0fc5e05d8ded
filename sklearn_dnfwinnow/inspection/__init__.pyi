# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self, overload

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame, Series

from sklearn_dnfwinnow.rules import DNF, DNFClassifier, Term

__all__ = [
    "AdditiveShare",
    "Counterfactual",
    "Counterfactuals",
    "Explanation",
    "ExplanationDisplay",
    "FeatureEffect",
    "FeatureEffectDisplay",
    "InteractionExplanation",
    "InteractionExplanationDisplay",
    "InteractionsDisplay",
    "ShapleyValues",
    "ShapleyValuesDisplay",
    "TermsDisplay",
    "ValidationDisplay",
    "additive_share",
    "counterfactuals",
    "explain",
    "explain_interactions",
    "export_text",
    "feature_effect",
    "interactions",
    "report",
    "sample_coefficients",
    "shapley_interactions",
    "shapley_values",
    "terms",
    "to_dnf",
    "to_rules",
]

@dataclass(frozen=True, eq=False)
class AdditiveShare:
    share: float
    class_shares: NDArray[np.float64] | None
    additive: NDArray[np.float64]
    rest: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    n_features: int
    n_effects: int
    n_distinct: int
    classes: NDArray[Any] | None
    class_of_interest: Hashable = None
    against: Hashable = None

    @property
    def title(self) -> str: ...
    @property
    def chance(self) -> float: ...
    def to_frame(self) -> DataFrame: ...

class _Change(NamedTuple):
    feature: str
    old: Any
    new: Any
    text: str

@dataclass(frozen=True, eq=False)
class Counterfactual:
    changes: tuple[_Change, ...]
    prediction: Any
    cost: float
    scores: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    exact: bool

    @property
    def features(self) -> tuple[str, ...]: ...

@dataclass(frozen=True, eq=False)
class Counterfactuals(Sequence[Counterfactual]):
    row: int
    prediction: Any
    values: dict[str, Any]
    found: tuple[Counterfactual, ...]
    note: str
    transformed_by: tuple[str, ...] = ()

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Counterfactual: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Counterfactual, ...]: ...
    def to_frame(self) -> DataFrame: ...

@dataclass(frozen=True, eq=False)
class Explanation:
    row: int
    classes: NDArray[Any]
    scores: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    scale: float
    n_listed: int
    records: list[dict[str, Any]]
    features: tuple[str, ...]
    values: tuple[str | None, ...]
    feature_shares: NDArray[np.float64]
    share_errors: NDArray[np.float64]
    transformed_by: tuple[str, ...] = ()
    method: str = "leave_one_out"
    shapley_values: NDArray[np.float64] | None = None
    base_values: NDArray[np.float64] | None = None
    shapley_errors: NDArray[np.float64] | None = None

    @property
    def prediction(self) -> Any: ...
    @property
    def ranking(self) -> NDArray[np.intp]: ...
    @property
    def probabilities(self) -> NDArray[np.float64]: ...
    @property
    def log_odds(self) -> float: ...
    @property
    def log_odds_error(self) -> float: ...
    @property
    def terms(self) -> DataFrame | Any: ...
    @property
    def base_value(self) -> float | None: ...
    @property
    def feature_effects(self) -> NDArray[np.float64]: ...
    @property
    def effect_errors(self) -> NDArray[np.float64]: ...
    def of_class(self, class_: Hashable) -> list[dict[str, Any]]: ...

@dataclass(frozen=True, eq=False)
class FeatureEffect:
    feature: str
    cut_points: NDArray[np.float64] | None
    values: NDArray[Any] | None
    labels: tuple[str, ...]
    effects: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    counts: NDArray[np.float64]
    missing_effect: NDArray[np.float64]
    missing_error: NDArray[np.float64]
    n_missing: float
    base_values: NDArray[np.float64]
    data: NDArray[Any]
    sample_weight: NDArray[np.float64]
    classes: NDArray[Any] | None
    class_of_interest: Hashable = None
    against: Hashable = None
    intervals: NDArray[np.float64] | None = None
    missing_interval: NDArray[np.float64] | None = None
    coverage: float | None = None

    @property
    def title(self) -> str: ...
    @property
    def is_numeric(self) -> bool: ...
    def to_frame(self) -> DataFrame: ...

@dataclass(frozen=True, eq=False)
class InteractionExplanation:
    row: int
    classes: NDArray[Any]
    probabilities: NDArray[np.float64]
    probability_intervals: NDArray[np.float64]
    coverage: float
    log_odds: float
    log_odds_interval: NDArray[np.float64]
    records: list[dict[str, Any]]
    rest: dict[str, Any]
    unseen: NDArray[np.float64]
    features: tuple[str, ...]
    values: tuple[str | None, ...]
    feature_effects: NDArray[np.float64]
    effect_intervals: NDArray[np.float64]
    base_value: float
    transformed_by: tuple[str, ...] = ()

    @property
    def prediction(self) -> Any: ...
    @property
    def ranking(self) -> NDArray[np.intp]: ...
    @property
    def terms(self) -> DataFrame | Any: ...

@dataclass(frozen=True, eq=False)
class ShapleyValues:
    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    std_errors: NDArray[np.float64]
    data: NDArray[np.object_]
    feature_names: tuple[str, ...]
    classes: NDArray[Any] | None
    class_of_interest: Hashable = None
    against: Hashable = None

    @property
    def title(self) -> str: ...
    def feature_importances(
        self, sample_weight: ArrayLike | None = None
    ) -> Series[float] | Any: ...
    def to_frame(self) -> DataFrame: ...
    def to_shap(self) -> Any: ...

class TermsDisplay:
    records: list[dict[str, Any]]
    classes: NDArray[Any]
    class_of_interest: Hashable
    figure_: Figure
    axes_: NDArray[np.object_]

    def __init__(
        self,
        records: list[dict[str, Any]],
        classes: ArrayLike,
        class_of_interest: Hashable = None,
    ) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        class_of_interest: Hashable = None,
        top: int = 10,
        sample_weight: ArrayLike | None = None,
        non_redundant: bool = False,
        measure: str = "weight",
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    def plot(
        self, ax: Axes | Sequence[Axes] | None = None, *, measure: str = "weight"
    ) -> Self: ...

class ExplanationDisplay:
    explanation: Explanation
    figure_: Figure
    ax_: Axes
    terms_ax_: Axes | None

    def __init__(self, explanation: Explanation) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        row: int = 0,
        *,
        top: int = 5,
        non_redundant: bool = False,
        n_classes: int | None = 2,
        method: str = "auto",
        background: Any = None,
        n_permutations: int = 100,
        n_features: int = 10,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    @classmethod
    def from_explanation(
        cls,
        explanation: Explanation,
        *,
        n_classes: int | None = None,
        n_features: int = 10,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        n_classes: int | None = None,
        n_features: int = 10,
    ) -> Self: ...

class ShapleyValuesDisplay:
    found: ShapleyValues
    figure_: Figure
    ax_: Axes
    values_ax_: Axes | None

    def __init__(self, found: ShapleyValues) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        class_of_interest: Hashable = None,
        against: Hashable = None,
        background: Any = None,
        n_permutations: int = 100,
        n_features: int = 10,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    @classmethod
    def from_values(
        cls,
        found: ShapleyValues,
        *,
        n_features: int = 10,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    def plot(
        self, ax: Axes | Sequence[Axes] | None = None, *, n_features: int = 10
    ) -> Self: ...

class FeatureEffectDisplay:
    found: FeatureEffect
    figure_: Figure
    ax_: Axes
    counts_ax_: Axes | None

    def __init__(self, found: FeatureEffect) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        feature: str | int,
        *,
        class_of_interest: Hashable = None,
        against: Hashable = None,
        sample_weight: ArrayLike | None = None,
        coverage: float = 0.9,
        n_bars: int = 40,
        n_values: int = 20,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    @classmethod
    def from_effect(
        cls,
        found: FeatureEffect,
        *,
        n_bars: int = 40,
        n_values: int = 20,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        n_bars: int = 40,
        n_values: int = 20,
    ) -> Self: ...

class InteractionsDisplay:
    records: list[dict[str, Any]]
    classes: NDArray[Any]
    coverage: float
    figure_: Figure
    axes_: NDArray[np.object_]

    def __init__(
        self, records: list[dict[str, Any]], classes: ArrayLike, coverage: float
    ) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        class_of_interest: Hashable = None,
        top: int = 10,
        coverage: float = 0.9,
        ax: Axes | Sequence[Axes] | None = None,
    ) -> Self: ...
    def plot(self, ax: Axes | Sequence[Axes] | None = None) -> Self: ...

class InteractionExplanationDisplay:
    explanation: InteractionExplanation
    figure_: Figure
    axes_: NDArray[np.object_]

    def __init__(self, explanation: InteractionExplanation) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        row: int = 0,
        *,
        top: int = 5,
        coverage: float = 0.9,
        n_features: int = 10,
        ax: Sequence[Axes] | None = None,
    ) -> Self: ...
    @classmethod
    def from_explanation(
        cls,
        explanation: InteractionExplanation,
        *,
        n_features: int = 10,
        ax: Sequence[Axes] | None = None,
    ) -> Self: ...
    def plot(
        self, ax: Sequence[Axes] | None = None, *, n_features: int = 10
    ) -> Self: ...

class ValidationDisplay:
    validation: Mapping[str, ArrayLike]
    figure_: Figure
    ax_: Axes

    def __init__(self, validation: Mapping[str, ArrayLike]) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        kind: str = "lines",
        x: str | None = None,
        y: str | None = None,
        ax: Axes | None = None,
    ) -> Self: ...
    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "lines",
        x: str | None = None,
        y: str | None = None,
    ) -> Self: ...

# Estimators may be classifiers, pipelines and searches; tables are arrays and frames.

def terms(
    estimator: Any,
    class_of_interest: Hashable = None,
    top: int = 10,
    *,
    X: Any = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    X_test: Any = None,
    y_test: ArrayLike | None = None,
    sample_weight_test: ArrayLike | None = None,
    non_redundant: bool = False,
) -> DataFrame | Any: ...
def additive_share(
    estimator: Any, X: Any, *, sample_weight: ArrayLike | None = None
) -> AdditiveShare: ...
def counterfactuals(
    estimator: Any,
    X: Any,
    *,
    class_of_interest: Hashable = None,
    n: int = 3,
    weights: Mapping[str, float] | ArrayLike | None = None,
    fixed: Sequence[str | int] = (),
    max_changes: int | None = None,
    max_work: int = 262144,
) -> list[Counterfactuals]: ...
def explain(
    estimator: Any,
    X: Any,
    top: int = 5,
    *,
    non_redundant: bool = False,
    n_classes: int | None = 2,
    method: str = "auto",
    background: Any = None,
    n_permutations: int = 100,
) -> list[Explanation]: ...
def interactions(
    estimator: Any,
    class_of_interest: Hashable = None,
    top: int = 10,
    *,
    coverage: float = 0.9,
) -> DataFrame | Any: ...
def explain_interactions(
    estimator: Any, X: Any, top: int = 5, *, coverage: float = 0.9
) -> list[InteractionExplanation]: ...
def sample_coefficients(
    estimator: Any, terms: Iterable[str | Term]
) -> NDArray[np.float64]: ...
def to_dnf(
    estimator: Any,
    class_of_interest: Hashable = None,
    n_terms: int | str = "auto",
    *,
    X: Any = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    max_term_size: int | str = "auto",
    max_literals: int | None = None,
    min_precision: float = 0.0,
    min_support: float = 0.0,
    price: float | str = "auto",
    miss_cost: float | str = "auto",
    max_time: float | None = None,
) -> DNF: ...
def to_rules(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    otherwise: Any = None,
    smoothing: float = 1.0,
    n_terms: int | str = "auto",
    max_term_size: int = 8,
    max_literals: int | None = None,
    min_precision: float = 0.0,
    min_support: float = 1,
    price: float | str = "auto",
    class_weight: Mapping[Any, float] | str | None = None,
    cv: Any = "auto",
    max_time: float | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> DNFClassifier: ...
def export_text(
    estimator: Any,
    *,
    feature_names: ArrayLike | None = None,
    class_names: ArrayLike | None = None,
    class_of_interest: Hashable = None,
    top: int = 10,
    decimals: int = 2,
    non_redundant: bool = False,
) -> str: ...
def shapley_values(
    estimator: Any,
    X: Any,
    *,
    class_of_interest: Hashable = None,
    against: Hashable = None,
    background: Any = None,
    n_permutations: int = 100,
) -> ShapleyValues: ...
def shapley_interactions(
    estimator: Any,
    X: Any,
    *,
    class_of_interest: Hashable = None,
    against: Hashable = None,
    background: Any = None,
) -> NDArray[np.float64]: ...
def feature_effect(
    estimator: Any,
    X: Any,
    feature: str | int,
    *,
    class_of_interest: Hashable = None,
    against: Hashable = None,
    sample_weight: ArrayLike | None = None,
    coverage: float = 0.9,
) -> FeatureEffect: ...
def report(
    estimator: Any,
    X_test: Any,
    y_test: ArrayLike,
    path: str | PathLike[str],
    *,
    X: Any = None,
    y: ArrayLike | None = None,
    title: str | None = None,
    n_features: int = 6,
) -> Path: ...

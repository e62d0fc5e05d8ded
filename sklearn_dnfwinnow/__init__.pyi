# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    OneToOneFeatureMixin,
    TransformerMixin,
)
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils.metadata_routing import MetadataRequest, MetadataRouter

from sklearn_dnfwinnow.inspection import (
    Counterfactuals,
    Explanation,
    InteractionExplanation,
)
from sklearn_dnfwinnow.rules import DNF, Term
from sklearn_dnfwinnow.rules import DNFClassifier as DNFClassifier
from sklearn_dnfwinnow.samplers import Sampler
from sklearn_dnfwinnow.samplers import _Name as _SamplerName

__all__ = [
    "BayesianInteractionClassifier",
    "ClassEntropyDiscretizer",
    "DNFClassifier",
    "DNFWinnowClassifier",
    "DiscretizationDisplay",
    "merge",
]

__version__: str

# Arrays, nested sequences and data frames, with values of any type.
_Table: TypeAlias = Any
_Request: TypeAlias = bool | str | None

class DNFWinnowClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    estimators_: list[DNFWinnowClassifier]
    estimator_weights_: NDArray[np.float64]
    categories_: list[NDArray[Any]]
    discretizer_: ClassEntropyDiscretizer | None
    stored_examples_: NDArray[np.int32]
    net_promotion_counts_: NDArray[np.int64]
    denominator_: int
    log_threshold_: float
    update_: Literal["margin", "residual"]
    margin_: float
    alpha_: float
    literal_weight_: float
    screening_: float | None
    active_features_: NDArray[np.intp]
    literals_: Literal["equal", "ordered", "intervals"]
    missing_: Literal["unspecified", "category", "most_frequent"]
    conditions_: Any
    max_term_size_: int | None
    n_iter_: int
    n_updates_: NDArray[np.int64]
    scale_: float
    intercept_: NDArray[np.float64]
    validation_: dict[str, NDArray[Any]] | None
    chains_: dict[str, int]
    sums_: dict[str, int]

    def __init__(
        self,
        *,
        max_term_size: int | Literal["auto"] | None = "auto",
        literals: Literal["auto", "equal", "ordered", "intervals"] = "auto",
        main_effects: Literal["auto"] | bool = "auto",
        screening: Literal["auto"] | float | None = "auto",
        discretizer: ClassEntropyDiscretizer | Literal["auto"] | None = "auto",
        update: Literal["auto", "margin", "residual"] = "auto",
        margin: float | Literal["auto"] = "auto",
        scale: float | Literal["auto"] = "auto",
        alpha: float | Literal["auto"] = "auto",
        literal_weight: float | Literal["auto"] = "auto",
        missing: Literal["unspecified", "category", "most_frequent"] = "unspecified",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        monotonic_cst: ArrayLike | Mapping[Any, Any] | None = None,
        forbidden: Collection[Any] | None = None,
        initial_terms: Collection[tuple[Any, Any, float]] | None = None,
        candidates: Literal["auto"] | Collection[Mapping[str, Any]] = "auto",
        n_estimators: int | Literal["auto"] = "auto",
        cv: int | Literal["auto"] | BaseCrossValidator | Iterable[Any] | None = "auto",
        max_iter: int | Literal["auto"] = "auto",
        average: bool = True,
        max_stored_examples: int | None = None,
        multi_class: Literal["joint", "ovr"] = "joint",
        threshold: float | Literal["auto"] = "auto",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        sampler: _SamplerName | Sampler = "auto",
    ) -> None: ...
    @classmethod
    def paper_settings(cls, sampler: _SamplerName | None = None) -> dict[str, Any]: ...
    def fit(
        self,
        X: _Table,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def partial_fit(
        self,
        X: _Table,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self: ...
    def log_weighted_sums(self, X: _Table) -> NDArray[np.float64]: ...
    def decision_function(self, X: _Table) -> NDArray[np.float64]: ...
    def predict(self, X: _Table) -> NDArray[Any]: ...
    def predict_proba(self, X: _Table) -> NDArray[np.float64]: ...
    def terms(
        estimator,
        class_of_interest: Hashable = None,
        top: int = 10,
        *,
        X: _Table = None,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        X_test: _Table = None,
        y_test: ArrayLike | None = None,
        sample_weight_test: ArrayLike | None = None,
        non_redundant: bool = False,
    ) -> DataFrame | Any: ...
    def explain(
        estimator,
        X: _Table,
        top: int = 5,
        *,
        non_redundant: bool = False,
        n_classes: int | None = 2,
        method: str = "auto",
        background: Any = None,
        n_permutations: int = 100,
    ) -> list[Explanation]: ...
    def counterfactuals(
        estimator,
        X: _Table,
        *,
        class_of_interest: Hashable = None,
        n: int = 3,
        weights: Mapping[str, float] | ArrayLike | None = None,
        fixed: Sequence[str | int] = (),
        max_changes: int | None = None,
        max_work: int = 262144,
    ) -> list[Counterfactuals]: ...
    def to_dnf(
        estimator,
        class_of_interest: Hashable = None,
        n_terms: int | str = "auto",
        *,
        X: _Table = None,
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
        estimator,
        X: _Table,
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
    def get_metadata_routing(self) -> MetadataRequest | MetadataRouter: ...
    def set_params(self, **params: Any) -> Self: ...
    def set_fit_request(self, *, sample_weight: _Request = ...) -> Self: ...
    def set_partial_fit_request(
        self, *, classes: _Request = ..., sample_weight: _Request = ...
    ) -> Self: ...
    def set_score_request(self, *, sample_weight: _Request = ...) -> Self: ...

class BayesianInteractionClassifier(ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    categories_: list[NDArray[Any]]
    discretizer_: ClassEntropyDiscretizer | None
    missing_: Literal["unspecified", "category", "most_frequent"]
    max_order_: int
    n_terms_: int
    n_groups_: int
    group_sizes_: NDArray[np.float64]
    group_orders_: NDArray[np.int64]
    scales_: NDArray[np.float64]
    draws_: dict[str, NDArray[Any]]
    r_hat_: dict[str, NDArray[np.float64]]
    ess_: dict[str, NDArray[np.float64]]
    n_sweeps_: int

    def __init__(
        self,
        *,
        interactions: Literal["all", "nested"] = "all",
        max_order: int | Literal["auto"] = "auto",
        discretizer: ClassEntropyDiscretizer | Literal["auto"] | None = "auto",
        missing: Literal["unspecified", "category", "most_frequent"] = "unspecified",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        prior: Literal["cauchy", "normal"] = "normal",
        scale: float = 1.0,
        hyperprior: Literal[
            "half_t", "half_cauchy", "log_normal", "inverse_gamma"
        ] = "half_t",
        hyperprior_shape: float = 1.0,
        intercept_scale: float = 2.5,
        fit_intercept_scale: bool = False,
        n_chains: int = 4,
        n_draws: int = 200,
        burn_in: int = 100,
        max_rhat: float = 1.01,
        min_ess: float = 400,
        max_sweeps: int = 10_000,
        max_time: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        sampler: Literal["auto", "hmc", "gibbs", "slice"] = "auto",
    ) -> None: ...
    @classmethod
    def paper_settings(cls) -> dict[str, Any]: ...
    def fit(
        self, X: _Table, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self: ...
    def sample_proba(self, X: _Table) -> NDArray[np.float64]: ...
    def predict_interval(
        self, X: _Table, coverage: float = 0.9
    ) -> NDArray[np.float64]: ...
    def sample_y(self, X: _Table) -> NDArray[Any]: ...
    def to_inference_data(self, X: _Table, y: ArrayLike) -> Any: ...
    def predict_proba(self, X: _Table) -> NDArray[np.float64]: ...
    def predict_log_proba(self, X: _Table) -> NDArray[np.float64]: ...
    def decision_function(self, X: _Table) -> NDArray[np.float64]: ...
    def predict(self, X: _Table) -> NDArray[Any]: ...
    def terms(
        estimator,
        class_of_interest: Hashable = None,
        top: int = 10,
        *,
        coverage: float = 0.9,
    ) -> DataFrame | Any: ...
    def explain(
        estimator, X: _Table, top: int = 5, *, coverage: float = 0.9
    ) -> list[InteractionExplanation]: ...
    def sample_coefficients(
        estimator, terms: Iterable[str | Term]
    ) -> NDArray[np.float64]: ...
    def set_fit_request(self, *, sample_weight: _Request = ...) -> Self: ...
    def set_score_request(self, *, sample_weight: _Request = ...) -> Self: ...

class ClassEntropyDiscretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    cut_points_: list[NDArray[np.float64] | None]
    n_intervals_: NDArray[np.int64]
    average_class_entropy_: NDArray[np.float64]
    entropy_path_: list[NDArray[np.float64] | None]
    interval_labels_: list[NDArray[Any] | None]
    representatives_: list[NDArray[np.float64] | None]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init__(
        self,
        *,
        max_intervals: int = 10,
        selection: Literal["max", "mdl", "balanced", "quantiles"] = "max",
        columns: Literal["numeric", "all"] | ArrayLike = "numeric",
        min_samples_interval: float = 1,
        max_segments: int | None = 10_000,
        n_jobs: int | None = None,
    ) -> None: ...
    def fit(
        self, X: _Table, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self: ...
    def transform(self, X: _Table) -> Any: ...
    def inverse_transform(self, X: _Table) -> Any: ...
    def set_fit_request(self, *, sample_weight: _Request = ...) -> Self: ...

class DiscretizationDisplay:
    edges: NDArray[np.float64]
    counts: NDArray[np.float64]
    classes: NDArray[Any]
    cut_points: NDArray[np.float64]
    entropy_path: NDArray[np.float64]
    feature_name: str | None
    n_missing: float
    log: bool
    figure_: Figure
    ax_: Axes
    path_ax_: Axes | None

    def __init__(
        self,
        *,
        edges: NDArray[np.float64],
        counts: NDArray[np.float64],
        classes: NDArray[Any],
        cut_points: NDArray[np.float64],
        entropy_path: NDArray[np.float64],
        feature_name: str | None = None,
        n_missing: float = 0,
        log: bool = False,
    ) -> None: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: _Table,
        y: ArrayLike,
        *,
        column: str | int,
        sample_weight: ArrayLike | None = None,
        n_bars: int = 40,
        log: bool = False,
        ax: Axes | tuple[Axes, Axes] | None = None,
    ) -> Self: ...
    def plot(self, ax: Axes | tuple[Axes, Axes] | None = None) -> Self: ...

def merge(
    models: Sequence[DNFWinnowClassifier], *, how: Literal["mean", "sum"] = "mean"
) -> DNFWinnowClassifier: ...

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias
from typing import Literal as _OneOf

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pandas import DataFrame
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metadata_routing import MetadataRequest, MetadataRouter

__all__ = [
    "DNF",
    "DNFClassifier",
    "DNFSyntaxError",
    "Literal",
    "RuleSummary",
    "Term",
]

_Dialect: TypeAlias = _OneOf["standard", "sqlite", "mysql", "bigquery"]
_Result: TypeAlias = _OneOf["class", "rule"]

class DNFSyntaxError(ValueError):
    line: int
    column: int
    expected: str
    found: str

    def __init__(
        self,
        message: str,
        line: int = 1,
        column: int = 1,
        expected: str = "",
        found: str = "",
    ) -> None: ...
    @classmethod
    def at(
        cls,
        text: str,
        place: int,
        expected: str,
        found: str | None = None,
        advice: str = "",
    ) -> Self: ...

@dataclass(frozen=True)
class Literal:
    column: int
    feature: str
    relation: str
    label: str
    values: tuple[Hashable, ...] | None = None
    intervals: tuple[tuple[float, float], ...] | None = None
    missing: bool = False
    complement: bool = False

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        features: Iterable[str] | None = None,
        values: Any = None,
        like: Any = None,
    ) -> Self: ...
    def to_text(self) -> str: ...
    def holds(self, column: NDArray[Any]) -> NDArray[np.bool_]: ...
    def to_dict(self) -> dict[str, Any]: ...
    @classmethod
    def from_dict(cls, said: dict[str, Any]) -> Self: ...
    def to_python(self, row: str = "row") -> str: ...
    def to_sql(self, *, dialect: _Dialect = "standard") -> str: ...

@dataclass(frozen=True)
class Term:
    literals: tuple[Literal, ...] = ()

    def __len__(self) -> int: ...
    @classmethod
    def parse(
        cls,
        text: str,
        *,
        features: Iterable[str] | None = None,
        values: Any = None,
        like: Any = None,
    ) -> Self: ...
    def to_text(self) -> str: ...
    def without(self, literal: Literal | str | int) -> Self: ...
    def with_literal(
        self,
        literal: Literal | str,
        *,
        features: Iterable[str] | None = None,
        values: Any = None,
    ) -> Self: ...
    def holds(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.bool_]: ...
    def to_dict(self) -> dict[str, Any]: ...
    @classmethod
    def from_dict(cls, said: dict[str, Any]) -> Self: ...
    def to_python(self, row: str = "row") -> str: ...
    def to_sql(self, *, dialect: _Dialect = "standard") -> str: ...

@dataclass(frozen=True)
class DNF:
    terms: tuple[Term, ...]
    class_: Hashable
    otherwise: Any = None
    features: tuple[str, ...] = ()
    scores: dict[str, float] = ...
    transformed_by: tuple[str, ...] = ()

    @property
    def used_features(self) -> list[str]: ...
    @property
    def notice(self) -> str: ...
    @classmethod
    def parse(
        cls,
        text: str,
        class_: Hashable = None,
        otherwise: Any = None,
        *,
        features: Iterable[str] | None = None,
        values: Any = None,
        like: DNF | None = None,
    ) -> Self: ...
    def to_text(self) -> str: ...
    def holds(self, X: Any, *, transformed: bool = False) -> NDArray[np.bool_]: ...
    def apply(self, X: Any, *, transformed: bool = False) -> NDArray[np.object_]: ...
    def evaluate(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        confidence: float = 0.95,
        transformed: bool = False,
    ) -> DataFrame | Any: ...
    def without(self, term: Term | str | int) -> Self: ...
    def with_term(self, term: Term | str, *, values: Any = None) -> Self: ...
    def replace(
        self, old: Term | str | int, new: Term | str, *, values: Any = None
    ) -> Self: ...
    def simplify(
        self,
        X: Any = None,
        *,
        drop: bool = True,
        round_numbers: bool = True,
        transformed: bool = False,
    ) -> Self: ...
    def to_json(self) -> str: ...
    @classmethod
    def from_json(cls, text: str) -> Self: ...
    def to_python(
        self,
        name: str = "predict",
        *,
        result: _Result = "class",
        transformed: bool = False,
    ) -> str: ...
    def to_sql(
        self,
        *,
        dialect: _Dialect = "standard",
        result: _Result = "class",
        transformed: bool = False,
    ) -> str: ...
    def to_pmml(self, *, transformed: bool = False) -> str: ...
    def to_onnx(
        self, *, missing: str = "", result: _Result = "class", transformed: bool = False
    ) -> Any: ...
    def to_markdown(self, measures: Mapping[str, Any] | None = None) -> str: ...
    def to_latex(self, measures: Mapping[str, Any] | None = None) -> str: ...

@dataclass(frozen=True)
class RuleSummary:
    records: list[dict[str, Any]]

    @property
    def table(self) -> DataFrame | Any: ...

class DNFClassifier(ClassifierMixin, BaseEstimator):
    dnf: DNF | str | dict[Any, DNF | str] | None
    otherwise: Any
    smoothing: float
    estimator: Any
    n_terms: int | _OneOf["auto"]
    max_term_size: int
    max_literals: int | None
    min_precision: float
    min_support: float
    price: float | _OneOf["auto"]
    class_weight: Mapping[Any, float] | _OneOf["balanced"] | None
    cv: Any
    max_time: float | None
    random_state: int | np.random.RandomState | None
    n_jobs: int | None
    dnfs_: list[DNF]
    otherwise_: Any
    price_: float
    validation_: list[dict[str, Any]]
    is_timed_out_: bool
    class_counts_: NDArray[np.float64]
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def __init__(
        self,
        dnf: DNF | str | dict[Any, DNF | str] | None = None,
        *,
        otherwise: Any = None,
        smoothing: float = 1.0,
        estimator: Any = None,
        n_terms: int | _OneOf["auto"] = "auto",
        max_term_size: int = 8,
        max_literals: int | None = None,
        min_precision: float = 0.0,
        min_support: float = 1,
        price: float | _OneOf["auto"] = "auto",
        class_weight: Mapping[Any, float] | _OneOf["balanced"] | None = None,
        cv: Any = "auto",
        max_time: float | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> NDArray[Any]: ...
    def predict_proba(self, X: Any) -> NDArray[np.float64]: ...
    def decision_function(self, X: Any) -> NDArray[np.float64]: ...
    def apply(self, X: Any) -> NDArray[np.object_]: ...
    def explain(self, X: Any) -> DataFrame | Any: ...
    def summary(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        confidence: float = 0.95,
    ) -> RuleSummary: ...
    def to_text(self) -> str: ...
    def to_python(self, name: str = "predict", *, result: _Result = "class") -> str: ...
    def to_sql(
        self, *, dialect: _Dialect = "standard", result: _Result = "class"
    ) -> str: ...
    def to_pmml(self) -> str: ...
    def to_onnx(self, *, missing: str = "", result: _Result = "class") -> Any: ...
    def get_metadata_routing(self) -> MetadataRequest | MetadataRouter: ...
    def set_fit_request(self, *, sample_weight: bool | str | None = ...) -> Self: ...
    def set_score_request(self, *, sample_weight: bool | str | None = ...) -> Self: ...

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import Any

__all__ = ["to_onnx", "to_python"]

# The estimator is a classifier, or a pipeline or search with one; `to_onnx` returns an
# onnx.ModelProto.
def to_onnx(
    estimator: Any,
    *,
    missing: str = "",
    max_terms: int = 100_000,
    transformed: bool = False,
    shapley_values: bool = False,
) -> Any: ...
def to_python(
    estimator: Any,
    *,
    max_terms: int = 100_000,
    transformed: bool = False,
    shapley_values: bool = False,
) -> str: ...

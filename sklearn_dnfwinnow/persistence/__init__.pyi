# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from os import PathLike
from typing import Any, overload

__all__ = ["from_json", "to_json"]

@overload
def to_json(estimator: Any, path: None = None) -> str: ...
@overload
def to_json(estimator: Any, path: str | PathLike[str]) -> None: ...
def from_json(
    source: str | bytes | PathLike[str],
    *,
    max_bytes: float = 1073741824,
    max_steps: float = 10000000000,
) -> Any: ...

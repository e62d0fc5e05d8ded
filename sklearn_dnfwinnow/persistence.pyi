# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import Any

__all__ = ["from_json", "to_json"]

def to_json(estimator: Any) -> str: ...
def from_json(text: str) -> Any: ...

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import Bunch

__all__ = [
    "load_annealing",
    "load_auto",
    "load_breast_cancer_ljubljana",
    "load_car",
    "load_house_votes_84",
    "load_monks",
    "load_tic_tac_toe",
    "make_dnf",
    "make_monotone_dnf",
]

_AsFrame: TypeAlias = bool | Literal["auto"]
_RandomState: TypeAlias = int | np.random.RandomState | None
_Features: TypeAlias = NDArray[Any]
_Classes: TypeAlias = NDArray[np.int64]

@overload
def load_annealing(
    *, return_X_y: Literal[False] = False, as_frame: _AsFrame = "auto"
) -> Bunch: ...
@overload
def load_annealing(
    *, return_X_y: Literal[True], as_frame: _AsFrame = "auto"
) -> tuple[Any, Any]: ...
@overload
def load_auto(
    *, return_X_y: Literal[False] = False, as_frame: _AsFrame = "auto"
) -> Bunch: ...
@overload
def load_auto(
    *, return_X_y: Literal[True], as_frame: _AsFrame = "auto"
) -> tuple[Any, Any]: ...
@overload
def load_breast_cancer_ljubljana(
    *, return_X_y: Literal[False] = False, as_frame: _AsFrame = "auto"
) -> Bunch: ...
@overload
def load_breast_cancer_ljubljana(
    *, return_X_y: Literal[True], as_frame: _AsFrame = "auto"
) -> tuple[Any, Any]: ...
@overload
def load_car(
    *, return_X_y: Literal[False] = False, as_frame: _AsFrame = "auto"
) -> Bunch: ...
@overload
def load_car(
    *, return_X_y: Literal[True], as_frame: _AsFrame = "auto"
) -> tuple[Any, Any]: ...
@overload
def load_house_votes_84(
    *, return_X_y: Literal[False] = False, as_frame: _AsFrame = "auto"
) -> Bunch: ...
@overload
def load_house_votes_84(
    *, return_X_y: Literal[True], as_frame: _AsFrame = "auto"
) -> tuple[Any, Any]: ...
@overload
def load_monks(
    problem: Literal[1, 2, 3] = 1,
    *,
    subset: Literal["all", "train", "test"] = "all",
    return_X_y: Literal[False] = False,
    as_frame: _AsFrame = "auto",
) -> Bunch: ...
@overload
def load_monks(
    problem: Literal[1, 2, 3] = 1,
    *,
    subset: Literal["all", "train", "test"] = "all",
    return_X_y: Literal[True],
    as_frame: _AsFrame = "auto",
) -> tuple[Any, Any]: ...
@overload
def load_tic_tac_toe(
    *, return_X_y: Literal[False] = False, as_frame: _AsFrame = "auto"
) -> Bunch: ...
@overload
def load_tic_tac_toe(
    *, return_X_y: Literal[True], as_frame: _AsFrame = "auto"
) -> tuple[Any, Any]: ...
@overload
def make_dnf(
    n_samples: int = 100,
    n_features: int = 10,
    *,
    n_values: int | ArrayLike = 3,
    n_terms: int = 5,
    term_size: int | None = None,
    balanced: bool = True,
    noise: float = 0.0,
    random_state: _RandomState = None,
    return_terms: Literal[False] = False,
) -> tuple[_Features, _Classes]: ...
@overload
def make_dnf(
    n_samples: int = 100,
    n_features: int = 10,
    *,
    n_values: int | ArrayLike = 3,
    n_terms: int = 5,
    term_size: int | None = None,
    balanced: bool = True,
    noise: float = 0.0,
    random_state: _RandomState = None,
    return_terms: Literal[True],
) -> tuple[_Features, _Classes, list[dict[int, int]]]: ...
@overload
def make_monotone_dnf(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_terms: int = 5,
    term_size: int | None = None,
    balanced: bool = True,
    unspecified: float = ...,
    noise: float = 0.0,
    random_state: _RandomState = None,
    return_terms: Literal[False] = False,
) -> tuple[_Features, _Classes]: ...
@overload
def make_monotone_dnf(
    n_samples: int = 100,
    n_features: int = 20,
    *,
    n_terms: int = 5,
    term_size: int | None = None,
    balanced: bool = True,
    unspecified: float = ...,
    noise: float = 0.0,
    random_state: _RandomState = None,
    return_terms: Literal[True],
) -> tuple[_Features, _Classes, list[tuple[int, ...]]]: ...

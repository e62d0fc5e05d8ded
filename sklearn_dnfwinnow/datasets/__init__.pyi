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
    "load_english",
    "load_house_votes_84",
    "load_monks",
    "load_tic_tac_toe",
    "make_customers",
    "make_dnf",
    "make_hidden_markov",
    "make_interactions",
    "make_monotone_dnf",
    "make_windows",
]

_AsFrame: TypeAlias = bool | Literal["auto"]
_RandomState: TypeAlias = int | np.random.RandomState | None
_Features: TypeAlias = NDArray[Any]
_Classes: TypeAlias = NDArray[np.int64]
_Symbols: TypeAlias = NDArray[np.int64]
_Probabilities: TypeAlias = NDArray[np.float64]

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
def load_english(
    *, symbols: Literal["characters", "kinds"] = "characters", merge_other: bool = False
) -> str: ...
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
def make_customers(
    n_samples: int = 4000,
    *,
    target: Literal["churn", "fraud"] = "churn",
    as_frame: _AsFrame = "auto",
    random_state: _RandomState = None,
    return_truth: Literal[False] = False,
) -> tuple[Any, Any]: ...
@overload
def make_customers(
    n_samples: int = 4000,
    *,
    target: Literal["churn", "fraud"] = "churn",
    as_frame: _AsFrame = "auto",
    random_state: _RandomState = None,
    return_truth: Literal[True],
) -> tuple[Any, Any, Bunch]: ...
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
def make_hidden_markov(
    n_samples: int = 1000,
    order: int = 10,
    *,
    n_states: int = 8,
    n_symbols: int = 2,
    p_next: float = 0.95,
    p_symbol: float = 0.95,
    random_state: _RandomState = None,
    return_proba: Literal[False] = False,
) -> tuple[_Symbols, _Classes]: ...
@overload
def make_hidden_markov(
    n_samples: int = 1000,
    order: int = 10,
    *,
    n_states: int = 8,
    n_symbols: int = 2,
    p_next: float = 0.95,
    p_symbol: float = 0.95,
    random_state: _RandomState = None,
    return_proba: Literal[True],
) -> tuple[_Symbols, _Classes, _Probabilities]: ...
@overload
def make_interactions(
    n_samples: int = 100,
    n_features: int = 8,
    *,
    n_values: int | ArrayLike = 3,
    n_classes: int = 2,
    interactions: Literal["all", "nested"] = "all",
    max_order: int | None = None,
    prior: Literal["cauchy", "normal"] = "cauchy",
    widths: float | ArrayLike = 1.0,
    random_state: _RandomState = None,
    return_proba: Literal[False] = False,
) -> tuple[_Symbols, _Classes]: ...
@overload
def make_interactions(
    n_samples: int = 100,
    n_features: int = 8,
    *,
    n_values: int | ArrayLike = 3,
    n_classes: int = 2,
    interactions: Literal["all", "nested"] = "all",
    max_order: int | None = None,
    prior: Literal["cauchy", "normal"] = "cauchy",
    widths: float | ArrayLike = 1.0,
    random_state: _RandomState = None,
    return_proba: Literal[True],
) -> tuple[_Symbols, _Classes, _Probabilities]: ...
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
def make_windows(
    sequence: ArrayLike, order: int
) -> tuple[NDArray[Any], NDArray[Any]]: ...

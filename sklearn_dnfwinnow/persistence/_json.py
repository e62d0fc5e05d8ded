"""JSON: fitted estimators as text or in a file, and back."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
from functools import partial
from pathlib import Path

from sklearn_dnfwinnow._utils._json_values import check, check_keys
from sklearn_dnfwinnow.persistence._cost_limits import check_cost
from sklearn_dnfwinnow.persistence._estimator import from_dict, to_dict

__all__ = ["from_json", "to_json"]

# Of what `to_json` writes; another form gets another number.
_SCHEMA = 1
# Longer strings are no names of files.
_LONGEST_PATH = 4096


def to_json(estimator, path=None):
    """Write a fitted estimator as JSON.

    Parameters
    ----------
    estimator : object
        A fitted DNFWinnowClassifier, BayesianInteractionClassifier, DNFClassifier or
        ClassEntropyDiscretizer; a FunctionTransformer without a function; a Pipeline or
        a ColumnTransformer of these, with 'passthrough' and 'drop', and of each other;
        a search for one of these, such as GridSearchCV, whose `best_estimator_` is
        written; or a FrozenEstimator of one, whose `estimator` is written.

    path : str or path-like, default=None
        File to write to, in UTF-8, in place of any that there is. None returns the
        text.

    Returns
    -------
    text : str or None
        Some bytes for each code of an update, and for each exponent; of a
        BayesianInteractionClassifier 5.3 bytes for each sum of each draw. None if it
        went to a file.

    Raises
    ------
    NotFittedError
        If it is not fitted.
    TypeError
        If it is or contains another estimator, or a class, a value of a column, or a
        parameter is no string, number or boolean.
    ValueError
        If a parameter was set to a value that is not valid, or estimators are nested
        more than 8 deep.

    See Also
    --------
    from_json : Read the estimator.
    sklearn_dnfwinnow.inspection.to_dnf : A short formula, for elsewhere.

    Notes
    -----
    Some parameters are not written, and have their defaults in what is read: `n_jobs`,
    since the number of threads depends on the machine; a `random_state` that is no
    integer, while the seed of the model is kept; `verbose`, `memory` and
    `transform_input` of pipelines and column transformers. Columns that a function
    selected, such as `make_column_selector`, are written as the columns that it
    selected.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.persistence import from_json, to_json
    >>> X = [["sunny", "warm"], ["sunny", "cold"], ["rainy", "warm"], ["rainy", "cold"]]
    >>> y = ["out", "in", "in", "in"]
    >>> text = to_json(DNFWinnowClassifier(random_state=0).fit(X, y))
    >>> from_json(text).predict([["sunny", "warm"], ["rainy", None]])
    array(['out', 'in'], dtype='<U3')
    """
    state = {"schema": _SCHEMA, "estimator": to_dict(estimator)}
    text = json.dumps(state, allow_nan=False)
    if path is None:
        return text
    Path(path).write_text(text, encoding="utf-8")
    return None


def from_json(source, *, max_bytes=2**30, max_steps=10**10):
    """Read an estimator that `to_json` wrote.

    Nothing in the text is executed, whoever wrote it.

    Parameters
    ----------
    source : str or path-like
        The text, or the file that holds it as a `pathlib.Path`. A string is always
        taken as text.

    max_bytes : int, default=2**30
        Most memory that a classifier may take to score a row in a class, by the
        parameters of its sampler: `max_states`, `ladder_step` and `tempering`. The
        default is 1 GiB. Each thread takes as much.

    max_steps : int, default=10**10
        Most elementary steps that a classifier may take to score a row in a class, by
        `max_term_size` and the parameters of its sampler: `max_states`, `n_replicates`,
        `n_steps`, `burn_in` and `ladder_step`. A step takes from 1 to 100 nanoseconds.

    Returns
    -------
    estimator : object
        Fitted, of the kinds that `to_json` takes; for a search or a FrozenEstimator,
        the estimator in it.

    Raises
    ------
    ValueError
        If the text is no JSON, or not of the form that `to_json` writes; or if a
        classifier may take more memory or steps than these limits.
    OSError
        If the file cannot be read.

    Notes
    -----
    Both limits are for predictions, and for `partial_fit`, of a DNFWinnowClassifier.
    Of a BayesianInteractionClassifier, groups of interactions are found again; there
    may be as many as the text has draws of. Parameters that only `fit`
    uses, such as `max_iter`, `n_folds`, `max_intervals` and `max_segments`, are not
    limited: look at them before you call `fit` on an estimator of someone else.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.persistence import from_json, to_json
    >>> model = DNFWinnowClassifier(random_state=0).fit([["a"], ["b"]], [0, 1])
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "model.json"
    ...     to_json(model, path)
    ...     again = from_json(path)
    >>> again.predict([["b"]])
    array([1])
    """
    if isinstance(source, os.PathLike):
        source = Path(source).read_text(encoding="utf-8")
    try:
        state = json.loads(source, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("Expected an estimator; got too deep a nesting.") from None
    except json.JSONDecodeError as error:
        if _is_file(source):
            raise ValueError(
                f"{source!r} is no JSON text, but the name of a file: pass "
                f"pathlib.Path({source!r}) to read it."
            ) from error
        raise
    check_keys(state, ("schema", "estimator"), "an estimator")
    check(state["schema"] == _SCHEMA, f"schema {_SCHEMA}", state["schema"])
    limits = {"max_bytes": max_bytes, "max_steps": max_steps}
    return from_dict(state["estimator"], partial(check_cost, **limits))


def _is_file(text):
    """Return whether a string is the name of a file that exists."""
    if not isinstance(text, str) or len(text) > _LONGEST_PATH:
        return False
    try:
        return os.path.isfile(text)
    except ValueError:  # of a null character
        return False


def _refuse_constant(name):
    """Refuse NaN and infinite numbers."""
    raise ValueError(f"Expected finite numbers; got {name}.")

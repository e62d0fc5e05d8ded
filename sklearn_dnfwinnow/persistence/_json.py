"""JSON: saving fitted estimators as text or to a file, and loading them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import os
from pathlib import Path

from sklearn_dnfwinnow._utils._json_values import check_keys, read_json
from sklearn_dnfwinnow.persistence._budget import Budget
from sklearn_dnfwinnow.persistence._estimators import Estimators

__all__ = ["from_json", "to_json"]

# Version of the format of `to_json`; a changed format gets another number.
_SCHEMA = 2


def to_json(estimator, path=None):
    """Save a fitted estimator as JSON.

    Parameters
    ----------
    estimator : object
        A fitted DNFWinnowClassifier, BayesianInteractionClassifier, DNFClassifier or
        ClassEntropyDiscretizer, or a Pipeline that contains only these, other such
        pipelines and 'passthrough'. For other transformers, column transformers and
        searches, save the fitted classifier alone, or use skops or joblib
        (:ref:`keeping`).

    path : str or path-like, default=None
        File to write, in UTF-8; an existing file is replaced. None returns the text.

    Returns
    -------
    text : str or None
        The JSON text; None if it was written to a file. Its size is a few bytes for
        each code and each net promotion count of a stored example; for a
        BayesianInteractionClassifier, 5.3 bytes for each sum of each draw.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    TypeError
        If the estimator is or contains another kind of estimator. Also if a class, a
        value of a feature, or a parameter is not a string, boolean, finite number or
        integer of 64 bits.
    ValueError
        If a parameter is invalid, pipelines are nested more than 8 levels deep, or a
        classifier averages more than 64 models.

    See Also
    --------
    from_json : Load the estimator.
    sklearn_dnfwinnow.inspection.to_dnf : A short formula for other programs.

    Notes
    -----
    Some parameters are not saved, and have their defaults in the loaded estimator:
    `n_jobs`, because the number of threads depends on the machine; a `random_state`
    that is not an integer, although the seed of the model is saved; a splitter or
    splits in `cv`, which only `fit` uses; and `verbose`, `memory` and
    `transform_input` of pipelines.

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
    state = {"schema": _SCHEMA, "estimator": Estimators().write(estimator, "estimator")}
    text = json.dumps(state, allow_nan=False)
    if path is None:
        return text
    Path(path).write_text(text, encoding="utf-8")
    return None


def from_json(source, *, max_bytes=2**30, max_steps=10**10):
    """Load an estimator that `to_json` saved.

    Nothing in the text is executed, even if the text comes from an untrusted source.

    Parameters
    ----------
    source : str or path-like
        The text, or a file as a `pathlib.Path`. A string is always interpreted as text.

    max_bytes : int, default=2**30
        Maximum memory beyond 50 bytes for each character of the text; the default is 1
        GiB. Three parts count: what a classifier may use to score a sample in a class,
        given `max_states`, `ladder_step` and `tempering` of its sampler; its literals
        and conditions on terms; and groups of interactions. Each thread that scores
        samples uses the first part again. Models that are averaged count one by one.

    max_steps : int, default=10**10
        Maximum number of elementary steps that a classifier may use to score a sample
        in a class, given `max_term_size` and the parameters of its sampler:
        `max_states`, `n_replicates`, `n_steps`, `burn_in` and `ladder_step`. The steps
        for conditions on terms are added. A step takes from 1 to 100 nanoseconds.

    Returns
    -------
    estimator : object
        A fitted estimator of the kinds that `to_json` takes.

    Raises
    ------
    ValueError
        If the text is not JSON, or does not have the form that `to_json` writes, or
        contains another kind of estimator; or if the memory or step limit can be
        exceeded. The limits are checked before memory is allocated.
    OSError
        If the file cannot be read.

    Notes
    -----
    Both limits apply to predictions, and to `partial_fit`, of a DNFWinnowClassifier.
    For a BayesianInteractionClassifier, the groups of interactions are recomputed:
    there can be as many groups as the text has draws for, and as many training samples
    in these groups as `max_bytes` allows. Parameters that only `fit`
    uses are not limited, such as `max_iter`, `cv`, `max_intervals` and
    `max_segments`: check them before you call `fit` on an estimator from an untrusted
    source.

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
        state = read_json(source)
    except json.JSONDecodeError as error:
        if isinstance(source, str) and os.path.isfile(source):
            raise ValueError(
                f"source must be JSON text or a pathlib.Path; got {source!r}, the name "
                f"of a file. Pass pathlib.Path({source!r}) to read it."
            ) from error
        raise
    check_keys(state, ("schema", "estimator"), "an estimator")
    if state["schema"] != _SCHEMA:
        raise ValueError(
            f"Expected schema {_SCHEMA}; got {state['schema']!r:.50}, of another "
            "version of sklearn_dnfwinnow. Read the file with that version, or train "
            "the model again."
        )
    budget = Budget(max_bytes, max_steps)
    return Estimators().read(state["estimator"], "estimator", budget)

"""Mutations of stored models: each is refused, or an estimator that works.

    PYTHONPATH=tests python -m mutations 100000

reads so many changed files of stored models of all kinds, and uses what was read. The
process may take 1 GiB: 256 MiB for the imports, and 768 MiB for a file. Every exception
but ValueError is a failure, and so are a MemoryError, a warning that is not documented,
and 20 seconds of processor time for one file. A second number is that of the first
mutation. The command needs Linux, and ends with status 1 if there was a failure.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import faulthandler
import json
import random
import resource
import signal
import sys
import traceback
import warnings
from collections import Counter
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline, make_pipeline

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.persistence import from_json, to_json
from sklearn_dnfwinnow.rules import DNF
from sklearn_dnfwinnow.samplers import Gibbs

MEMORY, SECONDS = 768 * 2**20, 20
# What the reader of a file allows it.
LIMITS = {"max_bytes": 2**28, "max_steps": 10**8}
NUMBERS = (
    *(0, 1, -1, 2, 7, 100, 2**31, -(2**31), 2**53, 2**57, -(2**59), 2**60, 2**61),
    *(2**63 - 1, -(2**63), 2**63, 2**64, 10**30, 10**400, -(10**400)),
    *(0.5, -0.5, 1.0, 99.0, 1e300, -1e300, 5e-324, 1e-300, 1.7976931348623157e308),
    *(float("nan"), float("inf"), float("-inf")),
)
STRINGS = "", "x", "auto", "0", "a\0", "\ud800", "__class__", "x0 > 1", "=" * 64
OTHERS = None, True, False, [], {}, [[]], [None], {"": None}
# A file made to be larger is at most about as long as this.
_LONGEST = 1 << 20


# -- mutations -------------------------------------------------------------------------


def mutated(said, rng):
    """A copy in which something is of another kind, elsewhere, longer, or away."""
    said = json.loads(json.dumps(said))
    node, place = {"root": said}, "root"
    while isinstance(node[place], (dict, list)) and node[place] and rng.random() < 0.95:
        node = node[place]
        place = rng.choice([*node] if isinstance(node, dict) else range(len(node)))
    node[place] = rng.choice(
        [_other, *[_of_its_kind] * 6, _other_place(node), _larger]
    )(node[place], rng)
    return said


def _other(old, rng):
    """Something else altogether."""
    if rng.random() < 0.02:
        nested = old
        for _ in range(rng.choice([8, 100, 700])):
            nested = [nested]
        return nested
    return rng.choice([rng.choice(NUMBERS), rng.choice(STRINGS), *OTHERS, [old]])


def _of_its_kind(old, rng):
    """A number for a number, and so on."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        near = [old + 1, old - 1, -old, old + 5, 2 * old]
        return rng.choice([*near, old * 2**40, rng.choice(NUMBERS)])
    if isinstance(old, float) and np.isfinite(old):
        near = [-old, old + 1, old * 1.5, old * 1e9, old / 1e9, round(old / 1e9)]
        return rng.choice([*near, rng.choice(NUMBERS)])
    if isinstance(old, str):
        cut = rng.randrange(len(old) + 1)
        changed = old[:cut] + rng.choice("A/x0 =>") + old[cut + 1 :]
        return rng.choice([old[:cut], old * 2, changed, old + "x", rng.choice(STRINGS)])
    if isinstance(old, list):
        cut = rng.randrange(len(old) + 1)
        shuffled = rng.sample(old, len(old))
        repeated = [rng.choice(old)] * len(old) if old else []
        return rng.choice(
            [old[1:], old[:cut], old + old, old[::-1], shuffled, repeated]
        )
    if isinstance(old, dict) and old:
        key, other = rng.choice([*old]), rng.choice([*old])
        swapped = {**old, key: old[other], other: old[key]}
        without = {name: value for name, value in old.items() if name != key}
        return rng.choice([swapped, swapped, without, {**old, "more": 1}])
    return _other(old, rng)


def _other_place(node):
    """What is beside it."""

    def other(old, rng):
        return rng.choice([*node.values()] if isinstance(node, dict) else node)

    return other


def _larger(old, rng):
    """More of it: items, characters, or a number."""
    times = rng.choice([3, 30, 1000, 30_000])
    times = max(2, min(times, _LONGEST // (1 + len(json.dumps(old)))))
    if isinstance(old, list):
        if rng.random() < 0.5 and all(type(item) in (int, float) for item in old):
            return list(range(times))
        return old * times
    if isinstance(old, str):
        return rng.choice([old * times, [f"{old}{i}" for i in range(times)]])
    if isinstance(old, dict):
        return {**old, **{str(i): None for i in range(times)}}
    return [old] * times


# -- stored models ---------------------------------------------------------------------


# For cases of tests: models are trained only where a test asks for one.
NAMES = (
    "intervals inside conditions words ordered candidates "
    "separate chains average bayes nested rules behind cuts"
).split()


@cache
def stored_models():
    """Texts of models of each kind, and rows to use them with, by name."""
    X, y = load_iris(return_X_y=True)
    X, y = X[::5], y[::5]
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    words = np.array([["a", 1, None], ["b", 2.5, True], ["", 1, "c"]] * 6, dtype=object)
    flags, answers = X[:20] > X[:20].mean(axis=0), ["no", "yes"] * 10
    cuts = ClassEntropyDiscretizer(max_intervals=3)
    old = DNF.parse("c > 2 & d > 0.5 or a = 5", 1, 0, features=[*"abcd"])
    quick = {"max_iter": 2, "cv": None, "random_state": 0}
    short = {"n_draws": 4, "burn_in": 4, "max_sweeps": 4, "n_chains": 1}
    short["random_state"] = 0
    winnow, bayes = DNFWinnowClassifier, BayesianInteractionClassifier
    conditions = {
        "monotonic_cst": {"c": {2: 1, 0: -1}},
        "forbidden": [("a", "d"), "b > 3.4"],
        "initial_terms": [("d <= 0.8", 0, 5.0), ("c > 2 & a > 5", 2, 0.5)],
    }
    given = {
        "intervals": (make_pipeline(cuts, winnow(**quick, missing="most_frequent")), X),
        "inside": (winnow(**quick, discretizer=cuts), X),
        "conditions": (winnow(**quick, **conditions, discretizer=cuts), frame),
        "words": (
            winnow(**quick, missing="category", literals="ordered", monotonic_cst=None),
            words,
        ),
        "ordered": (
            winnow(
                **quick,
                literals="ordered",
                class_weight={0: 2.0},
                margin=0.5,
                discretizer=None,
                forbidden=["x0 > 5", (1, 2)],
            ),
            X.round(),
        ),
        "candidates": (
            winnow(
                candidates=[{"alpha": 1.2, "scale": 5.0}],
                cv=2,
                max_iter=2,
                random_state=0,
            ),
            X,
        ),
        "separate": (winnow(**quick, multi_class="ovr", sampler="frontier"), flags),
        "chains": (winnow(**quick, sampler=Gibbs(n_steps=20, burn_in=2)), flags),
        "average": (
            winnow(n_estimators=2, max_term_size=2, cv=2, max_iter=2, random_state=0),
            frame,
        ),
        "bayes": (bayes(**short, missing="most_frequent"), words),
        "nested": (bayes(**short, interactions="nested", discretizer=cuts), X),
        "rules": (DNFClassifier({1: old, 2: "d > 1.8"}, smoothing=0.5), frame),
        "behind": (
            make_pipeline("passthrough", cuts, DNFClassifier("class: 1\nx0>1")),
            X,
        ),
        "cuts": (cuts.set_output(transform="pandas"), frame),
    }
    assert list(given) == NAMES
    labels = {len(X): y, len(words): ["no", "yes", "no"] * 6, len(flags): answers}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            name: (to_json(model.fit(data, labels[len(data)])), data[:3])
            for name, (model, data) in given.items()
        }


def changed_text(text, rng):
    """The text of a stored model, or of a formula, after one mutation or a few."""
    if rng.random() < 0.02:
        cut = rng.randrange(len(text))
        return text[:cut] + rng.choice(["", "]", "9" * 5000, "[" * 10**5]) + text[cut:]
    said = json.loads(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if "estimator" in said:
            said["estimator"] = mutated(said["estimator"], rng)
        else:
            said = mutated(said, rng)
    return json.dumps(said)


# -- uses ------------------------------------------------------------------------------


# Methods of classifiers that take rows, and are the same in pipelines.
_OF_ROWS = "predict", "decision_function", "predict_proba", "transform"
_OF_ONE_ROW = "explain", "counterfactuals"


def uses_of(estimator, X):
    """Yield what can be done with an estimator that was read, by name."""
    yield "write", lambda: written_again(estimator)
    for name in _OF_ROWS:
        if hasattr(estimator, name):
            yield name, lambda name=name: getattr(estimator, name)(X)
    classifier = estimator
    if isinstance(estimator, Pipeline):
        *before, (_, classifier) = estimator.steps
        for _, step in before:
            X = X if step == "passthrough" else step.transform(X)
    if hasattr(classifier, "terms"):
        yield "terms", lambda: classifier.terms(top=2)
    for name in _OF_ONE_ROW:
        if hasattr(classifier, name):
            yield name, lambda name=name: getattr(classifier, name)(X[:1])
    if hasattr(classifier, "partial_fit"):
        y = np.resize(classifier.classes_, len(X))
        weights = np.resize([1.0, 0.37, 3.0], len(X))
        yield "learn", lambda: classifier.partial_fit(X, y, sample_weight=weights)
        yield "score", lambda: classifier.decision_function(X)
        yield "write again", lambda: written_again(classifier)


def written_again(estimator):
    """What is written is read as the same."""
    text = to_json(estimator)
    unlimited = {"max_bytes": np.inf, "max_steps": np.inf}
    assert to_json(from_json(text, **unlimited)) == text


def used(estimator, X):
    """Use an estimator, and return the names of what worked, in order.

    A ValueError is an answer, too; scores and probabilities are numbers.

    Parameters
    ----------
    estimator : estimator or Pipeline
        As it was read.
    X : array-like of shape (n_samples, n_features)
    """
    worked = []
    with suppress(ValueError):  # of steps before the last, which transform
        for name, use in uses_of(estimator, X):
            with suppress(ValueError):
                result = use()
                if name in ("decision_function", "predict_proba", "score"):
                    assert not np.isnan(result).any(), name
                worked.append(name)
    return worked


def outcome(text, X):
    """What comes of a text: 'refused', or 'accepted' and what works then."""
    with warnings.catch_warnings(), redirect_stdout(StringIO()):  # of verbose ones
        warnings.simplefilter("error")
        for documented in (UserWarning, ConvergenceWarning, FutureWarning):
            warnings.simplefilter("ignore", documented)
        try:
            estimator = from_json(text, **LIMITS)
        except ValueError:
            return ["refused"]
        return ["accepted", *used(estimator, X)]


def outcome_of(name, number):
    """The outcome of one of the mutations of a stored model."""
    text, X = stored_models()[name]
    return outcome(changed_text(text, random.Random(f"{name} {number}")), X)


def too_long(*_):
    raise TimeoutError(f"More than {SECONDS} seconds")


def main(n_mutations, first=0):
    """Try mutations of all models in turn, and print failures and counts."""
    names = [*stored_models()]
    for text, X in stored_models().values():  # and all that is imported
        used(from_json(text), X)
    faulthandler.enable()
    # Libraries reserve more address space than they use.
    reserved = int(Path("/proc/self/statm").read_text().split()[5])
    limit = reserved * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    signal.signal(signal.SIGPROF, too_long)
    counts = Counter()
    for number in range(first, first + n_mutations):
        name = names[number % len(names)]
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            counts.update(outcome_of(name, number))
        except Exception:
            counts["failed"] += 1
            print(f"{name} {number}", traceback.format_exc(limit=-6), flush=True)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if number % 1000 == 999:
            print(number + 1, dict(counts), flush=True)
    print(f"{n_mutations} mutations:", dict(counts))
    return int(counts["failed"] > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))

"""Demo: the default classifier and its rules, then a comparison of all samplers.

    python -m sklearn_dnfwinnow [--samplers]

The first part takes a few seconds. The comparison takes about two minutes on two cores;
`--samplers` runs the comparison alone. The data sets are part of the package. The first
part needs pandas, which the extra 'examples' installs.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import os
import sys
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import (
    load_auto,
    load_house_votes_84,
    load_tic_tac_toe,
)
from sklearn_dnfwinnow.inspection import explain, to_dnf
from sklearn_dnfwinnow.samplers import SAMPLERS

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
# The last one is read as rules, too.
LOADERS = {
    "house votes 1984": load_house_votes_84,
    "auto (insurance risk)": load_auto,
    "tic-tac-toe": load_tic_tac_toe,
}
# Epochs in the comparison of samplers.
MAX_ITER = 8
# Two ways to run chains, both on the shortest ladder.
LADDER_SCALE = "range"
CHAIN_OPTIONS = [
    {"ladder_scale": LADDER_SCALE, "tempering": tempering}
    for tempering in (False, True)
]


def show_defaults():
    """Print the accuracy of the default classifier, and the rules that it learns."""
    print(
        f"DNFWinnowClassifier with default parameters, {FOLDS.n_splits}-fold "
        "cross-validation\n(stratified, shuffled, random_state=0), all data sets as "
        "they are. Confidence is the mean\nprobability of the predicted class. The "
        "defaults were chosen with these data sets in\nview; benchmarks/README.rst "
        "also has figures for defaults that were chosen without\nthe data set.\n\n"
        f"{'data set':<24}{'shape':>10}{'classes':>9}{'accuracy, %':>13}"
        f"{'confidence, %':>15}{'seconds':>10}"
    )
    for name, load in LOADERS.items():
        X, y = load(return_X_y=True, as_frame=False)
        classes, start = np.unique(y), time.perf_counter()
        with warnings.catch_warnings():
            # A class of 'auto' has fewer samples than there are folds.
            warnings.filterwarnings("ignore", "The least populated class")
            classifier = DNFWinnowClassifier(random_state=0)
            probabilities = cross_val_predict(
                classifier, X, y, cv=FOLDS, method="predict_proba"
            )
        seconds = time.perf_counter() - start
        accuracy = np.mean(classes[probabilities.argmax(axis=1)] == y)
        confidence = probabilities.max(axis=1).mean()
        print(
            f"{name:<24}{f'{X.shape[0]} x {X.shape[1]}':>10}{len(classes):>9}"
            f"{100 * accuracy:>13.1f}{100 * confidence:>15.1f}{seconds:>10.1f}"
        )
    show_rules(name, load)


def show_rules(name, load):
    """Print the rules of the first positive class, and one explained prediction."""
    X, y = load(return_X_y=True, as_frame=True)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    class_ = classifier.classes_[1]
    print(f"\nRules for class '{class_}' of {name}, from a fit on all rows:\n")
    print(to_dnf(classifier, class_, X=X, y=y))
    print("\nThe prediction of the first row, explained:\n")
    print(*explain(classifier, X[:1], top=1))


def compare_samplers():
    """Print a table of error, seconds and chains for each sampler.

    Also print in how many folds the diagnostics found most chains too short.
    """
    votes = load_house_votes_84(as_frame=False)
    X, y = votes.data, votes.target
    n_folds = FOLDS.n_splits
    print(
        f"All samplers on the house votes of 1984 ({len(X)} rows, {X.shape[1]} "
        f"features), {n_folds}-fold\ncross-validation, with the paper's settings but "
        f"for max_iter={MAX_ITER} and\nladder_scale={LADDER_SCALE!r}. The default "
        "sampler is 'auto'.\n\n"
        f"{'sampler':<32}{'error, %':>14}{'seconds':>10}{'chains':>12}{'short in':>12}"
    )
    configurations = [
        (cls, options)
        for cls in SAMPLERS.values()
        for options in (CHAIN_OPTIONS if cls.runs_chains else ({},))
    ]
    for cls, options in configurations:
        # The votes have no numeric column, which the discretizer passes through: this
        # is the pipeline that fits any table.
        pipeline = make_pipeline(
            ClassEntropyDiscretizer(),
            DNFWinnowClassifier(n_jobs=2, random_state=0)
            .set_params(**DNFWinnowClassifier.paper_settings())
            .set_params(sampler=cls(**options), max_iter=MAX_ITER),
        )
        start = time.perf_counter()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ConvergenceWarning)
            found = cross_validate(pipeline, X, y, cv=FOLDS, return_estimator=True)
        seconds = time.perf_counter() - start
        errors = 1 - found["test_score"]
        standard_error = np.std(errors, ddof=1) / np.sqrt(n_folds)
        figure = f"{100 * np.mean(errors):.1f} +- {100 * standard_error:.1f}"
        chains = sum(fitted[-1].chains_["run"] for fitted in found["estimator"])
        # Each fit warns once.
        short = sum(warning.category is ConvergenceWarning for warning in caught)
        name = cls.name + (" + tempering" if options.get("tempering") else "")
        folds = f"{short} folds" if chains else "-"
        print(f"{name:<32}{figure:>14}{seconds:>10.1f}{chains:>12,}{folds:>12}")


def main(arguments=None):
    """Run the demo, or the comparison of samplers alone."""
    parser = argparse.ArgumentParser(
        prog="python -m sklearn_dnfwinnow", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "--samplers", action="store_true", help="run the comparison of samplers alone"
    )
    options = parser.parse_args(arguments)
    if not options.samplers:
        show_defaults()
        print("\nThe comparison of samplers takes about two minutes; Ctrl-C ends it.\n")
    compare_samplers()


def run():
    """Run the demo, and end it without a traceback if it is interrupted.

    The exit code is 130 after Ctrl-C, as in a shell, and 1 if the output is closed, as
    by ``| head``.
    """
    # A reader behind a pipe sees each line when it is printed, as in a terminal.
    sys.stdout.reconfigure(line_buffering=True)
    try:
        main()
    except KeyboardInterrupt:
        print()
        sys.exit(130)
    except BrokenPipeError:
        # Python flushes both streams at exit, which would be another error.
        null = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            os.dup2(null, stream.fileno())
        sys.exit(1)


if __name__ == "__main__":
    run()

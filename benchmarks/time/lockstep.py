"""Trainings in lockstep: 32 of them beside 4, one after the other, of one setting.

    python -m benchmarks.time.lockstep --data FOLDER [--sets car] [--levels x86_64_v4]

Eight settings, each without each of three folds and with all rows, as lanes of blocks
such as `fit` makes; beside `fit` of one setting (margin 0.5, alpha 1.1) without folds,
on two thirds of the rows three times and on all, in as many epochs. Encoding and the
index of terms are counted on both sides; numbers are cut before. The settings are
margins, or residuals, of which most rows are updates. Seconds of the processor, the
least of up to three runs, on one core; nanoseconds for a term of a row that is
presented, and a lane, updates included. Each instruction set in a process of its own.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import os
import subprocess
import sys
import time
import warnings
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.sets import load
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow._terms._term_index import count_listed, index_to_present
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow._winnow._folds import _MOST_LANES, assign_folds
from sklearn_dnfwinnow._winnow._lane_block import Lane, LaneBlock
from sklearn_dnfwinnow._winnow._repetitions import Repetitions

# Set, largest terms, epochs.
CASES = (
    ("house-votes-84", 3, 96),
    ("breast-cancer", None, 96),
    ("car", None, 96),
    ("auto", 2, 96),
    ("kr-vs-kp", 2, 48),
    ("kr-vs-kp", 3, 8),
    ("audiology", 2, 24),
)
SETTINGS = {
    "margins": [
        {"margin": margin, "alpha": alpha}
        for margin in (0.02, 0.1, 0.2, 0.5)
        for alpha in (1.02, 1.1)
    ],
    "residuals": [
        {"margin": None, "scale": scale, "alpha": alpha}
        for scale in (10.0, 30.0)
        for alpha in (1.01, 1.03, 1.1, 1.2)
    ],
}
LEVELS = "baseline", "x86_64_v3", "x86_64_v4"


def repeated(call):
    """Return the least seconds of some calls, and what the last one returned."""
    seconds = []
    while len(seconds) < 3 and sum(seconds) < 4:
        start = time.process_time()
        found = call()
        seconds.append(time.process_time() - start)
    return min(seconds), found


def together(model, estimator, X, labels, settings, n_epochs):
    """Train all settings side by side; return the lanes, and the sums over terms."""
    codes = model.encoding.encode_table(X, estimator)
    # A seed, as `fit` has one: rows are shuffled in each epoch.
    rows = Repetitions(
        codes=codes,
        labels=labels,
        units=np.ones(len(codes), dtype=np.int64),
        n_epochs=n_epochs,
        seed=0,
    )
    folds = assign_folds(labels, 3, 0)
    index = index_to_present(
        examples=np.empty((0, codes.shape[1]), dtype=np.int32),
        codes=codes,
        n_values=model.encoding.n_values,
        max_term_size=model.max_term_size,
        log_beta=model.log_beta,
    )
    lanes = [
        Lane(replace(model.candidate, **params), fold=fold)
        for fold in (0, 1, 2, -1)
        for params in settings
    ]
    n_together = max(1, _MOST_LANES // model.n_classes)
    gathered = 0
    for start in range(0, len(lanes), n_together):
        block = LaneBlock(
            index=index,
            rows=rows,
            folds=folds,
            trainings=lanes[start : start + n_together],
            n_classes=model.n_classes,
        )
        block.train(n_epochs, Progress())
        gathered += block.n_epochs * len(block.trainings)
    n_lanes = len(lanes) * model.n_classes
    terms_a_row = count_listed(index.rows, len(index.log_priors) - 1) // len(index.rows)
    return n_lanes, gathered * model.n_classes * len(codes) * terms_a_row


def alone(X, y, folds, max_term_size, n_epochs):
    """Train one setting without each fold, and with all rows, one after the other."""
    for fold in (0, 1, 2, -1):
        model = DNFWinnowClassifier(
            margin=0.5,
            alpha=1.1,
            cv=None,
            max_iter=n_epochs,
            max_term_size=max_term_size,
            random_state=0,
        ).fit(X[folds != fold], y[folds != fold])
    return model


def measure(case, folder, level):
    """Print the lines of one case."""
    name, max_term_size, n_epochs = case
    X, y = load(name, folder)
    X = ClassEntropyDiscretizer().fit(X, y).transform(X)
    X = np.asarray(X, dtype=object)
    _, labels = np.unique(y, return_inverse=True)
    folds = assign_folds(labels, 3, 0)
    four, estimator = repeated(lambda: alone(X, y, folds, max_term_size, n_epochs))
    model = estimator._table_model()
    for kind, settings in SETTINGS.items():
        seconds, (n_lanes, gathered) = repeated(
            lambda some=settings: together(
                model=model,
                estimator=estimator,
                X=X,
                labels=labels,
                settings=some,
                n_epochs=n_epochs,
            )
        )
        print(
            f"| {name} | {max_term_size or 'any'} | {n_epochs} | {level} | {kind} | "
            f"{n_lanes} | {seconds:.3f} | {four:.3f} | {seconds / four:.2f} | "
            f"{1e9 * seconds / gathered:.3f} |",
            flush=True,
        )


def main():
    """Measure each instruction set in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", required=True)
    parser.add_argument("--sets", nargs="+", default=[name for name, _, _ in CASES])
    parser.add_argument("--levels", nargs="+", default=LEVELS, choices=LEVELS)
    args = parser.parse_args()
    if args.levels != [os.environ.get("SKLEARN_DNFWINNOW_LEVEL")]:
        print(
            "| set | size | epochs | level | settings | lanes | 32 trainings, s | "
            "4 trainings, s | ratio | ns a term and lane |"
        )
        print("| --- |" + " --- |" * 9, flush=True)
        for level in args.levels:
            command = [sys.executable, "-m", "benchmarks.time.lockstep"]
            command += ["--data", args.data, "--levels", level, "--sets", *args.sets]
            environment = {**os.environ, "SKLEARN_DNFWINNOW_LEVEL": level}
            subprocess.run(command, env=environment, check=True)
        return
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        for case in CASES:
            if case[0] in args.sets:
                measure(case, args.data, args.levels[0])


if __name__ == "__main__":
    main()

"""The main job: cross-validate every sampler on the votes of 1984.

Run by ``python -m sklearn_dnfwinnow``. No network is needed; it takes under two minutes
on two cores.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import time
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.samplers import SAMPLERS

N_FOLDS = 5
MAX_ITER = 8
# Two ways to run chains, both on the shortest ladder.
LADDER_SCALE = "range"
CHAIN_OPTIONS = [
    {"ladder_scale": LADDER_SCALE, "tempering": tempering}
    for tempering in (False, True)
]


def show_progress(done, total, what):
    """A bar on standard error, redrawn in place where that is a terminal."""
    width = 30
    filled = width * done // total
    end = "\n" if done == total or not sys.stderr.isatty() else ""
    start = "\r" if sys.stderr.isatty() else ""
    bar = "#" * filled + "." * (width - filled)
    print(f"{start}[{bar}] {done}/{total} {what:<30}", end=end, file=sys.stderr)
    sys.stderr.flush()


def main():
    """Print a table of error, seconds and chains for each sampler.

    And in how many folds the diagnostics found most chains too short.
    """
    votes = load_house_votes_84(as_frame=False)
    X, y = votes.data, votes.target
    configurations = [
        (cls, options)
        for cls in SAMPLERS.values()
        for options in (CHAIN_OPTIONS if cls.runs_chains else ({},))
    ]
    print(
        f"House votes 1984: {len(X)} members, {X.shape[1]} votes; missing = unspecified"
    )
    print(
        f"{N_FOLDS}-fold cross-validation (stratified, shuffled, random_state=0); the "
        f"paper's settings but for\nmax_iter={MAX_ITER} and "
        f"ladder_scale={LADDER_SCALE!r}."
    )
    folds = list(StratifiedKFold(N_FOLDS, shuffle=True, random_state=0).split(X, y))
    rows = []
    total = len(configurations) * N_FOLDS
    for cls, options in configurations:
        name = cls.name + (" + tempering" if options.get("tempering") else "")
        # The votes have no numeric column, which the discretizer passes through: this
        # is the pipeline that fits any table.
        pipeline = make_pipeline(
            ClassEntropyDiscretizer(),
            DNFWinnowClassifier(n_jobs=2, random_state=0)
            .set_params(**DNFWinnowClassifier.paper_settings())
            .set_params(
                sampler=cls(**options),
                max_iter=MAX_ITER,
            ),
        )
        errors, chains, short, start = [], 0, 0, time.perf_counter()
        for train, test in folds:
            show_progress(len(rows) * N_FOLDS + len(errors), total, name)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", ConvergenceWarning)
                fitted = clone(pipeline).fit(X[train], y[train])
            short += any(w.category is ConvergenceWarning for w in caught)
            errors.append(1 - fitted.score(X[test], y[test]))
            chains += fitted[-1].chains_["run"]
        seconds = time.perf_counter() - start
        standard_error = np.std(errors, ddof=1) / np.sqrt(N_FOLDS)
        rows.append((name, np.mean(errors), standard_error, seconds, chains, short))
    show_progress(total, total, "done")
    head = f"{'sampler':<32}{'error, %':>14}{'seconds':>10}{'chains':>12}"
    print(f"\n{head}{'short in':>12}")
    for name, error, standard_error, seconds, chains, short in rows:
        figure = f"{100 * error:.1f} +- {100 * standard_error:.1f}"
        folds = f"{short} folds" if chains else "-"
        print(f"{name:<32}{figure:>14}{seconds:>10.1f}{chains:>12,}{folds:>12}")


if __name__ == "__main__":
    main()

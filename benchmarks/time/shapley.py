"""Shapley values: milliseconds a row, and errors, beside the explainers of shap.

    python -m benchmarks.time.shapley

The game is the same for all: the difference of the two scores of a row of votes with
any of its 16 attributes known, and no others. The explainers of shap get it as a
function of masks, which the model evaluates on masked rows, all of a call together;
their background is the row without any attribute. Their settings are the defaults, but
for so many permutations as are named. Times are those of the processor, after a first
call. Errors are those of the values, as a root of the mean square over attributes and
rows, and at most. A second table has random DNFs of more attributes; standard errors
there are those of estimates.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time
import warnings

import numpy as np
import shap

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84, make_dnf
from sklearn_dnfwinnow.inspection._shapley._attribute_game import (
    _estimated,
    game_values,
)

N_ROWS = 20
MODELS = {
    "default": {},
    "terms of up to 3": {"n_folds": None, "max_term_size": 3},
    "terms of any size": {"n_folds": None, "max_term_size": None},
}


def lead(model, row):
    """Return the difference of the scores of a row as a function of masks."""

    def of_masks(masks):
        rows = np.where(np.asarray(masks) != 0, row, 0).astype(np.int32)
        log_sums, _ = model.estimate_log_sums(rows)
        return log_sums[:, 1] - log_sums[:, 0]

    return of_masks


def with_shap(explainer, **options):
    """Return a function from a model and a row to values by an explainer of shap."""

    def explain(model, row):
        nothing, everything = np.zeros((1, len(row))), np.ones((1, len(row)))
        explained = explainer(lead(model, row), nothing)
        if explainer is shap.KernelExplainer:
            values = explained.shap_values(everything, silent=True, **options)
        else:
            values = explained(everything, silent=True, **options).values
        return values[0]

    return explain


def ours(model, row):
    values = game_values(model, row, n_permutations=100).values
    return values[1] - values[0]


def by_permutations(model, row):
    values = _estimated(model, row, n_permutations=100).values
    return values[1] - values[0]


METHODS = {
    "exact": ours,
    "100 permutations": by_permutations,
    "shap.PermutationExplainer": with_shap(shap.PermutationExplainer),
    "shap.KernelExplainer": with_shap(shap.KernelExplainer),
    "shap.PermutationExplainer, 100": with_shap(
        shap.PermutationExplainer, max_evals=50 * (2 * 16 + 1)
    ),
    "shap.ExactExplainer": with_shap(shap.ExactExplainer),
}


def votes():
    """Print a table of times and errors for the votes."""
    X, y = load_house_votes_84(return_X_y=True, as_frame=True)
    print("| model | method | ms a row | error | at most |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name, parameters in MODELS.items():
        clf = DNFWinnowClassifier(random_state=0, **parameters).fit(X, y)
        model = clf._term_model()
        codes = model.encoder.encode_table(X, clf, model.discretizer)
        rows = codes[(codes != 0).all(axis=1)][:N_ROWS]
        exact = np.array([ours(model, row) for row in rows])
        size, largest = np.sqrt(np.mean(exact**2)), abs(exact).max()
        print(f"| {name} | the values themselves | | {size:.2g} | {largest:.2g} |")
        for method, explain in METHODS.items():
            explain(model, rows[0])
            start = time.process_time()
            values = np.array([explain(model, row) for row in rows])
            seconds = time.process_time() - start
            errors = values - exact
            print(
                f"| {name} | {method} | {1e3 * seconds / len(rows):.1f} "
                f"| {np.sqrt(np.mean(errors**2)):.2g} | {abs(errors).max():.2g} |",
                flush=True,
            )


def wide():
    """Print a table of times and errors by number of attributes."""
    print("\n| attributes | terms of up to | ms a row | standard error | values |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for n in (12, 16, 20, 25, 50, 100):
        X, y = make_dnf(
            n_samples=1000, n_features=n, n_terms=5, noise=0.1, random_state=0
        )
        for size in (2, 3):
            clf = DNFWinnowClassifier(
                random_state=0, n_folds=None, max_iter=5, max_term_size=size
            ).fit(X, y)
            model = clf._term_model()
            rows = model.encoder.encode_table(X[:N_ROWS], clf, model.discretizer)
            start = time.process_time()
            games = [game_values(model, row, n_permutations=100) for row in rows]
            seconds = time.process_time() - start
            errors = [game.errors(np.array([-1.0, 1.0])) for game in games]
            values = [game.values[1] - game.values[0] for game in games]
            print(
                f"| {n} | {size} | {1e3 * seconds / len(rows):.1f} "
                f"| {np.sqrt(np.mean(np.square(errors))):.2g} "
                f"| {np.sqrt(np.mean(np.square(values))):.2g} |",
                flush=True,
            )


def main():
    warnings.simplefilter("ignore")
    votes()
    wide()


if __name__ == "__main__":
    main()

"""Shapley values: milliseconds a row, and errors, beside the explainers of shap.

    python -m benchmarks.time.shapley [--only votes wide background]

`votes`: the game is the same for all: the difference of the two scores of a row of
votes with any of its 16 attributes known, and no others. The explainers of shap get it
as a function of masks, which the model evaluates on masked rows, all of a call
together; their background is the row without any attribute. Their settings are the
defaults, but for so many permutations as are named. Times are those of the processor,
after a first call. Errors are those of the values, as a root of the mean square over
attributes and rows, and at most. `wide`: random DNFs of more attributes; standard
errors are those of estimates. `background`: the first call after training, which solves
the games of the background; and standard errors of the base value and of the values, by
the number of background rows, as root mean squares over ten data sets of 2,000 rows,
beside the standard deviation of the log-odds and the root mean square of the values.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._terms._background import Background
from sklearn_dnfwinnow.datasets import load_house_votes_84, make_dnf
from sklearn_dnfwinnow.inspection import shapley_values
from sklearn_dnfwinnow.inspection._attribute_game import (
    Scores,
    _estimated,
    game_values,
)

N_ROWS = 20
MODELS = {
    "default": {},
    "terms of up to 3": {"cv": None, "max_term_size": 3},
    "terms of any size": {"cv": None, "max_term_size": None},
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
        if explainer.__name__ == "KernelExplainer":
            values = explained.shap_values(everything, silent=True, **options)
        else:
            values = explained(everything, silent=True, **options).values
        return values[0]

    return explain


def ours(model, row):
    values = game_values(model, row, Scores(), n_permutations=100).values
    return values[1] - values[0]


def by_permutations(model, row):
    values = _estimated(model, row, Scores(), n_permutations=100).values
    return values[1] - values[0]


def methods():
    """Ours, and the explainers of shap."""
    import shap

    return {
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
    explainers = methods()
    X, y = load_house_votes_84(return_X_y=True, as_frame=True)
    print("| model | method | ms a row | error | at most |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name, parameters in MODELS.items():
        clf = DNFWinnowClassifier(random_state=0, **parameters).fit(X, y)
        model = clf._table_model()
        codes = model.encoding.encode_table(X, clf)
        rows = codes[(codes != 0).all(axis=1)][:N_ROWS]
        exact = np.array([ours(model, row) for row in rows])
        size, largest = np.sqrt(np.mean(exact**2)), abs(exact).max()
        print(f"| {name} | the values themselves | | {size:.2g} | {largest:.2g} |")
        for method, explain in explainers.items():
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
                random_state=0, cv=None, max_iter=5, max_term_size=size
            ).fit(X, y)
            model = clf._table_model()
            rows = model.encoding.encode_table(X[:N_ROWS], clf)
            start = time.process_time()
            games = [
                game_values(model, row, Scores(), n_permutations=100) for row in rows
            ]
            seconds = time.process_time() - start
            errors = [game.errors(np.array([-1.0, 1.0])) for game in games]
            values = [game.values[1] - game.values[0] for game in games]
            print(
                f"| {n} | {size} | {1e3 * seconds / len(rows):.1f} "
                f"| {np.sqrt(np.mean(np.square(errors))):.2g} "
                f"| {np.sqrt(np.mean(np.square(values))):.2g} |",
                flush=True,
            )


def background():
    """Print seconds of the first call, and standard errors by number of rows."""
    print("\n| attributes | background rows | seconds of the first call |")
    print("| ---: | ---: | ---: |")
    for n in (8, 12, 16, 18, 20, 25, 50):
        X, y = make_dnf(2000, n, n_terms=5, noise=0.1, random_state=0)
        clf = DNFWinnowClassifier(
            random_state=0, cv=None, max_iter=5, max_term_size=2
        ).fit(X, y)
        seconds = []
        for _ in range(2):
            start = time.process_time()
            shapley_values(clf, X[:1])
            seconds.append(time.process_time() - start)
        n_rows = max(32, min(256, 2**24 >> n))
        print(f"| {n} | {n_rows} | {seconds[0] - seconds[1]:.2f} |", flush=True)

    print("\n| background rows | of the base value | of values |")
    print("| ---: | ---: | ---: |")
    errors = {n_rows: [] for n_rows in (32, 64, 128, 256)}
    sizes = []
    for seed in range(10):
        X, y = make_dnf(2000, 8, n_terms=5, noise=0.1, random_state=seed)
        clf = DNFWinnowClassifier(random_state=0, cv=None).fit(X, y)
        model, weights = clf._table_model(), np.array([-1.0, 1.0])
        codes = model.encoding.encode_table(X, clf)
        games = [game_values(model, row, Scores(), n_permutations=4) for row in codes]
        values = np.array([weights @ game.values for game in games])
        log_odds = np.array([weights @ game.payoffs for game in games])
        sizes.append((log_odds.std(), np.sqrt(np.mean((values - values.mean(0)) ** 2))))
        places = {tuple(row): i for i, row in enumerate(codes)}
        every = Background.of_rows(codes, np.ones(len(codes)))
        for n_rows, found in errors.items():
            some = every.thinned(n_rows)
            chosen = [places[tuple(row)] for row in some.codes]
            parts = some.weights / some.weights.sum()
            base = parts @ log_odds[chosen] - log_odds.mean()
            means = parts @ values[chosen] - values.mean(axis=0)
            found.append((base, np.sqrt(np.mean(means**2))))
    for n_rows, found in errors.items():
        base, of_values = np.sqrt(np.mean(np.square(found), axis=0))
        print(f"| {n_rows} | {base:.2g} | {of_values:.2g} |")
    print("log-odds {:.2g}, values {:.2g}".format(*np.mean(sizes, axis=0)))


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    measured = votes, wide, background
    parts = {part.__name__: part for part in measured}
    parser.add_argument("--only", nargs="+", choices=parts, default=[*parts])
    warnings.simplefilter("ignore")
    for name in parser.parse_args().only:
        parts[name]()


if __name__ == "__main__":
    main()

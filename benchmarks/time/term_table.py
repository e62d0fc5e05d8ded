"""The term table: nanoseconds per weighted sum, and seconds per fit.

    python -m benchmarks.time.term_table

First, sums over rows of 100 to 100,000 terms, by instruction set, beside NumPy's
`take` and `sum` in the same run: over the same int16 exponents, which does not even
raise alpha to them, and over a float64 weight per term. The error is that of log W
against NumPy's own sum of powers. Then training on one fold of bundled sets (a tenth
held out, 20 epochs, all classes; encoding and index included), with its test error.
All figures are the best of five runs on one core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import time
import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.timing import best
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier, _kernels
from sklearn_dnfwinnow._terms._term_index import TermIndex
from sklearn_dnfwinnow.datasets import (
    load_annealing,
    load_auto,
    load_car,
    load_house_votes_84,
    load_tic_tac_toe,
)

LOG_ALPHA = np.log(1.5)
SETS = {
    "car": (load_car, None),
    "tic-tac-toe": (load_tic_tac_toe, None),
    "house-votes-84": (load_house_votes_84, 3),
    "house-votes-84 ": (load_house_votes_84, None),
    "auto": (load_auto, 3),
    "auto ": (load_auto, None),
    "annealing": (load_annealing, 2),
}


def sum_times(kernel, n_terms, dtype=np.int16):
    """Nanoseconds a sum: the table, NumPy on exponents, NumPy on weights; the error."""
    random = np.random.RandomState(0)
    table = random.randint(-40, 41, size=4 * n_terms).astype(dtype)
    terms = np.sort(random.permutation(4 * n_terms)[:n_terms]).astype(np.int32)
    weights = np.exp(table * LOG_ALPHA)
    n_sums = max(10, 1_000_000 // n_terms)
    index = TermIndex(
        kind="lists",
        rows=np.zeros((n_sums, 1), np.int32),
        n_terms=len(table),
        log_beta=0.0,
        log_priors=np.zeros(1),
        recipe=(),
        terms=terms,
        starts=np.tile([0, n_terms], (n_sums, 1)),
    )
    of_class = kernel.Table(
        index=index,
        log_alpha=LOG_ALPHA,
        net=np.zeros(0, np.int64),
        net_counts=np.zeros_like(table),
    )
    of_class.tabulate(
        net_counts=table,
        powers=np.exp(np.arange(-200, 201) * LOG_ALPHA),
        low=-200,
        high=200,
        log_scale=0.0,
    )
    rows, logs = np.arange(n_sums), np.empty(n_sums)

    def sums():
        of_class.log_sums(rows, logs)

    def numpy_sums(values):
        for _ in range(n_sums):
            values.take(terms).sum()

    truth = np.log(weights[terms].sum())
    sums()
    error = abs(logs[0] - truth) / abs(truth)
    calls = (sums, lambda: numpy_sums(table), lambda: numpy_sums(weights))
    return *(1e9 * best(call) / n_sums for call in calls), error


def fit_time(load, max_term_size):
    """Seconds of one fit, test error, and mistakes in training."""
    X, y = load(return_X_y=True, as_frame=False)
    train, test = next(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    discretizer = ClassEntropyDiscretizer().fit(X[train], y[train])
    X = np.asarray(discretizer.transform(X), dtype=object)
    clf = DNFWinnowClassifier().set_params(**DNFWinnowClassifier.paper_settings())
    clf.set_params(
        sampler="table",
        max_term_size=max_term_size,
        literal_weight=1 / X.shape[1],
        random_state=0,
    )
    seconds = best(lambda: clf.fit(X[train], y[train]))
    start = time.perf_counter()
    right = clf.predict(X[test]) == y[test] if X.shape[1] <= 20 or max_term_size else []
    predicted = time.perf_counter() - start
    error = 1 - np.mean(right) if len(right) else np.nan
    return seconds, predicted, error, clf.n_updates_.sum()


def main():
    warnings.simplefilter("ignore")
    print("| level | terms | ns a sum | take + sum, int16 | ratio | float64 | error |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for level in _kernels.levels():
        for n_terms in (100, 1_000, 10_000, 100_000):
            kernel = _kernels.kernel("_term_table", level)
            ours, net_counts, weights, error = sum_times(kernel, n_terms)
            print(
                f"| {level} | {n_terms} | {ours:.0f} | {net_counts:.0f} | "
                f"{ours / net_counts:.2f} | {weights:.0f} | {error:.0e} |",
                flush=True,
            )
    print("\n| set | cap | fit, s | predict, s | test error, % | mistakes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, (load, max_term_size) in SETS.items():
        seconds, predicted, error, mistakes = fit_time(load, max_term_size)
        print(
            f"| {name} | {max_term_size} | {seconds:.4f} | {predicted:.4f} | "
            f"{100 * error:.1f} | {mistakes} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

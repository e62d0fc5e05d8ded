"""Table V of Tao & Scott (2004): cross-validated error of six samplers and brute force.

    python benchmarks/paper_table_v.py [--sets iris car house-votes-84] [--ladder-scale
    sum]

Writes one line a fold to benchmarks/results/table_v.csv, and prints the table beside
the paper's figures. Settings are the paper's: T_0 = n^2, T_s = 10 n^2, alpha = 3/2,
theta = the number of all terms, 20 rounds, missing values unspecified; its ladder by
default (m = u + v). Ten stratified folds, shuffled, random_state=0.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_car, load_house_votes_84

LOADERS = {
    "iris": load_iris,
    "car": lambda: load_car(as_frame=False),
    "house-votes-84": lambda: load_house_votes_84(as_frame=False),
}
SAMPLERS = {
    "M": ("metropolis", False),
    "G": ("gibbs", False),
    "MG": ("metropolized_gibbs", False),
    "M+PT": ("metropolis", True),
    "G+PT": ("gibbs", True),
    "MG+PT": ("metropolized_gibbs", True),
    "BF": ("brute_force", False),
}
# Error, % and half width of the 95 % interval, as printed in the paper's Table V.
PAPER = {
    "iris": "5.3+-2.1 6.7+-3.8 6.0+-1.7 6.0+-3.2 6.7+-2.7 6.0+-3.2 7.3+-3.2".split(),
    "car": "1.7+-0.8 1.9+-0.8 1.5+-0.8 1.7+-0.9 1.5+-0.8 1.6+-0.7 3.3+-1.1".split(),
    "house-votes-84": (
        "5.0+-2.1 5.0+-2.4 5.0+-2.1 5.0+-1.6 5.9+-2.5 5.4+-2.5 5.0+-2.0".split()
    ),
}
T_9 = 2.262  # 97.5 % point of Student's t with 9 degrees of freedom


def run(name, label, fold, ladder_scale, max_iter):
    """One fold of one set under one sampler."""
    bunch = LOADERS[name]()
    X, y = bunch.data, bunch.target
    split = StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
    train, test = list(split)[fold]
    sampler, tempering = SAMPLERS[label]
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=5),
        DNFWinnowClassifier(random_state=0)
        .set_params(**DNFWinnowClassifier.paper_settings())
        .set_params(
            sampler=sampler,
            tempering=tempering,
            ladder_scale=ladder_scale,
            max_iter=max_iter,
        ),
    )
    start = time.perf_counter()
    pipeline.fit(X[train], y[train])
    fitted = time.perf_counter()
    error = 1 - pipeline.score(X[test], y[test])
    predicted = time.perf_counter()
    chains = pipeline[-1].chains_
    return {
        "set": name,
        "sampler": label,
        "fold": fold,
        "ladder_scale": ladder_scale,
        "max_iter": max_iter,
        "error": error,
        "fit_s": round(fitted - start, 3),
        "predict_s": round(predicted - fitted, 3),
        "chains_run": chains["run"],
        "chains_ladder": chains["ladder"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", nargs="+", default=list(LOADERS), choices=LOADERS)
    parser.add_argument("--samplers", nargs="+", default=list(SAMPLERS))
    parser.add_argument("--ladder-scale", default="sum")
    parser.add_argument("--max-iter", type=int, default=20)
    parser.add_argument("--n-jobs", type=int, default=2)
    parser.add_argument(
        "--out", default=Path(__file__).parent / "results" / "table_v.csv"
    )
    args = parser.parse_args()
    tasks = [(s, m, k) for s in args.sets for m in args.samplers for k in range(10)]
    results = []
    with open(args.out, "w", newline="") as file:
        runs = Parallel(n_jobs=args.n_jobs, return_as="generator")(
            delayed(run)(*task, args.ladder_scale, args.max_iter) for task in tasks
        )
        for result in runs:
            if not results:
                writer = csv.DictWriter(file, result)
                writer.writeheader()
            writer.writerow(result)
            file.flush()
            results.append(result)
    print("| set | sampler | error, % | paper, % | fit, s a fold | chains | saved, % |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in args.sets:
        for label in args.samplers:
            rows = [r for r in results if (r["set"], r["sampler"]) == (name, label)]
            errors = 100 * np.array([r["error"] for r in rows])
            half = T_9 * errors.std(ddof=1) / np.sqrt(len(errors))
            run_, ladder = (
                sum(r[k] for r in rows) for k in ("chains_run", "chains_ladder")
            )
            saved = f"{100 * (1 - run_ / ladder):.1f}" if ladder else "-"
            paper = PAPER[name][list(SAMPLERS).index(label)]
            print(
                f"| {name} | {label} | {errors.mean():.1f}+-{half:.1f} | {paper} | "
                f"{np.mean([r['fit_s'] for r in rows]):.2f} | {run_:,} | {saved} |"
            )


if __name__ == "__main__":
    main()

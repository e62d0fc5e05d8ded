"""What reading a model is worth: planted terms found again, short DNFs, and seconds.

    python -m benchmarks.reading [--data FOLDER] [--only recovery dnfs seconds]

`recovery`: of the terms of a monotone DNF (5 terms of 3 literals over 20 attributes)
that labelled the rows, how many are among as many heaviest terms, with and without
redundant ones, or in the DNF of at most as many terms; 20 formulas for each number of
rows and share of labels drawn anew. `dnfs`: accuracy and fidelity of short DNFs on held
out rows, ten folds, three times for sets under 500 rows, every class of the two-class
sets against the other. `seconds`: of `terms`, `explain`, `shapley_values`, `to_dnf` on
all rows beside those of `fit`. Writes CSV files, and the first as a figure.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.pipeline import make_pipeline

from benchmarks.sets import load, names, splits
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_monotone_dnf
from sklearn_dnfwinnow.inspection import explain, shapley_values, terms, to_dnf

RESULTS = Path(__file__).parent / "results"
N_TERMS, N_FEATURES, TERM_SIZE = 5, 20, 3


def recovery():
    """Share of the planted terms that are found again."""
    records = []
    for noise in (0.0, 0.1, 0.2, 0.3):
        for n_rows in (50, 100, 200, 500, 1000, 2000):
            found = {"heaviest": [], "DNF": []}
            for seed in range(20):
                X, y, planted = make_monotone_dnf(
                    n_rows,
                    N_FEATURES,
                    n_terms=N_TERMS,
                    term_size=TERM_SIZE,
                    noise=noise,
                    random_state=seed,
                    return_terms=True,
                )
                columns = [f"x{j}" for j in range(N_FEATURES)]
                X = pd.DataFrame(X, columns=columns).astype("Int8").astype(object)
                classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
                texts = {" & ".join(f"x{j} = 1" for j in term) for term in planted}
                for name, some in (
                    ("heaviest", terms(classifier, 1, N_TERMS)["term"]),
                    ("DNF", map(str, to_dnf(classifier, 1, X=X, y=y).terms)),
                ):
                    found[name].append(len(texts & {*some}) / len(texts))
            for name, shares in found.items():
                records.append(
                    {
                        **{"noise": noise, "rows": n_rows, "terms": name},
                        "recall": np.mean(shares),
                        "std_error": np.std(shares, ddof=1) / np.sqrt(len(shares)),
                    }
                )
                print(records[-1], flush=True)
    return pd.DataFrame(records)


def plot_recovery(table):
    """Recall against rows, a line for each share of noise."""
    import matplotlib.pyplot as plt

    kinds = table["terms"].unique()
    figure, axes = plt.subplots(
        1, len(kinds), figsize=(11, 3.6), sharey=True, layout="constrained"
    )
    colours = plt.colormaps["viridis"](np.linspace(0, 0.85, table["noise"].nunique()))
    for ax, kind in zip(axes, kinds):
        of_kind = table[table["terms"] == kind]
        for colour, (noise, line) in zip(colours, of_kind.groupby("noise")):
            ax.errorbar(
                line["rows"],
                line["recall"],
                yerr=1.96 * line["std_error"],
                color=colour,
                marker="o",
                markersize=3,
                capsize=2,
                linewidth=1.2,
                label=f"{noise:.0%}",
            )
        ax.set(xscale="log", ylim=(-0.03, 1.03), xlabel="rows")
        ax.set_title({"DNF": "the short DNF"}.get(kind, f"{kind} terms"), fontsize=10)
    axes[0].set_ylabel("planted terms found again")
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        **{"title": "labels\ndrawn anew", "loc": "outside right center"},
        frameon=False,
    )
    figure.savefig(RESULTS / "recovery.png", dpi=150)


def pipeline():
    """The defaults."""
    return make_pipeline(ClassEntropyDiscretizer(), DNFWinnowClassifier(random_state=0))


def dnfs(folder):
    """Accuracy of short DNFs and of the model, row by row of the test folds."""
    records = []
    for name in names(folder):
        X, y = load(name, folder)
        if len(np.unique(y)) > 2:
            continue
        right = []
        for repeat in range(3 if len(y) < 500 and "monks" not in name else 1):
            for train, test in splits(name, y, repeat):
                model = pipeline().fit(X[train], y[train])
                predicted = model.predict(X[test])
                for class_ in model.classes_:
                    for price in (2, 8, 32):
                        known = {"X": X[train], "y": y[train], "price": price}
                        dnf = to_dnf(model, class_, cv=None, **known)
                        holds = dnf.holds(X[test])
                        right += zip(
                            [class_] * len(test),
                            [price] * len(test),
                            [len(dnf.terms)] * len(test),
                            holds == (y[test] == class_),
                            predicted == y[test],
                            holds == (predicted == class_),
                        )
        columns = ["class", "price", "terms", "dnf", "model", "fidelity"]
        means = pd.DataFrame(right, columns=columns).groupby(["class", "price"]).mean()
        error = np.sqrt(means["model"] * (1 - means["model"]) / len(y))
        records.append(means.assign(std_error=error).reset_index().assign(set=name))
        print(records[-1].to_string(), flush=True)
    return pd.concat(records)


def seconds(folder):
    """Seconds of each function."""
    records = []
    for name in names(folder):
        X, y = load(name, folder)
        Z = np.asarray(ClassEntropyDiscretizer().fit_transform(X, y), dtype=object)
        classifier = DNFWinnowClassifier(random_state=0)
        record = {"set": name, "rows": len(y), "attributes": Z.shape[1]}
        for what, call in (
            ("fit", lambda: classifier.fit(Z, y)),  # noqa: B023
            ("terms", lambda: terms(classifier)),  # noqa: B023
            (
                "explain",
                lambda: explain(classifier, Z),  # noqa: B023
            ),
            ("shapley_values", lambda: shapley_values(classifier, Z)),  # noqa: B023
            (
                "to_dnf",
                lambda: to_dnf(classifier, classifier.classes_[0], X=Z),  # noqa: B023
            ),
        ):
            start = time.perf_counter()
            call()
            record[what] = time.perf_counter() - start
        records.append(record)
        print(record, flush=True)
    return pd.DataFrame(records)


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER")
    parser.add_argument("--only", nargs="+", default=["recovery", "dnfs", "seconds"])
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", "Column.s. .* of floats have more than")
    RESULTS.mkdir(exist_ok=True)
    for name in arguments.only:
        if name == "recovery":
            table = recovery()
            plot_recovery(table)
        else:
            table = {"dnfs": dnfs, "seconds": seconds}[name](arguments.data)
        table.to_csv(RESULTS / f"{name}.csv", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()

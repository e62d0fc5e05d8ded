"""The figure of Li and Neal's poster: single coefficients under both priors.

``python -m benchmarks.bayes.coefficients`` fits 1,000 windows of the english text, of
three kinds of letters, with a Cauchy prior and with a normal one. It draws the
coefficients of all contexts up to three letters that occur in the text, one for each
class. The claim has two halves. Large coefficients are larger under Cauchy priors:
their medians are compared. Small ones concentrate more around 0: the widths of their
intervals of 90 % are. Large and small are the first and the last quarter of the
coefficients by their absolute median, averaged over both priors.

Writes results/coefficients.csv and results/coefficients.png. ``--order``,
``--hyperprior`` and ``--thin`` take others than the default.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_english, make_windows
from sklearn_dnfwinnow.inspection import sample_coefficients

RESULTS = Path(__file__).parent / "results"
PRIORS = "cauchy", "normal"
N_TRAIN, LONGEST_TERM = 1000, 3


def draws_of(X, y, texts, prior, options):
    """Return draws of coefficients, (n_draws, n_texts, n_classes), and classes."""
    clf = BayesianInteractionClassifier(
        interactions="nested",
        max_order=options.order,
        prior=prior,
        hyperprior=options.hyperprior,
        n_draws=500,
        burn_in=500 * options.thin,
        max_sweeps=600 * options.thin,
        random_state=0,
    ).fit(X, y)
    worst = np.nanmax(np.hstack([*clf.r_hat_.values()]))
    print(f"{prior}: R-hat up to {worst:.3f}", flush=True)
    return sample_coefficients(clf, texts), clf.classes_


def contexts(X, longest=LONGEST_TERM):
    """Return the texts of all contexts up to a length that occur in windows."""
    n_columns = X.shape[1]
    texts = []
    for order in range(1, longest + 1):
        for values in np.unique(X[:, n_columns - order :], axis=0):
            columns = range(n_columns - order, n_columns)
            pairs = zip(columns, values.tolist(), strict=True)
            texts.append(" & ".join(f"x{j} = {value}" for j, value in pairs))
    return texts


def table_of(draws, texts, classes):
    """Return medians and widths of intervals of all coefficients, under both priors."""
    index = pd.MultiIndex.from_tuples(product(texts, classes), names=["term", "class"])
    table = pd.DataFrame(index=index)
    for prior, of_prior in draws.items():
        low, median, high = np.quantile(of_prior, [0.05, 0.5, 0.95], axis=0)
        table[f"median_{prior}"] = median.ravel()
        table[f"width_{prior}"] = (high - low).ravel()
    medians = table[[f"median_{prior}" for prior in draws]]
    table["size"] = medians.abs().mean(axis=1)
    return table.sort_values("size", ascending=False)


def judge(table):
    """Print both halves of the claim."""
    n = len(table) // 4
    for name, some in (("large", table[:n]), ("small", table[-n:])):
        larger = some["median_cauchy"].abs() / some["median_normal"].abs()
        wider = some["width_cauchy"] / some["width_normal"]
        print(
            f"{name}, {n} of {len(table)}: absolute median under Cauchy over that "
            f"under normal {larger.median():.2f} (above 1 in {(larger > 1).mean():.0%})"
            f", width {wider.median():.2f} (below 1 in {(wider < 1).mean():.0%})"
        )


def plot(draws, texts, classes, table):
    """Draw the densities of the largest coefficient and of a small one."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    n = len(table)
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.5), layout="constrained")
    for ax, place, name in (
        (axes[0], 0, "the largest"),
        (axes[1], n - n // 8, "a small one"),
    ):
        text, class_ = table.index[place]
        at = texts.index(text), list(classes).index(class_)
        chosen = {prior: of_prior[:, *at] for prior, of_prior in draws.items()}
        ends = np.quantile(np.concatenate([*chosen.values()]), [0.02, 0.98])
        bins = np.linspace(*ends, 40)
        for prior, values in chosen.items():
            ax.hist(values, bins=bins, density=True, alpha=0.5, label=prior)
        ax.set(title=f"{name}: {class_} after {text}", xlabel="coefficient")
        ax.title.set_fontsize(8)
        ax.legend()
    axes[2].scatter(table["size"], table["width_cauchy"] / table["width_normal"], s=8)
    axes[2].axhline(1.0, color="grey", linewidth=0.8)
    axes[2].set(
        xlabel="absolute median, mean of both priors",
        ylabel="width under Cauchy over normal",
        xscale="log",
    )
    figure.savefig(RESULTS / "coefficients.png", dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--hyperprior", default="half_t")
    parser.add_argument("--thin", type=int, default=8)
    options = parser.parse_args()
    kinds = load_english(symbols="kinds", merge_other=True)
    X, y = make_windows(kinds[: N_TRAIN + options.order], options.order)
    texts = contexts(X)
    draws = {}
    for prior in PRIORS:
        draws[prior], classes = draws_of(X, y, texts, prior, options)
    table = table_of(draws, texts, classes)
    RESULTS.mkdir(exist_ok=True)
    table.round(4).to_csv(RESULTS / "coefficients.csv")
    plot(draws, texts, classes, table)
    judge(table)


if __name__ == "__main__":
    main()

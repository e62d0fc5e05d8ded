"""Growth: seconds of a fit against rows, attributes and updates.

    python -m benchmarks.time.growth [--most-rows 1000000] [--plot-only]

Random DNF from `make_dnf` with 5 % of the labels flipped, default parameters unless a
cap is named, seconds of one core's time; each fit once, or the best of three where it
takes less than a second. What is fitted is seconds for one epoch of one class, encoding
and index included, as training may stop after fewer epochs than the default of 20.
Slopes are those of a straight line through the logarithms, over all points and over the
upper half of the range. Updates grow by more noise, on the same number of rows. Writes
results/growth.csv and results/growth.png.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
import warnings
from pathlib import Path

import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_dnf

RESULTS = Path(__file__).parent / "results"
ROWS = (1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000)
ATTRIBUTES = (5, 10, 20, 50, 100, 200, 500, 1_000)
NOISES = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)
LABELS = {
    "rows": "rows (14 attributes of 4 values)",
    "attributes": "attributes (2,000 rows, 3 values)",
    "examples": "updates (20,000 rows of 14 attributes)",
}


def points(most_rows):
    """Series, what grows, the arguments of `make_dnf`, and the cap."""
    for n_rows in ROWS:
        if n_rows <= most_rows:
            table = {"n_samples": n_rows, "n_features": 14, "n_values": 4}
            yield "auto", "rows", table, "auto"
            yield "cap 2", "rows", table, 2
    for n in ATTRIBUTES:
        table = {"n_samples": 2_000, "n_features": n}
        yield "auto", "attributes", table, "auto"
        yield "cap 1", "attributes", table, 1
        # A row has n^2 / 2 terms of two literals.
        if n <= 200:
            yield "cap 2", "attributes", table, 2
    for noise in NOISES:
        table = {"n_samples": 20_000, "n_features": 14, "n_values": 4, "noise": noise}
        yield "auto", "examples", table, "auto"
        yield "cap 2", "examples", table, 2


def measure(series, grows, table, cap):
    """One point: a dict of figures."""
    X, y = make_dnf(**{"noise": 0.05, "random_state": 0, **table})
    seconds = []
    while not seconds or (len(seconds) < 3 and seconds[-1] < 1):
        clf = DNFWinnowClassifier(random_state=0)
        clf.set_params(**DNFWinnowClassifier.paper_settings()).set_params(
            max_term_size=cap
        )
        start = time.process_time()
        clf.fit(X, y)
        seconds.append(time.process_time() - start)
    # A class stops after an epoch without mistakes.
    made = [np.count_nonzero(m) + 1 for m in clf.n_updates_.T]
    epochs = int(sum(min(epochs, clf.n_iter_) for epochs in made))
    figures = {
        "rows": len(X),
        "attributes": X.shape[1],
        "examples": int(np.count_nonzero(clf.net_promotion_counts_))
        // len(clf.classes_),
    }
    return {
        "grows": grows,
        "series": series,
        "x": figures[grows],
        **figures,
        "cap": clf.max_term_size_ or "none",
        "seconds": round(min(seconds), 5),
        "epochs": epochs,
        "seconds_an_epoch": f"{min(seconds) / epochs:.4g}",
    }


def slopes(points):
    """Fitted exponents: over all points, and over the upper half of the range."""
    x, seconds = np.log(
        [(float(p["x"]), float(p["seconds_an_epoch"])) for p in points]
    ).T
    upper = x >= (x.min() + x.max()) / 2
    return [np.polyfit(x[some], seconds[some], 1)[0] for some in (x == x, upper)]


def by_series(points):
    """Points of each series, by what grows and its name."""
    found = {}
    for point in points:
        found.setdefault((point["grows"], point["series"]), []).append(point)
    return found


def plot(points):
    """The figure: a panel for each thing that grows."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    panels = dict(zip(LABELS, axes))
    for (grows, series), some in by_series(points).items():
        whole, upper = slopes(some)
        x = [float(p["x"]) for p in some]
        panels[grows].loglog(
            x,
            [float(p["seconds_an_epoch"]) for p in some],
            marker="o",
            label=f"{series}: slope {whole:.2f}, upper half {upper:.2f}",
        )
        if series == "auto":
            for value, p in zip(x, some):
                panels[grows].annotate(
                    p["cap"],
                    (value, float(p["seconds_an_epoch"])),
                    textcoords="offset points",
                    xytext=(0, 6),
                    ha="center",
                    fontsize="small",
                )
    for grows, panel in panels.items():
        panel.set_xlabel(LABELS[grows])
        panel.grid(alpha=0.3)
        panel.margins(y=0.25)
        panel.legend(loc="upper left", fontsize="small")
    axes[0].set_ylabel("seconds an epoch and class")
    figure.suptitle("Fit on random DNF with label noise; figures are caps of 'auto'")
    figure.savefig(RESULTS / "growth.png", dpi=130)


def main():
    """Measure, write, plot, and print the slopes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most-rows", type=int, default=1_000_000)
    parser.add_argument("--plot-only", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if not options.plot_only:
        with open(RESULTS / "growth.csv", "w", newline="") as file:
            writer = None
            for arguments in points(options.most_rows):
                point = measure(*arguments)
                if writer is None:
                    writer = csv.DictWriter(file, point)
                    writer.writeheader()
                writer.writerow(point)
                file.flush()
                print(point, flush=True)
    with open(RESULTS / "growth.csv", newline="") as file:
        measured = list(csv.DictReader(file))
    plot(measured)
    print("| grows | cap | from | to | slope | upper half |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (grows, series), some in by_series(measured).items():
        whole, upper = slopes(some)
        print(
            f"| {grows} | {series} | {int(some[0]['x']):,} | {int(some[-1]['x']):,} | "
            f"{whole:.2f} | {upper:.2f} |"
        )


if __name__ == "__main__":
    main()

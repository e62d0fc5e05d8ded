"""Guess Error against time: every engine and sampler, on trained and on hard sums.

    python benchmarks/guess_error.py [--repeats 3] [--plot-only]

The Guess Error of Tao & Scott (2004) is the mean of |W-hat - W| / W; here over the sums
of a set and over repeats with seeds of their own. The time is the median over sums of
the whole call, compression included. 'range' and 'sum' name the ladder (sum: the
paper's). Writes results/guess_error.csv and results/guess_error.png. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
from pathlib import Path

import numpy as np
from trained_sums import TRAINED, hard_sums, trained_sums

RESULTS = Path(__file__).parent / "results"
CHAINS = ("metropolis", "gibbs", "metropolized_gibbs")
# Sums of a set that are measured, and seconds after which a setting has enough repeats.
N_SUMS, ENOUGH = 6, 2.0


def settings():
    """Family, label, and options of each point."""
    yield "exact", "exact", {"sampler": "exact", "max_states": 5_000_000}
    for n_replicates in (1, 2, 8):
        for max_states in (50, 200, 1_000, 2_000, 4_000, 16_000):
            yield (
                f"capped frontier, {n_replicates}",
                f"{max_states}",
                {
                    "sampler": "frontier",
                    "max_states": max_states,
                    "n_replicates": n_replicates,
                },
            )
    for sampler in CHAINS:
        for tempering in (False, True):
            for scale in ("sum", "range"):
                for factor in (1, 10) if sampler != "gibbs" else (1, 10, 100):
                    family = f"{sampler}{' + PT' if tempering else ''}, {scale}"
                    yield (
                        family,
                        f"{factor} n^2",
                        {
                            "sampler": sampler,
                            "tempering": tempering,
                            "ladder_scale": scale,
                            "factor": factor,
                        },
                    )


def measure(sums, options, n_repeats):
    """Guess Error and median seconds; None where an engine does not apply."""
    options = dict(options)
    factor = options.pop("factor", None)
    errors, seconds, exact = [], [], True
    begin = time.perf_counter()
    for repeat in range(n_repeats):
        if repeat and time.perf_counter() - begin > ENOUGH:
            break
        for s in sums:
            if factor is not None:
                options["n_steps"] = factor * s.problem.n**2
            start = time.perf_counter()
            found = s.estimate(random_state=repeat, **options)
            seconds.append(time.perf_counter() - start)
            # A ladder that overshoots by e^50 is wrong by no more for this purpose.
            log_ratio = min(found.log_value - s.log_value, 50.0)
            errors.append(abs(np.expm1(log_ratio)))
            exact &= found.exact
    return np.mean(errors), np.median(seconds), exact, len(errors)


def run(n_repeats):
    """All points of all sets, written as they come."""
    rows = []
    with open(RESULTS / "guess_error.csv", "w", newline="") as file:
        for name in (*TRAINED, "hard"):
            sums = hard_sums() if name == "hard" else trained_sums(name)
            sums = sums[:N_SUMS]
            for family, label, options in settings():
                error, seconds, exact, n = measure(sums, options, n_repeats)
                row = {
                    "set": name,
                    "family": family,
                    "setting": label,
                    "guess_error": f"{error:.3g}",
                    "seconds": f"{seconds:.3g}",
                    "exact": int(exact),
                    "estimates": n,
                }
                if not rows:
                    writer = csv.DictWriter(file, row)
                    writer.writeheader()
                writer.writerow(row)
                file.flush()
                rows.append(row)
    return rows


def table(rows):
    """Markdown: one line a point that is not exact, exact ones by their time."""
    print("| set | engine | setting | Guess Error, % | ms |")
    print("| --- | --- | --- | --- | --- |")
    for r in rows:
        error = "exact" if int(r["exact"]) else f"{100 * float(r['guess_error']):.3g}"
        print(
            f"| {r['set']} | {r['family']} | {r['setting']} | {error} | "
            f"{1e3 * float(r['seconds']):.3g} |"
        )


def goals(rows):
    """How much the paper's ladder costs for the same error, and the hard file."""
    print("\n| set | Gibbs ladder (sum, 10 n^2) | capped frontier | best ratio |")
    print("| --- | --- | --- | --- |")

    def cost(r):
        return float(r["guess_error"]) ** 2 * float(r["seconds"])

    def point(r):
        return (
            f"{100 * float(r['guess_error']):.3g} %, {1e3 * float(r['seconds']):.3g} ms"
        )

    for name in dict.fromkeys(r["set"] for r in rows):
        of_set = [r for r in rows if r["set"] == name]
        (paper,) = (
            r for r in of_set if (r["family"], r["setting"]) == ("gibbs, sum", "10 n^2")
        )
        capped = [
            r
            for r in of_set
            if r["family"] == "capped frontier, 8" and not int(r["exact"])
        ]
        for r in capped:
            print(
                f"| {name} | {point(paper)} | {r['setting']} states: {point(r)} | "
                f"{cost(paper) / cost(r):,.0f} |"
            )
    below = [
        r
        for r in rows
        if r["set"] == "hard"
        and r["family"].startswith("capped")
        and float(r["seconds"]) < 0.01
    ]
    for r in sorted(below, key=lambda r: float(r["guess_error"]))[:3]:
        print(f"\nhard, below 10 ms: {r['family']}, {r['setting']} states: {point(r)}")


# Okabe & Ito's palette, told apart by the colour-blind; the shape says it again.
STYLES = {
    "capped frontier, 1": ("#56B4E9", "o", "-"),
    "capped frontier, 8": ("#0072B2", "s", "-"),
    "metropolis, sum": ("#E69F00", "^", "--"),
    "gibbs, sum": ("#D55E00", "v", "-"),
    "gibbs, range": ("#CC79A7", "D", "-"),
    "gibbs + PT, range": ("#009E73", "P", ":"),
}
LABELS = {
    "capped frontier, 1": "capped frontier, 1 replicate",
    "capped frontier, 8": "capped frontier, 8 replicates",
    "metropolis, sum": "Metropolis, the paper's ladder",
    "gibbs, sum": "Gibbs, the paper's ladder",
    "gibbs, range": "Gibbs, short ladder",
    "gibbs + PT, range": "Gibbs, short ladder, tempering",
}


def plot(rows):
    """Error against time, one panel a set."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(r["set"] for r in rows))
    figure, axes = plt.subplots(2, 3, figsize=(11, 6.4), sharey=True, sharex=True)
    for ax, name in zip(axes.flat, names):
        for family, (colour, marker, line) in STYLES.items():
            points = sorted(
                (1e3 * float(r["seconds"]), 100 * float(r["guess_error"]))
                for r in rows
                if r["set"] == name and r["family"] == family and not int(r["exact"])
            )
            if points:
                ax.plot(
                    *np.array(points).T,
                    color=colour,
                    marker=marker,
                    linestyle=line,
                    markersize=5,
                    linewidth=1.4,
                    label=LABELS[family],
                )
        (exact,) = (
            1e3 * float(r["seconds"])
            for r in rows
            if r["set"] == name and r["family"] == "exact"
        )
        ax.axvline(exact, color="black", linewidth=1, linestyle=(0, (6, 3)))
        ax.text(
            exact,
            0.02,
            " exact ",
            transform=ax.get_xaxis_transform(),
            rotation=90,
            va="bottom",
            ha="right",
            fontsize=8,
        )
        ax.set_title(name, fontsize=10, loc="left")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.grid(True, which="major", color="0.9", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
    for ax in axes.flat[len(names) :]:
        ax.axis("off")
    for ax in axes[:, 0]:
        ax.set_ylabel("Guess Error, %")
    for ax in axes.flat[max(0, len(names) - 3) : len(names)]:
        ax.set_xlabel("time of a sum, ms")
        ax.tick_params(labelbottom=True)
    handles = {}
    for ax in axes.flat:
        handles.update(dict(zip(*ax.get_legend_handles_labels()[::-1])))
    order = [LABELS[family] for family in STYLES if LABELS[family] in handles]
    axes.flat[-1].legend(
        [handles[label] for label in order], order, loc="center left", frameon=False
    )
    figure.tight_layout()
    figure.savefig(RESULTS / "guess_error.png", dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--plot-only", action="store_true")
    args = parser.parse_args()
    if args.plot_only:
        with open(RESULTS / "guess_error.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = run(args.repeats)
    table(rows)
    goals(rows)
    plot(rows)


if __name__ == "__main__":
    main()

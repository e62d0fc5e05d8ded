"""Guess Error against time: every engine and sampler, on trained and on hard sums.

    python -m benchmarks.sums.error_by_time [--repeats 3] [--plot-only]

The Guess Error of Tao & Scott (2004) is the mean of |W-hat - W| / W; here over repeats
with seeds of their own, and over those sums of a set that a setting estimates: sums
that a capped frontier finds exactly are left out of its error and its time. The time is
that of the whole call, compression included, least of repeats, and mean over sums.
'range' and 'sum' name the ladder (sum: the paper's). Writes
results/error_by_time.csv and results/error_by_time.png. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import csv
import time
from pathlib import Path

import numpy as np

from benchmarks.sums.trained_sums import TRAINED, hard_sums, trained_sums
from sklearn_dnfwinnow.samplers import SAMPLERS, Exact, Frontier

RESULTS = Path(__file__).parent / "results"
CHAINS = ("metropolis", "gibbs", "metropolized_gibbs")
# Sums of a set that are measured.
N_SUMS = 6


def settings():
    """Yield family, label, sampler and steps / n^2 of each point."""
    yield "exact", "exact", Exact(max_states=5_000_000), None
    for n_replicates in (1, 2, 8):
        for max_states in (50, 200, 1_000, 2_000, 4_000, 16_000):
            yield (
                f"capped frontier, {n_replicates}",
                f"{max_states}",
                Frontier(max_states=max_states, n_replicates=n_replicates),
                None,
            )
    for name in CHAINS:
        for tempering in (False, True):
            for scale in ("sum", "range"):
                for factor in (1, 10) if name != "gibbs" else (1, 10, 100):
                    family = f"{name}{' + PT' if tempering else ''}, {scale}"
                    yield (
                        family,
                        f"{factor} n^2",
                        SAMPLERS[name](tempering=tempering, ladder_scale=scale),
                        factor,
                    )


def measure(s, sampler, factor, n_repeats):
    """Guess Error, least seconds, and whether the sum was exact, of one sum."""
    if factor is not None:
        sampler.set_params(n_steps=factor * s.problem.n**2)
    errors, seconds = [], []
    for repeat in range(n_repeats):
        start = time.perf_counter()
        found = s.estimate(random_state=repeat, sampler=sampler)
        seconds.append(time.perf_counter() - start)
        # What overshoots by e^50 is wrong enough.
        errors.append(abs(np.expm1(min(found.log_value - s.log_value, 50.0))))
        if found.exact and len(seconds) == 3:
            break
    return np.mean(errors), min(seconds), found.exact


def run(n_repeats):
    """All points of all sums, written as they come."""
    rows = []
    with open(RESULTS / "error_by_time.csv", "w", newline="") as file:
        for name in (*TRAINED, "hard"):
            sums = hard_sums() if name == "hard" else trained_sums(name)[:N_SUMS]
            for family, label, sampler, factor in settings():
                for s in sums:
                    error, seconds, exact = measure(s, sampler, factor, n_repeats)
                    row = {
                        "set": name,
                        "sum": s.name,
                        "family": family,
                        "setting": label,
                        "guess_error": f"{error:.3g}",
                        "seconds": f"{seconds:.3g}",
                        "exact": int(exact),
                    }
                    if not rows:
                        writer = csv.DictWriter(file, row)
                        writer.writeheader()
                    writer.writerow(row)
                    rows.append(row)
                file.flush()
    return rows


def points(rows):
    """(set, family, setting): error in %, ms, sums estimated; of exact ones too."""
    groups = {}
    for r in rows:
        groups.setdefault((r["set"], r["family"], r["setting"]), []).append(r)
    result = {}
    for key, group in groups.items():
        estimated = [r for r in group if not int(r["exact"])]
        kept = estimated or group
        error = np.mean([float(r["guess_error"]) for r in kept])
        seconds = np.mean([float(r["seconds"]) for r in kept])
        names = {r["sum"] for r in estimated}
        result[key] = 100 * error, 1e3 * seconds, names
    return result


def table(rows):
    """Markdown: one line a point."""
    print("| set | engine | setting | sums estimated | Guess Error, % | ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    for key, (error, ms, names) in points(rows).items():
        error = f"{error:.3g}" if names else "exact"
        print(f"| {' | '.join(key)} | {len(names)} | {error} | {ms:.3g} |")


def goals(rows):
    """What the paper's ladder costs for the same error, and the hard file."""
    print(
        "\nError^2 x time of the paper's Gibbs ladder over that of the capped frontier"
    )
    print("with 8 replicates, over the sums that the latter estimates:\n")
    print("| set | states kept | sums | capped | Gibbs ladder, 10 n^2 | ratio |")
    print("| --- | --- | --- | --- | --- | --- |")
    for (name, family, setting), (error, ms, names) in points(rows).items():
        if family != "capped frontier, 8" or not names:
            continue
        same = [r for r in rows if r["sum"] in names]
        paper_error, paper_ms, _ = points(same)[name, "gibbs, sum", "10 n^2"]
        ratio = (paper_error / error) ** 2 * paper_ms / ms
        print(
            f"| {name} | {setting} | {len(names)} | {error:.2g} %, {ms:.2g} ms | "
            f"{paper_error:.2g} %, {paper_ms:.2g} ms | {ratio:.2g} |"
        )
    below = [
        (error, ms, key)
        for key, (error, ms, _) in points(rows).items()
        if key[0] == "hard" and key[1].startswith("capped") and ms < 10
    ]
    for error, ms, key in sorted(below)[:3]:
        print(f"\nhard, < 10 ms: {key[1]}, {key[2]} states: {error:.2g} %, {ms:.1f} ms")


# Okabe & Ito's palette, told apart by the colour-blind; the shape says it again.
LEAST_ERROR = 1e-7  # %; less is drawn here
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

    found = points(rows)
    names = list(dict.fromkeys(r["set"] for r in rows))
    figure, axes = plt.subplots(2, 3, figsize=(11, 6.4), sharey=True, sharex=True)
    for ax, name in zip(axes.flat, names):
        for family, (colour, marker, line) in STYLES.items():
            curve = [
                (ms, max(error, LEAST_ERROR))
                for (of_set, of_family, _), (error, ms, estimated) in found.items()
                if (of_set, of_family) == (name, family) and estimated
            ]
            if curve:
                ax.plot(
                    *np.array(curve).T,
                    color=colour,
                    marker=marker,
                    linestyle=line,
                    markersize=5,
                    linewidth=1.4,
                    label=LABELS[family],
                )
        exact = found[name, "exact", "exact"][1]
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
    figure.savefig(RESULTS / "error_by_time.png", dpi=130)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--plot-only", action="store_true")
    args = parser.parse_args()
    if args.plot_only:
        with open(RESULTS / "error_by_time.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = run(args.repeats)
    table(rows)
    goals(rows)
    plot(rows)


if __name__ == "__main__":
    main()

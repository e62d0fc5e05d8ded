"""Tables of the records, and how ours stands among its peers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd

from benchmarks.accuracy.peers import METHODS

OURS = ["ours", "left-out", "ours-cut", "ours-single", "ours-one"]
# Those that ours is compared with; all are measured on the same folds.
PEERS = ["boosting", "forest", "catboost", "ebm", "logistic", "svm"]
# What the front page compares, by names there: the first repeat, on the sets of two
# classes that all were measured on.
RIVALS = {
    "DNFWinnowClassifier, left-out": "left-out",
    "EBM (interpret)": "ebm",
    "CatBoost": "catboost",
    "random forest, 200 trees": "forest",
    "histogram gradient boosting": "boosting",
    "RIPPER (wittgenstein)": "ripper",
    "logistic regression": "logistic",
}
# Boosting has to be as fast only on sets of more rows.
LARGE = 2000
# Differences of shares that come from rounding.
SAME = 1e-9


def report(records, sets):
    """Print the tables."""
    means = by_method(records, sets)
    errors_and_losses(means)
    error = means["error"]
    fit_s, predict_s = (means[f].map(decimals) for f in ("fit_s", "predict_s"))
    texts = (fit_s + ", " + predict_s).where(error.notna(), "-")
    table("Seconds of fit and predict, medians of folds", texts.T)
    errors = calibration(records, error.index)
    table("Expected calibration error over all rows", errors, of="method")
    table("Among the seven", among_peers(means), of="method")
    if set(RIVALS.values()) <= set(records["method"]):
        n_sets, text = rivals(records)
        print("", f"Means over the {n_sets} sets of all rivals", "", text, sep="\n")


def errors_and_losses(means):
    """Print the errors and the log losses of all methods on all sets."""
    error, std_error = means["error"], means["std_error"]
    texts = (percent(error) + " ± " + percent(std_error)).where(error.notna(), "-")
    table("Error, % ± its standard error", texts.T)
    table("Log loss, nats", means["log_loss"].dropna(how="all").map(decimals).T)


def by_method(records, sets):
    """Return a dict of data frames, methods by sets: means over repeats."""
    some = records.assign(error=records["errors"] / records["rows"])
    fields = ["error", "rows", "log_loss", "fit_s", "predict_s"]
    found = some.groupby(["method", "set"])[fields].mean()
    order = [m for m in dict.fromkeys([*OURS, *METHODS]) if m in set(some["method"])]
    means = {f: found[f].unstack().reindex(order, columns=sets) for f in fields}
    error = means["error"]
    # Repeats are of the same rows.
    means["std_error"] = np.sqrt(error * (1 - error) / means["rows"])
    return means


def rivals(records):
    """Return the number of sets that all rivals share, and a table of their means."""
    some = records[records["method"].isin(RIVALS.values()) & (records["repeat"] == 0)]
    rows = some.set_index(["set", "method"])["rows"].unstack()
    shared = rows.index[rows.notna().all(axis=1) & (rows.nunique(axis=1) == 1)]
    some = some[some["set"].isin(shared)]
    some = some.assign(error=100 * some["errors"] / some["rows"])
    fields = {
        "error, %": ("error", "{:.1f}"),
        "log loss": ("log_loss", "{:.3f}"),
        "fit, s": ("fit_s", "{:.2f}"),
        "rules": ("rules", "{:.0f}"),
        "conditions": ("literals", "{:.0f}"),
    }
    means = some.groupby("method")[[field for field, _ in fields.values()]].mean()
    cells = pd.DataFrame(
        {
            name: means[field].map(text.format).where(means[field].notna(), "n/a")
            for name, (field, text) in fields.items()
        }
    )
    cells = cells.loc[list(RIVALS.values())].set_axis(list(RIVALS))
    order = means["error"].reindex(RIVALS.values()).argsort(kind="stable")
    return len(shared), grid(cells.iloc[order], of="classifier")


def among_peers(means):
    """Return how each method stands beside ours and the peers that were measured."""
    errors, losses, rows = means["error"], means["log_loss"], means["rows"].max()
    lines = {}
    for method, error in errors.iterrows():
        # Methods that are none of the seven take the place of ours.
        seven = ["ours" if method in PEERS else method, *PEERS]
        found, fit_s = errors.reindex(seven), means["fit_s"].reindex(seven)
        limits = found + 2 * means["std_error"].reindex(seven) + SAME
        loss = losses.loc[method].dropna()
        of_ours = losses.reindex(index=["ours"], columns=loss.index).loc["ours"]
        slower = fit_s.loc[method] / fit_s
        lines[method] = {
            "sets": error.notna().sum(),
            "mean error, %": f"{100 * error.mean():.2f}",
            "mean rank": f"{found.round(9).rank().loc[method].mean():.2f}",
            "log loss": decimals(loss.mean()),
            "ours there": decimals(of_ours.mean()),
            "fit / forest": median_and_largest(slower.loc["forest"]),
            "fit / boosting": median_and_largest(slower.loc["boosting", rows > LARGE]),
            "behind by 2 se": " ".join(error.index[error > limits.min()]) or "none",
        }
    return pd.DataFrame(lines).T


def median_and_largest(ratios):
    """Return a text for the ratios of some sets."""
    return f"{ratios.median():.2f}, {ratios.max():.1f}"


def calibration(records, methods):
    """Return the expected calibration error of each method."""
    found = {}
    for method in methods:
        some = records[(records["method"] == method) & (records["repeat"] == 0)]
        some = some[some["bins"].notna()]
        if len(some):
            small = some[some["set"] != "mushroom"]
            found[method] = {
                "all sets": f"{100 * ece(bins_of(some)):.2f} %",
                "without mushroom": f"{100 * ece(bins_of(small)):.2f} %",
            }
    return pd.DataFrame(found).T


def bins_of(records):
    """Return rows, probabilities and right ones of each bin: (3, n_bins)."""
    return np.sum([np.array(bins) for bins in records["bins"]], axis=0).T


def ece(bins):
    """Return how far probabilities are from the shares that are right."""
    rows, given, right = bins
    return np.abs(given - right).sum() / rows.sum()


def table(title, frame, of="set"):
    """Print a title and a table."""
    print("", title, "", grid(frame, of), sep="\n")


def grid(frame, of="set"):
    """Return a reST table of texts, with the name of each row."""
    lines = [[of, *frame.columns]]
    lines += [[m, *map(str, row)] for m, row in zip(frame.index, frame.to_numpy())]
    widths = [max(map(len, column)) for column in zip(*lines)]
    rule = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in lines]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])


def print_table(header, rows):
    """Print rows of texts; what a row lacks is left empty."""
    frame = pd.DataFrame(rows, columns=header).fillna("").set_index(header[0])
    print(f"{grid(frame, header[0])}\n", flush=True)


def percent(frame):
    """Return texts for shares."""
    return (100 * frame).map("{:.1f}".format)


def decimals(value):
    """Return a text for a figure that may be missing."""
    return "-" if np.isnan(value) else f"{value:.3f}"

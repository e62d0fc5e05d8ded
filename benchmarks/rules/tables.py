"""Tables of the records: error and literals by set and method, and how ours stands."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.accuracy.tables import table
from benchmarks.rules.methods import DEFAULT, METHODS
from benchmarks.sets import names

PUBLISHED = Path(__file__).parent / "results" / "published.csv"
TITLES = {
    "one_by_default": "One class against the rest: error, % (literals)",
    "one_at_equal_size": "The same with at most our literals: error, %",
    "all_by_default": "All classes: error, % (literals)",
    "all_at_equal_size": "The same with at most our literals: error, %",
    "published_beside_ours": "Published by pyrulearn: accuracy (conditions)",
}
OURS, MODEL = "DNFClassifier", "model"
KEY = ["kind", "set", "method", "size"]


def summary(records):
    """Return a frame by kind, set, method and size: means of the folds.

    `error` and `std_error` are shares of all rows held out, `rules`, `literals` and
    `fit_s` means of folds. What ended without a result in a fold is not there.
    """
    order = {name: place for place, name in enumerate(names("all"))}
    places = records["set"].map(lambda name: order.get(name, len(order)))
    records = records.iloc[np.argsort(places, kind="stable")]
    done = records["status"] == "done"
    complete = done.groupby([records[name] for name in KEY]).transform("all")
    groups = records[complete].groupby(KEY, sort=False)
    sums = groups[["errors", "rows"]].sum()
    means = groups[["rules", "literals", "fit_s"]].mean()
    error = sums["errors"] / sums["rows"]
    std_error = np.sqrt(error * (1 - error) / sums["rows"])
    return means.assign(error=error, std_error=std_error)


def report(records, folder):
    """Print the tables, and write them as CSV files."""
    found = summary(records)
    tables = {}
    for kind in found.index.unique("kind"):
        of_kind = found.loc[kind]
        tables[f"{kind}_by_default"] = by_default(of_kind)
        tables[f"{kind}_at_equal_size"] = at_equal_size(of_kind)
    tables["published_beside_ours"] = published(found)
    for name, frame in tables.items():
        if frame is not None:
            table(TITLES[name], frame)
            frame.to_csv(folder / f"{name}.csv", index_label="set")
    if "one" in found.index.unique("kind"):
        standing(found.loc["one"])
    without = records[records["status"] != "done"]
    if len(without):
        print("\nWithout a result:")
        for (status, method, size), sets in (
            without.groupby(["status", "method", "size"])["set"].unique().items()
        ):
            print(f"  {method} {size}, {status}: {', '.join(sets)}")


def by_default(found):
    """Return texts, sets by methods, of the sizes that methods have by default."""
    of_default = found.xs(DEFAULT, level="size")
    texts = (100 * of_default["error"]).map("{:.1f}".format)
    sizes = of_default["literals"].map(" ({:.0f})".format)
    texts += sizes.where(of_default["literals"].notna(), "")
    order = [name for name in METHODS if name in set(texts.index.unique("method"))]
    sets = found.index.unique("set")
    frame = texts.unstack("method").reindex(index=sets, columns=order).fillna("-")
    return with_means(
        frame,
        errors=of_default["error"].unstack("method")[order],
        literals=of_default["literals"].unstack("method")[order],
    )


def with_means(texts, errors, literals=None):
    """Add a line of means over the sets of ours; '-' if one of them is missing."""
    if OURS in errors:
        errors = errors[errors[OURS].notna()]
    means = (100 * errors.mean(skipna=False)).map("{:.1f}".format)
    if literals is not None:
        sizes = literals.loc[errors.index].mean(skipna=False)
        means += sizes.map(" ({:.0f})".format).where(sizes.notna(), "")
    texts.loc[f"mean of {len(errors)}"] = means.where(errors.notna().all(), "-")
    return texts


def largest_within(found, literals):
    """Return the error of the largest size of at most so many literals, or NaN."""
    small = found[found["literals"] <= literals + 1e-9]
    return small.loc[small["literals"].idxmax(), "error"] if len(small) else np.nan


def at_equal_size(found):
    """Return texts of errors: ours, and those of peers with at most our literals.

    A peer whose smallest size has more literals has the error of this size.
    """
    if OURS not in found.index.unique("method"):
        return None
    own = found.xs((OURS, DEFAULT), level=["method", "size"])
    sized = found[found["literals"].notna()].index.unique("method")
    peers = [name for name in METHODS if name in sized and name != OURS]
    errors = pd.DataFrame({OURS: own["error"]})
    for name in peers:
        for of_set, literals in own["literals"].items():
            of_peer = found.xs(name, level="method")
            if of_set not in of_peer.index.unique("set"):
                continue
            of_peer = of_peer.loc[of_set]
            error = largest_within(of_peer, literals)
            smallest = of_peer.loc[of_peer["literals"].idxmin(), "error"]
            errors.loc[of_set, name] = smallest if np.isnan(error) else error
    texts = (100 * errors).map("{:.1f}".format).where(errors.notna(), "-")
    texts.insert(0, "literals", own["literals"].map("{:.0f}".format))
    return with_means(texts, errors).fillna("")


def standing(found):
    """Print how ours stands beside the model and RIPPER: one class against the rest."""
    of_default = found.xs(DEFAULT, level="size")
    error, std_error, literals = (
        of_default[name].unstack("method")
        for name in ("error", "std_error", "literals")
    )
    if not {MODEL, "RIPPER"} <= set(error.columns):
        return
    for own in [name for name in ("to_dnf", OURS) if name in error.columns]:
        known = error[[own, MODEL, "RIPPER"]].dropna().index
        behind = (error[own] - error[MODEL])[known]
        near = behind <= std_error.loc[known, MODEL] + 1e-9
        said = {
            "more than two points behind it": behind > 0.02 + 1e-9,
            "error above that of RIPPER": (error[own] > error["RIPPER"] + 1e-9)[known],
            "more literals than RIPPER": (literals[own] > literals["RIPPER"])[known],
        }
        print(f"\n{own}: within one standard error of the model", end=" ")
        print(f"on {near.sum()} of {len(known)} sets")
        for what, is_so in said.items():
            print(f"  {what}: {', '.join(known[is_so]) or 'none'}")


def published(found):
    """Return texts of published figures, with ours where it was measured."""
    frame = pd.read_csv(PUBLISHED)
    texts = frame["accuracy"].map("{:.3f}".format)
    texts += (
        frame["conditions"]
        .map(" ({:.0f})".format)
        .where(frame["conditions"].notna(), "")
    )
    texts = texts.set_axis([frame["set"], frame["learner"]]).unstack()
    # Learners with figures of most sets come first.
    texts = texts[frame["learner"].value_counts().index].fillna("-")
    # Sets of several classes are those of the task 'all'.
    if OURS in found.index.unique("method"):
        own = found.xs((OURS, DEFAULT), level=["method", "size"])
        for of_set in texts.index:
            kind = "all" if ("all", of_set) in own.index else "one"
            if (kind, of_set) in own.index:
                error, literals = own.loc[(kind, of_set), ["error", "literals"]]
                texts.loc[of_set, OURS] = f"{1 - error:.3f} ({literals:.0f})"
        texts = texts[[OURS, *texts.columns.drop(OURS)]].fillna("-")
    return texts

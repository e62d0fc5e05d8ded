"""Tables: means with their intervals, and files that a document can include."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
from collections import defaultdict

import numpy as np
from scipy.stats import t as student

#: What stands for a part that has not been run, or that the paper does not have.
NOTHING = "-"


def interval(values):
    """Mean and half width of Student's 95 % interval, which one value does not have."""
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return float(values.mean()), np.nan
    half = student.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return float(values.mean()), float(half)


def grouped(rows, *keys):
    """Rows by the values of one key, or of several as tuples, in order of arrival."""
    groups = defaultdict(list)
    for row in rows:
        group = tuple(row[key] for key in keys)
        groups[group if len(keys) > 1 else group[0]].append(row)
    return groups


def cell(pair, digits=1):
    """'mean ± half width' of a pair, or of the mean alone."""
    if pair is None:
        return NOTHING
    mean, half = pair
    if np.isnan(half):
        return number(mean, digits)
    return f"{mean:.{digits}f} ± {half:.{digits}f}"


def number(value, digits=1):
    """A number to some digits after the point."""
    if value is None or np.isnan(value):
        return NOTHING
    return f"{value:.{digits}f}"


def errors(rows):
    """Mean and half width in % of the errors of some rows, None of no rows."""
    if not rows:
        return None
    mean, half = interval([row["error"] for row in rows])
    return 100 * mean, 100 * half


def write(path, header, rows):
    """A table as a CSV file, its header first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)

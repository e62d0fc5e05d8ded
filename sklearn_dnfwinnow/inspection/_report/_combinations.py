"""Combinations: the strongest interactions of columns and of conditions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow._utils._records import records_in
from sklearn_dnfwinnow.inspection._additive_share import additive_share
from sklearn_dnfwinnow.inspection._heavy_terms import terms
from sklearn_dnfwinnow.inspection._interactions._interactions import interactions
from sklearn_dnfwinnow.inspection._report._page import LOG_ODDS, Part, percent
from sklearn_dnfwinnow.inspection._report._subject import IMPORTANCE_ROWS
from sklearn_dnfwinnow.inspection._sections import Line, Section
from sklearn_dnfwinnow.inspection._shapley._shapley_values import shapley_interactions

# Test rows on which the share of single columns is measured: more take longer.
_MOST_ROWS = 1000
_MOST_PAIRS, _MOST_OF_CLASS = 10, 5
# Columns whose pairs are measured: there is a number for each pair, row and class.
_MOST_COLUMNS = 100


def combinations_part(subject):
    """Return the part about combinations of columns."""
    if not subject.weighs_terms:
        part = Part("combinations", "Combinations of conditions")
        _write_groups(part, subject)
        return part
    part = Part("combinations", "Combinations of columns")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the text says it
        found = additive_share(subject.estimator, subject.some_rows(_MOST_ROWS))
    part.paragraph(
        f"Sums of effects of single columns explain {percent(found.share, 0)} of the "
        "variance of the log-odds on the test rows. The rest depends on combinations "
        "of columns. (Of random numbers, they would explain about "
        f"{percent(found.chance, 0)}.)"
    )
    values = _interaction_values(subject)
    if values is None:
        _write_terms(part, subject)
    else:
        _write_pairs(part, subject.decoder, values)
    return part


def _interaction_values(subject):
    """Return the interactions of pairs of features; None if there are too many."""
    if len(subject.decoder.preimages) > _MOST_COLUMNS:
        return None
    try:
        return shapley_interactions(
            subject.estimator, subject.some_rows(IMPORTANCE_ROWS)
        )
    except ValueError:  # rows with too many conditions
        return None


def _write_pairs(part, decoder, values):
    """Write the strongest interactions of pairs of columns."""
    # Features that come from one column are one.
    columns, places = np.unique(
        [preimage.column for preimage in decoder.preimages], return_inverse=True
    )
    names = [decoder.table_features[column] for column in columns]
    n = len(columns)
    values = values.reshape(*values.shape[:3], -1)
    joint = np.zeros((len(values), n, n, values.shape[3]))
    for i, first in enumerate(places):
        for j, second in enumerate(places):
            joint[:, first, second] += values[:, i, j]
    strengths = 2 * np.abs(joint).mean(axis=(0, 3))
    first, second = np.triu_indices(n, 1)
    of_pairs = strengths[first, second]
    order = np.argsort(-of_pairs, kind="stable")[:_MOST_PAIRS].tolist()
    lines = [
        Line(
            float(of_pairs[p]),
            f"{shown(names[first[p]])} and {shown(names[second[p]])}",
        )
        for p in order
        if of_pairs[p] > 0
    ]
    if not lines:
        part.paragraph("The model uses no combinations of columns.")
        return
    part.paragraph(
        "Two columns interact if the effect of one depends on the value of the other. "
        f"{LOG_ODDS}"
    )
    part.bars(
        f"Strongest of {len(of_pairs)} pairs of columns",
        Section("mean absolute interaction indices", lines, style=".2f"),
    )


def _write_terms(part, subject):
    """Write the conjunctions of several conditions with the largest weights."""
    found = records_in(terms(subject.estimator, top=4 * _MOST_PAIRS))
    rows, counts = [], dict.fromkeys(subject.classes, 0)
    for record in found:
        if record["size"] > 1 and counts[record["class"]] < _MOST_OF_CLASS:
            counts[record["class"]] += 1
            class_ = shown(record["class"])
            rows.append((class_, percent(record["share"]), record["term"]))
    if rows:
        part.paragraph(
            "These conjunctions of two or more conditions have the largest weights of "
            "their classes. (There are too many columns to measure interactions of all "
            "pairs.)"
        )
        part.numbers(["class", "share of the weighted sum", "conditions"], rows)


def _write_groups(part, subject):
    """Write the strongest interactions of a Bayesian classifier."""
    found = records_in(interactions(subject.estimator, top=_MOST_PAIRS))
    rows = [
        (
            shown(record["class"]),
            f"{record['median']:+.2f}",
            f"{record['low']:+.2f} to {record['high']:+.2f}",
            record["term"],
        )
        for record in found
    ]
    part.paragraph(
        "These conditions and combinations of conditions have the largest effects on "
        "the log-odds of a class. The interval contains 90 % of the posterior draws of "
        f"the effect. {LOG_ODDS}"
    )
    part.numbers(["class", "effect", "90 % interval", "conditions"], rows)

"""Combinations: the strongest combinations of conditions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._display import records_in, shown
from sklearn_dnfwinnow.inspection._interactions import interactions
from sklearn_dnfwinnow.inspection._report._page import LOG_ODDS, Part, percent
from sklearn_dnfwinnow.inspection._terms import terms

# Combinations that are listed, of each class; groups of terms; and the heaviest terms
# among which the combinations are searched.
_MOST_OF_CLASS, _MOST_GROUPS, _MOST_TERMS = 5, 10, 40


def combinations_part(subject):
    """Return the part about combinations of conditions."""
    part = Part("combinations", "Combinations of conditions")
    if subject.weighs_terms:
        _write_terms(part, subject)
    else:
        _write_groups(part, subject)
    return part


def _write_terms(part, subject):
    """Write the conjunctions of several conditions with the largest weights."""
    found = records_in(terms(subject.estimator, top=_MOST_TERMS))
    rows, counts = [], dict.fromkeys(subject.classes, 0)
    for record in found:
        if record["size"] > 1 and counts[record["class"]] < _MOST_OF_CLASS:
            counts[record["class"]] += 1
            class_ = shown(record["class"])
            rows.append((class_, percent(record["share"]), record["term"]))
    if not rows:
        part.paragraph("The terms with the largest weights have one condition each.")
        return
    part.paragraph(
        "These conjunctions of two or more conditions have the largest weights of "
        "their classes."
    )
    part.numbers(["class", "share of the weighted sum", "conditions"], rows)


def _write_groups(part, subject):
    """Write the strongest interactions of a Bayesian classifier."""
    found = records_in(interactions(subject.estimator, top=_MOST_GROUPS))
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

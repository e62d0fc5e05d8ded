"""Sections of an explanation by interactions, as text and as a part of an HTML page."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.inspection._explained_prediction import LEAST_EFFECT, OTHERS
from sklearn_dnfwinnow.inspection._sections import (
    Line,
    Section,
    in_brackets,
    probability,
)

UNSEEN = "terms without training samples"


def end_of(p):
    """Return an end of an interval as text, but never 0 or 1."""
    return probability(p).removeprefix("p ").removeprefix("= ").replace(" ", "")


def terms_section(explanation):
    """Return the contributions of groups, of all others, and of unseen terms."""
    lines = [_line(record, _text_of_group(record)) for record in explanation.records]
    rest = explanation.rest
    if rest["n_groups"]:
        lines.append(_line(rest, OTHERS))
    if np.abs(explanation.unseen).max() >= LEAST_EFFECT:
        lines.append(Line(0.0, UNSEEN, interval=tuple(explanation.unseen.tolist())))
    odds = f"{explanation.log_odds:+.2f} {in_brackets(*explanation.log_odds_interval)}"
    fraction = f"{100 * explanation.coverage:.4g}%"
    return Section(
        f"contributions of terms to the mean log-odds, {odds} (natural log)",
        lines,
        note=f"in brackets: intervals of {fraction} of the draws",
    )


def features_section(explanation, most):
    """Return the features with the largest contributions, of either sign."""
    effects = explanation.feature_effects
    intervals = list(map(tuple, explanation.effect_intervals.tolist()))
    lines = explanation._largest_effects(most, interval=intervals)
    return Section(
        f"contributions of features (Shapley values), {len(lines)} of {len(effects)} "
        "shown",
        lines,
        note=f"all features and the base value, {explanation.base_value:+.2f}, add up "
        f"to {explanation.log_odds:+.2f}",
    )


def _line(record, text):
    """Return a line of a summary of draws."""
    return Line(record["mean"], text, interval=(record["low"], record["high"]))


def _text_of_group(record):
    """Return the term of a record, and the number of terms in its group."""
    n = record["n_terms"]
    if n == 1:
        return record["term"]
    return f"{record['term']} (1 of {n if n < 1e6 else f'{n:.1e}'} terms)"

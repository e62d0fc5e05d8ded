"""Sections of an explanation by interactions, as text and as a part of an HTML page."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._utils._html import table
from sklearn_dnfwinnow._utils._text import shown, transformation_notice
from sklearn_dnfwinnow.inspection._explanation_html import effect_rows, heading
from sklearn_dnfwinnow.inspection._explanation_sections import (
    OTHERS,
    Section,
    probability,
)

UNSEEN = "terms without training samples"
# Maximum number of features whose effects are printed.
_MOST_FEATURES = 8
# Smaller contributions would be printed as 0.00.
_LEAST = 0.005


class IntervalLine(NamedTuple):
    """A mean with an interval and a text.

    Attributes
    ----------
    value, low, high : float
    text : str
    """

    value: float
    low: float
    high: float
    text: str


def headline(explanation):
    """Return the sample, the predicted class with an interval, and the next class.

    Names the transformers if the features are not columns of the user's data.
    """
    first, next_ = explanation.ranking[:2]
    winner, second = (
        shown(explanation.classes[first]),
        shown(explanation.classes[next_]),
    )
    p, q = (probability(explanation.probabilities[k]) for k in (first, next_))
    low, high = map(_end, explanation.probability_intervals[first])
    notice = transformation_notice(explanation.transformed_by)
    return (
        f"row {explanation.row}: predicted {winner} ({p}, {low} to {high}; "
        f"next: {second}, {q})" + (f"; {notice}" if notice else "")
    )


def _end(p):
    """Return an end of an interval as text, but never 0 or 1."""
    return probability(p).removeprefix("p ").removeprefix("= ").replace(" ", "")


def sections(explanation, most=_MOST_FEATURES):
    """Return the sections of contributions: of interactions, and of features."""
    return [_shares_section(explanation), _features_section(explanation, most)]


def _shares_section(explanation):
    """Return the contributions of groups, of all others, and of unseen terms."""
    lines = [_line(record, _text_of_group(record)) for record in explanation.records]
    rest = explanation.rest
    if rest["n_groups"]:
        lines.append(_line(rest, OTHERS))
    if np.abs(explanation.unseen).max() >= _LEAST:
        lines.append(IntervalLine(0.0, *explanation.unseen.tolist(), UNSEEN))
    odds = f"{explanation.log_odds:+.2f} {in_brackets(*explanation.log_odds_interval)}"
    return Section(
        f"contributions of terms to the mean log-odds, {odds} (natural log)",
        lines,
        f"in brackets: intervals of {100 * explanation.interval:.4g}% of the draws",
    )


def _features_section(explanation, most):
    """Return the features with the largest contributions, of either sign."""
    effects = explanation.feature_effects
    order = np.argsort(-np.abs(effects), kind="stable")
    lines = [
        IntervalLine(
            float(effects[j]),
            *explanation.effect_intervals[j].tolist(),
            explanation.values[j],
        )
        for j in order[:most]
        if explanation.values[j] is not None and abs(effects[j]) >= _LEAST
    ]
    return Section(
        f"contributions of features (Shapley values), {len(lines)} of {len(effects)} "
        "shown",
        lines,
        f"all features and the base value, {explanation.base_value:+.2f}, add up to "
        f"{explanation.log_odds:+.2f}",
    )


def _line(record, text):
    """Return a line of a summary of draws."""
    return IntervalLine(record["mean"], record["low"], record["high"], text)


def _text_of_group(record):
    """Return the term of a record, and the number of terms in its group."""
    n = record["n_terms"]
    if n == 1:
        return record["term"]
    return f"{record['term']} (1 of {n if n < 1e6 else f'{n:.1e}'} terms)"


def in_brackets(low, high):
    """Return an interval as text."""
    return f"[{low:+.2f}, {high:+.2f}]"


def text_of(explanation):
    """Return an explanation as text, with several lines."""
    lines = [headline(explanation)]
    for section in sections(explanation):
        lines.append(f"  {section.heading}")
        brackets = [in_brackets(line.low, line.high) for line in section.lines]
        width = max(map(len, brackets), default=0)
        lines += [
            f"{line.value:+10.2f}  {bracket:>{width}}  {line.text}"
            for line, bracket in zip(section.lines, brackets)
        ]
        lines.append(f"    {section.note}")
    return "\n".join(lines)


def html_of(explanation):
    """Return an explanation as an HTML table, with a bar beside each number."""
    rows = [heading(headline(explanation))]
    for section in sections(explanation):
        numbers = [
            f"{line.value:+.2f} {in_brackets(line.low, line.high)}"
            for line in section.lines
        ]
        rows += effect_rows(section, numbers)
    return table(rows)

"""Sections: the parts of an explanation, in the order in which they are printed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._utils._display._html import BLUE, ORANGE
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.inspection._explained_prediction import LEAST_EFFECT, OTHERS
from sklearn_dnfwinnow.inspection._sections import (
    Line,
    Section,
    probability,
    with_error,
)

# Description of the numbers in the section of a class.
SHARES = "relative contributions to its weighted sum"
BASE = "average row"
OTHER_FEATURES = "all other features"
# Description of the effects on the log-odds, by the method of an explanation.
EFFECTS = {
    "leave_one_out": "effects on the log-odds",
    "shapley": "Shapley values of the log-odds",
}


def effects_section(explanation, most):
    """Return the features with the largest effects on the log-odds, of either sign."""
    lines = explanation._largest_effects(most, error=explanation.effect_errors)
    n_features = len(explanation.features)
    log_odds = with_error(f"{explanation.log_odds:.2f}", explanation.log_odds_error)
    note = "; leave-one-out effects do not add up to them"
    if explanation.base_value is not None:
        note = ", the sum of these numbers"
    return Section(
        f"{EFFECTS[explanation.method]} (natural log), "
        f"{len(lines)} of {n_features} features shown",
        lines,
        note=f"the log-odds are {log_odds}{note}",
    )


def effects_that_add_up(explanation, most):
    """Return `effects_section` with lines for the base value and all other features.

    These are the first and the last line. Leave-one-out effects have neither.
    """
    section = effects_section(explanation, most)
    if explanation.base_value is None:
        return section
    lines = [Line(explanation.base_value, BASE), *section.lines]
    rest = explanation.log_odds - sum(line.value for line in lines)
    if abs(rest) >= LEAST_EFFECT:
        lines.append(Line(rest, OTHER_FEATURES))
    return section._replace(lines=lines)


def class_sections(explanation):
    """Return a section for each class with listed terms, the highest score first."""
    ranking = explanation.ranking[: explanation.n_listed]
    return [_class_section(explanation, k) for k in ranking]


def _class_section(explanation, k):
    """Return relative contributions of the listed terms of class k, and the rest."""
    class_, error = explanation.classes[k], explanation.std_errors[k]
    # The weight of a term is exact; the weighted sum can be an estimate.
    lines = [
        Line(record["share"], record["term"], record["share"] * error)
        for record in explanation.of_class(class_)
    ]
    listed = min(1.0, sum(line.value for line in lines))
    lines.append(Line(1.0 - listed, OTHERS, listed * error))
    p = probability(explanation.probabilities[k])
    estimated = f", weighted sum ± {error:.2%}" if error > 0 else ""
    return Section(
        f"class {shown(class_)} ({p}){estimated}",
        lines,
        measure=SHARES,
        style=".1%",
        longest=1.0,
        colour=BLUE if k == explanation.ranking[0] else ORANGE,
    )

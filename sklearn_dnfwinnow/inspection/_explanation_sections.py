"""Sections: the parts of an explanation, in the order in which they are printed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._utils._text import shown, transformation_notice

OTHERS = "all other terms"
# Description of the numbers in the section of a class.
SHARES = "relative contributions to its weighted sum"
BASE = "average row"
OTHER_FEATURES = "all other features"
# Description of the effects on the log-odds, by the method of an explanation.
EFFECTS = {
    "leave_one_out": "effects on the log-odds",
    "shapley": "Shapley values of the log-odds",
}
# Smaller effects are not listed, because they would be printed as 0.00.
_LEAST_EFFECT = 0.005


class Line(NamedTuple):
    """A number with a text.

    Attributes
    ----------
    value, error : float
        The error is 0 where the number is exact.
    text : str
    """

    value: float
    error: float
    text: str


class Section(NamedTuple):
    """Lines under a heading.

    Attributes
    ----------
    heading : str
    lines : list of Line
    note : str
        Printed below the lines; '' if there is none.
    """

    heading: str
    lines: list
    note: str = ""


def headline(explanation):
    """Return the sample, the predicted and the next class, and their probabilities.

    Names the transformers if the features are not columns of the user's data.
    """
    places = explanation.ranking[:2]
    winner, next_ = map(shown, explanation.classes[places])
    p, q = map(probability, explanation.probabilities[places])
    estimated = "; estimates" if explanation.std_errors.any() else ""
    answer = f"predicted {winner} ({p}; next: {next_}, {q}{estimated})"
    notice = transformation_notice(explanation.transformed_by)
    return f"row {explanation.row}: {answer}" + (f"; {notice}" if notice else "")


def effects_section(explanation, most):
    """Return the features with the largest effects on the log-odds, of either sign."""
    lines = _effect_lines(explanation, most)
    n_features = len(explanation.features)
    log_odds = with_error(f"{explanation.log_odds:.2f}", explanation.log_odds_error)
    note = "; leave-one-out effects do not add up to them"
    if explanation.base_value is not None:
        note = ", the sum of these numbers"
    return Section(
        f"{EFFECTS[explanation.method]} (natural log), "
        f"{len(lines)} of {n_features} features shown",
        lines,
        f"the log-odds are {log_odds}{note}",
    )


def effects_that_add_up(explanation, most):
    """Return `effects_section` with lines for the base value and all other features.

    These are the first and the last line. Leave-one-out effects have neither.
    """
    section = effects_section(explanation, most)
    if explanation.base_value is None:
        return section
    lines = [Line(explanation.base_value, 0.0, BASE), *section.lines]
    rest = explanation.log_odds - sum(line.value for line in lines)
    if abs(rest) >= _LEAST_EFFECT:
        lines.append(Line(rest, 0.0, OTHER_FEATURES))
    return section._replace(lines=lines)


def _effect_lines(explanation, most):
    """Return a line for each of the features with the largest effects."""
    effects, errors = explanation.feature_effects, explanation.effect_errors
    order = np.argsort(-np.abs(effects), kind="stable")
    return [
        Line(float(effects[j]), float(errors[j]), _literal_text(explanation, j))
        for j in order[:most]
        if abs(effects[j]) >= _LEAST_EFFECT
    ]


def _literal_text(explanation, j):
    """Return the literal that the sample satisfies for a feature, or why it has none.

    In comparison to other samples, it has an effect that a value is missing.
    """
    found = explanation.values[j]
    if found is None:
        return f"{shown(explanation.features[j])}: missing or unknown"
    return found


def class_sections(explanation):
    """Return a section for each class with listed terms, the highest score first."""
    ranking = explanation.ranking[: explanation.n_listed]
    return [_class_section(explanation, k) for k in ranking]


def _class_section(explanation, k):
    """Return relative contributions of the listed terms of class k, and the rest."""
    class_, error = explanation.classes[k], explanation.std_errors[k]
    # The weight of a term is exact; the weighted sum can be an estimate.
    lines = [
        Line(record["share"], record["share"] * error, record["term"])
        for record in explanation.of_class(class_)
    ]
    listed = min(1.0, sum(line.value for line in lines))
    lines.append(Line(1.0 - listed, listed * error, OTHERS))
    p = probability(explanation.probabilities[k])
    estimated = f", weighted sum ± {error:.2%}" if error > 0 else ""
    return Section(f"class {shown(class_)} ({p}){estimated}", lines)


def with_error(text, error):
    """Return a number with its standard error, unless it is exact."""
    return f"{text} ± {error:.2g}" if error > 0 else text


def probability(p):
    """Return a probability with two digits, but never 0 or 1."""
    if p < 0.005:
        return "p < 0.01"
    return "p > 0.99" if p > 0.995 else f"p = {p:.2f}"

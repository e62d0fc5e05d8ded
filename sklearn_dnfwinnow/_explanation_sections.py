"""Sections: the parts of an explanation, in the order in which people read them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._literal import shown

OTHERS = "all other terms"
# Less than this is printed as nothing.
_LEAST_EFFECT = 0.005


class Line(NamedTuple):
    """A number, and what it is of.

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
    """

    heading: str
    lines: list


def headline(explanation):
    """What is predicted, and by how much."""
    first, next_ = explanation.ranking[:2]
    winner, other = map(shown, explanation.classes[[first, next_]])
    lead = explanation.scores[first] - explanation.scores[next_]
    return f"prediction {winner}, ahead of {other} by {lead:.2f}"


def class_section(explanation, k):
    """Shares of the weighted sum of class k: its terms, and all others."""
    class_, error = explanation.classes[k], explanation.std_errors[k]
    # The weight of a term is exact, the sum that it is a share of need not be.
    lines = [
        Line(record["share"], record["share"] * error, record["term"])
        for record in explanation.of_class(class_)
    ]
    listed = min(1.0, sum(line.value for line in lines))
    lines.append(Line(1.0 - listed, listed * error, OTHERS))
    score = with_error(f"{explanation.scores[k]:.2f}", error)
    return Section(f"class {shown(class_)}, score {score}", lines)


def effects_section(explanation, most):
    """The attributes that most changed the lead of the prediction, either way."""
    effects, errors = explanation.attribute_effects, explanation.effect_errors
    order = np.argsort(-np.abs(effects), kind="stable")
    lines = [
        Line(float(effects[j]), float(errors[j]), explanation.values[j])
        for j in order[:most]
        if explanation.values[j] is not None and abs(effects[j]) >= _LEAST_EFFECT
    ]
    first, next_ = map(shown, explanation.classes[explanation.ranking[:2]])
    return Section(f"effects on the lead of {first} over {next_}", lines)


def with_error(text, error):
    """A number with its standard error, unless it is exact."""
    return f"{text} ± {error:.2g}" if error > 0 else text

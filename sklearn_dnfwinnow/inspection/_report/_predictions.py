"""Predictions: three of the test rows, with the reasons for their predictions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings
from dataclasses import replace

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow._utils._display import records_in, shown
from sklearn_dnfwinnow.inspection._counterfactuals._counterfactuals import (
    counterfactuals,
)
from sklearn_dnfwinnow.inspection._explanation import explain
from sklearn_dnfwinnow.inspection._interaction_explanation import (
    explain_interactions,
)
from sklearn_dnfwinnow.inspection._report._page import Part, percent

# Changes that are evaluated for the counterfactuals of a row: less than a second.
_MOST_WORK = 1 << 16


def chosen_rows(subject):
    """Return the explained test rows, as a dict from place to why it is chosen.

    These are the most certain right prediction, the least certain one, and the most
    certain wrong one; of equal ones, the first.
    """
    every = np.arange(subject.n_test)
    certainty = subject.probabilities[every, subject.predicted]
    chosen = {}

    def choose(places, numbers, reason):
        if len(places):
            place = int(places[np.argmax(numbers[places])])
            chosen.setdefault(place, []).append(reason)

    right = subject.right
    choose(every[right], certainty, "the most certain right prediction")
    choose(every, -certainty, "the least certain prediction")
    choose(every[~right], certainty, "the most certain wrong prediction")
    return {place: " and ".join(reasons) for place, reasons in chosen.items()}


def predictions_part(subject):
    """Return the part about single predictions."""
    chosen = chosen_rows(subject)
    part = Part("predictions", "Some predictions explained")
    texts = [
        "Rows are counted from 0, in the order of the test rows.",
        *_remarks(subject),
    ]
    if subject.right.all():
        texts.append("No test row is predicted wrongly.")
    part.paragraph(" ".join(texts))
    for place, reason in chosen.items():
        p = subject.probabilities[place, subject.predicted[place]]
        predicted = shown(subject.classes[subject.predicted[place]])
        part.heading(f"Row {place}: {reason}")
        part.paragraph(
            f"Predicted {predicted}, with a probability {_chance(p)}. The true "
            f"class is {shown(subject.y_test[place])}."
        )
        _write_reasons(part, subject, place)
    return part


def _chance(p):
    """Return a probability as text; one that is not certain does not read as 100 %."""
    return f"above {percent(0.999)}" if p > 0.999 else f"of {percent(p)}"


def _remarks(subject):
    """Return what readers of the explanations need to know."""
    if not subject.has_table_model:
        return []
    texts = []
    if subject.weighs_terms:
        texts.append(
            "For each row, Shapley values say how its values move the log-odds of the "
            "predicted class away from those of an average row. Then follow the "
            "conjunctions of conditions with the largest shares, and the smallest "
            "changes of the row that would change the prediction. Such changes "
            "describe the model, not what would happen."
        )
    else:
        texts.append(
            "For each row, the contributions of conditions and of columns to the "
            "log-odds of the predicted class are listed, with intervals of the "
            "posterior draws."
        )
    if subject.is_adjusted:
        texts.append(
            "Explanations are those of the classifier inside, without the threshold "
            "or the calibration around it."
        )
    return texts


def _write_reasons(part, subject, place):
    """Write the reasons for the prediction of a test row."""
    row = subject.rows([place])
    if not subject.has_table_model:
        X = subject.as_classifier_takes_them(row)
        part.facts(map(_rule_line, records_in(subject.classifier.explain(X))))
    elif not subject.weighs_terms:
        _write_table(part, explain_interactions(subject.estimator, row), place)
    else:
        _write_table(part, explain(subject.estimator, row), place)
        part.paragraph("The smallest changes that give another class:")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the table says it
            changes = counterfactuals(subject.estimator, row, n=2, max_work=_MOST_WORK)
        _write_table(part, changes, place)


def _write_table(part, found, place):
    """Write the table of the only explanation of a list, with the place of its row."""
    (one,) = found
    part.table(replace(one, row=place)._repr_html_())


def _rule_line(record):
    """Return whether a rule holds for a row, and the rule: a pair of texts."""
    if record["holds"]:
        return "this rule holds", record["term"]
    if record["term"]:
        text = f"{record['term']} (fails: {record['fails']})"
        return "no rule holds; the nearest", text
    return "no rule holds", "there are no rules"

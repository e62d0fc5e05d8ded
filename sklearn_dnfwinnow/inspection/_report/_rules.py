"""Formulas: the rules of all classes, measured on the test rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.inspection._report._page import Part, percent
from sklearn_dnfwinnow.inspection._to_dnf import to_dnf, to_rules
from sklearn_dnfwinnow.rules._statistics import summary_of

_COLUMNS = (
    "support is the number of test rows that satisfy the rule; precision is the "
    "fraction of them that is of the class; recall is the fraction of the class that "
    "satisfies the rule; lift is the precision divided by the share of the class among "
    "all test rows. (any) stands for all rules of a class together, and (otherwise) "
    "for the rows that satisfy no rule."
)


def rules_part(subject):
    """Return the part about rules; None for a model without rules."""
    part = Part("rules", "Rules")
    if not subject.has_table_model:
        X = subject.as_classifier_takes_them(subject.X_test)
        summary = subject.classifier.summary(X, subject.y_test)
        part.paragraph("These rules are the model. The first rule that holds decides.")
    elif not subject.weighs_terms:
        return None
    else:
        summary, predicted, source = _rules_of(subject)
        same = float(np.mean(predicted == subject.predicted))
        wrong = float(np.mean(predicted != subject.actual))
        part.paragraph(
            "The model weighs many more conjunctions of conditions than one can read. "
            f"These few rules approximate it, and {source}. They give the same class "
            f"as the model for {percent(same)} of the test rows, and are wrong for "
            f"{percent(wrong)} of them."
        )
    part.paragraph(_COLUMNS)
    part.table(summary._repr_html_(), "rules")
    return part


def _rules_of(subject):
    """Return the summary of rules of a model, their predictions and their source."""
    places = {label: k for k, label in enumerate(subject.classes)}
    if subject.X is not None:
        rules = to_rules(subject.estimator, subject.X, subject.y, random_state=0)
        summary = rules.summary(subject.X_test, subject.y_test)
        predicted = [places[c] for c in rules.predict(subject.X_test).tolist()]
        return summary, np.array(predicted), "were learnt on the training rows"
    n_predicted = np.bincount(subject.predicted, minlength=len(places))
    usual = int(n_predicted.argmax())
    dnfs = [
        to_dnf(subject.estimator, label)
        for k, label in enumerate(subject.classes)
        if k != usual
    ]
    columns = subject.decoder.columns(subject.X_test)
    covers = [[term.holds(columns) for term in dnf.terms] for dnf in dnfs]
    predicted = np.full(subject.n_test, usual)
    for dnf, of_terms in reversed([*zip(dnfs, covers)]):
        for holds in of_terms:
            predicted[holds] = places[dnf.class_]
    summary = summary_of(
        dnfs,
        otherwise=subject.classes[usual],
        covers=covers,
        y=np.array(subject.y_test, dtype=object),
        weights=np.ones(subject.n_test),
        confidence=0.95,
    )
    return summary, predicted, "were found without the training rows"

"""Training: what was trained, with which parameters, on which rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

import numpy as np
from sklearn import config_context

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import num_samples
from sklearn_dnfwinnow.inspection._report._page import Part, count, percent

# Addresses of objects differ from one process to another.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# A long text is printed in several pieces. Such texts are rules, which have a section.
_LONG_TEXT = re.compile(
    r"'[^'\n]*'(?:\n\s*'[^'\n]*')+" + r'|"[^"\n]*"(?:\n\s*"[^"\n]*")+'
)
# What `fit` selected, and what it is.
_SELECTED = {
    "max_term_size_": "largest number of conditions in a rule of the model",
    "literals_": "kinds of conditions",
    "screening_": "strictness of the selection of rules",
    "margin_": "margin of updates (none: updates by residuals)",
    "discretizer_": "cuts of numbers into intervals",
}


def training_part(subject):
    """Return the part about the model and its training rows."""
    part = Part("training", "What was trained on what")
    with config_context(print_changed_only=True):
        text = _ADDRESS.sub("", repr(subject.estimator))
        text = _LONG_TEXT.sub("'...'", text)
    part.paragraph("The model, with the parameters that differ from their defaults:")
    part.code(text)
    part.facts(_facts(subject))
    selected = _selected(subject.classifier)
    if selected:
        part.heading("What training selected")
        part.facts(selected)
    part.heading("Classes")
    part.numbers(*_classes(subject))
    return part


def _facts(subject):
    """Return the sizes of the tables, as pairs of texts."""
    facts = [("test rows", f"{subject.n_test:,}")]
    if subject.X is not None:
        facts.insert(0, ("training rows", f"{num_samples(subject.X):,}"))
    elif subject.weighs_terms:
        total = subject.decoder.model.background.weights.sum()
        facts.insert(0, ("training rows (sum of their weights)", f"{total:,.6g}"))
    n_columns = subject.classifier.n_features_in_
    columns = "columns"
    if subject.steps:
        columns = "columns that the classifier gets from the steps before it"
    facts.append((columns, f"{n_columns:,}"))
    if subject.has_table_model:
        cut_points = subject.decoder.model.encoding.cut_points
        n_cut = sum(cuts is not None for cuts in cut_points)
        facts.append(("columns of numbers, cut into intervals", f"{n_cut:,}"))
        facts.append(("other columns, taken as categories", f"{n_columns - n_cut:,}"))
    return facts


def _selected(classifier):
    """Return what `fit` selected, as pairs of texts; empty if there is nothing."""
    found = []
    validation = getattr(classifier, "validation_", None)
    if isinstance(validation, dict) and len(validation["log_loss"]):
        n = len(np.unique(validation["candidate"]))
        best = int(np.argmin(validation["log_loss"]))
        found += [
            ("candidates", f"{n} sets of parameters, compared by cross-validation"),
            (
                "the best candidate",
                f"number {int(validation['candidate'][best]) + 1}, after "
                f"{count(int(validation['n_epochs'][best]), 'epoch')}; held-out log "
                f"loss {validation['log_loss'][best]:.3f}",
            ),
        ]
    selected = dict(_SELECTED)
    models = getattr(classifier, "estimators_", [classifier])
    if all(getattr(one, "screening_", None) is not None for one in models):
        del selected["literals_"]  # selected rules have the conditions that they need
    if len(models) > 1:
        found.append(("models", f"{len(models)}, whose log-odds are averaged"))
    for name, what in selected.items():
        values = [getattr(one, name) for one in models if hasattr(one, name)]
        with config_context(print_changed_only=True):
            texts = ["none" if value is None else str(value) for value in values]
        if texts:
            found.append((what, "; ".join(dict.fromkeys(texts))))
    return [(what, " ".join(text.split())) for what, text in found]


def _classes(subject):
    """Return headings and rows of a table of the classes, with their shares."""
    heads, rows = ["class"], [[shown(label)] for label in subject.classes]
    for kind, numbers in subject.counts.items():
        heads += [f"{kind} rows", "share"]
        total = subject.n_test if kind == "test" else sum(numbers)
        for row, n in zip(rows, numbers):
            row += [f"{n:,}", percent(n / total)]
    if n_unknown := subject.n_test - sum(subject.counts["test"]):
        row = ["not in training"] + [""] * (len(heads) - 3)
        rows.append([*row, f"{n_unknown:,}", percent(n_unknown / subject.n_test)])
    return heads, rows

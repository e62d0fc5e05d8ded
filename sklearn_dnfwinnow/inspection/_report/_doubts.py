"""Doubts: what a reader of the report should be warned of."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from copy import copy

import numpy as np

from sklearn_dnfwinnow._encoding._column_warnings import column_sentences
from sklearn_dnfwinnow._encoding._columns import check_table
from sklearn_dnfwinnow._encoding._encoding import MANY_VALUES
from sklearn_dnfwinnow._encoding._table import LabelledTable
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import num_samples
from sklearn_dnfwinnow.inspection._report._page import Part, count, percent

# Fewer rows than this are few for a class, and for a value.
_FEW_OF_CLASS, _FEW_OF_VALUE = 20, 5
# Values and columns that are named.
_MOST_NAMED = 8


def warnings_part(subject, messages):
    """Return the part with warnings.

    Parameters
    ----------
    subject : Subject
    messages : list of str
        What was warned of while the other parts were made.
    """
    found = [*_classes(subject), *_columns(subject), *dict.fromkeys(messages)]
    part = Part("warnings", f"Warnings ({len(found)})" if found else "Warnings")
    if found:
        part.listing(found)
    else:
        part.paragraph("There are no warnings.")
    return part


def _classes(subject):
    """Return sentences about classes with few rows."""
    found = []
    for kind, numbers in subject.counts.items():
        few = [
            f"{shown(label)} ({n})"
            for label, n in zip(subject.classes, numbers)
            if n < _FEW_OF_CLASS
        ]
        if few:
            found.append(
                f"Classes with fewer than {_FEW_OF_CLASS} {kind} rows: {_named(few)}. "
                "What is said of them is uncertain."
            )
    unknown = list(
        dict.fromkeys(
            shown(label) for label, k in zip(subject.y_test, subject.actual) if k < 0
        )
    )
    if unknown:
        found.append(
            f"Classes of test rows that training did not have: {_named(unknown)}. "
            "Their rows count as errors."
        )
    return found


def _columns(subject):
    """Return sentences about columns and their values."""
    if not subject.has_table_model:
        return []
    encoding = subject.decoder.model.encoding
    test = subject.as_classifier_takes_them(subject.X_test)
    X = test if subject.X is None else subject.as_classifier_takes_them(subject.X)
    batch = _batch(subject.classifier, X)
    fresh = encoding.without_values()
    n = len(batch.labels)
    learnt, codes = fresh.learn(batch.table, batch.labels, np.ones(n))
    found = column_sentences(batch, codes, before=fresh, after=learnt)
    label = batch.table.label
    if subject.X is not None:
        found += _rare_values(learnt, codes, label)
    return found + _new_values(encoding, _batch(subject.classifier, test).table)


def _batch(classifier, X):
    """Return rows as training takes them, without regard to their classes."""
    X = check_table(classifier, X, reset=False)
    unweighted = copy(classifier).set_params(class_weight=None)
    n = num_samples(X)
    y = np.repeat(classifier.classes_[:1], n)
    return LabelledTable.of(unweighted, X, y, np.ones(n))


def _rare_values(encoding, codes, label):
    """Return sentences about categories with few training rows."""
    found = []
    for j, attribute in enumerate(encoding.attributes):
        if attribute.cut_points is not None or len(attribute.codes) > MANY_VALUES:
            continue
        counts = np.bincount(codes[:, j], minlength=len(attribute.codes) + 1)
        rare = [
            "missing" if value is None else shown(value)
            for value, code in attribute.codes.items()
            if counts[code] < _FEW_OF_VALUE
        ]
        if rare:
            found.append(
                f"Column {label(j)} has values with fewer than {_FEW_OF_VALUE} "
                f"training rows: {_named(rare)}."
            )
    return found


def _new_values(encoding, table):
    """Return sentences about values of test rows that training did not have."""
    codes, found = encoding.codes_as_new(table), []
    for j, attribute in enumerate(encoding.attributes):
        new = (codes[:, j] == 0) & (table.codes[:, j] > 0)
        if attribute.cut_points is not None or not new.any():
            continue
        values = table.columns[j].values
        names = [shown(values[i]) for i in np.unique(table.codes[new, j])]
        found.append(
            f"Column {table.label(j)} has values that training did not have, in "
            f"{count(int(new.sum()), 'test row')} ({percent(new.mean())}): "
            f"{_named(names)}. They satisfy no condition."
        )
    return found


def _named(names):
    """Return a list of names as text."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")

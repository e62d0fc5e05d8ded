"""Effects: the most important columns, and their curves."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.inspection._counterfactuals._alternatives import column_values
from sklearn_dnfwinnow.inspection._feature_effect import feature_effect
from sklearn_dnfwinnow.inspection._interaction_explanation import (
    explain_interactions,
)
from sklearn_dnfwinnow.inspection._plot._feature_effect_display import (
    FeatureEffectDisplay,
)
from sklearn_dnfwinnow.inspection._preimages import NumericPreimage
from sklearn_dnfwinnow.inspection._report._page import LOG_ODDS, Part
from sklearn_dnfwinnow.inspection._report._pictures import picture
from sklearn_dnfwinnow.inspection._report._subject import IMPORTANCE_ROWS
from sklearn_dnfwinnow.inspection._sections import Line, Section
from sklearn_dnfwinnow.inspection._shapley_values import shapley_values

# Test rows for curves: more take longer, and change little.
_CURVE_ROWS = 200
# Importances, and values of a column, that are listed.
_MOST_LISTED, _MOST_VALUES = 10, 12
# Classes that are drawn in one picture.
_MOST_CLASSES = 4
# Columns with more categories have no effects: each takes a prediction of all rows.
_MOST_CATEGORIES = 64


def effects_part(subject, n_features):
    """Return the part about single columns."""
    names, numbers = _importances(subject)
    order = np.argsort(-numbers, kind="stable")
    lines = [
        Line(float(numbers[j]), shown(names[j])) for j in order[:_MOST_LISTED].tolist()
    ]
    n_rows = min(IMPORTANCE_ROWS, subject.n_test)
    part = Part("columns", "Columns")
    part.paragraph(
        "The importance of a column is the mean absolute contribution of its values to "
        f"the predictions, for {n_rows} of the test rows. {LOG_ODDS}"
    )
    part.bars(
        f"Most important of {len(names)} columns",
        Section("mean absolute Shapley values", lines, style=".2f"),
    )
    figures, left_out = [], []
    known = {found.column: found for found in column_values(subject.decoder)}
    for j in order.tolist():
        if len(figures) == n_features or not numbers[j] > 0 or j not in known:
            continue
        if _has_curve(known[j].preimage):
            figures.append(_effect(subject, j))
        else:
            left_out.append(shown(names[j]))
    if figures:
        part.heading("Effects of the values of single columns")
        part.paragraph(
            "The effect of a value is the mean change of the log-odds of a class, if "
            "rows had this value instead of their own. Grey bars are numbers of test "
            "rows." + _which_classes(subject)
        )
        part.pictures(figures)
    if left_out:
        part.paragraph(
            f"Not shown, because of more than {_MOST_CATEGORIES} categories: "
            f"{', '.join(left_out)}."
        )
    return part


def _which_classes(subject):
    """Return a sentence if not all classes are drawn; otherwise ''."""
    if len(subject.classes) <= _MOST_CLASSES:
        return ""
    return f" Of the classes, the {_MOST_CLASSES} most frequent ones are shown."


def _importances(subject):
    """Return the names of the columns, and the importance of each: float64."""
    rows, decoder = subject.some_rows(IMPORTANCE_ROWS), subject.decoder
    if subject.weighs_terms:
        found = shapley_values(subject.estimator, rows)
        values = found.values.reshape(*found.values.shape[:2], -1)
    else:
        found = explain_interactions(subject.estimator, rows)
        values = np.array([one.feature_effects for one in found])[:, :, None]
    # Features that come from one column are one.
    of_columns = np.zeros((len(values), len(decoder.table_features), values.shape[2]))
    for j, preimage in enumerate(decoder.preimages):
        of_columns[:, preimage.column] += values[:, j]
    return decoder.table_features, np.abs(of_columns).mean(axis=(0, 2))


def _has_curve(preimage):
    """Return whether a column has few enough values to compute all effects."""
    is_numeric = isinstance(preimage, NumericPreimage)
    return is_numeric or len(preimage.present) <= _MOST_CATEGORIES


def _effect(subject, position):
    """Return the effect of a column as a picture."""
    rows = subject.some_rows(_CURVE_ROWS)
    found = feature_effect(subject.estimator, rows, position)
    if found.classes is not None:
        found = found._of_classes(_frequent_classes(subject))
    return picture(
        found.title,
        draw=lambda: FeatureEffectDisplay.from_effect(found, n_values=_MOST_VALUES),
        alternative=str(found),
    )


def _frequent_classes(subject):
    """Return the indices of the classes that are drawn: the most frequent ones."""
    counts = np.array(subject.counts["test"])
    return np.sort(np.argsort(-counts, kind="stable")[:_MOST_CLASSES])

"""Summaries of Shapley values, as text and as a part of an HTML page."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._html import table
from sklearn_dnfwinnow._utils._text import shown
from sklearn_dnfwinnow.inspection._explanation_html import bar_row, heading

# Maximum number of features that are shown.
_MOST_FEATURES = 10


def text_of(found):
    """Return a summary of ShapleyValues as text, with several lines."""
    lines = [_headline(found), *(f"  {line}" for line in _notes(found))]
    return "\n".join([*lines, *(f"{n:10.2f}  {name}" for n, name in _largest(found))])


def html_of(found):
    """Return the same as an HTML table, with a bar beside each number."""
    largest = _largest(found)
    most = max((number for number, _ in largest), default=0.0) or 1.0
    rows = [heading(text) for text in (_headline(found), *_notes(found))]
    for number, name in largest:
        rows.append(bar_row(f"{number:.2f}", (0.0, number / most), name))
    return table(rows)


def _headline(found):
    """Return what the values are, and of how many samples."""
    n_samples, n_features = found.data.shape
    return f"{found.title}: {n_samples} rows, {n_features} features"


def _notes(found):
    """Return the base values, and what the listed numbers are."""
    n_features = len(found.feature_names)
    values = np.atleast_1d(found.base_values[0])
    bases = ", ".join(f"{value:+.2f}" for value in values[:_MOST_FEATURES])
    more = ", ..." if len(values) > _MOST_FEATURES else ""
    return [
        f"base value{'s' * (len(values) > 1)} (natural log): {bases}{more}",
        f"mean absolute values, {min(n_features, _MOST_FEATURES)} of {n_features} "
        "features shown",
    ]


def _largest(found):
    """Return the largest importances with the names of their features."""
    importances = dict(found.feature_importances())
    largest = sorted(importances.items(), key=lambda pair: -pair[1])
    return [(number, shown(name)) for name, number in largest[:_MOST_FEATURES]]

"""Summaries of Shapley values: the sections that are printed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.inspection._sections import Line, Section

# Maximum number of features that are shown.
_MOST_FEATURES = 10


def summary_of(found):
    """Return a headline, and sections with base values and largest importances."""
    n_samples, n_features = found.data.shape
    values = np.atleast_1d(found.base_values[0])
    bases = ", ".join(f"{value:+.2f}" for value in values[:_MOST_FEATURES])
    more = ", ..." if len(values) > _MOST_FEATURES else ""
    importances = dict(found.feature_importances()).items()
    largest = sorted(importances, key=lambda pair: -pair[1])[:_MOST_FEATURES]
    means = Section(
        f"mean absolute values, {len(largest)} of {n_features} features shown",
        [Line(number, shown(name)) for name, number in largest],
        style=".2f",
    )
    plural = "s" * (len(values) > 1)
    return f"{found.title}: {n_samples} rows, {n_features} features", [
        Section(f"base value{plural} (natural log): {bases}{more}", []),
        means,
    ]

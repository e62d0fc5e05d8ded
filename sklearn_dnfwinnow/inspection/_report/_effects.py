"""Effects: the most important columns, their curves, and their interactions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.inspection._counterfactuals._alternatives import column_values
from sklearn_dnfwinnow.inspection._feature_effect import feature_effect
from sklearn_dnfwinnow.inspection._interactions._explanation import (
    explain_interactions,
)
from sklearn_dnfwinnow.inspection._pipelines._preimages import NumericPreimage
from sklearn_dnfwinnow.inspection._report._drawing import LINES, Drawing, legend
from sklearn_dnfwinnow.inspection._report._page import (
    LOG_ODDS,
    Part,
    count,
    figure,
    heading,
    paragraph,
    pictures,
    scrolling,
)
from sklearn_dnfwinnow.inspection._report._subject import IMPORTANCE_ROWS
from sklearn_dnfwinnow.inspection._sections import Line, Section, html_of
from sklearn_dnfwinnow.inspection._shapley._shapley_values import shapley_values

# Test rows for curves: more take longer, and change little.
_CURVE_ROWS = 200
# Importances, and values of a column, that are listed.
_MOST_LISTED, _MOST_VALUES = 10, 12
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
    blocks = [
        paragraph(
            "The importance of a column is the mean absolute contribution of its "
            f"values to the predictions, for {n_rows} of the test rows. {LOG_ODDS}"
        ),
        scrolling(
            html_of(
                f"Most important of {len(names)} columns",
                [Section("mean absolute Shapley values", lines, style=".2f")],
            )
        ),
    ]
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
        blocks += [
            heading("Effects of the values of single columns"),
            paragraph(
                "The effect of a value is the mean change of the log-odds of a class, "
                "if rows had this value instead of their own. Short lines at the axis "
                "are values of test rows." + _which_classes(subject)
            ),
            pictures(figures),
        ]
    if left_out:
        blocks.append(
            paragraph(
                f"Not shown, because of more than {_MOST_CATEGORIES} categories: "
                f"{', '.join(left_out)}."
            )
        )
    return Part("columns", "Columns", blocks)


def _which_classes(subject):
    """Return a sentence if there are more classes than lines; otherwise ''."""
    if len(subject.classes) <= len(LINES):
        return ""
    return f" Of the classes, the {len(LINES)} most frequent ones are shown."


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
    """Return the effect of a column as a figure."""
    rows = subject.some_rows(_CURVE_ROWS)
    found = feature_effect(subject.estimator, rows, position)
    if found.cut_points is None or not len(found.cut_points):
        return figure(found.title, scrolling(_effect_table(subject, found)))
    n_values = len(found.effects)
    effects = found.effects.reshape(n_values, -1)
    numbers = found.data[np.isfinite(found.data)]
    cuts = found.cut_points[np.isfinite(found.cut_points)]
    low, high = np.min([*numbers, *cuts]), np.max([*numbers, *cuts])
    shown_classes = _frequent_classes(subject, effects.shape[1])
    levels = effects[:, shown_classes]
    every = [levels.min(), levels.max(), 0.0]
    if found.intervals is not None:
        intervals = found.intervals.reshape(n_values, -1, 2)[:, shown_classes]
        every += [intervals.min(), intervals.max()]
    gap = 0.05 * (max(every) - min(every))
    drawing = Drawing(
        x=(low, high),
        y=(min(every) - gap, max(every) + gap),
        labels=(_short(found.feature), "effect on the log-odds"),
    )
    drawing.line([(low, 0), (high, 0)], kind="axis", dash="4 4")
    drawing.ticks(numbers.tolist())
    for k, (colour, dash) in zip(range(levels.shape[1]), LINES):
        if found.intervals is not None and levels.shape[1] == 1:
            drawing.band(cuts.tolist(), *intervals[:, k].T.tolist(), colour)
        drawing.steps(cuts.tolist(), levels[:, k].tolist(), colour, dash)
    names = [shown(subject.classes[k]) for k in shown_classes]
    listed = None if found.classes is None else names
    texts = [
        f"{label}: {_by_class(of_value, listed)}"
        for label, of_value in zip(found.labels, levels)
    ]
    markup = drawing.markup(f"{found.title}. {'; '.join(texts)}.")
    if found.classes is not None:
        markup += legend(names)
    if found.n_missing:
        missing = np.atleast_1d(found.missing_effect)[shown_classes]
        text = _by_class(missing, listed)
        markup += paragraph(f"Effect of a missing value: {text}.")
    return figure(found.title, markup)


def _by_class(effects, names):
    """Return effects as text, with the names of their classes if there are some."""
    if names is None:
        return f"{effects[0]:+.2f}"
    return ", ".join(f"{e:+.2f} ({name})" for e, name in zip(effects, names))


def _frequent_classes(subject, n_effects):
    """Return the indices of effects that are drawn: of the most frequent classes."""
    if n_effects == 1:
        return [0]
    known = subject.actual[subject.actual >= 0]
    counts = np.bincount(known, minlength=n_effects)
    return sorted(np.argsort(-counts, kind="stable")[: len(LINES)].tolist())


def _effect_table(subject, found):
    """Return the effects of single values as a table, those of most rows first."""
    _, sections = found._summary()
    chosen = _frequent_classes(subject, len(sections))
    counts = np.append(found.counts, np.inf)
    kept = np.sort(np.argsort(-counts, kind="stable")[: _MOST_VALUES + 1])
    sections = [
        _with_lines(sections[k], [i for i in kept if i < len(sections[k].lines)])
        for k in chosen
    ]
    return html_of(f"mean over {count(len(found.data), 'test row')}", sections)


def _with_lines(section, places):
    """Return a section with some of its lines, and how many there are besides."""
    n_more = len(section.lines) - len(places)
    more = f"and {n_more} more with fewer rows" if n_more else ""
    note = "; ".join(filter(None, [more, section.note]))
    return section._replace(lines=[section.lines[i] for i in places], note=note)


def _short(name):
    """Return the name of a column for an axis."""
    text = shown(name)
    return text if len(text) <= 40 else text[:39] + "…"

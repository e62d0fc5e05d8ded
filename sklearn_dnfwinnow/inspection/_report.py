"""Report: a page about a fitted model, for a colleague."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import warnings
from copy import copy
from dataclasses import replace
from functools import cached_property
from html import escape
from numbers import Integral
from pathlib import Path

import numpy as np
from sklearn import config_context
from sklearn.calibration import CalibrationDisplay, calibration_curve
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss
from sklearn.utils.validation import column_or_1d

from sklearn_dnfwinnow._encoding._column_warnings import column_sentences
from sklearn_dnfwinnow._encoding._columns import check_table, refuse_missing_labels
from sklearn_dnfwinnow._encoding._table import LabelledTable
from sklearn_dnfwinnow._utils._display import (
    BLUE,
    ORANGE,
    bar,
    cell,
    records_in,
    shown,
    table,
)
from sklearn_dnfwinnow._utils._estimators import (
    InteractionModelMixin,
    Interval,
    TermModelMixin,
    num_samples,
    safe_indexing,
    validate_params,
)
from sklearn_dnfwinnow.inspection._counterfactuals import counterfactuals
from sklearn_dnfwinnow.inspection._explanation import explain
from sklearn_dnfwinnow.inspection._feature_effect import feature_effect
from sklearn_dnfwinnow.inspection._interaction_explanation import explain_interactions
from sklearn_dnfwinnow.inspection._interactions import interactions
from sklearn_dnfwinnow.inspection._plot._feature_effect_display import (
    FeatureEffectDisplay,
)
from sklearn_dnfwinnow.inspection._preimages import NumericPreimage, column_values
from sklearn_dnfwinnow.inspection._report_page import (
    Part,
    check_matplotlib,
    count,
    page,
    picture,
)
from sklearn_dnfwinnow.inspection._sections import Line, Section, html_of, probability
from sklearn_dnfwinnow.inspection._shapley_values import shapley_values
from sklearn_dnfwinnow.inspection._steps import (
    ADJUSTERS,
    levels_of,
    steps_of,
    transform_through,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.inspection._to_dnf import to_dnf
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier
from sklearn_dnfwinnow.rules._statistics import summary_of, wilson_interval

_CLASSIFIERS = TermModelMixin, InteractionModelMixin, DNFClassifier
_CONFIDENCE = 0.95
# Test rows for importances and for curves: more take longer, and change little.
_IMPORTANCE_ROWS, _CURVE_ROWS = 50, 200
# Importances, interactions of a class, and names in a sentence that are listed.
_MOST_LISTED, _MOST_OF_CLASS, _MOST_NAMED = 10, 5, 8
# Classes and values that are drawn in one picture. Columns with more categories have no
# effects: each takes a prediction of all rows.
_MOST_CLASSES, _MOST_VALUES, _MOST_CATEGORIES = 4, 12, 64
# Groups of probabilities of equal width in the calibration curve.
_GROUPS = 10
# Changes that are evaluated for the counterfactuals of a row: less than a second.
_MOST_WORK = 1 << 16
# Fewer rows than this are few for a class.
_FEW_OF_CLASS = 20
# Addresses of objects differ from one process to another.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# A long text is printed in several pieces. Such texts are rules, which have a part.
_LONG_TEXT = re.compile(
    r"'[^'\n]*'(?:\n\s*'[^'\n]*')+" + r'|"[^"\n]*"(?:\n\s*"[^"\n]*")+'
)


@validate_params(
    {
        "path": [str, os.PathLike],
        "title": [str, None],
        "n_features": [Interval(Integral, 0, None, closed="left")],
    }
)
def report(
    estimator, X_test, y_test, path, *, X=None, y=None, title=None, n_features=6
):
    """Write a report about a fitted model: one HTML file that can be sent to others.

    The page explains its words, so that a reader needs no other documentation. It
    contains its pictures and no scripts, and loads nothing from elsewhere. It suits
    light and dark screens, phones and paper. It answers in this order

    - what is predicted, and how well: the accuracy on the held-out samples with an
      interval, and the confusion matrix;
    - by which rules: those of all classes but the most frequent one, with their
      support, precision and recall on these samples; for a
      BayesianInteractionClassifier, its strongest interactions;
    - which columns matter: importances, and curves of the most important ones;
    - why three predictions were made, with reasons and counterfactuals: the most
      certain right one, the least certain one, and the most certain wrong one;
    - whether the probabilities are right: the log loss and the calibration curve;
    - what to doubt: columns that look like identifiers, classes with few samples,
      values that training did not have, and what was warned of during the report;
    - how the model was trained: parameters and sizes of the tables, folded.

    A section that does not apply to the estimator is left out. The page calls samples
    *rows*, and features *columns*.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, BayesianInteractionClassifier or DNFClassifier, \
            or an estimator with a single one inside
        Fitted, with `predict_proba`: a Pipeline that ends with a classifier, a search,
        a FrozenEstimator, a threshold classifier, or a CalibratedClassifierCV of one
        model.

    X_test : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples that were not used in training, as `estimator` takes them.

    y_test : array-like of shape (n_samples,)
        Their classes. A class that training did not have counts as an error.

    path : str or path-like
        The file to write, such as 'report.html'. An existing file is replaced.

    X : {array-like, sparse matrix, dataframe} of shape (n_training, n_features), \
            default=None
        The training samples, as `estimator` takes them. With them, the rules are those
        of ``to_dnf(estimator, class_, X=X, y=y)``, and warnings refer to the values of
        training.

    y : array-like of shape (n_training,), default=None
        The classes of the training samples. Required with `X`.

    title : str, default=None
        The title of the page. None is the name of the class of the classifier.

    n_features : int, default=6
        Number of columns with a curve.

    Returns
    -------
    path : pathlib.Path
        The file that was written.

    Raises
    ------
    ImportError
        If Matplotlib is not installed.
    TypeError
        If `estimator` has no classifier of this package.
    NotFittedError
        If it is not fitted.
    ValueError
        If samples and classes do not have the same number, a class is missing, or the
        samples do not fit the estimator. If only one of `X` and `y` is given, or `y`
        has classes that the estimator does not have.
    OSError
        If `path` is a folder, is in no existing folder, or cannot be written.

    See Also
    --------
    to_dnf : The rules of the report, as a formula.
    feature_effect : The curves of the report, as numbers.
    explain, counterfactuals : The explanations of the report.

    Notes
    -----
    The same estimator and the same samples give the same file: there is no date in it.
    Accuracy, log loss, calibration and rules use all held-out samples. Importances use
    50 of them, and curves 200, at equal distances. Columns with more than 64 categories
    have no curve. Missing values and unknown values have the meaning that they have for
    the estimator.

    Rules and importances take most of the time. pandas is not needed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import report
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> X_test, y_test = load_monks(1, subset="test", return_X_y=True, as_frame=True)
    >>> clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     path = report(clf, X_test, y_test, Path(folder, "monks.html"), X=X, y=y)
    ...     path.name, "<h2" in path.read_text(encoding="utf-8")
    ('monks.html', True)
    """
    path = Path(path)
    _check_writable(path)
    check_matplotlib()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        subject = _Subject(estimator, X_test, y_test, X, y)
        parts = [_quality(subject), _rules(subject), _columns(subject, n_features)]
        parts += [_predictions(subject), _calibration(subject)]
    messages = [
        str(one.message) for one in caught if issubclass(one.category, UserWarning)
    ]
    parts += [_doubts(subject, messages), _training(subject)]
    if title is None:
        title = f"Report on a {type(subject.classifier).__name__}"
    text = page(title, [part for part in parts if part.blocks])
    path.write_bytes(text.encode("utf-8", "backslashreplace"))
    return path


def _check_writable(path):
    """Raise an error before the work if a file cannot be written afterwards."""
    folder = path.parent
    if path.is_dir():
        raise IsADirectoryError(
            f"path must be a file to write, such as 'report.html'; {str(path)!r} is a "
            "folder."
        )
    if not folder.is_dir():
        raise FileNotFoundError(
            f"path must be in an existing folder; there is no folder {str(folder)!r}."
        )
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise PermissionError(f"path must be writable; {str(path)!r} is not.")


class _Subject:
    """A fitted model, and what it predicts for test rows.

    Parameters
    ----------
    estimator, X_test, y_test, X, y
        See `report`.

    Attributes
    ----------
    steps, classifier
        As of `steps_of`.
    y_test : list
        Classes of the test rows.
    counts : dict of list
        The number of rows of each class, by the kind of rows.
    actual : ndarray of shape (n_test,), int
        The index of the class of each test row, -1 if training did not have it.
    predicted : ndarray of shape (n_test,), int
    right : ndarray of shape (n_test,), bool
    probabilities : ndarray of shape (n_test, n_classes), float64
    """

    def __init__(self, estimator, X_test, y_test, X=None, y=None):
        self.estimator = estimator
        self.steps, self.classifier = steps_of(estimator, _CLASSIFIERS)
        if (X is None) != (y is None):
            raise ValueError(
                "X and y, the training samples, must be given together; got one only."
            )
        self.X, self.y, self.X_test = X, y, X_test
        self.target = getattr(y_test, "name", None)
        self.classes = self.classifier.classes_.tolist()
        self.places = {label: k for k, label in enumerate(self.classes)}
        labels = {} if X is None else {"training": _labels(X, y, ("X", "y"))}
        labels["test"] = self.y_test = _labels(X_test, y_test, ("X_test", "y_test"))
        self.counts = {
            kind: [of_kind.count(label) for label in self.classes]
            for kind, of_kind in labels.items()
        }
        unknown = {*labels.get("training", ())} - {*self.classes}
        if unknown:
            raise ValueError(
                f"y must contain classes in {self.classes}, as in `fit`; got "
                f"{sorted(unknown, key=str)}."
            )
        self.actual = np.array([self.places.get(label, -1) for label in self.y_test])
        predicted = estimator.predict(X_test).tolist()
        self.predicted = np.array([self.places[label] for label in predicted])
        self.right = self.predicted == self.actual
        self.probabilities = np.asarray(estimator.predict_proba(X_test), dtype=float)
        self.n_test = len(self.y_test)
        self.has_rules_only = isinstance(self.classifier, DNFClassifier)
        self.weighs_terms = isinstance(self.classifier, TermModelMixin)

    @cached_property
    def decoder(self):
        """The TermDecoder for the test rows."""
        mixin = TermModelMixin if self.weighs_terms else InteractionModelMixin
        return TermDecoder.with_codes(self.estimator, self.X_test, mixin)[0]

    def some_rows(self, most):
        """Return at most some test rows, at equal distances."""
        n = min(most, self.n_test)
        return safe_indexing(self.X_test, np.arange(n) * self.n_test // n)


def _labels(X, y, names):
    """Check the classes of rows, and return them as a list."""
    refuse_missing_labels(y, names[1])
    y = column_or_1d(y, warn=True)
    if num_samples(X) != len(y):
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same number of rows; got "
            f"{num_samples(X)} and {len(y)}."
        )
    if not len(y):
        raise ValueError(f"{names[0]} must have at least one row; got none.")
    return y.tolist()


def _named(labels):
    """Return a list of labels or names as text."""
    more = len(labels) - _MOST_NAMED
    text = ", ".join(map(shown, labels[:_MOST_NAMED]))
    return text + (f" and {more} more" if more > 0 else "")


# -- quality ---------------------------------------------------------------------------


def _quality(subject):
    """Return the part with the accuracy and the confusion matrix."""
    n, n_right = subject.n_test, int(subject.right.sum())
    low, high = wilson_interval(n_right / n, n, _CONFIDENCE)
    most = max(subject.counts["test"])
    usual = subject.classes[subject.counts["test"].index(most)]
    what = "class" if subject.target is None else shown(subject.target)
    part = Part("quality", "What is predicted, and how well")
    part.paragraph(
        f"The model predicts the {what} of a row of a table: {_named(subject.classes)}."
        f" It is right for {n_right / n:.1%} of {count(n, 'test row')} that were "
        f"not used to train it (95% interval: {low:.1%} to {high:.1%}). "
        f"Always predicting {shown(usual)} would be right for {most / n:.1%}."
    )
    names = [escape(shown(label)) for label in subject.classes]
    heads = ["true class", *(f"predicted {name}" for name in names)]
    rows = ["".join(cell(head, "th") for head in heads)]
    for i, name in enumerate([*names, "(not in training)"]):
        places = subject.predicted[subject.actual == (i if i < len(names) else -1)]
        cells, numbers = [name], np.bincount(places, minlength=len(names)).tolist()
        for j, number in enumerate(numbers):
            colour = BLUE if i == j else ORANGE
            cells.append(f"{number:,}{bar(0.0, number / max(len(places), 1), colour)}")
        if i < len(names) or len(places):
            rows.append("".join(map(cell, cells)))
    part.wide(table(rows), "numbers")
    part.paragraph("Right predictions are blue, and wrong ones orange.")
    return part


# -- rules -----------------------------------------------------------------------------


def _rules(subject):
    """Return the part with rules, or with the interactions of a Bayesian classifier."""
    part = Part("rules", "Rules")
    if subject.has_rules_only:
        X = transform_through(subject.steps, subject.X_test)
        summary = subject.classifier.summary(X, subject.y_test)
        what = "These rules are the model. The first one that holds decides."
    elif subject.weighs_terms:
        summary, predicted = _rules_of_model(subject)
        same, right = predicted == subject.predicted, predicted == subject.actual
        what = (
            "These approximate the model, which weighs more than one can read. They "
            f"give the same class for {same.mean():.1%} of the test rows, and are "
            f"right for {right.mean():.1%}."
        )
    else:
        return _interactions(subject)
    part.paragraph(
        "A rule is a list of conditions, such as age > 60, joined by &. It holds for a "
        f"row if all of them hold. {what}"
    )
    part.wide(summary._repr_html_(), "rules")
    part.paragraph(
        "Support is the number of test rows for which a rule holds; precision the "
        "fraction of them in the class; recall the fraction of the class for which it "
        "holds; lift the precision divided by the share of the class. (any) are all "
        "rules of a class, and (otherwise) the rows for which no rule holds."
    )
    return part


def _rules_of_model(subject):
    """Return the summary of rules for all classes but one, and their predictions."""
    usual = int(np.bincount(subject.predicted).argmax())
    others = [label for k, label in enumerate(subject.classes) if k != usual]
    dnfs = [to_dnf(subject.estimator, one, X=subject.X, y=subject.y) for one in others]
    # Columns are read as by to_dnf: steps that X inverts, test rows may not.
    decoder = TermDecoder.from_estimator(subject.estimator)
    if subject.X is not None:
        decoder, _ = TermDecoder.with_codes(subject.estimator, subject.X)
    columns = decoder.columns(subject.X_test)
    covers = [[term.holds(columns) for term in dnf.terms] for dnf in dnfs]
    predicted = np.full(subject.n_test, usual)
    for dnf, of_terms in reversed([*zip(dnfs, covers)]):
        for holds in of_terms:
            predicted[holds] = subject.places[dnf.class_]
    summary = summary_of(
        dnfs,
        otherwise=subject.classes[usual],
        covers=covers,
        y=np.array(subject.y_test, dtype=object),
        weights=np.ones(subject.n_test),
        confidence=_CONFIDENCE,
    )
    return summary, predicted


def _interactions(subject):
    """Return the part with the strongest interactions of each class."""
    part = Part("rules", "Strongest conditions")
    found = records_in(interactions(subject.estimator, top=_MOST_OF_CLASS))
    part.paragraph(
        "These conditions, alone or joined by &, have the largest effects on the "
        "log-odds of a class. Brackets contain 90% of the posterior draws."
    )
    lines = {shown(one["class"]): [] for one in found}
    for one in found:
        line = Line(one["median"], one["term"], interval=(one["low"], one["high"]))
        lines[shown(one["class"])].append(line)
    part.wide(html_of("Median effects", [Section(*one) for one in lines.items()]))
    return part


# -- columns ---------------------------------------------------------------------------


def _columns(subject, n_features):
    """Return the part with importances and effects of columns."""
    part = Part("columns", "Columns that matter")
    if subject.has_rules_only:
        return part
    names, importances = _importances(subject)
    order = np.argsort(-importances, kind="stable").tolist()
    part.paragraph(
        "The importance of a column is the mean absolute contribution of its values to "
        f"the predictions, for {min(_IMPORTANCE_ROWS, subject.n_test)} of the test "
        "rows. Contributions and effects are in units of log-odds: +0.7 about doubles "
        "the odds of a class, and -0.7 about halves them."
    )
    lines = [Line(float(importances[j]), shown(names[j])) for j in order[:_MOST_LISTED]]
    section = Section("mean absolute Shapley values", lines, style=".2f")
    part.wide(html_of(f"Most important of {len(names)} columns", [section]))
    drawn = {
        column
        for column, found in column_values(subject.decoder.preimages).items()
        if isinstance(found.preimage, NumericPreimage)
        or len(found.preimage.present) <= _MOST_CATEGORIES
    }
    drawn = [j for j in order if j in drawn and importances[j] > 0][:n_features]
    figures = [_effect(subject, j) for j in drawn]
    if figures:
        part.heading("Effects of the values of single columns")
        part.paragraph(
            "The effect of a value is the mean change of the log-odds of a class, if "
            "rows had this value instead of their own. Grey bars are numbers of test "
            f"rows. Columns with more than {_MOST_CATEGORIES} categories have none.",
            f"Of the classes, the {_MOST_CLASSES} most frequent ones are shown."
            if len(subject.classes) > _MOST_CLASSES
            else "",
        )
        part.write(f'<div class="pictures">\n{"".join(figures)}\n</div>')
    return part


def _importances(subject):
    """Return the names of the columns, and the importance of each: float64."""
    rows, decoder = subject.some_rows(_IMPORTANCE_ROWS), subject.decoder
    if subject.weighs_terms:
        values = shapley_values(subject.estimator, rows).values
    else:
        found = explain_interactions(subject.estimator, rows)
        values = np.array([one.feature_effects for one in found])
    values = values.reshape(*values.shape[:2], -1)
    # Features that come from one column are one.
    of_columns = np.zeros((len(values), len(decoder.table_features), values.shape[2]))
    for j, preimage in enumerate(decoder.preimages):
        of_columns[:, preimage.column] += values[:, j]
    return decoder.table_features, np.abs(of_columns).mean(axis=(0, 2))


def _effect(subject, column):
    """Return the effect of a column as a picture."""
    found = feature_effect(subject.estimator, subject.some_rows(_CURVE_ROWS), column)
    if found.classes is not None:
        order = np.argsort(-np.array(subject.counts["test"]), kind="stable")
        found = found._of_classes(np.sort(order[:_MOST_CLASSES]))
    return picture(
        found.title,
        draw=lambda: FeatureEffectDisplay.from_effect(found, n_values=_MOST_VALUES),
        alternative=str(found),
    )


# -- predictions -----------------------------------------------------------------------


def _predictions(subject):
    """Return the part that explains three test rows.

    These are the most certain right prediction, the least certain one, and the most
    certain wrong one; of equal ones, the first.
    """
    every, right = np.arange(subject.n_test), subject.right
    certainty = subject.probabilities[every, subject.predicted]
    chosen = {}
    for places, merits, reason in (
        (every[right], certainty, "the most certain right prediction"),
        (every, -certainty, "the least certain prediction"),
        (every[~right], certainty, "the most certain wrong prediction"),
    ):
        if len(places):
            place = int(places[np.argmax(merits[places])])
            chosen.setdefault(place, []).append(reason)
    levels = levels_of(subject.estimator, _CLASSIFIERS)
    part = Part("predictions", "Some predictions explained")
    part.paragraph(
        "Rows are counted from 0, in the order of the test rows.",
        "No test row is predicted wrongly." if right.all() else "",
        "Shapley values say how the values of a row move the log-odds of the predicted "
        "class away from those of an average row. The smallest changes that give "
        "another class follow: they describe the model, not what would happen."
        if subject.weighs_terms
        else "",
        "Explanations are those of the classifier inside, without the threshold or the "
        "calibration around it."
        if any(isinstance(level, ADJUSTERS) for level in levels)
        else "",
    )
    for place, reasons in chosen.items():
        predicted = shown(subject.classes[subject.predicted[place]])
        part.heading(f"Row {place}: {' and '.join(reasons)}")
        part.paragraph(
            f"Predicted {predicted} ({probability(certainty[place])}); the true class "
            f"is {shown(subject.y_test[place])}."
        )
        _write_reasons(part, subject, place)
    return part


def _write_reasons(part, subject, place):
    """Write the reasons for the prediction of a test row."""
    row, found = safe_indexing(subject.X_test, [place]), []
    if subject.has_rules_only:
        X = transform_through(subject.steps, row)
        for one in records_in(subject.classifier.explain(X)):
            fails = f" (fails: {one['fails']})" if one["fails"] else ""
            what = "This rule holds" if one["holds"] else "No rule holds; the nearest"
            part.paragraph(f"{what}: {one['term'] or 'none'}{fails}")
    elif subject.weighs_terms:
        # Terms of a single row say less than the rules.
        explained = explain(subject.estimator, row, top=1, n_classes=1)
        found += [replace(one, n_listed=0) for one in explained]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the table says it
            found += counterfactuals(subject.estimator, row, n=2, max_work=_MOST_WORK)
    else:
        found += explain_interactions(subject.estimator, row)
    for one in found:
        part.wide(replace(one, row=place)._repr_html_())


# -- calibration -----------------------------------------------------------------------


def _calibration(subject):
    """Return the part with the log loss and the calibration curve.

    Of two classes it refers to the probability of the second one, and otherwise to that
    of the predicted class.
    """
    part = Part("calibration", "Are the probabilities right?")
    known = subject.actual >= 0
    if not known.any():
        return part
    actual, p = subject.actual[known], subject.probabilities[known]
    if len(subject.classes) == 2:
        what = f"class {shown(subject.classes[1])}"
        chances, is_so = p[:, 1], actual == 1
    else:
        what = "the predicted class"
        chances = p[np.arange(len(p)), subject.predicted[known]]
        is_so = subject.right[known]
    fractions, means = calibration_curve(is_so, chances.clip(0.0, 1.0), n_bins=_GROUPS)
    ends = np.linspace(0.0, 1.0, _GROUPS + 1)[1:-1]
    sizes = np.unique(np.searchsorted(ends, chances), return_counts=True)[1]
    lows, highs = wilson_interval(fractions, sizes, _CONFIDENCE)

    def draw():
        drawn = CalibrationDisplay(fractions, means, means).plot(
            label="with 95% intervals"
        )
        errors = np.abs([fractions - lows, highs - fractions])
        drawn.ax_.errorbar(means, fractions, errors, fmt="none")
        drawn.ax_.set(xlabel="mean probability", ylabel="fraction of rows")
        return drawn

    counts = np.array(subject.counts["test"])
    shares = counts[counts > 0] / counts.sum()
    loss = log_loss(actual, p, labels=range(len(subject.classes)))
    part.paragraph(
        f"The log loss is {loss:.4f}: 0 would be certain and right predictions, and "
        f"{-(shares @ np.log(shares)):.4f} is that of the shares of the classes. For "
        f"the curve, test rows with similar probabilities of {what} are grouped. "
        "Points on the dotted line are right: of the rows with a probability of 80%, "
        "about 80% are of this class."
    )
    groups = [
        f"mean probability {mean:.1%}: {fraction:.1%} of {count(n, 'row')}"
        for mean, fraction, n in zip(means, fractions, sizes)
    ]
    caption = f"Calibration curve of {what}"
    part.write(picture(caption, draw=draw, alternative="; ".join(groups)))
    return part


# -- warnings --------------------------------------------------------------------------


def _doubts(subject, messages):
    """Return the part with warnings, and with messages of others."""
    found = []
    for kind, numbers in subject.counts.items():
        few = [c for c, n in zip(subject.classes, numbers) if n < _FEW_OF_CLASS]
        if few:
            found.append(
                f"Classes with fewer than {_FEW_OF_CLASS} {kind} rows: {_named(few)}. "
                "What is said of them is uncertain."
            )
    new = [label for label in subject.y_test if label not in subject.places]
    if new:
        found.append(
            f"Classes that training did not have: {_named([*dict.fromkeys(new)])}, in "
            f"{count(len(new), 'test row')}, which count as errors."
        )
    if not subject.has_rules_only:
        encoding, test = subject.decoder.model.encoding, _batch(subject, subject.X_test)
        batch = test if subject.X is None else _batch(subject, subject.X)
        fresh = encoding.without_values()
        weights = np.ones(len(batch.labels))
        learnt, codes = fresh.learn(batch.table, batch.labels, weights)
        found += column_sentences(batch, codes, before=fresh, after=learnt)
        found += _new_values(encoding, test.table)
    found += dict.fromkeys(messages)
    part = Part("warnings", f"Warnings ({len(found)})" if found else "Warnings")
    part.listing(found or ["There are no warnings."])
    return part


def _batch(subject, X):
    """Return rows as training takes them, without regard to their classes."""
    classifier = subject.classifier
    X = check_table(classifier, transform_through(subject.steps, X), reset=False)
    unweighted = copy(classifier).set_params(class_weight=None)
    n = num_samples(X)
    y = np.repeat(classifier.classes_[:1], n)
    return LabelledTable.of(unweighted, X, y, np.ones(n))


def _new_values(encoding, table):
    """Return sentences about values of test rows that training did not have."""
    codes, found = encoding.codes_as_new(table), []
    for j, attribute in enumerate(encoding.attributes):
        new = (codes[:, j] == 0) & (table.codes[:, j] > 0)
        if attribute.cut_points is not None or not new.any():
            continue
        values = [table.columns[j].values[i] for i in np.unique(table.codes[new, j])]
        found.append(
            f"Column {table.label(j)} has values that training did not have, in "
            f"{count(int(new.sum()), 'test row')} ({new.mean():.1%}): "
            f"{_named(values)}. They satisfy no condition."
        )
    return found


# -- training --------------------------------------------------------------------------


def _training(subject):
    """Return the part with parameters, and with the numbers of rows and columns."""
    part = Part("training", "How the model was trained", folded=True)
    with config_context(print_changed_only=True):
        text = _ADDRESS.sub("", repr(subject.estimator))
    part.paragraph("The model, with the parameters that differ from their defaults:")
    text = escape(_LONG_TEXT.sub("'...'", text))
    part.write(f"<pre>{text}</pre>")
    facts = [count(subject.classifier.n_features_in_, "column")]
    for kind, numbers in subject.counts.items():
        classes = map(shown, subject.classes)
        of_classes = ", ".join(f"{n:,} {name}" for n, name in zip(numbers, classes))
        facts.append(f"{count(sum(numbers), kind + ' row')}: {of_classes}")
    validation = getattr(subject.classifier, "validation_", None)
    if isinstance(validation, dict) and len(validation["log_loss"]):
        n, loss = len({*validation["candidate"]}), min(validation["log_loss"])
        facts.append(f"{count(n, 'candidate')} compared, with a log loss of {loss:.4f}")
    part.listing(facts)
    return part

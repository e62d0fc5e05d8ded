"""Report: a page about a fitted model, for a colleague."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import warnings
from copy import copy
from dataclasses import replace
from functools import partial
from html import escape
from importlib.resources import files
from numbers import Integral
from pathlib import Path
from string import Template

import numpy as np
from sklearn import metrics
from sklearn.calibration import CalibrationDisplay
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._encoding._column_warnings import column_sentences
from sklearn_dnfwinnow._encoding._columns import check_table, refuse_missing_labels
from sklearn_dnfwinnow._encoding._table import LabelledTable
from sklearn_dnfwinnow._utils import _display as display
from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow._utils._estimators import (
    Interval,
    TableModelMixin,
    TermModelMixin,
    num_samples,
    safe_indexing,
    validate_params,
)
from sklearn_dnfwinnow._utils._plotting import inline_svg, pyplot_for
from sklearn_dnfwinnow._utils._progress import Progress
from sklearn_dnfwinnow.inspection import _steps as steps
from sklearn_dnfwinnow.inspection._counterfactuals import counterfactuals
from sklearn_dnfwinnow.inspection._explanation import explain
from sklearn_dnfwinnow.inspection._feature_effect import feature_effect
from sklearn_dnfwinnow.inspection._plot._feature_effect_display import (
    FeatureEffectDisplay,
)
from sklearn_dnfwinnow.inspection._preimages import NumericPreimage, column_values
from sklearn_dnfwinnow.inspection._sections import Line, Section, html_of, probability
from sklearn_dnfwinnow.inspection._shapley_values import shapley_values
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.inspection._terms import terms
from sklearn_dnfwinnow.inspection._to_dnf import to_dnf
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier
from sklearn_dnfwinnow.rules._statistics import wilson_interval

_CLASSIFIERS = TableModelMixin, DNFClassifier
_CONFIDENCE = 0.95
# Parts that take time.
_PARTS = "quality", "rules", "columns", "predictions", "probabilities"
_NOT_NEGATIVE = Interval(Integral, 0, None, closed="left")
# Test rows for importances and for curves: more take longer, and change little.
_IMPORTANCE_ROWS, _CURVE_ROWS = 50, 200
# Importances, terms, and names in a sentence that are listed.
_MOST_LISTED, _MOST_TERMS, _MOST_NAMED = 10, 8, 8
# Values that are drawn in one picture. Columns with more categories have no effects:
# each takes a prediction of all rows.
_MOST_VALUES, _MOST_CATEGORIES = 12, 64
# Groups of probabilities of equal width in the calibration curve.
_GROUPS = 10
# Changes that are evaluated for the counterfactuals of a row: less than a second.
_MOST_WORK = 1 << 16
# Fewer rows than this are few for a class.
_FEW_OF_CLASS = 20
# Addresses of objects differ from one process to another.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
# A long text is printed in several pieces. Such texts are rules, which have a part.
_LONG_TEXT = re.compile(r"""(['"])[^'"\n]*\1(?:\n\s*\1[^'"\n]*\1)+""")


@validate_params({"path": [str, os.PathLike], "n_features": [_NOT_NEGATIVE]})
def report(
    estimator,
    X_test,
    y_test,
    path,
    *,
    X=None,
    y=None,
    class_of_interest=None,
    title=None,
    n_features=6,
):
    """Write a report about a fitted model: one HTML file that can be sent to others.

    The page explains its words, so that a reader needs no other documentation. It
    contains its pictures and no scripts, and loads nothing from elsewhere. It suits
    light and dark screens, phones and paper. It answers in this order

    - what is predicted, and how well: the accuracy on the held-out rows with an
      interval, and the confusion matrix;
    - by which rules the class of interest is predicted, with their support, precision
      and recall on these rows; for a BayesianInteractionClassifier, its strongest
      terms; for a DNFClassifier, the rules of all classes;
    - which columns matter: importances, and curves of the most important ones;
    - why three predictions were made, with reasons and counterfactuals: the most
      certain right one, the least certain one, and the most certain wrong one;
    - whether the probabilities are right: the log loss, the calibration curve, and ROC
      and precision-recall curves with the threshold in use;
    - what to doubt: columns that look like identifiers, classes with few rows, values
      that training did not have, and what was warned of during the report;
    - how the model was trained: parameters and sizes of the tables, folded.

    A section that does not apply to the estimator is left out.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, BayesianInteractionClassifier or DNFClassifier, \
            or an estimator with a single one inside
        Fitted, with `predict_proba`: a Pipeline that ends with a classifier, a search,
        a FrozenEstimator, a threshold classifier, or a CalibratedClassifierCV of one
        model.

    X_test : {array-like, sparse matrix, dataframe} of shape (n_rows, n_features)
        Rows that were not used in training, as `estimator` takes them.

    y_test : array-like of shape (n_rows,)
        Their classes. A class that training did not have counts as an error.

    path : str or path-like
        The file to write, such as 'report.html'. An existing file is replaced.

    X : {array-like, sparse matrix, dataframe} of shape (n_training, n_features), \
            default=None
        The training rows, as `estimator` takes them. The rules are those of
        ``to_dnf(estimator, class_of_interest, X=X, y=y)``, and warnings refer to the
        values of training. None uses the test rows and what the model predicts.

    y : array-like of shape (n_training,), default=None
        The classes of the training rows. Required with `X`.

    class_of_interest : object, default=None
        The class whose rules, effects and curves are shown. None is the rarer class of
        two: the one with the fewest rows in `y_test`, of any number of classes; of tied
        ones the last.

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
        If rows and classes do not have the same number, a class is missing, or the rows
        do not fit the estimator. If only one of `X` and `y` is given, or `y` or
        `class_of_interest` has classes that the estimator does not have.
    OSError
        If `path` is a folder, or is in no folder that can be written.

    See Also
    --------
    to_dnf : The rules of the report, as a formula.
    feature_effect : The curves of the report, as numbers.
    explain, counterfactuals : The explanations of the report.

    Notes
    -----
    The same estimator and the same rows give the same file: there is no date in it.
    Accuracy, log loss, curves of probabilities and rules use all held-out rows.
    Importances use 50 of them, and effects 200, at equal distances. Columns with more
    than 64 categories have no effects. Missing values and unseen values have the
    meaning that they have for the estimator.

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
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise OSError(
            f"path must be a file in a folder that can be written; got {str(path)!r}."
        )
    pyplot_for("report")
    page = _Page()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        subject = _Subject(estimator, X_test, y_test, X, y, class_of_interest)
        progress = Progress(subject.classifier)
        parts = [_write_quality, _write_rules, partial(_write_columns, n=n_features)]
        parts += [_write_predictions, _write_probabilities]
        for write, name in zip(parts, _PARTS, strict=True):
            progress.stage(f"report, {name}").start()
            write(page, subject)
    messages = [str(w.message) for w in caught if issubclass(w.category, UserWarning)]
    _write_warnings(page, subject, messages)
    _write_training(page, subject)
    title = title or f"Report on a {type(subject.classifier).__name__}"
    path.write_bytes(page.text(title).encode("utf-8", "backslashreplace"))
    return path


class _Subject:
    """A fitted model, and what it predicts for test rows.

    Parameters
    ----------
    estimator, X_test, y_test, X, y, class_of_interest
        See `report`.

    Attributes
    ----------
    steps, classifier
        As of `steps_of`.
    y_test : list
        Classes of the test rows.
    counts : dict of list
        The number of rows of each class, by the kind of rows.
    k : int
        The index of the class of interest, which is `label`, and `name` as text.
    actual : ndarray of shape (n_test,), int
        The index of the class of each test row, -1 if training did not have it.
    predicted : ndarray of shape (n_test,), int
    right : ndarray of shape (n_test,), bool
    probabilities : ndarray of shape (n_test, n_classes), float64
    decoder : TermDecoder
        For the test rows; None for a DNFClassifier.
    formula : DNF or None
        The rules for the class of interest, once they are written.
    """

    def __init__(self, estimator, X_test, y_test, X, y, class_of_interest):
        self.estimator, self.X, self.y, self.X_test = estimator, X, y, X_test
        self.steps, self.classifier = steps.steps_of(estimator, _CLASSIFIERS)
        if (X is None) != (y is None):
            raise ValueError("X and y must be given together; got one only.")
        self.target = getattr(y_test, "name", None)
        self.classes = self.classifier.classes_.tolist()
        labels = {} if X is None else {"training": _labels(X, y, "y")}
        labels["test"] = self.y_test = _labels(X_test, y_test, "y_test")
        self.counts = {
            kind: [of_kind.count(label) for label in self.classes]
            for kind, of_kind in labels.items()
        }
        places, n = {c: k for k, c in enumerate(self.classes)}, self.counts["test"]
        label = class_of_interest
        if label is None:
            # Classes without rows come last.
            label = min(places, key=lambda c: (n[places[c]] or np.inf, -places[c]))
        given = {"class_of_interest": [label], "y": labels.get("training", ())}
        for name, known in given.items():
            if unknown := {*known} - {*self.classes}:
                raise ValueError(
                    f"{name} must contain classes in {self.classes}, as in `fit`; got "
                    f"{sorted(unknown, key=str)}."
                )
        self.k, self.label, self.name = places[label], label, shown(label)
        self.actual = np.array([places.get(label, -1) for label in self.y_test])
        predicted = estimator.predict(X_test).tolist()
        self.predicted = np.array([places[label] for label in predicted])
        self.right = self.predicted == self.actual
        self.probabilities = np.asarray(estimator.predict_proba(X_test), dtype=float)
        self.n_test = len(self.y_test)
        self.has_weights = isinstance(self.classifier, TermModelMixin)
        self.decoder = self.formula = None
        if isinstance(self.classifier, TableModelMixin):
            self.decoder, _ = TermDecoder.with_codes(estimator, X_test, TableModelMixin)

    def some_rows(self, most):
        """Return at most some test rows, at equal distances."""
        n = min(most, self.n_test)
        return safe_indexing(self.X_test, np.arange(n) * self.n_test // n)


def _labels(X, y, name):
    """Check the classes of rows, and return them as a list."""
    refuse_missing_labels(y, name)
    y = column_or_1d(y, warn=True)
    check_consistent_length(X, y)
    return y.tolist()


def _named(labels):
    """Return a list of labels or names as text."""
    more = len(labels) - _MOST_NAMED
    text = ", ".join(map(shown, labels[:_MOST_NAMED]))
    return text + (f" and {more} more" if more > 0 else "")


def _rows(n, kind="test "):
    """Return a number of rows as text."""
    return f"{n:,} {kind}row" + "s" * (n != 1)


# -- the page --------------------------------------------------------------------------


class _Markup(str):
    """Text that is markup; all other text is escaped."""


class _Page:
    """A page, whose parts are filled in one after the other: see ``page.html``."""

    def __init__(self):
        text = (files("sklearn_dnfwinnow.inspection") / "page.html").read_text("utf-8")
        self._frame, *parts = re.split(r"<!-- (\w+) -->\n", text)
        self._templates = dict(zip(parts[::2], parts[1::2]))
        self._parts = []

    def write(self, part, **values):
        """Write a part, given its values by name."""
        for name, value in values.items():
            if isinstance(value, str) and not isinstance(value, _Markup):
                values[name] = escape(value)
        self._parts.append(self._templates[part].format_map(values))

    def text(self, title):
        """Return the whole page."""
        parts = "".join(self._parts)
        links = "\n".join(
            f'<li><a href="#{name}">{heading}</a></li>'
            for name, heading in re.findall(r'<h2 id="(\w+)">(.*)</h2>', parts)
        )
        known = {"title": escape(title), "links": links, "parts": parts}
        return Template(self._frame).substitute(known)


def _table(heads, rows):
    """Return a table, from the markup of the cells of each row."""
    lines = [display.cells(heads, "th"), *map(display.cells, rows)]
    return _Markup(display.table(lines))


def _pictures(*pictures):
    """Return pictures: each a caption, a function that draws, and a description."""
    return _Markup("".join(inline_svg(*one) for one in pictures))


# -- its parts -------------------------------------------------------------------------


def _write_quality(page, subject):
    """Write the accuracy and the confusion matrix."""
    n, share = subject.n_test, subject.right.mean()
    low, high = wilson_interval(share, n, _CONFIDENCE)
    most = max(subject.counts["test"])
    names, rows = [escape(shown(label)) for label in subject.classes], []
    for i, name in enumerate([*names, "(not in training)"]):
        places = subject.predicted[subject.actual == (i if i < len(names) else -1)]
        if len(places):
            row = [name]
            for j, one in enumerate(np.bincount(places, minlength=len(names)).tolist()):
                colour = display.BLUE if i == j else display.ORANGE
                row.append(f"{one:,}" + display.bar(0.0, one / len(places), colour))
            rows.append(row)
    numbers = {"accuracy": share, "low": low, "high": high, "most": most / n}
    page.write(
        "quality",
        what="class" if subject.target is None else shown(subject.target),
        classes=_named(subject.classes),
        rows=_rows(n),
        usual=shown(subject.classes[subject.counts["test"].index(most)]),
        confusion=_table(["true class", *(f"predicted {one}" for one in names)], rows),
        **numbers,
    )


def _write_rules(page, subject):
    """Write the rules, or the strongest terms of a Bayesian classifier."""
    if subject.has_weights:
        _write_rules_of_model(page, subject)
    elif subject.decoder is not None:
        page.write("terms", name=subject.name, table=_strongest_terms(subject))
    else:
        X = steps.transform_through(subject.steps, subject.X_test)
        summary = subject.classifier.summary(X, subject.y_test)
        page.write("model")
        page.write("rules", summary=_Markup(summary._repr_html_()))


def _write_rules_of_model(page, subject):
    """Learn rules for the class of interest, and write them."""
    # Without training rows, the labels of the test rows are not used.
    is_trained = subject.X is not None
    X, y = (subject.X, subject.y) if is_trained else (subject.X_test, None)
    dnf = to_dnf(subject.estimator, subject.label, X=X, y=y)
    if not dnf.terms:
        page.write("none", name=subject.name)
        return
    subject.formula, n_steps = dnf, len(dnf.transformed_by)
    X = steps.transform_through(subject.steps[:n_steps], subject.X_test)
    holds = dnf.holds(X, transformed=n_steps > 0)
    same = (holds == (subject.predicted == subject.k)).mean()
    right = (holds == (subject.actual == subject.k)).mean()
    page.write("surrogate", name=subject.name, same=same, right=right)
    y = np.array(subject.y_test, dtype=object)
    summary = dnf.summary(X, y, transformed=n_steps > 0)
    page.write("rules", summary=_Markup(summary._repr_html_()))


def _strongest_terms(subject):
    """Return a table of the strongest terms, measured on test rows."""
    known, measured = np.flatnonzero(subject.actual >= 0), {}
    if len(known):
        measured["X"] = safe_indexing(subject.X_test, known)
        measured["y"] = subject.classifier.classes_[subject.actual[known]]
    found = terms(subject.estimator, subject.label, _MOST_TERMS, **measured)
    styles = {"effect": "+.2f", "effect_low": "+.2f", "effect_high": "+.2f"}
    styles |= {"support": "g", "precision": ".2f"}
    rows = [
        [*(f"{one[name]:{styles[name]}}" for name in styles), escape(one["term"])]
        for one in display.records_in(found)
    ]
    return _table([*(name.replace("_", " ") for name in styles), "conditions"], rows)


def _write_columns(page, subject, n):
    """Write the importances and effects of columns."""
    if subject.decoder is None:
        return
    names, importances = _importances(subject)
    order = np.argsort(-importances, kind="stable").tolist()
    lines = [Line(float(importances[j]), shown(names[j])) for j in order[:_MOST_LISTED]]
    section = Section("mean absolute Shapley values", lines, style=".2f")
    table = html_of(f"Most important of {len(names)} columns", [section])
    rows = _rows(min(_IMPORTANCE_ROWS, subject.n_test))
    page.write("columns", name=subject.name, rows=rows, importances=_Markup(table))
    drawn = {
        column
        for column, found in column_values(subject.decoder.preimages).items()
        if isinstance(found.preimage, NumericPreimage)
        or len(found.preimage.present) <= _MOST_CATEGORIES
    }
    drawn = [j for j in order if j in drawn and importances[j] > 0][:n]
    if drawn:
        pictures = _pictures(*(_effect(subject, j) for j in drawn))
        page.write("effects", most=_MOST_CATEGORIES, pictures=pictures)


def _importances(subject):
    """Return the names of the columns, and the importance of each: float64."""
    rows, decoder = subject.some_rows(_IMPORTANCE_ROWS), subject.decoder
    if subject.has_weights:
        known = {"class_of_interest": subject.label}
        values = shapley_values(subject.estimator, rows, **known).values
    else:
        found = explain(subject.estimator, rows, top=1)
        values = np.array([one.feature_effects for one in found])
    # Features that come from one column are one.
    of_columns = np.zeros((len(values), len(decoder.table_features)))
    for j, preimage in enumerate(decoder.preimages):
        of_columns[:, preimage.column] += values[:, j]
    return decoder.table_features, np.abs(of_columns).mean(axis=0)


def _effect(subject, column):
    """Return the picture of the effect of a column, see `_pictures`."""
    rows, known = subject.some_rows(_CURVE_ROWS), {"class_of_interest": subject.label}
    found = feature_effect(subject.estimator, rows, column, **known)
    draw = partial(FeatureEffectDisplay(found).plot, n_values=_MOST_VALUES)
    return found.title, draw, str(found)


def _write_predictions(page, subject):
    """Write explanations of three test rows.

    These are the most certain right prediction, the least certain one, and the most
    certain wrong one; of equal ones, the first.
    """
    warnings.simplefilter("ignore", ConvergenceWarning)  # explanations say it
    every, right = np.arange(subject.n_test), subject.right
    certainty, chosen = subject.probabilities[every, subject.predicted], {}
    for places, merits, reason in (
        (every[right], certainty, "the most certain right prediction"),
        (every, -certainty, "the least certain prediction"),
        (every[~right], certainty, "the most certain wrong prediction"),
    ):
        if len(places):
            place = int(places[np.argmax(merits[places])])
            chosen.setdefault(place, []).append(reason)
    note = " No test row is predicted wrongly." if right.all() else ""
    levels = steps.levels_of(subject.estimator, _CLASSIFIERS)
    if any(isinstance(level, steps.ADJUSTERS) for level in levels):
        note += " Threshold or calibration around the classifier are left out."
    page.write("predictions", note=note)
    if subject.decoder is not None:
        page.write("values")
    for place, reasons in chosen.items():
        texts = {"reasons": " and ".join(reasons), "actual": subject.y_test[place]}
        texts["predicted"] = subject.classes[subject.predicted[place]]
        texts = {name: shown(text) for name, text in texts.items()}
        texts["probability"] = probability(certainty[place])
        page.write("row", row=place, explanation=_reasons(subject, place), **texts)


def _reasons(subject, place):
    """Return the reasons for the prediction of a test row."""
    row = safe_indexing(subject.X_test, [place])
    if subject.decoder is None:
        X, texts = steps.transform_through(subject.steps, row), []
        for one in display.records_in(subject.classifier.explain(X)):
            is_part = one["fails"] not in ("", one["term"])
            fails = f" (fails: {one['fails']})" * is_part
            what = "This rule holds" if one["holds"] else "No rule holds; the nearest"
            texts.append(f"{what}: {one['term'] or 'none'}{fails}")
        return _Markup(display.listing(texts))
    found = explain(subject.estimator, row, formula=subject.formula)
    if subject.has_weights:
        found += counterfactuals(subject.estimator, row, n=2, max_work=_MOST_WORK)
    tables = [replace(one, row=place)._repr_html_() for one in found]
    return _Markup("\n".join(f'<div class="wide">{one}</div>' for one in tables))


def _write_probabilities(page, subject):
    """Write log loss, calibration, ROC and precision-recall curves.

    They refer to the probability of the class of interest.
    """
    known, name = subject.actual >= 0, subject.name
    if not known.any():
        return
    actual, p = subject.actual[known], subject.probabilities[known]
    shares = np.bincount(actual, minlength=len(subject.classes)) / len(actual)
    loss = metrics.log_loss(actual, p, labels=range(len(subject.classes)))
    usual = -sum(share * np.log(share) for share in shares if share)
    is_so, p = actual == subject.k, p[:, subject.k].clip(0.0, 1.0)
    draw = partial(_calibration_curve, is_so, p)
    curve = _pictures((f"Calibration curve of {name}", draw, "fraction of rows"))
    page.write("calibration", name=name, loss=loss, usual=usual, picture=curve)
    if is_so.all() or not is_so.any():
        return
    says_so = subject.predicted[known] == subject.k
    found, n, n_said = (int(x.sum()) for x in (is_so & says_so, is_so, says_so))
    recall, precision = found / n, found / n_said if n_said else np.nan
    false = (n_said - found) / (len(is_so) - n)
    rule = "it is the most probable class"
    if len(subject.classes) == 2:
        cost = steps.cost_of_threshold(subject.estimator, subject.label, _CLASSIFIERS)
        rule = f"its probability is at least {1 / (1 + cost):.3g}"
    roc = partial(_curve, metrics.RocCurveDisplay, false, recall)
    other = partial(_curve, metrics.PrecisionRecallDisplay, recall, precision)
    where = f"recall {recall:.3f}, precision {precision:.3f} at the threshold in use"
    pictures = _pictures(
        (f"ROC curve of {name}", partial(roc, is_so, p), where),
        (f"Precision and recall of {name}", partial(other, is_so, p), where),
    )
    auc, texts = metrics.roc_auc_score(is_so, p), {"name": name, "rule": rule}
    texts |= {"rows": _rows(n, ""), "said": _rows(n_said, "")}
    numbers = {"auc": auc, "found": found, "recall": recall, "precision": precision}
    page.write("thresholds", **numbers, **texts, pictures=pictures)


def _calibration_curve(is_so, p):
    """Draw a calibration curve with intervals."""
    drawn = CalibrationDisplay.from_predictions(is_so, p, n_bins=_GROUPS)
    ends = np.linspace(0.0, 1.0, _GROUPS + 1)[1:-1]
    sizes = np.unique(np.searchsorted(ends, p), return_counts=True)[1]
    lows, highs = wilson_interval(drawn.prob_true, sizes, _CONFIDENCE)
    errors = np.abs([drawn.prob_true - lows, highs - drawn.prob_true])
    drawn.ax_.errorbar(drawn.prob_pred, drawn.prob_true, errors, fmt="none")
    drawn.ax_.set(xlabel="mean probability", ylabel="fraction of rows")
    drawn.ax_.legend(["perfect", "with 95% intervals"])
    return drawn


def _curve(kind, x, y, is_so, p):
    """Draw a curve of all thresholds, and a dot for the one in use."""
    drawn = kind.from_predictions(is_so, p, name="model", plot_chance_level=True)
    names = drawn.ax_.get_xlabel(), drawn.ax_.get_ylabel()
    names = [name.partition(" (")[0].lower() for name in names]
    drawn.ax_.set(xlabel=names[0], ylabel=names[1])
    drawn.ax_.plot(x, y, "o", color=display.ORANGE, label="threshold in use")
    drawn.ax_.legend(fontsize="small", loc="best")
    return drawn


def _write_warnings(page, subject, messages):
    """Write doubts about columns and classes, and messages of others."""
    found = []
    for kind, numbers in subject.counts.items():
        few = [c for c, n in zip(subject.classes, numbers) if n < _FEW_OF_CLASS]
        if few:
            text = (
                f"Classes with fewer than {_FEW_OF_CLASS} {kind} rows: {_named(few)}."
            )
            found.append(f"{text} What is said of them is uncertain.")
    if subject.decoder is not None:
        encoding, test = subject.decoder.model.encoding, _batch(subject, subject.X_test)
        batch = test if subject.X is None else _batch(subject, subject.X)
        codes = encoding.codes_as_new(batch.table)
        found += column_sentences(batch, codes, encoding)
        found += _new_values(encoding, test.table)
    found += dict.fromkeys(messages)
    listed = display.listing(found or ["There are no warnings."])
    page.write("warnings", warnings=_Markup(listed))


def _batch(subject, X):
    """Return rows as training takes them, without regard to their classes."""
    X = steps.transform_through(subject.steps, X)
    X = check_table(subject.classifier, X, reset=False)
    unweighted = copy(subject.classifier).set_params(class_weight=None)
    n = num_samples(X)
    return LabelledTable(unweighted, X, unweighted.classes_[[0] * n], np.ones(n))


def _new_values(encoding, table):
    """Return sentences about values of test rows that training did not have."""
    codes, found = encoding.codes_as_new(table), []
    for j, attribute in enumerate(encoding.attributes):
        new = (codes[:, j] == 0) & (table.codes[:, j] > 0)
        if attribute.cut_points is None and new.any():
            values = table.columns[j].values
            names = _named([values[i] for i in np.unique(table.codes[new, j])])
            where = f"in {_rows(int(new.sum()))} ({new.mean():.1%}): {names}."
            text = f"Column {table.label(j)} has values that training did not have, "
            found.append(f"{text}{where} They satisfy no condition.")
    return found


def _write_training(page, subject):
    """Write the parameters, and the numbers of rows and columns."""
    text = _LONG_TEXT.sub("'...'", _ADDRESS.sub("", repr(subject.estimator)))
    facts = [f"columns: {subject.classifier.n_features_in_:,}"]
    for kind, numbers in subject.counts.items():
        known = zip(numbers, map(shown, subject.classes))
        of_classes = ", ".join(f"{n:,} {name}" for n, name in known)
        facts.append(f"{_rows(sum(numbers), f'{kind} ')}: {of_classes}")
    page.write("training", model=text, facts=_Markup(display.listing(facts)))

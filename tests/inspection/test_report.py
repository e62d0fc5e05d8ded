"""The report: one page, whole, safe to send, with the numbers of scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import re
import sys
import warnings
from functools import cache
from html import unescape
from html.parser import HTMLParser

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.calibration import CalibrationDisplay, calibration_curve
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    confusion_matrix,
    log_loss,
    precision_score,
    recall_score,
    roc_auc_score,
)
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.inspection import report, to_dnf

VOID = {"meta", "br"}
NEW = "(not in training)"
EVERY = [
    "quality",
    "rules",
    "columns",
    "predictions",
    "calibration",
    "warnings",
    "training",
]


class Page(HTMLParser):
    """A page: its text, tags, attributes, and cells; closing tags have to match."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes = [], [], []
        self.texts, self.cells = [], []
        self.feed(text)
        self.close()
        assert self.open == []
        self.text = " ".join(" ".join(self.texts).split())
        self.sections = [a[2] for a in self.attributes if a[:2] == ("h2", "id")]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag in ("td", "th"):
            self.cells.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert "svg" in self.open  # elsewhere, browsers ignore the slash
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data


def quick():
    return DNFWinnowClassifier(
        margin=1.0, alpha=1.1, max_term_size=2, cv=None, max_iter=10, random_state=0
    )


@cache
def monks():
    X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    X_test, y_test = load_monks(1, subset="test", return_X_y=True, as_frame=True)
    return quick().fit(X, y), X, y, X_test[::3], y_test[::3]


@cache
def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X[::2], y[::2], X[1::2], y[1::2]


@pytest.fixture
def written(tmp_path):
    """A function that returns the parsed page of a report."""

    def write(estimator, X_test, y_test, n_features=0, **options):
        path = tmp_path / "a.html"
        found = report(
            estimator, X_test, y_test, path, n_features=n_features, **options
        )
        assert found == path
        return Page(path.read_text(encoding="utf-8"))

    return write


@pytest.fixture
def curves(monkeypatch):
    """The calibration curves that are drawn: their means and fractions."""
    drawn, plot = [], CalibrationDisplay.plot

    def seen(display, **options):
        drawn.append((display.prob_pred, display.prob_true))
        return plot(display, **options)

    monkeypatch.setattr(CalibrationDisplay, "plot", seen)
    return drawn


def confusion(page, names):
    """The numbers of rows of some true classes, by their predicted class."""
    cells = page.cells[page.cells.index("true class") :]
    n_classes = sum(cell.startswith("predicted ") for cell in cells)
    places = [cells.index(name) for name in names]
    return [list(map(int, cells[i + 1 : i + 1 + n_classes])) for i in places]


def chosen_rows(page):
    """The rows that are explained, by the reason."""
    headings = re.findall(r"Row (\d+): (.*?) The prediction", page.text)
    return {reason: int(place) for place, reason in headings}


def test_page_of_a_model(written):
    clf, X, y, X_test, y_test = monks()
    page = written(clf, X_test, y_test, X=X, y=y, n_features=2)
    assert page.sections == EVERY
    assert page.tags.count("h1") == 1 and page.text.count("Effect of a") == 2
    # Headings have no gaps, links lead to sections, and pictures have texts.
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
    assert max(np.diff(levels)) <= 1
    links = [value for tag, name, value in page.attributes if name == "href"]
    assert links == [f"#{name}" for name in EVERY]
    named = [a for a in page.attributes if a[:2] == ("svg", "aria-label") and a[2]]
    assert page.tags.count("svg") == len(named) == 5
    assert page.tags.count("details") == 1
    assert "124 training rows: 62 0, 62 1" in page.text
    assert "margin=1.0" in page.text and "random_state=0" in page.text


def test_nothing_is_loaded_or_executed(written, tmp_path):
    clf, _, _, X_test, y_test = monks()
    page = written(clf, X_test, y_test)
    assert not {"script", "link", "iframe", "object", "img", "base"} & set(page.tags)
    for _, name, value in page.attributes:
        assert name not in ("src", "srcset", "data") and not name.startswith("on")
        assert name != "href" or value.startswith("#")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "@import" not in text and "//" not in text
    # Panels are cut by shapes of the page itself.
    assert not re.search(r"url\((?!#)", text)
    assert "default-src 'none'" in unescape(text)


EVIL = "</td><script>alert('&')</script>\"<b>"


def test_texts_are_escaped(written):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            EVIL + "1": rng.choice([EVIL + "2", "b"], 120),
            EVIL + "3": rng.normal(size=120),
            "c": rng.choice([EVIL + "4", "y"], 120),
        }
    )
    y = np.where((X.iloc[:, 0] == "b") | (X.iloc[:, 1] > 1), EVIL + "5", EVIL + "6")
    clf = quick().fit(X, y)
    labels = pd.Series(y, name=EVIL + "0", dtype=object)
    labels[3] = EVIL + "7"
    X.iloc[4, 2] = EVIL + "8"
    page = written(clf, X, labels, title=EVIL + "9", n_features=3, X=X, y=y)
    assert not {"script", "b"} & set(page.tags)
    for i in range(10):
        assert EVIL + str(i) in page.text
    assert page.sections == EVERY


@pytest.mark.parametrize("label", ["0", None])
def test_numbers_of_two_classes_are_those_of_scikit_learn(written, curves, label):
    """Those of the rarer class, if none is asked for."""
    clf, _, _, X_test, y_test = monks()
    y_test = y_test.mask(np.arange(len(y_test)) % 9 == 0, "0")
    page = written(clf, X_test, y_test, class_of_interest=label)
    label = label or "1"
    assert (y_test == label).mean() < 0.5 or label == "0"
    p, predicted = clf.predict_proba(X_test), clf.predict(X_test)
    accuracy = accuracy_score(y_test, predicted)
    assert 0 < accuracy < 1
    assert f"is right for {accuracy:.1%} of 144 test rows" in page.text
    assert f"The log loss is {log_loss(y_test, p):.4f}" in page.text
    counts = confusion(page, ["0", "1"])
    assert_array_equal(counts, confusion_matrix(y_test, predicted))
    assert NEW not in page.cells
    is_so, p = y_test == label, p[:, int(label)]
    assert_allclose(curves[0][::-1], calibration_curve(is_so, p, n_bins=10))
    precision = precision_score(y_test, predicted, pos_label=label)
    recall = recall_score(y_test, predicted, pos_label=label)
    assert f"The ROC AUC is {roc_auc_score(is_so, p):.3f}" in page.text
    assert f"(recall {recall:.1%})" in page.text
    assert f"(precision {precision:.1%})" in page.text
    assert f"predicted {label} if its probability is at least 0.5" in page.text


@pytest.mark.parametrize("with_training", [True, False])
def test_numbers_of_three_classes(written, curves, with_training):
    X, y, X_test, y_test = iris()
    clf = quick().fit(X, y)
    options = {"X": X, "y": y} if with_training else {}
    page = written(clf, X_test, y_test, **options)
    p = clf.predict_proba(X_test)
    assert f"The log loss is {log_loss(y_test, p):.4f}" in page.text
    curve = calibration_curve(y_test == 2, p[:, 2], n_bins=10)
    assert_allclose(curves[0][::-1], curve)
    # The rules are those of to_dnf, and measured on the test rows.
    assert "otherwise not 2" in page.cells
    found = page.cells[page.cells.index("2 where any of these holds") + 7 :]
    rows = options or {"X": X_test}
    table = to_dnf(clf, 2, **rows).summary(X_test, y_test).table
    for one in table[:-1].itertuples():
        numbers = [f"{one.precision:.2f}", f"{one.recall:.2f}", f"{one.lift:.2f}"]
        assert found[:6] == [f"{one.support:g}", *numbers, "", one.term]
        found = found[6:]
    assert "is predicted 2 if it is the most probable class" in page.text


@pytest.mark.parametrize("steps", [[StandardScaler()], [StandardScaler(), PCA(2)]])
def test_pipelines(written, steps):
    X, y, X_test, y_test = iris()
    pipeline = make_pipeline(*steps, quick()).fit(X, y)
    page = written(pipeline, X_test, y_test, n_features=2, X=X, y=y)
    assert page.sections == EVERY
    # Units of the data, where steps can be inverted.
    name = "petal width (cm)" if len(steps) == 1 else "pca0"
    assert any(cell.startswith(f"{name} ") for cell in page.cells)
    assert f"Effect of {name} on the log-odds" in page.text
    assert ("PCA" in page.text) == (len(steps) == 2)


def test_columns_that_become_several_features(written):
    _, X, y, X_test, y_test = monks()
    used = ["a1", "a2", "a5"]
    encoder = OneHotEncoder(sparse_output=False)
    pipeline = make_pipeline(encoder, quick()).fit(X[used], y)
    page = written(pipeline, X_test[used], y_test)
    assert "Most important of 3 columns" in page.text


def test_thresholds(written):
    _, X, y, X_test, y_test = monks()
    threshold = FixedThresholdClassifier(quick(), threshold=0.9, pos_label="1")
    page = written(threshold.fit(X, y), X_test, y_test)
    accuracy = accuracy_score(y_test, threshold.predict(X_test))
    assert f"is right for {accuracy:.1%}" in page.text
    assert "the classifier are left out" in page.text
    assert "predicted 1 if its probability is at least 0.9" in page.text


@pytest.mark.parametrize("in_pipeline", [False, True])
def test_rules(written, in_pipeline):
    X, y, X_test, y_test = iris()
    clf = DNFClassifier(cv=None, random_state=0)
    clf = make_pipeline(StandardScaler(), clf) if in_pipeline else clf
    page = written(clf.fit(X, y), X_test, y_test)
    assert page.sections == [name for name in EVERY if name != "columns"]
    assert "These rules are the model." in page.text
    assert "This rule holds" in page.text
    page = written(DNFClassifier({}).fit(X, y), X_test, y_test)
    assert "No rule holds; the nearest: none" in page.text


def test_no_rule_is_better_than_the_share_of_the_class(written):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice([*"abc"], (200, 3)), columns=[*"xyz"])
    y = rng.choice(["p", "q"], 200)
    clf = DNFWinnowClassifier(random_state=0, cv=None, max_iter=2).fit(X, y)
    page = written(clf, X, y, X=X, y=y, class_of_interest="q")
    assert "No rule for q is better than its share of the rows." in page.text
    assert "rules with the largest contributions" in page.text


def test_rules_that_were_given_are_not_printed_as_a_parameter(written):
    X, y, X_test, y_test = map(np.asarray, iris())
    terms = " or\n".join(f"x0 <= {4 + i / 8}" for i in range(12))
    clf = DNFClassifier(f"class: {y[0]}\n{terms}", otherwise=y[-1]).fit(X, y)
    assert repr(clf).count("\n") > 3
    assert "dnf='...'" in written(clf, X_test, y_test).text


def test_bayesian_classifiers(written):
    X, y, X_test, y_test = iris()
    clf = BayesianInteractionClassifier(
        max_order=2,
        prior="normal",
        n_draws=50,
        max_rhat=1.5,
        min_ess=20,
        random_state=0,
    ).fit(X, y == 2)
    page = written(clf, X_test, y_test == 2, X=X, y=y == 2, n_features=2)
    assert page.sections == EVERY
    assert "Strongest conditions for True" in page.text
    assert "median of the posterior draws" in page.text
    # Bands of intervals are transparent.
    assert any("opacity: 0.2" in (v or "") for _, _, v in page.attributes)


def test_other_classes_count_as_errors(written):
    clf, _, _, X_test, y_test = monks()
    labels = y_test.astype(object).to_numpy(copy=True)
    assert (clf.predict(X_test) == y_test).all()
    labels[:3] = ["new", "new", 7]
    page = written(clf, X_test, labels)
    assert "is right for 97.9%" in page.text
    known = clf.predict_proba(X_test[3:])
    assert f"The log loss is {log_loss(y_test[3:], known):.4f}" in page.text
    assert sum(*confusion(page, [NEW])) == 3
    page = written(clf, X_test[:2], ["new", "new"])
    assert "is right for 0.0%" in page.text
    assert "calibration" not in page.sections


def test_chosen_rows(written):
    clf, _, _, X_test, y_test = monks()
    labels = y_test.to_numpy(copy=True)
    p = clf.predict_proba(X_test).max(axis=1)
    wrong = [5, 9]
    for i in wrong:
        labels[i] = "1" if labels[i] == "0" else "0"
    right = np.setdiff1d(np.arange(len(p)), wrong)
    assert chosen_rows(written(clf, X_test, labels)) == {
        "the most certain right prediction": right[p[right].argmax()],
        "the least certain prediction": p.argmin(),
        "the most certain wrong prediction": wrong[p[wrong].argmax()],
    }
    # A single row is both, and is explained once.
    assert chosen_rows(written(clf, X_test[:1], labels[:1])) == {
        "the most certain right prediction and the least certain prediction": 0
    }


def test_warnings_of_the_report(written):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "id": [f"C{i:04d}" for i in rng.permutation(120)],
            "colour": ["red", "green"] * 60,
            "size": rng.normal(size=120),
        }
    )
    y = np.where(X["size"] > 0, "large", "small")
    y[:2] = "huge"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = quick().fit(X, y)
    X_test = X.iloc[:60].assign(colour=["pink"] + ["red"] * 59)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # they are in the report
        page = written(clf, X_test, y[:60], X=X, y=y, n_features=1)
    for text in (
        "Column 'id' looks like a row identifier",
        "Column 'colour' has values that training did not have, in 1 test row (1.7%)",
        "Classes with fewer than 20 training rows: huge.",
    ):
        assert text in page.text, text
    assert "Effect of id" not in page.text
    # Without the training rows, identifiers are seen in the test rows.
    page = written(clf, X_test, y[:60])
    assert "Column 'id' looks like a row identifier" in page.text
    clean, X, y, X_test, y_test = monks()
    page = written(clean, X_test, y_test, X=X, y=y)
    assert "There are no warnings." in page.text


def test_same_data_same_file(tmp_path):
    _, X, y, X_test, y_test = monks()
    X, X_test = X.to_numpy(), X_test.to_numpy()
    clf = quick().fit(X, y)
    few = {"n_features": 1}
    expected = report(clf, X_test, y_test, tmp_path / "a.html", **few).read_bytes()
    open_before = plt.get_fignums()
    with plt.style.context("dark_background"):
        for one in (quick().fit(X, y.tolist()), pickle.loads(pickle.dumps(clf))):
            listed = X_test.tolist(), y_test.tolist()
            path = report(one, *listed, str(tmp_path / "b.html"), **few)
            assert path.read_bytes() == expected
    assert b"currentColor" in expected and plt.get_fignums() == open_before
    names = [v for _, name, v in Page(expected.decode()).attributes if name == "id"]
    assert len(names) == len(set(names))


def test_texts_that_are_no_unicode(written):
    X = np.array([["\ud800", "b\n"], ["\u202e", "c"]] * 20, dtype=object)
    y = np.array(["\ud801", "d"] * 20, dtype=object)
    page = written(DNFClassifier(random_state=0).fit(X, y), X, y, title="\ud802")
    assert r"\ud801" in page.text and r"\ud802" in page.text


class Absent:
    """A finder that finds a package missing."""

    def __init__(self, missing):
        self.missing = missing

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == self.missing:
            raise ImportError(name)


def take_away(monkeypatch, package):
    for name in [*sys.modules]:
        if name.partition(".")[0] == package:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Absent(package), *sys.meta_path])


def test_without_pandas(tmp_path, monkeypatch):
    X, y, X_test, y_test = (part.to_numpy() for part in iris())
    models = quick().fit(X, y), DNFClassifier(cv=None, random_state=0).fit(X, y)
    path = tmp_path / "a.html"
    few = {"n_features": 1}
    expected = [report(m, X_test, y_test, path, **few).read_bytes() for m in models]
    take_away(monkeypatch, "pandas")
    with pytest.raises(ImportError):
        import pandas  # noqa: F401
    for one, page in zip(models, expected):
        assert report(one, X_test, y_test, path, **few).read_bytes() == page


def test_without_matplotlib(tmp_path, monkeypatch):
    clf, _, _, X_test, y_test = monks()
    take_away(monkeypatch, "matplotlib")
    with pytest.raises(ImportError, match="report needs Matplotlib: install it"):
        report(clf, X_test, y_test, tmp_path / "a.html")
    assert not (tmp_path / "a.html").exists()


def test_bad_input(tmp_path):
    clf, X, y, X_test, y_test = monks()
    path = tmp_path / "a.html"

    def refused(error, match, **changed):
        options = {"estimator": clf, "X_test": X_test, "y_test": y_test, "path": path}
        with pytest.raises(error, match=match):
            report(**{**options, **changed})

    refused(ValueError, r"inconsistent .* \[144, 143\]", y_test=y_test[1:])
    refused(ValueError, r"class_of_int.* got \['2'\]", class_of_interest="2")
    refused(ValueError, r"inconsistent .* \[124, 123\]", X=X, y=y[1:])
    refused(ValueError, "must be given together", X=X)
    refused(ValueError, r"y must .* got \['new'\]", X=X, y=["new", *y[1:]])
    refused(ValueError, "y_test contains NaN", y_test=[None, *y_test[1:]])
    refused(ValueError, "0 sample", X_test=X_test[:0], y_test=y_test[:0])
    refused(NotFittedError, "not fitted", estimator=quick())
    refused(TypeError, "must be a DNFWinn.* got Log", estimator=LogisticRegression())
    refused(OSError, "path must be a file", path=tmp_path)
    refused(OSError, "a folder that can be", path=tmp_path / "none" / "a.html")
    for name, value in {"path": 3, "n_features": -1}.items():
        refused(ValueError, f"'{name}' parameter", **{name: value})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.access", lambda *_: False)
        refused(OSError, "can be written")
    assert not path.exists()

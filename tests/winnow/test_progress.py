"""Progress: printed lines, and scikit-learn's callbacks where it has them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import re

import numpy as np
import pytest
from internals.winnow import _progress
from joblib import parallel_config
from numpy.testing import assert_array_equal
from reference import plain_winnow
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import make_dnf
from sklearn_dnfwinnow.inspection import counterfactuals, explain, shapley_values

X, Y = make_dnf(n_samples=60, n_features=5, noise=0.2, random_state=0)
NAMES = np.array(["no", "yes"])[Y]


def winnow(**options):
    return plain_winnow(**{"max_iter": 4, "random_state": 0, **options})


def fitted_state(clf):
    names = ("stored_examples_", "net_promotion_counts_", "n_updates_")
    return [getattr(clf, name).tolist() for name in names]


# -- printed ---------------------------------------------------------------------------


def lines_of(capsys, name="DNFWinnowClassifier"):
    """Return the printed lines without their seconds."""
    printed = capsys.readouterr().out.splitlines()
    matches = [re.fullmatch(rf"\[{name}\] \d+\.\d s: (.*)", line) for line in printed]
    assert all(matches), printed
    return [match[1] for match in matches]


def test_a_line_a_second_and_at_the_end_of_a_stage(capsys, monkeypatch):
    clf = winnow(verbose=1).fit(X, NAMES)
    lines = lines_of(capsys)
    assert lines[:2] == ["reading the table", "encoding all rows"]
    last = clf.n_updates_[-1]
    assert lines[2:] == [
        line
        for k, n in zip(clf.classes_, last)
        for line in (f"class {k}", f"class {k}, epoch 4 of 4: {n} updates")
    ]
    clf.partial_fit(X, NAMES)
    assert "class yes, epoch 5 of 5: " in "\n".join(lines_of(capsys))
    clf.set_params(verbose=0).partial_fit(X, NAMES)
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(_progress, "_BETWEEN", 0.0)
    DNFWinnowClassifier(max_iter=4, n_estimators=1, random_state=0, verbose=1).fit(X, Y)
    lines = lines_of(capsys)
    assert "encoding, candidate 1 of " in lines[2]
    found = [line for line in lines if line.startswith("candidates, epoch")]
    assert re.fullmatch(
        r"candidates, epoch 2 of 4: \d of \d continue, lowest log loss .*, at most 0 s "
        "left",
        found[0],
    )
    found = [line for line in lines if line.startswith("all classes, epoch")]
    assert len([line for line in found if "so far" not in line]) == 4


def test_a_learner_of_rules_prints_its_progress(capsys):
    DNFClassifier(verbose=1, price=1.0, cv=2, random_state=0).fit(X, NAMES)
    lines = lines_of(capsys, "DNFClassifier")
    assert [line for line in lines if "price" not in line] == [
        "reading the table",
        "rules",
    ]


def test_readers_print_their_progress(capsys):
    clf = winnow(multi_class="joint").fit(X, NAMES).set_params(verbose=1)
    for read, text in (
        (shapley_values, "Shapley values"),
        (explain, "explanations"),
        (counterfactuals, "counterfactuals"),
    ):
        read(clf, X[:5])
        assert lines_of(capsys)[-2:] == [text, f"{text}, row 5 of 5"]
        read(clf, X[:1])
        assert text not in lines_of(capsys)


# -- callbacks -------------------------------------------------------------------------


class Recorder:
    """Notes every call; may ask to stop at the end of an epoch."""

    stop_after = None

    def __init__(self, stop_after=None):
        self.calls = []
        self.stop_after = stop_after

    def setup(self, estimator, context):
        self.calls.append(("setup", context.task_name, None))

    def teardown(self, estimator, context):
        self.calls.append(("teardown", context.task_name, None))

    def on_fit_task_begin(self, estimator, context):
        parent = context.parent.task_name if context.parent else None
        self.calls.append(("begin", context.task_name, parent))
        if context.task_name.startswith("class "):
            assert context.max_subtasks == estimator.max_iter

    def on_fit_task_end(self, estimator, context):
        parent = context.parent.task_name if context.parent else None
        self.calls.append(("end", context.task_name, parent))
        return context.task_name == "epoch" and context.task_id + 1 == self.stop_after

    def count(self, *call):
        return self.calls.count(call)


class Spread(Recorder):
    """Goes from meta-estimators to what they fit."""

    max_propagation_depth = None


@pytest.fixture
def callback_module():
    return pytest.importorskip("sklearn.callback")


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_tasks_are_classes_and_their_epochs(callback_module, n_jobs):
    recorder = Recorder()
    clf = winnow(n_jobs=n_jobs).set_callbacks(recorder).fit(X, NAMES)
    assert fitted_state(clf) == fitted_state(winnow().fit(X, NAMES))
    assert recorder.calls[:2] == [("setup", "fit", None), ("begin", "fit", None)]
    assert recorder.calls[-2:] == [("end", "fit", None), ("teardown", "fit", None)]
    for label in ("class no", "class yes"):
        for event in ("begin", "end"):
            assert recorder.count(event, label, "fit") == 1
            assert recorder.count(event, "epoch", label) == 4
    assert len(recorder.calls) == 4 + 2 * (2 + 8)
    assert not hasattr(clf, "_callback_fit_ctx")


def test_callbacks_can_stop(callback_module):
    clf = winnow().set_callbacks(Recorder(stop_after=2)).fit(X, Y)
    assert clf.n_iter_ == 2
    assert fitted_state(clf) == fitted_state(winnow(max_iter=2).fit(X, Y))


def test_online_calls_have_no_tasks(callback_module):
    recorder = Recorder(stop_after=1)
    clf = winnow().set_callbacks(recorder).partial_fit(X, Y, classes=[0, 1])
    assert recorder.calls == []
    assert fitted_state(clf) == fitted_state(winnow().partial_fit(X, Y, classes=[0, 1]))


def test_torn_down_after_an_error(callback_module):
    recorder = Recorder()
    clf = winnow().set_callbacks(recorder)
    before = dict(vars(clf))
    with pytest.raises(ValueError, match="greater than one"):
        clf.fit(X, np.zeros(len(X)))
    assert recorder.calls[-1] == ("teardown", "fit", None)
    assert vars(clf) == before


def test_callbacks_within_others(callback_module):
    recorder = Spread()
    pipeline = make_pipeline(ClassEntropyDiscretizer(), winnow())
    pipeline.set_callbacks(recorder).fit(X.astype(float), Y)
    assert recorder.count("end", "epoch", "class 1") == 4
    assert not any(hasattr(step, "_skl_callbacks") for step in pipeline)
    recorder = Spread()
    search = GridSearchCV(winnow(), {"alpha": [1.2, 1.5]}, cv=2)
    search.set_callbacks(recorder).fit(X, Y)
    # Two folds, two values, and the best once more.
    assert recorder.count("begin", "class 1", "fit") == 5
    plain = GridSearchCV(winnow(), {"alpha": [1.2, 1.5]}, cv=2).fit(X, Y)
    assert_array_equal(
        search.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )


def test_the_discretizer_is_one_task(callback_module):
    recorder = Recorder()
    discretizer = ClassEntropyDiscretizer().set_callbacks(recorder)
    weights = np.ones(len(X))
    discretizer.fit(X.astype(float), Y, sample_weight=weights)
    begin, end = ("begin", "fit", None), ("end", "fit", None)
    setup, teardown = ("setup", "fit", None), ("teardown", "fit", None)
    assert recorder.calls == [setup, begin, end, teardown]
    with pytest.raises(ValueError, match="infinity"):
        discretizer.fit([[np.inf], [0.0]], [0, 1])
    assert recorder.calls[4:] == [setup, begin, teardown]


def test_scores_at_the_end(callback_module):
    monitor = callback_module.ScoringMonitor(scoring="accuracy")
    clf = winnow().set_callbacks(monitor).fit(X, Y, sample_weight=np.ones(len(X)))
    (row,) = monitor.get_logs().data
    assert row["accuracy"] == clf.score(X, Y)


def test_progress_bar(callback_module):
    pytest.importorskip("rich")
    bar = callback_module.ProgressBar()
    clf = winnow(n_jobs=2).set_callbacks(bar).fit(X, Y)
    assert fitted_state(clf) == fitted_state(winnow().fit(X, Y))


def test_pickles_clones_and_processes(callback_module):
    clf = winnow(n_jobs=2).set_callbacks(Recorder())
    with parallel_config("multiprocessing"):
        clf.fit(X, Y)
    assert fitted_state(clf) == fitted_state(winnow().fit(X, Y))
    again = pickle.loads(pickle.dumps(clf))
    assert_array_equal(again.predict(X), clf.predict(X))
    assert clone(clf).get_params() == clf.get_params()

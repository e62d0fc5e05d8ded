"""Averages of models as JSON and as pickles, and what comes of hostile text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from mutations import stored_models
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris, load_wine
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.inspection import shapley_values
from sklearn_dnfwinnow.persistence import from_json, to_json


def table(load=load_iris, gaps=False, words=False):
    """Measurements as a data frame; with missing values, and with a category column."""
    X, y = load(return_X_y=True, as_frame=True)
    rng = np.random.default_rng(0)
    if words:
        X = X.assign(word=rng.choice(["x", "y", 'q"uote\n'], len(X)))
    if gaps:
        X = X.mask(rng.random(X.shape) < 0.1)
    return X, y.to_numpy()


CASES = {
    "iris": ({}, {}),
    "wine": ({}, {"load": load_wine}),
    "gaps": ({}, {"gaps": True}),
    "category": ({"missing": "category"}, {"gaps": True, "words": True}),
    "words": ({"n_estimators": 2}, {"words": True}),
    "many": ({"n_estimators": 9, "multi_class": "ovr"}, {}),
    "screened": ({"n_estimators": 3, "screening": 1.0}, {"load": load_wine}),
    "no cuts": ({"n_estimators": 3, "discretizer": None}, {}),
    "conditions": (
        {
            "n_estimators": 2,
            "monotonic_cst": {"petal length (cm)": {2: 1, 0: -1}},
            "forbidden": [("sepal length (cm)", "petal width (cm)")],
        },
        {},
    ),
}


@cache
def fitted(name):
    """A classifier that averages models, and its training samples."""
    parameters, how = CASES[name]
    X, y = table(**how)
    clf = DNFWinnowClassifier(random_state=0, **parameters).fit(X, y)
    assert len(clf.estimators_) > 1
    return clf, X, y


def through_json(estimator):
    """The estimator, written and read; what was read is written as the same."""
    text = to_json(estimator)
    again = from_json(text)
    assert to_json(again) == text
    return again


def through_pickle(estimator):
    return pickle.loads(pickle.dumps(estimator))


def assert_equal(left, right, X):
    """The same scores, terms, attributes and Shapley values, to the last bit."""
    assert_array_equal(left.decision_function(X), right.decision_function(X))
    assert_array_equal(left.predict_proba(X), right.predict_proba(X))
    assert_array_equal(left.estimator_weights_, right.estimator_weights_)
    assert repr(left.terms(top=20)) == repr(right.terms(top=20))
    few = X.iloc[::40]
    assert_array_equal(
        shapley_values(left, few).values, shapley_values(right, few).values
    )
    for name in ("intercept_", "feature_names_in_", "active_features_"):
        assert_array_equal(getattr(left, name), getattr(right, name))
    for one, other in zip(left.categories_, right.categories_):
        assert_array_equal(one, other)
        assert one.dtype == other.dtype
    pairs = [(left, right), *zip(left.estimators_, right.estimators_)]
    assert len(pairs) == len(left.estimators_) + 1 == len(right.estimators_) + 1
    for one, other in pairs:
        assert_array_equal(one.predict_proba(few), other.predict_proba(few))
        assert repr(one.discretizer_) == repr(other.discretizer_)
        if one.discretizer_ is not None:
            names = [each.discretizer_.feature_names_in_ for each in (one, other)]
            assert_array_equal(*names)
            labels = [each.discretizer_.interval_labels_ for each in (one, other)]
            assert str(labels[0]) == str(labels[1])


@pytest.mark.slow_beyond(5)
@pytest.mark.parametrize("through", [through_json, through_pickle])
@pytest.mark.parametrize("name", CASES)
def test_averages_come_back(name, through):
    """Also after further training, which is the same."""
    clf, X, y = fitted(name)
    clf = through_pickle(clf)
    new, labels = X.iloc[::3].copy(), y[::3]
    new.iloc[0, 0] = 5.05
    if "word" in new:
        new.iloc[1, -1] = "unseen"
    again = through(clf)
    for _ in range(2):
        assert_equal(clf, again, new)
        clf.partial_fit(new, labels)
        again.partial_fit(new, labels)
    assert_equal(clf, through(clf), new)


def test_averages_in_pipelines_come_back():
    X, y = table(words=True)
    cuts = ClassEntropyDiscretizer(columns=["petal width (cm)"])
    pipeline = make_pipeline(
        cuts.set_output(transform="pandas"), DNFWinnowClassifier(random_state=0)
    ).fit(X, y)
    assert len(pipeline[-1].estimators_) > 1
    again = through_json(pipeline)
    assert_array_equal(again.predict_proba(X), pipeline.predict_proba(X))


def test_each_model_has_a_file_of_its_own():
    """As before there were averages."""
    clf, X, _ = fitted("iris")
    for one in clf.estimators_:
        model = json.loads(to_json(one))["estimator"]["fitted"]["_model"]
        assert set(model) == {"encoding", "stored", "weighting", "record"}
        assert_array_equal(through_json(one).predict_proba(X), one.predict_proba(X))


def test_files_without_the_number_of_models_are_read():
    """Earlier versions wrote them."""
    X, y = table()
    clf = DNFWinnowClassifier(n_estimators=1, cv=None, random_state=0).fit(X, y)
    said = json.loads(to_json(clf))
    del said["estimator"]["parameters"]["n_estimators"]
    again = from_json(json.dumps(said))
    assert again.n_estimators == "auto"
    assert_array_equal(again.predict_proba(X), clf.predict_proba(X))


# -- hostile texts ---------------------------------------------------------------------


def average():
    """A stored average, and its fitted part."""
    said = json.loads(stored_models()["average"][0])
    return said, said["estimator"]["fitted"]["_model"]


def cut_of(node, column=2):
    return node["discretizer"]["fitted"]["columns"][column]


def encoding(found, k=1):
    return found["models"][k]["encoding"]


def of_background(**changes):
    return lambda found: found["background"].update(changes)


def with_models(change):
    return lambda found: found.update(models=change(found["models"]))


def weights(*values):
    return lambda found: found.update(weights=[*values])


def missing(*values):
    def change(found):
        for k, value in enumerate(values):
            encoding(found, k)["missing"] = value
            for column in encoding(found, k)["columns"]:
                n_known = len(column["values"]) if value == "most_frequent" else 0
                column["frequencies"] = [0.0] * (3 * (n_known + 1))

    return change


def without_cuts(*ks):
    """No cuts of models; of the average if it is -1."""

    def change(found):
        for k in ks:
            (found if k < 0 else encoding(found, k))["discretizer"] = None

    return change


def uncut(column, *ks):
    """A column that is not cut in some models; in the average if it is -1."""

    def change(found):
        for k in ks:
            node = found if k < 0 else encoding(found, k)
            node["discretizer"]["fitted"]["columns"][column] = None

    return change


def values_of_uncut(change_values):
    """Other values of a column that no model cuts."""

    def change(found):
        uncut(0, 0, 1, -1)(found)
        change_values(encoding(found)["columns"][0])

    return change


def more_columns(found):
    """A column that does not take part in one model."""
    encoding(found)["columns"].append(None)
    found["models"][1]["weighting"]["conditions"]["names"].append("e")


def more_points(found):
    """A cut point of no model."""
    cut = cut_of(found)
    cut["points"].append(1e6)
    for name in ("entropy_path", "representatives"):
        cut[name].append(None)
    cut["labels"].insert(1, "(1, 2]")


def other_point(found):
    """A cut point of a model that is not shared."""
    cut_of(encoding(found))["points"][-1] += 1e-9


def forbidden(found):
    found["models"][1]["weighting"]["conditions"]["features"] = [0]


HOSTILE = {
    "one model": (with_models(lambda models: models[:1]), "2 to 64 models; got 1"),
    "no model": (with_models(lambda models: []), "2 to 64 models; got 0"),
    "many models": (with_models(lambda models: models * 33), "2 to 64 models; got 66"),
    "no list": (with_models(lambda models: {}), "a list of .*models"),
    "an average within": (
        lambda found: with_models(lambda models: [found.copy(), models[0]])(found),
        r"models\[0\] to have the keys",
    ),
    "fewer weights": (weights(1.0), r"weights of shape \(2\)"),
    "weight of none": (weights(1.0, 0.0), "weights from 1e-100"),
    "negative weight": (weights(1.5, -0.5), "weights from 1e-100"),
    "sum of weights": (weights(0.5, 0.4), "weights with the sum 1; got 0.9"),
    "no number": (weights(0.5, None), "weights to be numbers"),
    "most frequent": (missing(*["most_frequent"] * 2), "not 'most_frequent'"),
    "missing": (missing("category", "unspecified"), "same treatment of missing"),
    "columns": (more_columns, "models with the same columns"),
    "no cuts of a model": (without_cuts(1), "models that cut the same columns; got 0"),
    "no shared cuts": (without_cuts(-1), "discretizers of all models"),
    "no cuts of models": (without_cuts(0, 1), "discretizers of all models"),
    "a cut column": (uncut(2, 1), "models that cut the same columns; got 2"),
    "a cut column of the average": (uncut(2, -1), "cuts the columns of the models"),
    "a cut column of the average only": (uncut(2, 0, 1), "the columns of the models"),
    "another value": (
        values_of_uncut(lambda column: column["values"].append(99.0)),
        "models with the same values of a column",
    ),
    "order of values": (
        values_of_uncut(lambda column: column["values"].reverse()),
        "models with the same values of a column",
    ),
    "no numbers": (
        values_of_uncut(lambda column: column.update(numeric=False)),
        "models with the same values of a column",
    ),
    "a point of no model": (more_points, "the cut points of all models, and no"),
    "a point of one model": (other_point, "the cut points of all models, and no"),
    "shared columns": (
        lambda found: found["discretizer"]["fitted"]["columns"].pop(),
        "cuts the columns of the models",
    ),
    "conditions": (forbidden, "models with the same conditions"),
    "code": (of_background(weights=[1.0], codes=[0, 0, 99, 0]), "codes from 0 to"),
    "code of its column": (
        lambda found: found["background"].update(
            weights=[1.0], codes=[1 + len(cut_of(found, j)["labels"]) for j in range(4)]
        ),
        "codes",
    ),
    "repeated rows": (
        of_background(weights=[1.0] * 2, codes=[0] * 8),
        "codes that are distinct",
    ),
    "no background": (of_background(weights=[], codes=[]), "1 to 256 rows"),
    "single model": (
        lambda found: found.update(found["models"][0]),
        "_model to have the keys models",
    ),
    "threshold": (
        lambda found: found["models"][0]["weighting"].update(log_threshold=1e300),
        "log_threshold from",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_read_is_checked(name):
    said, found = average()
    assert len(found["models"]) == 2
    change, message = HOSTILE[name]
    change(found)
    with pytest.raises(ValueError, match=f"^Expected .*{message}"):
        from_json(json.dumps(said))


def test_too_many_models_are_not_written():
    """They could not be read."""
    clf = from_json(stored_models()["average"][0])
    clf._model = replace(
        clf._model, models=clf._model.models * 33, weights=np.full(66, 1 / 66)
    )
    with pytest.raises(ValueError, match="Expected 2 to 64 models; got 66"):
        to_json(clf)


def test_each_model_counts():
    """The steps of scores are those of all models together."""
    text = stored_models()["average"][0]
    assert steps_of(text) > sum(map(steps_of, texts_of_models())) > 0


def steps_of(text):
    """The steps that reading a text takes from a budget."""
    low, high = 0.0, 1e10
    for _ in range(60):
        middle = (low + high) / 2
        try:
            from_json(text, max_steps=middle)
            high = middle
        except ValueError:
            low = middle
    return high


def texts_of_models():
    """The files of the models of an average."""
    clf = from_json(stored_models()["average"][0])
    return [to_json(one) for one in clf.estimators_]

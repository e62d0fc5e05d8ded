"""BayesianInteractionClassifier as JSON: alone, in pipelines, and of hostile texts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from internals.persistence import Array
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import BayesianInteractionClassifier, ClassEntropyDiscretizer
from sklearn_dnfwinnow.persistence import from_json, to_json

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def bayes(**options):
    """Return a classifier of short chains."""
    short = {"n_draws": 8, "burn_in": 8, "max_sweeps": 1, "n_chains": 2}
    short["random_state"] = 0
    return BayesianInteractionClassifier(**{**short, **options})


def table(n_classes=3, seed=0, n_rows=50):
    """Strings, measurements, booleans and gaps."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "word": rng.choice(["x", "y", 'q"uote\n'], n_rows),
            "real": rng.normal(size=n_rows).round(2),
            "flag": rng.random(n_rows) < 0.5,
        }
    )
    frame = frame.astype(object).mask(rng.random(frame.shape) < 0.1, None)
    y = np.where(frame["word"] == "x", 0, rng.integers(0, n_classes, n_rows))
    return frame, np.array(["a", "b", "c"])[y]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"discretizer": ClassEntropyDiscretizer(max_intervals=3), "scale": 2},
        {"discretizer": None, "interactions": "nested", "prior": "normal"},
        {"max_order": 0, "hyperprior": "log_normal", "random_state": None},
        {"missing": "category", "class_weight": {"a": 2.5}, "max_sweeps": np.int64(2)},
        {"missing": "most_frequent", "sampler": "slice", "max_order": 3},
    ],
)
def test_classifiers_come_back(options, n_classes):
    """The same attributes and predictions, to the last bit."""
    X, y = table(n_classes)
    clf = bayes(**options).fit(X, y, sample_weight=np.linspace(0, 2, len(y)))
    text = to_json(clf)
    again = from_json(text)
    assert to_json(again) == text
    new, _ = table(seed=1)
    new.iloc[0, 0] = "unseen"
    assert_array_equal(again.sample_proba(new), clf.sample_proba(new))
    assert_array_equal(again.predict(new), clf.predict(new))
    assert vars(again).keys() == vars(clf).keys()
    for name in ("max_order_", "missing_", "n_groups_", "n_terms_"):
        assert getattr(again, name) == getattr(clf, name)
    for name in ("classes_", "feature_names_in_", "group_sizes_", "group_orders_"):
        assert_array_equal(getattr(again, name), getattr(clf, name))
    for name in ("draws_", "r_hat_", "ess_"):
        for key, values in getattr(clf, name).items():
            found = getattr(again, name)[key]
            assert_array_equal(found, values)
            assert found.dtype == values.dtype


def test_what_was_learned_is_kept_whatever_the_parameters_are_now():
    X, y = table()
    clf = bayes(interactions="nested", prior="normal", missing="category").fit(X, y)
    clf.set_params(interactions="all", prior="cauchy", missing="unspecified")
    again = from_json(to_json(clf))
    assert again.get_params()["interactions"] == "all"
    assert_array_equal(again.sample_proba(X), clf.sample_proba(X))


def test_in_pipelines():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(ClassEntropyDiscretizer(), bayes(max_order=1)).fit(X, y)
    again = from_json(to_json(pipeline))
    assert_array_equal(again.predict_proba(X), pipeline.predict_proba(X))


def test_texts_are_little_more_than_draws():
    X, y = table()
    clf = bayes(n_draws=100).fit(X, y)
    assert len(to_json(clf)) < 1.5 * clf.draws_["sums"].nbytes + 20_000


# -- hostile texts ---------------------------------------------------------------------


def changed(array, place=0, value=None):
    """An array that was written, with one number changed, or another shape."""
    array = np.array(array)
    if value is not None:
        array.flat[place] = value
    return plain(array)


def plain(array):
    """An array as it is written."""
    return Array(array.dtype.str, ()).write(array, "")


CHANGES = {
    "weight": lambda f, m: {"class_weights": changed(m.class_weights, 0, -0.5)},
    "no weight": lambda f, m: {"class_weights": changed(0 * m.class_weights)},
    "huge weight": lambda f, m: {"class_weights": changed(m.class_weights, 0, 1e308)},
    "nan": lambda f, m: {"class_weights": changed(m.class_weights, 0, np.nan)},
    "fewer classes": lambda f, m: {"class_weights": changed(m.class_weights[:, 1:])},
    "literals": lambda f, m: {"encoding": {**f["encoding"], "literals": "ordered"}},
    "missing": lambda f, m: {"encoding": {**f["encoding"], "missing": "auto"}},
    "seed": lambda f, m: {"seed": 2**31},
    "negative seed": lambda f, m: {"seed": -1},
    "more": lambda f, m: {"more": 1},
}
OF_GROUPS = {
    "code": lambda g: {"rows": changed(g.rows, -1, 99)},
    "negative code": lambda g: {"rows": changed(g.rows, 0, -1)},
    "unsorted": lambda g: {"rows": changed(g.rows[::-1])},
    "repeated": lambda g: {"rows": changed(g.rows[[0, *range(len(g.rows) - 1)]])},
    "no rows": lambda g: {"rows": changed(g.rows[:0])},
    "fewer rows": lambda g: {"rows": changed(g.rows[1:])},
    "other type": lambda g: {"rows": changed(g.rows.astype(np.int64))},
    "other terms": lambda g: {"interactions": "nested"},
}
OF_PRIOR = {
    "order": lambda p: {"scales": changed(np.append(p.scales, 1.0))},
    "other order": lambda p: {"scales": changed(p.scales[:-1])},
    "no order": lambda p: {"scales": changed(p.scales[:0])},
    "scale": lambda p: {"scales": changed(p.scales, 0, -1.0)},
    "huge scale": lambda p: {"scales": changed(p.scales, 1, 1e200)},
    "law": lambda p: {"family": "laplace"},
    "hyperprior": lambda p: {"hyperprior": ["log_normal"]},
    "shape": lambda p: {"shape": 0.0},
    "type of shape": lambda p: {"shape": True},
    "learned": lambda p: {"first": True},
    "not learned": lambda p: {"first": 2},
}
OF_CLASSES = {
    "one class": {"kind": "U", "values": ["a"]},
    "classes": {"kind": "U", "values": ["a", "b"]},
}
OF_DRAWS = {
    "groups": lambda d: {"sums": changed(d.sums[:, :, 1:])},
    "more groups": lambda d: {"sums": changed(np.repeat(d.sums, 2, axis=2))},
    "no groups": lambda d: {"sums": changed(d.sums[:, :, :0])},
    "sets": lambda d: {"sums": changed(d.sums[..., 1:])},
    "chains": lambda d: {"sums": changed(d.sums[:0])},
    "draws": lambda d: {"sums": changed(d.sums[:, 1:])},
    "infinite": lambda d: {"sums": changed(d.sums, -1, np.inf)},
    "widths": lambda d: {"log_sigma": changed(d.log_sigma, -1, 800.0)},
    "intercept": lambda d: {"log_sigma": changed(d.log_sigma, 0, 3.0)},
    "likelihood": lambda d: {"log_likelihood": changed(d.log_likelihood, 0, np.nan)},
    "few": lambda d: {
        "sums": changed(d.sums[:, :3]),
        "log_sigma": changed(d.log_sigma[:, :3]),
        "log_likelihood": changed(d.log_likelihood[:, :3]),
    },
    "none": lambda d: {"sums": None},
}


@pytest.fixture(scope="module")
def classifier():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bayes(n_draws=4).fit(*table(n_rows=20))


@pytest.mark.parametrize(
    "name", [*CHANGES, *OF_DRAWS, *OF_GROUPS, *OF_PRIOR, *OF_CLASSES]
)
def test_what_is_read_is_checked(classifier, name):
    state = json.loads(to_json(classifier))
    from_json(json.dumps(state))
    fitted, model = state["estimator"]["fitted"], classifier._model
    parts = fitted["_model"]
    if name in CHANGES:
        parts.update(CHANGES[name](parts, model))
    elif name in OF_CLASSES:
        fitted["classes_"] = OF_CLASSES[name]
    else:
        for part, changes in (
            ("draws", OF_DRAWS),
            ("groups", OF_GROUPS),
            ("prior", OF_PRIOR),
        ):
            if name in changes:
                parts[part].update(changes[name](getattr(model, part)))
    with pytest.raises(ValueError, match="Expected"):
        from_json(json.dumps(state))


def test_groups_take_no_more_than_their_draws():
    """A short text of a table with very many groups is refused at once."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (40, 40)), rng.integers(0, 2, 40)
    clf = bayes(max_order=1, n_draws=4, n_chains=1).fit(X, y)
    state = json.loads(to_json(clf))
    order, model = 20, state["estimator"]["fitted"]["_model"]
    model["prior"]["scales"] = plain(np.ones(order + 1))
    model["draws"]["log_sigma"] = plain(np.zeros((1, 4, order + 1)))
    with pytest.raises(ValueError, match="Expected draws of all groups"):
        from_json(json.dumps(state))

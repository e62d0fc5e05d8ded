"""Other packages: one test each of what the page of integrations says of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

import numpy as np
import pytest
from fitted_state import assert_same_state
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFClassifier,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.datasets import load_breast_cancer_ljubljana
from sklearn_dnfwinnow.samplers import Gibbs

pandas = pytest.importorskip("pandas")
FEW_DRAWS = {"n_draws": 10, "burn_in": 10, "max_sweeps": 1, "random_state": 0}
QUICK = {"cv": None, "max_iter": 5, "random_state": 0}


def small_table(n_samples=200):
    """Numbers and categories, and a class that depends on one of each."""
    random = np.random.RandomState(0)
    X = pandas.DataFrame(
        {
            "size": random.normal(size=n_samples).round(2),
            "kind": random.choice(list("abc"), size=n_samples),
            "noise": random.choice(list("xyz"), size=n_samples),
        }
    )
    return X, ((X["size"] > 0) & (X["kind"] != "a")).astype(int)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_shap():
    """Shapley values of probabilities and scores add up to them."""
    shap = pytest.importorskip("shap")
    X, y = load_iris(return_X_y=True)
    clf = DNFWinnowClassifier(**QUICK).fit(X, y)
    some = X[::30]
    explainer = shap.KernelExplainer(clf.predict_proba, X[::15], silent=True)
    values = explainer.shap_values(some)
    assert values.shape == (5, 4, 3)
    assert_allclose(
        values.sum(axis=1) + explainer.expected_value, clf.predict_proba(some)
    )
    # Categories are numbered; the function gives them their names back.
    X, y = small_table()
    clf = DNFWinnowClassifier(**QUICK).fit(X, y)
    kinds = [sorted(set(X[name])) for name in ("kind", "noise")]

    def scores(numbers):
        columns = [np.take(k, c.astype(int)) for k, c in zip(kinds, numbers.T[1:])]
        frame = {"size": numbers[:, 0], "kind": columns[0], "noise": columns[1]}
        return clf.decision_function(pandas.DataFrame(frame))

    codes = [np.searchsorted(k, X[c]) for k, c in zip(kinds, ("kind", "noise"))]
    numbers = np.column_stack([X["size"], *codes])
    found = shap.Explainer(scores, numbers[:20])(numbers[:10])
    assert_allclose(found.values.sum(axis=1) + found.base_values, scores(numbers[:10]))
    shares = np.abs(found.values).mean(axis=0)
    assert shares[2] < min(shares[:2])


@pytest.mark.filterwarnings("ignore")
def test_fairlearn():
    """A reduction learns by weights of rows, and evens out the rates of groups."""
    reductions = pytest.importorskip("fairlearn.reductions")
    metrics = pytest.importorskip("fairlearn.metrics")
    random = np.random.RandomState(0)
    group = random.choice(["p", "q"], size=400)
    X = pandas.DataFrame(
        {
            "group": group,
            "skill": random.choice(list("abcd"), size=400),
            "noise": random.choice(list("xyz"), size=400),
        }
    )
    y = ((X["skill"] > "b") ^ ((group == "p") & (random.rand(400) < 0.4))).astype(int)
    y = np.where((group == "q") & (random.rand(400) < 0.5), 0, y)
    clf = DNFWinnowClassifier(**QUICK)

    def difference(predicted):
        return metrics.demographic_parity_difference(
            y, predicted, sensitive_features=group
        )

    fair = reductions.ExponentiatedGradient(
        clf, reductions.DemographicParity(), max_iter=10
    ).fit(X, y, sensitive_features=group)
    plain = difference(clf.fit(X, y).predict(X))
    assert difference(fair.predict(X, random_state=0)) < plain - 0.1


@pytest.mark.filterwarnings("ignore")
def test_optuna():
    """A search of scikit-learn's kind."""
    optuna = pytest.importorskip("optuna")
    integration = pytest.importorskip("optuna_integration")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    X, y = load_breast_cancer_ljubljana(return_X_y=True, as_frame=True)
    search = integration.OptunaSearchCV(
        DNFWinnowClassifier(**QUICK),
        {
            "alpha": optuna.distributions.FloatDistribution(1.01, 2.0, log=True),
            "literals": optuna.distributions.CategoricalDistribution(
                ["equal", "ordered"]
            ),
        },
        cv=3,
        n_trials=5,
        random_state=0,
    ).fit(X, y)
    assert 1.01 <= search.best_params_["alpha"] <= 2
    assert search.best_score_ > 0.6
    assert_array_equal(search.predict(X), search.best_estimator_.predict(X))


@pytest.mark.filterwarnings("ignore")
def test_dice():
    """Its counterfactuals turn our predictions; ours change no more features."""
    dice = pytest.importorskip("dice_ml")
    X, y = small_table()
    clf = DNFWinnowClassifier(**QUICK).fit(X, y)
    data = dice.Data(
        dataframe=X.assign(y=y), continuous_features=["size"], outcome_name="y"
    )
    model = dice.Model(model=clf, backend="sklearn")
    explainer = dice.Dice(data, model, method="random")
    rows = X[:3]
    found = explainer.generate_counterfactuals(
        rows, total_CFs=2, desired_class="opposite", random_seed=0, verbose=False
    )
    before = clf.predict(rows)
    ours = clf.counterfactuals(rows, n=1)
    for i, example in enumerate(found.cf_examples_list):
        after = example.final_cfs_df[X.columns]
        assert (clf.predict(after) != before[i]).all()
        changed = (after.to_numpy() != rows.to_numpy()[i]).sum(axis=1)
        assert ours[i][0].cost <= changed.min()


def dumped_by(io, model):
    """Return the dump of a model by skops, and the types to be trusted."""
    dumped = io.dumps(model)
    types = io.get_untrusted_types(data=dumped)
    assert all(name.startswith("sklearn_dnfwinnow.") for name in types)
    page = Path(__file__).parents[2] / "doc" / "guide" / "deploy.rst"
    named = re.findall(r"`(\w+)`", page.read_text(encoding="utf-8"))
    assert {name.split(".")[-1] for name in types} <= {*named}
    return dumped, types


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["cloudpickle", "skops"])
def test_mlflow(tmp_path, kind):
    """A model that is saved and loaded predicts the same bits."""
    flavour = pytest.importorskip("mlflow.sklearn")
    pytest.importorskip(kind)
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(ClassEntropyDiscretizer(), DNFWinnowClassifier(**QUICK))
    pipeline.fit(X, y)
    path, options = str(tmp_path / "model"), {"serialization_format": kind}
    if kind == "skops":
        _, types = dumped_by(pytest.importorskip("skops.io"), pipeline)
        options["skops_trusted_types"] = types
    # Without requirements, it would look for those of all that is imported.
    flavour.save_model(pipeline, path, pip_requirements=["scikit-learn"], **options)
    loaded = flavour.load_model(path)
    assert_array_equal(loaded.predict_proba(X), pipeline.predict_proba(X))


SKOPS = {
    "single": DNFWinnowClassifier(n_estimators=1, random_state=0),
    "average": DNFWinnowClassifier(n_estimators=3, random_state=0),
    "sampler": DNFWinnowClassifier(
        **{**QUICK, "max_iter": 1}, sampler=Gibbs(n_steps=20)
    ),
    "monotone": DNFWinnowClassifier(**QUICK, monotonic_cst={0: {0: 1}}),
    "bayesian": BayesianInteractionClassifier(max_order=1, **FEW_DRAWS),
    "nested": BayesianInteractionClassifier(
        interactions="nested", max_order=2, **FEW_DRAWS
    ),
    "rules": DNFClassifier(random_state=0),
    "pipeline": make_pipeline(
        StandardScaler(), ClassEntropyDiscretizer(), DNFWinnowClassifier(**QUICK)
    ),
}


@pytest.mark.parametrize("name", SKOPS)
@pytest.mark.filterwarnings("ignore")
def test_skops(name):
    """Models are equal, and go on training alike; only types of this package count."""
    io = pytest.importorskip("skops.io")
    X, y = load_iris(return_X_y=True)
    model = SKOPS[name].fit(X[::3], y[::3])
    dumped, types = dumped_by(io, model)
    with pytest.raises(io.exceptions.UntrustedTypesFoundException):
        io.loads(dumped, trusted=types[1:])
    loaded = io.loads(dumped, trusted=types)
    assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    if name in ("rules", "bayesian", "nested", "pipeline"):
        return
    for one in (model, loaded):
        one.partial_fit(X, y)
    assert_same_state(loaded, model)

"""Counterfactuals: they turn predictions, and an exhaustive search finds no cheaper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from reference import minimal_flips
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_car, load_monks, load_tic_tac_toe, make_dnf
from sklearn_dnfwinnow.inspection import counterfactuals
from sklearn_dnfwinnow.samplers import Frontier

PLAIN = {"cv": None, "max_iter": 3, "random_state": 0}


def check(estimator, row, expected, n=3, weights=None, **options):
    """Compare what is found for one row with all that there is."""
    (found,) = counterfactuals(estimator, [row], n=n, weights=weights, **options)
    costs = np.ones(len(row)) if weights is None else np.array(weights)
    every = sorted(costs[list(columns)].sum() for columns in expected)
    assert_allclose([one.cost for one in found], every[:n])
    assert bool(found.note) == (len(every) < n)
    sets = [tuple(int(f[1:]) for f in one.features) for one in found]
    assert len({*sets}) == len(sets)
    for one, columns in zip(found, sets):
        changed = list(row)
        for column, change in zip(columns, one.changes):
            assert change.old == row[column]
            changed[column] = change.new
        assert changed in expected[columns]
        assert one.exact
        assert estimator.predict([changed]) == one.prediction
        scores = estimator.log_weighted_sums([changed])[0]
        assert_allclose(one.scores, scores)
        assert_allclose(one.probabilities, estimator.predict_proba([changed])[0])
        if not isinstance(row[0], str):
            continue  # the nearest numbers come first
        # None with these columns is more certain.
        ends = np.sort(scores)[-2:]
        rivals = np.sort(estimator.log_weighted_sums(expected[columns]))[:, -2:]
        assert np.diff(ends) >= np.diff(rivals).max() - 1e-9


def trained(seed, n_classes=2, values=tuple("abc"), **options):
    random = np.random.RandomState(seed)
    X = random.choice(values, size=(60, 4)).astype(object)
    y = random.randint(n_classes, size=60)
    clf = DNFWinnowClassifier(**PLAIN, **options).fit(X, y)
    return clf, X, [list(values)] * 4


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("literals", ["equal", "ordered", "intervals"])
def test_as_an_exhaustive_search(n_classes, literals, global_random_seed):
    values = (1.0, 2.0, 4.0, 5.0) if literals == "intervals" else tuple("abc")
    clf, X, choices = trained(global_random_seed, n_classes, values, literals=literals)
    for row in X[:8].tolist():
        check(clf, row, minimal_flips(clf, row, choices))
        check(clf, row, minimal_flips(clf, row, choices), n=1)
        check(clf, row, minimal_flips(clf, row, choices), n=99)


def test_a_class_of_three(global_random_seed):
    clf, X, choices = trained(global_random_seed, n_classes=3)
    predicted = clf.predict(X[:6])
    for row, before in zip(X[:6].tolist(), predicted):
        for class_ in {0, 1, 2} - {before}:
            expected = minimal_flips(clf, row, choices, class_=class_)
            check(clf, row, expected, class_of_interest=class_)
    for found in clf.counterfactuals(X[:6], class_of_interest=predicted[0]):
        if found.prediction == predicted[0]:
            assert len(found) == 0 and "already is" in found.note
        else:
            assert {one.prediction for one in found} <= {predicted[0]}


@pytest.mark.parametrize("weights", [[1, 2, 3, 4], [0.1, 0.2, 0.3, 0.7], [5, 1, 1, 1]])
def test_weights(weights, global_random_seed):
    clf, X, choices = trained(global_random_seed)
    for row in X[:8].tolist():
        check(clf, row, minimal_flips(clf, row, choices), weights=weights)
    by_name = dict(zip(("x0", "x3"), (weights[0], weights[3])))
    as_list = [weights[0], 1, 1, weights[3]]
    assert str(clf.counterfactuals(X[:1], weights=by_name)[0]) == str(
        clf.counterfactuals(X[:1], weights=as_list)[0]
    )


def test_fixed_features_and_few_changes(global_random_seed):
    clf, X, choices = trained(global_random_seed)
    for row in X[:8].tolist():
        expected = minimal_flips(clf, row, choices, fixed=(1, 2))
        check(clf, row, expected, fixed=["x1", 2])
        few = {c: rows for c, rows in minimal_flips(clf, row, choices).items()}
        few = {c: rows for c, rows in few.items() if len(c) == 1}
        check(clf, row, few, max_changes=1)


def test_what_cannot_be_reached():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    X = X.to_numpy()
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    row = X[(X[:, 0] == X[:, 1]) & (X[:, 4] != X[0, 0])][:1]
    assert clf.predict(row) == ["1"]
    (found,) = clf.counterfactuals(row, fixed=["x0", "x1"])
    assert len(found) == 0 and found.to_frame().shape == (1, 6)
    assert found.note == "no change of the features that can change gives another class"
    (found,) = clf.counterfactuals(row, fixed=range(6), class_of_interest="0")
    assert found.note == "no change of the features that can change gives 0"


def test_ties_are_those_of_predictions():
    """Scores that are rounded alike tie, though their log W differ in a last bit."""
    X = [211, 212, 331, 101, 11, 212, 303, 222]
    X = np.array([[x // 100, x // 10 % 10, x % 10] for x in X], dtype=object)
    clf = DNFWinnowClassifier(
        literals="equal",
        discretizer=None,
        max_term_size=1,
        cv=None,
        max_iter=2,
        random_state=0,
    ).fit(X, [0, 1, 1, 1, 0, 0, 0, 1])
    row = np.array([[3, 3, 99]], dtype=object)
    tied = np.array([[0, 3, 99]], dtype=object)
    assert (clf.decision_function(tied) == 0).all()
    assert clf.predict(row) == [1] and clf.predict(tied) == [0]
    (found,) = clf.counterfactuals(row, n=9)
    assert ("x0",) in [one.features for one in found]
    for one in found:
        assert one.prediction == 0


def test_a_negative_control():
    """Changes of features that nothing was learned of turn no prediction."""
    X, y = load_tic_tac_toe(return_X_y=True)
    noise = np.random.RandomState(0).choice(list("xyz"), size=(len(X), 2))
    both = np.hstack([X.astype(object), noise])
    clf = DNFWinnowClassifier(random_state=0).fit(both, y)
    for found in clf.counterfactuals(both[:20], n=2):
        assert len(found) == 2
        for one in found:
            assert not {"x9", "x10"} & {*one.features}


def test_games_are_turned_by_a_square():
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    all_found = clf.counterfactuals(X[:20])
    for found in all_found:
        frame = found.to_frame()
        assert list(frame.columns) == list(X.columns)
        assert_array_equal(frame.iloc[0], X.iloc[found.row])
        assert clf.predict(frame[:1]) == [found.prediction]
        assert_array_equal(clf.predict(frame[1:]), [one.prediction for one in found])
        changed = (frame[1:] != frame.iloc[0]).sum(axis=1)
        assert_array_equal(changed, [one.cost for one in found])
    assert [found.row for found in all_found] == list(range(20))


def test_numbers_go_to_the_next_interval(global_random_seed):
    X, y = load_iris(return_X_y=True)
    clf = DNFWinnowClassifier(random_state=global_random_seed).fit(X, y)
    cuts = clf.discretizer_.cut_points_
    turned = 0
    for found in clf.counterfactuals(X[::5]):
        row = X[::5][found.row]
        for one in found:
            changed = row.copy()
            for change in one.changes:
                j = int(change.feature[1:])
                assert change.old == row[j]
                changed[j] = change.new
                # Not far from the end that is next to the old value.
                ends = np.array([-np.inf, *cuts[j], np.inf])
                place = np.searchsorted(cuts[j], change.new)
                low, high = ends[place], ends[place + 1]
                assert low < change.new <= high
                end = high if row[j] > high else low
                assert abs(change.new - end) <= 0.1 * max(1, min(high - low, 10))
            assert clf.predict([changed]) == [one.prediction]
            turned += 1
    assert turned > 60


def test_fewest_intervals_of_those_that_do():
    X = np.repeat(np.arange(50.0), 4)[:, None]
    y = (X[:, 0] > 24).astype(int)
    discretizer = ClassEntropyDiscretizer(max_intervals=5, selection="max")
    clf = DNFWinnowClassifier(**PLAIN, discretizer=discretizer)
    y[::17] ^= 1
    clf.fit(X, y)
    (cuts,) = clf.discretizer_.cut_points_
    every = clf.predict([*cuts[:, None], [49.0]])
    for found in clf.counterfactuals([[0.0], [49.0]]):
        (one,) = found
        start = np.searchsorted(cuts, found.values["x0"])
        flips = np.flatnonzero(every != found.prediction)
        nearest = np.abs(flips - start).min()
        assert abs(np.searchsorted(cuts, one.changes[0].new) - start) == nearest


@pytest.mark.filterwarnings("ignore:Columns with more than 32")
def test_integers_stay_integers():
    pandas = pytest.importorskip("pandas")
    ages = np.arange(18, 80)
    frame = pandas.DataFrame({"age": ages, "who": np.where(ages % 2, "a", "b")})
    y = np.where(ages > 40, "old", "young")
    clf = DNFWinnowClassifier(**PLAIN).fit(frame, y)
    up, down = clf.counterfactuals(frame.iloc[[0, -1]], n=1)
    assert (up[0].changes[0].new, down[0].changes[0].new) == (41, 40)
    assert type(up[0].changes[0].new) is int
    assert str(up[0].changes[0]) == "age > 40.5 (was 18)"
    assert up.to_frame()["age"].tolist() == [18, 41]


def test_missing_values_may_be_filled_but_none_is_made():
    X, y = make_dnf(300, 4, n_values=3, random_state=0)
    X = X.astype(object)
    X[np.random.RandomState(0).rand(300, 4) < 0.2] = None
    clf = DNFWinnowClassifier(**PLAIN, missing="category").fit(X, y)
    changes = [
        change
        for found in clf.counterfactuals(X[:40])
        for one in found
        for change in one.changes
    ]
    assert all(change.new is not None for change in changes)
    filled = [change for change in changes if change.old is None]
    assert filled and str(filled[0]).endswith(" (was missing)")


@pytest.mark.parametrize("container", ["pandas", "polars", "array", "list"])
def test_any_container(container):
    pandas = pytest.importorskip("pandas")
    random = np.random.RandomState(0)
    frame = pandas.DataFrame(
        {
            "size": random.normal(size=80),
            "count": random.randint(30, size=80),
            "kind": random.choice(list("abc"), size=80),
            "flag": random.rand(80) < 0.5,
        }
    )
    y = (frame["size"] > 0.3) ^ (frame["kind"] == "a")
    if container == "pandas":
        frame["kind"] = frame["kind"].astype("category")
        X = frame
    elif container == "polars":
        X = pytest.importorskip("polars").DataFrame(frame.to_dict(orient="list"))
    else:
        X = frame.to_numpy(dtype=object)
        X = X.tolist() if container == "list" else X
    clf = DNFWinnowClassifier(**PLAIN).fit(X, y)
    for found in clf.counterfactuals(X[:10]):
        assert len(found)
        for one in found:
            rows = frame.iloc[[found.row]].astype(object)
            for change in one.changes:
                places = (
                    [*frame.columns]
                    if container in ("pandas", "polars")
                    else [f"x{j}" for j in range(4)]
                )
                rows.isetitem(places.index(change.feature), [change.new])
            rows = rows if container in ("pandas", "polars") else rows.to_numpy()
            assert clf.predict(rows) == [one.prediction]


def test_pipelines_in_the_units_of_the_table():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(StandardScaler(), DNFWinnowClassifier(**PLAIN)).fit(X, y)
    for found in counterfactuals(pipeline, X[::10]):
        assert found.transformed_by == () and len(found)
        frame = found.to_frame()
        assert_array_equal(
            pipeline.predict(frame), [found.prediction, *(o.prediction for o in found)]
        )


def test_one_hot_columns_change_together():
    pandas = pytest.importorskip("pandas")
    X, y = load_car(return_X_y=True, as_frame=True)
    some = np.random.RandomState(0).permutation(len(X))[:600]
    X, y = X.iloc[some], np.asarray(y)[some]
    encoder = make_column_transformer(
        (OneHotEncoder(sparse_output=False), list(X.columns))
    )
    pipeline = make_pipeline(encoder, DNFWinnowClassifier(**PLAIN, max_term_size=3))
    pipeline.fit(X, y)
    for found in counterfactuals(pipeline, X[:200:20]):
        assert found.transformed_by == () and len(found)
        frame = found.to_frame()
        assert {*found.values} == {*X.columns}
        assert_array_equal(pipeline.predict(frame[1:]), [o.prediction for o in found])
        expected = minimal_flips(
            _Framed(pipeline, X.columns),
            X.iloc[20 * found.row].tolist(),
            [sorted(set(X[c])) for c in X],
        )
        costs = sorted(map(len, expected))[:3]
        assert [one.cost for one in found] == costs
    assert isinstance(frame, pandas.DataFrame)


@pytest.mark.parametrize("encode", ["ordinal", "onehot-dense"])
def test_bins_of_other_discretizers(encode):
    X, y = load_iris(return_X_y=True)
    bins = KBinsDiscretizer(4, encode=encode, quantile_method="averaged_inverted_cdf")
    clf = DNFWinnowClassifier(**PLAIN, max_term_size=2)
    pipeline = make_pipeline(bins, clf).fit(X, y)
    middles = [(edges[1:] + edges[:-1]) / 2 for edges in bins.bin_edges_]
    for found in counterfactuals(pipeline, X[::15], n=2):
        assert found.transformed_by == () and len(found) == 2
        before, *after = pipeline.predict(found.to_frame().to_numpy())
        assert before == found.prediction
        assert after == [one.prediction for one in found]
        # A bin is as good as its middle.
        row = X[15 * found.row]
        places = [
            np.searchsorted(e[1:-1], v, "right") for e, v in zip(bins.bin_edges_, row)
        ]
        row = [float(m[place]) for m, place in zip(middles, places)]
        expected = minimal_flips(pipeline, row, [m.tolist() for m in middles])
        assert [one.cost for one in found] == sorted(map(len, expected))[:2]


@pytest.mark.filterwarnings("ignore:Columns with more than 32")
@pytest.mark.parametrize("dtype", ["float32", "Float64", "float16", "int8", "category"])
def test_cells_that_a_dtype_does_not_hold(dtype):
    """The table has few values; those of training are tried all the same."""
    pandas = pytest.importorskip("pandas")
    ages = np.arange(18, 80) if dtype in ("int8", "category") else np.linspace(0, 1, 62)
    kinds = np.where(np.arange(62) % 2, "a", "b")
    frame = pandas.DataFrame({"age": ages, "kind": kinds})
    y = ages > np.median(ages)
    clf = DNFWinnowClassifier(**PLAIN, discretizer=ClassEntropyDiscretizer())
    clf.fit(frame, y)
    row = frame[:1].copy()
    if dtype == "category":
        y = kinds == "a"
        clf.fit(frame, y)
        row["kind"] = row["kind"].astype("category")
    else:
        row["age"] = row["age"].astype(dtype)
    (found,) = clf.counterfactuals(row, n=1)
    assert clf.predict(found.to_frame()[1:]) == [found[0].prediction] == [True]


class _Framed:
    """A pipeline that takes arrays for data frames."""

    def __init__(self, pipeline, columns):
        self.pipeline, self.columns = pipeline, columns

    def predict(self, rows):
        import pandas

        return self.pipeline.predict(pandas.DataFrame(rows, columns=self.columns))


def test_what_cannot_be_inverted():
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(PCA(2), DNFWinnowClassifier(**PLAIN)).fit(X, y)
    for found in counterfactuals(pipeline, X[::30]):
        assert found.transformed_by == ("PCA",) and "by PCA" in str(found)
        after = found.to_frame().to_numpy()
        assert_array_equal(
            pipeline[-1].predict(after[1:]), [one.prediction for one in found]
        )


def test_given_up_searches_are_said_to_be():
    X, y = make_dnf(200, 12, n_values=3, random_state=0)
    clf = DNFWinnowClassifier(**PLAIN, max_term_size=2).fit(X, y)
    exact = clf.counterfactuals(X, n=1)
    X = X[[found[0].cost > 1 for found in exact]][:5]
    with pytest.warns(ConvergenceWarning, match="stopped early for 5 of 5 samples"):
        hasty = clf.counterfactuals(X, max_work=120)
    exact = clf.counterfactuals(X, n=1)
    for quick, best in zip(hasty, exact):
        assert len(quick) == 1 and not quick[0].exact and best[0].exact
        assert quick[0].cost >= best[0].cost
        assert "stopped early at cost 2" in quick.note
        row = X[quick.row].copy()
        for change in quick[0].changes:
            row[int(change.feature[1:])] = change.new
        assert clf.predict([row]) == [quick[0].prediction] != [quick.prediction]
        # Nothing is changed in vain.
        for change in quick[0].changes:
            less = row.copy()
            less[int(change.feature[1:])] = change.old
            assert clf.predict([less]) == [quick.prediction]


def test_the_greedy_search_is_bounded_too():
    """Its first step tries two other values of each of 12 columns."""
    X, y = make_dnf(200, 12, n_values=3, random_state=0)
    clf = DNFWinnowClassifier(**PLAIN, max_term_size=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="stopped early for 1 of 1 samples"):
        (found,) = clf.counterfactuals(X[:1], max_work=23)
    assert not len(found) and "max_work=23 changes" in found.note


def test_estimates_are_never_called_exact():
    X = np.random.RandomState(5).randint(2, size=(60, 40)).astype(str)
    options = {**PLAIN, "max_term_size": None, "literal_weight": 0.1}
    clf = DNFWinnowClassifier(**options, sampler=Frontier(max_states=30))
    clf.fit(X, X[:, 0])
    (found,) = clf.counterfactuals(X[:1], n=1, fixed=range(3, 40))
    (one,) = found
    assert one.std_errors.any() and not one.exact


def test_text_and_html():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    X = X.rename(columns={"a1": "<b>"})
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    (found,) = clf.counterfactuals(X[:1], fixed=["a2"])
    assert repr(found) == "Counterfactuals(row=0, prediction='1', 1 found)"
    assert "  1. 0 (p > 0.99), cost 1\n       <b> = 2 (was 1)\n" in str(found)
    html = found._repr_html_()
    assert "&lt;b&gt; = 2 (was 1)" in html and "<b> =" not in html
    assert list(found) == [found[0]] and found[:1] == (found[0],)


def test_what_is_refused():
    clf, X, _ = trained(0)
    with pytest.raises(ValueError, match="Unknown feature 'x9'"):
        clf.counterfactuals(X[:1], fixed=["x9"])
    with pytest.raises(ValueError, match="class_of_interest must be one of"):
        clf.counterfactuals(X[:1], class_of_interest=7)
    for weight in (0, -1, np.inf, np.nan, "heavy"):
        with pytest.raises(ValueError, match="weight of feature 'x1'"):
            clf.counterfactuals(X[:1], weights={"x1": weight})
    with pytest.raises(ValueError, match="weights must have 4 values; got 2"):
        clf.counterfactuals(X[:1], weights=[1, 2])
    with pytest.raises(ValueError, match="'n'"):
        clf.counterfactuals(X[:1], n=0)


# -- proposals that a pipeline refuses -------------------------------------------------


FUNCTIONS = np.log1p, np.log, np.log2, np.log10, np.sqrt


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_proposals_are_in_the_domain_of_a_function(function):
    # Small values are of class 1: below the domain, the nearest one is its beginning.
    low = -1.0 if function is np.log1p else 0.0
    X = np.random.default_rng(0).uniform(low + 0.1, low + 5, (200, 2))
    y = (X[:, 0] < low + 0.5).astype(int)
    cut = ClassEntropyDiscretizer(max_intervals=3)
    model = make_pipeline(
        FunctionTransformer(function), cut, DNFWinnowClassifier(**PLAIN)
    ).fit(X, y)
    samples = np.array(
        [[low - 3, low + 1.0], [np.nan, low + 1.0], [low + 4, low + 1.0]]
    )
    with np.errstate(all="ignore"):
        found = counterfactuals(model, samples)
        assert any(map(len, found))
        for sample, answer in zip(samples, found):
            for one in answer:
                changed = sample.copy()
                for change in one.changes:
                    changed[int(change.feature[1:])] = change.new
                assert model.predict(changed[None]) == [one.prediction]


def test_proposals_are_at_either_end_of_a_domain():
    # arctanh is infinite at -1 and at 1.
    X = np.random.default_rng(0).uniform(-0.9, 0.9, (200, 1))
    y = (abs(X[:, 0]) < 0.5).astype(int)
    step = FunctionTransformer(np.arctanh, np.tanh)
    model = make_pipeline(step, ClassEntropyDiscretizer(), DNFWinnowClassifier(**PLAIN))
    (found,) = counterfactuals(model.fit(X, y), [[0.1]])
    for one in found:
        assert model.predict([[change.new for change in one.changes]]) == [0]
    assert len(found)


@pytest.mark.parametrize("frame", [False, True])
def test_fractions_among_integers_are_proposed_as_floats(frame):
    # A column of objects, which functions of NumPy refuse, would hold both.
    X = np.random.default_rng(0).integers(0, 9, (200, 2))
    X = pd.DataFrame(X, columns=["a", "b"]) if frame else X
    y = (np.asarray(X)[:, 0] > 3).astype(int)
    cut = ClassEntropyDiscretizer(max_intervals=2)
    model = make_pipeline(
        FunctionTransformer(np.sqrt), cut, DNFWinnowClassifier(**PLAIN)
    ).fit(X, y)
    (found,) = counterfactuals(model, X[np.asarray(X)[:, 0] == 0][:1])
    assert len(found)


def test_missing_values_of_a_frame_stay_as_they_are():
    """A pipeline would not know another missing value."""
    X = pd.DataFrame({"c": ["a", "b", np.nan] * 20, "d": ["u", "v"] * 30}, dtype=object)
    y = (X["d"] == "u").astype(int)
    pipeline = make_pipeline(OrdinalEncoder(), DNFWinnowClassifier(random_state=0))
    (found,) = counterfactuals(pipeline.fit(X, y), X[2:3], n=1)
    assert found.values["c"] is X["c"][2]
    assert pipeline.predict(found.to_frame()).tolist() == [1, 0]


def test_masked_values_stay_missing():
    X = np.ma.MaskedArray([[0.0, 1.0], [1.0, 1.0]] * 30, mask=[[0, 0], [0, 1]] * 30)
    clf = DNFWinnowClassifier(random_state=0).fit(X, [0, 1] * 30)
    (found,) = counterfactuals(clf, X[1:2], n=1)
    assert found.values == {"x0": 1.0, "x1": None}
    assert clf.predict(found.to_frame()).tolist() == [1, 0]


def test_costs_that_differ_less_than_rounding():
    X = np.random.RandomState(1).choice(["a", "b"], (60, 3)).astype(object)
    clf = DNFWinnowClassifier(random_state=0).fit(X, X[:, 0])
    weights = {"x0": 1.0, "x1": 1e-20, "x2": 1e-20}
    (found,) = counterfactuals(clf, X[:1], n=3, weights=weights)
    assert [one.features for one in found] == [("x0",)]

"""Counterfactuals: they turn predictions, and an exhaustive search finds no cheaper."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import product

import numpy as np
import pandas as pd
import pytest
from literal_checks import literal_of
from numpy.testing import assert_allclose, assert_array_equal
from reference import minimal_flips
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    KBinsDiscretizer,
    OneHotEncoder,
    OrdinalEncoder,
    StandardScaler,
)

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks, make_dnf
from sklearn_dnfwinnow.inspection import counterfactuals
from sklearn_dnfwinnow.samplers import Frontier

PLAIN = {"cv": None, "max_iter": 3, "random_state": 0}
BINS = KBinsDiscretizer(4, encode="onehot-dense", quantile_method="linear")


def check(estimator, row, expected, n=3, **options):
    """Compare what is found for one row with all that there is."""
    (found,) = counterfactuals(estimator, [row], n=n, **options)
    every = sorted(map(len, expected))
    assert_allclose([one.cost for one in found], every[:n])
    assert bool(found.note) == (len(every) < n)
    sets = [tuple(int(f[1:]) for f in one.features) for one in found]
    assert len({*sets}) == len(sets)
    for one, columns in zip(found, sets):
        changed = list(row)
        for column, change in zip(columns, one.changes):
            assert change.old == row[column]
            changed[column] = change.new
        assert one.exact and changed in expected[columns]
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
    for row in X[:4].tolist():
        expected = minimal_flips(clf, row, choices)
        for n in (1, 3, 99):
            check(clf, row, expected, n=n)


def test_what_cannot_be_reached():
    X, y = load_monks(1, return_X_y=True)
    X = X.to_numpy()
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    row = X[(X[:, 0] == X[:, 1]) & (X[:, 4] != X[0, 0])][:1]
    assert clf.predict(row) == ["1"]
    (found,) = clf.counterfactuals(row, fixed=["x0", "x1"])
    assert len(found) == 0 and found.to_frame().shape == (1, 6)
    assert found.note == "no change of the columns that can change gives another class"
    (found,) = clf.counterfactuals(row, fixed=range(6), class_of_interest="0")
    assert found.note == "no change of the columns that can change gives 0"


def test_ties_are_those_of_predictions():
    """Scores that are rounded alike tie, though their log W differ in a last bit."""
    X = [211, 212, 331, 101, 11, 212, 303, 222]
    X = np.array([[x // 100, x // 10 % 10, x % 10] for x in X], dtype=object)
    options = {"literals": "equal", "discretizer": None, "max_term_size": 1}
    clf = DNFWinnowClassifier(**PLAIN | {"max_iter": 2}, **options)
    clf.fit(X, [0, 1, 1, 1, 0, 0, 0, 1])
    row, tied = np.array([[[3, 3, 99]], [[0, 3, 99]]], dtype=object)
    assert (clf.decision_function(tied) == 0).all()
    assert clf.predict(row) == [1] and clf.predict(tied) == [0]
    (found,) = clf.counterfactuals(row, n=9)
    assert ("x0",) in [one.features for one in found]
    assert {one.prediction for one in found} == {0}


@pytest.mark.filterwarnings("ignore:Columns with more than 32")
def test_integers_stay_integers():
    ages = np.arange(18, 80)
    frame = pd.DataFrame({"age": ages, "who": np.where(ages % 2, "a", "b")})
    clf = DNFWinnowClassifier(**PLAIN).fit(frame, np.where(ages > 40, "old", "young"))
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
    every = [one for found in clf.counterfactuals(X[:40]) for one in found]
    changes = [change for one in every for change in one.changes]
    assert all(change.new is not None for change in changes)
    filled = [change for change in changes if change.old is None]
    assert filled and str(filled[0]).endswith(" (was missing)")


@pytest.mark.filterwarnings("ignore:Columns with more than 32")
@pytest.mark.parametrize("dtype", ["float32", "Float64", "float16", "int8", "category"])
def test_cells_that_a_dtype_does_not_hold(dtype):
    """The table has few values; those of training are tried all the same."""
    ages = np.arange(18, 80) if dtype in ("int8", "category") else np.linspace(0, 1, 62)
    kinds = np.where(np.arange(62) % 2, "a", "b")
    frame = pd.DataFrame({"age": ages, "kind": kinds})
    y = kinds == "a" if dtype == "category" else ages > np.median(ages)
    clf = DNFWinnowClassifier(**PLAIN, discretizer=ClassEntropyDiscretizer())
    clf.fit(frame, y)
    row = frame[:1].astype({"kind" if dtype == "category" else "age": dtype})
    (found,) = clf.counterfactuals(row, n=1)
    assert clf.predict(found.to_frame()[1:]) == [found[0].prediction] == [True]


def test_estimates_are_never_called_exact():
    X = np.random.RandomState(5).randint(2, size=(60, 40)).astype(str)
    options = {"literal_weight": 0.1, "sampler": Frontier(max_states=30)}
    clf = DNFWinnowClassifier(**PLAIN, max_term_size=None, **options).fit(X, X[:, 0])
    ((one,),) = clf.counterfactuals(X[:1], n=1, fixed=range(3, 40))
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


def test_a_class_of_three(global_random_seed):
    clf, X, choices = trained(global_random_seed, n_classes=3)
    for row, before in zip(X[:6].tolist(), clf.predict(X[:6])):
        for class_ in {0, 1, 2} - {before}:
            expected = minimal_flips(clf, row, choices, class_=class_)
            check(clf, row, expected, class_of_interest=class_)
    (found,) = clf.counterfactuals(X[:1], class_of_interest=clf.predict(X[:1])[0])
    assert len(found) == 0 and "already is" in found.note


def test_fixed_features_and_few_changes(global_random_seed):
    clf, X, choices = trained(global_random_seed)
    for row in X[:8].tolist():
        check(clf, row, minimal_flips(clf, row, choices, fixed=(1, 2)), fixed=["x1", 2])
        every = minimal_flips(clf, row, choices)
        few = {columns: rows for columns, rows in every.items() if len(columns) == 1}
        check(clf, row, few, max_changes=1)


def test_monotone_models_are_turned_in_their_direction(global_random_seed):
    random = np.random.RandomState(global_random_seed)
    X = random.randint(4, size=(120, 3)).astype(float)
    y = X.sum(axis=1) + random.normal(size=120) > 4.5
    options = {"monotonic_cst": [1, 1, 1], "discretizer": None}
    clf = DNFWinnowClassifier(**PLAIN, **options).fit(X, y)
    for row in X[:8].tolist():
        check(clf, row, minimal_flips(clf, row, [[0.0, 1.0, 2.0, 3.0]] * 3))
    for one in (one for found in clf.counterfactuals(X[:8]) for one in found):
        for change in one.changes:
            assert (change.new > change.old) == one.prediction


def test_numbers_go_to_the_nearest_interval_that_does(global_random_seed):
    X, y = load_iris(return_X_y=True)
    clf = DNFWinnowClassifier(random_state=global_random_seed).fit(X, y)
    cuts = clf.discretizer_.cut_points_
    for found in clf.counterfactuals(X[::9], max_changes=1):
        row = X[::9][found.row]
        for one in found:
            (change,) = one.changes
            j = int(change.feature[1:])
            # One value of each interval.
            rows = np.repeat(row[None], len(cuts[j]) + 1, axis=0)
            rows[:, j] = [*cuts[j], 99]
            flips = np.flatnonzero(clf.predict(rows) != found.prediction)
            start, place = np.searchsorted(cuts[j], [row[j], change.new])
            assert abs(place - start) == abs(flips - start).min()
            # Not far from the end that is next to the old value.
            ends = np.array([-np.inf, *cuts[j], np.inf])
            low, high = ends[place], ends[place + 1]
            end = high if row[j] > high else low
            assert abs(change.new - end) <= 0.1 * max(1, min(high - low, 10))


def numbers_and_labels(seed, n=150):
    random = np.random.RandomState(seed)
    X = pd.DataFrame(random.normal(size=(n, 2)).round(2), columns=["u", "v"])
    X["w"] = random.randint(5, size=n)
    X["kind"] = random.choice(list("abc"), n)
    y = X["u"] + (X["v"].abs() < 0.7) + (X["kind"] == "a") + random.normal(size=n) / 4
    y += X["w"] > 2
    return X, (y > 0.9).astype(int)


@pytest.mark.parametrize("monotone", [None, {"u": 1}])
def test_intervals_are_as_wide_as_the_class_allows(monotone, global_random_seed):
    """All numbers in them give the class, and some beside them do not."""
    X, y = numbers_and_labels(global_random_seed)
    clf = DNFWinnowClassifier(**PLAIN, monotonic_cst=monotone).fit(X, y)
    cuts = [np.array([-9, *cuts, 9]) for cuts in clf.discretizer_.cut_points_[:2]]
    grid = {name: (c[1:] + c[:-1]) / 2 for name, c in zip("uv", cuts)}
    grid["w"] = np.arange(5.0)
    n_wide = 0
    for found in clf.counterfactuals(X[:20], n=4):
        for one in found:
            inside = {}
            for change in one.changes:
                choices = grid.get(change.feature, [change.new])
                if change.feature in grid:
                    literal = literal_of(f"x {change.text}")
                    assert literal.holds(np.array([change.new]))
                    choices = choices[literal.holds(choices)]
                    n_wide += len(choices) > 1 and change.feature == "w"
                inside[change.feature] = [*choices]

            def classes(values, old=found.values):
                rows = [
                    old | dict(zip(values, row)) for row in product(*values.values())
                ]
                return set(clf.predict(pd.DataFrame(rows)))

            assert classes(inside) == {one.prediction}
            for name in inside.keys() & grid:
                low, high = np.searchsorted(
                    grid[name], [min(inside[name]), max(inside[name])]
                )
                for place in {low - 1, high + 1} & {*range(len(grid[name]))}:
                    wider = {**inside, name: [grid[name][place]]}
                    assert classes(wider) != {one.prediction}
            for change in one.changes:
                if monotone and change.feature == "u":
                    assert change.text[0] == "<>"[one.prediction]
    assert n_wide


def test_permitted_ranges(global_random_seed):
    """What is found is what there is without the others."""
    X, y = numbers_and_labels(global_random_seed)
    clf = DNFWinnowClassifier(**PLAIN).fit(X, y)
    permitted = {"u": (-0.37, 0.81), 1: (0.2, np.inf), "kind": ["b", "c"]}
    n_ends = 0
    for found in clf.counterfactuals(X[:20], n=9, permitted_range=permitted):
        rows = found.to_frame()
        assert_array_equal(clf.predict(rows)[1:], [one.prediction for one in found])
        for change in (change for one in found for change in one.changes):
            if change.feature == "u":
                assert -0.37 <= change.new <= 0.81
                n_ends += "[-0.37, " in change.text or "0.81]" in change.text
                (low, high), *_ = literal_of(f"u {change.text}").intervals
                assert -0.38 < low < high <= 0.81
            assert change.feature != "v" or change.new >= 0.2
            assert change.feature != "kind" or change.new in "bc"
    assert n_ends
    every = clf.counterfactuals(X[:20])
    for one, other in zip(
        every,
        clf.counterfactuals(X[:20], permitted_range={"u": (-99, 99), "kind": [*"abc"]}),
    ):
        assert [c.features for c in one] == [c.features for c in other]
    table = every[:2].to_frame()
    assert table.index.names == ["row", None]
    assert table.loc[1].equals(every[1].to_frame())


@pytest.mark.parametrize("container", ["pandas", "polars", "array", "list"])
def test_any_container(container):
    random = np.random.RandomState(0)
    frame = pd.DataFrame(
        {
            "size": random.normal(size=80),
            "count": random.randint(30, size=80),
            "kind": random.choice(list("abc"), size=80),
            "flag": random.rand(80) < 0.5,
        }
    )
    y = (frame["size"] > 0.3) ^ (frame["kind"] == "a")
    X = frame.to_numpy(dtype=object)
    X = X.tolist() if container == "list" else X
    if container == "pandas":
        X = frame.astype({"kind": "category"})
    if container == "polars":
        X = pytest.importorskip("polars").DataFrame(frame.to_dict(orient="list"))
    clf = DNFWinnowClassifier(**PLAIN).fit(X, y)
    for found in clf.counterfactuals(X[:10]):
        after = found.to_frame()
        assert len(found) and [*after.iloc[0]] == [*frame.iloc[found.row]]
        changed = (after[1:] != after.iloc[0]).sum(axis=1)
        assert_array_equal(changed, [one.cost for one in found])
        rows = after if container in ("pandas", "polars") else after.to_numpy()
        assert_array_equal(clf.predict(rows[1:]), [one.prediction for one in found])


@pytest.mark.parametrize("step", [StandardScaler(), BINS, PCA(2)], ids=repr)
def test_pipelines_in_the_units_of_the_table(step):
    """Or in those of the last step that has no inverse."""
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(step, DNFWinnowClassifier(**PLAIN)).fit(X, y)
    is_opaque = isinstance(step, PCA)
    for found in counterfactuals(pipeline, X[::10]):
        assert found.transformed_by == (("PCA",) if is_opaque else ()) and len(found)
        assert ("by PCA" in str(found)) == is_opaque
        rows = found.to_frame().to_numpy()
        before, *after = (pipeline[-1] if is_opaque else pipeline).predict(rows)
        assert before == found.prediction
        assert after == [one.prediction for one in found]


def test_one_hot_columns_change_together():
    """A value of a feature is several columns of the classifier."""
    _, X, choices = trained(0)
    encoder = OneHotEncoder(sparse_output=False)
    pipeline = make_pipeline(encoder, DNFWinnowClassifier(**PLAIN, max_term_size=2))
    pipeline.fit(X, (X[:, 0] == X[:, 1]).astype(int))
    for row, found in zip(X[:8].tolist(), counterfactuals(pipeline, X[:8], n=9)):
        expected = minimal_flips(pipeline, row, choices)
        assert found.transformed_by == ()
        assert sorted(one.features for one in found) == sorted(
            tuple(f"x{c}" for c in columns) for columns in expected
        )
        rows = found.to_frame().to_numpy()[1:]
        assert_array_equal(pipeline.predict(rows), [one.prediction for one in found])


def test_a_search_that_stops_says_so():
    """It goes on with the best alternative of the columns that matter most."""
    X, y = make_dnf(200, 12, n_values=3, random_state=0)
    clf = DNFWinnowClassifier(**PLAIN, max_term_size=2).fit(X, y)
    exact = clf.counterfactuals(X, n=1)
    X = X[[found[0].cost > 1 for found in exact]][:5]
    with pytest.warns(ConvergenceWarning, match="For 5 of 5 rows"):
        hasty = clf.counterfactuals(X, max_work=120)
    for quick, (best,) in zip(hasty, clf.counterfactuals(X, n=1)):
        assert best.exact and "of cost 2 or more" in quick.note
        assert quick[0].cost >= best.cost
        for one, row in zip(quick, quick.to_frame().to_numpy()[1:]):
            assert not one.exact and "not proven to be the cheapest" in str(one)
            assert clf.predict([row]) == [one.prediction] != [quick.prediction]
            # Nothing is changed in vain.
            for change in one.changes:
                less = row.copy()
                less[int(change.feature[1:])] = change.old
                assert clf.predict([less]) == [quick.prediction]
    # Two other values of each of 12 columns are too many.
    with pytest.warns(ConvergenceWarning, match="For 1 of 1 rows"):
        (found,) = clf.counterfactuals(X[:1], max_work=23)
    assert not len(found) and "of cost 1 or more" in found.note


def test_what_is_refused():
    clf, X, _ = trained(0)
    for options, match in [
        ({"fixed": ["x9"]}, r"fixed contains 'x9', .* \('x0', "),
        ({"permitted_range": {"x9": (0, 1)}}, "permitted_range contains 'x9'"),
        ({"permitted_range": {"x0": ["a", "d"]}}, "'x0' must be a list .* got 'd'"),
        ({"permitted_range": {"x0": 3}}, "'x0' must be a list .* got 3"),
        ({"permitted_range": [1]}, "'permitted_range' parameter"),
        ({"class_of_interest": 7}, "class_of_interest must be one of"),
        ({"n": 0}, "'n'"),
    ]:
        with pytest.raises(ValueError, match=match):
            clf.counterfactuals(X[:1], **options)

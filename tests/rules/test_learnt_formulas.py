"""DNFClassifier without formulas: it learns those of a class, or of all classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pandas as pd
import pytest
from internals.encoding import in_samples
from internals.rules import Cells, RulePool, Samples, roundest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks, load_tic_tac_toe, make_customers
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNFSyntaxError


def quick(**parameters):
    """Without a choice of the price, which takes most of the time."""
    return DNFClassifier(cv=None, random_state=0, **parameters)


def colours(n=300, seed=0, noise=0.05):
    """Three classes by two rules, a column of noise, and missing values."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue", None], n),
            "size": rng.normal(size=n).round(2),
            "noise": rng.choice(list("abc"), n),
        }
    )
    y = np.where(X["colour"] == "red", "warm", np.where(X["size"] > 0.5, "big", "none"))
    is_noise = rng.uniform(size=n) < noise
    return X, np.where(is_noise, rng.choice(["warm", "big", "none"], n), y)


# -- conditions and rules --------------------------------------------------------------


def cells_of(X):
    """The cells of a data frame."""
    columns = [X[name].astype(object).where(X[name].notna(), None) for name in X]
    columns = [
        np.array(column, float if X.dtypes[name].kind == "f" else object)
        for name, column in zip(X, columns)
    ]
    distinct = []
    for column in columns:
        values = list(dict.fromkeys(column.tolist()))
        places = [values.index(value) for value in column.tolist()]
        distinct.append((values, np.array(places)))
    return Cells.of(columns, distinct, list(X)), columns


def test_conditions_hold_where_they_say():
    X, y = colours()
    cells, columns = cells_of(X)
    share, ones, rows = (y == "warm").astype(float), np.ones(len(y)), np.arange(len(y))
    conditions, holds = cells.conditions(rows, share, ones, floor=30)
    assert len(conditions) == len(holds) > 20 and holds.sum(axis=1).min() >= 30
    texts = []
    for i, of_condition in enumerate(holds):
        (literal,) = conditions.literals([i], cells)
        assert_array_equal(of_condition, literal.holds(columns[literal.column]))
        texts.append(str(literal))
    assert {"colour = red", "colour != red", "colour is missing"} <= {*texts}
    assert len({*texts}) == len(texts)
    # A sign leaves one direction.
    cells.signs[1] = -1
    conditions, _ = cells.conditions(rows, share, ones, floor=30)
    assert {*conditions.relations[conditions.columns == 1]} == {"<="}


def test_cuts_are_round():
    assert roundest(9.1, 10.4, 9.75) == 10 and roundest(-3.0, 2.0, 1.0) == 0
    assert roundest(601.0, 700.0, 615.0) == 650
    for low, high in ((0.123, 0.1234), (-7.3, -7.25), (1e9, 1e9 + 1)):
        near = low + (high - low) / 2
        assert low <= roundest(low, high, near) < high


def test_chosen_rules_gain_what_they_say(global_random_seed):
    """No addition, omission or exchange of a candidate improves them."""
    rng = np.random.default_rng(global_random_seed)
    X = pd.DataFrame(rng.choice(list("xyz"), (200, 4)), columns=list("abcd"))
    share = np.where((X["a"] == "x") & (X["b"] != "y"), 0.9, 0.2)
    cells, _ = cells_of(X)
    known = share, np.ones(200), 10
    pool = RulePool(*cells.conditions(np.arange(200), *known), *known, 2, 200)
    pool.search([0.3, 0.5])
    chosen = pool.chosen(0.5, 2.0)
    covers, gains = pool.covers.T > 0, 2 * (share - 0.5)
    assert covers.sum(axis=1).min() >= 10 and max(map(len, pool.rules)) == 2

    def value(places):
        price = sum(2.0 * (1 + len(pool.rules[i])) for i in places)
        errors = [2 * share[covers[i]].std() * covers[i].sum() ** 0.5 for i in places]
        return gains[covers[places].any(axis=0)].sum() - price - 0.3 * sum(errors)

    best = value(chosen)
    assert chosen and best == pytest.approx(pool.value(chosen, 0.5, 2.0), abs=0.05)
    without = [[j for j in chosen if j != i] for i in chosen]
    for rest in (chosen, *without):
        assert value(rest) <= best + 1e-9
        assert all(value([*rest, i]) <= best + 0.05 for i in range(len(covers)))


@pytest.mark.parametrize("start", [1.6, 1_700_000_000_000_000_000])
def test_neighbouring_numbers_are_different_conditions(start):
    # Three neighbouring floats, as sums of tenths have them; and integers of which
    # two are one float.
    steps = 100 * np.arange(6) if start > 2 else np.spacing(start) * np.arange(-1, 2)
    noise = [0, 1] * 10 * len(steps)
    X = pd.DataFrame({"n": np.repeat(start + steps, 20), "noise": noise})
    y = (X["n"] > X["n"].median()).astype(int)
    clf = DNFClassifier(random_state=0).fit(X, y)
    assert clf.score(X, y) == 1.0


def test_counts_are_copies_and_the_order_of_rows_is_none():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 3, 40), rng.choice(np.array(["a", None], object), 40)]
    labels, counts = rng.integers(0, 2, 40), rng.integers(0, 4, 40)
    known = ["a", "b"], labels, counts.astype(float), counts.astype(float)
    expected = Samples(columns, *known).in_order()
    copies = np.repeat(np.arange(40), counts)
    turned = rng.permutation(copies)
    for places in (copies, turned):
        ones = np.ones(len(places))
        one = Samples(
            [c[places] for c in columns], ["a", "b"], labels[places], ones, ones
        ).in_order()
        assert_array_equal(one.labels, expected.labels)
        assert_allclose(one.weights, expected.weights)
        for found, column in zip(one.columns, expected.columns):
            assert found.tolist() == column.tolist()
    assert len(expected) == counts.sum()
    assert set(expected.weights) == set(expected.counts) == {1.0}


def test_many_samples_are_some_rows():
    labels, counts = np.array([0, 1]), np.array([900.0, 100.0])
    some = Samples([np.zeros(2)], ["a"], labels, 0.5 * counts, counts).in_order()
    # 16 for each distinct row on average.
    assert_array_equal(np.bincount(some.labels), [29, 3])
    assert_allclose(np.bincount(some.labels, some.counts), counts)
    assert_allclose(np.bincount(some.labels, some.weights), 0.5 * counts)


def test_weights_in_samples():
    # Whole numbers are counts, up to a common factor; others are relative.
    assert_array_equal(in_samples(np.array([0.0, 2.0, 3.0])), [0, 2, 3])
    assert_array_equal(in_samples(np.array([0.0, 6.0, 9.0])), [0, 2, 3])
    assert_allclose(in_samples(np.array([0.0, 0.5, 1.5])), [0, 0.5, 1.5])
    assert_allclose(in_samples(np.array([0.0, 1e-9, 3e-9])), [0, 0.5, 1.5])
    assert_allclose(in_samples(np.array([1e308, 1e308 / 3, 0])), [1.5, 0.5, 0])
    weights = np.random.default_rng(0).lognormal(size=50)
    assert_array_equal(np.sort(in_samples(weights)), in_samples(np.sort(weights)))


# -- what is learned -------------------------------------------------------------------


def test_known_rules_are_found():
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFClassifier(random_state=0).fit(X, y)
    assert clf.score(X, y) == 1.0 and clf.otherwise_ == "0"
    assert sorted(map(str, clf.dnfs_[0].terms)) == [
        "a1 = 1 & a2 = 1",
        "a1 = 2 & a2 = 2",
        "a1 = 3 & a2 = 3",
        "a5 = 1",
    ]
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
    clf = DNFClassifier(class_of_interest="positive", random_state=0).fit(X, y)
    assert clf.score(X, y) == 1.0 and [len(d.terms) for d in clf.dnfs_] == [8]


def test_the_table_of_customers_reads_as_its_truth():
    X, y, truth = make_customers(random_state=0, return_truth=True)
    X = X.drop(columns=["customer_id", "signup_date"])
    clf = DNFClassifier(class_of_interest=1, random_state=0).fit(X, y)
    columns = {frozenset(x.feature for x in t.literals) for t in clf.dnfs_[0].terms}
    assert columns == {
        frozenset({"support_calls", "plan"}),
        frozenset({"balance", "autopay"}),
        frozenset({"region", "age", "device"}),
    }
    assert (clf.predict(X) == (truth.proba[:, 1] > 0.5)).mean() > 0.98


def test_what_is_printed_is_what_held_out_rows_say():
    X, y = colours(600, noise=0.3)
    clf = DNFClassifier(class_of_interest="warm", random_state=0).fit(X, y)
    (dnf,) = clf.dnfs_
    new, labels = colours(4000, seed=1, noise=0.3)
    found, own = dnf.holds(new), labels == "warm"
    scores = dnf.scores
    assert scores["share"] == pytest.approx((y == "warm").mean())
    assert scores["precision"] == pytest.approx(own[found].mean(), abs=0.06)
    assert scores["recall"] == pytest.approx(found[own].mean(), abs=0.06)
    assert scores["error"] == pytest.approx((found != own).mean(), abs=0.04)
    for term, of_term in zip(dnf.terms, dnf.rule_scores):
        covered = term.holds(dnf._columns(X))
        assert of_term["n"] == covered.sum() >= 10
        assert of_term["support"] == pytest.approx(covered.mean())
        assert f"# {of_term['precision']:.2f}".replace(" 0", " ") in str(dnf)
    head = str(clf).splitlines()[0]
    assert head.startswith("class: warm  # held out: precision .")
    assert head.endswith("% in the class")


def test_noise_has_no_rules():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 3)).round(2)).add_prefix("f")
    y = np.where(rng.uniform(size=300) < 0.2, "a", "b")
    clf = DNFClassifier(class_of_interest="a", random_state=0).fit(X, y)
    assert clf.dnfs_ == [] and clf.without_rules_ == ["a"]
    assert str(clf).startswith("# a: no rule is better than the share of the class")
    assert_array_equal(DNFClassifier(str(clf)).fit(X, y).predict(X), clf.predict(X))


def test_telling_columns_of_many_are_used():
    rng = np.random.RandomState(0)
    X = pd.DataFrame(rng.rand(200, 400)).add_prefix("x")
    X["kind"] = rng.choice(["a", "b", "c"], 200)
    y = (X["x217"] > 0.6) & (X["kind"] != "b")
    clf = DNFClassifier(cv=None).fit(X, y)
    assert {"x217", "kind"} == {*clf.dnfs_[0].used_features}
    assert clf.score(X, y) > 0.97


def test_all_classes_at_once():
    X, y = colours(300)
    clf = DNFClassifier(random_state=0).fit(X, y)
    assert {dnf.class_ for dnf in clf.dnfs_} | {clf.otherwise_} == {*y}
    # A row that one formula rejects can have either of the other classes.
    assert {dnf.otherwise for dnf in clf.dnfs_} == {None}
    assert len(clf.dnfs_) == 2 and clf.score(X, y) > 0.93
    precisions = [dnf.scores["precision"] for dnf in clf.dnfs_]
    assert precisions == sorted(precisions, reverse=True)
    assert {*clf.prices_} == {dnf.class_ for dnf in clf.dnfs_}
    shares = clf.predict_proba(X)
    assert shares.shape == (300, 3)
    assert_allclose(shares.sum(axis=1), 1)
    order = np.random.default_rng(1).permutation(300)
    again = clone(clf).fit(X.iloc[order], y[order])
    assert again.dnfs_ == clf.dnfs_ and str(again) == str(clf)
    # One of several classes: the others are the most frequent one.
    one = DNFClassifier(class_of_interest="warm", random_state=0).fit(X, y)
    assert [d.class_ for d in one.dnfs_] == ["warm"] and one.otherwise_ == "none"


def test_limits_are_kept():
    X, y = colours(noise=0.2)
    free = quick(price=0.5).fit(X, y)
    few = quick(price=0.5, max_conditions=1).fit(X, y)
    assert {len(t) for d in few.dnfs_ for t in d.terms} == {1}
    dear = quick(price=8).fit(X, y)
    assert sum(map(n_conditions, dear.dnfs_)) < sum(map(n_conditions, free.dnfs_))
    for support in (60, 0.2):
        (dnf, *_) = quick(price=0.5, min_support=support).fit(X, y).dnfs_
        assert min(one["n"] for one in dnf.rule_scores) >= 60


def n_conditions(dnf):
    """The number of conditions of a formula."""
    return sum(map(len, dnf.terms))


@pytest.mark.parametrize("n_values", [10, 20])
def test_thresholds_are_well_between_two_values(n_values):
    k = np.resize(np.arange(n_values), 200)
    X = pd.DataFrame({"r": k * 0.1})
    assert X["r"][7] != 7 / 10
    y = np.where((k >= 3) & (k <= 6), "in", "out")
    clf = quick(price=1.0, otherwise="out").fit(X, y)
    assert list(map(str, clf.dnfs_[0].terms)) == ["r in (0.25, 0.65]"]
    assert clf.predict(X.astype(np.float32)).tolist() == y.tolist()
    assert clf.predict(pd.DataFrame({"r": [0.3, 0.6, 7 / 10]})).tolist()[-1] == "out"


def test_a_rare_class_has_rules_by_its_f1_score():
    X, y = make_customers(4000, target="fraud", random_state=0)
    X = X.drop(columns=["customer_id", "signup_date"])
    clf = DNFClassifier(class_of_interest=1, random_state=0).fit(X, y)
    found = clf.dnfs_[0].summary(X, y).table.iloc[-2]
    assert found["precision"] > 0.4 and found["recall"] > 0.5
    # A missed row that costs ten times as much: more of them are found.
    found = [
        quick(class_of_interest=1, miss_cost=cost, price=2).fit(X, y).predict(X).sum()
        for cost in (1, 10)
    ]
    assert found[0] < found[1]


@pytest.mark.parametrize("sign", [1, -1])
def test_rules_are_monotone(sign):
    """In the data there is a hump, which rules would follow."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"income": rng.uniform(0, 100, 400).round(1), "b": rng.random(400)}
    )
    y = np.where((X["income"] > 30) & (X["income"] < 60), "yes", "no")
    y = np.where(rng.random(400) < 0.1, "yes", y)
    monotone = {"monotonic_cst": {"income": sign}}
    model = DNFWinnowClassifier(cv=None, max_iter=2, random_state=0, **monotone)
    pipeline = make_pipeline(MinMaxScaler().set_output(transform="pandas"), model)
    boosting = HistGradientBoostingClassifier(max_iter=9, monotonic_cst=[sign, 0])
    quick_one = {"price": 0.5, "cv": None}
    found = [
        DNFClassifier(class_of_interest="yes", **quick_one, **monotone).fit(X, y),
        DNFClassifier(class_of_interest="no", **quick_one, **monotone).fit(X, y),
        DNFClassifier(estimator=boosting, **quick_one).fit(X, y),
        to_dnf(model.fit(X, y), "yes", X=X, y=y, **quick_one),
        to_dnf(pipeline.fit(X, y), "yes", X=X, y=y, **quick_one),
    ]
    low = pd.DataFrame(rng.uniform(-10, 110, (10_000, 2)), columns=X.columns)
    high = low.assign(income=low["income"] + rng.uniform(0, 50, 10_000))
    for one in found:
        before, after = (
            one.holds(rows) if hasattr(one, "holds") else one.predict(rows) == "yes"
            for rows in (low, high)
        )
        assert not (sign * before.astype(int) > sign * after.astype(int)).any()
    assert any("income" in str(one) for one in found)


def test_weights_do_not_divide_samples():
    """A sample in several folds would be learned, and predicted by what was learned."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)).round(2)).add_prefix("f")
    y = rng.integers(0, 2, 200)
    for weights in (np.append(np.ones(199), 0.01), rng.uniform(0.2, 1, 200)):
        clf = DNFClassifier(random_state=0).fit(X, y, weights)
        assert all(dnf.scores["error"] > 0.35 for dnf in clf.dnfs_)
    # Copies are in several folds, so that each is predicted by the others.
    twice = DNFClassifier(class_of_interest=1, random_state=0)
    (dnf,) = twice.fit(X, y, rng.permutation([2, 3] * 100)).dnfs_
    assert dnf.scores["error"] < 0.3


def test_only_relative_weights_matter(global_random_seed):
    X, y = colours(n=100)
    weights = np.random.default_rng(global_random_seed).lognormal(size=100)
    one = DNFClassifier(random_state=0).fit(X, y, weights)
    assert one.class_counts_.sum() == pytest.approx(100)
    for factor in (1e-6, 2.0**20):
        other = DNFClassifier(random_state=0).fit(X, y, factor * weights)
        assert str(other) == str(one)
        assert_allclose(other.predict_proba(X), one.predict_proba(X))


def test_a_model_can_guide():
    X, y = colours(noise=0.3)
    model = make_pipeline(
        FunctionTransformer(lambda X: X[["size"]].to_numpy()), LogisticRegression()
    )
    guided = quick(estimator=model, price=1, miss_cost=1)
    assert guided.fit(X, y).score(X, y) > 0.6
    without = clone(guided).set_params(estimator=None).fit(X, y)
    assert guided.dnfs_ != without.dnfs_
    # A fitted one is not fitted again.
    fitted = clone(guided).set_params(estimator=model.fit(X, np.roll(y, 7))).fit(X, y)
    assert str(fitted) != str(guided)
    some = y != "big"
    with pytest.raises(ValueError, match="must know all classes of y"):
        quick(estimator=model.fit(X[some], y[some])).fit(X, y)


def test_the_guide_learns_from_random_samples():
    """Otherwise the model of each fold would not know a third of the sizes."""
    X = pd.DataFrame({"size": np.repeat(np.arange(90), 4), "noise": 360 * ["a"]})
    y, seen = np.tile([0, 1], 180), []

    class Recorder(DummyClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(np.sort(X["size"].unique()))
            return super().fit(X, y, sample_weight)

    DNFClassifier(estimator=Recorder(), random_state=0).fit(X, y)
    # A third of the sizes would be 60 of 90.
    assert len(seen) == 3 and min(map(len, seen)) > 75


@pytest.mark.parametrize("split", [([0, 1], [300]), ([0.5], [1]), (None, "all")])
def test_splits_are_pairs_of_indices(split):
    with pytest.raises(ValueError, match=r"cv must be a pair .* from 0 to 2"):
        DNFClassifier(cv=[split]).fit(*colours())


def test_groups_are_kept_together():
    X, y = colours(120)
    groups = np.arange(120) % 7
    cv = GroupKFold(3)
    clf = DNFClassifier(cv=cv, random_state=0)
    splits = clone(clf).set_params(cv=list(cv.split(X, y, groups)))
    found = clf.fit(X, y, groups=groups)
    assert str(found) == str(splits.fit(X, y))
    with pytest.raises(ValueError, match="'groups' parameter should not be None"):
        DNFClassifier(cv=cv).fit(X, y)
    with pytest.raises(ValueError, match=r"groups requires a splitter .* got cv=3"):
        DNFClassifier(cv=3).fit(X, y, groups=groups)
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(DNFClassifier(cv=cv, random_state=0))
        pipeline.fit(X, y, groups=groups)
    assert str(pipeline[-1]) == str(found)


# -- scikit-learn ----------------------------------------------------------------------


def test_in_pipelines_and_searches():
    X, y = load_iris(return_X_y=True)
    clf = make_pipeline(FunctionTransformer(), DNFClassifier(cv=None))
    folds = KFold(3, shuffle=True, random_state=0)
    assert cross_val_score(clf, X, y, cv=folds).min() > 0.85
    grid = {"max_conditions": [1, 2], "price": [1.0, 4.0]}
    search = GridSearchCV(quick(), grid, cv=folds).fit(X, y)
    assert search.best_score_ > 0.85
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert_array_equal(again.predict(X), search.predict(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"max_conditions": 0}, "'max_conditions' parameter"),
        ({"miss_cost": "recall"}, "'miss_cost' parameter"),
        ({"price": 0.0}, "'price' parameter"),
        ({"otherwise": "rose"}, r"otherwise must be one of .*; got 'rose'"),
        ({"class_of_interest": "rose"}, r"class_of_interest must be one of"),
        ({"class_of_interest": "big", "otherwise": "big"}, "must differ"),
        ({"estimator": FunctionTransformer()}, "'estimator' parameter"),
        ({"monotonic_cst": [1, 0]}, "one sign for each of the 3 columns"),
        ({"monotonic_cst": {"colour": {"big": 1}}}, "must select numeric columns"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        DNFClassifier(**parameters).fit(*colours(30))


@pytest.mark.parametrize(("rare", "frequent"), [("a", "b"), ("b", "a")])
def test_of_two_classes_the_rarer_one_has_rules(rare, frequent):
    X, y = colours(100)
    clf = DNFClassifier(cv=None).fit(X, np.where(y == "warm", rare, frequent))
    assert [dnf.class_ for dnf in clf.dnfs_] == [rare] and clf.otherwise_ == frequent
    asked = DNFClassifier(cv=None, class_of_interest=frequent)
    asked = asked.fit(X, np.where(y == "warm", rare, frequent))
    assert [dnf.class_ for dnf in asked.dnfs_] == [frequent]


def test_one_class_and_few_rows():
    X = pd.DataFrame({"a": [1.0, np.nan, 3.0]})
    clf = DNFClassifier().fit(X, ["x", "x", "x"])
    assert clf.dnfs_ == [] and clf.otherwise_ == "x"
    assert DNFClassifier().fit(X, ["x", "y", "x"]).predict(X).tolist()[::2] == ["x"] * 2
    with pytest.raises(ValueError, match="contains infinity"):
        DNFClassifier().fit([[np.inf], [1.0]], ["x", "y"])


# -- from a model, and elsewhere -------------------------------------------------------


def test_rules_of_a_model():
    X, y = colours()
    model = DNFWinnowClassifier(cv=None, max_term_size=2, random_state=0).fit(X, y)
    dnf = model.to_dnf("warm", X=X, y=y)
    clf = DNFClassifier(estimator=model, class_of_interest="warm", random_state=0)
    (same,) = clf.fit(X, y).dnfs_
    assert dnf.terms == same.terms and len(dnf.rule_scores) == len(dnf.terms)
    assert dnf.otherwise is None and dnf.holds(X).mean() > 0.1
    table = dnf.summary(X, y).table
    assert table["term"].tolist()[:-2] == list(map(str, dnf.terms))
    # Of what the model predicts: agreement with it is no precision.
    of_model = to_dnf(model, "warm", X=X)
    assert of_model.holds(X).mean() > 0.1
    assert not of_model.scores and not of_model.rule_scores
    for wrong, message in (
        ({"class_of_interest": None}, "class_of_interest must be given"),
        ({"class_of_interest": "rose"}, "must be one of"),
        ({"y": np.where(y == "big", "huge", y)}, "y must be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            to_dnf(model, **{"class_of_interest": "warm", "X": X, "y": y} | wrong)
    with pytest.raises(TypeError):
        to_dnf(LogisticRegression(), "warm", X=X, y=y)


def test_printed_rules_of_either_class_can_be_put_back():
    """As they are printed, although the classes are numbers as text."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFClassifier(cv=None).fit(X, y)
    for otherwise in ("0", "1"):
        clf.set_params(otherwise=otherwise).fit(X, y)
        (dnf,) = clf.dnfs_
        assert str(dnf).startswith(f"class: {dnf.class_}")
        for text in (str(clf), str(dnf), clf.to_text(), dnf.to_text()):
            given = DNFClassifier(text).fit(X, y)
            assert given.otherwise_ == otherwise and given.dnfs_[0].class_ == dnf.class_
            assert_array_equal(given.predict(X), clf.predict(X))
    with pytest.raises(DNFSyntaxError, match="one entry 'otherwise' only"):
        DNFClassifier("otherwise: 0\na1 = 1\notherwise: 1").fit(X, y)
    with pytest.raises(DNFSyntaxError, match=r"the end of the text; found 'class:'"):
        DNFClassifier("a1 = 1\nclass: 1").fit(X, y)


def test_learnt_formulas_as_text():
    X, y = colours(150)
    clf = DNFClassifier(random_state=0).fit(X, y)
    for text in (str(clf), clf.to_text()):
        given = DNFClassifier(text).fit(X, y)
        assert_array_equal(given.predict(X), clf.predict(X))
        assert given.otherwise_ == clf.otherwise_
        assert [d.class_ for d in given.dnfs_] == [d.class_ for d in clf.dnfs_]
    edited = str(clf).replace("red", "blu")
    with pytest.raises(ValueError, match=r"did you mean 'blue'"):
        DNFClassifier(edited).fit(X, y)

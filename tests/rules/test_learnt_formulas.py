"""DNFClassifier without formulas: it learns those of all classes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import sys
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from internals.encoding import in_samples
from internals.rules import (
    ListSearch,
    Option,
    Samples,
    chosen,
    precisions,
    predicted,
    rows_that_satisfy,
    table_literals,
)
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks, load_tic_tac_toe, make_customers
from sklearn_dnfwinnow.inspection import to_rules
from sklearn_dnfwinnow.rules import DNFSyntaxError, Literal, Term


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


# -- conditions ------------------------------------------------------------------------


def plain_samples(columns, names, labels):
    """Samples of two classes, all with a weight of 1."""
    ones = np.ones(len(labels))
    return Samples(
        columns=columns,
        names=names,
        labels=labels.astype(int),
        weights=ones,
        counts=ones,
        n_classes=2,
    )


def test_literals_hold_where_they_say():
    X, y = colours()
    columns = [
        X["colour"].to_numpy(object),
        X["size"].to_numpy(),
        X["noise"].to_numpy(),
    ]
    columns[0] = np.where(pd.isna(columns[0]), None, columns[0])
    samples = plain_samples(columns, list(X), y == "warm")
    found = table_literals(samples, samples.labels)
    holds = rows_that_satisfy([literal for literal, _ in found], samples)
    texts = [str(literal) for literal, _ in found]
    assert len(set(texts)) == len(texts) and "colour = red" in texts
    assert "colour != red" in texts
    for (literal, end), of_literal in zip(found, holds.T):
        assert_array_equal(of_literal, literal.holds(columns[literal.column]))
        assert of_literal.any() and not of_literal.all()
        is_number = literal.intervals is not None
        low, high = literal.intervals[0] if is_number else (0, 0)
        assert end == is_number * (int(high == np.inf) - int(low == -np.inf))
        missing = columns[0] == None if literal.column == 0 else np.zeros(len(y), bool)  # noqa: E711
        assert not (of_literal & missing).any()


def test_counts_have_thresholds_between_all_values():
    column = np.array([0, 1, 2, 3, 3, 2.0])
    samples = plain_samples([column], ["n"], np.arange(6) % 2)
    found = table_literals(samples, samples.labels)
    assert {str(literal) for literal, _ in found} == {
        *("n = 0", "n = 1", "n = 2", "n = 3"),
        *("n <= 0.5", "n > 0.5", "n <= 1.5", "n > 1.5", "n <= 2.5", "n > 2.5"),
    }
    columns = [np.array(["x", "y", "z", "z", "y", "y"], object), np.ones(6)]
    samples = plain_samples(columns, ["a", "b"], samples.labels)
    found = table_literals(samples, samples.labels)
    # A constant tells nothing, and a category with one row not enough.
    texts = {str(literal) for literal, _ in found}
    assert texts == {"a = y", "a != y", "a = z", "a != z"}


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
    samples = plain_samples([X["n"].to_numpy()], ["n"], y.to_numpy())
    found = table_literals(samples, samples.labels)
    assert len({literal for literal, _ in found}) == len(found)


# -- choices ---------------------------------------------------------------------------


def test_the_first_class_whose_rules_hold_is_predicted(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    fires = rng.uniform(size=(60, 3)) < 0.4
    labels, weights = rng.integers(0, 3, 60), rng.uniform(0.5, 2, 60)
    samples = Samples([], [], labels, weights, np.ones(60), 3)
    unit = weights.mean()
    precision = [
        (weights[fires[:, k] & (labels == k)].sum() / unit + 1)
        / (weights[fires[:, k]].sum() / unit + 2)
        for k in range(3)
    ]
    assert_allclose(precisions(fires, samples), precision)
    for *order, otherwise in permutations(range(3)):
        expected = [next((k for k in order if row[k]), otherwise) for row in fires]
        assert_array_equal(predicted(fires, order, otherwise), expected)


def test_the_rule_of_one_standard_error():
    ones = np.ones(100)

    def option(n_wrong, n_literals, start=0):
        is_wrong = np.zeros(100, dtype=bool)
        is_wrong[start : start + n_wrong] = True
        return Option(1.0, 0, is_wrong, is_wrong.mean(), n_literals)

    # 4 more of the same rows are 4 +- 2 rows, and 1 more is 1 +- 1.
    best, worse, near = option(10, 9), option(14, 2), option(11, 5)
    assert chosen([best, worse, near], ones, ones) is near
    assert chosen([best, worse], ones, ones) is best
    # 4 more, but on other rows: 14 - 10 = 4 +- sqrt(24).
    apart = option(14, 3, start=50)
    assert chosen([best, worse, near, apart], ones, ones) is apart
    # Rows that stand for 25 samples each: 25 more are 25 +- 5.
    assert chosen([best, worse, near], 25 * ones, 25 * ones) is best
    # The same weights of single samples say no more than weights of 1.
    assert chosen([best, worse, near], 25 * ones, ones) is near


def test_counts_are_copies_and_the_order_of_rows_is_none():
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 3, 40), rng.choice(np.array(["a", None], object), 40)]
    labels, counts = rng.integers(0, 2, 40), rng.integers(0, 4, 40)
    known = ["a", "b"], labels, counts.astype(float), counts.astype(float), 2
    expected = Samples(columns, *known).in_order()
    copies = np.repeat(np.arange(40), counts)
    turned = rng.permutation(copies)
    for places in (copies, turned):
        ones = np.ones(len(places))
        one = Samples(
            [c[places] for c in columns], ["a", "b"], labels[places], ones, ones, 2
        ).in_order()
        assert_array_equal(one.labels, expected.labels)
        assert_allclose(one.weights, expected.weights)
        for found, column in zip(one.columns, expected.columns):
            assert found.tolist() == column.tolist()
    assert len(expected) == counts.sum()
    assert set(expected.weights) == set(expected.counts) == {1.0}


def test_many_samples_are_some_rows():
    labels, counts = np.array([0, 1]), np.array([900.0, 100.0])
    some = Samples([np.zeros(2)], ["a"], labels, 0.5 * counts, counts, 2).in_order()
    # 16 for each distinct row on average.
    assert_array_equal(np.bincount(some.labels), [29, 3])
    assert_allclose(np.bincount(some.labels, some.counts), counts)
    assert_allclose(np.bincount(some.labels, some.weights), 0.5 * counts)
    assert some.unit == pytest.approx(0.5)


def test_weights_in_samples():
    # Whole numbers are counts, up to a common factor; others are relative.
    assert_array_equal(in_samples(np.array([0.0, 2.0, 3.0])), [0, 2, 3])
    assert_array_equal(in_samples(np.array([0.0, 6.0, 9.0])), [0, 2, 3])
    assert_allclose(in_samples(np.array([0.0, 0.5, 1.5])), [0, 0.5, 1.5])
    assert_allclose(in_samples(np.array([0.0, 1e-9, 3e-9])), [0, 0.5, 1.5])
    assert_allclose(in_samples(np.array([1e308, 1e308 / 3, 0])), [1.5, 0.5, 0])
    weights = np.random.default_rng(0).lognormal(size=50)
    assert_array_equal(np.sort(in_samples(weights)), in_samples(np.sort(weights)))


# -- rules -----------------------------------------------------------------------------


def test_rules_are_the_best_of_all(global_random_seed):
    """Of a small table: beside all sets of two rules with two literals each."""
    rng = np.random.default_rng(global_random_seed)
    columns = [rng.choice(np.array(["x", "y"], object), 40) for _ in range(3)]
    is_own = rng.uniform(size=40) < 0.4
    ones = np.ones(40)
    samples = Samples(columns, ["a", "b", "c"], is_own.astype(int), ones, ones, 2)
    search = ListSearch(samples, {"max_rules": 2, "max_term_size": 2})
    search.against_rest(0.5, otherwise=0)
    found = search.found[1]
    holds = np.column_stack([column == value for column in columns for value in "xy"])
    rules = [(i,) for i in range(6)]
    rules += [(i, j) for i, j in product(range(6), repeat=2) if i < j]
    rules = [r for r in rules if holds[:, list(r)].all(axis=1).any()]

    def loss(*some):
        covers = [holds[:, list(rule)].all(axis=1) for rule in some]
        missed = is_own & ~np.any([np.zeros(40, bool), *covers], axis=0)
        wrong = sum((covered & ~is_own).sum() for covered in covers)
        return missed.sum() + wrong + sum(0.5 * (1 + len(rule)) for rule in some)

    best = min(
        loss(), *map(loss, rules), *(loss(a, b) for a, b in product(rules, rules))
    )
    assert_allclose(found.objective, best)
    assert found.bound <= best + 1e-9


def test_rules_beside_those_of_other_classes_are_the_best(global_random_seed):
    """Of a small table: beside all sets of one rule with two literals."""
    rng = np.random.default_rng(global_random_seed)
    columns = [rng.choice(np.array(["x", "y"], object), 60) for _ in range(3)]
    labels = (columns[0] == "x").astype(int) + (rng.uniform(size=60) < 0.4)
    ones = np.ones(60)
    samples = Samples(columns, ["a", "b", "c"], labels, ones, ones, 3)
    search = ListSearch(samples, {"max_rules": 1, "max_term_size": 2})
    before = search.against_rest(0.5, otherwise=0)
    after = search.beside_others(before, 0, 0.5)
    assert list(before) == list(after) and set(after) == {1, 2}
    ones = [
        Literal(j, name, "=", v, (v,)) for j, name in enumerate("abc") for v in "xy"
    ]
    rules = [(), *((one,) for one in ones), *combinations(ones, 2)]
    rules = [[], *([Term(rule)] for rule in rules)]

    def loss(formulas):
        wrong = predicted(samples.fires(formulas), formulas, 0) != labels
        lengths = [1 + len(t) for terms in formulas.values() for t in terms]
        return wrong.sum() + 0.5 * sum(lengths)

    current = dict(before)
    for k in before:
        best = min(loss(current | {k: rule}) for rule in rules)
        current[k] = after[k]
        assert_allclose(loss(current), best)


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
    assert clf.dnfs_[0].scores["loss"] == clf.dnfs_[0].scores["bound"]
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
    clf = quick(max_term_size=3, otherwise="negative").fit(X, y)
    assert clf.score(X, y) == 1.0 and [len(d.terms) for d in clf.dnfs_] == [8]


def test_the_table_of_customers_reads_as_its_truth():
    X, y, truth = make_customers(random_state=0, return_truth=True)
    clf = quick(max_term_size=3, n_jobs=1).fit(X, y)
    assert str(clf) == (
        "class: 1\n"
        "support_calls >= 3 & plan = basic or\n"
        "balance <= -14 & autopay = False or\n"
        "age >= 63 & region = south & device = web\n"
        "\n"
        "otherwise: 0"
    )
    assert (clf.predict(X) == (truth.proba[:, 1] > 0.5)).mean() > 0.995


def test_all_classes_at_once():
    X, y = colours(200)
    clf = DNFClassifier(random_state=0, max_term_size=2).fit(X, y)
    assert {dnf.class_ for dnf in clf.dnfs_} | {clf.otherwise_} == {
        "warm",
        "big",
        "none",
    }
    assert len(clf.dnfs_) == 2 and clf.score(X, y) > 0.93
    record = next(r for r in clf.validation_ if r["is_chosen"])
    assert record["otherwise"] == clf.otherwise_ and record["price"] == clf.price_
    assert record["error"] < 0.1 and sum(r["is_chosen"] for r in clf.validation_) == 1
    assert not clf.is_timed_out_
    shares = clf.predict_proba(X)
    assert shares.shape == (200, 3)
    assert_allclose(shares.sum(axis=1), 1)
    order = np.random.default_rng(1).permutation(200)
    again = clone(clf).set_params(n_jobs=2).fit(X.iloc[order], y[order])
    assert again.dnfs_ == clf.dnfs_ and again.price_ == clf.price_


def test_limits_are_kept():
    X, y = colours(noise=0.2)
    free = quick(price=0.5).fit(X, y)
    n_literals = sum(len(t) for dnf in free.dnfs_ for t in dnf.terms)
    assert n_literals > 4 and max(len(d.terms) for d in free.dnfs_) > 1
    few = quick(price=0.5, n_terms=1, max_term_size=1).fit(X, y)
    assert {len(d.terms) for d in few.dnfs_} == {1}
    assert {len(t) for d in few.dnfs_ for t in d.terms} == {1}
    for most in (1, 2, 3):
        short = quick(price=0.5, max_literals=most).fit(X, y)
        assert 0 < sum(len(t) for d in short.dnfs_ for t in d.terms) <= most
        assert short.price_ == 0.5
    for limits in ({"min_precision": 0.9}, {"min_support": 30}, {"min_support": 0.1}):
        clf = quick(price=0.5, **limits).fit(X, y)
        table = clf.summary(X, y).table
        of_rules = table[~table["term"].isin(["(any)", "(otherwise)"])]
        assert len(of_rules)
        assert (of_rules["precision"] >= limits.get("min_precision", 0)).all()
        assert (of_rules["support"] >= 30 * ("min_support" in limits)).all()


def test_a_rare_class_has_rules_by_its_weight():
    X, y = make_customers(4000, target="fraud", random_state=0)
    X = X.drop(columns=["customer_id", "signup_date"])
    clf = quick(class_weight={0: 1, 1: 10}, price=8, otherwise=0, max_term_size=2)
    (dnf,) = clf.fit(X, y).dnfs_
    found = dnf.evaluate(X, y).iloc[-1]
    assert found["precision"] > 0.5 and found["recall"] > 0.75
    assert sorted(map(str, dnf.terms)) == [
        "balance > 3000 & device = web",
        "support_calls >= 4 & plan = pro",
    ]


def test_weights_do_not_divide_samples():
    """A sample in several folds would be learnt, and predicted by what was learnt."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)).round(2)).add_prefix("f")
    y = rng.integers(0, 2, 200)
    for weights in (np.append(np.ones(199), 0.01), rng.uniform(0.2, 1, 200)):
        clf = DNFClassifier(max_term_size=2, random_state=0).fit(X, y, weights)
        (chosen_one,) = [one for one in clf.validation_ if one["is_chosen"]]
        # Of noise: a half, and its standard error is .035.
        assert chosen_one["error"] > 0.35
        assert sum(len(dnf.terms) for dnf in clf.dnfs_) < 10
    # Copies are in several folds, so that each is predicted by the others.
    twice = DNFClassifier(random_state=0).fit(X, y, rng.permutation([2, 3] * 100))
    assert min(one["error"] for one in twice.validation_) < 0.2


def test_a_price_is_in_samples():
    """However many of them are equal."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((10_000, 3)) < [0.5, 0.5, 0.02], columns=list("abc"))
    y = ((X["c"] | (X["a"] & X["b"])) ^ (rng.random(10_000) < 0.1)).astype(int)
    clf = DNFClassifier(price=7, cv=None, otherwise=0, max_term_size=2).fit(X, y)
    assert list(map(str, clf.dnfs_[0].terms)) == ["a = True & b = True", "c = True"]
    n_wrong = (clf.predict(X) != y).sum()
    assert clf.dnfs_[0].scores["loss"] == pytest.approx(n_wrong + 7 * 5, abs=1e-3)


def test_only_relative_weights_matter(global_random_seed):
    X, y = colours(n=100)
    weights = np.random.default_rng(global_random_seed).lognormal(size=100)
    one = DNFClassifier(random_state=0, min_support=2).fit(X, y, weights)
    assert one.class_counts_.sum() == pytest.approx(100)
    for factor in (1e-6, 2.0**20):
        other = DNFClassifier(random_state=0, min_support=2).fit(X, y, factor * weights)
        assert str(other) == str(one)
        assert_allclose(other.predict_proba(X), one.predict_proba(X))
    # As AdaBoost has them: they add up to 1.
    ones, few = np.ones(100), np.full(100, 1 / 100)
    one, other = (DNFClassifier(random_state=0).fit(X, y, w) for w in (ones, few))
    assert str(one) == str(other) and one.dnfs_
    assert_allclose(other.predict_proba(X), one.predict_proba(X))


def test_a_model_can_guide():
    X, y = colours(noise=0.3)
    guided = DNFClassifier(
        estimator=make_pipeline(
            FunctionTransformer(lambda X: X[["size"]].to_numpy()), LogisticRegression()
        ),
        cv=None,
        price=1,
    )
    assert guided.fit(X, y).score(X, y) > 0.6
    without = clone(guided).set_params(estimator=None).fit(X, y)
    assert guided.dnfs_ != without.dnfs_


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
    model = DNFWinnowClassifier(cv=None, max_iter=1, random_state=0)
    guide = {"estimator": model, "price": 1.0}
    for parameters in (guide, {}):
        clf = DNFClassifier(cv=cv, random_state=0, **parameters)
        splits = clone(clf).set_params(cv=list(cv.split(X, y, groups)))
        found = clf.fit(X, y, groups=groups)
        assert str(found) == str(splits.fit(X, y))
        assert found.validation_ == splits.validation_
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
    assert (
        cross_val_score(clf, X, y, cv=KFold(3, shuffle=True, random_state=0)).min()
        > 0.85
    )
    grid = {"n_terms": [1, 2], "price": [1.0, 4.0]}
    search = GridSearchCV(quick(max_term_size=2), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    assert_array_equal(again.predict(X), search.predict(X))


def test_folds_can_be_given():
    X, y = colours(120)
    splits = list(KFold(3).split(X))
    clf = DNFClassifier(cv=splits, max_term_size=2).fit(X, y)
    same = DNFClassifier(cv=KFold(3), max_term_size=2).fit(X, y)
    assert clf.dnfs_ == same.dnfs_ and clf.validation_ == same.validation_


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_terms": 0}, "'n_terms' parameter"),
        ({"min_precision": 1.5}, "'min_precision' parameter"),
        ({"price": 0.0}, "'price' parameter"),
        ({"otherwise": "rose"}, r"must be one of .*; got 'rose'"),
        ({"estimator": FunctionTransformer()}, "'estimator' parameter"),
    ],
)
def test_wrong_parameters_are_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        DNFClassifier(**parameters).fit(*colours(30))


def test_a_short_time():
    X, y = colours(100)
    clf = DNFClassifier(max_time=0.2, random_state=0).fit(X, y)
    assert clf.predict(X).shape == (100,)


def test_every_search_is_limited(monkeypatch):
    """Those of the folds have half of the time, however much of it each uses."""
    module, clock, limits = sys.modules[ListSearch.__module__], [0.0], []
    search = module.best_rule_set

    def slow(*args, deadline, **kwargs):
        limits.append(deadline - clock[0])
        clock[0] = deadline
        return search(*args, **kwargs)

    monkeypatch.setattr(module, "best_rule_set", slow)
    monkeypatch.setattr(module, "monotonic", lambda: clock[0])
    X, y = colours(90)
    DNFClassifier(max_time=60, random_state=0).fit(X, y)
    # Three folds of three classes; then three classes, and two again beside others.
    assert_allclose(np.cumsum(limits[:9])[[2, 5, 8]], [10, 20, 30])


def test_one_class_and_few_rows():
    X = pd.DataFrame({"a": [1.0, np.nan, 3.0]})
    clf = DNFClassifier().fit(X, ["x", "x", "x"])
    assert clf.dnfs_ == [] and clf.otherwise_ == "x" and clf.validation_ == []
    assert DNFClassifier().fit(X, ["x", "y", "x"]).predict(X).tolist() == ["x"] * 3
    with pytest.raises(ValueError, match="contains infinity"):
        DNFClassifier().fit([[np.inf], [1.0]], ["x", "y"])


# -- from a model, and elsewhere -------------------------------------------------------


def test_rules_of_a_model():
    X, y = colours()
    model = DNFWinnowClassifier(cv=None, max_term_size=2, random_state=0).fit(X, y)
    clf = to_rules(model, X, y, cv=None, price=2)
    assert clf.score(X, y) > 0.9 and clf.dnf == {d.class_: d for d in clf.dnfs_}
    assert_array_equal(clone(clf).fit(X, y).predict(X), clf.predict(X))
    pipeline = make_pipeline(FunctionTransformer(), model).fit(X, y)
    assert to_rules(pipeline, X, y, cv=None, price=2).score(X, y) > 0.9
    with pytest.raises(ValueError, match="y must be one of"):
        to_rules(model, X, np.where(y == "big", "huge", y))
    with pytest.raises(TypeError):
        to_rules(LogisticRegression(), X, y)


def test_printed_rules_of_either_class_can_be_put_back():
    """As they are printed, although the classes are numbers as text."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFClassifier(cv=None, max_term_size=2).fit(X, y)
    for otherwise in ("0", "1"):
        clf.set_params(otherwise=otherwise).fit(X, y)
        (dnf,) = clf.dnfs_
        assert str(dnf).startswith(f"class: {dnf.class_}\n")
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
    clf = DNFClassifier(random_state=0, max_term_size=2).fit(X, y)
    for text in (str(clf), clf.to_text()):
        given = DNFClassifier(text).fit(X, y)
        assert_array_equal(given.predict(X), clf.predict(X))
        assert given.otherwise_ == clf.otherwise_
        assert [d.class_ for d in given.dnfs_] == [d.class_ for d in clf.dnfs_]
    edited = str(clf).replace("red", "blu")
    with pytest.raises(ValueError, match=r"did you mean 'blue'"):
        DNFClassifier(edited).fit(X, y)


def test_small_classes_are_first_learnt_at_a_small_price():
    def learnt(n_classes, n_rows):
        y = np.repeat(np.arange(n_classes).astype(str), n_rows)
        # The second column tells samples apart.
        X = pd.DataFrame({"a": y, "b": [f"v{i}" for i in range(len(y))]})
        with pytest.warns(UserWarning, match="identifier"):
            clf = DNFClassifier(random_state=0).fit(X, y)
        return clf.validation_[0]["price"], clf.score(X, y)

    # A price of 2 would leave classes of five samples without rules.
    assert learnt(n_classes=21, n_rows=5) == (0.5, 1.0)
    assert learnt(n_classes=2, n_rows=50) == (2.0, 1.0)


def test_few_literals_are_the_best_ones():
    """One condition of three classes: as good as the best of all."""
    letters = np.random.RandomState(0).choice(list("abcdefghij"), 200)
    y = np.array([ord(letter) % 3 for letter in letters])
    X = letters[:, None].astype(object)
    best = max(
        np.bincount(y[letters == letter]).max()
        + np.bincount(y[letters != letter]).max()
        for letter in "abcdefghij"
    )
    for price in (0.001, 0.01, 1.0):
        clf = quick(max_literals=1, price=price).fit(X, y)
        assert sum(len(t) for d in clf.dnfs_ for t in d.terms) == 1
        assert clf.score(X, y) >= best / 200

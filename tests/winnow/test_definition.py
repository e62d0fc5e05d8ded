"""The definition: each rule with each store and literals is Winnow over terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise

import numpy as np
import pytest
from internals.terms import _index_choice, group_terms, list_terms, number_terms
from internals.winnow import checkpoints
from lane_checks import block_of, index_of, lane, repetitions, train
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils import check_random_state
from slow_winnow import SlowWinnow, literals_of, presentations_of

from sklearn_dnfwinnow import DNFWinnowClassifier

RULES = {
    "no margin": {"margin": 0.0},
    "margin": {"margin": 0.4},
    "residual": {"scale": 8.0},
    "steep residual": {"scale": 60.0, "alpha": 2.0},
}
INDICES = {
    "lists": list_terms,
    "numbers": number_terms,
    "groups": lambda rows, n_values, size, log_beta: group_terms(rows, log_beta),
}
SAMPLERS = "auto", "exact", "brute_force"
SIDES = pytest.mark.parametrize("multi_class", ["joint", "ovr"])


def noisy_table(n_rows=30, n_features=4, n_classes=3, seed=0):
    """Letters and numbers with gaps; classes follow from them, but for some noise."""
    random = np.random.RandomState(seed)
    X = random.choice(list("abc"), size=(n_rows, n_features)).astype(object)
    y = ((X == "a").sum(axis=1) + (random.random_sample(n_rows) < 0.2)) % n_classes
    X[:, 1] = random.randint(8, size=n_rows).astype(float) * (X[:, 0] != "a")
    X[random.random_sample(X.shape) < 0.1] = None
    return X, np.array(["no", "yes", "zen", "zoo"])[y]


def classifier(**params):
    """A classifier of one setting."""
    given = {"alpha": 1.2, "max_iter": 4, "cv": None, "literals": "equal"}
    given |= {"discretizer": None, "threshold": 20.0, "random_state": 0}
    return DNFWinnowClassifier(**{**given, **params})


class ByHand:
    """The slow training of the rows that a classifier has learned."""

    def __init__(self, clf, X, y, weights=None):
        values = [[v for v in column if v is not None] for column in clf.categories_]
        ranks = [{v: i for i, v in enumerate(column)} for column in values]
        # Values of rows without weight are not known.
        rows = [tuple(r.get(v, -1) for v, r in zip(x, ranks)) for x in X]
        distinct = sorted(set(rows))
        self.places = [distinct.index(row) for row in rows]
        self.labels = np.searchsorted(clf.classes_, y)
        self.weights = np.ones(len(y)) if weights is None else weights
        self.words = [
            tuple(None if i < 0 else v[i] for v, i in zip(values, row))
            for row in distinct
        ]
        self.winnow = SlowWinnow(
            rows=[literals_of(row, values, clf.literals_) for row in self.words],
            n_classes=len(clf.classes_),
            alpha=clf.alpha_,
            literal_weight=clf.literal_weight_,
            log_threshold=clf.log_threshold_,
            max_term_size=clf.max_term_size_,
            joint=clf.multi_class == "joint",
            average=clf.average,
            margin=clf.margin_,
            scale=clf.scale_ if clf.margin_ is None else None,
        )

    def fit(self, max_iter):
        """Train as `fit`, in the orders of random_state=0."""
        given = presentations_of(self.places, self.labels, self.weights)
        seed = check_random_state(0).randint(np.iinfo(np.int32).max)
        random = np.random.RandomState(seed)
        orders = [random.permutation(len(given)) for _ in range(max_iter)]
        return self.winnow.train(given, orders, checkpoints(max_iter))

    def check(self, clf, X, net, updates):
        """Compare updates, exponents and scores."""
        assert_array_equal(clf.n_updates_, updates)
        values = [[None, *column] for column in clf.categories_]
        exponents = clf.net_promotion_counts_.T / clf.denominator_
        found = {
            tuple(column[code] for column, code in zip(values, row)): exponent
            for row, exponent in zip(clf.stored_examples_, exponents)
        }
        for row, expected in zip(self.words, net):
            exponent = found.pop(row, np.zeros(len(expected)))
            assert_allclose(exponent, expected, rtol=1e-12, atol=1e-12)
        assert not found and np.abs(net).sum() > 1
        sums = np.array([self.winnow.log_sums(place, net) for place in self.places])
        scores = sums - clf.log_threshold_
        assert_allclose(clf.log_weighted_sums(X), scores, rtol=1e-9, atol=1e-9)


def check_fit(clf, X, y, weights=None):
    by_hand = ByHand(clf.fit(X, y, sample_weight=weights), X, y, weights)
    by_hand.check(clf, X, *by_hand.fit(clf.max_iter))
    return clf


# -- rules and stores ------------------------------------------------------------------


@SIDES
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [None, 2])
@pytest.mark.parametrize("store", [*INDICES, *SAMPLERS])
def test_each_rule_with_each_store(store, size, rule, multi_class, monkeypatch):
    if store == "groups" and size is not None:
        pytest.skip("groups are of terms of any size")
    if store in INDICES:

        def index(rows, n_values, max_term_size, log_beta, may_group):
            return INDICES[store](rows, n_values, max_term_size, log_beta)

        monkeypatch.setattr(_index_choice, "term_index", index)
    params = {**RULES[rule], "max_term_size": size, "multi_class": multi_class}
    params["sampler"] = "table" if store in INDICES else store
    weights = np.random.RandomState(0).choice([0, 0.25, 0.5, 1, 2.5, 7], 30)
    for n_classes in (2, 3):
        X, y = noisy_table(n_classes=n_classes, seed=n_classes)
        clf = classifier(**params, average=n_classes == 3)
        check_fit(clf, X, y, weights if n_classes == 2 else None)


@SIDES
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("literals", ["ordered", "intervals"])
@pytest.mark.parametrize("sampler", ["auto", "exact"])
def test_each_rule_with_each_kind_of_literals(sampler, literals, rule, multi_class):
    X, y = noisy_table(n_features=3)
    params = {**RULES[rule], "literals": literals, "multi_class": multi_class}
    clf = classifier(**params, sampler=sampler, max_term_size=2)
    check_fit(clf, X, y)
    # A value that was not seen says nothing, not even what it is not.
    new = X[:1].copy()
    new[0, 1] = 99.0
    gap = new.copy()
    gap[0, 1] = None
    assert_array_equal(clf.log_weighted_sums(new), clf.log_weighted_sums(gap))


@SIDES
@pytest.mark.parametrize("rule", ["margin", "residual"])
def test_training_that_ends_before_its_last_epoch(rule, multi_class):
    X = np.array([[a, b, c] for a in "xy" for b in "xyz" for c in "xyz"], dtype=object)
    y = (X[:, 0] == "x") & (X[:, 1] == X[:, 2])
    params = {**RULES[rule], "alpha": 1.5, "threshold": "auto"}
    params |= {"multi_class": multi_class}
    if rule == "residual":
        params["scale"] = 50.0
    clf = check_fit(classifier(**params, average=True, max_iter=200), X, y)
    assert clf.n_iter_ < 200 and not clf.n_updates_[-1].any()


def test_another_setting_is_seen():
    X, y = noisy_table()
    clf = classifier(**RULES["residual"]).fit(X, y)
    by_hand = ByHand(clf, X, y)
    for name, value in (("alpha", 1.21), ("literal_weight", 0.51), ("scale", 7.9)):
        other = ByHand(clf, X, y)
        setattr(other.winnow, name, value)
        other.winnow.__post_init__()
        with pytest.raises(AssertionError):
            other.check(clf, X, *other.fit(clf.max_iter))
    by_hand.check(clf, X, *by_hand.fit(clf.max_iter))


# -- batches ---------------------------------------------------------------------------


@SIDES
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("sampler", ["auto", "exact"])
def test_batches_are_presented_in_their_order(sampler, rule, multi_class):
    X, y = noisy_table()
    # All values and classes are known from the start.
    X, y = np.concatenate([X[-10:], X]), np.concatenate([y[-10:], y])
    weights = np.random.RandomState(0).choice([0.5, 1, 2, 3], len(y))
    params = {**RULES[rule], "multi_class": multi_class, "sampler": sampler}
    clf = classifier(**params, literal_weight=0.5, max_term_size=3)
    ends = [0, 10, 11, 30, len(y)]
    updates = []
    for start, end in pairwise(ends):
        rows = slice(start, end)
        classes = np.unique(y)
        clf.partial_fit(X[rows], y[rows], classes, sample_weight=weights[rows])
        updates.append(clf.n_updates_.sum(axis=0))
    by_hand = ByHand(clf, X, y)
    by_hand.winnow.average = False
    given = [
        (place, label, part)
        for place, label, weight in zip(by_hand.places, by_hand.labels, weights)
        for part in [1.0] * int(weight) + [weight % 1]
        if part
    ]
    net, expected = by_hand.winnow.train(given, [range(len(given))], [1])
    assert_array_equal(updates[-1], expected.sum(axis=0))
    by_hand.check(clf, X, net, clf.n_updates_)


# -- lanes -----------------------------------------------------------------------------

LANE_RULES = {
    "no margin": {"margin": 0.0},
    "margin": {"margin": 0.4},
    "residual": {"margin": None, "scale": 6.0},
    "steep residual": {"margin": None, "scale": 25.0},
}


def slow_lane(rows, one, index, average):
    """What a lane has to learn: exponents of the rows of the index, and updates."""
    candidate = one.candidate
    winnow = SlowWinnow(
        rows=[[(j, code) for j, code in enumerate(row) if code] for row in index.rows],
        n_classes=rows.labels.max() + 1,
        alpha=candidate.alpha,
        literal_weight=candidate.literal_weight,
        log_threshold=one.log_threshold,
        max_term_size=candidate.max_term_size,
        joint=one.joint,
        average=average,
        margin=candidate.margin,
        scale=candidate.scale if candidate.margin is None else None,
    )
    given, orders = [], [[] for _ in range(rows.n_epochs)]
    places = index.positions(rows.codes)
    for order, epoch in zip(rows.orders(), orders):
        for i in order:
            whole, rest = divmod(rows.units[i], rows.one)
            for part in [1.0] * whole + [rest / rows.one] * bool(rest):
                epoch.append(len(given))
                given.append((places[i], rows.labels[i], part))
    return winnow.train(given, orders, checkpoints(rows.n_epochs))


@pytest.mark.parametrize("joint", [True, False], ids=["joint", "ovr"])
@pytest.mark.parametrize("rule", LANE_RULES)
@pytest.mark.parametrize("size", [1, 2, None])
@pytest.mark.parametrize("kind", INDICES)
def test_each_rule_in_a_lane(kind, size, rule, joint):
    if kind == "groups" and size is not None:
        pytest.skip("groups are of terms of any size")
    for n_classes, average in ((2, True), (3, False), (5, True)):
        rows = repetitions(n_classes, n_classes=n_classes, fractions=n_classes == 3)
        one = lane(LANE_RULES[rule], joint=joint, max_term_size=size)
        index = index_of(rows, kind, size)
        block = train(block_of(rows, [one], index, average=average), rows.n_epochs)
        expected, updates = slow_lane(rows, one, index, average)
        assert_array_equal(np.stack(block.mistakes)[:, 0], updates)
        net_counts, times = block.net_counts(0)
        found = net_counts / (times * one.rule.parts * rows.one)
        assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
        assert updates.sum() > len(rows.labels) / 2

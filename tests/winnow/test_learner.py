"""The learner, against Winnow over explicit terms: joint, margins, averages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from class_checks import (
    EVERY,
    all_classes,
    as_estimates,
    ones,
    state_of,
    summation_by,
    trained,
)
from encoding_checks import encoding_of
from internals.kernels import _kernels
from internals.winnow import (
    ClassState,
    Repetitions,
    _implicit_weights,
    _term_table,
    checkpoints,
)
from numpy.testing import assert_allclose, assert_array_equal
from reference import orders, plain_winnow
from sklearn.base import clone

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.samplers import BruteForce


def noisy_table(n_samples=60, n_features=4, n_classes=3, seed=0):
    """Letters with gaps, and classes that follow from them, but for some noise."""
    random = np.random.RandomState(seed)
    X = random.choice(list("abc"), size=(n_samples, n_features)).astype(object)
    y = ((X == "a").sum(axis=1) + (random.random_sample(n_samples) < 0.1)) % n_classes
    X[random.random_sample(X.shape) < 0.1] = None
    return X, np.array(["no", "yes", "zen", "zoo"])[y]


# -- against explicit terms ------------------------------------------------------------


def intervals_of(value, values):
    """The intervals of a number: of halves, of quarters, and so on."""
    values, n = sorted(values), 2
    while n < len(values):
        ends = [len(values) * i // n for i in range(n + 1)]
        for first, last in pairwise(ends):
            if value in values[first:last]:
                yield n, values[first], values[last - 1]
        n *= 2


def literals_of(row, values, kind):
    """What a row satisfies, attribute by attribute, in words."""
    found = []
    for j, value in enumerate(row):
        if value is None or value not in values[j]:
            continue
        found.append((j, "==", value))
        if kind == "equal" or len(values[j]) <= 2:
            continue
        if kind == "intervals":
            if not isinstance(value, str):
                found += [(j, "in", one) for one in intervals_of(value, values[j])]
        elif kind == "ordered" and not isinstance(value, str):
            for cut in sorted(values[j])[:-1]:
                found.append((j, "<=" if value <= cut else ">", cut))
        else:
            found += [(j, "!=", other) for other in values[j] if other != value]
    return found


def winnow_by_hand(X, y, clf, n_epochs):
    """Winnow over explicit terms, from the definitions; the scores of the rows of X.

    Rows are presented as in `fit`: sorted by their codes, in the order of each epoch.
    """
    values = [[v for v in column if v is not None] for column in clf.categories_]
    ranks = [{v: i for i, v in enumerate(c)} for c in values]
    key = [tuple(-1 if v is None else r[v] for v, r in zip(x, ranks)) for x in X]
    in_order = np.array(sorted(range(len(X)), key=lambda i: (key[i], y[i])))
    satisfied = [literals_of(x, values, clf.literals_) for x in X]
    terms = {}
    inside = []
    cap = clf.max_term_size_
    for literals in satisfied:
        sizes = range(min(len(literals), cap or len(literals)) + 1)
        mine = [t for size in sizes for t in combinations(literals, size)]
        inside.append([terms.setdefault(t, len(terms)) for t in mine])
    beta = clf.literal_weight
    if beta == "auto":
        beta = X.shape[1] ** -0.5
    priors = np.array([beta ** len(t) for t in terms])
    net_counts = np.zeros((len(clf.classes_), len(terms)))
    log_theta = clf.log_threshold_

    def scores(i, net_counts):
        weights = priors[inside[i]] * clf.alpha_ ** net_counts[:, inside[i]]
        return np.log(weights.sum(axis=1)) - log_theta

    average, n_averaged = np.zeros_like(net_counts), 0
    ends = checkpoints(n_epochs)
    counts = []
    done = np.zeros(len(clf.classes_), dtype=bool)
    for epoch, order in enumerate(orders(len(X), n_epochs), start=1):
        wrong = np.zeros(len(clf.classes_), dtype=int)
        for i in in_order[order]:
            k = np.flatnonzero(clf.classes_ == y[i])[0]
            now = scores(i, net_counts)
            steps = np.zeros(len(now))
            if clf.multi_class == "joint":
                behind = now > now[k] - max(clf.margin_, 1e-11)
                behind[k] = False
                if behind.any():
                    steps[behind], steps[k] = -1, 1
            else:
                steps[now >= -clf.margin_ - 1e-11] = -1
                steps[k] = now[k] < clf.margin_ - 1e-11
                steps[done] = 0
            for j in np.flatnonzero(steps):
                net_counts[j, inside[i]] += steps[j]
            wrong += steps != 0
        counts.append(wrong)
        average += net_counts
        n_averaged += 1
        if clf.multi_class == "joint" and not wrong.any():
            left = next(end for end in ends if end >= epoch) - epoch
            average, n_averaged = average + left * net_counts, n_averaged + left
            break
        done |= wrong == 0
        if done.all():
            break
        if epoch in ends and epoch < n_epochs:
            average[:], n_averaged = 0, 0
    final = average / n_averaged if clf.average else net_counts
    return counts, np.array([scores(i, final) for i in range(len(X))])


@pytest.mark.slow_beyond(6)
@pytest.mark.parametrize(
    ("multi_class", "average"), [("joint", True), ("joint", False), ("ovr", False)]
)
@pytest.mark.parametrize("margin", [0.0, 0.4])
@pytest.mark.parametrize("sampler", ["auto", "exact", "brute_force"])
def test_the_learner_is_winnow_over_explicit_terms(
    sampler, multi_class, margin, average
):
    X, y = noisy_table()
    clf = DNFWinnowClassifier(
        sampler=sampler,
        multi_class=multi_class,
        margin=margin,
        average=average,
        alpha=1.3,
        max_iter=7,
        cv=None,
        random_state=0,
    ).fit(X, y)
    counts, scores = winnow_by_hand(X, y, clf, 7)
    assert_array_equal(clf.n_updates_, counts)
    assert_allclose(clf.log_weighted_sums(X), scores, atol=1e-9)


@pytest.mark.parametrize("max_term_size", [1, 2, None])
@pytest.mark.parametrize("literals", ["ordered", "intervals"])
def test_literals_are_terms_in_their_own_right(literals, max_term_size):
    X, y = noisy_table(n_features=3, seed=1)
    numbers = np.array([np.nan if v is None else "cab".index(v) for v in X[:, 0]])
    X[:, 1] = [None if v != v else float(v) for v in numbers]
    clf = DNFWinnowClassifier(
        literals=literals,
        max_term_size=max_term_size,
        max_iter=4,
        cv=None,
        random_state=0,
    ).fit(X, y)
    counts, scores = winnow_by_hand(X, y, clf, 4)
    assert_array_equal(clf.n_updates_, counts)
    assert_allclose(clf.log_weighted_sums(X), scores, atol=1e-9)
    # A value that was not seen says nothing, not even what it is not.
    new = X[:1].copy()
    new[0, 0] = "new"
    gap = new.copy()
    gap[0, 0] = None
    assert_allclose(clf.log_weighted_sums(new), clf.log_weighted_sums(gap))


def test_averages_of_classes_that_stop_at_different_times():
    X, y = noisy_table(seed=3)
    params = {
        "multi_class": "ovr",
        "max_iter": 6,
        "cv": None,
        "random_state": 0,
        "alpha": 1.4,
    }
    # The epochs of the last stretch one by one: 5 and 6, after the checkpoint at 4.
    fifth = DNFWinnowClassifier(average=False, **{**params, "max_iter": 5}).fit(X, y)
    sixth = DNFWinnowClassifier(average=False, **params).fit(X, y)
    assert fifth.n_iter_ == 5 and sixth.n_iter_ == 6
    mean = DNFWinnowClassifier(average=True, **params).fit(X, y)
    wanted = {}
    for clf in (fifth, sixth):
        for update, net_counts in zip(
            clf.stored_examples_.tolist(), clf.net_promotion_counts_.T
        ):
            wanted[tuple(update)] = wanted.get(tuple(update), 0) + net_counts / 2
    found = zip(
        mean.stored_examples_.tolist(), mean.net_promotion_counts_.T / mean.denominator_
    )
    for update, net_counts in found:
        assert_array_equal(net_counts, wanted.pop(tuple(update)))
    assert not np.any(list(wanted.values()))
    assert mean.net_promotion_counts_.dtype == np.int64 and mean.denominator_ == 2


def test_two_classes_together_are_balanced_winnow():
    X, y = noisy_table(n_classes=2)
    clf = DNFWinnowClassifier(cv=None, random_state=0).fit(X, y)
    assert_array_equal(clf.net_promotion_counts_[0], -clf.net_promotion_counts_[1])
    assert clf.net_promotion_counts_.any()


# -- joint presentations ---------------------------------------------------------------


def joint_models(X, y, levels, monkeypatch, **params):
    """The same training by the kernel, at each level, and call by call."""
    params = {"max_iter": 5, "random_state": 0, "cv": None, **params}
    for level in levels:
        monkeypatch.setattr(
            _term_table, "term_table", _kernels.kernel("_term_table", level)
        )
        yield DNFWinnowClassifier(sampler="table", **params)
    yield DNFWinnowClassifier(sampler="brute_force", **params)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"margin": 0.0},
        {"alpha": 3.0, "margin": 2.0},
        {"max_term_size": 2},
        {"average": False},
        {"max_stored_examples": 8},
        {"max_stored_examples": 8, "average": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_kernel_does_as_single_calls_do(n_classes, params, monkeypatch):
    X, y = noisy_table(n_classes=n_classes, n_features=5, seed=4)
    weights = np.random.RandomState(0).randint(1, 8, len(y)) / 2
    models = []
    for clf in joint_models(X, y, _kernels.levels(), monkeypatch, **params):
        clf.fit(X, y, sample_weight=weights)
        clf.partial_fit(X[:20], y[:20])
        models.append(
            (
                clf.stored_examples_.tolist(),
                clf.net_promotion_counts_.tolist(),
                clf.n_updates_.tolist(),
                clf.denominator_,
            )
        )
        if "max_stored_examples" in params and not params.get("average", True):
            assert (clf.net_promotion_counts_ != 0).sum(axis=1).max() <= 8
    assert all(model == models[0] for model in models)
    assert np.sum(models[0][2]) > 0


def test_bounds_spare_sums_and_change_nothing(monkeypatch):
    data = load_monks(1, subset="train")
    params = {"cv": None, "max_iter": 12, "random_state": 0}
    clf = DNFWinnowClassifier(**params).fit(data.data, data.target)
    assert clf.sums_["skipped"] > 0.05 * clf.sums_["full"]
    # Sums that are said to be estimates bound nothing.
    monkeypatch.setattr(_implicit_weights._Ask, "__call__", as_estimates)
    slow = DNFWinnowClassifier(sampler="brute_force", **params)
    slow.fit(data.data, data.target)
    assert slow.sums_["skipped"] == 0 < slow.sums_["full"]
    assert slow.net_promotion_counts_.tolist() == clf.net_promotion_counts_.tolist()


@pytest.mark.slow
def test_exponents_that_outgrow_their_integers(monkeypatch):
    # A single row of great weight, against its own duplicates of the other class.
    X = [["a", "x"], ["a", "x"], ["b", "x"]]
    clf = DNFWinnowClassifier(
        cv=None,
        average=False,
        margin=10.0,
        alpha=1.0001,
        max_iter=2,
        random_state=0,
    )
    clf.fit(X, [0, 1, 1], sample_weight=[40_000, 2, 1])
    slow = DNFWinnowClassifier(**{**clf.get_params(), "sampler": "brute_force"})
    slow.fit(X, [0, 1, 1], sample_weight=[40_000, 2, 1])
    assert np.abs(clf.net_promotion_counts_).max() > 2**15
    assert_array_equal(clf.net_promotion_counts_, slow.net_promotion_counts_)


# -- averages, checkpoints, literals ---------------------------------------------------


def test_checkpoints():
    assert checkpoints(1) == [1]
    assert checkpoints(20) == [2, 4, 8, 12, 16, 20]
    assert checkpoints(96) == [2, 4, 8, 12, 16, 24, 32, 48, 64, 96]
    for n in range(1, 200):
        ends = checkpoints(n)
        assert ends == sorted(set(ends)) and ends[-1] == n


def test_averages_of_stored_examples_that_come_and_go():
    """The sum over epochs of the counts at their ends, of all that were stored."""
    random = np.random.RandomState(0)
    codes = random.randint(1, 4, (12, 5)).astype(np.int32)
    rows = Repetitions(codes, np.arange(12) % 2, ones(codes), n_epochs=9, seed=0)
    summation = summation_by(BruteForce().engine())
    options = {"rule": EVERY, "summation": summation, "max_stored_examples": 5}
    states = [ClassState.empty(5)] * 2
    single = all_classes(rows, states, **options)
    ends, order = [], []
    for _ in range(3):
        trained(single, 1)
        found, counts, _ = state_of(single)[0]
        ends.append(dict(zip(map(tuple, found), counts)))
        order += [row for row in ends[-1] if row not in order]
    assert len(order) > 5 == max(map(len, ends))
    mean, _ = trained(all_classes(rows, states, average=True, **options), 3)
    assert list(map(tuple, mean.examples.tolist())) == order
    assert mean.net_counts.tolist() == [
        sum(end.get(row, 0) for end in ends) for row in order
    ]
    assert mean.times == 3


def test_codes_of_literals():
    codes = np.array([[1, 2], [3, 1], [0, 0]], dtype=np.int32)
    categories = [np.array([2.0, 5.0, 1.0]), np.array(["a", "b"], dtype=object)]
    assert encoding_of(categories, "equal").with_literals(codes) is codes
    words = [np.array(["v", "w", "u"], dtype=object), categories[1]]
    ordered = encoding_of(words, "ordered")
    assert ordered.with_literals(codes).dtype == np.int32
    assert ordered.with_literals(codes)[:, 2:].tolist() == [
        [0, 1, 1],
        [1, 1, 0],
        [0, 0, 0],
    ]
    assert ordered.n_values.tolist() == [3, 2, 1, 1, 1]
    # Cuts behind 1 and 2.
    ordered = encoding_of(categories, "ordered")
    assert ordered.with_literals(codes)[:, 2:].tolist() == [[2, 1], [1, 1], [0, 0]]
    assert ordered.n_values.tolist() == [3, 2, 2, 2]
    gap = encoding_of([np.array([2.0, 5.0, np.nan]), categories[1]], "ordered")
    assert gap.with_literals(codes)[:, 2:].tolist() == [[1], [0], [0]]


def test_many_values_have_no_other_literals():
    codes = np.arange(32, dtype=np.int32)[:, None]
    for n_values, n_columns in ((32, 33), (33, 1)):
        categories = [np.array(list(map(str, range(n_values))), dtype=object)]
        ordered = encoding_of(categories, "ordered")
        n_found = ordered.with_literals(codes).shape[1]
        assert n_found == len(ordered.n_values) == n_columns


@pytest.mark.parametrize("literals", ["ordered", "intervals"])
def test_new_values_make_new_literals(literals):
    X = [[1.0, "a"], [2.0, "b"], [3.0, "c"], [4.0, "a"]] * 3
    y = [0, 1, 1, 0] * 3
    clf = DNFWinnowClassifier(literals=literals, random_state=0)
    for start in (0, 2, 4):
        clf.partial_fit(X[start : start + 4], y[start : start + 4], classes=[0, 1])
    assert clf.stored_examples_.shape[1] == 2
    scores = clf.log_weighted_sums(X)
    # What a table that knows of all values from the start makes of the same updates.
    whole = DNFWinnowClassifier(literals=literals, random_state=0)
    whole.fit(X, y)
    decoded = [
        [values[code - 1] for values, code in zip(clf.categories_, update)]
        for update in clf.stored_examples_
    ]
    decoded = np.array(decoded, dtype=object)
    decoded[:, 0] = decoded[:, 0].astype(float)
    columns = [decoded[:, 0].astype(float), decoded[:, 1]]
    examples = whole._model.encoding.encode(columns, str)
    examples = replace(clf._model.stored, examples=examples)
    whole._model = replace(
        whole._model, stored=examples, weighting=clf._model.weighting
    )
    assert_allclose(whole.log_weighted_sums(X), scores, atol=1e-9)


def test_complements_find_what_equality_does_not():
    errors = {"equal": [], "ordered": []}
    for seed in range(6):
        X = np.random.RandomState(seed).randint(8, size=(2060, 6)).astype(str)
        y = (X[:, :3] != "0").all(axis=1)
        for literals, found in errors.items():
            clf = DNFWinnowClassifier(literals=literals, cv=None, random_state=0)
            found.append(1 - clf.fit(X[:60], y[:60]).score(X[60:], y[60:]))
    assert np.mean(errors["ordered"]) < 0.7 * np.mean(errors["equal"])


# -- settings --------------------------------------------------------------------------


def test_paper_settings_are_parameters():
    settings = DNFWinnowClassifier.paper_settings()
    clf = DNFWinnowClassifier().set_params(**settings)
    assert {name: clf.get_params()[name] for name in settings} == settings
    settings["alpha"] = 7
    assert DNFWinnowClassifier.paper_settings()["alpha"] == 1.5
    X, y = noisy_table()
    paper = clf.set_params(random_state=0).fit(X, y)
    assert paper.n_iter_ <= 20 and paper.validation_ is None and paper.scale_ == 1.0
    plain = plain_winnow(random_state=0, max_term_size=None).fit(X, y)
    assert_array_equal(paper.net_promotion_counts_, plain.net_promotion_counts_)


@pytest.mark.slow
def test_class_weights_are_weights():
    X, y = noisy_table()
    # With internal cross-validation, they only are within a fold: see test_splits.py.
    by_hand = DNFWinnowClassifier(cv=None, random_state=0)
    clf = clone(by_hand).set_params(class_weight={"no": 3.0}).fit(X, y)
    by_hand.fit(X, y, sample_weight=np.where(y == "no", 3.0, 1.0))
    assert_array_equal(clf.net_promotion_counts_, by_hand.net_promotion_counts_)
    online = DNFWinnowClassifier(class_weight={"no": 2}, random_state=0)
    online.partial_fit(X, y, classes=np.unique(y))
    again = DNFWinnowClassifier(random_state=0)
    again.partial_fit(
        X, y, classes=np.unique(y), sample_weight=np.where(y == "no", 2, 1)
    )
    assert_array_equal(online.net_promotion_counts_, again.net_promotion_counts_)
    # Fifty rows of each class, in effect.
    counts = {label: (y == label).sum() for label in np.unique(y)}
    balanced = {label: len(y) / (3 * count) for label, count in counts.items()}
    ours = DNFWinnowClassifier(class_weight="balanced", random_state=0).fit(X, y)
    same = DNFWinnowClassifier(class_weight=balanced, random_state=0).fit(X, y)
    assert_array_equal(ours.net_promotion_counts_, same.net_promotion_counts_)


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ({"no": -1.0}, "class_weight must contain finite numbers that are not"),
        ({"no": np.nan}, "class_weight must contain finite numbers"),
        ({"other": 1.0}, "are not in class_weight"),
        ("even", "The 'class_weight' parameter"),
    ],
)
def test_bad_class_weights(class_weight, message):
    X, y = noisy_table()
    with pytest.raises(ValueError, match=message):
        DNFWinnowClassifier(class_weight=class_weight).fit(X, y)


def test_balanced_is_not_for_batches():
    X, y = noisy_table()
    clf = DNFWinnowClassifier(class_weight="balanced")
    with pytest.raises(ValueError, match="'balanced' is not supported for partial_fit"):
        clf.partial_fit(X, y, classes=np.unique(y))
    assert not hasattr(clf, "classes_")

"""Long streams: forgetting, batches, new values; calls that fail change nothing."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import gc
import pickle
import time
import tracemalloc
import warnings

import numpy as np
import pytest
from internals.winnow import _training
from numpy.testing import assert_allclose, assert_array_equal
from reference import interrupt_after, log_sum, plain_winnow
from sklearn.base import clone

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers, make_dnf

CLASSES = ["no", "yes", "zen"]


def noisy_stream(n_samples=150, n_features=4, seed=0):
    """Labels that nobody can learn, so that there are many updates."""
    random = np.random.RandomState(seed)
    X = random.choice(list("abc"), size=(n_samples, n_features))
    X[:3] = np.array(list("abc"))[:, None]
    return X, random.choice(CLASSES, size=n_samples)


def stream_in(clf, X, y, batch_size, **options):
    for start in range(0, len(y), batch_size):
        batch = slice(start, start + batch_size)
        rows = {name: values[batch] for name, values in options.items()}
        clf.partial_fit(X[batch], y[batch], classes=CLASSES, **rows)
    return clf


def by_definition(X, positive, max_stored_examples, alpha=1.5):
    """Exponents by update, of one class, row by row; and how often it forgot."""
    net_counts, n_forgotten = {}, 0
    # prod(k + 1), less what sums of logarithms may differ by.
    log_theta = X.shape[1] * np.log(4) - 1e-9
    for row, yes in zip(X, positive):
        above = (
            len(row) * np.log(2)
            if not net_counts
            else log_sum(
                np.array(list(net_counts)) == row, list(net_counts.values()), alpha, 1.0
            )
        ) >= log_theta
        if above == yes:
            continue
        key = tuple(row.tolist())
        net_counts[key] = net_counts.get(key, 0) + (1 if yes else -1)
        if max_stored_examples is not None and len(net_counts) > max_stored_examples:
            n_kept = max_stored_examples - max_stored_examples // 20
            arrived = list(net_counts)
            order = sorted(
                arrived, key=lambda u: (abs(net_counts[u]), arrived.index(u))
            )
            gone = {u: net_counts.pop(u) for u in order[: len(order) - n_kept]}
            n_forgotten += len(gone)
            for update, count in gone.items():
                # The first of those that share most values.
                nearest = max(
                    net_counts, key=lambda u: sum(a == b for a, b in zip(u, update))
                )
                net_counts[nearest] += count
    return net_counts, n_forgotten


def exponents_of(clf, label):
    """Exponents by update, those of zero left out."""
    own = clf.net_promotion_counts_[list(clf.classes_).index(label)]
    values = [
        tuple(categories[code - 1] for categories, code in zip(clf.categories_, row))
        for row in clf.stored_examples_
    ]
    return {value: c for value, c in zip(values, own.tolist()) if c}


def state(clf):
    """All attributes, comparable and in order."""
    return {name: pickle.dumps(value) for name, value in vars(clf).items()}


# -- the rule --------------------------------------------------------------------------


@pytest.mark.parametrize("max_stored_examples", [1, 10, 23])
def test_forgetting_is_what_it_says(max_stored_examples):
    X, y = noisy_stream()
    clf = plain_winnow(max_stored_examples=max_stored_examples)
    clf.partial_fit(X, y, classes=CLASSES)
    for label in CLASSES:
        expected, n_forgotten = by_definition(X, y == label, max_stored_examples)
        assert n_forgotten >= 2 * (max_stored_examples // 20 + 1)
        assert exponents_of(clf, label) == {u: c for u, c in expected.items() if c}
    assert len(clf.stored_examples_) <= 3 * max_stored_examples


@pytest.mark.parametrize(
    ("sampler", "max_term_size"),
    [("auto", None), ("auto", 2), ("table", None), ("exact", None), ("brute_force", 2)],
)
def test_model_depends_on_the_rows_alone(sampler, max_term_size):
    X, y = noisy_stream()
    models = [
        stream_in(
            plain_winnow(
                sampler=sampler,
                max_term_size=max_term_size,
                max_stored_examples=12,
                n_jobs=n_jobs,
            ),
            X,
            y,
            batch_size=batch_size,
        )
        for batch_size, n_jobs in ((150, None), (150, 2), (40, 2), (7, None))
    ]
    reference = plain_winnow(
        sampler="auto", max_term_size=max_term_size, max_stored_examples=12
    ).partial_fit(X, y, classes=CLASSES)
    for clf in models:
        assert_array_equal(clf.stored_examples_, reference.stored_examples_)
        assert_array_equal(clf.net_promotion_counts_, reference.net_promotion_counts_)
        assert clf.n_updates_.sum(axis=0).tolist() == reference.n_updates_[0].tolist()


def test_row_by_row_with_weights():
    # Fractional ones too: what was stored before is counted in the new units. The
    # threshold 'auto' would grow while the first values come.
    X, y = noisy_stream(90)
    weights = np.random.RandomState(1).choice([1, 2, 3, 0.5, 0.25], size=90)
    weights[:30] = np.ceil(weights[:30])
    make = plain_winnow(max_stored_examples=10, threshold=256.0)
    once, single = (
        stream_in(clone(make), X, y, batch_size, sample_weight=weights)
        for batch_size in (90, 1)
    )
    assert once.denominator_ == single.denominator_ == 4
    assert_array_equal(once.stored_examples_, single.stored_examples_)
    assert_array_equal(once.net_promotion_counts_, single.net_promotion_counts_)
    whole = np.ceil(weights).astype(int)
    weighed = stream_in(clone(make), X, y, 90, sample_weight=whole)
    repeated = stream_in(clone(make), X.repeat(whole, axis=0), y.repeat(whole), 500)
    assert_array_equal(weighed.stored_examples_, repeated.stored_examples_)
    assert_array_equal(weighed.net_promotion_counts_, repeated.net_promotion_counts_)


def test_a_bound_out_of_reach_changes_nothing():
    X, y = noisy_stream()
    free, bounded = (
        plain_winnow(max_stored_examples=most, max_iter=4, random_state=0).fit(X, y)
        for most in (None, 150)
    )
    assert_array_equal(free.net_promotion_counts_, bounded.net_promotion_counts_)
    assert_array_equal(free.stored_examples_, bounded.stored_examples_)


def test_fit_forgets_too():
    X, y = noisy_stream()
    tables, sums = (
        plain_winnow(
            sampler=sampler, max_stored_examples=20, max_iter=4, random_state=0
        ).fit(X, y)
        for sampler in ("table", "exact")
    )
    assert_array_equal(tables.net_promotion_counts_, sums.net_promotion_counts_)
    assert all((own != 0).sum() <= 20 for own in tables.net_promotion_counts_)
    assert tables.n_updates_.sum(axis=0).min() > 40
    # What was forgotten is forgotten by the table as well.
    again = pickle.loads(pickle.dumps(tables)).partial_fit(X, y)
    assert_array_equal(
        again.net_promotion_counts_, sums.partial_fit(X, y).net_promotion_counts_
    )


@pytest.mark.parametrize("sampler", ["table", "exact"])
def test_a_new_bound_holds_from_the_next_call_on(sampler):
    X, y = noisy_stream()
    clf = plain_winnow(sampler=sampler).partial_fit(X, y, classes=CLASSES)
    free = {label: exponents_of(clf, label) for label in CLASSES}
    assert min(map(len, free.values())) > 10
    clf.set_params(max_stored_examples=10, threshold=1e-300)
    # Far above the threshold: whatever class it is of, only the others are wrong.
    clf.partial_fit(X[:1], y[:1])
    for label in CLASSES:
        own = exponents_of(clf, label)
        assert len(own) <= 10
        # Those with the largest counts stay, and take over the other counts.
        strongest = sorted(free[label], key=lambda u: -abs(free[label][u]))
        smallest = abs(free[label][strongest[9]])
        others = own.keys() - {tuple(X[0].tolist())}
        assert all(abs(free[label][u]) >= smallest for u in others)
        more = sum(own.values()) - sum(free[label].values())
        assert more in (0, -1, 1)
    # The class itself was right, and has the new bound all the same.
    assert clf.n_updates_[-1, CLASSES.index(y[0])] == 0


@pytest.mark.parametrize("max_stored_examples", [0, -1, 2.5, "many"])
def test_bad_bounds(max_stored_examples):
    X, y = noisy_stream(20)
    with pytest.raises(
        ValueError, match="'max_stored_examples' parameter of DNFWinnow"
    ):
        plain_winnow(max_stored_examples=max_stored_examples).fit(X, y)


def test_budgets_that_are_too_small_warn_once_a_call():
    X, y = make_dnf(2500, 20, noise=0.05, random_state=0)
    heard = {}
    for most in (20, 1000, None):
        clf = DNFWinnowClassifier(
            max_term_size=2, max_stored_examples=most, random_state=0
        )
        heard[most] = []
        for start in (0, 1000, 2000):
            batch = slice(start, start + 1000)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                clf.partial_fit(X[batch], y[batch], classes=[0, 1])
            heard[most].append([str(warning.message) for warning in caught])
            assert all(warning.filename == __file__ for warning in caught)
    (text,) = {text for texts in heard[20] for text in texts}
    assert [len(texts) for texts in heard[20]] == [1, 1, 1]
    assert text.startswith(
        "max_stored_examples=20 is too small for these data: more than 55%"
    )
    assert heard[1000] == heard[None] == [[], [], []]


@pytest.mark.slow
def test_streams_of_customers_keep_their_accuracy():
    """The recipe of the guide: within two points of one fit after every batch."""
    X, y = make_customers(6000, random_state=0)
    X = X.drop(columns=["customer_id", "signup_date"])
    new = slice(3000, 6000)
    clf = DNFWinnowClassifier(n_estimators=1, random_state=0).fit(X[:3000], y[:3000])
    least = clf.score(X[new], y[new]) - 0.02
    clf.set_params(max_stored_examples=1000).fit(X[:2000], y[:2000])
    for start in range(2000, 3000, 500):
        batch = slice(start, start + 500)
        clf.partial_fit(X[batch], y[batch])
        assert clf.score(X[new], y[new]) > least


# -- long ------------------------------------------------------------------------------


@pytest.mark.slow
def test_memory_is_bounded():
    X, y = noisy_stream(1500, n_features=8)
    clf = plain_winnow(max_term_size=2, max_stored_examples=30)
    sizes = []
    for start in range(0, len(y), 150):
        stream_in(clf, X[start : start + 150], y[start : start + 150], 75)
        assert len(clf.stored_examples_) <= 90
        sizes.append(len(pickle.dumps(clf)))
    assert max(sizes[2:]) < 1.3 * sizes[1]
    tracemalloc.start()
    stream_in(clf, X[:300], y[:300], 75)
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    stream_in(clf, X[300:], y[300:], 75)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    # 16 calls later; one model takes more.
    assert after - before < 20_000


def test_epochs_of_the_last_calls():
    X, y = noisy_stream(10, n_features=1)
    clf = plain_winnow(max_iter=990).fit(X, y)
    first = clf.n_updates_.copy()
    for _ in range(24):
        clf.partial_fit(X[:1], y[:1])
    assert clf.n_iter_ == 1014 and clf.n_updates_.shape == (1000, 3)
    assert_array_equal(clf.n_updates_[:976], first[14:])
    assert first[0].sum() > 0 and clf.n_updates_[-1].sum() == 0
    # One call keeps all of its own.
    clf = plain_winnow(max_iter=1030).fit(X, y)
    assert clf.n_updates_.shape == (1030, 3)


def test_new_values_in_later_batches():
    X, y = noisy_stream()
    clf = stream_in(plain_winnow(), X, y, 50)
    codes = [list(values) for values in clf.categories_]
    assert_allclose(clf.log_threshold_, 4 * np.log(4))
    # Of weight 0 they are as good as absent.
    clf.partial_fit([["x"] * 4, X[0]], ["no", y[0]], sample_weight=[0, 1])
    assert [list(values) for values in clf.categories_] == codes
    learned = {label: exponents_of(clf, label) for label in CLASSES}
    new = [["z", "a", "a", "a"], ["y", "b", "b", "b"], ["z", "a", "a", "a"]]
    clf.partial_fit(new, ["no", "no", "zen"])
    assert list(clf.categories_[0]) == [*codes[0], "y", "z"]
    assert [list(values) for values in clf.categories_[1:]] == codes[1:]
    assert_allclose(clf.log_threshold_, 3 * np.log(4) + np.log(6))
    n_new = 0
    for label in CLASSES:
        now = exponents_of(clf, label)
        assert learned[label].items() <= now.items()
        assert {update[0] for update in now.keys() - learned[label].keys()} <= {
            "y",
            "z",
        }
        n_new += len(now) - len(learned[label])
    assert n_new > 0
    # Old rows have the scores that the definition gives them.
    rows = X[:20]
    for k, label in enumerate(CLASSES):
        own = exponents_of(clf, label)
        expected = [
            log_sum(np.array(list(own)) == row, list(own.values()), 1.5, 1.0)
            for row in rows
        ]
        assert_allclose(
            clf.log_weighted_sums(rows)[:, k], np.array(expected) - clf.log_threshold_
        )


# -- all or nothing --------------------------------------------------------------------


def break_in(monkeypatch, error, n_calls=2):
    """Have the training of the second class raise."""
    calls = []

    def train(make, n_epochs, k, progress):
        calls.append(k)
        trained = original(make, n_epochs, k, progress)
        if len(calls) == n_calls:
            raise error
        return trained

    original = _training.learn
    monkeypatch.setattr(_training, "learn", train)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError("lost")])
@pytest.mark.parametrize("missing", ["unspecified", "most_frequent"])
def test_a_broken_call_changes_nothing(monkeypatch, error, missing):
    X, y = noisy_stream()
    make = plain_winnow(missing=missing, max_stored_examples=30, random_state=0)
    clf = stream_in(clone(make), X[:100], y[:100], 50)
    before = state(clf)
    new = X[100:].copy()
    new[0] = "z"
    weights = np.linspace(0.01, 2, 50)
    with monkeypatch.context() as patch:
        break_in(patch, error)
        with pytest.raises(type(error)):
            clf.partial_fit(new, y[100:], sample_weight=weights)
        assert state(clf) == before
    with monkeypatch.context() as patch:
        break_in(patch, error)
        with pytest.raises(type(error)):
            clf.fit(new[:, :3], y[100:])
        assert state(clf) == before
    # And it goes on as if nothing had been.
    other = stream_in(clone(make), X[:100], y[:100], 50)
    clf.partial_fit(new, y[100:], sample_weight=weights)
    other.partial_fit(new, y[100:], sample_weight=weights)
    assert_array_equal(clf.net_promotion_counts_, other.net_promotion_counts_)
    assert clf.log_threshold_ == other.log_threshold_ != 4 * np.log(4)


def test_a_broken_first_call_leaves_no_model(monkeypatch):
    X, y = noisy_stream()
    clf = plain_winnow()
    with monkeypatch.context() as patch:
        break_in(patch, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            clf.partial_fit(X, y, classes=CLASSES)
    assert vars(clf) == clf.get_params()
    with pytest.raises(ValueError, match="classes must be passed"):
        clf.partial_fit(X, y)


@pytest.mark.parametrize(
    ("bad", "labels", "error"),
    [
        ([["z", "z", "z", ["a"]]], ["no"], TypeError),
        ([["z", "z", "z", np.inf]], ["no"], ValueError),
        ([["z", "z", "z"]], ["no"], ValueError),
        ([["z", "z", "z", "z"]], ["maybe"], ValueError),
    ],
)
def test_a_bad_batch_changes_nothing(bad, labels, error):
    X, y = noisy_stream(60)
    clf = stream_in(plain_winnow(), X, y, 60)
    before = state(clf)
    with pytest.raises(error):
        clf.partial_fit(np.array(bad, dtype=object), labels)
    assert state(clf) == before


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize(
    "method, n_jobs", [("fit", None), ("fit", 2), ("partial_fit", 2)]
)
@pytest.mark.parametrize("options", [{"max_term_size": 3}, {"sampler": "gibbs"}])
def test_ctrl_c_stops_training(options, method, n_jobs):
    X, y = make_dnf(n_samples=3000, n_features=40, noise=0.2, random_state=0)
    make = plain_winnow(max_iter=10**6, random_state=0, n_jobs=n_jobs, **options)
    clf, uninterrupted = (
        clone(make).partial_fit(X[:50], y[:50], classes=[0, 1]) for _ in range(2)
    )
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.3):
        while True:
            getattr(clf, method)(X, y)
    # As after the calls that came to their end, which are none of `fit`.
    for _ in range(clf.n_iter_ - 1):
        uninterrupted.partial_fit(X, y)
    assert state(clf) == state(uninterrupted)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"max_term_size": 2}, {"sampler": "exact"}])
def test_threads_do_not_outlive_ctrl_c(options):
    X, y = make_dnf(n_samples=500, n_features=20, noise=0.2, random_state=0)
    clf = plain_winnow(max_iter=10**6, n_jobs=2, **options)
    with pytest.raises(KeyboardInterrupt), interrupt_after(0.3):
        clf.fit(X, y)
    idle = False
    for _ in range(50):
        before = time.process_time()
        time.sleep(0.2)
        idle = time.process_time() - before < 0.05
        if idle:
            break
    assert idle


@pytest.mark.parametrize("multi_class", ["ovr", "joint"])
def test_weights_forget_alike(multi_class):
    # Explicit and implicit ones, and the models of both go on alike.
    X, y = noisy_stream(120, n_features=5)
    models = []
    for samplers in (["table"] * 3, ["exact"] * 3, ["table", "exact", "auto"]):
        clf = plain_winnow(multi_class=multi_class, max_term_size=None)
        # Bounds may become smaller.
        bounds = (30, 15, 8)
        for sampler, bound, start in zip(samplers, bounds, range(0, 120, 40)):
            clf.set_params(sampler=sampler, max_stored_examples=bound)
            rows = slice(start, start + 40)
            clf.partial_fit(X[rows], y[rows], classes=CLASSES)
        models.append(clf)
    for clf in models[1:]:
        assert_array_equal(clf.stored_examples_, models[0].stored_examples_)
        assert_array_equal(clf.net_promotion_counts_, models[0].net_promotion_counts_)


@pytest.mark.parametrize("sampler", ["table", "exact"])
def test_bounds_beyond_64_bits_are_none(sampler):
    X, y = noisy_stream(60)
    bounded = plain_winnow(sampler=sampler, max_stored_examples=10**30, random_state=0)
    free = plain_winnow(sampler=sampler, random_state=0)
    assert_array_equal(
        bounded.fit(X, y).net_promotion_counts_, free.fit(X, y).net_promotion_counts_
    )

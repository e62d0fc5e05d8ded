"""DNFWinnowClassifier: the algorithm, its data, and its place in scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import io
import os
import pickle
import subprocess
import sys
from contextlib import redirect_stdout

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from internals.kernels import _kernels
from numpy.testing import assert_allclose, assert_array_equal
from reference import CHAINS, log_sum, plain_winnow
from scipy.special import softmax
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84, load_monks, load_tic_tac_toe
from sklearn_dnfwinnow.samplers import SAMPLERS, Gibbs
from sklearn_dnfwinnow.sums import log_weighted_sum

EXACT = [{"sampler": name} for name, cls in SAMPLERS.items() if not cls.runs_chains]
ESTIMATING = [
    {"sampler": sampler}
    for name in CHAINS
    for sampler in (name, SAMPLERS[name](tempering=True))
]
CONFIGURATIONS = EXACT + ESTIMATING


def small_table(n_samples=40, n_features=4, n_classes=3, seed=0, missing=0.1):
    random = np.random.RandomState(seed)
    X = random.choice(list("abc"), size=(n_samples, n_features)).astype(object)
    y = (X == "a").sum(axis=1) % n_classes
    X[random.random_sample(X.shape) < missing] = None
    return X, np.array(["no", "yes", "zen"])[y]


def exact(**options):
    return plain_winnow(sampler="brute_force", random_state=0, **options)


def fitted_state(clf):
    names = (
        "stored_examples_",
        "net_promotion_counts_",
        "n_updates_",
        "log_threshold_",
        "chains_",
    )
    return {name: np.asarray(getattr(clf, name)).tolist() for name in names}


def model(clf):
    """Exponents by update, whatever the order of the updates."""
    return dict(
        zip(map(tuple, clf.stored_examples_), map(tuple, clf.net_promotion_counts_.T))
    )


# -- scikit-learn's contract -----------------------------------------------------------


def test_search_over_parameters_of_a_sampler():
    X, y = small_table()
    clf = plain_winnow(sampler=Gibbs(burn_in=5), max_iter=2, random_state=0)
    grid = {"sampler__n_steps": [10, 40], "sampler__tempering": [False, True]}
    search = GridSearchCV(clf, grid, cv=2).fit(X, y)
    found = search.best_estimator_.sampler
    assert isinstance(found, Gibbs) and found.burn_in == 5
    assert found.n_steps == search.best_params_["sampler__n_steps"]
    # The sampler of the estimator that was searched for is its own.
    assert clf.sampler.n_steps == "auto"


def test_samplers_are_parameters():
    gibbs = Gibbs(n_steps=30)
    clf = DNFWinnowClassifier(sampler=gibbs)
    assert clf.sampler is gibbs and clf.get_params()["sampler__n_steps"] == 30
    assert "n_steps" not in clf.get_params()
    assert repr(clf) == "DNFWinnowClassifier(sampler=Gibbs(n_steps=30))"
    for copy in (clone(clf), pickle.loads(pickle.dumps(clf))):
        assert copy.sampler is not gibbs
        assert copy.sampler.get_params() == gibbs.get_params()
    clf.set_params(sampler__n_steps=7)
    assert gibbs.n_steps == 7
    clf.set_params(sampler="exact")
    # A name has no parameters.
    with pytest.raises(AttributeError, match="set_params"):
        clf.set_params(sampler__n_steps=7)
    with pytest.raises(TypeError, match="n_steps"):
        DNFWinnowClassifier(n_steps=7)
    with pytest.raises(ValueError, match="Invalid parameter 'n_steps'"):
        clf.set_params(n_steps=7)


def test_settings_of_the_paper():
    settings = DNFWinnowClassifier.paper_settings()
    assert "sampler" not in settings
    for name, cls in SAMPLERS.items():
        found = DNFWinnowClassifier.paper_settings(name)
        sampler = found.pop("sampler")
        assert found == settings and type(sampler) is cls
        scale = sampler.get_params().get("ladder_scale", "sum")
        assert scale == "sum"
    with pytest.raises(ValueError, match=r"sampler must be one of 'auto', .* 'gibs'"):
        DNFWinnowClassifier.paper_settings("gibs")


# -- the algorithm ---------------------------------------------------------------------


def test_scores_are_the_public_weighted_sums():
    X, y = small_table()
    clf = exact(literal_weight=0.3, alpha=1.4).fit(X, y)
    codes = clf._model.encoding.encode(list(X.T), str)
    for row, scores in zip(codes, clf.log_weighted_sums(X)):
        agreements = (clf.stored_examples_ == row)[:, row != 0]
        for net_counts, score in zip(clf.net_promotion_counts_, scores):
            expected = log_sum(agreements, net_counts, 1.4, 0.3) - clf.log_threshold_
            assert_allclose(score, expected, atol=1e-9)
            weighted_sum = log_weighted_sum(
                agreements,
                net_counts,
                alpha=1.4,
                literal_weight=0.3,
                sampler="brute_force",
            )
            assert_allclose(weighted_sum.log_value - clf.log_threshold_, expected)
    n_values = np.array([len(c) for c in clf.categories_])
    assert_allclose(clf.log_threshold_, np.log1p(0.3 * n_values).sum())


@pytest.mark.slow_beyond(4)
@pytest.mark.parametrize("options", [{"sampler": "auto"}, *ESTIMATING], ids=str)
def test_learns_the_concept(options):
    train, test = load_monks(1, subset="train"), load_monks(1, subset="test")
    clf = plain_winnow(random_state=0, max_iter=8, **options)
    clf.fit(train.data, train.target)
    assert clf.score(train.data, train.target) > 0.95
    assert clf.score(test.data, test.target) > 0.85
    # Rows would also be learned if each update was made for the other side.
    first, *_, last = clf.n_updates_.sum(axis=1)
    assert last < first / 3
    if options in EXACT:
        assert clf.chains_ == {"run": 0, "ladder": 0, "simulated": 0}
    else:
        chains = clf.chains_
        assert 0 < chains["run"] <= chains["simulated"] <= chains["ladder"]


@pytest.mark.slow
def test_realizable_dnf_is_learned_without_mistakes():
    data = load_tic_tac_toe()
    clf = plain_winnow(max_iter=60).fit(data.data, data.target)
    assert clf.n_updates_[-1].sum() == 0 and clf.n_iter_ < 60
    assert clf.score(data.data, data.target) == 1


@pytest.mark.slow
def test_early_stop_saves_chains_and_keeps_the_accuracy():
    X, y = (values[::3] for values in load_house_votes_84(return_X_y=True))
    clf = plain_winnow(
        sampler=Gibbs(ladder_scale="sum", n_steps=400),
        max_iter=3,
        n_jobs=2,
        random_state=0,
    )
    scores = {}
    for early_stop in (False, True):
        clf = clone(clf).set_params(sampler__early_stop=early_stop)
        scores[early_stop] = clf.fit(X, y).score(X, y)
        saved = clf.chains_["ladder"] - clf.chains_["run"]
        assert (saved > 0) == early_stop
    assert min(scores.values()) > 0.93


def test_numeric_threshold():
    X, y = small_table()
    clf = exact(threshold=50.0).fit(X, y)
    assert_allclose(clf.log_threshold_, np.log(50))
    assert_array_equal(
        clf.predict(X), clf.classes_[clf.decision_function(X).argmax(axis=1)]
    )


def test_scores_decision_and_probabilities():
    X, y = small_table()
    clf = exact().fit(X, y)
    scores = clf.log_weighted_sums(X)
    assert scores.shape == (40, 3)
    assert_array_equal(clf.decision_function(X), scores)
    assert_allclose(clf.predict_proba(X), softmax(scores, axis=1))
    two = exact().fit(X, y == "no")
    scores = two.log_weighted_sums(X)
    assert_array_equal(two.decision_function(X), scores[:, 1] - scores[:, 0])
    assert_array_equal(two.predict(X), two.decision_function(X) > 0)


# -- a function of (data, parameters, random_state) ------------------------------------


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_results_do_not_depend_on_jobs_batches_or_row_order(options):
    X, y = small_table(n_samples=40)
    clf = plain_winnow(random_state=3, max_iter=3, **options)
    if options in ESTIMATING:
        sampler = options["sampler"]
        chains = SAMPLERS[sampler]() if isinstance(sampler, str) else clone(sampler)
        clf.set_params(sampler=chains, sampler__n_steps=40)
    state, scores = fitted_state(clf.fit(X, y)), clf.log_weighted_sums(X)
    other = clone(clf).set_params(n_jobs=2).fit(X, y)
    assert fitted_state(other) == state
    assert_array_equal(other.log_weighted_sums(X), scores)
    order = np.random.RandomState(0).permutation(40)
    assert fitted_state(clone(clf).fit(X[order], y[order])) == state
    assert_array_equal(clf.log_weighted_sums(X[order]), scores[order])
    one_by_one = [clf.log_weighted_sums(X[i : i + 1])[0] for i in range(40)]
    assert_array_equal(one_by_one, scores)
    copy = pickle.loads(pickle.dumps(clf))
    assert_array_equal(copy.log_weighted_sums(X), scores)
    if options in ESTIMATING:
        other = clone(clf).set_params(random_state=4).fit(X, y)
        assert (other.log_weighted_sums(X) != scores).any()


@pytest.mark.slow
def test_results_do_not_depend_on_the_instruction_set():
    program = (
        "import numpy as np; from sklearn_dnfwinnow import DNFWinnowClassifier as C;"
        "X = np.random.RandomState(0).randint(3, size=(30, 5));"
        "clf = C(random_state=0, max_iter=2).fit(X, X[:, 0] == X[:, 1]);"
        "print(clf.log_weighted_sums(X).tobytes().hex())"
    )
    with redirect_stdout(io.StringIO()) as expected:
        exec(program, {})
    levels = _kernels.levels()
    usual = os.environ.get("SKLEARN_DNFWINNOW_LEVEL", levels[-1])
    other = levels[0] if usual == levels[-1] else levels[-1]
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "SKLEARN_DNFWINNOW_LEVEL": other},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert found == expected.getvalue() != ""


@pytest.mark.slow
def test_an_unknown_instruction_set_is_refused():
    result = subprocess.run(
        [sys.executable, "-c", "import sklearn_dnfwinnow"],
        env={**os.environ, "SKLEARN_DNFWINNOW_LEVEL": "mmx"},
        capture_output=True,
        text=True,
    )
    assert result.returncode != 0 and "SKLEARN_DNFWINNOW_LEVEL='mmx'" in result.stderr


@pytest.mark.parametrize("seed", [None, np.random.RandomState(0)])
def test_fresh_randomness_where_asked_for(seed):
    X, y = small_table()
    clf = plain_winnow(random_state=seed, max_iter=2)
    first = clf.fit(X, y).log_weighted_sums(X)
    assert (clf.fit(X, y).log_weighted_sums(X) != first).any()


# -- weights and repeats ---------------------------------------------------------------


def test_weights_are_repeats_for_chains():
    X, y = small_table()
    weights = np.random.RandomState(1).randint(0, 5, size=len(y))
    clf = plain_winnow(sampler="gibbs", random_state=0, max_iter=2)
    weighted = clone(clf).fit(X, y, sample_weight=weights)
    repeated = clone(clf).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert fitted_state(weighted) == fitted_state(repeated)
    online = clone(clf).partial_fit(X, y, ["no", "yes", "zen"], weights)
    again = clone(clf).partial_fit(
        X.repeat(weights, axis=0), y.repeat(weights), ["no", "yes", "zen"]
    )
    assert model(online) == model(again)


def test_fractional_weights_are_fractional_updates():
    X, y = [["a"], ["b"]], [0, 1]
    clf = exact(max_iter=1).fit(X, y, sample_weight=[0.25, 1.5])
    assert clf.denominator_ == 4
    # b is an example of 1, twice: a whole update and half of one, as long as it is
    # misjudged; a of 0, a quarter.
    positives = clf.net_promotion_counts_.max(axis=1)
    assert positives[0] == 1 and positives[1] in (4, 6)
    terms = 3
    row = clf.stored_examples_[:, 0].tolist().index(1)
    expected = np.log((1 + 1.5**0.25) if clf.net_promotion_counts_[0, row] == 1 else 2)
    assert clf.log_weighted_sums([["a"]])[0, 0] <= expected + np.log(1 / terms) + 1.0


def test_denominators_meet_in_later_batches():
    X, y = small_table(seed=2)
    clf = exact().partial_fit(X, y, classes=["no", "yes", "zen"])
    before = clf.log_weighted_sums(X)
    net_counts = clf.net_promotion_counts_.copy()
    assert clf.denominator_ == 1
    clf.partial_fit(X[:1], y[:1], sample_weight=[0.01])
    assert clf.denominator_ == 100
    old = clf.net_promotion_counts_[:, : net_counts.shape[1]]
    assert (np.abs(old - 100 * net_counts) <= 1).all()
    assert np.abs(clf.log_weighted_sums(X) - before).max() < 0.01 * np.log(1.5) + 1e-9
    clf.partial_fit(X, y)
    assert clf.denominator_ == 100


def test_rows_of_weight_zero_are_absent():
    X, y = small_table()
    extra = np.vstack([X, [["new"] * 4]])
    clf = exact().fit(extra, [*y, "other"], sample_weight=[1] * len(y) + [0])
    assert fitted_state(clf) == fitted_state(exact().fit(X, y))
    assert list(clf.classes_) == ["no", "yes", "zen"]


@pytest.mark.parametrize("label", [-1, 1, 3])
def test_a_label_of_weight_zero_only_is_no_class(label):
    X, y = [["a"], ["b"], ["c"]], [0, 2, label]
    clf = DNFWinnowClassifier(random_state=0).fit(X, y, sample_weight=[1, 1, 0])
    alone = DNFWinnowClassifier(random_state=0).fit(X[:2], y[:2])
    assert_array_equal(clf.classes_, [0, 2])
    assert_array_equal(clf.net_promotion_counts_, alone.net_promotion_counts_)


# -- online ----------------------------------------------------------------------------


def test_later_batches_bring_new_values():
    clf = exact().partial_fit([["a"], ["b"]], [0, 1], classes=[0, 1])
    small = clf.log_threshold_
    codes = clf.stored_examples_.copy()
    clf.partial_fit([["c"], ["c"]], [1, 1])
    assert list(clf.categories_[0]) == ["a", "b", "c"]
    assert_allclose([small, clf.log_threshold_], np.log([3, 4]))
    assert_array_equal(clf.stored_examples_[: len(codes)], codes)


def test_partial_fit_after_fit_goes_on():
    X, y = small_table()
    clf = exact(max_iter=2).fit(X, y)
    net_counts = np.abs(clf.net_promotion_counts_).sum()
    clf.partial_fit(X, y)
    assert clf.n_iter_ == 3 and np.abs(clf.net_promotion_counts_).sum() != net_counts
    # fit forgets.
    assert fitted_state(clf.fit(X, y)) == fitted_state(exact(max_iter=2).fit(X, y))


def test_partial_fit_texts():
    X, y = small_table()
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        exact().partial_fit(X, y)
    clf = exact().partial_fit(X, y, classes=["no", "yes", "zen"])
    with pytest.raises(ValueError, match="is not the same as on last call"):
        clf.partial_fit(X, y, classes=["no", "yes"])
    with pytest.raises(ValueError, match="classes should include all valid labels"):
        clf.partial_fit(X[:1], ["maybe"])
    with pytest.raises(ValueError, match="greater than one; got 1 class"):
        exact().partial_fit(X[:1], ["no"], classes=["no"])
    with pytest.raises(ValueError, match="X has 2 features, but DNFWinnowClassifier"):
        clf.partial_fit(X[:, :2], y)


# -- tables ----------------------------------------------------------------------------


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
def test_every_container_gives_the_same_model(missing):
    X, y = small_table()
    lists = X.tolist()
    pandas = pd.DataFrame(X, columns=list("wxyz"))
    containers = [
        lists,
        pandas,
        pandas.astype("category"),
        pandas.astype("str").where(pandas.notna()),
        pl.DataFrame(lists, schema=list("wxyz"), orient="row"),
    ]
    clf = exact(missing=missing, max_iter=3).fit(X, y)
    state, scores = fitted_state(clf), clf.log_weighted_sums(X)
    for container in containers:
        other = clone(clf).fit(container, y)
        assert fitted_state(other) == state
        assert_array_equal(other.log_weighted_sums(container), scores)


def test_unseen_and_missing_values_satisfy_no_literal():
    X, y = small_table(missing=0)
    clf = exact().fit(X, y)
    for value in ("unseen", None, np.nan, 3, pd.NA):
        row = np.array([["a", value, "b", "c"]], dtype=object)
        known = clf.log_weighted_sums([["a", None, "b", "c"]])
        assert_array_equal(clf.log_weighted_sums(row), known)
    # Nothing specified: only the empty term, alpha to all net promotions.
    nothing = clf.log_weighted_sums([[None] * 4])[0] + clf.log_threshold_
    assert_allclose(nothing, clf.net_promotion_counts_.sum(axis=1) * np.log(1.5))


def test_mixed_frame_through_the_discretizer():
    random = np.random.RandomState(0)
    frame = pd.DataFrame(
        {
            "size": random.normal(size=200),
            "colour": random.choice(["red", "blue", None], size=200),
        }
    )
    y = (frame["size"] > 0.3) & (frame["colour"] == "red")
    pipe = make_pipeline(ClassEntropyDiscretizer(), exact())
    assert pipe.fit(frame, y).score(frame, y) > 0.97
    pipe.set_output(transform="pandas")
    assert pipe.fit(frame, y).score(frame, y) > 0.97
    assert list(pipe[-1].feature_names_in_) == ["size", "colour"]


# -- bad input -------------------------------------------------------------------------

X_GOOD, Y_GOOD = small_table(missing=0)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.empty((0, 3)), [], "0 sample"),
        (np.empty((3, 0)), [0, 1, 0], "0 feature"),
        (X_GOOD, ["no"] * 40, "greater than one; got 1 class"),
        ([[np.inf], [0.0]], [0, 1], "infinity"),
        (pd.DataFrame({"size": [np.inf, 0.0]}), [0, 1], "infinity.*'size'"),
        (X_GOOD, np.linspace(0, 1, 40), "Unknown label type"),
        (X_GOOD, np.eye(40)[:, :2], "Unknown label type|should be a 1d array"),
        (X_GOOD, Y_GOOD[:-1], "inconsistent numbers of samples"),
        (X_GOOD, None, "requires y to be passed"),
        (X_GOOD, [None] * 40, "[Ll]abel|NaN"),
        (X_GOOD[:, 0], Y_GOOD, "Reshape your data|[Ee]xpected 2D"),
        (np.array([[1j], [2j]]), [0, 1], "Complex data not supported"),
    ],
)
def test_tables_that_are_refused(X, y, message):
    with pytest.raises((ValueError, TypeError), match=message):
        plain_winnow().fit(X, y)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("alpha", 1.0),
        ("alpha", np.nan),
        ("alpha", np.inf),
        ("literal_weight", 0.0),
        ("literal_weight", np.inf),
        ("threshold", 0.0),
        ("threshold", np.inf),
        ("threshold", "high"),
        ("sampler", "gibs"),
        ("sampler", Gibbs),
        ("sampler", DNFWinnowClassifier()),
        ("max_iter", 0),
        ("missing", "drop"),
        ("n_jobs", 1.5),
    ],
)
def test_parameters_that_are_refused(name, value):
    for method in ("fit", "partial_fit"):
        clf = plain_winnow(**{name: value})
        arguments = {"classes": ["no", "yes", "zen"]} if method == "partial_fit" else {}
        with pytest.raises(ValueError, match=f"'{name}' parameter"):
            getattr(clf, method)(X_GOOD, Y_GOOD, **arguments)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("swap_probability", 1.01),
        ("n_steps", 0),
        ("n_steps", 2.5),
        ("burn_in", -1),
        ("ladder_step", 0),
        ("ladder_step", np.inf),
        ("ladder_scale", "min"),
        ("tempering", "no"),
    ],
)
def test_parameters_of_samplers_that_are_refused(name, value):
    fitted = plain_winnow(sampler="exact").fit(X_GOOD, Y_GOOD)
    for method in ("fit", "partial_fit", "predict"):
        clf = clone(fitted) if method == "fit" else fitted
        clf.set_params(sampler=Gibbs(**{name: value}))
        arguments = () if method == "predict" else (Y_GOOD,)
        with pytest.raises(ValueError, match=f"'{name}' parameter of sampler Gibbs"):
            getattr(clf, method)(X_GOOD, *arguments)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([-1] * 40, "[Nn]egative values"),
        ([0] * 40, "non-zero|zero"),
        ([1] * 39, "sample_weight.shape"),
        ([np.nan] * 40, "NaN"),
    ],
)
def test_weights_that_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        exact().fit(X_GOOD, Y_GOOD, sample_weight=weights)


def test_prediction_of_other_tables_is_refused():
    frame = pd.DataFrame(X_GOOD, columns=list("wxyz"))
    clf = exact(max_iter=1)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        clf.predict(frame)
    clf.fit(frame, Y_GOOD)
    with pytest.raises(ValueError, match="X has 3 features"):
        clf.predict(X_GOOD[:, :3])
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(frame[list("xwyz")])
    with pytest.raises(ValueError, match="infinity"):
        exact(max_iter=1).fit([[0.5], [1.5]], [0, 1]).predict([[np.inf]])

"""Splitters and splits in `cv`: what is held out, refused, routed and saved."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import numpy as np
import pytest
import sklearn
from internals.winnow import _candidate_blocks, _choice, given_candidates
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.utils import shuffle
from sklearn.utils.class_weight import compute_sample_weight

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

N = 90
X = np.random.RandomState(0).randint(0, 3, (N, 4))
Y = np.where(
    np.random.RandomState(1).rand(N) < 0.2, 1, (X[:, 0] == X[:, 1]).astype(int)
)
GROUPS = np.arange(N) % 7
# A single candidate with a known scale of probabilities.
RESIDUALS = {"scale": 10.0, "alpha": 1.1, "literals": "equal", "max_term_size": 2}


def winnow(**params):
    return DNFWinnowClassifier(**{"max_iter": 4, "random_state": 0, **params})


def assert_same(one, other):
    """Assert that two classifiers have the same results of selection and training."""
    for name, column in one.validation_.items():
        assert_array_equal(column, other.validation_[name])
    assert_array_equal(one.predict_proba(X), other.predict_proba(X))


def test_losses_are_of_held_out_samples_alone():
    """Samples that no split holds out are learned from, and not scored."""
    folds = np.where(np.arange(N) % 3, -1, np.arange(N) % 2)
    options = {**RESIDUALS, "discretizer": None, "literal_weight": 0.5}
    options |= {"literals": "equal", "screening": None, "max_term_size": 2}
    clf = winnow(cv=PredefinedSplit(folds), max_iter=2, **options).fit(X, Y)
    lead = np.zeros(N)
    for k in range(2):
        learned = folds != k
        other = winnow(cv=None, max_iter=2, **options).fit(X[learned], Y[learned])
        lead[~learned] = other.decision_function(X[~learned])
    held_out = folds >= 0
    signed = np.where(Y == 1, 10.0, -10.0) * lead
    loss = np.logaddexp(0, -signed[held_out]).mean()
    assert clf.validation_["n_epochs"].tolist() == [2]
    # The trainings shuffle different numbers of samples.
    assert_allclose(loss, clf.validation_["log_loss"], rtol=0.15)


@pytest.mark.parametrize("update", [{"margin": 0.5}, {"scale": 10.0}], ids=str)
def test_labels_held_out_change_nothing(update, monkeypatch):
    """Of parameters, cuts, codes, counts and scores of the training without them."""
    random = np.random.RandomState(4)
    table = np.hstack([X, random.rand(N, 4) + Y[:, None] * random.rand(N, 4)])
    folds, fold = np.arange(N) % 3, 1
    noise = np.where(folds == fold, 1 - Y, Y)
    # The number of intervals follows the labels.
    cuts = ClassEntropyDiscretizer(selection="mdl", max_intervals=6)
    quantiles = ClassEntropyDiscretizer(selection="quantiles", max_intervals=6)
    candidates = [
        {**update, "alpha": 1.1, "literals": literals, "discretizer": discretizer}
        for literals, discretizer in [
            *(("equal", cuts), ("ordered", cuts), ("intervals", cuts)),
            ("intervals", quantiles),
        ]
    ]
    made = []

    def blocks_of(folded, **given):
        blocks = _candidate_blocks.blocks_of(folded=folded, **given)
        made.append((folded, given["candidates"], blocks))
        return blocks

    monkeypatch.setattr(_choice, "blocks_of", blocks_of)
    # Any function of an encoding: sizes that follow the number of columns.
    monkeypatch.setattr(
        _candidate_blocks,
        "choose_max_term_size",
        lambda rows, n_values, _: 2 + len(n_values) % 2,
    )
    for labels in (Y, noise):
        with given_candidates(*candidates):
            winnow(cv=PredefinedSplit(folds), max_iter=2).fit(table, labels)

    def learned(folded, candidates, blocks, fold):
        """All that the trainings without a fold have, by a name of it."""
        found = {}
        for i, in_parts in enumerate(candidates):
            (part,) = (part for part in in_parts if fold in part)
            view = folded.view(in_parts[part], part)
            found[i, "values"], found[i, "codes"] = view.n_values, view.rows.codes
        for block in blocks:
            for t, (lane, scores) in enumerate(
                zip(block.trainings, block.held_out_scores(), strict=True)
            ):
                if lane.fold == fold:
                    found[lane.position, "parameters"] = (
                        lane.candidate.literal_weight,
                        lane.candidate.max_term_size,
                    )
                    found[lane.position, "scores"] = scores
                    found[lane.position, "counts"], _ = block.net_counts(t)
        return found

    one, other = (learned(*of_one, fold) for of_one in made)
    assert len(one) == 5 * len(candidates)
    for name, of_one in one.items():
        assert_array_equal(of_one, other[name], err_msg=str(name))
        assert np.any(of_one), name
    # Negative control: trainings on these labels have other columns and counts.
    one, other = (learned(*of_one, 0) for of_one in made)
    for name, of_one in one.items():
        is_same = np.array_equal(of_one, other[name])
        # There is a column for each feature, whatever its intervals are. Quantiles do
        # not depend on labels.
        if name[0] < 3 or name[1] in ("scores", "counts"):
            assert is_same == (name == (0, "parameters")), name


@pytest.mark.parametrize("class_weight", ["balanced", {0: 1.0, 1: 5.5}], ids=str)
def test_class_weights_do_not_divide_samples(class_weight):
    """Repetitions by a class weight are in one fold: nothing is known of coins."""
    random = np.random.RandomState(0)
    numbers = random.standard_normal((240, 6))
    labels = (random.rand(240) < 0.15).astype(int)
    weights = compute_sample_weight(class_weight, labels)
    shares = np.bincount(labels, weights) / weights.sum()
    entropy = -(shares * np.log(shares)).sum()
    clf = winnow(class_weight=class_weight, max_iter=16).fit(numbers, labels)
    # The least of many losses, each of which may be lucky.
    assert clf.validation_["log_loss"].min() > entropy - 0.05
    # Negative control: sample weights are copies, which may be in different folds.
    clf = winnow(max_iter=16).fit(numbers, labels, weights)
    assert clf.validation_["log_loss"].min() < entropy - 0.2


def test_weights_are_copies_in_the_same_fold():
    """Equal samples are merged within folds: weights 0, 2 and 7 have their meaning."""
    weights = np.random.RandomState(3).choice([0, 1, 2, 7], N)
    copied = np.repeat(np.arange(N), weights)
    folds = GROUPS % 3
    one = winnow(cv=PredefinedSplit(folds)).fit(X, Y, weights)
    other = winnow(cv=PredefinedSplit(folds[copied])).fit(X[copied], Y[copied])
    assert_same(one, other)


def test_a_splitter_follows_the_rows():
    """Folds are those of the rows as they are given, also of a subset of them."""
    folds = GROUPS % 3
    one = winnow(cv=PredefinedSplit(folds)).fit(X, Y)
    assert_same(one, winnow(cv=PredefinedSplit(folds)).fit(X, Y))
    moved = winnow(cv=PredefinedSplit(shuffle(folds, random_state=0)))
    assert_same(one, moved.fit(*shuffle(X, Y, random_state=0)))
    # A fold whose samples have weight 0 is none.
    weights = (folds != 1).astype(float)
    left = winnow(cv=PredefinedSplit(folds)).fit(X, Y, weights)
    kept = folds != 1
    assert_same(left, winnow(cv=PredefinedSplit(folds[kept])).fit(X[kept], Y[kept]))


def test_large_data_are_sampled_within_folds(monkeypatch):
    monkeypatch.setattr(_choice, "_MOST_ROWS", 40)
    clf = winnow(cv=KFold(3)).fit(X, Y)
    assert clf.validation_ is not None
    assert_same(clf, winnow(cv=KFold(3), n_jobs=2).fit(X, Y))


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (
            RepeatedKFold(n_repeats=2),
            "cv must hold out each row at most once.*splits",
        ),
        (
            ShuffleSplit(3, test_size=0.5, random_state=0),
            "cv must hold out each row",
        ),
        (TimeSeriesSplit(3), "split of cv must train on all rows that it does not"),
        ([(np.arange(N), [0])], "split of cv must train on all .* holds out 1 of 90"),
        ([], "cv must have a split with training rows and held-out rows"),
        ([([], np.arange(N))], "cv must have a split with training rows"),
        ([(np.arange(N), [])], "cv must have a split with training rows"),
        ([(np.arange(N), [N])], "a pair of arrays: .*from 0 to 89. Split 0 of a list"),
        ([(np.arange(N - 1.0), [N - 1])], "a pair of arrays: .* must be of integer"),
        ([(None, "all")], "a pair of arrays: .* Split 0 of a list is not"),
        (1, "The 'cv' parameter"),
        ("five", "The 'cv' parameter"),
        (2.5, "The 'cv' parameter"),
    ],
)
def test_other_splits_are_refused(cv, message):
    with pytest.raises(ValueError, match=message):
        winnow(cv=cv).fit(X, Y)


# -- groups ----------------------------------------------------------------------------


def test_groups_are_kept_together():
    cv = GroupKFold(3)
    clf = winnow(cv=cv).fit(X, Y, groups=GROUPS)
    assert_same(clf, winnow(cv=list(cv.split(X, Y, GROUPS))).fit(X, Y))
    with pytest.raises(ValueError, match="'groups' parameter should not be None"):
        winnow(cv=cv).fit(X, Y)
    with pytest.raises(
        ValueError, match=r"groups requires a splitter .* got cv='auto'"
    ):
        winnow().fit(X, Y, groups=GROUPS)
    pipeline = make_pipeline(winnow(cv=cv))
    pipeline.fit(X, Y, dnfwinnowclassifier__groups=GROUPS)
    assert_same(clf, pipeline[-1])


def test_groups_are_routed():
    """To the splitter inside, which requests them; not to a classifier without one."""
    with sklearn.config_context(enable_metadata_routing=True):
        clf = winnow(cv=GroupKFold(3))
        assert "groups" not in clf.get_metadata_routing()._self_request.fit.requests
        pipeline = make_pipeline(clf).fit(X, Y, groups=GROUPS)
        assert_same(winnow(cv=GroupKFold(3)).fit(X, Y, groups=GROUPS), pipeline[-1])
        for inside in (clf, winnow(), winnow(cv=StratifiedKFold(3))):
            found = cross_validate(
                inside, X, Y, cv=GroupKFold(2), params={"groups": GROUPS}
            )
            assert np.isfinite(found["test_score"]).all()
        weighted = clf.set_fit_request(sample_weight=True)
        weighted.set_score_request(sample_weight=True)
        cross_validate(
            weighted,
            X,
            Y,
            params={"groups": GROUPS, "sample_weight": np.ones(N)},
            cv=GroupKFold(2),
        )


# -- as a parameter --------------------------------------------------------------------


def test_searches_and_clones_take_splitters():
    grid = {"cv": [2, None, "auto", KFold(3), list(KFold(2).split(X[:60]))]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search = GridSearchCV(
            winnow(max_iter=2), grid, cv=3, error_score="raise", refit=False
        )
        search.fit(X, Y)
    clf = winnow(cv=list(KFold(3).split(X)))
    assert_same(clone(clf).fit(X, Y), clf.fit(X, Y))
    assert "KFold" in repr(winnow(cv=KFold(3)))

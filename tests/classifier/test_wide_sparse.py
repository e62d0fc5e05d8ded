"""Wide sparse matrices: the columns that take part, in each fold without its rows."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle

import numpy as np
import pandas as pd
import pytest
from fitted_state import assert_same_state
from internals.encoding import SparseTable, _sparse_table, columns_of
from internals.winnow import FoldedTable, Repetitions, _classifier
from numpy.testing import assert_array_equal
from scipy import sparse

from sklearn_dnfwinnow import DNFWinnowClassifier, merge
from sklearn_dnfwinnow.inspection import (
    counterfactuals,
    explain,
    feature_effect,
    shapley_values,
    to_dnf,
)

N_ACTIVE = 12


@pytest.fixture(autouse=True)
def few_columns(monkeypatch):
    """Let at most `N_ACTIVE` columns take part."""
    monkeypatch.setattr(_sparse_table, "_MOST_COLUMNS", N_ACTIVE)
    monkeypatch.setattr(_sparse_table, "_FEWEST_COLUMNS", 1)


def table(n=300, n_columns=60, seed=0):
    """Return counts of words, and whether a text has two words, or a third one."""
    rng = np.random.default_rng(seed)
    X = rng.integers(1, 4, (n, n_columns)) * (rng.random((n, n_columns)) < 0.3)
    y = ((X[:, 50] > 0) & (X[:, 31] > 0)) | (X[:, 7] > 1)
    return sparse.csr_array(X.astype(float)), y.astype(int)


X, Y = table()
NEW, _ = table(n=80, seed=1)


def plain(**params):
    return DNFWinnowClassifier(
        **{"cv": None, "alpha": 1.2, "literal_weight": 0.2, "random_state": 0, **params}
    )


def absent(matrix):
    """Return the dense form, with NaN for zeros."""
    dense = matrix.toarray()
    return np.where(dense == 0, np.nan, dense)


def test_models_are_those_of_the_columns_that_take_part():
    wide = plain().fit(X, Y)
    active = wide.active_features_
    assert len(active) == N_ACTIVE
    assert {7, 31, 50} <= {*active.tolist()}
    narrow = plain().fit(absent(X)[:, active], Y)
    assert_array_equal(wide.stored_examples_, narrow.stored_examples_)
    assert_array_equal(wide.net_promotion_counts_, narrow.net_promotion_counts_)
    expected = narrow.predict_proba(absent(NEW)[:, active])
    for form in (NEW, NEW.tocsc(), absent(NEW)):
        assert_array_equal(wide.predict_proba(form), expected)
    assert wide.n_features_in_ == X.shape[1]
    assert (wide.predict(NEW) == wide.classes_[expected.argmax(axis=1)]).all()


def test_all_columns_take_part_if_they_are_few():
    few = plain().fit(X[:, 45:57], Y)
    assert_array_equal(few.active_features_, np.arange(12))
    assert_same_state(few, plain().fit(absent(X[:, 45:57]), Y))


@pytest.mark.parametrize("cv", [None, 3])
def test_order_and_copies_have_no_effect(cv):
    weights = np.arange(len(Y)) % 3
    expected = plain(cv=cv, max_iter=4).fit(X, Y, sample_weight=weights)
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(len(Y)), weights))
    found = plain(cv=cv, max_iter=4).fit(X[order], Y[order])
    assert_same_state(found, expected)
    again = plain(cv=cv, max_iter=4, n_jobs=2).fit(X[order].tocsc(), Y[order])
    assert_array_equal(again.predict_proba(NEW), expected.predict_proba(NEW))


# -- folds -----------------------------------------------------------------------------


def folded(labels, folds):
    return FoldedTable(
        table=SparseTable.of(columns_of(X), str),
        rows=Repetitions(np.zeros((len(labels), 1)), labels, np.ones(len(labels), int)),
        folds=folds,
        n_folds=3,
        n_classes=2,
        missing="unspecified",
    )


def test_folds_choose_without_their_rows():
    """Labels of held-out rows have no effect on the columns; those of others have."""
    folds = np.arange(len(Y)) % 3
    rng = np.random.default_rng(0)
    for fold in range(3):
        held_out = folds == fold
        expected = folded(Y, folds)._table((fold,)).active
        labels = np.where(held_out, rng.permutation(Y), Y)
        assert_array_equal(folded(labels, folds)._table((fold,)).active, expected)
        labels = np.where(held_out, Y, rng.permutation(Y))
        assert (folded(labels, folds)._table((fold,)).active != expected).any()


def test_log_loss_of_random_labels_is_honest():
    """Choosing the columns outside of the folds would see the held-out labels."""
    rng = np.random.default_rng(0)
    noise = sparse.random_array((120, 4000), density=0.1, rng=rng, format="csr")
    noise.data[:] = 1.0
    labels = np.arange(120) % 2
    settings = {"cv": 5, "update": "residual", "scale": 30.0, "alpha": 1.01}
    settings = {**settings, "max_iter": 16, "max_term_size": 1, "average": False}
    inside = plain(**settings).fit(noise, labels)
    outside = plain(**settings).fit(noise[:, inside.active_features_], labels)
    # The standard error of the mean log loss of 120 coins is below 0.05.
    assert inside.validation_["log_loss"].min() > np.log(2) - 0.05
    assert outside.validation_["log_loss"].min() < np.log(2) - 0.15


def test_selection_by_folds_of_the_user():
    folds = np.arange(len(Y)) % 3
    cv = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(3)]
    model = plain(cv=cv, max_iter=4).fit(X, Y)
    order = np.random.default_rng(0).permutation(len(Y))
    turns = np.argsort(order)
    moved = [(turns[train], turns[test]) for train, test in cv]
    again = plain(cv=moved, max_iter=4).fit(X[order], Y[order])
    assert_array_equal(again.validation_["log_loss"], model.validation_["log_loss"])


def test_default_candidates_on_numbers():
    """Columns of many numbers are cut, in the coordinates of each fold."""
    numbers = X.copy()
    numbers.data += np.random.default_rng(0).random(len(numbers.data))
    model = DNFWinnowClassifier(max_iter=8, random_state=0).fit(numbers, Y)
    assert model.discretizer_.n_features_in_ == N_ACTIVE
    assert model.score(numbers, Y) > 0.9
    names = [f"w{j}" for j in range(60)]
    frame = pd.DataFrame.sparse.from_spmatrix(numbers, columns=names)
    named = DNFWinnowClassifier(max_iter=8, random_state=0).fit(frame, Y)
    assert_array_equal(named.predict_proba(frame), model.predict_proba(numbers))
    cut = named.discretizer_.feature_names_in_
    assert cut.tolist() == [names[j] for j in named.active_features_]
    assert "w7" in str(to_dnf(named, 1, n_terms=4))
    copy = pickle.loads(pickle.dumps(named))
    assert_same_state(copy, named)
    assert copy.discretizer_.feature_names_in_.tolist() == cut.tolist()
    assert_array_equal(copy.predict_proba(frame), named.predict_proba(frame))


# -- later calls -----------------------------------------------------------------------


def test_later_batches_keep_the_columns():
    model = plain().partial_fit(X[:200], Y[:200], classes=[0, 1])
    active = model.active_features_
    narrow = plain().partial_fit(absent(X[:200])[:, active], Y[:200], classes=[0, 1])
    for rows in (slice(200, 280), slice(280, 300)):
        model.partial_fit(X[rows], Y[rows])
        narrow.partial_fit(absent(X[rows])[:, active], Y[rows])
    model.partial_fit(absent(X[:5]), Y[:5])  # dense
    narrow.partial_fit(absent(X[:5])[:, active], Y[:5])
    assert_array_equal(model.active_features_, active)
    assert_array_equal(model.net_promotion_counts_, narrow.net_promotion_counts_)
    assert_array_equal(model.stored_examples_, narrow.stored_examples_)


def test_a_wide_batch_after_a_narrow_model(monkeypatch):
    monkeypatch.setattr(_sparse_table, "_MOST_COLUMNS", 60)
    model = plain().partial_fit(X[:150], Y[:150], classes=[0, 1])
    whole = plain().partial_fit(X[:150], Y[:150], classes=[0, 1])
    whole.partial_fit(X[150:], Y[150:])
    monkeypatch.setattr(_sparse_table, "_MOST_COLUMNS", N_ACTIVE)
    model.partial_fit(X[150:], Y[150:])
    assert_same_state(model, whole)


def test_conditions_take_part():
    settings = {
        "forbidden": ["x0", (1, 50)],
        "initial_terms": [("x2 = 1 & x3 = 2", 1, 3.0)],
        "monotonic_cst": {7: 1},
    }
    model = plain(**settings).fit(X, Y)
    active = model.active_features_
    assert {0, 1, 2, 3, 7, 50} <= {*active.tolist()}
    assert N_ACTIVE <= len(active) <= N_ACTIVE + 6
    place = {j: i for i, j in enumerate(active.tolist())}
    names = [f"x{j}" for j in active]
    frame = pd.DataFrame(absent(X)[:, active], columns=names)
    settings["forbidden"] = ["x0", ("x1", "x50")]
    settings["monotonic_cst"] = {place[7]: 1}
    narrow = plain(**settings).fit(frame, Y)
    assert_array_equal(model.net_promotion_counts_, narrow.net_promotion_counts_)
    expected = narrow.predict_proba(frame)
    assert_array_equal(model.predict_proba(X), expected)
    copy = pickle.loads(pickle.dumps(model))
    assert_array_equal(copy.predict_proba(X), expected)
    copy.partial_fit(X[:20], Y[:20])


def test_parts_with_different_columns_are_not_merged():
    parts = [plain().fit(X[i::2], Y[i::2]) for i in range(2)]
    with pytest.raises(ValueError, match=r"columns that take part.*same columns"):
        merge(parts)
    model = plain().fit(X, Y)
    total = merge([model, model])
    assert_array_equal(total.predict(NEW), model.predict(NEW))


# -- reading ---------------------------------------------------------------------------


def test_readers():
    model = plain().fit(X, Y)
    active = model.active_features_
    frame = pd.DataFrame(absent(X)[:, active], columns=[f"x{j}" for j in active])
    narrow, rows = plain().fit(frame, Y), [3, 8, 20]
    for read in (
        lambda model, table: [*map(str, explain(model, table))],
        lambda model, table: shapley_values(model, table).values.tolist(),
        lambda model, table: shapley_values(model, table).feature_names,
        lambda model, table: str(to_dnf(model, 1, n_terms=3, X=table, y=Y[rows])),
        lambda model, table: [str(f.found) for f in counterfactuals(model, table)],
    ):
        found = read(model, X[rows])
        assert found == read(narrow, frame.iloc[rows])
        assert found == read(model, absent(X)[rows])
    effects = feature_effect(model, X, 7).effects
    assert_array_equal(effects, feature_effect(narrow, frame, "x7").effects)
    other = int(np.setdiff1d(np.arange(60), active)[0])
    with pytest.raises(ValueError, match=f"'x{other}' has no effect.*take part"):
        feature_effect(model, X, other)
    dnf = to_dnf(model, 1, n_terms=3)
    assert_array_equal(dnf.holds(X), dnf.holds(absent(X)))


def test_prediction_in_parts(monkeypatch):
    model = plain().fit(X, Y)
    expected = model.predict_proba(NEW), model.predict(NEW)
    monkeypatch.setattr(_classifier, "_MOST_CODES", 7 * N_ACTIVE)
    for form in (NEW, NEW.tocoo(), NEW.tocsc()):
        assert_array_equal(model.predict_proba(form), expected[0])
        assert_array_equal(model.predict(form), expected[1])


# -- refused ---------------------------------------------------------------------------


def test_refused_matrices():
    wrong = X.copy()
    wrong[3, 41] = np.inf
    with pytest.raises(ValueError, match=r"infinity.*in column 41\."):
        plain().fit(wrong, Y)
    gaps = X.copy()
    gaps.data[::5] = np.nan
    dense = gaps.toarray()
    zeros = sparse.csr_array(np.where(np.isnan(dense), 0, dense))
    assert_same_state(plain().fit(gaps, Y), plain().fit(zeros, Y))
    model = plain().fit(X, Y)
    with pytest.raises(ValueError, match="60 features"):
        model.predict(X[:, :40])
    with pytest.raises(ValueError, match="differs from the fitted"):
        model.set_params(alpha=3.0).partial_fit(X, Y)

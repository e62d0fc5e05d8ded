"""Reading of a classifier that cuts its columns itself: as behind a discretizer."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_dnfwinnow import (
    ClassEntropyDiscretizer,
    DiscretizationDisplay,
    DNFWinnowClassifier,
)
from sklearn_dnfwinnow.inspection import (
    explain,
    shapley_values,
    terms,
    to_dnf,
)

matplotlib.use("Agg")

LITERALS = "equal", "ordered", "intervals"


def flats(n_rows=150):
    """A table of numbers and text with missing values, and classes."""
    rng = np.random.default_rng(0)
    size = np.round(rng.normal(60, 20, n_rows), 1)
    frame = pd.DataFrame(
        {
            "size": size,
            "rooms": rng.integers(1, 5, n_rows),
            "view": rng.choice(["sea", "yard", "street"], n_rows),
            "year": rng.integers(1900, 2000, n_rows),
        }
    )
    y = np.where((size > 55) & (frame["view"] == "sea"), "dear", "cheap")
    frame.loc[rng.random(n_rows) < 0.1, "size"] = np.nan
    frame.loc[rng.random(n_rows) < 0.1, "view"] = None
    return frame, y


def both(X, y, **params):
    """A classifier that cuts columns, and one behind a discretizer that does.

    Without folds, which would cut the rows that they do not hold out.
    """
    params = {"random_state": 0, "cv": None, **params}
    cuts = ClassEntropyDiscretizer(max_intervals=4, columns=[0, 3])
    inside = DNFWinnowClassifier(discretizer=cuts, **params)
    behind = make_pipeline(cuts, DNFWinnowClassifier(discretizer=None, **params))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return inside.fit(X, y), behind.fit(X, y)


@pytest.fixture(scope="module", params=LITERALS)
def pair(request):
    X, y = flats()
    return X, y, *both(X, y, literals=request.param)


def test_terms(pair):
    X, y, inside, behind = pair
    for kwargs in ({}, {"X": X, "y": y}):
        expected = terms(behind, **kwargs)
        pd.testing.assert_frame_equal(terms(inside, **kwargs), expected)
        pd.testing.assert_frame_equal(inside.terms(**kwargs), expected)
    assert any("size >" in term or "size in (" in term for term in expected["term"])
    values = [shapley_values(one, X[::20]).values for one in (inside, behind)]
    assert_array_equal(*values)


def test_explanations(pair):
    X, _, inside, behind = pair
    ours, theirs = explain(inside, X[:5]), explain(behind, X[:5])
    assert list(map(str, ours)) == list(map(str, theirs))
    assert [e._repr_html_() for e in ours] == [e._repr_html_() for e in theirs]
    assert str(inside.explain(X[:1])[0]) == str(theirs[0])


def test_formulas(pair):
    X, y, inside, behind = pair
    ours, theirs = (
        to_dnf(e, class_of_interest="dear", X=X, y=y, cv=None) for e in (inside, behind)
    )
    assert ours.transformed_by == ()
    for form in (str, lambda d: d.to_sql(), lambda d: d.to_text()):
        assert form(ours) == form(theirs)
    assert ours.to_python() == theirs.to_python()
    assert '"size" >' in ours.to_sql()
    assert_array_equal(ours.holds(X), theirs.holds(X))


@pytest.mark.parametrize("missing", ["unspecified", "category", "most_frequent"])
@pytest.mark.parametrize("container", ["polars", "objects"])
def test_other_containers(container, missing):
    X, y = flats()
    X = pl.from_pandas(X) if container == "polars" else X.to_numpy(dtype=object)
    inside, behind = both(X, y, missing=missing)
    pd.testing.assert_frame_equal(terms(inside), terms(behind))
    assert list(map(str, explain(inside, X[:4]))) == list(
        map(str, explain(behind, X[:4]))
    )
    inside, behind = (to_dnf(clf, X=X, y=y, cv=None) for clf in (inside, behind))
    assert inside == behind


def test_who_cuts_nothing_has_no_cuts_to_draw():
    X, y = flats()
    X = X[["view", "rooms"]]
    classifier = DNFWinnowClassifier(discretizer="auto").fit(X, y)
    with pytest.raises(TypeError, match="with one inside; got DNFWinnowClassifier"):
        DiscretizationDisplay.from_estimator(classifier, X, y, feature=0)


def test_wrappers_and_steps_before_it():
    X, y = flats()
    inside, behind = both(X, y)
    table = terms(behind)
    pd.testing.assert_frame_equal(terms(FrozenEstimator(inside)), table)
    search = GridSearchCV(inside, {"discretizer__max_intervals": [4]}, cv=2)
    pd.testing.assert_frame_equal(terms(search.fit(X, y)), table)
    display = DiscretizationDisplay.from_estimator(
        search.best_estimator_, X, y, feature=0
    )
    assert display.feature_name == "size"
    plt.close("all")
    numbers = X[["size", "year"]].fillna(60)
    scaled = make_pipeline(
        StandardScaler(), DNFWinnowClassifier(discretizer="auto", random_state=0)
    ).fit(numbers, y)
    (explanation,) = explain(scaled, numbers[:1])
    assert explanation.transformed_by == ()
    assert to_dnf(scaled, X=numbers, y=y).transformed_by == ()
    # Columns that mix others cannot be read; the intervals of these can.
    mixed = make_pipeline(
        PCA(), DNFWinnowClassifier(discretizer="auto", random_state=0)
    ).fit(numbers, y)
    dnf = to_dnf(mixed, X=numbers, y=y)
    assert dnf.transformed_by == ("PCA",)
    assert any("pca0" in term or "pca1" in term for term in terms(mixed)["term"])


# -- copies ----------------------------------------------------------------------------


@pytest.mark.parametrize("max_term_size", [2, None])
def test_a_term_is_listed_once(max_term_size):
    """Each condition is listed once, with the weights of all its copies."""
    X, y = flats()
    clf = DNFWinnowClassifier(
        discretizer=ClassEntropyDiscretizer(max_intervals=8, columns=[0]),
        literals="intervals",
        max_term_size=max_term_size,
        cv=None,
        random_state=0,
    ).fit(X[["size", "rooms", "view"]], y)
    (one,) = explain(clf, X[["size", "rooms", "view"]].iloc[:1], top=10**6)
    said = [record["term"] for record in one.records]
    assert len(set(said)) == len(said)
    assert not any(text.count("size") > 1 for text in said)

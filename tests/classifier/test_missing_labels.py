"""Missing labels: refused by name, whatever they are and come in."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier

ROWS = [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
TABLES = {
    "list": ROWS,
    "array": np.array(ROWS),
    "pandas": pd.DataFrame(ROWS),
    "polars": pl.DataFrame(ROWS, orient="row"),
}
TEXT = ["no", None, "yes"]
LABELS = {
    "list": TEXT,
    # An array of it would have a class 'nan'.
    "list of text and NaN": ["no", float("nan"), "yes"],
    "objects": np.array(TEXT, dtype=object),
    "objects with NaN": np.array(["no", np.nan, "yes"], dtype=object),
    "all": [None] * 3,
    "float": np.array([0.0, np.nan, 1.0]),
    "masked": np.ma.masked_equal([0, 5, 1], 5),
    "pandas": pd.Series(TEXT),
    "pandas frame": pd.DataFrame({"y": TEXT}),
    "pandas category": pd.Series(TEXT, dtype="category"),
    "pandas string": pd.Series(TEXT, dtype="string"),
    "pandas Int64": pd.Series([0, None, 1], dtype="Int64"),
    "pandas boolean": pd.Series([True, None, False], dtype="boolean"),
    "polars": pl.Series(TEXT),
    "polars int": pl.Series([0, None, 1]),
}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("table", TABLES)
def test_missing_labels_are_refused(table, labels):
    X, y = TABLES[table], LABELS[labels]
    message = r"^Input y contains NaN\.$"
    for estimator in (DNFWinnowClassifier(), ClassEntropyDiscretizer()):
        with pytest.raises(ValueError, match=message):
            estimator.fit(X, y)
    with pytest.raises(ValueError, match=message):
        DNFWinnowClassifier().partial_fit(X, y, classes=["no", "yes"])


@pytest.mark.parametrize("classes", [[0, 1, None], ["a", None], [0.0, np.nan]], ids=str)
def test_missing_classes_are_refused(classes):
    with pytest.raises(ValueError, match=r"^Input classes contains NaN\.$"):
        DNFWinnowClassifier().partial_fit(ROWS, [0, 1, 1], classes=classes)


@pytest.mark.parametrize(
    "y",
    [
        ["nan", "None", "yes"],
        np.ma.masked_equal([0, 1, 1], 5),
        pd.Series([0, 1, 1], dtype="Int64"),
        [False, True, True],
    ],
    ids=str,
)
def test_labels_that_only_look_missing(y):
    X = TABLES["pandas"]
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    assert clf.predict(X).shape == (3,)

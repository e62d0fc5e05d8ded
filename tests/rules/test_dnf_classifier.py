"""DNFClassifier: formulas that are given, among the estimators of scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from formula_checks import plain_rows
from literal_checks import run, table_of
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier, rules
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNF, DNFSyntaxError

IRIS = {
    "setosa": "petal length (cm) <= 2.5",
    "virginica": "petal width (cm) > 1.75 or petal length (cm) > 4.9",
}


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, np.array(["setosa", "versicolor", "virginica"], dtype=object)[y]


def people():
    X = pd.DataFrame(
        {
            "age": [30, 50, 20, 45, np.nan, 60],
            "smokes": ["yes", "no", "no", "yes", None, "no"],
            "code": ["1", "2", "1", "3", "2", "2"],
        }
    )
    return X, np.array(["ill", "ill", "well", "ill", "well", "well"])


def test_frames_whose_names_are_no_strings():
    X, y = people()
    expected = DNFClassifier("class: ill\nage > 40 or code = 3").fit(X, y).predict(X)
    X = X.set_axis([5, 6, 7], axis=1)
    clf = DNFClassifier("class: ill\nx0 > 40 or x2 = 3").fit(X, y)
    assert clf.dnfs_[0].terms[1].literals[0].values == ("3",)
    assert_array_equal(clf.predict(X), expected)


# Of two folds: most of the time goes into the choice of the price.
@parametrize_with_checks(
    [
        DNFClassifier(cv=2, smoothing=0.1),
        DNFClassifier(
            cv=None,
            estimator=DNFWinnowClassifier(cv=None, max_iter=2, random_state=0),
            max_conditions=2,
            miss_cost=2.0,
        ),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_dataframe_column_names_consistency,
        estimator_checks.check_param_validation,
        estimator_checks.check_inplace_ensure_writeable,
    ],
    ids=lambda check: check.__name__,
)
def test_scikit_learn_checks_outside_the_generator(check):
    check("DNFClassifier", DNFClassifier())


def test_it_predicts_what_the_formula_says():
    X, y = people()
    clf = DNFClassifier("class: ill\nage > 40 or smokes = yes").fit(X, y)
    assert rules.DNFClassifier is DNFClassifier
    holds = [True, True, False, True, False, True]
    assert_array_equal(clf.predict(X) == "ill", holds)
    assert clf.otherwise_ == "well" and clf.classes_.tolist() == ["ill", "well"]
    assert_array_equal(clf.class_counts_, [[3, 1], [0, 2]])
    expected = np.where(np.c_[holds], [[4 / 6, 2 / 6]], [[1 / 4, 3 / 4]])
    assert_allclose(clf.predict_proba(X), expected)
    assert clf.score(X, y) == 5 / 6
    assert_allclose(clf.set_params(smoothing=0.5).predict_proba(X)[0], [0.7, 0.3])


def test_weights_are_counts():
    X, y = people()
    weights = np.array([1, 2, 0, 3, 1, 2])
    clf = DNFClassifier({"ill": "age > 40"}).fit(X, y, sample_weight=weights)
    again = DNFClassifier({"ill": "age > 40"}).fit(
        X.loc[X.index.repeat(weights)], y.repeat(weights)
    )
    assert_array_equal(clf.class_counts_, again.class_counts_)
    assert_array_equal(clf.class_counts_, [[5, 2], [1, 1]])
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        clf.fit(X, y, sample_weight=-weights)


def test_several_classes_are_decided_in_order():
    X, y = iris()
    clf = DNFClassifier(IRIS).fit(X, y)
    assert clf.otherwise_ == "versicolor" and clf.score(X, y) > 0.9
    in_turn = DNFClassifier(dict(reversed(IRIS.items())) | {"versicolor": "True"})
    both = {"virginica": "True", "setosa": IRIS["setosa"]}
    assert set(DNFClassifier(both).fit(X, y).predict(X)) == {"virginica"}
    assert_array_equal(in_turn.fit(X, y).predict(X), clf.predict(X))
    assert_allclose(clf.predict_proba(X).sum(axis=1), 1)
    assert DNFClassifier(IRIS, otherwise="setosa").fit(X, y).otherwise_ == "setosa"


def test_forms_of_a_formula_are_the_same():
    X, y = people()
    dnf = DNF.parse("age > 40 & code = 2 or smokes = yes", "ill", "well", values=X)
    expected = dnf.holds(X)
    for given in (dnf, dnf.to_text(), {"ill": str(dnf)}):
        clf = DNFClassifier(given).fit(X, y)
        assert_array_equal(clf.predict(X) == "ill", expected)
        (fitted,) = clf.dnfs_
        # Words without quotes are values of the table.
        assert fitted.terms[0].literals[1].values == ("2",)
    as_array = DNFClassifier("class: ill\nx0 > 40 & x2 = 2 or x1 = yes")
    rows = X.to_numpy(dtype=object)
    assert_array_equal(as_array.fit(rows, y).predict(rows) == "ill", expected)
    assert_array_equal(as_array.predict(rows.tolist()) == "ill", expected)
    frame = pl.from_pandas(X)
    assert_array_equal(
        DNFClassifier(dnf).fit(frame, y).predict(frame) == "ill", expected
    )


def test_columns_go_by_the_table_of_fit():
    X, y = people()
    dnf = DNF.parse("age > 40", "ill", features=["smokes", "age"])
    clf = DNFClassifier(dnf).fit(X, y)
    with pytest.warns(UserWarning, match="feature names"):
        by_position = clf.predict(X.to_numpy(dtype=object))
    assert_array_equal(by_position, clf.predict(X))
    with pytest.raises(ValueError, match="not hold for 'height'"):
        DNFClassifier(DNF.parse("height > 3", "ill")).fit(X, y)
    with pytest.raises(ValueError, match="feature names should match"):
        clf.predict(X[["smokes", "age", "code"]])
    with pytest.raises(ValueError, match="2 columns"):
        DNFClassifier(dnf).fit(X.to_numpy(dtype=object), y)


@pytest.mark.parametrize(
    ("dnf", "message"),
    [
        ("height > 3", r"the name of a column \('age', 'smokes', 'code'\)"),
        ("agee > 3", r"the name of a column \(did you mean 'age'\?\)"),
        ("age > 3 or", "the name of a column"),
        ("age = red", "a number, as column 'age' contains only numbers"),
        ("smokes = yess", r"of column 'smokes' \(did you mean 'yes'\?\); found 'yess'"),
        ({"ill": "code = 4"}, r"of column 'code' \('1', '2', '3'\); found '4'"),
        (
            "smokes > 3",
            r"'=', '!=' or 'in', as column 'smokes' has words \('yes', 'no'",
        ),
        (
            "age > 3 & code in (1, 2]",
            r"Line 2, column 16.*'code' has words .*; found 'in'",
        ),
        (
            "smokes = yes or age = old",
            "a number, as column 'age' contains only numbers",
        ),
        ({3: "age > 3"}, r"must name classes among \['ill', 'well'\]; got 3"),
        ("age > 3", "begin the text with 'class: ill' or 'class: well', or pass a"),
        ("False", "begin the text with 'class: ill' or 'class: well', or pass a"),
        (DNF.parse("Age > 3", "ill"), r"hold for 'Age' \(did you mean 'age'\?\)"),
    ],
)
def test_wrong_formulas_are_refused_by_fit(dnf, message):
    X, y = people()
    if isinstance(dnf, str) and "class" not in message:
        dnf = f"class: ill  # {'-' * 30}\n{dnf}"
    with pytest.raises(ValueError, match=message) as caught:
        DNFClassifier(dnf).fit(X, y)
    is_of_text = "Line " in str(caught.value)
    assert isinstance(caught.value, DNFSyntaxError) == is_of_text
    with pytest.raises(TypeError, match="A formula must be a DNF or a str"):
        DNFClassifier({"ill": 3}).fit(X, y)


def test_a_formula_may_contain_values_of_other_rows():
    """A text is read with the values of `fit`; a DNF is taken as it is."""
    X, y = people()
    text = "class: ill\nsmokes = rarely or age > 40"
    for rows, names in ((X, list(X)), (X.to_numpy(dtype=object), ["x0", "x1", "x2"])):
        for name, old in zip(names, X):
            text = text.replace(f"{old} ", f"{name} ")
        with pytest.raises(DNFSyntaxError, match=r"DNF\.parse without"):
            DNFClassifier(text).fit(rows, y)
        dnf = DNF.parse(text, features=names)
        clf = DNFClassifier(dnf).fit(rows, y)
        new = [[20, "rarely", "1"], [20, "no", "1"]]
        new = pd.DataFrame(new, columns=names) if rows is X else new
        assert clf.predict(new).tolist() == ["ill", "well"]
        assert cross_val_score(DNFClassifier(dnf), rows, y, cv=2).min() >= 0


def test_representations_are_short():
    terms = [f"x{i} > {i}.5 & color in {{red, green, blue}}" for i in range(40)]
    dnf = DNF.parse(" or ".join(terms), "setosa")
    text = repr(DNFClassifier(dnf))
    assert len(text) < 150 and text.count("\n") <= 2
    assert "<DNF for 'setosa', 40 rules: x0 > 0.5 & color in {red," in text
    assert repr(DNF.parse("a > 1", "yes")) == "<DNF for 'yes', 1 rule: a > 1>"
    assert repr(DNF([], True)) == "<DNF for True, 0 rules: False>"
    several = DNFClassifier({"setosa": dnf, "virginica": dnf})
    assert len(repr(several)) < 300 and "DNF for" in several._repr_html_()
    literal = dnf.terms[0].literals[0]
    assert repr(literal).startswith("Literal(column=0, feature='x0'")


def test_a_text_without_a_class_is_about_what_scikit_learn_calls_positive():
    X, y = people()
    ill = y == "ill"
    for labels, class_ in (
        (ill, True),
        (ill.astype(int), 1),
        (np.where(ill, 1.0, -1.0), 1.0),
        (np.zeros(6, int), 1),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error" if labels.any() else "ignore")
            found = DNFClassifier("age > 40").fit(X, labels).dnfs_[0].class_
        assert found == class_ and type(found) is type(class_)
    X, y = iris()
    for labels in (y, load_iris().target):
        with pytest.raises(ValueError, match=r"'class: .*' or 'class: .*' or "):
            DNFClassifier("x > 40").fit(X.set_axis(list("abcx"), axis=1), labels)
    with pytest.raises(ValueError, match=r"^otherwise must be one of .*; got 'rose'"):
        DNFClassifier(otherwise="rose").fit(X, y)


def test_a_rare_class_may_be_absent_from_a_fold():
    """Its rules predict it there, too; what is probable is a class of the labels."""
    X = pd.DataFrame({"a": range(9)})
    y = np.where(X["a"] > 6, "rare", "common")
    for given in ("class: rare\na > 6", {"rare": "a > 6"}, DNF.parse("a > 6", "rare")):
        with pytest.warns(UserWarning, match=r"the rules name: rare \('common'\)"):
            scores = cross_val_score(
                DNFClassifier(given), X, y, cv=KFold(3), error_score="raise"
            )
        assert scores.tolist() == [1, 1, 1]
    codes = pd.Series(np.where(y == "rare", "2", "1"))
    with pytest.warns(UserWarning, match="No row of y belongs to a class"):
        clf = DNFClassifier("class: 2\na > 6\notherwise: 1").fit(X[:6], codes[:6])
    assert clf.classes_.tolist() == ["1", "2"] and clf.score(X, codes) == 1
    assert clf.predict_proba(X[6:]).tolist() == [[7 / 8, 1 / 8], *[[0.5, 0.5]] * 2]


def test_a_class_of_all_rows_is_printed_as_such():
    X, y = people()
    for given, text in (
        ({"well": "True"}, "otherwise: well"),
        ({"ill": "False"}, "otherwise: well"),
        (
            {"ill": "age > 40", "well": "True"},
            "class: ill\nage > 40\n\notherwise: well",
        ),
    ):
        clf = DNFClassifier(given, otherwise=None if len(given) > 1 else "well")
        assert str(clf.fit(X, y)) == text
        for mark in ("", "\ufeff"):
            again = DNFClassifier(mark + text).fit(X, y)
            assert_array_equal(again.predict(X), clf.predict(X))


def test_without_a_formula_it_predicts_the_most_frequent_class():
    X, y = people()
    clf = DNFClassifier({}).fit(X, y, sample_weight=[1, 1, 1, 1, 1, 4])
    assert set(clf.predict(X)) == {"well"} and clf.dnfs_ == []
    assert_allclose(clf.predict_proba(X), np.tile([4 / 11, 7 / 11], (6, 1)))
    table = clf.explain(X)
    assert table["formula"].isna().all() and len(table) == 6


def test_explanations():
    X, y = people()
    text = "class: ill\nage > 40 & code = 2 or smokes = yes or age > 55"
    clf = DNFClassifier(text).fit(X, y)
    table = clf.explain(X)
    assert table.columns.tolist() == [
        "row",
        "class",
        "formula",
        "term",
        "holds",
        "fails",
    ]
    assert table["row"].tolist() == [0, 1, 2, 3, 4, 5, 5]
    assert table["holds"].tolist() == [True, True, False, True, False, True, True]
    assert table["term"].tolist() == [
        "smokes = yes",
        "age > 40 & code = 2",
        "smokes = yes",
        "smokes = yes",
        "age > 40 & code = 2",
        "age > 40 & code = 2",
        "age > 55",
    ]
    assert table["fails"].tolist() == ["", "", "smokes = yes", "", "age > 40", "", ""]
    assert table["class"].tolist() == clf.predict(X)[table["row"]].tolist()
    both = DNFClassifier({"well": "age > 55", "ill": "smokes = no"}).fit(X, y)
    of_last = both.explain(X).query("row == 5")
    assert of_last["formula"].tolist() == ["well"]


def test_it_is_at_home_in_scikit_learn():
    X, y = load_house_votes_84(return_X_y=True, as_frame=True)
    model = DNFWinnowClassifier(margin=1.0, alpha=1.1, max_term_size=3, random_state=0)
    dnf = to_dnf(model.fit(X, y), "republican", X=X, y=y)
    clf = DNFClassifier(dnf)
    assert cross_val_score(clf, X, y, cv=3).mean() > 0.93
    fitted = make_pipeline(FunctionTransformer(), clone(clf)).fit(X, y)
    assert_array_equal(fitted.predict(X) == "republican", dnf.holds(X))
    edited = dnf.with_term(f"{X.columns[0]} = n", values=X)
    search = GridSearchCV(clf, {"dnf": [dnf, edited, str(dnf)]}, cv=3).fit(X, y)
    assert search.best_params_["dnf"] in (dnf, str(dnf))
    again = pickle.loads(pickle.dumps(fitted))
    assert_array_equal(again.predict(X), fitted.predict(X))


# -- several formulas, elsewhere -------------------------------------------------------


def everything():
    """Rules of three classes that overlap, on columns of all kinds."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.choice([20.0, 30.5, 47.0, np.nan], 90),
            "it's": rng.choice(["a", "b'", None], 90),
            "flag": rng.choice([True, False], 90),
        }
    )
    y = rng.choice(["no", "maybe", "it's so"], 90)
    rules = {
        "it's so": DNF.parse('age > 25 & "it\'s" = "b\'" or flag = True', features=X),
        "maybe": 'age is missing or "it\'s" != a',
        "no": "age <= 30.5 or flag = True",
    }
    return X, y, DNFClassifier(rules, otherwise="maybe").fit(X, y)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_with_and_without_names_are_one_table(frame):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 4, 120), rng.normal(size=120).round(2)])
    y = ((X[:, 0] > 1) & (X[:, 1] > 0)).astype(int)
    named = frame(X, **{"columns" if frame is pd.DataFrame else "schema": ["a", "b"]})
    model = DNFWinnowClassifier(cv=None, random_state=0)
    for fitted, asked in ((X, named), (named, X)):
        said = "X (has|does not have valid) feature names, but"
        for clf in (DNFClassifier(cv=None, price=1.0), model):
            clf.fit(fitted, y)
            with pytest.warns(UserWarning, match=said):
                assert (clf.predict(asked) == clf.predict(fitted)).all()
            with pytest.warns(UserWarning, match=said):
                assert clf.explain(asked[:2]) is not None
        with pytest.warns(UserWarning, match=said):
            dnf = model.to_dnf(1, X=asked, y=y)
        assert (dnf.holds(fitted) == y).all()
        if fitted is X:
            with pytest.warns(UserWarning, match=said):
                assert (dnf.holds(asked) == y).all()


def test_exports_of_several_formulas_agree():
    X, _, clf = everything()
    expected = clf.predict(X).tolist()
    rows = plain_rows(X, list(X))
    assert set(expected) == set(clf.classes_)
    assert list(map(run(clf), rows)) == expected
    explained = clf.explain(X).query("holds").drop_duplicates("row")
    first = explained.set_index("row")["term"].reindex(range(len(X)))
    rules = clf.apply(X).tolist()
    assert rules == first.fillna("otherwise").tolist()
    assert len({*rules}) == 6
    of_unseen = clf.apply(X.assign(age=25.0, flag=None, **{"it's": "new"}))
    assert {*of_unseen} == {"it's != a"}
    assert list(map(run(clf, result="rule"), rows)) == rules
    names = {"dialect": "sqlite"}
    both = clf.to_sql(**names), clf.to_sql(**names, result="rule")
    found = table_of(rows, list(X)).execute(f"SELECT {', '.join(both)} FROM t")
    assert found.fetchall() == list(zip(expected, rules))
    for export in (clf.to_sql, clf.to_python, clf.dnfs_[0].to_sql):
        with pytest.raises(ValueError, match="result to be 'class' or 'rule'"):
            export(result="probability")


def test_several_formulas_as_text():
    X, y, clf = everything()
    for text in (str(clf), clf.to_text()):
        again = DNFClassifier(text).fit(X, y)
        assert_array_equal(again.predict(X), clf.predict(X))
        assert again.otherwise_ == "maybe"
    assert str(clf).startswith("class: it's so\nage > 25 & ")
    assert str(clf).endswith("\n\notherwise: maybe")
    assert repr(clf).startswith("DNFClassifier(") and str(DNFClassifier()) == (
        "DNFClassifier()"
    )
    nothing = DNFClassifier({}, otherwise="no").fit(X, y)
    assert str(nothing) == "otherwise: no"
    for exported in (nothing.to_sql(), nothing.to_text()):
        assert "no" in exported
    assert DNFClassifier(nothing.to_text()).fit(X, y).otherwise_ == "no"
    assert run(nothing)({}) == "no"
    assert run(nothing, result="rule")({}) == nothing.apply(X)[0] == "otherwise"
    # A class with a line of its own in quotes is no beginning of a formula.
    single = DNFClassifier("otherwise: no\nclass: maybe\nage > 3 or\nflag = True")
    assert len(single.fit(X, y).dnfs_) == 1

"""Literals, terms and formulas: what they say is what the classifier means."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools
import pickle
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pytest
from internals.encoding import columns_of
from internals.inspection import TermDecoder
from literal_checks import (
    answers_of,
    check,
    every_literal,
    frame,
    labels,
    quick,
    run,
)
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.rules import DNF, Literal, Term

LITERALS = "equal", "ordered", "intervals"
MISSING = "unspecified", "category", "most_frequent"
NASTY = (
    "",
    " ",
    "a & b",
    "(cm)",
    "it's",
    'say "so"',
    "line\nend",
    "tab\t",
    "ä ☃",
    "{x}",
    "%s",
    "\\",
    "'); DROP TABLE t; --",
    "__import__('os')",
    "row['a']",
    "<b>",
    "\ud800",
)


# -- exactness -------------------------------------------------------------------------


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("literals", LITERALS)
def test_literals_of_a_frame(literals, missing, global_random_seed):
    X, new = frame(40, global_random_seed), frame(30, global_random_seed + 100, more=1)
    clf = quick(literals=literals, missing=missing).fit(X, labels(40))
    check(clf, X)
    # A tuple is no value of SQL.
    check(clf, new.drop(columns="mixed").assign(mixed="new"))
    check(clf, new, elsewhere=False)


@pytest.mark.slow_beyond(2)
@pytest.mark.parametrize("literals, missing", zip(LITERALS, MISSING))
def test_literals_of_other_containers(literals, missing):
    X, new = frame(40, 0), frame(30, 1)
    clf = quick(literals=literals, missing=missing)
    y = labels(40)
    to_objects = [table.astype(object).to_numpy() for table in (X, new)]
    check(clf.fit(to_objects[0], y), *to_objects)
    kinds = X.columns.drop("mixed")
    to_polars = [
        pl.DataFrame(
            {name: [None if pd.isna(v) else v for v in table[name]] for name in kinds}
        )
        for table in (X, new)
    ]
    check(clf.fit(to_polars[0], y), *to_polars)
    kinds = ["int", "gap", "yes"]
    numbers = [table[kinds].astype(float).to_numpy() for table in (X, new)]
    check(clf.fit(numbers[0], y), *numbers)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("literals", LITERALS)
def test_literals_of_values_of_any_kind(literals, missing):
    odd = UUID(int=1), pd.Interval(0, 1)
    values = [*odd, ("a", 1), Decimal("0.1"), frozenset("b"), None]
    X = np.empty((36, 2), dtype=object)
    X[:, 0] = np.resize(np.array([*values, "dummy"], dtype=object)[:-1], 36)
    X[:, 1] = np.resize(np.array([10**30, "b", -(2**60), None], dtype=object), 36)
    clf = quick(literals=literals, missing=missing).fit(X, labels(36))
    decoder = check(clf, X, elsewhere=False)
    literal = decoder.literal(0, 1)
    dnf = DNF([Term([literal])], 1, features=["x0"])
    for form in (literal.to_text, dnf.to_python, dnf.to_sql):
        with pytest.raises(TypeError, match="Convert column 'x0' to"):
            form()
    assert 10**30 in {
        v for *_, literal in every_literal(decoder) for v in literal.values
    }


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("literals", LITERALS)
def test_literals_of_intervals(literals, missing, global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    y = labels(80, global_random_seed)
    X = rng.normal(y[:, None], 1, (80, 3))
    X[:, 2] = 1
    X[rng.random(X.shape) < 0.1] = nan
    new = rng.normal(1, 3, (50, 3))
    new[rng.random(new.shape) < 0.1] = nan
    pipeline = make_pipeline(
        ClassEntropyDiscretizer(max_intervals=4),
        quick(literals=literals, missing=missing),
    )
    decoder = check(pipeline.fit(X, y), X, new)
    cuts = pipeline[0].cut_points_[0][:, None]
    ends = np.hstack([np.nextafter(cuts, -inf), cuts, np.nextafter(cuts, inf)])
    check(pipeline, np.resize(ends, (9, 3)))
    assert decoder.n_opaque == 0
    assert not any(literal.values for *_, literal in every_literal(decoder))


def test_single_precision_is_read_in_double():
    X = np.array([[0.1], [0.2]] * 4, dtype=np.float32)
    y = [0, 1] * 4
    pipeline = make_pipeline(ClassEntropyDiscretizer(), quick()).fit(X, y)
    pipeline[0].cut_points_[0][:] = 0.1
    literal = TermDecoder.from_estimator(pipeline).literal(0, 1)
    row, code = {"x0": X[0, 0]}, {}
    assert 0.1 < float(row["x0"]) and not literal.holds(X[:1, 0])[0]
    exec(DNF([Term([literal])], features=["x0"], class_=True).to_python(), code)
    assert code["predict"](row) is False


def test_intervals_that_training_did_not_have():
    X = np.arange(50.0)[:, None]
    y = np.arange(50) // 10
    discretizer = ClassEntropyDiscretizer(max_intervals=5).fit(X, y)
    seen = y != 2
    clf = quick(literals="ordered")
    clf.fit(discretizer.transform(X[seen]), y[seen])
    decoder = check(Pipeline([("cut", discretizer), ("clf", clf)]), X)
    found = {literal.intervals for *_, literal in every_literal(decoder)}
    # The third one is as the second, the nearest of equally near ones.
    assert ((-inf, 29.5),) in found


# -- pipelines -------------------------------------------------------------------------


def measurements(n_rows=90, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    numbers = rng.normal(y[:, None], 1, (n_rows, 3)).round()
    X = pd.DataFrame(numbers, columns=["p", "q", "r"])
    colours = np.array(["red", "green", "blue", "none"], dtype=object)
    X.insert(1, "colour", colours[rng.integers(0, 4, n_rows)])
    X.loc[rng.random(n_rows) < 0.1, "q"] = nan
    return X, y


def transformers():
    """Column transformers of one meaning for `measurements`, in many ways to say so."""
    cut, inner = ClassEntropyDiscretizer(max_intervals=3), "passthrough"
    nested = make_pipeline(FunctionTransformer(), cut)
    numbers = make_column_selector(dtype_include=float)
    for columns in (
        ["r", "p"],
        [3, 0],
        [-1, 0],
        np.array([True, False, False, True]),
        slice("r", None),
        slice(None, "p"),
        slice(3, None),
        lambda X: ["r", "p"],
    ):
        yield ColumnTransformer([("cut", cut, columns), ("as_is", inner, ["colour"])])
    yield ColumnTransformer([("cut", nested, numbers)], remainder="passthrough")
    yield ColumnTransformer(
        [("no", "drop", ["p"]), ("none", StandardScaler(), []), ("cut", cut, ["q"])],
        remainder="passthrough",
    )
    yield ColumnTransformer([("one", cut, ["p"]), ("two", cut, slice("p", "colour"))])
    yield ColumnTransformer(
        [
            ("raw", "passthrough", ["colour"]),
            ("inner", ColumnTransformer([("cut", cut, [1, 0])]), ["p", "r"]),
        ]
    )


@pytest.mark.slow_beyond(3)
@pytest.mark.parametrize("place", range(12))
def test_column_transformers_are_understood(place):
    transformer = next(itertools.islice(transformers(), place, None))
    X, y = measurements()
    for output in ("default", "pandas"):
        transformer.set_output(transform=output)
        pipeline = make_pipeline(transformer, quick(literals="ordered")).fit(X, y)
        decoder = check(pipeline, X)
        assert decoder.n_opaque == 0 and decoder.table(X) is X
        assert decoder.table_features == ("p", "colour", "q", "r")
        for *_, literal in every_literal(decoder):
            assert literal.feature == decoder.table_features[literal.column]


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("output", ["default", "pandas"])
@pytest.mark.parametrize("missing", MISSING)
def test_columns_of_all_kinds_that_pass_through(missing, output):
    X, new = (frame(40, seed, seed).drop(columns="mixed") for seed in (0, 1))
    cut = ClassEntropyDiscretizer(columns=["null", "flag"])
    others = ["text", "gap", "yes", "grade", "int"]
    parts = [("as_is", "passthrough", others), ("cut", clone(cut), ["null", "flag"])]
    for step in (cut, ColumnTransformer(parts)):
        step.set_output(transform=output)
        pipeline = make_pipeline(step, quick(literals="ordered", missing=missing))
        assert check(pipeline.fit(X, labels(40)), X, new).n_opaque == 0


@pytest.mark.slow
def test_selectors_nested_pipelines_and_steps_that_do_nothing():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = Pipeline(
        [
            ("kept", VarianceThreshold()),
            ("nothing", "passthrough"),
            ("same", FunctionTransformer()),
            ("nested", make_pipeline(ClassEntropyDiscretizer(), SelectKBest(k=2))),
            ("none", None),
            ("clf", GridSearchCV(quick(), {"literals": ["ordered"]}, cv=2)),
        ]
    ).fit(X, y)
    decoder = check(pipeline, X)
    assert decoder.n_opaque == 0
    assert decoder.features == tuple(X.columns[2:])
    search = GridSearchCV(pipeline, {"nested__selectkbest__k": [3]}, cv=2).fit(X, y)
    assert len(check(search, X).features) == 3


def test_who_has_no_vocabulary():
    X, y = load_iris(return_X_y=True)
    for wrong in (LogisticRegression(), make_pipeline(StandardScaler()), None):
        with pytest.raises(TypeError, match="must be a DNFWinnowClassifier, or a Pipe"):
            TermDecoder.from_estimator(wrong)
    search = GridSearchCV(quick(), {"alpha": [2]}, refit=False)
    for unfitted in (quick(), make_pipeline(quick()), search, search.fit(X.round(), y)):
        with pytest.raises(NotFittedError):
            TermDecoder.from_estimator(unfitted)


# -- words -----------------------------------------------------------------------------


def said_by(X, *, names=None, discretizer=None, **parameters):
    """All literals of a table, as text."""
    X = pd.DataFrame(X, columns=names)
    steps = [] if discretizer is None else [discretizer]
    pipeline = make_pipeline(*steps, quick(**parameters)).fit(X, np.arange(len(X)) // 2)
    return [
        str(literal)
        for *_, literal in every_literal(TermDecoder.from_estimator(pipeline))
    ]


def test_words():
    colours = pd.Series(["red", "blue", "green", None], dtype=object)
    assert said_by({"a": colours}, literals="ordered") == [
        "a = blue",
        "a = green",
        "a = red",
        "a != blue",
        "a != green",
        "a != red",
    ]
    said = said_by({"a": colours}, literals="ordered", missing="category")
    assert said[3] == "a is missing" and said[7] == "a is not missing"
    assert said_by({"a": [1, 2, 5, 5]}, literals="ordered") == [
        "a = 1",
        "a = 2",
        "a = 5",
        "a <= 1",
        "a > 1",
        "a <= 3.5",
        "a > 3.5",
    ]
    assert said_by({"a": [1.0, 2.5, 2.5, nan]}) == ["a = 1", "a = 2.5"]
    assert said_by({"a": [True, False] * 2}) == ["a = False", "a = True"]
    assert said_by({"a": pd.cut([0.5, 1.5] * 2, [0, 1, 2])})[1] == "a = (1, 2]"
    strange = ["", " x", "a\nb", "a & b"]
    assert said_by({"a\t": pd.Series(strange, dtype=object)}) == [
        "'a\\t' = ''",
        "'a\\t' = ' x'",
        "'a\\t' = 'a\\nb'",
        "'a\\t' = 'a & b'",
    ]


def test_words_of_intervals():
    cut = ClassEntropyDiscretizer(max_intervals=3)
    X = {"a": [1.0, 2, 3, 4, 5, 6]}
    assert said_by(X, discretizer=cut, literals="ordered") == [
        "a <= 2.5",
        "a in (2.5, 4.5]",
        "a > 4.5",
        "a <= 2.5",
        "a > 2.5",
        "a <= 4.5",
        "a > 4.5",
    ]
    gap = {"a": [*X["a"], nan, nan]}
    said = said_by(gap, discretizer=cut, literals="equal", missing="category")
    assert said[3:] == ["a is missing"]
    constant = {"a": [1.0] * 4, "b": [0.0, 0, 1, 1]}
    assert said_by(constant, discretizer=cut)[0] == "a is not missing"
    # A missing value counts as the only one there is.
    said = said_by(constant, discretizer=cut, missing="most_frequent")
    assert said[0] == "a is anything"


def test_a_term_is_in_the_order_of_attributes():
    X = pd.DataFrame({"a": list("xyzx"), "b": list("uvwu")})
    decoder = TermDecoder.from_estimator(quick(literals="ordered").fit(X, [0, 1, 1, 0]))
    pairs = [(7, 1), (4, 1), (1, 1), (0, 1)]
    said = [decoder.literal(*pair) for pair in pairs]
    term = decoder.term(pairs)
    # Each condition is implied by the equality, or it is the equality.
    assert set(term.literals) <= set(said)
    assert str(term) == "a = x & b = u"
    columns = columns_of(X)
    holds = np.all([literal.holds(columns[literal.column]) for literal in said], 0)
    assert_array_equal(term.holds(columns), holds)
    assert str(decoder.term([])) == "True" and decoder.term([]).holds(columns).all()


@pytest.mark.parametrize("literals", LITERALS)
@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("missing", MISSING)
def test_conditions_of_one_feature_are_one_condition(literals, is_cut, missing):
    """It is satisfied by the same rows as all of them."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 6, 80), "b": rng.choice(list("uvwx"), 80)})
    X["a"] = X["a"].astype(float).where(rng.random(80) < 0.9)
    cut = ClassEntropyDiscretizer(max_intervals=5, columns=[0]) if is_cut else None
    clf = quick(literals=literals, missing=missing, discretizer=cut)
    decoder = TermDecoder.from_estimator(clf.fit(X, labels(80)))
    columns = columns_of(X)
    every = [(column, code) for column, code, _ in every_literal(decoder)]
    for _ in range(60):
        pairs = [every[i] for i in rng.permutation(len(every))[:3]]
        term = decoder.term(pairs)
        features = [literal.column for literal in term.literals]
        assert len(set(features)) == len(features)
        each = [decoder.literal(*pair) for pair in pairs]
        holds = np.all([one.holds(columns[one.column]) for one in each], axis=0)
        assert_array_equal(term.holds(columns), holds)


def test_words_of_joint_conditions():
    def joint(X, *texts, **params):
        clf = quick(**params).fit(pd.DataFrame(X), [0, 1] * (len(X["a"]) // 2))
        decoder = TermDecoder.from_estimator(clf)
        pairs = {
            str(one): (column, code) for column, code, one in every_literal(decoder)
        }
        return str(decoder.term([pairs[text] for text in texts]))

    counts, cut = {"a": np.arange(8)}, ClassEntropyDiscretizer(max_intervals=8)
    ordered = {"literals": "ordered"}
    assert joint(counts, "a <= 5", "a > 2", **ordered) == "a in [3, 5]"
    assert joint(counts, "a <= 5", "a <= 3", **ordered) == "a <= 3"
    assert joint(counts, "a <= 5", "a > 4", **ordered) == "a = 5"
    ordered["discretizer"] = cut
    assert joint(counts, "a <= 5.5", "a > 2.5", **ordered) == "a in (2.5, 5.5]"
    nested = {"literals": "intervals"}
    assert joint(counts, "a <= 3", "a in [2, 3]", **nested) == "a in [2, 3]"
    assert joint(counts, "a >= 4", "a >= 6", **nested) == "a >= 6"
    nested["discretizer"] = cut
    assert joint(counts, "a <= 3.5", "a in (1.5, 3.5]", **nested) == "a in (1.5, 3.5]"
    words = {"a": list("uvwxyz")}
    said = joint(words, "a != u", "a != w", literals="ordered")
    assert said == "a not in {u, w}"


# -- formulas --------------------------------------------------------------------------


def weather():
    sunny = Literal(0, "outlook", "=", "sunny", ("sunny",))
    calm = Literal(1, "wind", "!=", "strong", ("weak", "none"), missing=True)
    warm = Literal(2, "degrees", "in", "(20, 30]", None, ((20.0, 30.0),))
    apart = (-inf, 0.0), (9.0, inf)
    odd = Literal(2, "degrees", "not in", "(0, 9]", None, apart, True)
    features = ["outlook", "wind", "degrees", "spare"]
    terms = [Term([sunny, calm]), Term([calm, warm]), Term([sunny, odd])]
    return DNF(terms, "out", "in", features, {"precision": 0.75})


def all_weather():
    outlooks, winds = ["sunny", "rainy", None], ["weak", "strong", None]
    degrees = [nan, -1.0, 0.0, 1e-9, 9.0, 20.0, 20.5, 30.0, 31.0]
    rows = itertools.product(outlooks, winds, degrees, [0])
    return pd.DataFrame(rows, columns=["outlook", "wind", "degrees", "spare"])


def test_all_forms_of_a_formula_agree():
    dnf, X = weather(), all_weather()
    holds = dnf.holds(X)
    assert 0 < holds.sum() < len(X)
    classes = np.where(holds, "out", "in").tolist()
    rows = X.to_dict("records")
    assert list(map(run(dnf), rows)) == classes
    assert answers_of(dnf, rows) == classes
    again = pickle.loads(pickle.dumps(dnf))
    assert again == dnf and hash(again) == hash(dnf) and again.scores == dnf.scores
    yes_or_no = replace(dnf, otherwise=None)
    assert list(map(run(yes_or_no, "f"), rows)) == holds.tolist()
    assert yes_or_no != dnf


def test_missing_values_of_all_kinds_in_python():
    predict = run(weather())
    for missing in (None, nan, np.float64("nan"), pd.NA, pd.NaT):
        assert predict({"outlook": "sunny", "wind": missing, "degrees": 5}) == "out"
        assert predict(dict.fromkeys(["outlook", "wind", "degrees"], missing)) == "in"


def test_columns_go_by_name_in_frames_and_by_position_elsewhere():
    dnf, X = weather(), all_weather()
    expected = dnf.holds(X)
    assert dnf.used_features == ["outlook", "wind", "degrees"]
    fewer = X[["degrees", "outlook", "wind"]].assign(other=1j)
    assert_array_equal(dnf.holds(fewer), expected)
    of_polars = pl.from_pandas(X[["wind", "degrees", "outlook"]])
    assert_array_equal(dnf.holds(of_polars), expected)
    assert_array_equal(dnf.holds(of_polars.to_arrow()), expected)
    assert_array_equal(dnf.holds(X.to_numpy()), expected)
    assert_array_equal(dnf.holds(X.to_numpy().tolist()), expected)
    assert_array_equal(dnf.holds(X.set_axis(range(4), axis=1)), expected)
    with pytest.raises(ValueError, match=r"no column 'wind', 'degrees' \('outlook"):
        dnf.holds(X[["outlook", "spare"]])
    for wrong in (X.to_numpy()[:, :3], X.to_numpy()[0], [[1], [1, 2]]):
        with pytest.raises(ValueError, match=r"4 columns|inhomogeneous"):
            dnf.holds(wrong)
    with pytest.raises(ValueError, match="'degrees' must contain only numbers"):
        dnf.holds(X.assign(degrees="warm"))


def test_two_columns_may_have_the_same_name():
    second = DNF([Term([Literal(1, "a", "=", "b", ("b",))])], 1, 0, ["a", "a"])
    X = pd.DataFrame([["b", "c"], ["c", "b"]], columns=["a", "a"])
    assert second.holds(X).tolist() == [False, True]
    for form in (second.to_python, second.to_sql):
        with pytest.raises(ValueError, match="one column of each name; got 'a'"):
            form()


def test_formulas_of_nothing():
    for terms, holds in (([], False), ([Term()], True)):
        for library in (pd, pl):
            X = library.DataFrame({"spare": [1, 2]})
            assert DNF(terms, "yes").holds(X).tolist() == [holds] * 2
        dnf = DNF(terms, "yes", features=["a"])
        assert str(dnf).startswith(f"class: yes\n{holds}")
        X = pd.DataFrame({"a": [1, 2]})
        assert dnf.holds(X).tolist() == [holds] * 2
        assert run(dnf)({}) is holds
        assert answers_of(dnf, [{"a": 1}]) == [holds]
        assert DNF.parse(dnf.to_text()).terms == dnf.terms
        assert ("True" if terms else "no rules") in dnf._repr_html_()
    nothing = Literal(0, "a", "=", "b", ())
    dnf = DNF([Term([nothing]), Term([replace(nothing, missing=True)])], 1, 0, ["a"])
    assert [run(dnf)({"a": value}) for value in ("b", None)] == [0, 1]
    assert answers_of(dnf, [{"a": "b"}, {"a": None}]) == [0, 1]


@pytest.mark.parametrize("text", NASTY)
def test_names_and_values_are_data(text):
    literal = Literal(0, text, "=", text, (text, "other"))
    dnf = DNF([Term([literal])], text, "other " + text, [text])
    assert dnf.holds([[text], ["x"], [None]]).tolist() == [True, False, False]
    assert run(dnf)({text: text}) == text and run(dnf)({text: "x"}) == "other " + text
    assert DNF.parse(dnf.to_text()).to_text() == dnf.to_text()
    first, terms, last = str(dnf).split("\n")
    assert terms == str(literal) and "<b>" not in dnf._repr_html_()
    without_terms = DNF.parse(f"{first}\nFalse\n{last}")
    assert (without_terms.class_, without_terms.otherwise) == (text, "other " + text)
    if text.isascii() and text:
        answers = answers_of(dnf, [{text: text}, {text: "x"}, {text: None}])
        assert answers == [text, *["other " + text] * 2]


def test_what_cannot_be_written_down():
    dnf = weather()
    for name in ("", "a b", "class", "float", "__debug__", "f():\n import os #", None):
        with pytest.raises(ValueError, match="a name that Python allows"):
            dnf.to_python(name)
    for wrong in (replace(dnf, class_=Decimal(1)), replace(dnf, otherwise=("a",))):
        for form in (wrong.to_text, wrong.to_python, wrong.to_sql):
            with pytest.raises(TypeError, match="the target has"):
                form()
    null = Literal(0, "a\0", "=", "b", ("b",))
    with pytest.raises(ValueError, match="null character"):
        DNF([Term([null])], 1, features=["a\0"]).to_sql()
    with pytest.raises(ValueError, match="column 0 to be 'outlook'"):
        replace(dnf, features=["a"])
    of_numpy = np.int64(3), np.float32(0.5), np.str_("s")
    literal = Literal(0, "a", "=", "b", of_numpy)
    for values, sql in ((of_numpy, "IN (3, 0.5, 's')"), ((True,), "= TRUE")):
        dnf = DNF([Term([replace(literal, values=values)])], 1, features=["a"])
        assert f'"a" {sql}' in dnf.to_sql()
    apart = replace(literal, values=None, intervals=((-inf, 0.0), (1.0, inf)))
    assert_array_equal(apart.holds(np.array([-inf, inf, 0.5, nan])), [1, 1, 0, 0])


def test_html_is_escaped_and_has_the_colours_of_the_page():
    scores = dict.fromkeys(["precision", "recall", "f1", "error", "share"], 0.75)
    html = replace(weather(), scores=scores)._repr_html_()
    assert html.count("<tr") == html.count("</tr>") == 6
    assert "outlook = sunny &amp; wind != strong" in html
    assert "otherwise: in<" in html.replace("</i>", "<")
    assert "held out: precision .75, recall .75, F1 .75; error 75.0 %" in html
    assert "color: inherit" in html and "currentColor" in html and "#" not in html


def test_masked_values_are_missing():
    X = np.ma.MaskedArray([[9.0, 1.0], [1.0, 1.0]], mask=[[1, 0], [0, 0]])
    for text, expected in (("a > 5", [0, 0]), ("a is missing", [1, 0])):
        assert_array_equal(DNF.parse(text, features=["a", "b"]).holds(X), expected)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x = 0.1", np.float32(0.1)),
        ("x != 0.1", np.float32(0.1)),
        ("x in {0.5, 16777217}", np.float32(16777217)),
        ("x = 0.2", Decimal("0.2")),
        ("x not in {0.2, 1}", Fraction(1, 5)),
        ("x <= 0.1", np.float32(0.1)),
        ("x = 9007199254740993", 9007199254740993),
        ("x = 9007199254740993", np.int64(9007199254740993)),
        ("x = a", np.str_("a")),
    ],
)
def test_exported_comparisons_of_other_numbers(text, value):
    dnf = DNF.parse(text, "yes", "no")
    values = np.array([value], dtype=getattr(value, "dtype", object))
    (expected,) = dnf.holds(pd.DataFrame({"x": values}))
    assert run(dnf)({"x": value}) == ("yes" if expected else "no")

"""Datasets: bundled sets are what they claim to be, generators keep their word."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import itertools
import json
import subprocess
import sys
from collections import Counter
from functools import partial
from hashlib import sha256
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import chisquare

from sklearn_dnfwinnow import datasets
from sklearn_dnfwinnow.datasets import (
    load_annealing,
    load_auto,
    load_breast_cancer_ljubljana,
    load_car,
    load_house_votes_84,
    load_monks,
    load_tic_tac_toe,
    make_dnf,
    make_monotone_dnf,
)

DATA = files("sklearn_dnfwinnow.datasets") / "data"

SHA256 = """\
0023b86e0dd3502aaa0e4a610ef4d8aebbba7ff40f53fa7c2f0543c68bee5114 car.csv
68548cc45d3142523163743cb6d08a811950884cc2fbe83dc3f1acdb4b297491 breast-cancer.csv
bded75e448017d274ba143002aed47321192acc4f786a0f2646fba363f20a226 house-votes-84.csv
add4c1f2867e0804df75f5bfc79b87bf6153e2ac99635b548237bc6540c9430d auto.csv
fd68e0213d4e5c8a3163196cedc361f7c2fba1a00f0f60613dbc7e4f40c6caaa annealing.csv
0b2ceb1c8cb0b062bc273e91f3130ba13dd8a7813b9728fc883e166ba4fbafb5 tic-tac-toe.csv
549ce364a4f28517dd847e903684471d8e934c9a30407d19e178ca386915ba58 monks-1.train.csv
295ca9ecd961ba47a67a05084874a05376e5954133a505e482d33d277f6b8024 monks-1.test.csv
d1a15319e23021f6f109356c1f58b194660f77d17d3a6afd43087af50b18bb64 monks-2.train.csv
56cfa62c7b005c4c75e52fc20c9e305417af7f53e14a83e8c71126d147dbce2b monks-2.test.csv
f07502dd79b020bd9de0d419ec1974eb00cfb999a49e394f08332bfca4bb12f1 monks-3.train.csv
74c030fa56367dc9521fc3b8126d604baf65228dfe59ec596a9117a4a0076ef9 monks-3.test.csv
"""
SHA256 = {name: digest for digest, name in map(str.split, SHA256.splitlines())}


def monks(problem, subset):
    return partial(load_monks, problem, subset=subset)


# Loader, nominal and numeric columns, missing cells, rows with any, rows by class.
SETS = {
    "car": (load_car, 6, 0, 0, 0, dict(unacc=1210, acc=384, vgood=65, good=69)),
    "breast-cancer": (
        load_breast_cancer_ljubljana,
        *(9, 0, 9, 9),
        {"no-recurrence-events": 201, "recurrence-events": 85},
    ),
    "house-votes-84": (
        load_house_votes_84,
        *(16, 0, 392, 203),
        dict(republican=168, democrat=267),
    ),
    "auto": (
        load_auto,
        *(10, 15, 59, 46),
        {"3": 27, "1": 54, "2": 32, "0": 67, "-1": 22, "-2": 3},
    ),
    "annealing": (
        load_annealing,
        *(32, 6, 22175, 898),
        {"3": 684, "U": 40, "1": 8, "5": 67, "2": 99},
    ),
    "tic-tac-toe": (load_tic_tac_toe, 9, 0, 0, 0, dict(positive=626, negative=332)),
    "monks-1.train": (monks(1, "train"), 6, 0, 0, 0, {"1": 62, "0": 62}),
    "monks-1.test": (monks(1, "test"), 6, 0, 0, 0, {"1": 216, "0": 216}),
    "monks-2.train": (monks(2, "train"), 6, 0, 0, 0, {"0": 105, "1": 64}),
    "monks-2.test": (monks(2, "test"), 6, 0, 0, 0, {"0": 290, "1": 142}),
    "monks-3.train": (monks(3, "train"), 6, 0, 0, 0, {"1": 60, "0": 62}),
    "monks-3.test": (monks(3, "test"), 6, 0, 0, 0, {"1": 228, "0": 204}),
}
LOADERS = {name: row[0] for name, row in SETS.items()}


@pytest.fixture
def no_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)


def over(cases):
    """Parametrize over the values of a dict, named by its keys."""
    return pytest.mark.parametrize("case", cases.values(), ids=cases)


# ----------------------------------------------------------------------------------
# The files.


def test_public_names():
    assert datasets.__all__ == sorted(datasets.__all__) == dir(datasets)
    assert all(getattr(datasets, name).__name__ == name for name in datasets.__all__)


def test_shipped_files_are_the_checked_ones():
    shipped = {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in DATA.iterdir()
        if path.name.endswith(".csv")
    }
    assert shipped == SHA256


def test_nothing_else_is_shipped():
    names = {name.split(".")[0] for name in SHA256}
    described = (f"{name}.rst" for name in names)
    expected = {*SHA256, *described, "columns.json"}
    assert {path.name for path in DATA.iterdir()} == expected


@pytest.mark.parametrize("filename", SHA256)
def test_each_file_has_a_description_and_column_kinds(filename):
    name = filename.split(".")[0]
    description = (DATA / f"{name}.rst").read_text(encoding="utf-8")
    for section in ("Attributes", "Citation", "This copy", "Licence"):
        assert f"\n{section}\n{'-' * len(section)}\n" in description
    assert "CC BY 4.0" in description.split("\nLicence\n")[1]
    assert "UCI Machine Learning Repository" in " ".join(description.split())

    with (DATA / filename).open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    kinds = json.loads((DATA / "columns.json").read_text(encoding="utf-8"))[name]
    assert [*kinds, "class"] == header
    assert set(kinds.values()) <= {"nominal", "numeric"}


# ----------------------------------------------------------------------------------
# The loaders.


@over(SETS)
def test_frame(case):
    loader, n_nominal, n_numeric, n_missing, n_incomplete, classes = case
    bunch = loader(as_frame=True)
    missing = bunch.data.isna()
    assert bunch.data.shape == (sum(classes.values()), n_nominal + n_numeric)
    assert bunch.target.value_counts().to_dict() == classes
    assert bunch.target_names == sorted(classes)
    assert missing.to_numpy().sum() == n_missing
    assert missing.any(axis=1).sum() == n_incomplete

    assert (len(bunch.nominal), len(bunch.numeric)) == (n_nominal, n_numeric)
    assert sorted(bunch.nominal + bunch.numeric) == sorted(bunch.feature_names)
    assert (bunch.data[bunch.numeric].dtypes == np.float64).all()
    # pandas 3 has a dtype for strings, pandas 2 has objects.
    string = pd.Series(["a"], dtype=str).dtype
    assert (bunch.data[bunch.nominal].dtypes == string).all()
    assert bunch.target.dtype == string

    assert list(bunch.frame) == [*bunch.feature_names, "class"]
    pd.testing.assert_frame_equal(bunch.frame.drop(columns="class"), bunch.data)
    pd.testing.assert_series_equal(bunch.frame["class"], bunch.target)


@over(LOADERS)
def test_arrays_equal_the_frame(case):
    frame, arrays = case(as_frame=True), case(as_frame=False)
    assert arrays.frame is None
    assert arrays.data.dtype == object
    assert arrays.data.shape == frame.data.shape
    assert arrays.target.dtype.kind == "U"
    assert arrays.target.tolist() == frame.target.tolist()
    for name, column in zip(arrays.feature_names, arrays.data.T):
        if name in arrays.numeric:
            assert {type(value) for value in column} == {float}
            assert_array_equal(column.astype(float), frame.data[name])
        else:
            assert {type(value) for value in column} <= {str, type(None)}
            present = frame.data[name].notna()
            assert_array_equal(np.not_equal(column, None), present)
            assert column[present].tolist() == frame.data[name][present].tolist()
    for key in ("feature_names", "target_names", "nominal", "numeric", "DESCR"):
        assert arrays[key] == frame[key]


@over(LOADERS)
def test_without_pandas(case, no_pandas):
    without, arrays = case(), case(as_frame=False)
    assert without.frame is None
    # Equal values with equal types, NaN and None included.
    assert repr(without.data.tolist()) == repr(arrays.data.tolist())
    assert_array_equal(without.target, arrays.target)
    with pytest.raises(ImportError, match=r"requires pandas.*`pip install pandas`"):
        case(as_frame=True)


@pytest.mark.slow
def test_import_without_pandas():
    code = """if True:
        import sys
        sys.modules["pandas"] = None
        from sklearn_dnfwinnow.datasets import load_auto
        assert load_auto().data.shape == (205, 25)
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_frame_is_the_default_with_pandas():
    assert isinstance(load_car().frame, pd.DataFrame)


@over(LOADERS)
def test_return_X_y(case):
    X, y = case(return_X_y=True, as_frame=True)
    pd.testing.assert_frame_equal(X, case().data)
    pd.testing.assert_series_equal(y, case().target)
    X, y = case(return_X_y=True, as_frame=False)
    assert repr(X.tolist()) == repr(case(as_frame=False).data.tolist())
    assert_array_equal(y, case(as_frame=False).target)


@over(LOADERS)
def test_description_and_filename(case):
    bunch = case()
    assert bunch.filename in SHA256
    assert bunch.DESCR == (DATA / f"{bunch.filename.split('.')[0]}.rst").read_text(
        encoding="utf-8"
    )


def boards_at_the_end():
    """Final boards of tic-tac-toe, with whether x has won, by playing all games."""
    lines = [(0, 4, 8), (2, 4, 6)]
    lines += [(i, i + 1, i + 2) for i in (0, 3, 6)]
    lines += [(i, i + 3, i + 6) for i in (0, 1, 2)]
    ends, started, boards = {}, set(), ["b" * 9]
    while boards:
        board = boards.pop()
        winners = {board[i] for i, j, k in lines if board[i] == board[j] == board[k]}
        winners -= {"b"}
        if winners or "b" not in board:
            ends[tuple(board)] = "positive" if winners == {"x"} else "negative"
            continue
        player = "x" if board.count("x") == board.count("o") else "o"
        for square in range(9):
            following = board[:square] + player + board[square + 1 :]
            if board[square] == "b" and following not in started:
                started.add(following)
                boards.append(following)
    return ends


def test_tic_tac_toe_follows_from_the_rules():
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=False)
    assert len(X) == 958
    assert dict(zip(map(tuple, X), y.tolist())) == boards_at_the_end()


CONCEPTS = {
    1: lambda a: a[0] == a[1] or a[4] == 1,
    2: lambda a: list(a).count(1) == 2,
    3: lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
}


def monks_and_truth(problem, subset):
    X, y = load_monks(problem, subset=subset, return_X_y=True, as_frame=False)
    X = X.astype(int)
    return X, y.astype(int), np.array([int(CONCEPTS[problem](row)) for row in X])


@pytest.mark.parametrize("problem", CONCEPTS)
def test_monks_test_rows_follow_from_the_definition(problem):
    X, y, truth = monks_and_truth(problem, "test")
    robots = itertools.product(*(range(1, k + 1) for k in (3, 3, 2, 3, 4, 2)))
    assert sorted(map(tuple, X.tolist())) == list(robots)
    assert_array_equal(y, truth)


@pytest.mark.parametrize("problem, n_wrong", [(1, 0), (2, 0), (3, 6)])
def test_monks_training_rows_have_the_known_noise(problem, n_wrong):
    X, y, truth = monks_and_truth(problem, "train")
    assert len(np.unique(X, axis=0)) == len(X)
    assert (y != truth).sum() == n_wrong


@pytest.mark.parametrize("as_frame", [False, True])
def test_all_monks_are_the_training_rows_and_then_the_test_rows(as_frame):
    both = load_monks(2, as_frame=as_frame)
    train, test = (
        load_monks(2, subset=subset, as_frame=as_frame) for subset in ("train", "test")
    )
    assert both.filename == ["monks-2.train.csv", "monks-2.test.csv"]
    assert_array_equal(both.data, np.vstack([train.data, test.data]))
    assert_array_equal(both.target, np.hstack([train.target, test.target]))


@pytest.mark.parametrize(
    "parameters, message",
    [
        (dict(problem=0), r"'problem' .* load_monks must be .* range \[1, 3\]. Got 0"),
        (dict(problem=4), r"'problem' .* load_monks must be .* range \[1, 3\]. Got 4"),
        (dict(problem="1"), r"'problem' .* load_monks must be .* Got '1'"),
        (dict(subset="both"), r"'subset' .* load_monks must be a str .* Got 'both'"),
        (dict(as_frame="yes"), r"'as_frame' .* load_monks must be .* Got 'yes'"),
        (dict(return_X_y=None), r"'return_X_y' .* load_monks must be .* Got None"),
    ],
)
def test_bad_loader_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        load_monks(**parameters)


# ----------------------------------------------------------------------------------
# The generators.


def monotone(*args, **kwargs):
    """`make_monotone_dnf` in the terms of `make_dnf`: categories, dicts for terms."""
    X, y, terms = make_monotone_dnf(*args, unspecified=0, return_terms=True, **kwargs)
    return X, y, [dict.fromkeys(term, 1) for term in terms]


GENERATORS = {
    "monotone": (monotone, 2, 0),
    "dnf": (partial(make_dnf, return_terms=True), 3, 1),
    "dnf of two": (partial(make_dnf, return_terms=True, n_values=2), 2, 1),
}


def labels(X, terms):
    """Labels, straight from the definition of a DNF."""
    return [
        int(any(all(row[j] == value for j, value in term.items()) for term in terms))
        for row in X
    ]


AWKWARD = {
    "one feature": dict(n_features=1),
    "one sample": dict(n_samples=1),
    "one feature, one sample": dict(n_features=1, n_samples=1),
    "one term": dict(n_terms=1),
    "one literal": dict(term_size=1),
    "one literal, all attributes": dict(term_size=1, n_features=5, n_terms=5),
    "full terms": dict(n_features=12, term_size=12),
    "long full terms": dict(n_features=1500, term_size=1500, n_samples=20),
    "many terms": dict(n_features=8, n_terms=300, term_size=2),
    "many terms, one feature": dict(n_features=1, n_terms=300),
    "hardly a negative row": dict(n_features=40, n_terms=40, term_size=1),
    "odd": dict(n_samples=101),
    "unbalanced": dict(balanced=False),
    "unbalanced full terms": dict(balanced=False, n_features=12, term_size=12),
}


@pytest.mark.slow_beyond(8)
@pytest.mark.parametrize("generator", GENERATORS.values(), ids=GENERATORS)
@pytest.mark.parametrize("parameters", AWKWARD.values(), ids=AWKWARD)
def test_generators_keep_their_word(generator, parameters):
    make, k, lowest = generator
    X, y, terms = make(random_state=0, **parameters)
    n_samples = parameters.get("n_samples", 100)
    assert X.dtype == y.dtype == np.int64
    assert y.shape == (n_samples,)
    assert set(np.unique(X)) <= set(range(lowest, lowest + k))
    assert y.tolist() == labels(X, terms)
    if parameters.get("balanced", True):
        assert y.sum() == n_samples // 2

    n_features = X.shape[1]
    assert n_features == parameters.get("n_features", n_features)
    assert len(terms) == parameters.get("n_terms", 5)
    for term in terms:
        assert len(term) == parameters.get("term_size", len(terms[0]))
        assert {type(i) for i in (*term, *term.values())} == {int}
        assert list(term) == sorted(term)
        assert set(term) <= set(range(n_features))
        assert set(term.values()) <= set(range(lowest, lowest + k))


@pytest.mark.parametrize("balanced", [False, True])
@pytest.mark.parametrize(
    "make, values",
    [
        (monotone, [range(2)] * 4),
        (partial(make_dnf, return_terms=True), [range(1, 4)] * 4),
        # A term over attributes of few values is true for more rows than others.
        (
            partial(make_dnf, return_terms=True, n_values=[2, 6, 3, 2]),
            [range(1, k + 1) for k in (2, 6, 3, 2)],
        ),
    ],
    ids=["monotone", "dnf", "dnf of several"],
)
def test_rows_are_uniform_within_their_class(make, values, balanced):
    X, y, terms = make(
        20000, 4, n_terms=4, term_size=2, balanced=balanced, random_state=0
    )
    possible = list(itertools.product(*values))
    truth = np.array(labels(possible, terms))
    assert 0 < truth.mean() < 1
    seen = Counter(map(tuple, X.tolist()))
    counts = np.array([seen[row] for row in possible])
    for label in (0, 1):
        assert chisquare(counts[truth == label]).pvalue > 0.001
    if not balanced:
        assert chisquare(counts).pvalue > 0.001
    # Nor does the order tell anything of the class.
    assert abs(y[:10000].mean() - y[10000:].mean()) < 0.03


@pytest.mark.slow_beyond(1)
@over(GENERATORS)
def test_literals_are_uniform(case):
    make, k, lowest = case
    attributes, values = Counter(), Counter()
    for seed in range(300):
        for term in make(1, 6, term_size=3, random_state=seed)[2]:
            attributes.update(term)
            values.update(term.values())
    assert chisquare([attributes[j] for j in range(6)]).pvalue > 0.001
    if lowest == 1:
        assert chisquare([values[v] for v in range(1, k + 1)]).pvalue > 0.001
    else:
        assert set(values) == {1}


@over(GENERATORS)
def test_terms_are_distinct_while_there_are_enough(case):
    make = case[0]
    for seed in range(20):
        terms = make(1, 6, n_terms=6, term_size=1, random_state=seed)[2]
        distinct = {tuple(term.items()) for term in terms}
        assert len(distinct) == 6


@over(GENERATORS)
@pytest.mark.parametrize("n_terms", [1, 5, 20])
def test_default_size_makes_about_half_of_the_rows_true(case, n_terms):
    make = case[0]
    shares = [
        make(400, 16, n_terms=n_terms, balanced=False, random_state=seed)[1].mean()
        for seed in range(10)
    ]
    assert 0.3 < np.mean(shares) < 0.7


@over(GENERATORS)
def test_same_seed_same_data(case):
    make = case[0]
    first, again, other = (make(random_state=seed, noise=0.1) for seed in (3, 3, 4))
    rng = make(random_state=np.random.RandomState(3), noise=0.1)
    for same in (again, rng):
        assert_array_equal(first[0], same[0])
        assert_array_equal(first[1], same[1])
        assert first[2] == same[2]
    assert first[2] != other[2]
    assert not np.array_equal(first[0], other[0])


@over(GENERATORS)
@pytest.mark.parametrize("noise, n_flipped", [(0.0, 0), (0.1, 20), (1.0, 200)])
def test_noise_flips_that_fraction_of_the_labels(case, noise, n_flipped):
    X, y, terms = case[0](200, noise=noise, random_state=0)
    assert np.sum(y != labels(X, terms)) == n_flipped


def test_noise_leaves_rows_and_terms_as_they_are():
    clean, noisy = (monotone(random_state=0, noise=noise) for noise in (0, 0.2))
    assert_array_equal(clean[0], noisy[0])
    assert clean[2] == noisy[2]


def test_unspecified():
    X, y = make_monotone_dnf(random_state=0)
    zeros, same_y, terms = make_monotone_dnf(
        random_state=0, unspecified=0, return_terms=True
    )
    assert X.dtype == np.float64
    assert_array_equal(X, np.where(zeros == 0, np.nan, 1.0))
    assert_array_equal(y, same_y)
    assert {type(term) for term in terms} == {tuple}


def test_numbers_of_values_by_feature():
    n_values = [2, 5, 3, 7]
    X, y, terms = make_dnf(
        2000, 4, n_values=n_values, n_terms=6, random_state=0, return_terms=True
    )
    assert_array_equal(X.min(axis=0), 1)
    assert_array_equal(X.max(axis=0), n_values)
    assert y.tolist() == labels(X, terms)
    assert y.sum() == 1000
    same, _ = make_dnf(2000, 4, n_values=np.array(n_values), n_terms=6, random_state=0)
    assert_array_equal(X, same)


def test_terms_are_returned_on_request():
    assert len(make_dnf()) == len(make_monotone_dnf()) == 2
    assert len(make_dnf(return_terms=True)) == 3


@pytest.mark.parametrize("make", [make_dnf, make_monotone_dnf])
@pytest.mark.parametrize(
    "parameters, message",
    [
        (dict(n_samples=0), r"'n_samples' .* range \[1, inf\). Got 0"),
        (dict(n_features=0), r"'n_features' .* range \[1, inf\). Got 0"),
        (dict(n_terms=0), r"'n_terms' .* range \[1, inf\). Got 0"),
        (dict(term_size=0), r"'term_size' .* range \[1, inf\) or None. Got 0"),
        (
            dict(n_features=3, term_size=4),
            r"term_size=4 must not exceed n_features=3",
        ),
        (dict(balanced="yes"), r"'balanced' .* Got 'yes'"),
        (dict(noise=1.1), r"'noise' .* range \[0\.0, 1\.0\]. Got 1.1"),
        (dict(noise=-0.1), r"'noise' .* Got -0.1"),
        (dict(random_state="seed"), r"'random_state' .* Got 'seed'"),
        (dict(return_terms=None), r"'return_terms' .* Got None"),
    ],
)
def test_bad_generator_parameters(make, parameters, message):
    with pytest.raises(ValueError, match=message):
        make(**parameters)


@pytest.mark.parametrize("unspecified", [1, None, "nan"])
def test_bad_unspecified(unspecified):
    with pytest.raises(ValueError, match=r"'unspecified' .* or numpy\.nan\. Got"):
        make_monotone_dnf(unspecified=unspecified)


@pytest.mark.parametrize(
    "n_values, message",
    [
        (1, r"'n_values' .* range \[2, inf\) .* Got 1"),
        (2.5, r"'n_values' .* Got 2.5"),
        ([2, 3], r"n_values must .* 3 ints, of at least 2; got \[2, 3\]"),
        ([[2, 3, 4]], r"n_values must .* 3 ints"),
        ([2, 1, 3], r"n_values must .* of at least 2; got \[2, 1, 3\]"),
        ([2, 2.5, 3], r"n_values must be an int, or 3 ints"),
    ],
)
def test_bad_n_values(n_values, message):
    with pytest.raises(ValueError, match=message):
        make_dnf(n_features=3, n_values=n_values)

"""The shape of formulas: shorter ones hold for the same rows, by brute force."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from itertools import product
from math import nan

import numpy as np
import pandas as pd
import pytest
from internals.rules import simplified
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow.rules import DNF

CONDITIONS = (
    *("a > 1", "a <= 2", "a >= 1", "a < 2", "a = 1", "a != 1", "a in {1, 3}"),
    *("a not in {0, 1}", "a in (0, 1] or (2, 3]", "a in [1, 2]"),
    *("a is missing", "a is not missing", "a is anything", "a is nothing"),
    *("a > 1 (or missing)", "a != 2 (or missing)", "a in {2, 3} (or missing)"),
)
CATEGORIES = "a = x", "a in {x, y}", "a != y", "a not in {x, 'z'}", "a = y (or missing)"


def on_rows(dnf, rows):
    """A formula that holds for the same rows."""
    return replace(dnf, terms=simplified(dnf.terms, dnf._columns(rows)))


def on_numbers(dnf, numbers):
    """The same, for rows of one number each."""
    return on_rows(dnf, np.array(list(numbers), dtype=float)[:, None])


@pytest.mark.parametrize("known", [np.arange(5.0), np.arange(10) / 2])
@pytest.mark.parametrize("first", CONDITIONS)
def test_sets_of_numbers(first, known):
    """Disjunctions and conjunctions of any two conditions on numbers, exact as text."""
    rows = np.append(known, nan)[:, None]
    for second, word in product(CONDITIONS, ("or", "&")):
        dnf = DNF.parse(f"{first} {word} {second}", features=["a"])
        short = on_rows(dnf, rows)
        assert_array_equal(short.holds(rows), dnf.holds(rows), f"{dnf}")
        assert_array_equal(DNF.parse(short.to_text()).holds(rows), dnf.holds(rows))
        assert sum(map(len, short.terms)) <= sum(map(len, dnf.terms))


def test_sets_of_categories():
    """They say the same of categories that are not among the rows."""
    rows = np.array(["x", "y", "z", None], dtype=object)[:, None]
    every = np.append(rows, [["new"]], axis=0)
    for first, second, word in product(CATEGORIES, CATEGORIES, ("or", "&")):
        dnf = DNF.parse(f"{first} {word} {second}")
        assert_array_equal(on_rows(dnf, rows).holds(every), dnf.holds(every), f"{dnf}")
        assert len(on_rows(dnf, rows).terms) <= 1


def random_terms(rng, n_terms):
    """Terms over a category, a count and a number with gaps."""

    def literal():
        kind = rng.integers(5)
        if kind == 0:
            return f"color = {rng.choice(['red', 'green', 'blue'])}"
        if kind == 1:
            return f"color != {rng.choice(['red', 'green'])}"
        if kind == 2:
            return f"calls = {rng.integers(6)}"
        name = rng.choice(["calls", "size"])
        low, high = np.sort(rng.choice(13, 2, replace=False)) / 2
        return rng.choice(
            [f"{name} > {low}", f"{name} <= {high}", f"{name} in ({low}, {high}]"]
        )

    return [
        " & ".join(literal() for _ in range(rng.integers(1, 4))) for _ in range(n_terms)
    ]


@pytest.mark.parametrize("seed", range(60))
def test_random_formulas_hold_for_the_same_rows(seed):
    rng = np.random.default_rng(seed)
    terms = random_terms(rng, rng.integers(1, 9))
    dnf = DNF.parse(" or ".join(terms), features=["color", "calls", "size"])
    colors = ["red", "green", "blue", "new", None]
    rows = pd.DataFrame(
        {
            "color": rng.choice(colors, 25),
            "calls": rng.integers(0, 7, 25),
            "size": rng.choice([0.25, 1.111, 2.7182, 3.3, 5.987, nan], 25),
        }
    )
    short = on_rows(dnf, rows)
    assert_array_equal(short.holds(rows), dnf.holds(rows))
    assert sum(map(len, short.terms)) <= sum(map(len, dnf.terms))
    assert on_rows(short, rows).terms == short.terms
    every = list(product(colors, np.arange(-1, 14) / 2, [*np.arange(-1, 14) / 2, nan]))
    assert_array_equal(DNF.parse(short.to_text()).holds(every), short.holds(every))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("calls = 3 or calls = 4 or calls >= 5", "calls >= 3"),
        ("calls = 3 or calls = 4 or calls = 5", "calls in [3, 5]"),
        ("calls = 3 or calls = 4 or calls = 6", "calls in [3, 4] or calls = 6"),
        (
            "plan = b & calls > 2.5 or plan = a & calls > 2",
            "plan in {a, b} & calls >= 3",
        ),
        ("calls <= 3 or calls > 3", "calls is not missing"),
        ("calls > 3 & plan = a or calls > 2 or calls > 1 & calls <= 0", "calls >= 3"),
        ("calls <= 1 or calls > 6", "calls <= 1 or calls >= 7"),
        ("calls = 1 & plan = a or calls != 1 (or missing) & plan = a", "plan = a"),
        ("calls = 1 or calls != 1 (or missing)", "True"),
        ("calls is nothing or calls = 1 & calls = 2", ""),
        (
            "plan = b or calls = 1 or plan = a or calls = 2",
            "plan in {a, b} or calls in [1, 2]",
        ),
        ("calls > 1 & calls <= 99 & plan = a", "calls >= 2 & plan = a"),
    ],
)
def test_rules_in_pieces_become_one(text, expected):
    rows = pd.DataFrame(product([*range(9), nan], ["a", "b", None]))
    rows.columns = "calls", "plan"
    short = on_rows(DNF.parse(text, features=["calls", "plan"]), rows)
    assert " or ".join(map(str, short.terms)) == expected


def test_idle_conditions_are_dropped():
    dnf = DNF.parse("age > 40 & age <= 99 & smokes = yes")
    assert str(on_rows(dnf, [[45, "yes"], [45, "no"], [35, "no"]])) == "smokes = yes"


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        ("a > 2.5", range(9), "a >= 3"),
        ("a <= 2.5", range(9), "a <= 2"),
        ("a in (2.5, 5.5]", range(9), "a in [3, 5]"),
        ("a in (2.5, 3.5]", range(9), "a = 3"),
        ("a > 52.3", [45.0, 60.0], "a > 50"),
        ("a <= -240.8357", [-251.7, -240.9, -230.1], "a <= -240"),
        ("a <= -0.3", [-0.4, 0.1, 1.5], "a <= 0"),
        ("a <= -0.3", [-0.4, 0.0, 1.5], "a <= -0.3"),
        ("a > 0.30000000000000004", [0.1, 0.3, 0.4, 0.55], "a > 0.35"),
        ("a <= 0.65", [0.1 * k for k in range(13)], "a <= 0.65"),
        ("a > 0.2", [0.1, 0.2, 0.3, 0.7], "a > 0.25"),
        ("a in (0.25, 0.5]", [0.1, 0.2, 0.3, 0.7], "a in (0.25, 0.5]"),
        ("a in [0.1, 0.1]", [0.1, 0.2, 0.3, 0.7], "a <= 0.15"),
        ("a in [0.1, 0.2]", [0.1, 0.2, 0.3, 0.7], "a <= 0.25"),
        ("a > 1e-9", [-3.5, 5e-10, 2e-9], "a > 1e-09"),
    ],
)
def test_rounded_numbers(text, numbers, expected):
    dnf = DNF.parse(text)
    assert str(on_numbers(dnf, numbers)) == expected


@pytest.mark.parametrize("seed", range(5))
def test_rounding_moves_no_known_number(seed):
    rng = np.random.default_rng(seed)
    known = np.unique(rng.normal(0, 10.0 ** rng.integers(-9, 9), 12))
    middles = (known[1:] + known[:-1]) / 2
    for end in [*middles, *known]:
        for relation in (">", "<=", ">=", "<"):
            dnf = DNF.parse(f"a {relation} {float(end)!r}")
            short = on_numbers(dnf, known)
            assert_array_equal(short.holds(known[:, None]), dnf.holds(known[:, None]))
            assert len(str(short)) <= len(str(dnf)) + 1


def test_large_integers_are_compared_as_they_are():
    large = 2**53
    dnf = DNF.parse(f"a in [{large + 2}, {large + 2}]")
    rows = np.arange(large, large + 6, 2)[:, None]
    assert_array_equal(on_rows(dnf, rows).holds(rows), [False, True, False])

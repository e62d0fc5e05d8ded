"""The shape of formulas: shorter ones hold for the same rows, by brute force."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from itertools import product
from math import inf, nan, nextafter

import numpy as np
import pandas as pd
import pytest
from internals.rules import Extent, merged, rounded, simplified
from literal_checks import literal_of
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow.rules import DNF, Term

CONDITIONS = (
    *("a > 1", "a <= 2", "a >= 1", "a < 2", "a = 1", "a != 1", "a in {1, 3}"),
    *("a not in {0, 1}", "a in (0, 1] or (2, 3]", "a in [1, 2]", "a = True"),
    *("a is missing", "a is not missing", "a is anything", "a is nothing"),
    *("a > 1 (or missing)", "a != 2 (or missing)", "a in {2, 3} (or missing)"),
)
# All values between which the conditions tell, and a missing one.
NUMBERS = np.array([-inf, -1, 0, 0.5, nextafter(1, 0), 1, 1.5, 2, 2.5, 3, 4, inf, nan])


def without_rows(dnf):
    """A formula that holds for the same values, whatever they are."""
    return replace(dnf, terms=merged(dnf.terms, {}))


def on_rows(dnf, rows):
    """A formula that holds for the same rows."""
    return replace(dnf, terms=simplified(dnf.terms, dnf._columns(rows)))


def extents_of(texts):
    return [(text, Extent.of(literal_of(text))) for text in texts]


def values_in(literal, column):
    return literal.holds(np.asarray(column))


@pytest.mark.parametrize("first", CONDITIONS)
def test_sets_of_numbers(first):
    """Unions, intersections and inclusion, of any two conditions on numbers."""
    one, of_one = literal_of(first), Extent.of(literal_of(first))
    held = values_in(one, NUMBERS)
    assert_array_equal(values_in(of_one.literal(0, "a"), NUMBERS), held)
    assert of_one.is_everything == held.all()
    for second, of_other in extents_of(CONDITIONS):
        other = values_in(literal_of(second), NUMBERS)
        union, both = of_one.union(of_other), of_one.intersection(of_other)
        assert_array_equal(values_in(union.literal(0, "a"), NUMBERS), held | other)
        assert_array_equal(values_in(both.literal(0, "a"), NUMBERS), held & other)
        assert not of_one.includes(of_other) or not (other & ~held).any()


def test_sets_of_categories():
    texts = "a = x", "a in {x, y}", "a != y", "a not in {x, 'z'}", "a = y (or missing)"
    column = np.array(["x", "y", "z", "new", None], dtype=object)
    for (first, one), (second, other) in product(extents_of(texts), repeat=2):
        held, too = (values_in(literal_of(t), column) for t in (first, second))
        found = (
            one.union(other).literal(0, "a"),
            one.intersection(other).literal(0, "a"),
        )
        assert_array_equal(values_in(found[0], column), held | too)
        assert_array_equal(values_in(found[1], column), held & too)
        assert one.includes(other) == (not (too & ~held).any())
        for literal in found:
            assert literal_of(literal.to_text()).holds(column).tolist() == (
                literal.holds(column).tolist()
            )


def test_text_of_a_new_literal_is_parsed_as_the_same():
    for first, second in product(CONDITIONS, repeat=2):
        one, other = (Extent.of(literal_of(text)) for text in (first, second))
        for extent in (one.union(other), one.intersection(other)):
            literal = extent.literal(0, "a")
            for text in (str(literal), literal.to_text()):
                again = literal_of(text)
                assert_array_equal(again.holds(NUMBERS), literal.holds(NUMBERS), text)


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
    every = list(product(colors, np.arange(-1, 14) / 2, [*np.arange(-1, 14) / 2, nan]))
    exact = without_rows(dnf)
    assert_array_equal(exact.holds(every), dnf.holds(every))
    assert len(exact.terms) <= len(dnf.terms)
    assert without_rows(exact) == exact
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
    assert_array_equal(DNF.parse(short.to_text()).holds(every), short.holds(every))


def test_rules_in_pieces_become_one():
    calls = pd.DataFrame({"calls": range(9), "plan": ["basic", "pro", None] * 3})
    dnf = DNF.parse("calls = 3 or calls = 4 or calls >= 5")
    assert str(on_rows(dnf, calls)) == "calls >= 3"
    assert str(without_rows(dnf)) == "calls in {3, 4} or\ncalls >= 5"
    dnf = DNF.parse("calls = 3 or calls = 4 or calls = 5 or calls = 7")
    assert str(on_rows(dnf, calls)) == "calls in [3, 5] or\ncalls = 7"
    of_values = DNF.parse("plan = basic & calls > 2.5 or plan = pro & calls > 2.5")
    assert str(without_rows(of_values)) == "plan in {basic, pro} & calls > 2.5"
    around = DNF.parse("calls <= 3 or calls > 3")
    assert str(without_rows(around)) == "calls is not missing"
    implied = DNF.parse("calls > 3 & plan = pro or calls > 2 or calls > 1 & calls <= 0")
    assert str(without_rows(implied)) == "calls > 2"
    apart = DNF.parse("calls <= 1 or calls > 6")
    assert merged(apart.terms, {0: np.arange(9.0)}) == [*apart.terms]


def test_a_condition_of_all_values_disappears():
    dnf = DNF.parse("a = 1 & b = 2 or a != 1 (or missing) & b = 2")
    assert str(without_rows(dnf)) == "b = 2"
    dnf = DNF.parse("a = 1 or a != 1 (or missing)")
    assert without_rows(dnf).terms == (Term(),)
    assert without_rows(DNF.parse("a is nothing or a = 1 & a = 2")).terms == ()


def test_idle_conditions_are_dropped_only_on_rows():
    rows = [[45, "yes"], [45, "no"], [35, "no"]]
    dnf = DNF.parse("age > 40 & age <= 99 & smokes = yes")
    assert str(on_rows(dnf, rows)) == "smokes = yes"
    assert len(without_rows(dnf).terms[0]) == 2
    never = DNF.parse("age > 99 & smokes = yes")
    assert len(on_rows(never, rows).terms[0]) == 2


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
        ("a > 7", [1.5, 2.5], "a > 7"),
        ("a in (1.2, 1.3]", [1.0, 2.0], "a in (1.2, 1.3]"),
        ("a > 1e-9", [-3.5, 5e-10, 2e-9], "a > 1e-09"),
        ("a > 1.5", [], "a > 1.5"),
    ],
)
def test_rounded_numbers(text, numbers, expected):
    dnf = DNF.parse(text)
    known = np.array(list(numbers), dtype=float)
    found = replace(dnf, terms=rounded(dnf.terms, {0: known}))
    assert str(found) == expected
    assert_array_equal(found.holds(known[:, None]), dnf.holds(known[:, None]))


@pytest.mark.parametrize("seed", range(5))
def test_rounding_moves_no_known_number(seed):
    rng = np.random.default_rng(seed)
    known = np.unique(rng.normal(0, 10.0 ** rng.integers(-9, 9), 30))
    middles = (known[1:] + known[:-1]) / 2
    for end in [*middles, *known]:
        for relation in (">", "<=", ">=", "<"):
            literal = literal_of(f"a {relation} {float(end)!r}")
            (term,) = rounded([Term([literal])], {0: known})
            (short,) = term.literals
            assert_array_equal(short.holds(known), literal.holds(known))
            assert len(str(short)) <= len(str(literal)) + 1


def test_large_integers_are_compared_as_they_are():
    large = 2**53 + 1
    one, two = (DNF.parse(f"a = {value}") for value in (large, large + 1))
    both = DNF([*one.terms, *two.terms], True, features=["a"])
    assert str(without_rows(both)) == f"a in {{{large}, {large + 1}}}"
    mixed = DNF.parse(f"a = {large} or a <= 3")
    assert without_rows(mixed) == mixed


def test_merging_does_not_reorder():
    dnf = DNF.parse("b = 1 or a = 1 or c = 1 or a = 2")
    merged = without_rows(dnf)
    assert " or ".join(map(str, merged.terms)) == "b = 1 or a in {1, 2} or c = 1"


def test_many_terms_are_merged_in_little_time():
    """The time grew with the cube of their number: half a minute for these."""
    terms = [f"a = v{i} & b = w{i % 7}" for i in range(300)]
    (one, *others) = without_rows(DNF.parse(" or ".join(terms))).terms
    assert len(others) == 6 and len(one.literals[0].values) == 43

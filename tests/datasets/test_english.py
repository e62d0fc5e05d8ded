"""The text: its file, and the kinds of its characters."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections import Counter
from hashlib import sha256
from importlib.resources import files
from itertools import groupby

import pytest

from sklearn_dnfwinnow.datasets import load_english

DATA = files("sklearn_dnfwinnow.datasets") / "data"
SHA256 = "5cb3ee9717bc8f887a7883f2cc9c197ac56e8d5b92fd68096849555a780032f3"


def test_the_text_is_the_checked_one():
    contents = (DATA / "english.txt").read_bytes()
    assert sha256(contents).hexdigest() == SHA256
    assert load_english().encode("ascii") == contents


def test_description():
    text = load_english()
    description = (DATA / "english.rst").read_text(encoding="utf-8")
    for section in ("Citation", "This copy", "Licence"):
        assert f"\n{section}\n{'-' * len(section)}\n" in description
    assert "Public domain" in description.split("\nLicence\n")[1]
    kinds = Counter(load_english(symbols="kinds"))
    n_runs = Counter(load_english(symbols="kinds", merge_other=True))["-"]
    for fact in (
        f":Characters: {len(text):,}, all ASCII, in {len(text.splitlines()):,} lines\n",
        f":Distinct characters: {len(set(text))}\n",
        f":Kinds: {kinds['V']:,} vowels (a, e, i, o, u), {kinds['C']:,} consonants, "
        f"{kinds['-']:,} others in {n_runs:,} runs\n",
    ):
        assert fact in description


def test_kinds():
    text = load_english().lower()
    kinds = ["V" if c in {*"aeiou"} else "C" if "a" <= c <= "z" else "-" for c in text]
    assert load_english(symbols="kinds") == "".join(kinds)
    merged = [
        kind
        for kind, run in groupby(kinds)
        for _ in range(1 if kind == "-" else len([*run]))
    ]
    assert load_english(symbols="kinds", merge_other=True) == "".join(merged)


@pytest.mark.parametrize("symbols", ["words", None, True])
def test_bad_parameters(symbols):
    with pytest.raises(ValueError, match=r"'symbols' .* load_english must be .* Got"):
        load_english(symbols=symbols)


def test_characters_are_not_merged():
    with pytest.raises(ValueError, match=r"merge_other=True requires symbols='kinds'"):
        load_english(merge_other=True)

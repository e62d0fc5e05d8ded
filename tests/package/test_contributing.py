"""The page for contributors: its files, functions and picture are those of the code."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "doc").glob("*.rst"))
# What pages name relative to the root, or to the package.
BASES = ROOT, ROOT / "sklearn_dnfwinnow"
FILE = re.compile(r"``((?:[\w.-]+/)*[\w.-]+\.(?:py|pyx|pxd|rst|toml|yaml))``")
FOLDER = re.compile(r"``((?:[\w.-]+/)+)``")
# "``_winnow/_sums/_summation.py``, `Evaluation.estimates`", at a place in a walk.
STEP = re.compile(r"``([\w/.]+\.py[x]?)``,\s+`([\w.]+)`")


def found(path):
    return any((base / path).exists() for base in BASES)


def defined(path, name):
    """Return whether a file defines a function, a class, or a method of one."""
    files = [base / path for base in BASES if (base / path).is_file()]
    if not files:
        return False
    code = files[0].read_text(encoding="utf-8")
    if path.endswith(".pyx"):
        definition = rf"^\s*c?p?def (?:[\w\[\], ]+ )?{name}\("
        return re.search(definition, code, re.MULTILINE) is not None
    body = ast.parse(code).body
    for part in name.split("."):
        nodes = [node for node in body if getattr(node, "name", None) == part]
        if not nodes:
            return False
        body = nodes[0].body
    return True


def section(title):
    """Return the text of a section of the page for contributors."""
    text = (ROOT / "doc" / "contributing.rst").read_text(encoding="utf-8")
    after = text.split(f"\n{title}\n{'=' * len(title)}\n")[1]
    return re.split(r"\n[^\n]+\n=+\n", after)[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_pages_name_exist(page):
    text = page.read_text(encoding="utf-8")
    paths = FILE.findall(text) + FOLDER.findall(text)
    assert [path for path in paths if not found(path)] == []


@pytest.mark.parametrize(
    ("title", "n_steps"),
    [("How `fit` works", 15), ("How `predict` works", 7)],
)
def test_walks_name_what_there_is(title, n_steps):
    steps = STEP.findall(section(title))
    assert len(steps) >= n_steps
    assert [step for step in steps if not defined(*step)] == []


def test_what_is_not_defined_is_found_out():
    assert defined("sums/__init__.py", "log_weighted_sum") is False
    assert defined("_winnow/_classifier.py", "DNFWinnowClassifier.fit")
    assert not defined("_winnow/_classifier.py", "DNFWinnowClassifier.fit_transform")
    assert not defined("sums/_nothing.py", "log_weighted_sum")
    assert not found("sums/_nothing.py")


def test_the_table_names_all_rooms():
    rooms = {
        path.stem
        for path in (ROOT / "sklearn_dnfwinnow").iterdir()
        if (path.is_dir() and (path / "__init__.py").is_file()) or path.suffix == ".py"
    }
    named = set(
        re.findall(r"^``(\w+)``  ", section("Packages and imports"), re.MULTILINE)
    )
    assert named == rooms - {"__init__", "__main__"}


def test_the_picture_is_drawn_from_the_imports(tmp_path):
    pytest.importorskip("matplotlib")
    rooms = runpy.run_path(str(ROOT / "doc" / "rooms.py"))
    arrows, _, _ = rooms["read_rooms"]()
    assert {"sums", "_kernels"} <= arrows["_winnow"] | arrows["sums"]
    assert "_winnow" not in arrows["sums"]
    floor = rooms["floors"](arrows)
    assert all(floor[room] > floor[other] for room in arrows for other in arrows[room])
    needed = rooms["without_implied"](arrows)
    for room in arrows:
        assert rooms["reached"](needed, room) == rooms["reached"](arrows, room)
    for name in ("one.svg", "two.svg"):
        rooms["draw_rooms"](tmp_path / name)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert all(f">{room}<" in text for room in arrows if room != "__init__")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")


def test_imports_are_read_wherever_they_are():
    read = runpy.run_path(str(ROOT / "doc" / "rooms.py"))["imported_rooms"]
    code = """
import sklearn_dnfwinnow._kernels
from sklearn_dnfwinnow import inspection, DNFWinnowClassifier
from sklearn_dnfwinnow.sums._subset_sums import by_rows
def late():
    from sklearn_dnfwinnow import _winnow
    import numpy
"""
    expected = {"_kernels", "inspection", "__init__", "sums", "_winnow"}
    assert set(read(code)) == expected

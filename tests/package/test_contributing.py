"""Pages for contributors: the files and functions that they name exist."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "doc").glob("*.rst"))
# What pages name relative to the root, or to the package.
BASES = ROOT, ROOT / "sklearn_dnfwinnow"
FILE = re.compile(r"``((?:[\w.-]+/)*[\w.-]+\.(?:py|pyx|pxd|rst|toml|yaml))``")
FOLDER = re.compile(r"``((?:[\w.-]+/)+)``")
# "``_winnow/_sums.py``, `Evaluation.estimates`", at a place in a walk.
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


def test_files_that_pages_name_exist():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    paths = FILE.findall(text) + FOLDER.findall(text)
    assert [path for path in paths if not found(path)] == []


def test_the_way_of_a_row_names_what_there_is():
    steps = STEP.findall(section("The way of a row through fit and predict"))
    assert len(steps) >= 15
    assert [step for step in steps if not defined(*step)] == []

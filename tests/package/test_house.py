"""The house: sizes of folders and files, calls that can be read, headers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = "_ext", "benchmarks", "doc", "examples", "sklearn_dnfwinnow", "tests"
GENERATED = "_build", "auto_examples", "generated", "env"
SOURCES = [
    ROOT / "setup.py",
    *(
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".pxd", ".pyx")
        and not set(path.relative_to(ROOT).parts) & set(GENERATED)
    ),
]
PYTHON = [path for path in SOURCES if path.suffix == ".py"]
KERNELS = "sklearn_dnfwinnow._kernels"
KERNELS_IN_TESTS = "internals.kernels"
# A stranger sees what is in a folder, and in a file, at a glance.
MOST_MODULES, MOST_LINES, MOST_CYTHON_LINES = 15, 500, 600
# By its position, an argument has a meaning as long as there are few.
MOST_POSITIONAL = 3


def name(path):
    return str(path.relative_to(ROOT))


@cache
def nodes(code):
    """Return all nodes of the syntax tree of some code."""
    return list(ast.walk(ast.parse(code)))


def n_lines(code):
    """Return the number of lines of Python without those of docstrings."""
    documented = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    docstrings = (
        node.body[0]
        for node in nodes(code)
        if isinstance(node, documented) and ast.get_docstring(node) is not None
    )
    return len(code.splitlines()) - sum(
        node.end_lineno - node.lineno + 1 for node in docstrings
    )


def calls(code):
    """Return all calls in some code."""
    return [node for node in nodes(code) if isinstance(node, ast.Call)]


def splats(code):
    """Return the lines of calls that unpack a literal tuple or list."""
    return [
        node.lineno
        for node in calls(code)
        if any(
            isinstance(argument, ast.Starred)
            and isinstance(argument.value, ast.Tuple | ast.List)
            for argument in node.args
        )
    ]


def positional_kernel_calls(code):
    """Return the lines of calls of kernels with many arguments by position."""
    kernels = {
        alias.asname or alias.name
        for node in nodes(code)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith((KERNELS, KERNELS_IN_TESTS))
        for alias in node.names
    }

    def called(node):
        while isinstance(node, ast.Attribute):
            node = node.value
        return node.id if isinstance(node, ast.Name) else None

    return [
        node.lineno
        for node in calls(code)
        if called(node.func) in kernels and len(node.args) > MOST_POSITIONAL
    ]


def test_folders_are_small():
    folders = Counter(
        name(path.parent)
        for path in SOURCES
        if path.is_relative_to(ROOT / "sklearn_dnfwinnow")
        or path.is_relative_to(ROOT / "_ext")
        or path.is_relative_to(ROOT / "benchmarks")
        if path.stem != "__init__"
    )
    assert folders["sklearn_dnfwinnow/_utils"]
    assert {folder: n for folder, n in folders.items() if n > MOST_MODULES} == {}


def test_tests_mirror_the_rooms():
    package = ROOT / "sklearn_dnfwinnow"
    rooms = {path.stem.strip("_") for path in package.rglob("*")}
    folders = {path.parent.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert {"sums", "winnow", "classifier"} <= folders
    # Of the whole package, and of other packages that it works with.
    assert folders - rooms == {"package", "integrations"}


def test_names_of_tests_are_unique():
    # pytest imports them by their names, without folders.
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert names["test_house.py"] == 1
    assert [name for name, n in names.items() if n > 1] == []


def test_files_are_short():
    long = {}
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        if path.suffix != ".py":
            n, most = len(text.splitlines()), MOST_CYTHON_LINES
        elif not path.is_relative_to(ROOT / "tests"):
            n, most = n_lines(text), MOST_LINES
        else:
            continue
        if n > most:
            long[name(path)] = n
    assert long == {}


def test_lines_of_docstrings_do_not_count():
    assert n_lines('"""One.\n\nTwo.\n"""\n\n\ndef f():\n    """Three."""\n') == 3


def test_no_call_unpacks_a_literal():
    found = {name(path): splats(path.read_text(encoding="utf-8")) for path in PYTHON}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_splats_are_found():
    assert splats("f(*(a, b), *c)\ng(*[a], b=2)\nh(*a, b=(c, *(d, e)))") == [1, 2]


def test_kernels_are_called_by_keywords():
    found = {
        name(path): positional_kernel_calls(path.read_text(encoding="utf-8"))
        for path in PYTHON
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_kernels_are_imported_in_one_way():
    pattern = rf"from {re.escape(KERNELS)}(\.| import _)"
    found = {
        name(path)
        for path in (ROOT / "sklearn_dnfwinnow").rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }
    # The package itself asks for the processor.
    assert found == {name(ROOT / "sklearn_dnfwinnow" / "_kernels" / "__init__.py")}


def test_private_names_that_tests_need_are_imported_in_one_place():
    pattern = (
        r"^ *from (sklearn_dnfwinnow[\w.]*\._|sklearn_dnfwinnow[\w.]* import _[a-z])"
    )
    found = {
        name(path)
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert {found_in for found_in in found if "internals" not in found_in} == {
        # A test of code that is read.
        name(ROOT / "tests" / "package" / "test_contributing.py")
    }


def test_positional_kernel_calls_are_found():
    code = f"""
from {KERNELS} import frontier
from {KERNELS}._agreement import agree as agreement
frontier.estimate(1, 2, 3, 4)
frontier.estimate(1, 2, 3, d=4)
agreement(1, 2, 3, 4)
estimate(1, 2, 3, 4)
"""
    assert positional_kernel_calls(code) == [4, 6]


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_headers_and_private_names(path):
    text = path.read_text(encoding="utf-8")
    assert "# Authors: the sklearn_dnfwinnow developers\n# SPDX-License-Id" in text
    if path.suffix != ".py":
        assert "sklearn." not in text.replace("sklearn_dnfwinnow.", "")
    elif path.is_relative_to(ROOT / "sklearn_dnfwinnow") and path.stem != "_compat":
        # Private names of scikit-learn have one place.
        assert not re.search(r"from sklearn(?!_dnf)[\w.]*(\._| import _)", text)

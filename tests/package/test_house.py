"""The house: headers, calls that can be read, and where private names come from."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
from collections import Counter
from pathlib import Path

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
# By its position, an argument has a meaning as long as there are few.
MOST_POSITIONAL = 3


def name(path):
    return str(path.relative_to(ROOT))


def nodes(code):
    """Return all nodes of the syntax tree of some code."""
    return list(ast.walk(ast.parse(code)))


def calls(code):
    """Return all calls in some code."""
    return [node for node in nodes(code) if isinstance(node, ast.Call)]


def splats(code):
    """Return the lines of calls that unpack a literal tuple or list."""
    if not re.search(r"[(,]\s*\*[(\[]", code):
        return []
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
    if KERNELS not in code and KERNELS_IN_TESTS not in code:
        return []
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


def test_names_of_tests_are_unique():
    # pytest imports them by their names, without folders.
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert names["test_house.py"] == 1
    assert [name for name, n in names.items() if n > 1] == []


def test_no_call_unpacks_a_literal():
    found = {name(path): splats(path.read_text(encoding="utf-8")) for path in PYTHON}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_kernels_are_called_by_keywords():
    found = {
        name(path): positional_kernel_calls(path.read_text(encoding="utf-8"))
        for path in PYTHON
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_private_names_that_tests_need_are_imported_in_one_place():
    pattern = (
        r"^ *from (sklearn_dnfwinnow[\w.]*\._|sklearn_dnfwinnow[\w.]* import _[a-z])"
    )
    found = [
        name(path)
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert [path for path in found if "internals" not in path] == []


def test_headers_and_private_names():
    header = "# Authors: the sklearn_dnfwinnow developers\n# SPDX-License-Id"
    texts = {name(path): path.read_text(encoding="utf-8") for path in SOURCES}
    assert [path for path, text in texts.items() if header not in text] == []
    # Private names of scikit-learn have one place.
    private = r"from sklearn(?!_dnf)[\w.]*(\._| import _)"
    found = [path for path, text in texts.items() if re.search(private, text)]
    found = [path for path in found if path.startswith("sklearn_dnfwinnow")]
    assert [path for path in found if not path.endswith("_utils/_estimators.py")] == []

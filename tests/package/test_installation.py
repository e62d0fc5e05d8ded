"""Installation: the commands of the documentation install what they are for."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOLDERS = ".ci", "benchmarks", "doc", "examples", "sklearn_dnfwinnow"
TEXTS = [ROOT / "README.rst", ROOT / "CHANGELOG.rst"] + [
    path
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in ("", ".py", ".rst", ".txt") and path.is_file()
]
# An extra is named in quotes or backquotes: ".[test]", "[test]", `package[test]`.
EXTRA = re.compile(r"""["'`](?:\.|sklearn-dnfwinnow)?\[([a-z]+(?:,[a-z]+)*)\]["'`]""")
# The module of a distribution, where it has another name.
MODULES = {"scikit-learn": "sklearn"}


def modules_of(requirements):
    names = (re.match(r"[\w-]+", requirement)[0] for requirement in requirements)
    return {MODULES.get(name, name) for name in names}


def readme_example():
    text = (ROOT / "README.rst").read_text(encoding="utf-8")
    block = re.search(r"code-block:: python\n\n((?:    .*\n|\n)+)", text)[1]
    return "\n".join(line[4:] for line in block.splitlines())


def imported(code):
    """Top-level modules that some code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def test_extras_that_are_named_exist():
    named = set()
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        for names in EXTRA.findall(text):
            named |= set(names.split(","))
        # The package is on no index.
        assert not re.search(r"install\s+[\"']?sklearn[-_]dnfwinnow\b", text), path
    assert named == set(EXTRAS)


def test_the_page_on_installation_lists_all_extras():
    text = (ROOT / "doc" / "install.rst").read_text(encoding="utf-8")
    assert set(re.findall(r'^``"\.\[(\w+)\]"``', text, re.MULTILINE)) == set(EXTRAS)


def test_set_up_commands_of_the_readme():
    text = (ROOT / "README.rst").read_text(encoding="utf-8")
    commands = re.findall(r"^    (python3 -m venv .*)$", text, re.MULTILINE)
    assert [command.split(" && ", 1)[1] for command in commands] == [
        '.venv/bin/pip install -q -e ".[examples]" && '
        ".venv/bin/python -m sklearn_dnfwinnow",
        '.venv/bin/pip install -q -e ".[test]" && '
        ".venv/bin/python -m pytest -n auto --dist worksteal",
    ]


ABSENT = """if True:
    import sys

    class Absent:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name.partition(".")[0] in {absent!r}:
                raise ModuleNotFoundError(name=name)

    sys.meta_path.insert(0, Absent)
"""


@pytest.mark.slow
def test_the_readme_example_needs_no_other_extra():
    installed = modules_of(PROJECT["dependencies"] + EXTRAS["examples"])
    absent = modules_of(EXTRAS["test"]) - installed
    assert {"polars", "dask", "pytest"} <= absent
    code = readme_example()
    assert "as_frame=True" in code and code.count("2000") == 1
    # A small table needs the same packages.
    code = code.replace("2000", "300")
    subprocess.run(
        [sys.executable, "-c", ABSENT.format(absent=absent) + code],
        check=True,
        stdout=subprocess.DEVNULL,
    )


def test_quick_start_and_gallery_need_no_other_extra():
    installed = modules_of(PROJECT["dependencies"] + EXTRAS["examples"])
    installed |= {"sklearn_dnfwinnow", *sys.stdlib_module_names}
    page = (ROOT / "doc" / "quick_start.rst").read_text(encoding="utf-8")
    statements = re.findall(r"^>>> ((?:from|import) .*)$", page, re.MULTILINE)
    assert statements
    assert set(imported("\n".join(statements))) <= installed
    for path in (ROOT / "examples").rglob("*.py"):
        needed = set(imported(path.read_text(encoding="utf-8"))) - installed
        # Of a cluster, with the extra 'dask'.
        assert needed == ({"dask", "distributed"} if "dask" in path.name else set())

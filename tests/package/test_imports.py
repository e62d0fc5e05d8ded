"""Imports: the contracts of ``pyproject.toml`` hold, and each violation breaks them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "sklearn_dnfwinnow"
LINT = """if True:
    import sys
    from importlinter.cli import lint_imports

    sys.exit(lint_imports(no_cache=True, no_logo=True))
"""


def lint(folder):
    """Return the exit status and the output of import-linter in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", LINT],
        cwd=folder,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path):
    """Return a folder with the Python files of the package, and its contracts."""
    for path in (ROOT / PACKAGE).rglob("*.py"):
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_contracts_are_kept():
    status, output = lint(ROOT)
    assert status == 0, output
    assert re.search(r"Contracts: \d+ kept, 0 broken", output)


# Files with violations, and what is said of each: all of them are found in one run.
VIOLATIONS = {
    "upward, late": (
        {"_utils/_new.py": "def late():\n    import sklearn_dnfwinnow._winnow"},
        "_utils is not allowed to import sklearn_dnfwinnow._winnow",
    ),
    "by the face": (
        {"sums/_new.py": "from sklearn_dnfwinnow import DNFWinnowClassifier"},
        "sums is not allowed to import sklearn_dnfwinnow._winnow",
    ),
    "of Winnow": (
        {"inspection/_new.py": "import sklearn_dnfwinnow._winnow"},
        "inspection is not allowed to import sklearn_dnfwinnow._winnow",
    ),
    "in a circle": (
        {
            "_terms/_new.py": "import sklearn_dnfwinnow._terms._other",
            "_terms/_other.py": "import sklearn_dnfwinnow._terms._new",
        },
        "No cycles are allowed in sklearn_dnfwinnow._terms",
    ),
}
NEW_ROOM = {"_new_room/__init__.py": "import sklearn_dnfwinnow._utils"}


def add(copy, files):
    for path, code in files.items():
        path = copy / PACKAGE / path
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{code}\n", encoding="utf-8")


def test_violations_are_found(copy):
    for files, _ in VIOLATIONS.values():
        add(copy, files)
    status, output = lint(copy)
    assert status != 0
    assert [name for name, (_, said) in VIOLATIONS.items() if said not in output] == []


def test_a_room_without_a_layer_is_found(copy):
    add(copy, NEW_ROOM)
    status, output = lint(copy)
    assert status != 0
    assert f"not listed as layers:\n\n- {PACKAGE}._new_room" in output


def test_layers_upside_down_are_broken(copy):
    path = copy / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    layers = re.search(r"^layers = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)[1]
    turned = "".join(reversed(layers.splitlines(keepends=True)))
    path.write_text(text.replace(layers, turned), encoding="utf-8")
    status, output = lint(copy)
    assert status != 0
    assert "Packages import from below BROKEN" in output

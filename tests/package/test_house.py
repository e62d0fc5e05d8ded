"""The house: headers, and where private names come from."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
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


def name(path):
    return str(path.relative_to(ROOT))


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

"""The gallery lists all examples, and the pages of estimators have their openings."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def test_each_example_has_its_place():
    gallery = runpy.run_path(str(ROOT / "doc" / "gallery.py"))
    folders = sorted(path for path in EXAMPLES.iterdir() if path.is_dir())
    assert sorted(gallery["SECTIONS"]) == [path.name for path in folders]
    for folder in folders:
        listed = {f"plot_{name}.py" for name in gallery["SECTIONS"][folder.name]}
        assert {path.name for path in folder.glob("*.py")} == listed
        assert (folder / "README.txt").is_file()
    assert not list(EXAMPLES.glob("*.py"))


def test_openings_belong_to_pages_of_the_reference():
    reference = (ROOT / "doc" / "api.rst").read_text(encoding="utf-8")
    names = set(re.findall(r"^   ([A-Za-z][\w.]+)$", reference, re.MULTILINE))
    openings = {path.stem for path in (ROOT / "doc" / "openings").glob("*.rst")}
    assert openings
    assert openings <= {f"sklearn_dnfwinnow.{name}" for name in names}

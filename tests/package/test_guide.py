"""The user guide: its pictures can be drawn, and it has all parameters and pages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

from sklearn_dnfwinnow import DNFWinnowClassifier

DOC = Path(__file__).parents[2] / "doc"


def test_the_tables_of_parameters_are_complete():
    text = (DOC / "guide" / "parameters.rst").read_text(encoding="utf-8")
    section = text.split("\nAll parameters\n")[1].split("\nWhen a setting helps\n")[0]
    described = re.findall(r"^`(\w+)`  ", section, re.MULTILINE)
    assert sorted(described) == sorted(DNFWinnowClassifier().get_params(deep=False))


def test_the_defaults_in_the_tables_are_those_of_the_classifier():
    text = (DOC / "guide" / "parameters.rst").read_text(encoding="utf-8")
    params = DNFWinnowClassifier().get_params(deep=False)
    found = re.findall(r"^`(\w+)` +('\w+'|None|True|0) {2,}\S", text, re.MULTILINE)
    assert len(found) > 10
    assert [name for name, default in found if repr(params[name]) != default] == []


def test_the_index_lists_all_pages():
    text = (DOC / "user_guide.rst").read_text(encoding="utf-8")
    listed = re.findall(r"^   guide/(\w+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in (DOC / "guide").glob("*.rst"))

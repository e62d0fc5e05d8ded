"""The user guide lists all of its pages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

DOC = Path(__file__).parents[2] / "doc"


def test_the_index_lists_all_pages():
    text = (DOC / "user_guide.rst").read_text(encoding="utf-8")
    listed = re.findall(r"^   guide/(\w+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in (DOC / "guide").glob("*.rst"))

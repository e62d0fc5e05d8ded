"""The pictures of the user guide: each can be drawn, and a page shows it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
import runpy
from pathlib import Path

import pytest

DOC = Path(__file__).parents[2] / "doc"


def test_pictures_are_those_that_pages_show(tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("pandas")
    module = runpy.run_path(str(DOC / "guide_pictures.py"))
    module["draw_guide_pictures"](tmp_path)
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert all(b"</svg>" in picture for picture in drawn.values())
    pages = "".join(path.read_text(encoding="utf-8") for path in DOC.rglob("*.rst"))
    shown = re.findall(r"\.\. figure:: .*generated/guide/(\S+)", pages)
    assert sorted(shown) == sorted(drawn)
    # The same files each time.
    module["draw_guide_pictures"](tmp_path)
    assert all((tmp_path / name).read_bytes() == drawn[name] for name in drawn)

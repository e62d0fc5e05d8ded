"""The gallery lists all examples, and all of them run."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import runpy
from pathlib import Path

import pytest

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


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*/*.py")))
def test_examples_run_and_draw(name, tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    (path,) = EXAMPLES.glob(f"*/{name}.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: None)
    before = set(plt.get_fignums())
    with plt.rc_context():
        runpy.run_path(str(path), run_name="__main__")
    drawn = set(plt.get_fignums()) - before
    for number in drawn:
        plt.close(number)
    assert drawn

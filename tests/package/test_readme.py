"""README: its example, figures, pictures and links are true."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import contextlib
import io
import re
import runpy
import struct
from pathlib import Path

import pytest

from benchmarks.accuracy import tables
from benchmarks.accuracy.records import read

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.rst").read_text(encoding="utf-8")
RECORDS = ROOT / "benchmarks" / "accuracy" / "results" / "accuracy.jsonl"
METHODS = {
    "DNFWinnowClassifier, left-out": "left-out",
    "SVM with RBF kernel, C = 100": "svc-100",
    "random forest, 200 trees": "forest",
    "histogram gradient boosting": "boosting",
    "SVM with RBF kernel, C = 1": "svc-1",
    "logistic regression": "logistic",
}


def blocks(language):
    """Return the code blocks of a language, without their indentation."""
    found = re.findall(rf"code-block:: {language}\n\n((?:    .*\n|\n)+)", README)
    return [re.sub("^    ", "", block, flags=re.MULTILINE).strip() for block in found]


@pytest.mark.slow
def test_the_example_prints_what_the_readme_says():
    (code,), (output,) = blocks("python"), blocks("text")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    assert out.getvalue().strip() == output


def test_the_figures_are_those_of_the_records():
    records = read(RECORDS)
    sets = list(records["set"].unique())
    assert len(sets) == 20
    means = tables.by_method(records, sets)
    errors = tables.calibration(records, list(METHODS.values()))
    lines = re.findall(
        r"^(\S.*?) {2,}([\d.]+) +([\d.]+|-) +([\d.]+ %|-)$", README, re.MULTILINE
    )
    assert [line[0] for line in lines] == list(METHODS)
    for name, error, loss, calibration in lines:
        method = METHODS[name]
        assert means["error"].loc[method].notna().all()
        assert f"{100 * means['error'].loc[method].mean():.2f}" == error
        if loss == "-":
            assert means["log_loss"].loc[method].isna().all()
        else:
            assert f"{means['log_loss'].loc[method].mean():.3f}" == loss
            assert errors["all sets"].loc[method] == calibration
    own, forest = (means["error"].loc[m].round(9) for m in ("left-out", "forest"))
    counts = (own < forest).sum(), (own == forest).sum(), (own > forest).sum()
    text = " ".join(README.split())
    assert "on {} data sets, equal on {} and higher on {}".format(*counts) in text
    assert f"mean error of {100 * means['error'].loc['ours'].mean():.2f} %" in text


def test_badges_say_what_the_metadata_say():
    badges = runpy.run_path(str(ROOT / "doc" / "front_pictures.py"))["badges"]()
    assert len(badges) == 3
    for name, svg in badges.items():
        assert (ROOT / "doc" / "_static" / name).read_text(encoding="utf-8") == svg
        label = re.search('aria-label="(.+?): (.+?)"', svg)
        said = re.search(rf"{name}\n   :alt: (.*)", README)[1].lower()
        assert label[1].lower() in said and label[2].strip("+").lower() in said


@pytest.mark.slow
def test_the_picture_can_be_drawn_again(tmp_path):
    draw = runpy.run_path(str(ROOT / "doc" / "front_pictures.py"))["draw_picture"]
    draw(tmp_path / "new.png")
    sizes = [
        struct.unpack(">II", path.read_bytes()[16:24])
        for path in (tmp_path / "new.png", ROOT / "doc/_static/tic_tac_toe.png")
    ]
    assert sizes[0] == sizes[1]
    # A page that is opened on a phone.
    assert (ROOT / "doc/_static/tic_tac_toe.png").stat().st_size < 100_000


def test_links_lead_to_files():
    links = re.findall(r"<([\w./-]+)>`_", README)
    links += re.findall(r"(?:image|figure):: (\S+)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []

"""README: its examples, figures and links are true, as are tables of benchmarks."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import contextlib
import io
import re
import sqlite3
from pathlib import Path

import pytest

from benchmarks.accuracy import tables, unseen
from benchmarks.accuracy.records import read
from benchmarks.sets import KEEL, names
from sklearn_dnfwinnow.datasets import make_customers

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.rst").read_text(encoding="utf-8")
RECORDS = ROOT / "benchmarks" / "accuracy" / "results" / "accuracy.jsonl"


def blocks(language):
    """Return the code blocks of a language, without their indentation."""
    found = re.findall(rf"code-block:: {language}\n\n((?:    .*\n|\n)+)", README)
    return [re.sub("^    ", "", block, flags=re.MULTILINE).strip() for block in found]


@pytest.mark.slow
def test_the_examples_do_what_the_readme_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (first, second), (output,) = blocks("python"), blocks("text")
    out, found = io.StringIO(), {}
    with contextlib.redirect_stdout(out):
        exec(first, found)
    assert out.getvalue().strip() == output
    with contextlib.redirect_stdout(out):
        exec(second, found)
    X, rules, edited = found["X"], found["rules"], found["edited"]
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        X.to_sql("customers", database, index=False)
        answers = [answer for (answer,) in database.execute(found["query"])]
    assert answers == rules.holds(X).astype(int).tolist()
    assert "balance < 0 & autopay = False" in str(edited)
    # Few customers are between both balances.
    customers, leaves = make_customers(20_000, as_frame=True, random_state=2)
    customers = customers[X.columns]
    of_edited = edited.score(customers, leaves)
    of_rules = (rules.holds(customers) == leaves).mean()
    assert of_edited > of_rules > 0.84
    assert {path.name for path in tmp_path.iterdir()} == {"rules.html", "model.html"}


def test_rivals_of_the_readme_are_those_of_the_records():
    n_sets, table = tables.rivals(read(RECORDS))
    said = {7: "Seven", 8: "Eight", 9: "Nine"}[n_sets]
    assert f"{said} public data sets with two classes" in README
    assert table in README


def test_twenty_sets_of_the_readme_are_those_of_the_records():
    records = read(RECORDS)
    cut_too = records["set"][records["method"] == "ours-cut"]
    records = records[records["set"].isin(cut_too)]
    means = tables.by_method(records, list(records["set"].unique()))
    said = re.search(
        r"mean error is ([\d.]+) %, that of the forest ([\d.]+) %, "
        r"of boosting ([\d.]+) % and of logistic regression ([\d.]+) %",
        " ".join(README.split()),
    )
    errors = means["error"].loc[["left-out", "forest", "boosting", "logistic"]]
    assert list(said.groups()) == [f"{100 * mean:.2f}" for mean in errors.mean(axis=1)]


def test_tables_of_all_sets_are_those_of_the_records(capsys):
    every = read(RECORDS)
    tables.report(every, names("all"))
    # The page has no table of seconds, and the rivals are in the README.
    _, errors, losses, _, *others = capsys.readouterr().out.split("\n\n=")
    page = (ROOT / "benchmarks" / "README.rst").read_text(encoding="utf-8")
    for table in (errors, losses, *others[:2]):
        text = "=" + table.rpartition("=")[0] + "="
        assert text in page


def test_other_data_sets_of_the_pages_are_those_of_the_records(capsys):
    unseen.report(KEEL)
    parts = capsys.readouterr().out.split("\n\n=")[1:]
    errors, losses, means = ("=" + part.rpartition("=")[0] + "=" for part in parts)
    page = (ROOT / "benchmarks" / "README.rst").read_text(encoding="utf-8")
    for table in (errors, losses, means):
        assert table in page
    assert means in (ROOT / "doc" / "benchmarks.rst").read_text(encoding="utf-8")
    figures = re.search(r"On 26 other .*?\n\n", README, re.DOTALL)[0]
    lines = [line.split() for line in means.splitlines()[3:-1]]
    found = {line[0]: (line[2], line[4]) for line in lines}
    expected = [found[method] for method in ("ours", "forest", "boosting")]
    errors, losses = (re.findall(p, figures) for p in (r"([\d.]+) %", r"0\.\d+"))
    assert errors == [error for error, _ in expected]
    assert losses == [loss for _, loss in expected]


def test_links_lead_to_files():
    links = re.findall(r"<([\w./-]+)>`_", README)
    links += re.findall(r"(?:image|figure):: (\S+)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []

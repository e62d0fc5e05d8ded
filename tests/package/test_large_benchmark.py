"""The benchmark of large tables: recipes, limits, and figures on the pages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

from benchmarks.accuracy.records import read  # noqa: E402
from benchmarks.alone import alone, forget_peak, peak  # noqa: E402
from benchmarks.large import tables  # noqa: E402
from benchmarks.large.__main__ import KEY, RESULTS  # noqa: E402
from benchmarks.large.report import COMPARED, texts  # noqa: E402

ROOT = Path(__file__).parents[2]
MEMORY = 8 << 30


@pytest.mark.parametrize("page", ["benchmarks/README.rst", "doc/benchmarks.rst"])
def test_tables_of_the_pages_are_those_of_the_records(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for title, table in texts(read(RESULTS, KEY)).items():
        assert table in text, title


@pytest.mark.parametrize("page", ["benchmarks/README.rst", "doc/benchmarks.rst"])
def test_ratios_of_the_pages_are_those_of_the_records(page):
    records = read(RESULTS, KEY).set_index(KEY)[["fit_s", "mib"]].unstack()
    ranges = []
    for field in ("fit_s", "mib"):
        ratios = records[field]["ours"] / records[field]["lightgbm"]
        ranges += [round(ratios.min()), round(ratios.max())]
    said = re.search(
        r"Fits take (\d+) to (\d+) times as long as those of LightGBM, and (\d+) to "
        r"(\d+) times as much memory",
        " ".join((ROOT / page).read_text(encoding="utf-8").split()),
    )
    assert list(map(int, said.groups())) == ranges


def test_all_methods_have_the_same_tables():
    records = read(RESULTS, KEY)
    done = records[records["status"] == "done"]
    sizes = done.groupby("table")[["rows", "train_rows", "columns"]].nunique()
    assert (sizes == 1).all(axis=None)
    assert set(sizes.index) == set(tables.TABLES)
    others = records["status"][records["status"] != "done"]
    assert others.str.fullmatch(r"more than 150 s").all()
    pairs = {(name, method) for name in tables.TABLES for method in COMPARED}
    assert set(records[KEY].itertuples(index=False, name=None)) == pairs


def test_tables_have_the_rules_of_their_recipes():
    X, y, (train, test) = tables.Table(tables.hastie, 1000)()
    assert len(X.iloc[train]) == 1000 and len(y[test]) == tables.N_TEST
    assert ((X**2).sum(axis=1) > 9.34).to_numpy().tolist() == (y > 0).tolist()
    # Without noise in numbers, the error of the rules would be 0.
    X, y = tables.agrawal(20_000)
    low = np.select([X["age"] < 40, X["age"] < 60], [50_000, 75_000], 25_000)
    found = X["salary"].between(low, low + 50_000)
    assert 0.02 < (found != y).mean() < 0.06
    assert set(X.select_dtypes(exclude="number")) == {"elevel", "car", "zipcode"}
    # Mean of each wave: half of the sum of two, and of noise alone it is 0.
    X, y = tables.waveform(20_000)
    point = np.arange(1, 22)
    one, two, three = (np.maximum(6 - np.abs(point - top), 0) for top in (11, 15, 7))
    for label, waves in enumerate([one + two, one + three, two + three]):
        mean = X[y == label].mean().to_numpy()
        assert np.abs(mean - np.append(waves / 2, np.zeros(19))).max() < 0.2


def test_a_process_ends_at_its_limit():
    def busy():
        while True:
            pass

    assert alone(busy, 1, MEMORY) == {"status": "more than 1 s"}
    assert alone(lambda: {"figure": 1}, 1, MEMORY) == {"status": "done", "figure": 1}
    assert alone(lambda: 1 / 0, 1, MEMORY)["status"].startswith("ZeroDivisionError")
    too_much = alone(lambda: {"size": np.ones(MEMORY).size}, 1, MEMORY)
    assert "MemoryError" in too_much["status"]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="not Linux")
def test_the_peak_is_that_of_what_came_after():
    def call():
        np.ones(200 << 17).sum()  # 200 MiB that are free again
        forget_peak()
        before = peak()
        np.ones(100 << 17).sum()
        return {"mib": peak() - before}

    assert 90 < alone(call, 20, MEMORY)["mib"] < 110

"""The benchmark of rules: literals of trees, columns of numbers, and its records."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from pathlib import Path

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

from benchmarks.accuracy.records import read  # noqa: E402
from benchmarks.rules.__main__ import KEY, RESULTS  # noqa: E402
from benchmarks.rules.columns import Columns  # noqa: E402
from benchmarks.rules.leaves import Leaf, lengths_of_sum, lengths_of_tree  # noqa: E402
from benchmarks.rules.tables import at_equal_size, summary  # noqa: E402
from benchmarks.rules.trees import PrunedTree  # noqa: E402

ROOT = Path(__file__).parents[2]


def test_conditions_on_one_column_are_one_literal():
    # x > 1, then x <= 5, then y: two literals. Encoded columns 0 and 1 are of x.
    assert Leaf((0, 1, 2)).n_literals(sources=[7, 7, 8]) == 2


def test_leaves_of_the_class_with_most_literals_are_not_counted():
    leaves = [Leaf((0,), "a"), Leaf((0, 1), "b"), Leaf((0, 1, 2), "a")]
    assert lengths_of_tree(leaves, sources=[0, 1, 2]) == [2]
    assert lengths_of_tree([Leaf((), "a")], sources=[]) == []


def test_the_longest_leaf_of_each_tree_of_a_sum_is_not_counted():
    stump, tree = [Leaf((0,)), Leaf((0,))], [Leaf((0,)), Leaf((0, 1)), Leaf((0, 1))]
    assert sorted(lengths_of_sum([stump, tree], sources=[0, 1])) == [1, 1, 2]


def test_columns_of_numbers():
    X = pd.DataFrame(
        {
            "kind": ["a", "b", None],
            "yes": ["n", "y", "n"],
            "size": [1.0, np.nan, 3.0],
        }
    )
    columns = Columns().fit(X)
    assert columns.transform(X).tolist() == [
        [1, 0, 0, 1, 1, 0],
        [0, 1, 0, 0, 2, 1],
        [0, 0, 1, 1, 3, 0],
    ]
    assert columns.sources_.tolist() == [0, 0, 0, 1, 2, 2]
    # A new value is in no column.
    other = pd.DataFrame({"kind": ["c"], "yes": ["n"], "size": [5.0]})
    assert columns.transform(other).tolist() == [[0, 0, 0, 1, 5, 0]]
    cut = Columns(n_cuts=1).fit(X)
    assert cut.transform(X)[:, 4].tolist() == [0, 0, 1]


def test_pruned_trees_have_the_leaves_that_were_asked_for():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 2)), columns=["a", "b"])
    y = np.where((X["a"] > 0) ^ (X["b"] > 0), "odd", "even")
    for n_leaves in (1, 4, 9):
        tree = PrunedTree(n_leaves).fit(X, y)
        assert tree.tree_.get_n_leaves() <= n_leaves
        assert len(tree.lengths_) < n_leaves
    assert np.mean(PrunedTree().fit(X, y).predict(X) == y) > 0.95


def test_a_size_without_all_folds_is_not_summarized(tmp_path):
    line = '{"kind": "one", "set": "s", "method": "%s", "size": "%s", "fold": %d, %s}'
    done = '"status": "done", "errors": %d, "rows": 10, "literals": %d, "rules": 1'
    done += ', "fit_s": 0.1'
    lines = [
        line % ("DNFClassifier", "default", 0, done % (1, 4)),
        line % ("DNFClassifier", "default", 1, done % (2, 6)),
        line % ("tree", "2", 0, done % (3, 2)),
        line % ("tree", "8", 0, done % (0, 8)),
        line % ("RIPPER", "default", 0, done % (3, 2)),
        line % ("RIPPER", "default", 1, '"status": "more than 120 s"'),
    ]
    path = tmp_path / "rules.jsonl"
    path.write_text("\n".join(lines))
    found = summary(read(path, ["kind", "set", "method", "size", "fold"]))
    assert set(found.index.unique("method")) == {"DNFClassifier", "tree"}
    own = found.loc["one", "s", "DNFClassifier", "default"]
    assert (own["error"], own["literals"]) == (0.15, 5)
    # The tree of eight leaves has more literals than ours, so the other one counts.
    assert at_equal_size(found.loc["one"]).loc["s", "tree"] == "30.0"


def test_figures_of_formulas_are_those_of_the_records():
    records = read(RESULTS, KEY)
    some = records[(records["kind"] == "one") & (records["size"] == "default")]
    some = some[some["status"] == "done"]
    means = some.groupby(["method", "set"])[["errors", "rows", "literals"]].sum()
    errors = (means["errors"] / means["rows"]).unstack(0)
    errors = errors[errors[["to_dnf", "RIPPER"]].notna().all(axis=1)]
    n_literals = some.groupby(["method", "set"])["literals"].mean().unstack(0)
    model, n_rows = errors["model"], means.loc["model", "rows"]
    limit = model + (model * (1 - model) / n_rows.loc[errors.index]) ** 0.5
    no_worse = errors["to_dnf"] <= errors["RIPPER"] + 1e-9
    no_longer = (n_literals["to_dnf"] <= n_literals["RIPPER"]).loc[errors.index]
    page = (ROOT / "doc" / "benchmarks.rst").read_text(encoding="utf-8")
    said = re.search(
        r"On (\d+) of (\d+) data sets the error of ``to_dnf`` is at most that of "
        r"RIPPER, on (\d+) with .*? one standard error on (\d+), and by at most two "
        r"points on (\d+)\.",
        " ".join(page.split()),
    )
    assert list(map(int, said.groups())) == [
        no_worse.sum(),
        len(errors),
        no_longer.sum(),
        (errors["to_dnf"] <= limit).sum(),
        (errors["to_dnf"] <= model + 0.02).sum(),
    ]

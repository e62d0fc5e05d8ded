"""The paper's experiments: a little of each, and what must hold of it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import importlib
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

ROOT = Path(__file__).parents[2]


def lines(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    out = tmp_path_factory.mktemp("paper")
    tables = "table_v", "table_viii", "table_ix"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT)
        patch.setattr(
            sys, "argv", ["paper", "--quick", "--out", str(out), "--only", *tables]
        )
        importlib.import_module("benchmarks.paper.__main__").main()
    return out


@pytest.fixture
def module(monkeypatch):
    """Import a module of the experiments by its name."""
    monkeypatch.syspath_prepend(ROOT)
    return lambda name: importlib.import_module(f"benchmarks.paper.{name}")


@pytest.mark.slow
def test_experiments_have_their_tables(results):
    for name in ("table_v", "table_viii", "table_ix"):
        assert lines(results / f"{name}.csv")


@pytest.mark.slow
def test_shorter_ladders_have_fewer_chains(results):
    for line in lines(results / "chain_counts.csv"):
        for kind in ("full", "opt"):
            n = {
                scale: [int(line[f"{kind}_{scale}_{kappa}"]) for kappa in (1, 2, 4, 8)]
                for scale in ("sum", "max", "range")
            }
            for counts in n.values():
                assert counts == sorted(counts, reverse=True)
            assert n["sum"][0] >= n["max"][0] >= n["range"][0]
        assert int(line["opt_sum_1"]) <= int(line["full_sum_1"])
        # Theorem 7, in whole chains.
        saved = int(line["full_sum_1"]) - int(line["opt_sum_1"])
        assert saved >= 0


@pytest.mark.slow
def test_what_was_run_is_not_run_again(results, module, monkeypatch):
    before = {path: path.read_bytes() for path in results.glob("*.csv")}
    assert before
    options = "--quick", "--out", str(results), "--only", "table_v", "table_viii"
    monkeypatch.setattr(sys, "argv", ["paper", *options])
    module("__main__").main()
    assert all(path.read_bytes() == content for path, content in before.items())


@pytest.mark.slow_beyond(1)
@pytest.mark.parametrize("sampler", ["exact", "gibbs"])
def test_one_winnow_learns_what_the_classifier_learns(module, sampler):
    protocol, training = module("protocol"), module("training")
    X, y, X_test, _ = protocol.fold("iris", 0)
    X, X_test = protocol.in_intervals(X, y, X_test)
    # The classifier sums by whichever way is quickest.
    of_classifier = "auto" if sampler == "exact" else sampler
    model = protocol.winnow(sampler=of_classifier).fit(X, y)
    visits = []
    for k, positive in enumerate(model.classes_):
        params = protocol.winnow(sampler=sampler)
        one = training.OneWinnow(params, positive, visits.append).fit(X, y)
        net_counts = model.net_promotion_counts_[k]
        own = model._model.stored.own[k]
        assert_array_equal(one.examples, model.stored_examples_[own])
        assert_array_equal(one.net_counts, net_counts[own])
        assert sum(one.mistakes) == model.n_updates_[:, k].sum()
        if sampler == "exact":
            scores = model.log_weighted_sums(X_test)[:, k]
            assert_array_equal(one.predict(X_test), scores >= 0)
    assert len(visits) >= model.n_iter_ * len(X)


def test_visits_are_those_of_training(module):
    protocol, training = module("protocol"), module("training")
    X, y, _, _ = protocol.fold("iris", 0)
    (X,) = protocol.in_intervals(X, y, X)[:1]
    visits, kept = [], []

    def watch(visit):
        kept.append(visit.kept())
        visits.append((visit.exact.log_value, visit.problem.n_promotions))

    one = training.OneWinnow(protocol.winnow(sampler="exact"), 1, watch, every=3)
    one.fit(X, y)
    assert len(visits) == -(-one.n_visits // 3)
    # Kept visits do not change when training goes on.
    for visit, (log_value, n_promotions) in zip(kept, visits):
        assert_allclose(visit.exact.log_value, log_value, rtol=1e-13)
        assert visit.problem.n_promotions == n_promotions
        density = visit.exact.density
        logs = [log + phi * visit.log_alpha for phi, log in density.items()]
        assert_allclose(np.logaddexp.reduce(logs), log_value, rtol=1e-12)

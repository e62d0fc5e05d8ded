"""Rule sets: the smallest loss of any rules, beside an exhaustive search."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import combinations, cycle
from time import monotonic
from types import SimpleNamespace

import numpy as np
import pytest
from internals.rules import RuleProblem, best_rule_set, grown_rules, price_rules

LIMITS = {
    "none": {},
    "rules": {"max_rules": 2},
    "literals": {"max_literals": 3},
    "support": {"min_support": 2.5},
    "precision": {"min_precision": 0.7},
    "all": {
        "max_rules": 2,
        "max_literals": 4,
        "min_support": 1.5,
        "min_precision": 0.6,
    },
}


def problem_of(holds, gains, features, **params):
    """A problem without ends, whose gains are weights, unless given."""
    gains = np.asarray(gains, dtype=float)
    others = {
        "ends": np.zeros(len(features)),
        "weights": np.abs(gains),
        "own_weights": np.maximum(gains, 0.0),
    }
    return RuleProblem(holds, gains, features, **{**others, **params})


def random_problem(rng, n_rows=25, n_literals=7, **params):
    """A problem with noise, some features with intervals, and prices."""
    return problem_of(
        holds=rng.random((n_rows, n_literals)) < rng.uniform(0.4, 0.9),
        gains=rng.choice([rng.integers(-3, 4, n_rows), rng.normal(size=n_rows)]),
        features=np.sort(rng.integers(0, 5, n_literals)),
        ends=rng.integers(-1, 2, n_literals),
        **{
            "rule_price": rng.choice([0.0, 0.5, 1.0]),
            "literal_price": rng.choice([0.0, 0.3]),
            "max_term_size": 3,
            **params,
        },
    )


def rules_of(problem):
    """All rules of a problem, as its definition says it."""
    found = []
    for size in range(problem.max_term_size + 1):
        for rule in combinations(range(problem.holds.shape[1]), size):
            is_interval = all(
                problem.features[a] != problem.features[b]
                or problem.ends[a] * problem.ends[b] == -1
                for a, b in combinations(rule, 2)
            )
            covered = problem.holds[:, list(rule)].all(axis=1)
            support = problem.weights[covered].sum()
            own = problem.own_weights[covered].sum()
            if (
                is_interval
                and support >= problem.min_support - 1e-12
                and own >= problem.min_precision * support - 1e-12
            ):
                found.append(rule)
    return found


def loss_of(problem, rules):
    """The loss of rules, as its definition says it."""
    left, loss = np.maximum(problem.gains, 0.0), 0.0
    for rule in rules:
        covered = problem.holds[:, list(rule)].all(axis=1)
        loss -= np.minimum(problem.gains[covered], 0.0).sum()
        loss += problem.rule_price + problem.literal_price * len(rule)
        left = np.where(covered, 0.0, left)
    return loss + left.sum()


def smallest_loss(problem, most=3):
    """The smallest loss of all sets of up to so many rules."""
    rules = rules_of(problem)
    most = min(most, problem.max_rules)
    covers = np.array([problem.holds[:, list(rule)].all(axis=1) for rule in rules])
    covers = covers.reshape(len(rules), len(problem.gains))
    sizes = np.array([len(rule) for rule in rules])
    costs = covers @ np.maximum(-problem.gains, 0.0)
    costs += problem.rule_price + problem.literal_price * sizes
    up = np.maximum(problem.gains, 0.0)
    best = up.sum()
    for n in range(1, most + 1):
        chosen = np.array(list(combinations(range(len(rules)), n)), dtype=int)
        if len(chosen):
            chosen = chosen[sizes[chosen].sum(axis=1) <= problem.max_literals]
        for some in np.array_split(chosen, max(1, len(chosen) // 10_000)):
            if len(some):
                missed = ~covers[some].any(axis=1)
                best = min(best, (missed @ up + costs[some].sum(axis=1)).min())
    return best


def distinct(problem):
    """The problem on distinct rows, which defines the loss."""
    return problem.merged()[0]


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("seed", range(8))
def test_no_rules_are_better(name, seed):
    """The loss is the smallest of all; the bound is the same, and a proof of it."""
    rng = np.random.default_rng(seed)
    params = {"max_rules": 3, **LIMITS[name]}
    problem = distinct(random_problem(rng, **params))
    found = best_rule_set(problem, n_seeds=(seed % 2) * 20, deadline=monotonic() + 60)
    np.testing.assert_allclose(found.objective, smallest_loss(problem), atol=1e-6)
    np.testing.assert_allclose(found.objective, loss_of(problem, found.rules))
    assert found.gap < 1e-6 and not found.is_timed_out
    assert set(found.rules) <= set(rules_of(problem))
    assert len(found.rules) <= params["max_rules"]
    assert sum(map(len, found.rules)) <= params.get("max_literals", np.inf)


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_holds_without_a_proof(seed):
    """A search without a limit of time stops early, with a bound that is one."""
    rng = np.random.default_rng(100 + seed)
    problem = distinct(random_problem(rng, n_rows=40, max_rules=3))
    best = smallest_loss(problem)
    found = best_rule_set(problem)
    assert found.bound <= best + 1e-6
    assert best <= found.objective + 1e-6
    np.testing.assert_allclose(found.objective, loss_of(problem, found.rules))
    assert found == best_rule_set(problem)


def test_exhaustive_search_finds_what_a_wrong_optimum_would_be():
    """Control: without the best rule, the smallest loss is larger."""
    rng = np.random.default_rng(0)
    n_worse = 0
    for _ in range(20):
        problem = distinct(random_problem(rng, max_rules=2))
        found = best_rule_set(problem, deadline=monotonic() + 60)
        if not found.rules:
            continue
        first = list(found.rules[0])
        if not first:
            continue
        without = problem.with_literals(
            [i for i in range(problem.n_literals) if i != first[0]]
        )
        n_worse += smallest_loss(without) > found.objective + 1e-9
    assert n_worse > 10


def test_rows_in_another_order_give_the_same_rules():
    """Nor does it matter whether equal rows are one."""
    rng = np.random.default_rng(1)
    problem = random_problem(rng, n_rows=60, n_literals=12)
    order = np.tile(rng.permutation(60), 2)
    other = problem_of(
        holds=problem.holds[order],
        gains=problem.gains[order] / 2,
        features=problem.features,
        ends=problem.ends,
        rule_price=problem.rule_price,
        literal_price=problem.literal_price,
    )
    assert best_rule_set(other).rules == best_rule_set(problem).rules


def test_equal_rows_of_both_kinds_cancel():
    """What no rule can avoid is part of the loss, and of the bound."""
    holds = np.array([[True], [True], [True], [False]])
    problem = problem_of(holds, np.array([2.0, 2.0, -1.0, -1.0]), np.zeros(1))
    found = best_rule_set(problem)
    assert found.rules == ((0,),)
    assert found.objective == found.bound == 1.0 and found.gap == 0.0


@pytest.mark.parametrize("gains", [[-1.0, -1.0], [0.0, 0.0], []])
def test_nothing_to_gain(gains):
    """No rules, and a proof that there need be none."""
    holds = np.ones((len(gains), 2), dtype=bool)
    found = best_rule_set(problem_of(holds, np.array(gains), np.arange(2)))
    assert found.rules == () and found.objective == found.gap == 0.0


def test_rows_without_literals():
    """The rule without literals covers all, if this is worth it."""
    holds = np.zeros((3, 0), dtype=bool)
    gains = np.array([1.0, 1.0, -0.5])
    found = best_rule_set(problem_of(holds, gains, np.zeros(0)))
    assert found.rules == ((),) and found.objective == 0.5


def test_time_that_is_over_is_said():
    """With a bound that holds, and rules within the limits."""
    rng = np.random.default_rng(2)
    problem = random_problem(rng, n_rows=600, n_literals=60, max_term_size=6)
    found = best_rule_set(problem, n_seeds=5, deadline=monotonic() + 0.01)
    assert found.is_timed_out and 0 <= found.bound <= found.objective
    assert found.gap > 0


@pytest.mark.parametrize("seed", range(10))
def test_search_of_rules_is_exact(seed):
    """All rules above a threshold, beside a loop over all rules."""
    rng = np.random.default_rng(seed)
    problem = random_problem(
        rng, n_rows=200, n_literals=10, min_support=seed % 2, max_term_size=4
    )
    of_rows = rng.uniform(0, 1, (problem.gains > 0).sum()).round(1)
    duals = SimpleNamespace(
        of_rows=of_rows * problem.gains[problem.gains > 0], of_rule=0.5, of_literal=0.1
    )
    worth = -problem.losses
    worth[problem.gains > 0] = duals.of_rows
    # Rows that matter to nothing need not be excluded by a literal.
    matters = (worth != 0) | problem.has_limits_of_rules
    values = {}
    for rule in rules_of(problem):
        covered = problem.holds[:, list(rule)].all(axis=1)
        price = problem.price(len(rule)) + 0.5 + 0.1 * len(rule)
        # Not those that cover the same rows as a part of them.
        if rule and all(
            (problem.holds[:, list(part)].all(axis=1) != covered)[matters].any()
            for part in combinations(rule, len(rule) - 1)
        ):
            values[rule] = worth[covered].sum() - price
    ascending = sorted(values.values())
    threshold = ascending[len(ascending) // 2] - 1e-6
    above = {rule for rule, value in values.items() if value > threshold}
    everything = price_rules(
        problem, duals, threshold=threshold, n_rules=10_000, work=10**9
    )
    assert everything.is_complete and set(everything.rules) == above
    for rule, value in zip(everything.rules, everything.values):
        np.testing.assert_allclose(value, values[rule], atol=1e-9)
    few = price_rules(problem, duals, threshold=threshold, n_rules=5, work=10**9)
    np.testing.assert_allclose(few.values, everything.values[:5])
    np.testing.assert_allclose(few.most, max(values.values()))
    stopped = price_rules(problem, duals, threshold=threshold, n_rules=5, work=1)
    assert not stopped.is_complete and stopped.most >= few.most - 1e-9


def test_grown_rules_are_within_the_limits():
    rng = np.random.default_rng(3)
    problem = random_problem(rng, n_rows=100, n_literals=15, max_term_size=4)
    rules = grown_rules(problem, 30)
    assert len(rules) > 30 and set(rules) <= set(rules_of(problem))
    assert rules == grown_rules(problem, 30) == sorted(set(rules))
    assert grown_rules(problem, 30, is_late=lambda: True) == []
    # Rules stop to grow when the time is over: here, after each first literal.
    late = cycle([False, True])
    short = grown_rules(problem, 30, is_late=lambda: next(late))
    assert short and set(map(len, short)) == {1} < set(map(len, rules))


@pytest.mark.parametrize("limits", ["none", "support", "precision"])
def test_literals_that_come_first_are_preferred(limits):
    """A literal becomes the first of its feature with which the loss is no larger."""
    n_changed = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, n_rows=12, n_literals=10, **LIMITS[limits])
        pool = [rule for rule in rules_of(problem) if rule]
        if not pool:
            continue
        rules = [pool[i] for i in rng.integers(0, len(pool), 3)]
        found = problem.with_first_literals(rules)
        assert set(found) <= set(pool)
        assert loss_of(problem, found) <= loss_of(problem, rules) + 1e-9
        n_changed += found != rules
        for (literal,) in [rule for rule in pool if len(rule) == 1]:
            fine = [
                other
                for other in range(literal + 1)
                if problem.features[other] == problem.features[literal]
                and problem.ends[other] in (problem.ends[literal], 0)
                and (other,) in pool
                and loss_of(problem, [(other,)])
                <= loss_of(problem, [(literal,)]) + 1e-9
            ]
            assert problem.with_first_literals([(literal,)]) == [(fine[0],)]
    assert n_changed > 5

"""Weighted sums: engines against the oracle, against brute force, and bad input."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import inspect
import pickle
from functools import partial

import numpy as np
import pytest
from internals.kernels import _kernels
from numpy.testing import assert_allclose
from reference import (
    CHAINS,
    interrupt_after,
    log_sum,
    oracle,
    problem_of,
    random_problem,
    sum_of,
)

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import SAMPLERS, Frontier, Gibbs
from sklearn_dnfwinnow.sums import WeightedSum, log_weighted_sum

SMALL = [instance for instance in oracle() if instance["n"] <= 16]
SIX_SIGMA = 6


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance["name"])
def test_brute_force_equals_the_oracle(instance):
    weighted_sum = sum_of(instance, sampler="brute_force")
    expected = instance["log_weighted_sum"]
    assert_allclose(weighted_sum.log_value, expected, rtol=1e-9, atol=1e-9)
    assert weighted_sum.exact and weighted_sum.std_error == 0
    assert weighted_sum.n_chains == 0


def test_brute_force_over_many_words():
    agreements, net_counts = random_problem(9, 400, seed=0)
    problem = problem_of(agreements, net_counts)
    assert problem.columns.shape[1] > 1
    value = _kernels.brute_force.log_sum(
        problem=problem,
        log_alpha=np.log(1.3),
        log_odds=problem.log_odds(np.log(0.4)),
        max_term_size=problem.n,
    )
    assert_allclose(value, log_sum(agreements, net_counts, 1.3, 0.4), rtol=1e-12)


def test_closed_forms():
    def closed(agreements, net_counts, alpha=1.5, beta=0.3):
        found = log_weighted_sum(
            agreements, net_counts, alpha=alpha, literal_weight=beta
        )
        expected = log_sum(np.asarray(agreements), net_counts, alpha, beta)
        assert_allclose(found.log_value, expected, rtol=1e-12, atol=1e-12)
        assert found.exact
        return found.sampler == "closed_form"

    nothing = np.zeros((0, 3), dtype=bool)
    assert closed(nothing, np.zeros(0, dtype=int))
    for row in ([1, 0, 1], [1, 1, 1], [0, 0, 0]):
        for c in (-4, 3, 0):
            assert closed(np.array([row], dtype=bool), [c])
    # Equal agreements are one, and cancel.
    assert closed(np.ones((2, 3), dtype=bool), [5, -5])
    assert closed(np.ones((2, 3), dtype=bool), [5, -3])
    assert not closed(np.eye(3, dtype=bool), [5, -3, 1])
    # No attribute: the empty term alone.
    empty = log_weighted_sum(np.zeros((2, 0), dtype=bool), [5, -3])
    assert_allclose(empty.log_value, 2 * np.log(1.5))


def test_each_ladder_scale_estimates_the_same_sum():
    agreements, net_counts = random_problem(6, 40, seed=6)
    truth = log_sum(agreements, net_counts, 1.5, 1.0)
    ladders = {}
    for scale in ("sum", "max", "range"):
        estimate = log_weighted_sum(
            agreements,
            net_counts,
            sampler=Gibbs(ladder_scale=scale, n_steps=20_000),
            random_state=2,
        )
        assert abs(estimate.log_value - truth) < SIX_SIGMA * estimate.std_error
        assert estimate.n_chains == estimate.n_simulated == estimate.n_ladder
        ladders[scale] = estimate.n_ladder
    assert ladders["sum"] > ladders["max"] > ladders["range"]


def test_sums_are_a_function_of_their_arguments():
    agreements, net_counts = random_problem(6, 40, seed=6)
    gibbs = partial(log_weighted_sum, sampler="gibbs")
    first = gibbs(agreements, net_counts, random_state=3)
    assert first == gibbs(agreements, net_counts, random_state=3)
    assert first == pickle.loads(pickle.dumps(first))
    assert first != gibbs(agreements, net_counts, random_state=4)
    # The order of the updates does not matter, nor do those that cancel.
    order = np.random.RandomState(0).permutation(40)
    twin = np.concatenate([agreements[order], agreements[:1], agreements[:1]])
    moved = gibbs(twin, [*net_counts[order], 9, -9], random_state=3)
    assert moved.log_value == first.log_value


def test_early_stop_agrees_with_the_full_ladder_far_from_the_threshold():
    agreements, net_counts = random_problem(10, 60, seed=7)
    problem = problem_of(agreements, net_counts)
    truth = log_sum(agreements, net_counts, 1.5, 1.0)
    for offset in (-2.0, 2.0):
        for guess in (False, True):
            for tempering in (False, True):
                engine = Gibbs(tempering=tempering, ladder_scale="sum").engine()
                args = problem, np.log(1.5), 0.0, 11, truth + offset
                answer, stopped = engine.exceeds(*args, guess)
                full = engine.in_full()
                assert answer == full.exceeds(*args, guess)[0] == (offset < 0)
                assert stopped.n_chains <= stopped.n_simulated <= stopped.n_ladder
                if guess == answer and not tempering:  # Theorem 7
                    assert stopped.n_chains < stopped.n_ladder


def test_no_threshold_needs_no_chain_where_the_bounds_settle_it():
    problem = problem_of(*random_problem(10, 60, seed=7))
    bound = 10 * np.log(2) + problem.phi_high * np.log(1.5)
    answer, stopped = (
        Gibbs().engine().exceeds(problem, np.log(1.5), 0.0, 0, bound + 1e-3, False)
    )
    assert not answer and stopped.n_chains == 0


def test_extreme_parameters_stay_finite():
    agreements, net_counts = random_problem(5, 12, seed=8)
    for options, of_chains in (
        ({"literal_weight": 1e-12}, {}),
        ({"literal_weight": 1e12}, {}),
        ({"alpha": 1 + 1e-9}, {}),
        ({"alpha": 1e3}, {}),
        ({}, {"ladder_step": 1e3}),
        ({"alpha": 1e6}, {"ladder_step": 1e3}),
        ({}, {"n_steps": 1, "burn_in": 0}),
    ):
        exact = log_weighted_sum(
            agreements,
            net_counts,
            sampler="brute_force",
            **options,
        )
        assert np.isfinite(exact.log_value)
        for name in CHAINS:
            sampler = SAMPLERS[name](**of_chains)
            estimate = log_weighted_sum(
                agreements, net_counts, sampler=sampler, random_state=0, **options
            )
            assert np.isfinite(estimate.log_value)
            assert estimate.std_error >= 0
    one_sample = log_weighted_sum(
        agreements, net_counts, sampler=Gibbs(n_steps=1), random_state=0
    )
    assert one_sample.std_error == np.inf  # unknown, and not claimed to be small


@pytest.mark.parametrize("n", [64, 65, 130])
def test_more_attributes_than_bits_in_a_word(n):
    # Two updates on disjoint halves have W in closed form.
    agreements = np.zeros((2, n), dtype=bool)
    agreements[0, : n // 2] = agreements[1, n // 2 :] = True
    estimate = log_weighted_sum(
        agreements,
        [4, -2],
        literal_weight=0.05,
        sampler=Gibbs(n_steps=20_000),
        random_state=0,
    )
    a, b = 1.05 ** (n // 2), 1.05 ** (n - n // 2)
    both, c, d = 1.5**2, 1.5**4, 1.5**-2  # only the empty term is inside both
    truth = np.log(both + c * (a - 1) + d * (b - 1) + (a - 1) * (b - 1))
    assert abs(estimate.log_value - truth) < SIX_SIGMA * estimate.std_error
    exact = log_weighted_sum(agreements, [4, -2], literal_weight=0.05)
    assert_allclose(exact.log_value, truth, rtol=1e-13)


def test_a_long_sum_can_be_interrupted():
    agreements, net_counts = random_problem(8, 30, seed=0)

    with pytest.raises(KeyboardInterrupt), interrupt_after(0.2):
        log_weighted_sum(agreements, net_counts, sampler=Gibbs(n_steps=10**12))


BAD = [
    ({"agreements": [True]}, "agreements must be of shape"),
    ({"agreements": [[2, 0]]}, "agreements must be boolean"),
    ({"net_promotion_counts": [1, 2]}, r"net_promotion_counts must be of shape \(1,\)"),
    ({"net_promotion_counts": [0.5]}, "net_promotion_counts must be integers"),
    ({"net_promotion_counts": [2**62]}, "less than 2\\*\\*62"),
    ({"alpha": 1.0}, "'alpha' parameter"),
    ({"literal_weight": 0.0}, "'literal_weight' parameter"),
    ({"sampler": "gibs"}, "'sampler' parameter"),
    ({"max_term_size": 0}, "'max_term_size' parameter"),
    ({"max_term_size": "auto"}, "'max_term_size' parameter"),
    (
        {"max_term_size": 2, "sampler": "gibbs"},
        "max_term_size must be None or 'auto' for the samplers",
    ),
    (
        {"max_term_size": 2, "sampler": Gibbs()},
        "max_term_size must be None or 'auto' for the samplers",
    ),
    ({"sampler": Gibbs}, "'sampler' parameter of log_weighted_sum"),
    ({"sampler": 3}, "'sampler' parameter of log_weighted_sum"),
    ({"sampler": Frontier(max_states=0)}, "'max_states' parameter of sampler Frontier"),
    ({"sampler": Frontier(max_states=10**12)}, "'max_states' parameter"),
    ({"sampler": Frontier(n_replicates=0)}, "'n_replicates' parameter"),
    ({"sampler": Frontier(n_replicates=10**12)}, "'n_replicates' parameter"),
    ({"sampler": Gibbs(n_steps=0)}, "'n_steps' parameter of sampler Gibbs"),
    ({"sampler": Gibbs(n_steps=10**30)}, "'n_steps' parameter"),
    ({"sampler": Gibbs(burn_in=-1)}, "'burn_in' parameter"),
    ({"sampler": Gibbs(ladder_scale="min")}, "'ladder_scale' parameter"),
    ({"sampler": Gibbs(ladder_step=0)}, "'ladder_step' parameter"),
    ({"sampler": Gibbs(swap_probability=1.5)}, "'swap_probability' parameter"),
]


@pytest.mark.parametrize(("changed", "message"), BAD, ids=lambda v: str(v)[:40])
def test_bad_input(changed, message):
    arguments = {"agreements": [[True, False]], "net_promotion_counts": [1], **changed}
    with pytest.raises(ValueError, match=message):
        log_weighted_sum(**arguments)


def test_sums_that_are_out_of_reach_say_so():
    agreements, net_counts = random_problem(40, 50, seed=0)
    with pytest.raises(ValueError, match=r"up to 28\. A row has 40 specified features"):
        log_weighted_sum(agreements, net_counts, sampler="brute_force")
    with pytest.raises(ValueError, match="tabulates the net promotion"):
        log_weighted_sum(np.eye(2, dtype=bool), [10**7, 1], sampler="gibbs")


def test_defaults_are_those_of_the_classifier():
    # But alpha and the term prior are the paper's.
    paper = DNFWinnowClassifier.paper_settings()
    defaults = DNFWinnowClassifier().get_params()
    defaults |= {name: paper[name] for name in ("alpha", "literal_weight")}
    parameters = inspect.signature(log_weighted_sum).parameters
    for name in ("sampler", "alpha", "literal_weight", "random_state"):
        assert parameters[name].default == defaults[name]
    assert isinstance(log_weighted_sum([[True]], [1]), WeightedSum)


@pytest.mark.parametrize("name", SAMPLERS)
def test_names_stand_for_defaults(name):
    agreements, net_counts = random_problem(6, 40, seed=6)
    sums = [
        log_weighted_sum(agreements, net_counts, sampler=sampler, random_state=0)
        for sampler in (name, SAMPLERS[name]())
    ]
    assert sums[0] == sums[1]

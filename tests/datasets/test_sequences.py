"""Windows, and sequences of a hidden Markov chain with their true probabilities."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare

from sklearn_dnfwinnow.datasets import make_hidden_markov, make_windows

# ----------------------------------------------------------------------------------
# Windows.


@pytest.mark.parametrize(
    "sequence",
    [
        "abracadabra",
        [*"abracadabra"],
        ["to", "be", "or", "not", "to", "be"],
        [3, 1, 4, 1, 5, 9, 2, 6],
        np.array([0.5, 2.5, 0.5, 1.5]),
        pd.Series([*"banana"], index=[*range(5, -1, -1)]),
        (True, False, True, True),
        "a\tb\n é",
    ],
    ids=str,
)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_windows(sequence, order):
    X, y = make_windows(sequence, order)
    symbols = [*sequence]
    assert X.shape == (len(symbols) - order, order)
    assert X.tolist() == [symbols[i : i + order] for i in range(len(X))]
    assert y.tolist() == symbols[order:]
    assert X.dtype == y.dtype
    if not isinstance(sequence, str):
        assert X.dtype == np.asarray(sequence).dtype


def test_windows_are_copies():
    sequence = np.arange(5)
    X, y = make_windows(sequence, 2)
    X[:] = y[:] = -1
    assert_array_equal(sequence, np.arange(5))
    assert X.flags.c_contiguous and y.flags.c_contiguous


@pytest.mark.parametrize(
    "sequence, order, message",
    [
        ("abc", 0, r"'order' .* make_windows must be .* range \[1, inf\). Got 0"),
        ("abc", 1.0, r"'order' .* Got 1.0"),
        (7, 1, r"'sequence' .* make_windows must be .* Got 7"),
        ("abc", 3, r"sequence must have more than order=3 symbols. Got 3"),
        ("", 1, r"sequence must have more than order=1 symbols. Got 0"),
        ([[1, 2], [3, 4]], 1, r"sequence must have one dimension. Got shape \(2, 2\)"),
    ],
)
def test_bad_windows(sequence, order, message):
    with pytest.raises(ValueError, match=message):
        make_windows(sequence, order)


# ----------------------------------------------------------------------------------
# Hidden Markov chains.


def ring(n_states, n_symbols, p_next, p_symbol, own):
    """Transitions and emissions, entry by entry."""
    transitions = np.empty((n_states, n_states))
    for i, j in np.ndindex(transitions.shape):
        follows = j == (i + 1) % n_states
        transitions[i, j] = p_next if follows else (1 - p_next) / (n_states - 1)
    emissions = np.empty((n_states, n_symbols))
    for i, k in np.ndindex(emissions.shape):
        shown = k == own[i]
        emissions[i, k] = p_symbol if shown else (1 - p_symbol) / (n_symbols - 1)
    return transitions, emissions


def law_of_sequences(transitions, emissions, length):
    """Probability of each sequence, by a sum over all paths of hidden states."""
    n_states, n_symbols = emissions.shape
    law = np.zeros((n_symbols,) * length)
    for path in product(range(n_states), repeat=length):
        weight = 1 / n_states
        for i, j in pairwise(path):
            weight *= transitions[i, j]
        shown = emissions[path[0]]
        for state in path[1:]:
            shown = np.multiply.outer(shown, emissions[state])
        law += weight * shown
    return law


PARAMETERS = {
    "three states": dict(n_states=3, n_symbols=2, p_next=0.7, p_symbol=0.8),
    "a symbol a state": dict(n_states=3, n_symbols=3, p_next=0.5, p_symbol=0.9),
    "four states": dict(n_states=4, n_symbols=2, p_next=0.9, p_symbol=1.0),
    "two states": dict(n_states=2, n_symbols=2, p_next=0.2, p_symbol=0.7),
}


@pytest.mark.parametrize("parameters", PARAMETERS.values(), ids=PARAMETERS)
def test_sequences_have_the_law_of_the_chain(parameters, global_random_seed):
    order, n_states, n_symbols = 3, parameters["n_states"], parameters["n_symbols"]
    X, y, proba = make_hidden_markov(
        20_000, order, random_state=global_random_seed, return_proba=True, **parameters
    )
    # Which symbols the states have is in secret: the likeliest ring is that of the law.
    places = [*(X - 1).T, y - 1]
    counts = np.zeros((n_symbols,) * (order + 1))
    np.add.at(counts, tuple(places), 1)
    laws = [
        law_of_sequences(*ring(**parameters, own=own), order + 1)
        for own in product(range(n_symbols), repeat=n_states)
        if np.ptp(np.bincount(own, minlength=n_symbols)) <= 1
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        fits = [np.where(counts > 0, counts * np.log(law), 0).sum() for law in laws]
    law = laws[int(np.nanargmax(fits))]
    assert_allclose(law.sum(), 1.0)
    expected = law.ravel() * len(X)
    possible = expected > 0
    assert counts.ravel()[~possible].sum() == 0
    assert chisquare(counts.ravel()[possible], expected[possible]).pvalue > 1e-5
    before = tuple(places[:-1])
    assert_allclose(proba, law[before] / law.sum(axis=-1)[before][:, np.newaxis])


def test_probabilities_of_long_sequences_do_not_vanish():
    _, _, proba = make_hidden_markov(50, 3000, random_state=0, return_proba=True)
    assert_allclose(proba.sum(axis=1), 1.0)
    assert np.isfinite(np.log(proba)).all()


@pytest.mark.parametrize("order", [1, 2, 50])
def test_a_chain_without_chance_is_foretold(order):
    sure = {"n_states": 8, "n_symbols": 8, "p_next": 1.0, "p_symbol": 1.0}
    X, y, proba = make_hidden_markov(
        500, order, random_state=0, return_proba=True, **sure
    )
    assert_array_equal(proba, np.eye(8)[y - 1])
    # The ring is seen in every window, and is not the order of the symbols.
    after = dict(zip(X[:, -1].tolist(), y.tolist()))
    assert {*after} == {*after.values()} == {*range(1, 9)}
    assert any(other != symbol % 8 + 1 for symbol, other in after.items())


def test_longer_windows_predict_better(global_random_seed):
    losses = []
    for order in (1, 3, 10, 30):
        _, y, proba = make_hidden_markov(
            4000, order, random_state=global_random_seed, return_proba=True
        )
        losses.append(-np.log(proba[np.arange(len(y)), y - 1]).mean())
    assert all(np.diff(losses) < 0.08)
    assert losses[-1] < losses[0] - 0.01


def test_symbols_and_classes():
    X, y = make_hidden_markov(500, 4, n_states=7, n_symbols=3, random_state=0)
    assert X.shape == (500, 4) and y.shape == (500,)
    assert X.dtype == y.dtype == np.int64
    assert set(np.unique(X)) == set(np.unique(y)) == {1, 2, 3}


def test_same_seed_same_sequences():
    first, again, other = (
        make_hidden_markov(50, 5, random_state=seed) for seed in (3, 3, 4)
    )
    rng = make_hidden_markov(50, 5, random_state=np.random.RandomState(3))
    proba = make_hidden_markov(50, 5, random_state=3, return_proba=True)
    for same in (again, rng, proba):
        assert_array_equal(first[0], same[0])
        assert_array_equal(first[1], same[1])
    assert not np.array_equal(first[0], other[0])
    assert len(first) == 2 and len(proba) == 3


@pytest.mark.parametrize(
    "parameters, message",
    [
        (dict(n_samples=0), r"'n_samples' .* range \[1, inf\). Got 0"),
        (dict(order=0), r"'order' .* range \[1, inf\). Got 0"),
        (dict(n_states=1), r"'n_states' .* range \[2, inf\). Got 1"),
        (dict(n_symbols=1), r"'n_symbols' .* range \[2, inf\). Got 1"),
        (dict(n_symbols=9), r"n_symbols=9 must not exceed n_states=8"),
        (dict(p_next=1.1), r"'p_next' .* range \[0\.0, 1\.0\]. Got 1.1"),
        (dict(p_symbol=-0.1), r"'p_symbol' .* Got -0.1"),
        (dict(random_state="seed"), r"'random_state' .* Got 'seed'"),
        (dict(return_proba=None), r"'return_proba' .* Got None"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        make_hidden_markov(**parameters)

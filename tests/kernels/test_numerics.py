"""Numerics that the kernels share, against NumPy."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.kernels import _numerics_testing as numerics
from internals.samplers import AgreementProblem
from numpy.testing import assert_allclose, assert_array_equal


@pytest.mark.parametrize("a", [-np.inf, -1000.0, 0.0, 0.5, 1000.0])
@pytest.mark.parametrize("b", [-np.inf, -999.5, 0.0, 1e-9, 1000.0])
def test_log_of_two(a, b):
    assert_allclose(numerics.log_of_two(a, b), np.logaddexp(a, b), rtol=1e-15)


@pytest.mark.parametrize("lead", [0.0, 300.0])
@pytest.mark.parametrize("scale", [1.0, 5000.0])
def test_log_of_many(lead, scale):
    values = scale * np.random.RandomState(0).standard_normal(100)
    expected = np.logaddexp.reduce(values)
    for order in (values, np.sort(values), np.sort(values)[::-1].copy()):
        assert_allclose(numerics.log_of_many(order, lead), expected, rtol=1e-14)


@pytest.mark.parametrize("m", [1, 64, 65, 200])
@pytest.mark.parametrize("largest", [1, 9, 2**40])
def test_phi_of_sets(m, largest):
    random = np.random.RandomState(m)
    net_counts = random.randint(-largest, largest + 1, size=m)
    problem = AgreementProblem(np.empty((0, 1)), np.empty(0), net_counts, 0, net_counts)
    n_lanes = numerics.N_LANES
    chosen = random.random_sample((n_lanes, m)) < 0.5
    words = np.zeros((n_lanes, problem.planes.shape[1]), dtype=np.uint64)
    for lane, u in zip(*np.nonzero(chosen)):
        words[lane, u >> 6] |= np.uint64(1) << np.uint64(u & 63)
    expected = chosen @ net_counts
    found = [numerics.phi(row, problem.planes) for row in words]
    assert_array_equal(found, expected)
    found = [numerics.phi_among(row, words[0], problem.planes) for row in words]
    assert_array_equal(found, (chosen & chosen[0]) @ net_counts)
    totals = np.full(n_lanes, 7)
    numerics.phi_of_lanes(np.ascontiguousarray(words.T), problem.planes, totals)
    assert_array_equal(totals, expected + 7)

"""Prediction: what is skipped, and that it makes no difference."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from sklearn_dnfwinnow._rows import distinct_rows

# -- distinct rows ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape, largest",
    [((50, 3), 2), ((300, 40), 1), ((300, 90), 1), ((400, 30), 700), ((1, 4), 3)]
    + [((0, 4), 0), ((5, 0), 0), ((60, 3), 2**31 - 1), ((40, 5), 2**31 - 1)],
)
@pytest.mark.parametrize("repeats", [1, 3])
def test_distinct_rows_are_those_of_numpy(shape, largest, repeats):
    random = np.random.RandomState(0)
    codes = random.randint(0, largest + 1, shape, dtype=np.int64).astype(np.int32)
    codes = np.repeat(codes, repeats, axis=0)[random.permutation(repeats * shape[0])]
    if shape[1]:
        codes[:, -1] //= 2
    expected = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    for ours, numpys in zip(distinct_rows(codes), expected):
        assert_array_equal(ours, numpys.reshape(ours.shape))
        assert ours.dtype == numpys.dtype


def test_rows_that_differ_in_the_last_column_only():
    # Keys leave 64 bits several times, and ranks are few.
    codes = np.zeros((20, 30), dtype=np.int32)
    codes[:, :-1] = 2**31 - 1
    codes[:, -1] = np.arange(20)[::-1] // 2
    rows, first, inverse = distinct_rows(codes)
    assert_array_equal(rows[:, -1], np.arange(10))
    assert_array_equal(first, np.arange(0, 20, 2)[::-1])
    assert_array_equal(inverse, np.arange(20)[::-1] // 2)

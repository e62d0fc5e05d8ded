"""The level of sums: the mean of A, as long as this is not by far larger."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest
from internals.winnow import level_of


@pytest.mark.parametrize("slope", [0.0, 0.3, 0.6])
def test_the_level_is_the_mean(slope):
    # Nothing is added up to a level of 1.
    def mean(level):
        return 2.0 + slope * max(0.0, level - 1.0)

    level = level_of(mean, every=2.0)
    assert level == pytest.approx((2.0 - slope) / (1.0 - slope), rel=1e-8)
    assert level == pytest.approx(mean(level), rel=1e-8)


@pytest.mark.parametrize("slope", [0.9, 5.0])
def test_effects_fade_where_the_mean_would_be_large(slope):
    def mean(level):
        return 2.0 + slope * max(0.0, level - 1.0)

    level = level_of(mean, every=2.0)
    # The mean would be larger than three times the sum of all initial weights.
    assert mean(level) == pytest.approx(6.0, rel=1e-8)
    assert level == pytest.approx(1.0 + 4.0 / slope, rel=1e-8)
    assert level < mean(level)

"""Traces keep values evenly, and thin them out when there is no more room."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
import pytest
from internals.bayes import Trace


@pytest.mark.parametrize("step", [1, 3])
def test_traces_are_thinned_evenly(step):
    trace = Trace(8, (2,), float, step)
    for sweep in range(1, 100):
        trace.hear([sweep, -sweep])
        kept = trace.values()[:, 0]
        assert (np.diff(kept) == trace.step).all() and len(kept) <= 8
        assert sweep < step or kept[0] == trace.step
        if sweep >= 8 * step:
            assert len(trace) >= 4
    np.testing.assert_array_equal(trace.values(0.25), trace.values()[len(trace) // 4 :])

"""The sums on their own, over random agreements, beside their exact values."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow.samplers import Gibbs
from sklearn_dnfwinnow.sums import log_weighted_sum


class Sums:
    """Time, peak memory and relative error of one sum.

    18 attributes are for the superset sum, 30 for the frontier; 40 resample its states.
    """

    params = [[18, 30, 40], ["auto", "exact", "frontier", "gibbs"]]
    param_names = ["attributes", "sampler"]
    timeout = 300

    def setup(self, n, sampler):
        rng = np.random.default_rng(n)
        m = 60
        self.agreements = rng.random((m, n)) < 0.6
        self.net_counts = rng.choice([-2, -1, 1, 2], m)
        if sampler == "gibbs":
            sampler = Gibbs(n_steps=2000, burn_in=200)
        self.options = {"sampler": sampler, "random_state": 0}

    def sum(self, **options):
        return log_weighted_sum(
            self.agreements, self.net_counts, **(self.options | options)
        )

    def time_sum(self, n, sampler):
        self.sum()

    def peakmem_sum(self, n, sampler):
        self.sum()

    def track_error(self, n, sampler):
        off = self.sum().log_value - self.sum(sampler="exact").log_value
        return 100 * abs(np.expm1(off))

    track_error.unit = "%"

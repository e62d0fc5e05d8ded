"""Whether the capped frontier's standard errors are honest.

    python -m benchmarks.sums.calibration [--seeds 500] [--max-states 1000] [--name x]

Spread of (W-hat / W - 1) / std_error over seeds, at 8 replicates: 1 if the standard
error is right (1.18 by Student's t with 7 degrees of freedom), wanted between 0.8 and
1.25. Beside it the mean of W-hat / W, which should be 1, and the skewness of W-hat.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import skew

from benchmarks.accuracy.tables import grid
from benchmarks.sums.trained_sums import TRAINED, hard_sums, trained_sums
from sklearn_dnfwinnow.samplers import Frontier

RESULTS = Path(__file__).parent / "results" / "calibration.csv"
FIELDS = "sum max_states mean mean_se error skewness z_mean z_spread".split()


def calibrate(s, max_states, n_seeds):
    """Ratios W-hat / W and z-scores, or None if there is no error to speak of."""
    ratios, scores = [], []
    for seed in range(n_seeds):
        found = s.estimate(sampler=Frontier(max_states=max_states), random_state=seed)
        if found.exact or found.std_error == 0:
            return None
        ratios.append(np.exp(found.log_value - s.log_value))
        scores.append((ratios[-1] - 1) / found.std_error)
    return np.array(ratios), np.array(scores)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--max-states", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--sums", type=int, default=2, help="of each trained set")
    parser.add_argument("--name", default="", help="only sums with this in their names")
    args = parser.parse_args()
    sums = list(hard_sums())
    for name in TRAINED:
        # The hardest of a set: small ones are exact.
        by_size = sorted(trained_sums(name), key=lambda s: -len(s.problem.net_counts))
        sums += by_size[: args.sums]
    sums = [s for s in sums if args.name in s.name]
    lines = []
    for s, max_states in product(sums, args.max_states):
        found = calibrate(s, max_states, args.seeds)
        if found is not None:
            ratios, scores = found
            mean_se = ratios.std(ddof=1) / np.sqrt(len(ratios))
            error = np.abs(ratios - 1).mean()
            figures = ratios.mean(), mean_se, error, skew(ratios), scores.mean()
            spread = scores.std(ddof=1)
            lines.append(
                [s.name, max_states, *(f"{x:.4g}" for x in (*figures, spread))]
            )
            print(*lines[-1], flush=True)
    table = pd.DataFrame(lines, columns=FIELDS)
    table.to_csv(RESULTS, index=False)
    print(grid(table.set_index("sum"), of="sum"))


if __name__ == "__main__":
    main()

"""The experiments of Fitzgibbon, Dowe and Allison (2002) on polynomials.

    python -m benchmarks.polynomials [--only quintic quadratic] [--trials 1000]
                                     [--n-jobs 2]

``quintic`` has the degrees behind Figures 1 to 3, and ``quadratic`` the errors of
Figure 5, with the claims of section 5. Priors and sampler are those of sections 3 and
4; the tests compare them with exact draws, and criteria with a published table. The
docstrings of their modules name the choices that the paper leaves open.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse

from benchmarks.polynomials import quadratic, quintic
from benchmarks.polynomials.sampler import N_SWEEPS

EXPERIMENTS = {
    "quintic": quintic,
    "quadratic": quadratic,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", nargs="+", choices=list(EXPERIMENTS), default=list(EXPERIMENTS)
    )
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument(
        "--observations", type=int, nargs="+", default=[10], help="of quadratic"
    )
    parser.add_argument(
        "--search", choices=["sequential", "exhaustive"], default="sequential"
    )
    parser.add_argument("--sweeps", type=int, default=N_SWEEPS, help="of each chain")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n-jobs", type=int, default=1)
    options = parser.parse_args()
    for name in options.only:
        EXPERIMENTS[name].run(options)


if __name__ == "__main__":
    main()

"""Coverage: what is promised of estimates, held against sums that are known.

Two promises. Theorem 4's: with S samples of each chain the estimate is within epsilon
of W. S is so large that the samples are taken one sweep apart here, where the theorem
has a new chain for each. And that of the standard error: at T_s as in practice, log W
is within 1.96 of them in 95 % of all cases, and what the diagnostics say of the others.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from functools import cache
from itertools import product
from math import log
from pathlib import Path

import numpy as np

from benchmarks.paper.protocol import SAMPLERS, sampling
from benchmarks.paper.tables import number
from sklearn_dnfwinnow._utils._computing import stream
from sklearn_dnfwinnow.diagnostics import sample_size
from sklearn_dnfwinnow.diagnostics._chain_diagnostics import diagnose_problem
from sklearn_dnfwinnow.samplers import Gibbs
from sklearn_dnfwinnow.sums._log_weighted_sum import problem_of_agreements

_ORACLE = Path(__file__).parents[2] / "tests" / "data" / "weighted_sums.jsonl"
#: Sums of trained models with reference values.
SUMS = (
    *("iris/1", "car/0", "tic-tac-toe/0", "breast-cancer/0", "house-votes-84/0"),
    *("house-votes-84/3", "sim40/1", "sim40/3", "auto/0", "auto/1", "annealing/3"),
)
EPSILONS = (1.0, 0.5)
#: T_s in units of n^2; the paper takes 10.
FACTORS = (1, 10, 100)


def promises(sums=SUMS, epsilons=EPSILONS, n_runs=40):
    """Theorem 4, by Gibbs."""
    return [
        {"sum": name, "epsilon": epsilon, "n_runs": n_runs}
        for name, epsilon in product(sums, epsilons)
    ]


def errors(sums=SUMS, factors=FACTORS, samplers=SAMPLERS, n_runs=200):
    """Standard errors, by all samplers."""
    return [
        {"sum": name, "sampler": sampler, "factor": factor, "n_runs": n_runs}
        for name, factor, sampler in product(sums, factors, samplers)
    ]


@cache
def _known():
    instances = map(json.loads, _ORACLE.read_text().splitlines())
    return {instance["name"]: instance for instance in instances}


def _question(name):
    """Problem, log alpha, log beta, and the logarithm of the sum."""
    instance = _known()[name]
    agreements = [[c == "1" for c in text] for text in instance["agreements"]]
    problem, *_ = problem_of_agreements(agreements, instance["net_counts"])
    logs = log(instance["alpha"]), log(instance["literal_weight"])
    return problem, *logs, instance["log_weighted_sum"]


def promise(sum, epsilon, n_runs):
    """How often estimates keep Theorem 4's promise about one sum."""
    problem, log_alpha, log_beta, truth = _question(sum)
    n_rungs = Gibbs().engine().n_rungs(problem, log_alpha)
    n_samples = sample_size(epsilon, n_rungs).n_samples
    gibbs = Gibbs(n_steps=n_samples * problem.n, burn_in=100 * problem.n**2).engine()
    found = [
        gibbs.log_sum(problem, log_alpha, log_beta, stream(run, row=[0])).log_value
        for run in range(n_runs)
    ]
    off = np.abs(np.expm1(np.array(found) - truth))
    return {
        "n": problem.n,
        "n_rungs": n_rungs,
        "n_samples": n_samples,
        "n_kept": int((off <= epsilon).sum()),
        "mean_error": f"{off.mean():.4g}",
        "largest_error": f"{off.max():.4g}",
    }


def error(sum, sampler, factor, n_runs):
    """How often log W is within 1.96 standard errors; how often there are complaints.

    Diagnostics are of the first 20 runs.
    """
    problem, log_alpha, log_beta, truth = _question(sum)
    chains = sampling(
        sampler, n_steps=factor * problem.n**2, ladder_scale="range", early_stop=False
    ).engine()
    off, promised, complaints = [], [], 0
    question = problem, log_alpha, log_beta
    for run in range(n_runs):
        random = stream(run, row=[1])
        if run < 20:
            again = stream(run, row=[2])
            diagnostics = diagnose_problem(chains, *question, random, again)
            found = diagnostics.weighted_sum
            complaints += diagnostics.too_short
        else:
            found = chains.log_sum(*question, random)
        off.append(found.log_value - truth)
        promised.append(found.std_error)
    off, promised = np.abs(off), np.array(promised)
    return {
        "n": problem.n,
        "covered": int((off <= 1.96 * promised).sum()),
        "covered_by_3": int((off <= 3 * promised).sum()),
        "rms_error": f"{np.sqrt(np.mean(off**2)):.4g}",
        "median_std_error": f"{np.median(promised):.4g}",
        "complaints": complaints,
        "looked_at": min(n_runs, 20),
    }


# -- tables ----------------------------------------------------------------------------


def summary_of_promises(rows):
    """Theorem 4 against what happened: header and rows."""
    header = (
        *("sum", "n", "chains", "epsilon", "S", "runs", "within epsilon"),
        *("mean error", "largest"),
    )
    return header, [
        (
            *(row["sum"], row["n"], row["n_rungs"], number(row["epsilon"])),
            *(f"{row['n_samples']:,}", row["n_runs"], row["n_kept"]),
            *(f"{row['mean_error']:.2g}", f"{row['largest_error']:.2g}"),
        )
        for row in rows
    ]


def summary_of_errors(rows):
    """Coverage of 1.96 standard errors, in %, and sums complained of, in brackets."""
    factors = sorted({row["factor"] for row in rows})
    header = ("sum", "n", "T_s", "s.e. of G", *SAMPLERS)
    found = {(row["sum"], row["factor"], row["sampler"]): row for row in rows}
    lines = []
    for name, factor in product(dict.fromkeys(row["sum"] for row in rows), factors):
        of_point = [found.get((name, factor, sampler)) for sampler in SAMPLERS]
        if not any(of_point):
            continue
        some = next(filter(None, of_point))
        gibbs = found.get((name, factor, "G"))
        lines.append(
            (
                *(name, some["n"], f"{factor} n²"),
                f"{gibbs['median_std_error']:.2g}" if gibbs else "-",
                *map(_covered, of_point),
            )
        )
    return header, lines


def _covered(row):
    if row is None:
        return "-"
    share = 100 * row["covered"] / row["n_runs"]
    return f"{share:.0f} ({100 * row['complaints'] / row['looked_at']:.0f})"

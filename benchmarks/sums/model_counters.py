"""The same sums by exact model counters: time, and log W, beside the package's.

    pip install pyganak PySDD
    python -m benchmarks.sums.model_counters [--limit 20]

A weighted sum is a weighted model count. Variable s_j says that attribute j is
constrained (weights literal_weight and 1), t_i that update i acts.

- 2-CNF: clauses (not t_i or not s_j) for the j that update i disagrees on, and
  w(t_i) = alpha^c_i - 1, w(not t_i) = 1; negative weights for demotions.
- two-sided: the clauses (t_i or s_j ...) as well, over all such j, and
  w(t_i) = alpha^c_i: no negative weights.

Equal agreement sets are one, and free attributes left out, for all; the package's own
time includes this. Each count runs in a process of its own, that a limit can end; its
time is that of the count alone. Counters that are not installed are passed over.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import importlib.util
import math
import time
from functools import partial

import pandas as pd

from benchmarks.accuracy.tables import grid
from benchmarks.alone import alone
from benchmarks.sums.trained_sums import TRAINED, hard_sums, trained_sums
from sklearn_dnfwinnow.samplers import Exact


def encode(s, two_sided):
    """Clauses, and the weights of each variable, true and false."""
    problem = s.problem
    n, m = problem.n, len(problem.net_counts)
    clauses = []
    # Twins: any of k attributes, odds (1 + beta)^k - 1.
    odds = [(1 + s.literal_weight) ** int(k) - 1 for k in problem.multiplicities]
    weights = [(o, 1.0) for o in odds]
    for i in range(m):
        outside = [j + 1 for j in range(n) if not problem.agreements[i, j]]
        clauses += [[-(n + 1 + i), -j] for j in outside]
        if two_sided:
            clauses.append([n + 1 + i, *outside])
        factor = s.alpha ** int(problem.net_counts[i])
        weights.append((factor if two_sided else factor - 1, 1.0))
    log_rest = problem.n_free * math.log1p(s.literal_weight)
    return clauses, weights, log_rest


def ganak(clauses, weights):
    """log of the count by Ganak."""
    from pyganak import WeightedCounter

    counter = WeightedCounter()
    for v, (true, false) in enumerate(weights, 1):
        counter.set_lit_weight(v, true)
        counter.set_lit_weight(-v, false)
    for clause in clauses:
        counter.add_clause(clause)
    return math.log(counter.count())


def sdd(clauses, weights):
    """log of the count by PySDD: compile the CNF, then count."""
    from pysdd.sdd import SddManager

    lines = [f"p cnf {len(weights)} {len(clauses)}"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    manager, formula = SddManager.from_cnf_string("\n".join(lines) + "\n")
    counter = formula.wmc(log_mode=True)
    for v, (true, false) in enumerate(weights, 1):
        counter.set_literal_weight(manager.literal(v), math.log(true))
        counter.set_literal_weight(manager.literal(-v), math.log(false))
    return counter.propagate()


MEMORY = 8 << 30
# Log weights cannot be negative, so the SDD takes the second encoding.
COUNTERS = {
    "Ganak, 2-CNF": ("pyganak", ganak, False),
    "Ganak, two-sided": ("pyganak", ganak, True),
    "SDD, two-sided": ("pysdd", sdd, True),
}


def timed(count, clauses, weights):
    """Return seconds and log of a count."""
    start = time.perf_counter()
    log_value = count(clauses, weights)
    return {"seconds": time.perf_counter() - start, "log_value": log_value}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=int, default=20, help="seconds a count")
    parser.add_argument("--sums", type=int, default=2, help="of each trained set")
    args = parser.parse_args()
    sums = [s for name in TRAINED for s in trained_sums(name)[: args.sums]]
    lines = {}
    for s in (*sums, *hard_sums()):
        exact = Exact(max_states=5_000_000)
        seconds = best(partial(s.estimate, sampler=exact))
        n, m = s.problem.n, len(s.problem.net_counts)
        lines[s.name] = {"n": n, "m": m, "exact, ms": f"{1e3 * seconds:.3g}"}
        for label, (module, count, two_sided) in COUNTERS.items():
            if importlib.util.find_spec(module) is None:
                continue
            clauses, weights, log_rest = encode(s, two_sided)
            found = alone(partial(timed, count, clauses, weights), args.limit, MEMORY)
            cell = found["status"]
            if cell == "done":
                error = abs(found["log_value"] + log_rest - s.log_value)
                cell = f"{found['seconds']:.3g} ({error:.0e})"
            lines[s.name][f"{label}, s (error of log W)"] = cell
        print(s.name, lines[s.name], flush=True)
    print(grid(pd.DataFrame(lines).T, of="sum"))


def best(call, repeats=5):
    """Return the seconds of the fastest call."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()

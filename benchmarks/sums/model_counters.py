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
import multiprocessing
import time

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


# Log weights cannot be negative, so the SDD takes the second encoding.
COUNTERS = {
    "Ganak, 2-CNF": ("pyganak", ganak, False),
    "Ganak, two-sided": ("pyganak", ganak, True),
    "SDD, two-sided": ("pysdd", sdd, True),
}


def _child(pipe, count, clauses, weights):
    start = time.perf_counter()
    log_value = count(clauses, weights)
    pipe.send((time.perf_counter() - start, log_value))


def limited(count, clauses, weights, limit):
    """Seconds and log of a count; None beyond the limit."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sender, count, clauses, weights))
    child.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(limit) else None
    except EOFError:
        return None  # it ran out of memory, or crashed
    finally:
        child.kill()
        child.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=float, default=20.0, help="seconds a count")
    parser.add_argument("--sums", type=int, default=2, help="of each trained set")
    args = parser.parse_args()
    counters = {
        label: (count, two_sided)
        for label, (module, count, two_sided) in COUNTERS.items()
        if importlib.util.find_spec(module)
    }
    if not counters:
        print("Neither pyganak nor PySDD is installed: nothing to compare with.")
        return
    if len(counters) < len(COUNTERS):
        print("Installed:", ", ".join(counters), "\n")
    labels = " | ".join(f"{label}, s (error of log W)" for label in counters)
    print(f"| sum | n | m | log W | exact, ms (its error) | {labels} |")
    print("| --- " * (5 + len(counters)) + "|")
    sums = [s for name in TRAINED for s in trained_sums(name)[: args.sums]]
    for s in (*sums, *hard_sums()):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            ours = s.estimate(sampler=Exact(max_states=5_000_000)).log_value
            times.append(time.perf_counter() - start)
        cells = [f"{1e3 * min(times):.3g} ({abs(ours - s.log_value):.0e})"]
        for count, two_sided in counters.values():
            clauses, weights, log_rest = encode(s, two_sided)
            found = limited(count, clauses, weights, args.limit)
            if found is None:
                cells.append(f"> {args.limit:.0f}")
            else:
                error = abs(found[1] + log_rest - s.log_value)
                cells.append(f"{found[0]:.3g} ({error:.0e})")
        size = f"{s.problem.n} | {len(s.problem.net_counts)}"
        print(
            f"| {s.name} | {size} | {s.log_value:.4f} | {' | '.join(cells)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Wide tables: error, log loss, time and memory, beside boosting and a regression.

    python -m benchmarks.wide [--only two_rules] [--again]

Each fit runs in a process of its own, on one core, so that the largest memory can be
told. Tables are those of `tables`; three quarters of the rows are for training. Results
go to ``results/wide.jsonl``, and a table is printed.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from benchmarks.alone import peak
from benchmarks.wide import tables
from sklearn_dnfwinnow import DNFWinnowClassifier

RESULTS = Path(__file__).parent / "results" / "wide.jsonl"
# Tables by name: generator, parameters, and number of seeds.
TABLES = {
    "two_rules": ("two_rules", {}, 10),
    "three_conditions": ("three_conditions", {}, 10),
    "two_rules, 2000 columns": ("two_rules", {"n_columns": 2000}, 1),
    **{
        f"sequences, {size} letters": ("sequences", {"size": size}, 3)
        for size in (3, 4, 5)
    },
    **{
        f"two_rules, {n} columns": ("two_rules", {"n_columns": n}, 1)
        for n in (10, 100, 1000)
    },
    **{
        f"two_rules, {n} rows": ("two_rules", {"n_rows": n, "n_columns": 100}, 1)
        for n in (1000, 4000, 16_000)
    },
}


def classifiers(X, seed):
    """Return the classifiers by name."""
    found = {"winnow": DNFWinnowClassifier(random_state=seed)}
    boosting = HistGradientBoostingClassifier(random_state=seed)
    regression = LogisticRegression(max_iter=300)
    words = list(X.select_dtypes(object).columns)
    if words:
        ordinal = make_column_transformer((OrdinalEncoder(), words))
        boosting.set_params(categorical_features=list(range(len(words))))
        one_hot = make_pipeline(OneHotEncoder(handle_unknown="ignore"), regression)
        return found | {
            "boosting": make_pipeline(ordinal, boosting),
            "logistic": one_hot,
        }
    return found | {
        "boosting": boosting,
        "logistic": make_pipeline(StandardScaler(), regression),
    }


def measure(of_table, method, seed):
    """Return the record of one fit."""
    kind, parameters, _ = TABLES[of_table]
    X, y = getattr(tables, kind)(seed, **parameters)
    n = 3 * len(y) // 4
    train, test = X.iloc[:n], X.iloc[n:]
    clf = classifiers(X, seed)[method]
    before = peak()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        clf.fit(train, y[:n])
        seconds = time.process_time() - start
        chances = clf.predict_proba(test)
    memory = peak()
    own = chances[np.arange(len(y) - n), y[n:]]
    record = {
        "table": of_table,
        "method": method,
        "seed": seed,
        "error": float(np.mean(chances.argmax(axis=1) != y[n:])),
        "log_loss": float(-np.log(np.maximum(own, 1e-15)).mean()),
        "seconds": round(seconds, 2),
        "mib": round(memory - before),
    }
    if method == "winnow":
        record["chosen"] = clf.estimators_[0].screening_
        rules = X.attrs["rules"]
        dnf = clf.to_dnf(1, X=train, y=y[:n])
        found = [{one.feature for one in term.literals} for term in dnf.terms]
        record["rules"] = str(dnf)
        record["named"] = all(rule in found for rule in rules)
    return record


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(**json.loads(args.one))))
        return
    done = {}
    if RESULTS.exists():
        for line in RESULTS.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            done[record["table"], record["method"], record["seed"]] = record
    for of_table, (kind, _, n_seeds) in TABLES.items():
        if args.only and of_table not in args.only and kind not in args.only:
            continue
        for method in ("winnow", "logistic", "boosting"):
            for seed in range(n_seeds):
                if (of_table, method, seed) in done and not args.again:
                    continue
                one = {"of_table": of_table, "method": method, "seed": seed}
                command = [sys.executable, "-m", "benchmarks.wide", "--one"]
                found = subprocess.run(
                    [*command, json.dumps(one)], capture_output=True, text=True
                )
                if found.returncode:
                    print(of_table, method, seed, found.stderr[-500:], flush=True)
                    continue
                record = json.loads(found.stdout.splitlines()[-1])
                done[of_table, method, seed] = record
                RESULTS.parent.mkdir(exist_ok=True)
                lines = [json.dumps(done[key]) for key in sorted(done)]
                RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
                print(record, flush=True)
    show(done)


def show(done):
    """Print the mean of each method on each table."""
    print("| table | method | error, % | log loss | seconds | MiB | rules named |")
    for of_table in TABLES:
        for method in ("winnow", "boosting", "logistic"):
            found = [r for (t, m, _), r in done.items() if (t, m) == (of_table, method)]
            if found:
                error, loss, seconds, mib = (
                    np.mean([record[name] for record in found])
                    for name in ("error", "log_loss", "seconds", "mib")
                )
                named = sum(record.get("named", False) for record in found)
                print(
                    f"| {of_table} | {method} | {100 * error:.1f} | {loss:.3f} "
                    f"| {seconds:.1f} | {mib:.0f} | {named} of {len(found)} |"
                )


if __name__ == "__main__":
    main()

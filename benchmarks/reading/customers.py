"""Rules of the table of customers: whether `to_dnf` reads the truth, by seed.

    python -m benchmarks.reading.customers [--seeds 10] [--target churn]

For each seed a table of `make_customers`, a fit and `to_dnf` of class 1, both with
their defaults. A rule that is read is a true one if it has conditions on the same
columns, each of which differs from the true condition on at most 2 % of the rows. The
other conditions of a true rule hold for one row in twelve. So this is a difference of
seven of the rows that decide about a threshold, too few to know it better. The truth is
read if each true rule is read once, and no other rule.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from dataclasses import replace

import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNF, Term

# Maximum fraction of the rows on which a condition differs from the true one.
NEAR = 0.02


def conditions(dnf, X):
    """Return for each rule a dict: which rows satisfy its condition on each column."""
    return [
        {
            literal.column: replace(dnf, terms=[Term([literal])]).holds(X)
            for literal in term.literals
        }
        for term in dnf.terms
    ]


def is_true(rule, true_rule, n_rows):
    """Return whether a rule that is read is a true one, up to near thresholds."""
    return rule.keys() == true_rule.keys() and all(
        (rule[j] != holds).sum() <= NEAR * n_rows for j, holds in true_rule.items()
    )


def check(seed, target):
    """Return the rules that are read, how many true ones are not, and how many more."""
    X, y, truth = make_customers(target=target, random_state=seed, return_truth=True)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    dnf = to_dnf(classifier, 1, X=X, y=y)
    read = conditions(dnf, X)
    matches = [
        [is_true(rule, true_rule, len(X)) for rule in read]
        for true_rule in conditions(DNF.parse(truth.formula, values=X), X)
    ]
    # A true rule is read once: a second one is one more.
    found = np.array(matches).any(axis=1).sum()
    return dnf, len(matches) - found, len(read) - found


def main():
    """Print the rules of each seed, and how often they are the truth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--target", choices=["churn", "fraud"], default="churn")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    n_right = 0
    for seed in range(arguments.seeds):
        dnf, n_missed, n_more = check(seed, arguments.target)
        n_right += not n_missed and not n_more
        said = f"{n_missed} true rules missed, {n_more} others"
        print(f"seed {seed}: {said if n_missed or n_more else 'the truth'}")
        print(*(f"    {rule}" for rule in dnf.terms), sep="\n", flush=True)
    print(f"the truth for {n_right} of {arguments.seeds} seeds")


if __name__ == "__main__":
    main()

"""Rules of the table of customers: whether `to_dnf` reads the truth, by seed.

    python -m benchmarks.reading.customers [--seeds 10] [--target churn]

For each seed a table of `make_customers`, a fit and `to_dnf` of class 1, both with
their defaults. A rule that is read is a true one if it has conditions on the same
columns, each as near to the true condition as the cuts of the classifier allow: no
threshold at one of the cuts of its column differs from the true condition on fewer
rows. Conditions on columns that are not cut are to hold for the same rows. The truth is
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


def conditions(dnf, X):
    """Return for each rule a dict: which rows satisfy its condition on each column."""
    return [
        {
            literal.column: replace(dnf, terms=[Term([literal])]).holds(X)
            for literal in term.literals
        }
        for term in dnf.terms
    ]


def nearest(holds, values, cut_points):
    """Return on how many rows the nearest threshold differs from a true condition."""
    if cut_points is None:
        return 0
    # All rows are below a threshold that is not there.
    below = values[:, None] <= np.append(cut_points, np.inf)
    n_different = (below != holds[:, None]).sum(axis=0)
    return min(n_different.min(), (len(holds) - n_different).min())


def is_true(rule, true_rule, slack):
    """Return whether a rule that is read is a true one, up to the nearest cuts."""
    return rule.keys() == true_rule.keys() and all(
        (rule[j] != holds).sum() <= slack[j] for j, holds in true_rule.items()
    )


def check(seed, target):
    """Return the rules that are read, how many true ones are not, and how many more."""
    X, y, truth = make_customers(target=target, random_state=seed, return_truth=True)
    classifier = DNFWinnowClassifier(random_state=0).fit(X, y)
    dnf = to_dnf(classifier, 1, X=X)
    read = conditions(dnf, X)
    cut_points = classifier.discretizer_.cut_points_
    matches = []
    for true_rule in conditions(DNF.parse(truth.formula, values=X), X):
        slack = {
            j: nearest(holds, X.iloc[:, j].to_numpy(), cut_points[j])
            for j, holds in true_rule.items()
        }
        matches.append([is_true(rule, true_rule, slack) for rule in read])
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

"""Allowed literals for the tests, and sums of allowed terms by their definition."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
from internals.winnow import Allowed


def random_allowed(random, n_values, n_classes=3, share=0.3):
    """Literals that classes may contain, without a share of them.

    `random` is a RandomState.
    """
    literals = [random.rand(n_classes, size + 1) >= share for size in n_values]
    for of_column in literals:
        of_column[:, 0] = True
    return Allowed(literals)


def may_have(allowed, k, literals):
    """Whether a class may have a term; any one for None."""
    return allowed is None or all(allowed.literals[j][k, code] for j, code in literals)


def log_sum_of(row, examples, net_counts, log_alpha, log_beta, allowed, k, size=None):
    """log W of class k over the allowed terms that a row satisfies."""
    columns = [j for j in np.flatnonzero(row) if may_have(allowed, k, [(j, row[j])])]
    longest = len(columns) if size is None else min(size, len(columns))
    agrees = examples[:, columns] == row[columns]
    logs = []
    for length in range(longest + 1):
        terms = list(itertools.combinations(range(len(columns)), length))
        extents = agrees[:, np.array(terms, dtype=int)].all(axis=2)
        logs.append(length * log_beta + log_alpha * (net_counts @ extents))
    return float(np.logaddexp.reduce(np.concatenate(logs)))


def log_sums_of(rows, examples, net_counts, *question):
    """Those of all rows in all classes, of exponents by class: (n_rows, n_classes).

    `question` is log_alpha, log_beta, the allowed literals and the most literals of a
    term.
    """
    log_alpha, log_beta, allowed, size = question
    return np.array(
        [
            [
                log_sum_of(
                    row=row,
                    examples=examples,
                    net_counts=own,
                    log_alpha=log_alpha,
                    log_beta=log_beta,
                    allowed=allowed,
                    k=k,
                    size=size,
                )
                for k, own in enumerate(net_counts)
            ]
            for row in rows
        ]
    )

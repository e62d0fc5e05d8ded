"""Conditions for the tests, and sums under them by their definition."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import itertools

import numpy as np
from internals.terms import Conditions, Conflicts, InitialTerm
from reference import extent


def random_conditions(random, n_values, n_classes=3, share=0.3, n_initial=4):
    """Conditions that forbid literals, pairs of columns, and weigh terms anew.

    `random` is a RandomState.
    """
    n = len(n_values)
    allowed = [random.rand(n_classes, size + 1) >= share for size in n_values]
    for of_column in allowed:
        of_column[:, 0] = True
    pairs = np.argwhere(np.triu(random.rand(n, n) < share, 1))
    conditions = Conditions(allowed, Conflicts.of(range(n), pairs))
    found = {}
    for _ in range(n_initial):
        k = random.randint(n_classes)
        codes = random.randint(0, np.asarray(n_values) + 1)
        codes[random.rand(n) < 0.5] = 0
        literals = tuple((j, int(code)) for j, code in enumerate(codes) if code)
        if may_have(conditions, k, literals):
            log_weight = float(random.choice([-3.0, 0.5, 2.0]))
            found[k, literals] = InitialTerm(k, literals, log_weight)
    return Conditions(allowed, conditions.conflicts, tuple(found.values()))


def may_have(conditions, k, literals):
    """Whether a class may have a term."""
    return all(conditions.allowed[j][k, code] for j, code in literals) and not any(
        conditions.conflicts.with_column(i)[j]
        for (i, _), (j, _) in itertools.combinations(literals, 2)
    )


def log_initial_weight(conditions, k, literals, log_beta):
    """What a term weighs before any update, -inf where it is forbidden."""
    if conditions is None:
        return len(literals) * log_beta
    for term in conditions.initial_terms:
        if term.k == k and term.literals == literals:
            return term.log_weight
    return len(literals) * log_beta if may_have(conditions, k, literals) else -np.inf


def log_sum_of(
    row, examples, net_counts, log_alpha, log_beta, conditions, k, size=None
):
    """log W of class k over the terms that a row satisfies."""
    specified = np.flatnonzero(row)
    longest = len(specified) if size is None else min(size, len(specified))
    logs = []
    for length in range(longest + 1):
        for columns in itertools.combinations(specified.tolist(), length):
            literals = tuple((j, int(row[j])) for j in columns)
            grown = log_alpha * net_counts[extent(examples, literals)].sum()
            logs.append(log_initial_weight(conditions, k, literals, log_beta) + grown)
    return float(np.logaddexp.reduce(logs))


def log_sums_of(rows, examples, net_counts, *question):
    """Those of all rows in all classes, of exponents by class: (n_rows, n_classes).

    `question` is log_alpha, log_beta, conditions and the most literals of a term.
    """
    log_alpha, log_beta, conditions, size = question
    return np.array(
        [
            [
                log_sum_of(
                    row=row,
                    examples=examples,
                    net_counts=own,
                    log_alpha=log_alpha,
                    log_beta=log_beta,
                    conditions=conditions,
                    k=k,
                    size=size,
                )
                for k, own in enumerate(net_counts)
            ]
            for row in rows
        ]
    )


def all_conditioned_terms(
    examples, net_counts, log_alpha, log_beta, max_term_size, row, conditions, k
):
    """(-log weight, size, literals, exponent) of all listed terms, heaviest first.

    Without a row, those that weigh more than the prior says.
    """
    n_values = [of_column.shape[1] - 1 for of_column in conditions.allowed]
    choices = [range(size + 1) for size in n_values]
    if row is not None:
        choices = [sorted({0, code}) for code in row.tolist()]
    own = {term.literals for term in conditions.initial_terms if term.k == k}
    terms = []
    for codes in itertools.product(*choices):
        literals = tuple((j, code) for j, code in enumerate(codes) if code)
        net_count = int(net_counts[extent(examples, literals)].sum())
        initial = log_initial_weight(conditions, k, literals, log_beta)
        log_weight = initial + log_alpha * net_count
        longest = len(codes) if max_term_size is None else max_term_size
        if len(literals) > longest or initial == -np.inf:
            continue
        heavier = net_count > 0
        if literals in own:
            heavier = log_weight > len(literals) * log_beta
        if row is not None or heavier:
            terms.append((-log_weight, len(literals), literals, net_count))
    return sorted(terms)

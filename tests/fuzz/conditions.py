"""A target: conditions, in every exact way to sum, and in searches."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from condition_checks import all_conditioned_terms, log_sums_of, random_conditions
from internals.terms import TermSearch, list_terms, number_terms
from internals.winnow import Summation, TermSums, TermTable
from numpy.testing import assert_allclose

from sklearn_dnfwinnow.samplers import SAMPLERS


def conditioned_terms(draws):
    """Forbidden terms count nowhere, initial ones for what they weigh."""
    n, m, n_rows = draws.integer(1, 5), draws.integer(0, 10), draws.integer(1, 5)
    n_values = draws.integers(1, 3, n)
    codes = draws.integers(0, 255, m + n_rows, n) % (n_values + 1)
    rows = np.unique(codes.astype(np.int32), axis=0)
    examples = rows[: min(m, len(rows))]
    scale = draws.choice([1, 1, 100, 2**30])
    net_counts = draws.integers(-4, 4, 2, len(examples)) * scale
    conditions = random_conditions(
        np.random.RandomState(draws.integer(0, 65535)),
        n_values,
        n_classes=2,
        share=draws.choice([0.0, 0.2, 0.5]),
    )
    log_alpha, log_beta = draws.choice([0.4, 1e-3]), draws.choice([0.0, -1.0, 0.5])
    size = draws.choice([None, 1, 2, 3])
    question = examples, net_counts, log_alpha, log_beta, conditions, size
    expected = log_sums_of(rows, *question)
    for make in (list_terms, number_terms):
        index = make(rows, n_values, size, log_beta)
        for k, own in enumerate(net_counts):
            table = TermTable(index, log_alpha, own, conditions=conditions, k=k)
            found = table.log_sums(np.arange(len(rows)))
            assert_allclose(found, expected[:, k], rtol=1e-9, atol=1e-9)
    for name in ("auto", "exact", "frontier", "brute_force"):
        summation = Summation(
            sampler=SAMPLERS[name](),
            max_term_size=size,
            log_alpha=log_alpha,
            log_beta=log_beta,
            seed=0,
            conditions=conditions,
        )
        found = summation.evaluation(examples, net_counts, rows).log_sums(rows)
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    if len(examples):
        found = TermSums(summation, examples, net_counts, n_values).log_sums(rows)
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    search = {
        "examples": examples,
        "net_counts": net_counts[0],
        "log_alpha": log_alpha,
        "log_beta": log_beta,
        "max_term_size": size,
        "row": rows[0] if draws.boolean() else None,
        "conditions": conditions,
        "k": 0,
    }
    terms, top = all_conditioned_terms(**search), draws.choice([1, 3, 1000])
    found = TermSearch(**search).heaviest(top)
    assert [(t.literals, t.net_count) for t in found] == [t[2:] for t in terms[:top]]

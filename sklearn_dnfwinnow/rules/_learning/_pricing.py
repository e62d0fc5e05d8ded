"""Pricing: the rules of negative reduced cost, by an exact search over all rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np

from sklearn_dnfwinnow._kernels import rule_search
from sklearn_dnfwinnow.rules._learning._row_bits import packed


@dataclass(frozen=True, eq=False)
class Priced:
    """Rules that were found, and what is known of all others.

    Attributes
    ----------
    rules : list of tuple of int
        In descending order of value, the negative reduced cost.
    values : ndarray of shape (n_rules,)
    most : float
        No rule of one literal or more has a larger value.
    is_complete : bool
        Whether these are all rules above the threshold, except for those that have a
        literal too many.
    is_searched : bool
        Whether all rules were searched.
    work : int
        What is left of the work.
    """

    rules: list
    values: np.ndarray
    most: float
    is_complete: bool
    is_searched: bool
    work: int


def price_rules(problem, duals, *, threshold, n_rules, work):
    """Return the rules whose value is above a threshold, the best first.

    The value of a rule is its negative reduced cost: the dual variables of its rows
    with a positive gain, less the cost of all others and the price of the rule.

    Parameters
    ----------
    problem : RuleProblem
    duals : Duals
    threshold : float
    n_rules : int
        Number of rules at most.
    work : int
        Work at most, in words and rows.

    Returns
    -------
    priced : Priced
    """
    values = -problem.losses
    values[problem.gains > 0] = duals.of_rows
    # Rows without a value matter only to the limits of rules.
    is_limited = problem.has_limits_of_rules
    is_up = values > 0
    first = np.flatnonzero(is_up)
    rest = np.flatnonzero(~is_up if is_limited else values < 0)
    bits_up, bits_rest = packed(problem.holds[first].T), packed(problem.holds[rest].T)
    n_up_words, n_words = bits_up.shape[1], bits_up.shape[1] + bits_rest.shape[1]
    # Literals that leave little to gain come first, with all others behind them.
    order = np.argsort(values[first] @ problem.holds[first], kind="stable")
    longest = min(problem.max_term_size, problem.n_literals)
    prices = problem.price(np.arange(longest + 1)) + duals.of_rule
    prices += duals.of_literal * np.arange(longest + 1)
    rules = np.zeros((n_rules, longest), dtype=np.int32)
    sizes = np.zeros(n_rules, dtype=np.int32)
    found_values = np.zeros(n_rules)

    def in_words(of_rows):
        padded = np.zeros(64 * n_words)
        padded[: len(first)] = of_rows[first]
        padded[64 * n_up_words :][: len(rest)] = of_rows[rest]
        return padded

    none = np.zeros(0)
    n_found, bound, work = rule_search.search(
        holds=np.ascontiguousarray(np.hstack([bits_up, bits_rest])[order]),
        rows=packed((in_words(np.ones(len(values))) > 0)[None, :])[0],
        n_up_words=n_up_words,
        values=in_words(values),
        weights=in_words(problem.weights) if is_limited else none,
        own=in_words(problem.own_weights) if is_limited else none,
        features=problem.features[order],
        ends=problem.ends[order],
        prices=prices.astype(np.float64),
        min_support=problem.min_support,
        min_precision=problem.min_precision,
        threshold=threshold,
        work=work,
        rules=rules,
        sizes=sizes,
        found_values=found_values,
    )
    found_values = found_values[:n_found]
    found = [
        tuple(sorted(order[rule[:size]].tolist()))
        for rule, size in zip(rules[:n_found], sizes[:n_found].tolist())
    ]
    best_first = sorted(range(n_found), key=lambda i: (-found_values[i], found[i]))
    return Priced(
        rules=[found[i] for i in best_first],
        values=found_values[best_first],
        most=max(bound, found_values.max(initial=threshold)),
        is_complete=bound == -np.inf and n_found < n_rules,
        is_searched=bound == -np.inf,
        work=int(work),
    )

"""Exchanges: a choice of rules, improved by adding, dropping and replacing rules."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


def improve(programme, chosen):
    """Return a choice that no addition, omission or replacement of a rule improves.

    Parameters
    ----------
    programme : Programme
    chosen : iterable of int
        Rules of the programme to start with.

    Returns
    -------
    chosen : list of int
        Ascending.
    loss : float
    """
    covers, gains = programme.covers, programme.group_gains
    costs, sizes = programme.rule_costs, programme.sizes
    chosen = programme.within_limits(chosen)
    while True:
        loss = programme.loss(chosen)
        counts = covers[chosen].sum(axis=0)
        # One row for each choice without one rule, and one for the choice itself.
        fewer = [[rule for rule in chosen if rule != out] for out in chosen]
        fewer.append(chosen)
        left = np.vstack([counts - covers[chosen], counts[None, :]]) == 0
        base = left @ gains + np.array([costs[rules].sum() for rules in fewer])
        n_rules = np.array([len(rules) for rules in fewer])
        n_literals = np.array([sizes[rules].sum() for rules in fewer])
        with_one = base[:, None] + costs - (left * gains) @ covers.T
        with_one[
            (n_rules[:, None] + 1 > programme.max_rules)
            | (n_literals[:, None] + sizes > programme.max_literals)
        ] = np.inf
        i, rule = np.unravel_index(with_one.argmin(), with_one.shape)
        without = int(base.argmin())
        best = min(with_one[i, rule], base[without])
        if not best < loss - 1e-9 * programme.total:
            return sorted(chosen), loss
        if with_one[i, rule] <= base[without]:
            chosen = [*fewer[i], int(rule)]
        else:
            chosen = fewer[without]

"""Cost: upper bounds of the memory and the time of a classifier that was read."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log, log2

import numpy as np

from sklearn_dnfwinnow._encoding._derived_columns import MANY_VALUES
from sklearn_dnfwinnow._winnow._sums._term_sums import n_tabled
from sklearn_dnfwinnow.sums._conditioned_sums import MOST_PARTS

# Bytes of a code of a literal, with the arrays from which it is made; and of a column
# in all the terms that represent an initial term.
_BYTES_A_LITERAL, _BYTES_A_TERM = 20, 200 * 1000
# Bytes of a part of a chosen term.
_BYTES_A_PART = 400
# Bytes of a count of terms of one size.
_BYTES_A_SIZE = 40
# Larger counts are treated as infinite.
_MANY = 1e30


def take_costs(budget, model, sampler):
    """Take from a budget what a classifier may cost, before anything is allocated.

    Parameters
    ----------
    budget : Budget
    model : Model
    sampler : str or Sampler
        For messages.

    Raises
    ------
    ValueError
        If an upper bound, from the parameters and the model, exceeds the budget.
    """
    n_columns = len(model.encoding.n_values)
    if model.max_term_size is not None:
        # Tables of terms by size.
        n_sizes = (n_columns + 1.0) * (min(model.max_term_size, n_columns) + 1)
        budget.take("terms by size", _BYTES_A_SIZE * n_sizes, n_sizes)
    if model.stored.are_terms:
        sizes = np.count_nonzero(model.stored.examples, axis=1)
        n_parts = float((2.0**sizes).sum())
        budget.take("the parts of all terms", _BYTES_A_PART * n_parts, n_parts)
        budget.take("the literals of all terms", 4.0 * n_parts * n_columns)
    elif model.encoding.literals != "equal" or model.encoding.ordered:
        n_codes = len(model.examples) * n_columns
        budget.take("the literals of all examples", _BYTES_A_LITERAL * n_codes)
    if model.weighting.conditions:
        n_bytes, n_steps = cost_of_conditions(model)
        budget.take("the conditions on terms", n_bytes, n_steps)
    n_bytes, n_steps = cost_of(model)
    what = f"scoring one sample with sampler={sampler!r:.200}"
    budget.take(what, n_bytes, n_steps)


def take_costs_of_average(budget, average):
    """Take from a budget what an average needs beyond its models.

    Each literal of a model is a function of the codes that all models share.

    Parameters
    ----------
    budget : Budget
    average : Average

    Raises
    ------
    ValueError
        If the upper bound exceeds the budget.
    """
    n_codes = average.encoding.n_known + 1.0
    n_shared = n_codes.sum()
    for model in average.models:
        n_shared += sum(n_codes[c.attribute] for c in model.encoding.columns)
    what = "the literals of all models"
    budget.take(what, _BYTES_A_LITERAL * n_shared, n_shared)


def cost_of_conditions(model):
    """Return upper bounds of the memory and the time of conditions in codes.

    Parameters
    ----------
    model : Model

    Returns
    -------
    n_bytes, n_steps : float
    """
    conditions = model.weighting.conditions.at(model.encoding.active)
    n_values = model.encoding.n_values.astype(float)
    # The allowed literals of each class, twice. Pairs are in proportion to the file.
    n_bytes = 2 * model.n_classes * (n_values + 1).sum()
    n_steps = 0.0
    # Each code of a column has a mask of the codes that satisfy its literal. Columns of
    # few values also have masks of their other literals, and all have those of nested
    # intervals, which are fewer than values.
    n_masks = 2.0 if model.encoding.literals == "intervals" else 1.0
    n_masks = np.where(n_values <= MANY_VALUES, MANY_VALUES + 1, n_masks)
    n_masks *= n_values + 1
    masks = n_masks * (n_values + 1)
    n_steps += sum(masks[literal.column] for literal in conditions.literals)
    for given in conditions.initial_terms:
        columns = {literal.column for literal in given.term.literals}
        n_bytes += _BYTES_A_TERM * (1 + len(columns))
        n_bytes += sum(masks[j] for j in columns)
        n_steps += sum(n_masks[j] ** 2 for j in columns)
    return n_bytes, n_steps


def cost_of(model):
    """Return upper bounds of the memory and the time of the sums of one sample.

    Parameters
    ----------
    model : Model

    Returns
    -------
    n_bytes, n_steps : float
        See :meth:`sklearn_dnfwinnow.samplers.Engine.cost_bounds`.
    """
    sampler, size = model.settings.sampler, model.max_term_size
    n = len(model.encoding.n_values)
    # No sample distinguishes more stored examples, and no term has a larger phi.
    if model.stored.are_terms:
        n = len(model.stored.examples)
        return 1e3 * n, 10.0 * n
    m = int(np.count_nonzero(model.net_counts, axis=1).max(initial=0))
    total = float(np.abs(model.net_counts.astype(float)).sum(axis=1).max(initial=0))
    if m == 0:
        return 0.0, 0.0
    n_bytes, n_steps = sampler.engine(size).cost_bounds(
        n=n, m=m, total=total, log_alpha=log(model.alpha) / model.denominator
    )
    if sampler.term_by_term:
        n_bytes = max(n_bytes, 8.0 * n_tabled(m, model.encoding.n_values, size, 1))
    if size is not None and sampler.term_by_term:
        n_steps = max(n_steps, _n_subsets(n, size))
    if model.conditions is not None:
        # Each column that must not occur together with others divides the terms of a
        # sample into those with it, and those without.
        conflicts = model.conditions.conflicts
        n_others = np.isin(conflicts.owners, conflicts.attributes).sum()
        n_steps *= 2.0 ** min(n_others, log2(MOST_PARTS))
    return n_bytes, n_steps


def _n_subsets(n, size):
    """Return the number of terms up to a size over n features, as a float."""
    total = count = 1.0
    for k in range(1, min(size, n) + 1):
        count *= (n - k + 1) / k
        total += count
        if total > _MANY:
            break
    return total

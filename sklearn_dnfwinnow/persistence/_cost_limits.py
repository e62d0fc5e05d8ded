"""Cost: upper bounds of memory and time to score one sample."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log

import numpy as np

from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow._winnow._term_sums import n_tabled
from sklearn_dnfwinnow.sums._conditioned_sums import MOST_PARTS

# Larger counts are treated as infinite.
_MANY = 1e30


def check_cost(classifier, max_bytes, max_steps):
    """Raise an error if the sums of a classifier can be too expensive.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        Fitted.
    max_bytes : float
        Maximum memory for the sums of one sample in one class.
    max_steps : float
        Maximum number of elementary steps for these.

    Raises
    ------
    ValueError
        If an upper bound, from the parameters and the model, is larger than the
        maximum.
    """
    n_bytes, n_steps = cost_of(Model.of(classifier))
    for name, most, value, unit in (
        ("max_bytes", max_bytes, n_bytes, "bytes of memory"),
        ("max_steps", max_steps, n_steps, "steps"),
    ):
        if value > most:
            raise ValueError(
                f"The parameters of the model, with sampler={classifier.sampler!r}, "
                f"allow up to {value:.3g} {unit} to score one sample, but the limit is "
                f"{name}={most:.3g}. Increase {name} if you trust the author of the "
                "model."
            )


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
    n = len(model.n_values)
    # No sample distinguishes more stored examples, and no term has a larger phi.
    m = int(np.count_nonzero(model.exponents, axis=1).max(initial=0))
    total = float(np.abs(model.exponents.astype(float)).sum(axis=1).max(initial=0))
    if m == 0:
        return 0.0, 0.0
    n_bytes, n_steps = sampler.engine(size).cost_bounds(
        n=n, m=m, total=total, log_alpha=log(model.alpha) / model.denominator
    )
    if sampler.term_by_term:
        n_bytes = max(n_bytes, 8.0 * n_tabled(m, model.n_values, size, 1))
    if size is not None and sampler.term_by_term:
        n_steps = max(n_steps, _n_subsets(n, size))
    # Columns that must not occur together divide the terms of a sample.
    is_split = model.conditions is not None and bool(model.conditions.conflicts)
    return n_bytes, n_steps * (MOST_PARTS if is_split else 1)


def _n_subsets(n, size):
    """Return the number of terms up to a size over n features, as a float."""
    total = count = 1.0
    for k in range(1, min(size, n) + 1):
        count *= (n - k + 1) / k
        total += count
        if total > _MANY:
            break
    return total

"""Cost: the memory and time that a fitted classifier may take to score one row."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import ceil, inf, log, log1p

import numpy as np

from sklearn_dnfwinnow._winnow._model import Model
from sklearn_dnfwinnow.samplers._exact import MAX_BRUTE_FORCE
from sklearn_dnfwinnow.samplers._markov_chains import MAX_TABLE
from sklearn_dnfwinnow.sums._log_weighted_sum import CHAINS, engine_of

# Chains that are simulated side by side, and bytes of each entry of their tables.
_CHAINS_AT_ONCE, _TABLE_BYTES = 16, 24
# Counts beyond this are as good as infinite.
_MANY = 1e30


def check_cost(classifier, max_bytes, max_steps):
    """Refuse a classifier whose sums may take too much.

    Parameters
    ----------
    classifier : DNFWinnowClassifier
        Fitted.
    max_bytes : float
        Most memory for the sums of a row in a class.
    max_steps : float
        Most elementary steps of these.

    Raises
    ------
    ValueError
        If a bound of either, by the parameters and the model, is larger.
    """
    n_bytes, n_steps = cost_of(Model.of(classifier))
    for name, most, value, unit in (
        ("max_bytes", max_bytes, n_bytes, "bytes of memory"),
        ("max_steps", max_steps, n_steps, "steps"),
    ):
        if value > most:
            raise ValueError(
                f"With its parameters, among them sampler={classifier.sampler!r}, the "
                f"model may take up to {value:.3g} {unit} to score one row, and "
                f"{name}={most:.3g} is the limit. Pass a larger {name} if the author "
                "of the model may ask for as much."
            )


def cost_of(model):
    """Bounds of the memory and the time of the sums of one row in one class.

    Parameters
    ----------
    model : Model

    Returns
    -------
    n_bytes : float
        That grow with parameters. What takes a bounded room, such as a superset sum, or
        room in proportion to the model, does not count.
    n_steps : float
        States times attributes, single updates of chains, or terms; each takes some
        nanoseconds.
    """
    settings, sampler = model.settings, model.settings.sampler
    n = len(model.n_values)
    # No row tells more updates apart, nor has a term a larger phi.
    m = int(np.count_nonzero(model.exponents, axis=1).max(initial=0))
    largest = float(np.abs(model.exponents.astype(float)).sum(axis=1).max(initial=0))
    if m == 0:
        return 0.0, 0.0
    if sampler == "brute_force":
        return 0.0, 2.0 ** min(n, MAX_BRUTE_FORCE)
    if sampler in CHAINS:
        engine = engine_of(sampler, **settings.options)
        return _of_chains(engine, n, m, largest, log(model.alpha) / model.denominator)
    size = model.max_term_size
    engine = engine_of("auto" if sampler == "table" else sampler, **settings.options)
    n_states = float(min(engine.max_states, 2 ** min(n, m, 64)))
    state = 2 * (8 * ceil(m / 64) + 24)
    if size is not None:
        state += 16 * (min(size, n) + 1)
    n_runs = 1 if sampler == "exact" else 1 + engine.n_replicates
    n_steps = n_states * n * n_runs
    if size is not None and sampler in ("auto", "table"):
        # Term by term.
        n_steps = max(n_steps, _n_subsets(n, size))
    return n_states * state, n_steps


def _of_chains(engine, n, m, largest, log_alpha):
    # The same as `Chains.n_rungs`, for the largest scale that there can be.
    log_step = log1p(engine.ladder_step / largest)
    n_rungs = 1 + (log_alpha / log_step if log_step else inf)
    burn_in = n**2 if engine.burn_in == "auto" else engine.burn_in
    n_steps = 10 * n**2 if engine.n_steps == "auto" else engine.n_steps
    at_once = min(n_rungs, _CHAINS_AT_ONCE)
    if engine.tempering and not engine.early_stop:
        at_once = n_rungs
    table = min((largest + 1) * n, MAX_TABLE) * _TABLE_BYTES
    chain = table + 8 * (n + 2) * (2 + ceil(m / 64))
    return at_once * chain + 16 * n_rungs, n_rungs * float(burn_in + n_steps)


def _n_subsets(n, size):
    """Terms of up to a size over n attributes, as a float."""
    total = count = 1.0
    for k in range(1, min(size, n) + 1):
        count *= (n - k + 1) / k
        total += count
        if total > _MANY:
            break
    return total

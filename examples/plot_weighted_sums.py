"""
============================
Weighted sums, exact and not
============================

At the heart of the classifier is a sum over the :math:`2^n` terms that a row satisfies.
:func:`~sklearn_dnfwinnow.sums.log_weighted_sum` computes it on its own: exactly, by the
capped frontier, or by one of the paper's three samplers; estimates come with standard
errors. We see how the error falls with the length of the chains, whether the standard
errors tell the truth, and what is left to do for chains at all. A sampler is a name, or
an object of :mod:`sklearn_dnfwinnow.samplers` with parameters of its own.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A sum
# -----
# A query is told to the function by what has happened before: on which attributes each
# stored update agrees with it, and by how much it was promoted (or demoted, below 0).
# Here are 60 random updates, of a query of 14 attributes.

import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow.diagnostics import (
    ChainDiagnosticsDisplay,
    diagnose_weighted_sum,
)
from sklearn_dnfwinnow.samplers import SAMPLERS, Frontier, Gibbs
from sklearn_dnfwinnow.sums import log_weighted_sum

rng = np.random.default_rng(0)
agreements = rng.random((60, 14)) < 0.6
exponents = rng.choice([-2, -1, 1, 2], size=60)

exact = log_weighted_sum(agreements, exponents)
print(exact)
print(log_weighted_sum(agreements, exponents, sampler="gibbs", random_state=0))

# %%
# Error against steps
# -------------------
# An estimate is a product of ratios, one for each chain of the ladder, so `n_steps`
# counts per chain. A step changes a single attribute; the Gibbs kinds keep one state a
# sweep of all of them. For each length we take 40 estimates from different seeds.

samplers = ("metropolis", "gibbs", "metropolized_gibbs")
lengths = [250, 500, 1000, 2000, 4000, 8000]
errors, claims = {}, {}
for sampler in samplers:
    estimates = [
        [
            log_weighted_sum(
                agreements,
                exponents,
                sampler=SAMPLERS[sampler](n_steps=n),
                random_state=seed,
            )
            for seed in range(40)
        ]
        for n in lengths
    ]
    errors[sampler] = np.array(
        [[e.log_value - exact.log_value for e in column] for column in estimates]
    )
    claims[sampler] = np.array([[e.std_error for e in column] for column in estimates])

# %%
# The solid lines are the errors that were made, as root mean squares; the dotted ones
# the standard errors that were claimed. Where they run together, the claims are honest.
# Errors fall with the square root of the length. Short Metropolis chains claim too
# little: standard errors come from batches of a chain, and do not see correlations that
# outlast a batch. In units of what was claimed, errors should be spread like a standard
# normal distribution, which they nearly are where chains are long.

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for sampler in samplers:
    (line,) = left.loglog(
        lengths, np.sqrt((errors[sampler] ** 2).mean(axis=1)), "o-", label=sampler
    )
    left.loglog(
        lengths,
        np.sqrt((claims[sampler] ** 2).mean(axis=1)),
        ":",
        color=line.get_color(),
    )
left.set_xticks(lengths, lengths)
left.set_xticks([], minor=True)
left.set(
    xlabel="n_steps",
    ylabel="error of log W",
    title="Errors made (solid) and claimed (dotted)",
)
left.legend()

ratios = [(errors[sampler] / claims[sampler])[-1] for sampler in samplers]
right.hist(ratios, bins=np.arange(-4, 5), density=True, label=samplers)
grid = np.linspace(-4, 4, 200)
right.plot(grid, np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi), color="0.3")
right.set(
    xlabel="error / standard error",
    ylabel="density",
    title=f"{lengths[-1]} steps, 40 estimates each",
)
right.legend()
plt.show()

# %%
# Where the claims fail
# ---------------------
# A standard error knows only what its chain has seen. Here half of the updates agree
# with the query on the same 18 of 40 attributes and were promoted: nearly all weight is
# on the :math:`2^{18}` terms over these, one in four million. The sum is known, because
# the frontier needs some eighty thousand states where there are :math:`2^{40}` terms.
# Short chains do not come by the heavy terms on the rungs where they begin to matter;
# what they miss they cannot report, and the error is several times the claim. The
# capped frontier looks for such heaps before it resamples its states, and is both right
# and quick.

rng = np.random.RandomState(0)
agreements = rng.random_sample((60, 40)) < 0.6
agreements[:30, :18] = True
exponents = np.where(np.arange(60) < 30, 3, -1)
exact = log_weighted_sum(agreements, exponents, sampler="exact")
print(exact)
engines = [
    ("Gibbs, 1000 steps", Gibbs(n_steps=1000)),
    ("Gibbs, 10000 steps", Gibbs(n_steps=10_000)),
    ("frontier, 200 states", Frontier(max_states=200)),
    ("frontier, 2000 states", Frontier(max_states=2000)),
]
print(f"{'':<24}{'error made':>12}{'claimed':>10}{'ms':>8}")
for name, sampler in engines:
    start = time.perf_counter()
    estimates = [
        log_weighted_sum(agreements, exponents, sampler=sampler, random_state=seed)
        for seed in range(10)
    ]
    ms = 1e3 * (time.perf_counter() - start) / 10
    made = np.array([e.log_value - exact.log_value for e in estimates])
    claimed = np.array([e.std_error for e in estimates])
    made, claimed = (np.sqrt((e**2).mean()) for e in (made, claimed))
    print(f"{name:<24}{made:>12.4f}{claimed:>10.4f}{ms:>8.1f}")

# %%
# A second look
# -------------
# :func:`~sklearn_dnfwinnow.diagnostics.diagnose_weighted_sum` looks at each rung of the
# ladder, and runs all chains once more, from a heavy term. The trouble is at one of the
# rungs, where chains go to and fro between light and heavy terms: there the
# autocorrelation time is a tenth of the chain's length. So the error of the sum, which
# that rung decides, comes from few effective samples; the diagnostics complain of them,
# and warn.

with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)
    found = diagnose_weighted_sum(
        agreements, exponents, sampler=Gibbs(n_steps=10_000), random_state=0
    )
print(found)
display = ChainDiagnosticsDisplay(found).plot()
plt.show()

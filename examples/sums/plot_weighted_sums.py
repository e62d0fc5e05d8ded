"""
=============================================
Accuracy and standard errors of weighted sums
=============================================

The score of a class is a sum over the :math:`2^n` terms that a sample satisfies.
:func:`~sklearn_dnfwinnow.sums.log_weighted_sum` computes such a sum exactly, by a
:term:`state-merging dynamic program`, or by one of the three samplers of the paper.
Estimates come with standard errors. This example shows how the error decreases with the
length of the :term:`Markov chains <Markov chain>`, whether the standard errors are
correct, and when the chains fail. An engine is given by its name, or as an object of
:mod:`sklearn_dnfwinnow.samplers` with parameters.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A weighted sum
# --------------
# The arguments are the features in which each :term:`stored example` agrees with the
# query, and the :term:`net promotion counts <net promotion count>` of the stored
# examples, which are negative after demotions. Here are 60 random stored examples, and
# a query with 14 features.

import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow.diagnostics import diagnose_weighted_sum
from sklearn_dnfwinnow.samplers import SAMPLERS, Frontier, Gibbs
from sklearn_dnfwinnow.sums import log_weighted_sum

rng = np.random.default_rng(0)
agreements = rng.random((60, 14)) < 0.6
net_counts = rng.choice([-2, -1, 1, 2], size=60)

exact = log_weighted_sum(agreements, net_counts)
print(exact)
print(log_weighted_sum(agreements, net_counts, sampler="gibbs", random_state=0))

# %%
# Error by chain length
# ---------------------
# An estimate is a product of ratios, one for each temperature of the :term:`temperature
# ladder`, so `n_steps` is a number of steps per chain. A Metropolis step changes a
# single feature; the Gibbs samplers record one state per sweep over all features. For
# each length, there are 30 estimates with different seeds.

samplers = ("metropolis", "gibbs", "metropolized_gibbs")
lengths = [250, 500, 1000, 2000, 4000]
errors, std_errors = {}, {}
for sampler in samplers:
    estimates = [
        [
            log_weighted_sum(
                agreements,
                net_counts,
                sampler=SAMPLERS[sampler](n_steps=n),
                random_state=seed,
            )
            for seed in range(30)
        ]
        for n in lengths
    ]
    errors[sampler] = np.array(
        [[e.log_value - exact.log_value for e in column] for column in estimates]
    )
    std_errors[sampler] = np.array(
        [[e.std_error for e in column] for column in estimates]
    )

# %%
# In the left plot, the solid lines show the actual errors (root mean square), and the
# dotted lines show the estimated standard errors. Where both agree, the standard errors
# are correct. Errors decrease with the square root of the length. Short Metropolis
# chains underestimate their errors: standard errors are computed from batches of a
# chain, and ignore correlations that are longer than a batch. The ratio of error and
# standard error should have a standard normal distribution. The right plot shows that
# it nearly does for long chains.

fig, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
for sampler in samplers:
    (line,) = left.loglog(
        lengths, np.sqrt((errors[sampler] ** 2).mean(axis=1)), "o-", label=sampler
    )
    left.loglog(
        lengths,
        np.sqrt((std_errors[sampler] ** 2).mean(axis=1)),
        ":",
        color=line.get_color(),
    )
left.set_xticks(lengths, lengths)
left.set_xticks([], minor=True)
left.set(
    xlabel="n_steps",
    ylabel="error of log W",
    title="Errors (solid) and standard errors (dotted)",
)
left.legend()

ratios = [(errors[sampler] / std_errors[sampler])[-1] for sampler in samplers]
right.hist(ratios, bins=np.arange(-4, 5), density=True, label=samplers)
grid = np.linspace(-4, 4, 200)
right.plot(grid, np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi), color="0.3")
right.set(
    xlabel="error / standard error",
    ylabel="density",
    title=f"{lengths[-1]} steps, 30 estimates each",
)
right.legend()
plt.show()

# %%
# When standard errors are wrong
# ------------------------------
# A standard error is based only on the states that the chain visited. Here, half of the
# stored examples agree with the query on the same 18 of 40 features, and were promoted.
# Nearly all weight belongs to the :math:`2^{18}` :term:`terms <term>` over these
# features, one in four million. The exact sum is known, because the dynamic program
# needs some eighty thousand states for the :math:`2^{40}` terms. Short chains do not
# find the top-weighted terms at the temperatures where these begin to matter. Terms
# that a chain does not reach do not enter its standard error, so the error is several
# times the standard error. The resampled dynamic program searches for such
# concentrations of weight before it resamples its states. It is accurate and fast.

rng = np.random.RandomState(0)
agreements = rng.random_sample((60, 40)) < 0.6
agreements[:30, :18] = True
net_counts = np.where(np.arange(60) < 30, 3, -1)
exact = log_weighted_sum(agreements, net_counts, sampler="exact")
print(exact)
engines = [
    ("Gibbs, 1000 steps", Gibbs(n_steps=1000)),
    ("Gibbs, 10000 steps", Gibbs(n_steps=10_000)),
    ("dynamic program, 200 states", Frontier(max_states=200)),
    ("dynamic program, 2000 states", Frontier(max_states=2000)),
]
print(f"{'':<30}{'error':>10}{'std. error':>12}{'ms':>8}")
for name, sampler in engines:
    start = time.perf_counter()
    estimates = [
        log_weighted_sum(agreements, net_counts, sampler=sampler, random_state=seed)
        for seed in range(5)
    ]
    ms = 1e3 * (time.perf_counter() - start) / 5
    errors = np.array([e.log_value - exact.log_value for e in estimates])
    std_errors = np.array([e.std_error for e in estimates])
    error, std_error = (np.sqrt((e**2).mean()) for e in (errors, std_errors))
    print(f"{name:<30}{error:>10.4f}{std_error:>12.4f}{ms:>8.1f}")

# %%
# Chain diagnostics
# -----------------
# :func:`~sklearn_dnfwinnow.diagnostics.diagnose_weighted_sum` examines the chain at
# each temperature, and runs all chains a second time, starting from a top-weighted
# term. The problem is at one of the temperatures, where the chain moves between terms
# of small and of large weight. The autocorrelation time there is a tenth of the chain
# length. The error of the sum depends mostly on this temperature, and is based on few
# effective samples. The diagnostics report this, and issue a warning.

with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)
    found = diagnose_weighted_sum(
        agreements, net_counts, sampler=Gibbs(n_steps=10_000), random_state=0
    )
print(found)
fig, axes = plt.subplots(ncols=2, figsize=(7, 3), layout="constrained")
axes[0].plot(found.alphas, found.acceptance, ".-")
axes[0].set(xlabel="alpha of the chain", ylabel="acceptance rate", ylim=(0, 1))
axes[1].semilogy(found.alphas, found.autocorrelation_times, ".-")
axes[1].axhline(found.n_steps, color="black", linestyle=":")
axes[1].set(xlabel="alpha of the chain", ylabel="autocorrelation time")
plt.show()

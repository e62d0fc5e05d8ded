"""
============================
Weighted sums, exact and not
============================

At the heart of the classifier is a sum over the :math:`2^n` terms that a row satisfies.
:func:`~sklearn_dnfwinnow.sums.log_weighted_sum` computes it on its own: exactly, or by
one of three samplers, whose estimates come with standard errors. We see how the error
falls with the length of the chains, and whether the standard errors tell the truth.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A sum
# -----
# A query is told to the function by what has happened before: on which attributes each
# stored update agrees with it, and by how much it was promoted (or demoted, below 0).
# Here are 60 random updates, of a query of 14 attributes.

import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow.sums import log_weighted_sum

rng = np.random.default_rng(0)
agreements = rng.random((60, 14)) < 0.6
exponents = rng.choice([-2, -1, 1, 2], size=60)

exact = log_weighted_sum(agreements, exponents, sampler="brute_force")
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
                agreements, exponents, sampler=sampler, n_steps=n, random_state=seed
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
# A standard error knows only what its chain has seen. Here two groups of eight
# attributes are promoted, so that nearly all weight is on two heaps of 256 terms each,
# among 65,536. At a low rung a chain seldom comes by a heap; at a high one it seldom
# leaves the one that it is in. Short chains then miss weight, and what they miss they
# cannot report: the errors are several times what is claimed. Tempering does not help
# here, longer chains do. If an estimate matters, see whether it holds with ten times
# the steps.

n = 16
first = np.arange(n) < n // 2
agreements, exponents = np.array([first, ~first]), np.array([25, 27])
exact = log_weighted_sum(agreements, exponents, sampler="brute_force")
print("n_steps  tempering  error made  claimed")
for n_steps in (1000, 10_000, 100_000):
    for tempering in (False, True):
        estimates = [
            log_weighted_sum(
                agreements,
                exponents,
                tempering=tempering,
                n_steps=n_steps,
                random_state=seed,
            )
            for seed in range(10)
        ]
        made = np.array([e.log_value - exact.log_value for e in estimates])
        claimed = np.array([e.std_error for e in estimates])
        made, claimed = (np.sqrt((e**2).mean()) for e in (made, claimed))
        print(f"{n_steps:>7}  {tempering!s:>9}  {made:>10.3f}  {claimed:>7.3f}")

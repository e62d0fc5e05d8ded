"""
=====================================
Representative draws from a posterior
=====================================

A posterior sample contains hundreds of models. `message_from_monte_carlo` groups draws
that the data cannot distinguish, and selects a weighted representative of each group.
It works for draws of any model. This example summarizes the posterior of a change point
model, and that of a Bayesian classifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Draws from a posterior
# ----------------------
# The data are forty observations with noise of variance 1. In the model, the level
# changes once, between two observations. All change points have the same prior
# probability. The prior of both levels is normal with variance 4. The posterior is
# known exactly, so independent draws are possible: first the change point, then the
# levels.

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import softmax

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_monks
from sklearn_dnfwinnow.summaries import (
    message_from_monte_carlo,
    representative_draws,
)

random = np.random.default_rng(20)
times, variance, n_draws = np.arange(40), 4.0, 1000
y = np.select([times < 14, times < 26], [0.0, 1.0], 2.0) + random.standard_normal(40)

n_before = times[1:]  # observations before the change
sizes = np.array([n_before, 40 - n_before])
sums = np.array([np.cumsum(y)[:-1], y.sum() - np.cumsum(y)[:-1]])
precisions = sizes + 1 / variance
log_evidence = 0.5 * (sums**2 / precisions - np.log(precisions)).sum(axis=0)
places = random.choice(39, size=n_draws, p=softmax(log_evidence))
noise = random.standard_normal((2, n_draws)) / np.sqrt(precisions[:, places])
before, after = sums[:, places] / precisions[:, places] + noise
is_before = times < n_before[places][:, None]
levels = np.where(is_before, before[:, None], after[:, None])

# %%
# Regions
# -------
# Two functions of the draws are needed: the log likelihood of each draw, and its
# Kullback-Leibler divergence from other draws. For normal noise, the divergence is half
# of the squared distance between the levels, summed over the observations.

log_likelihoods = -0.5 * ((y - levels) ** 2).sum(axis=1)


def divergence(draws, representative):
    return 0.5 * ((levels[draws] - levels[representative]) ** 2).sum(axis=1)


message = message_from_monte_carlo(log_likelihoods, divergence)
print(message)

# %%
# The left plot shows draws. The right plot shows the representatives of the first four
# regions, with line widths by weight. No change point has a probability above 0.2, but
# two representatives have three quarters of the weight: the level changes after 16
# observations, or after 27. The mean of all draws has no such step.

fig, axes = plt.subplots(1, 2, figsize=(9, 4), sharex=True, sharey=True)
axes[0].step(times, levels[:200].T, where="mid", color="0.5", lw=0.5, alpha=0.2)
axes[0].set_title("200 of 1,000 draws")
for rank in reversed(range(4)):
    draw, weight = message.representatives[rank], message.weights[rank]
    axes[1].step(
        times,
        levels[draw],
        where="mid",
        lw=1 + 8 * weight,
        color=f"C{rank}",
        label=f"of {len(message.regions[rank])} draws, weight {weight:.2f}",
    )
axes[1].set_title("representatives")
axes[1].legend(reverse=True, loc="upper left")
for ax in axes:
    ax.plot(times, y, "k.", ms=4)
    ax.set_xlabel("observation")
axes[0].set_ylabel("level")
fig.tight_layout()

# %%
# Averages
# --------
# An average over all draws can be approximated by the weighted average over the
# representatives. The output shows the largest difference between both averages of the
# level, and for comparison the largest standard deviation of the draws.

average = message.weights @ levels[message.representatives]
print(f"{np.abs(average - levels.mean(axis=0)).max():.2f}")
print(f"{levels.std(axis=0).max():.2f}")

# %%
# Draws of a classifier
# ---------------------
# `representative_draws` does the same for a BayesianInteractionClassifier. It compares
# draws by the probabilities that they assign to the training rows. The output shows
# the first regions of 800 draws, and the largest difference between the probabilities
# from the representatives and those from all draws.

X, labels = load_monks(1, subset="train", return_X_y=True)
clf = BayesianInteractionClassifier(max_order=2, random_state=0).fit(X, labels)
message = representative_draws(clf)
for region, weight in list(zip(message.regions, message.weights))[:4]:
    print(f"{len(region):3} draws, weight {weight:.2f}")
probabilities = clf.sample_proba(X)[message.representatives]
average = np.tensordot(message.weights, probabilities, axes=1)
print(f"{np.abs(average - clf.predict_proba(X)).max():.3f}")
plt.show()

"""
=================================
A few draws that stand for many
=================================

A sample from a posterior has hundreds of models. `message_from_monte_carlo` groups
those that the data hardly tell apart, and chooses one of each group, with a weight. It
takes draws of any model. Here they are first of a change of level, then of a Bayesian
classifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Draws from a posterior
# ----------------------
# Forty measurements, with noise of variance 1. The model says that the level changes
# once, from one measurement to the next. Each place is as probable as the others, and
# both levels are normal with variance 4. So the posterior is known, and draws are
# independent: a place first, then the levels.

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

n_before = times[1:]  # measurements before the change
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
# Two things are needed of each draw: its log likelihood, and its Kullback-Leibler
# divergence from other draws. For normal noise the latter is half of the squared
# distance between the levels, summed over the measurements.

log_likelihoods = -0.5 * ((y - levels) ** 2).sum(axis=1)


def divergence(draws, representative):
    return 0.5 * ((levels[draws] - levels[representative]) ** 2).sum(axis=1)


message = message_from_monte_carlo(log_likelihoods, divergence)
print(message)

# %%
# On the left are draws as they come; on the right are the representatives of the first
# four regions. The line is the wider, the larger the weight. No place of the change has
# a probability above 0.2, but two draws stand for three quarters of all: the level
# changes after 16 measurements, or after 27. The mean of all draws has no such step.

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
    ax.set_xlabel("measurement")
axes[0].set_ylabel("level")
fig.tight_layout()

# %%
# Averages
# --------
# What is averaged over all draws can be averaged over the representatives, by their
# weights. Here this is the level: the largest difference between both averages, and for
# comparison the largest standard deviation of the draws.

average = message.weights @ levels[message.representatives]
print(f"{np.abs(average - levels.mean(axis=0)).max():.2f}")
print(f"{levels.std(axis=0).max():.2f}")

# %%
# Draws of a classifier
# ---------------------
# `representative_draws` does the same for a BayesianInteractionClassifier. Draws are
# compared by the probabilities that they give to the training rows. Here are the first
# regions of 800 draws, and how far probabilities by all representatives are from those
# by all draws, at most.

X, labels = load_monks(1, subset="train", return_X_y=True)
clf = BayesianInteractionClassifier(max_order=2, random_state=0).fit(X, labels)
message = representative_draws(clf)
for region, weight in list(zip(message.regions, message.weights))[:4]:
    print(f"{len(region):3} draws, weight {weight:.2f}")
probabilities = clf.sample_proba(X)[message.representatives]
average = np.tensordot(message.weights, probabilities, axes=1)
print(f"{np.abs(average - clf.predict_proba(X)).max():.3f}")
plt.show()

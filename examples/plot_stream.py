"""
==================
A stream of rows
==================

Rows that come one after the other, without an end: `partial_fit` learns from each once.
Halfway the concept changes. How quickly does a Winnow follow, and what does it cost to
bound its memory?
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The stream
# ----------
# The rows are made up, so that the concept is known: 12 attributes of three values, as
# orders of a shop may have, and a label, such as whether they come back. Five
# conjunctions decide it, in the second half five others; one label in fifty is wrong.

import pickle
import time

import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_dnf

N_ROWS, BATCH = 12_000, 200
halves = [make_dnf(N_ROWS // 2, 12, noise=0.02, random_state=seed) for seed in (0, 1)]
X, y = (np.concatenate(parts) for parts in zip(*halves))

# %%
# Test, then train
# ----------------
# Each batch is predicted before it is learned from: every row is a test row once, and
# nothing has to be held out. All classes are named in the first call, as the first
# batch may lack some. Terms are limited to four literals: long streams want a limit, as
# sums take longer with every attribute without one.
#
# `max_updates` bounds the updates that each class keeps. Beyond it those of the
# smallest exponents are forgotten, of these the oldest.

bounds = [None, 1000, 200]
accuracies, sizes = {}, {}
for bound in bounds:
    model = DNFWinnowClassifier(
        max_term_size=4, term_prior=0.1, max_updates=bound, random_state=0
    )
    accuracies[bound], sizes[bound] = [], []
    start = time.perf_counter()
    for first in range(0, N_ROWS, BATCH):
        batch = slice(first, first + BATCH)
        if first:
            accuracies[bound].append(model.score(X[batch], y[batch]))
        model.partial_fit(X[batch], y[batch], classes=[0, 1])
        sizes[bound].append(len(model.updates_))
    seconds = time.perf_counter() - start
    print(
        f"max_updates={bound}: {sizes[bound][-1]} updates, "
        f"{len(pickle.dumps(model)) / 1024:.0f} KiB, "
        f"{1e6 * seconds / N_ROWS:.0f} us a row, "
        f"accuracy {np.mean(accuracies[bound]):.3f}"
    )

# %%
# Change
# ------
# After the change the old updates are wrong, and each has to be outvoted by new ones:
# nothing tells the model that the concept is another. What is bounded forgets the old
# along with the new. A bound that this concept fits into costs nothing, and helps where
# it changes; one that is too small for it leaves little. The curves are means over five
# batches.

places = np.arange(1, N_ROWS // BATCH) * BATCH
fig, (top, bottom) = plt.subplots(
    nrows=2, figsize=(8, 6), sharex=True, height_ratios=[2, 1], layout="constrained"
)
window = np.ones(5) / 5
for bound in bounds:
    label = "no bound" if bound is None else f"max_updates={bound}"
    smooth = np.convolve(accuracies[bound], window, mode="valid")
    top.plot(places[len(window) - 1 :], smooth, label=label)
    bottom.plot(np.arange(len(sizes[bound])) * BATCH, sizes[bound])
for ax in (top, bottom):
    ax.axvline(N_ROWS / 2, color="0.7", zorder=0)
top.text(N_ROWS / 2 + 100, 0.52, "another concept", color="0.4")
top.set(ylabel="accuracy, before learning", ylim=(0.5, 1.0))
top.legend(loc="lower left")
bottom.set(xlabel="rows", ylabel="updates kept")
plt.show()

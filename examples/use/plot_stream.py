"""
=====================================
Incremental learning on a data stream
=====================================

`partial_fit` trains the classifier on a stream of rows, using each row once. In
this example the concept changes halfway. The example shows how quickly the classifier
adapts, and how a memory limit affects its accuracy.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The stream
# ----------
# The rows are artificial, so the concept is known. They have 12 features with three
# values each, such as properties of orders in a shop, and a binary label, such as
# whether the customer returns. Five conjunctions determine the label. In the second
# half of the stream, they are replaced by five others. Two percent of the labels are
# wrong.

import pickle
import time

import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_dnf

N_ROWS, BATCH = 8000, 200
halves = [make_dnf(N_ROWS // 2, 12, noise=0.02, random_state=seed) for seed in (0, 1)]
X, y = (np.concatenate(parts) for parts in zip(*halves))

# %%
# Prequential evaluation
# ----------------------
# Each batch is predicted before the classifier is trained on it. Every row is
# therefore a test row once, and no held-out data are needed. The first call names
# all classes, because the first batch may not contain all of them. Rules are limited to
# four conditions: without a limit, the time per row would grow with
# the number of :term:`stored examples <stored example>`.
#
# `max_stored_examples` limits the number of stored examples per class. When a class
# exceeds the limit, the stored examples with the smallest absolute :term:`net promotion
# counts <net promotion count>` are discarded, oldest first. Their counts are added to
# those of the most similar remaining examples.

bounds = [None, 1000, 200]
accuracies, sizes = {}, {}
for bound in bounds:
    model = DNFWinnowClassifier(
        max_term_size=4, literal_weight=0.1, max_stored_examples=bound, random_state=0
    )
    accuracies[bound], sizes[bound] = [], []
    start = time.perf_counter()
    for first in range(0, N_ROWS, BATCH):
        batch = slice(first, first + BATCH)
        if first:
            accuracies[bound].append(model.score(X[batch], y[batch]))
        model.partial_fit(X[batch], y[batch], classes=[0, 1])
        sizes[bound].append(len(model.stored_examples_))
    seconds = time.perf_counter() - start
    print(
        f"max_stored_examples={bound}: {sizes[bound][-1]} stored examples, "
        f"{len(pickle.dumps(model)) / 1024:.0f} KiB, "
        f"{1e6 * seconds / N_ROWS:.0f} us per sample, "
        f"accuracy {np.mean(accuracies[bound]):.3f}"
    )

# %%
# Concept drift
# -------------
# After the change, the old stored examples are wrong, and new ones have to outweigh
# them. The model gets no signal that the concept has changed. With a limit, old
# examples are discarded together with new ones. A limit that is large enough for the
# concept costs no accuracy. A limit that is too small lowers the accuracy, and the
# adaptation is slower. The curves are means over five batches.

places = np.arange(1, N_ROWS // BATCH) * BATCH
fig, (top, bottom) = plt.subplots(
    nrows=2, figsize=(8, 6), sharex=True, height_ratios=[2, 1], layout="constrained"
)
window = np.ones(5) / 5
for bound in bounds:
    label = "no limit" if bound is None else f"max_stored_examples={bound}"
    smooth = np.convolve(accuracies[bound], window, mode="valid")
    top.plot(places[len(window) - 1 :], smooth, label=label)
    bottom.plot(np.arange(len(sizes[bound])) * BATCH, sizes[bound])
for ax in (top, bottom):
    ax.axvline(N_ROWS / 2, color="0.7", zorder=0)
top.text(N_ROWS / 2 + 100, 0.52, "the concept changes", color="0.4")
top.set(ylabel="accuracy before training", ylim=(0.5, 1.0))
top.legend(loc="lower left")
bottom.set(xlabel="rows", ylabel="stored examples")
plt.show()

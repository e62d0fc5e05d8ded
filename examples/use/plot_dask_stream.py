"""
==============================
Out-of-core learning with Dask
==============================

A Dask data frame can be larger than the memory of any machine. It consists of
partitions, each of which is loaded where it is needed. In this example, `partial_fit`
trains a classifier on one partition after the other, and the cluster evaluates it. The
concept changes halfway, so that the classifier has to adapt. The example takes
about ten seconds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The stream
# ----------
# The worker that processes partition `k` generates its samples from the number `k`.
# Files would be read in the same way. The labels follow a random :term:`DNF` of five
# :term:`terms <term>`; the second half of the stream follows another DNF. Two percent
# of the labels are wrong.

import copy

import dask.dataframe as dd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from dask import compute, delayed
from distributed import Client, LocalCluster

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_dnf

N_PARTITIONS, N_ROWS, CHANGE = 16, 250, 8
FEATURES = [f"a{j}" for j in range(10)]


def concept(seed):
    """All samples of one concept."""
    X, y = make_dnf(N_ROWS * CHANGE, len(FEATURES), noise=0.02, random_state=seed)
    return pd.DataFrame(X, columns=FEATURES).assign(label=y)


def partition(k):
    """Samples of one partition, as a data frame."""
    first = k % CHANGE * N_ROWS
    return concept(seed=k // CHANGE).iloc[first : first + N_ROWS]


# %%
# Training and evaluation
# -----------------------
# The partitions have to be processed in order. The classifier is sent to the worker
# that holds the data, because it is small: its :term:`stored examples <stored example>`
# take a few kilobytes. The accuracy on a partition is measured before the classifier is
# trained on it, so that every sample is a test sample once.


def learn(model, rows):
    """The model trained on more samples, and its accuracy on them before that."""
    model = copy.deepcopy(model)
    X, y = rows[FEATURES], rows["label"]
    accuracy = model.score(X, y) if hasattr(model, "classes_") else np.nan
    return model.partial_fit(X, y, classes=[0, 1]), accuracy


def is_right(rows, model):
    """Whether the prediction for each sample is correct."""
    return model.predict(rows[FEATURES]) == rows["label"]


# %%
# On the cluster
# --------------
# This example uses two local worker processes. To use a cluster, pass the address of
# its scheduler to `Client`. Local workers import the script that starts them; the
# condition below prevents them from starting it again.
#
# Each step takes the model of the previous step, so the task graph is a chain.
# Partitions are generated in parallel. At the end, the final model is evaluated on all
# partitions in parallel.

if __name__ == "__main__":
    model = DNFWinnowClassifier(max_term_size=4, literal_weight=0.1, random_state=0)
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster),
    ):
        stream = dd.from_map(partition, range(N_PARTITIONS))
        accuracies = []
        for rows in stream.to_delayed():
            model, accuracy = delayed(learn, nout=2)(model, rows)
            accuracies.append(accuracy)
        model, accuracies = compute(model, accuracies)

        right = stream.map_partitions(is_right, model, meta=(None, bool))
        afterwards = np.split(right.compute().to_numpy(), N_PARTITIONS)
        afterwards = np.mean(afterwards, axis=1)
    n_stored = len(model.stored_examples_)
    print(f"{n_stored} stored examples of {N_PARTITIONS * N_ROWS} samples")
    print(f"accuracy on the second concept: {afterwards[CHANGE:].mean():.3f}")

    fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
    places = np.arange(N_PARTITIONS)
    ax.plot(places, accuracies, "o-", label="before training on the partition")
    ax.plot(places, afterwards, "s:", label="after the whole stream")
    ax.axvline(CHANGE - 0.5, color="0.7", zorder=0)
    ax.text(CHANGE - 0.3, 0.3, "the concept changes", color="0.4")
    ax.set(xlabel="partition", ylabel="accuracy", ylim=(0.25, 1.02))
    ax.set_title("Accuracy on each partition")
    ax.legend(loc="lower left")
    plt.show()

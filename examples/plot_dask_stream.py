"""
=====================
A stream on a cluster
=====================

A Dask data frame can be larger than the memory of any machine: it comes in partitions,
each made where it is needed. Here a classifier travels from partition to partition of
such a frame, by `partial_fit`, and is scored on a cluster. Halfway the concept
changes, and it has to learn anew.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The stream
# ----------
# The rows of partition `k` are made from its number, on whichever worker has to do with
# it; files would be read in the same way. They are of a random DNF of five terms, and
# from the middle on of another. One label in fifty is wrong.

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
    """All rows of one concept."""
    X, y = make_dnf(N_ROWS * CHANGE, len(FEATURES), noise=0.02, random_state=seed)
    return pd.DataFrame(X, columns=FEATURES).assign(label=y)


def partition(k):
    """Rows of one partition, as a data frame."""
    first = k % CHANGE * N_ROWS
    return concept(seed=k // CHANGE).iloc[first : first + N_ROWS]


# %%
# Learning and scoring
# --------------------
# Partitions have to be learned from in order. Here the classifier goes to where the
# rows are, and not the other way round: the model is its updates, a few kilobytes. The
# accuracy on a partition is taken just before learning from it, so that every row is a
# test row once.


def learn(model, rows):
    """A model that has learned from more rows, and its accuracy on them before."""
    model = copy.deepcopy(model)
    X, y = rows[FEATURES], rows["label"]
    accuracy = model.score(X, y) if hasattr(model, "classes_") else np.nan
    return model.partial_fit(X, y, classes=[0, 1]), accuracy


def is_right(rows, model):
    """Whether a model is right about each row."""
    return model.predict(rows[FEATURES]) == rows["label"]


# %%
# On the cluster
# --------------
# Two worker processes stand in for any number of machines; for those, a `Client` is
# made from the address of their scheduler. Local workers import the script that starts
# them, hence the last condition.
#
# Each step takes the model of the step before, so that the graph is a chain, while
# partitions are made side by side. The model that comes out of it is then scored on all
# of the frame, partition by partition, in parallel.

if __name__ == "__main__":
    model = DNFWinnowClassifier(max_term_size=4, term_prior=0.1, random_state=0)
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
    print(f"{len(model.updates_)} updates from {N_PARTITIONS * N_ROWS} rows")
    print(f"accuracy on the second concept: {afterwards[CHANGE:].mean():.3f}")

    fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
    places = np.arange(N_PARTITIONS)
    ax.plot(places, accuracies, "o-", label="before learning from the partition")
    ax.plot(places, afterwards, "s:", label="after the whole stream")
    ax.axvline(CHANGE - 0.5, color="0.7", zorder=0)
    ax.text(CHANGE - 0.3, 0.3, "another concept", color="0.4")
    ax.set(xlabel="partition", ylabel="accuracy", ylim=(0.25, 1.02))
    ax.set_title("A Winnow follows a stream")
    ax.legend(loc="lower left")
    plt.show()

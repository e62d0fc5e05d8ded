"""
=====================================
One classifier of partitions, by Dask
=====================================

A Dask data frame consists of partitions, which can be on several machines. Here
settings are selected on a sample. Each partition is mapped to a model with these
settings, and :func:`~sklearn_dnfwinnow.merge` reduces the models to one. Only models
are sent. The example takes some seconds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The partitions
# --------------
# The worker that processes partition `k` makes its rows from the number `k`. Files
# would be read in the same way. The labels follow twenty random rules of up to four
# conditions, on categories and on numbers. Five percent of the labels are wrong.

import dask.dataframe as dd
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from dask import compute, delayed
from distributed import Client

from sklearn_dnfwinnow import DNFWinnowClassifier, merge
from sklearn_dnfwinnow.datasets import make_dnf

N_PARTITIONS, N_ROWS = 4, 1200
CATEGORIES, NUMBERS = [f"c{j}" for j in range(7)], [f"n{j}" for j in range(3)]


def partition(k):
    """The rows of partition `k`, as they would be read from a file."""
    n = (N_PARTITIONS + 1) * N_ROWS
    X, y = make_dnf(n, 10, n_values=4, n_terms=20, noise=0.05, random_state=0)
    X = pd.DataFrame(X, columns=CATEGORIES + NUMBERS)
    X[NUMBERS] = X[NUMBERS] + np.random.default_rng(0).random((n, len(NUMBERS)))
    return X.assign(y=y)[k * N_ROWS : (k + 1) * N_ROWS]


def fit(params, rows):
    """The model of some rows."""
    return DNFWinnowClassifier(**params).fit(rows.drop(columns="y"), rows["y"])


# %%
# Settings, models, and one model
# -------------------------------
# `fitted_params` returns the settings that `fit` selected, with the cut points of
# numbers, so that the models of all partitions mean the same. With `screening=None`,
# since chosen rules and an additive start would differ from part to part.
#
# This example uses two local workers. To use a cluster, pass the address of its
# scheduler to `Client`.

sample, test = partition(0)[:500], partition(N_PARTITIONS)
params = fit({"screening": None, "random_state": 0}, sample).fitted_params()
names = "margin", "alpha", "literals", "max_term_size"
print({name: params[name] for name in names})
with Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None):
    frame = dd.from_map(partition, range(N_PARTITIONS))
    parts = [delayed(fit)(params, rows) for rows in frame.to_delayed()]
    merged, *parts = compute(delayed(merge)(parts), *parts)
    everything = frame.compute()
models = {
    "the sample": fit(params, sample),
    **{f"partition {k}": part for k, part in enumerate(parts)},
    "merged": merged,
    "all rows": fit(params, everything),
}
accuracies = {
    name: model.score(test.drop(columns="y"), test["y"])
    for name, model in models.items()
}
print(f"one fit to all rows: {accuracies['all rows']:.3f}")
print(f"merged models of {len(parts)} partitions: {accuracies['merged']:.3f}")

fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
colors = ["0.7"] * (len(models) - 2) + ["C0", "C1"]
bars = ax.barh([*accuracies], [*accuracies.values()], color=colors)
ax.bar_label(bars, fmt="%.3f", padding=3)
ax.set(xlabel="accuracy on new rows", xlim=(0.7, 1.0))
ax.invert_yaxis()
plt.show()

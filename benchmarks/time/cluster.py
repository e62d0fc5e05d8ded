"""What a cluster costs: two local workers, beside joblib's defaults in the same run.

    python -m benchmarks.time.cluster

The defaults are two threads for the classes of a fit and the rows of a prediction, two
processes for folds. A cluster on the same machine has nothing to add: the ratio is what
sending tasks, and making the index of a term table once more for each class, cost.
Seconds are the best of three calls; the last column is what the tasks of a fit carry.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from unittest import mock

import joblib
import numpy as np
from distributed import Client, LocalCluster
from sklearn.model_selection import cross_val_score

from benchmarks.timing import best
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow._utils import _parallel
from sklearn_dnfwinnow.datasets import load_car, make_dnf
from sklearn_dnfwinnow.samplers import Gibbs


def car():
    return (np.asarray(a) for a in load_car(return_X_y=True))


def three_classes(n_samples=12_000, n_features=30):
    X = np.random.RandomState(0).randint(4, size=(n_samples, n_features))
    return X, (X[:, 0] == X[:, 1]) + (X[:, 2] > 2)


def dnf():
    return make_dnf(n_samples=2000, n_features=14, random_state=0)


CASES = {
    "car, table": (car, {"sampler": "table"}),
    "12,000 rows, table, size 3": (
        three_classes,
        {"sampler": "table", "max_term_size": 3, "max_iter": 5},
    ),
    "DNF, exact": (dnf, {"sampler": "exact", "max_iter": 2}),
    "DNF, Gibbs": (dnf, {"sampler": Gibbs(n_steps=100), "max_iter": 1}),
}


def carried(call):
    """Kibibytes of the arguments of all tasks of a call."""
    sizes = []
    parcel = _parallel.Parcel

    def weighed(content):
        sizes.append(len(parcel(content).__getstate__()))
        return parcel(content)

    with mock.patch.object(_parallel, "Parcel", weighed):
        call()
    return sum(sizes) / 1024


def main():
    print("| case | call | default, s | cluster, s | ratio | KiB carried |")
    print("| --- | --- | --- | --- | --- | --- |")
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster),
    ):
        for case, (load, options) in CASES.items():
            X, y = load()
            clf = DNFWinnowClassifier(n_jobs=2, random_state=0, **options)
            calls = {
                "fit": lambda clf=clf, X=X, y=y: clf.fit(X, y),
                "predict": lambda clf=clf, X=X: clf.predict(X),
                "4 folds": lambda clf=clf, X=X, y=y: cross_val_score(
                    clf, X, y, cv=4, n_jobs=2
                ),
            }
            for name, call in calls.items():
                default = best(call, 3)
                with joblib.parallel_config(backend="dask"):
                    remote = best(call, 3)
                size = f"{carried(call):.0f}" if name == "fit" else ""
                print(
                    f"| {case} | {name} | {default:.3f} | {remote:.3f} | "
                    f"{remote / default:.1f} | {size} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()

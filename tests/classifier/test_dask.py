"""Dask: searches on a cluster give what they give here, and so do merged partitions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import logging
import os

import joblib
import numpy as np
import pytest
from fitted_state import assert_same_state
from numpy.testing import assert_array_equal
from reference import plain_winnow
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from sklearn_dnfwinnow import merge
from sklearn_dnfwinnow.datasets import load_car, make_dnf
from sklearn_dnfwinnow.samplers import Exact, Frontier, Gibbs

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Of a cluster whose processors seem to be older than the one here."""
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=None,
            local_directory=str(tmp_path_factory.mktemp("workers")),
            silence_logs=logging.CRITICAL,
            env={"SKLEARN_DNFWINNOW_LEVEL": "baseline"},
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.slow
def test_a_search_on_a_cluster(client):
    X, y = make_dnf(120, 9, random_state=0)
    samplers = ["table", Exact(), Frontier(max_states=20), Gibbs(n_steps=40)]
    search = GridSearchCV(
        plain_winnow(max_iter=2, n_jobs=2, random_state=0),
        {"sampler": samplers, "alpha": [1.3, 2.0]},
        cv=3,
    )
    expected = clone(search).fit(X, y)
    with distributed.get_task_stream(client) as stream:
        with joblib.parallel_config(backend="dask"):
            search.fit(X, y)
            labels = search.predict(X)
    assert {task["worker"] for task in stream.data} <= set(client.run(os.getpid))
    # Quick tasks go in batches, of which there are more than workers.
    assert len(stream.data) > 8
    for k in range(3):
        key = f"split{k}_test_score"
        assert_array_equal(search.cv_results_[key], expected.cv_results_[key])
    assert_same_state(search.best_estimator_, expected.best_estimator_)
    assert_array_equal(labels, expected.predict(X))


@pytest.mark.slow
def test_partitions_that_are_merged(client):
    X, y = map(np.asarray, load_car(return_X_y=True))
    clf = plain_winnow(max_iter=4, literal_weight=0.2, random_state=0)
    fit = dask.delayed(lambda i: clone(clf).fit(X[i::4], y[i::4]))
    merged = client.compute(dask.delayed(merge)([fit(i) for i in range(4)])).result()
    expected = merge([clone(clf).fit(X[i::4], y[i::4]) for i in range(4)])
    assert_same_state(merged, expected)
    assert merged.score(X, y) > 0.9

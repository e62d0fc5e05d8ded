"""Beyond one process: a cluster of two worker processes gives what threads give."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import _thread
import contextlib
import logging
import os
import pickle
import signal
import threading
import time
from functools import partial

import joblib
import numpy as np
import pytest
from internals.kernels import _kernels
from internals.terms import group_terms, list_terms, number_terms
from internals.utils import Parcel, run_tasks
from internals.winnow import Evaluation, TermTable
from joblib.externals.loky import get_reusable_executor
from numpy.testing import assert_array_equal
from reference import plain_winnow
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer
from sklearn_dnfwinnow.datasets import load_car, make_dnf
from sklearn_dnfwinnow.samplers import Exact, Frontier, Gibbs, Metropolis

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

CASES = {
    "table": {},
    "auto": {},
    "exact": {},
    "frontier": {"sampler": Frontier(max_states=20, n_replicates=2), "max_iter": 1},
    "brute_force": {"max_iter": 2},
    "gibbs": {"sampler": Gibbs(n_steps=40, burn_in=10), "max_iter": 2},
    "metropolis": {
        "sampler": Metropolis(n_steps=40, burn_in=10, tempering=True),
        "max_iter": 2,
    },
}
# What no test here comes near to, in seconds; one that hangs ends with an error.
TIME_LIMIT = 90


@pytest.fixture(autouse=True)
def no_hanging():
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def give_up(signum, frame):
        raise TimeoutError(f"Not done after {TIME_LIMIT} s.")

    before = signal.signal(signal.SIGALRM, give_up)
    # Again and again: what cleans up after a test may not hang either.
    signal.setitimer(signal.ITIMER_REAL, TIME_LIMIT, TIME_LIMIT)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """Of a cluster whose processors seem to be older than the one here."""
    with (
        # Where copies of data are thinned out at once, rather than every few seconds.
        dask.config.set(
            {"distributed.scheduler.active-memory-manager.interval": "50 ms"}
        ),
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


@pytest.fixture(scope="module")
def loky():
    yield
    get_reusable_executor().shutdown(wait=True)


@contextlib.contextmanager
def on_cluster(client):
    """Work on the cluster: some of the Winnows' tasks were run by its processes."""
    pids = client.run(os.getpid)
    assert os.getpid() not in pids.values() and len(set(pids.values())) == 2
    with distributed.get_task_stream(client) as stream:
        with joblib.parallel_config(backend="dask"):
            yield
    workers = {t["worker"] for t in stream.data if "winnow_task" in str(t["key"])}
    assert workers and workers <= set(pids)


def classifier(sampler="auto", **options):
    options = {"max_iter": 4, "n_jobs": 2, "random_state": 0, **options}
    return plain_winnow(sampler=sampler, **options)


def made(n_samples=120, n_features=9):
    return make_dnf(n_samples=n_samples, n_features=n_features, random_state=0)


def everything(clf, X, y):
    """All that training and prediction come to, from scratch and online."""
    found = {}
    clf.fit(X[:80], y[:80])
    for call in ("fit", "partial_fit"):
        for name in ("stored_examples_", "net_promotion_counts_", "n_updates_"):
            found[call, name] = getattr(clf, name)
        found[call, "chains_"] = list(clf.chains_.values())
        for method in ("log_weighted_sums", "decision_function", "predict"):
            found[call, method] = getattr(clf, method)(X)
        clf.partial_fit(X[70:], y[70:])
    return found


def assert_same(found, expected):
    for key, value in expected.items():
        assert_array_equal(found[key], value, err_msg=str(key))


# -- the same results ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("sampler", CASES)
def test_classes_and_predictions_on_a_cluster(client, sampler):
    X, y = made()
    expected = everything(classifier(**{"sampler": sampler, **CASES[sampler]}), X, y)
    with on_cluster(client):
        found = everything(classifier(**{"sampler": sampler, **CASES[sampler]}), X, y)
    assert_same(found, expected)


# All engines travel to the cluster.
@pytest.mark.slow
@pytest.mark.parametrize("sampler", ["table", "gibbs"])
def test_classes_and_predictions_in_other_processes(loky, sampler):
    X, y = made()
    expected = everything(classifier(**{"sampler": sampler, **CASES[sampler]}), X, y)
    with joblib.parallel_config(backend="loky"):
        found = everything(classifier(**{"sampler": sampler, **CASES[sampler]}), X, y)
    assert_same(found, expected)


@pytest.mark.slow
def test_many_classes_and_many_rows(client):
    X, y = (np.asarray(a) for a in load_car(return_X_y=True))
    order = np.random.RandomState(0).permutation(len(y))
    X, y = X[order], y[order]
    options = {"sampler": "table", "literal_weight": 0.2, "max_term_size": 3}
    expected = everything(classifier(**options), X, y)
    with on_cluster(client):
        found = everything(classifier(**options), X, y)
    assert_same(found, expected)


@pytest.mark.slow
def test_arrays_that_joblib_maps_to_read_only_memory(loky):
    # More than a megabyte, from which on it does.
    random = np.random.RandomState(0)
    X = random.randint(6, size=(9000, 40))
    y = X[:, 0] == X[:, 1]
    options = {"sampler": "table", "max_term_size": 2, "max_iter": 2}
    expected = classifier(**options).fit(X, y)
    with joblib.parallel_config(backend="loky"):
        found = classifier(**options).fit(X, y)
    assert_array_equal(found.net_promotion_counts_, expected.net_promotion_counts_)


def test_workers_choose_the_level_of_their_kernels(client):
    levels = client.run(lambda: _kernels.LEVEL)
    assert set(levels.values()) == {"baseline"}


# -- searches --------------------------------------------------------------------------


SEARCHED = ["table", "exact", "frontier", Gibbs(n_steps=40, burn_in=10)]


def search_of(estimator):
    grid = {"sampler": SEARCHED, "alpha": [1.3, 2.0]}
    return GridSearchCV(estimator, grid, cv=3)


@pytest.mark.slow
def test_search_whose_classifiers_have_jobs_of_their_own(client):
    X, y = made()
    clf = classifier(max_iter=2)
    expected = search_of(clf).fit(X, y)
    with on_cluster(client):
        found = search_of(clf).fit(X, y)
    for k in range(3):
        key = f"split{k}_test_score"
        assert_array_equal(found.cv_results_[key], expected.cv_results_[key])
    assert found.best_params_ == expected.best_params_
    assert_array_equal(
        found.best_estimator_.net_promotion_counts_,
        expected.best_estimator_.net_promotion_counts_,
    )


@pytest.mark.slow
def test_cross_validated_pipeline(client):
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(ClassEntropyDiscretizer(max_intervals=3), classifier())
    jobs = [name for name in model.get_params() if name.endswith("n_jobs")]
    model.set_params(**{name: 2 for name in jobs})
    expected = cross_val_score(model, X, y, cv=4)
    with on_cluster(client):
        found = cross_val_score(model, X, y, cv=4)
        model.fit(X, y)
    assert_array_equal(found, expected)


# -- what goes wrong -------------------------------------------------------------------


@pytest.mark.slow
def test_errors_come_back_as_they_are(client):
    X, y = made(n_features=40)
    with joblib.parallel_config(backend="dask"):
        with pytest.raises(ValueError, match="max_states=1"):
            classifier(Exact(max_states=1)).fit(X, y)


def test_mistakes_are_printed_where_they_are_made(client, capsys):
    X, y = made()
    classifier(verbose=1).fit(X, y)
    assert "epoch 1" in capsys.readouterr().out
    with on_cluster(client):
        classifier(verbose=1).fit(X, y)
    assert capsys.readouterr().out == ""


def before_sums(action):
    """Have a worker take an action before it sums for any rows."""
    sums = Evaluation.log_sums

    def slowed(self, *args):
        action()
        return sums(self, *args)

    Evaluation.log_sums = slowed
    Evaluation._sums_before = sums


def as_before():
    # A worker that was started anew has nothing to take back.
    if hasattr(Evaluation, "_sums_before"):
        Evaluation.log_sums = Evaluation._sums_before
        del Evaluation._sums_before


def die_once(flag):
    with contextlib.suppress(FileExistsError):
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def wait_once(flag, go):
    with contextlib.suppress(FileExistsError):
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        wait_for(go)


def wait_for(path):
    end = time.monotonic() + TIME_LIMIT / 3
    while not os.path.exists(path) and time.monotonic() < end:
        time.sleep(0.01)


@pytest.fixture
def hindered(client):
    """A function that has the workers take an action; taken back afterwards."""
    yield lambda action: client.run(before_sums, action)
    client.wait_for_workers(2, timeout=TIME_LIMIT / 2)
    client.run(as_before)


@pytest.mark.slow
def test_a_worker_dies_during_prediction(client, hindered, tmp_path):
    X, y = made(1500)
    clf = classifier("exact").fit(X[:60], y[:60])
    expected = clf.log_weighted_sums(X)
    before = set(client.run(os.getpid).values())
    hindered(partial(die_once, str(tmp_path / "flag")))
    with joblib.parallel_config(backend="dask"):
        assert_array_equal(clf.log_weighted_sums(X), expected)
    client.wait_for_workers(2, timeout=TIME_LIMIT / 2)
    assert len(before - set(client.run(os.getpid).values())) == 1


@pytest.mark.slow
def test_a_worker_dies_during_a_search(client, hindered, tmp_path):
    X, y = made(600)
    splits = list(StratifiedKFold(3).split(X, y))
    search = GridSearchCV(
        classifier("exact", max_term_size=2, max_iter=1),
        {"alpha": [1.3, 2.0]},
        cv=splits,
        scoring="roc_auc",
        error_score="raise",
    )
    expected = clone(search).fit(X, y)
    flag = tmp_path / "flag"
    hindered(partial(die_once, str(flag)))
    # A copy on each worker, which is then to stay.
    copies = [X, y, *(rows for split in splits for rows in split)]
    client.amm.stop()
    try:
        with joblib.parallel_config(backend="dask", scatter=copies):
            search.fit(X, y)
    finally:
        client.amm.start()
    assert flag.exists()
    for k in range(3):
        key = f"split{k}_test_score"
        assert_array_equal(search.cv_results_[key], expected.cv_results_[key])
    assert search.best_params_ == expected.best_params_


@pytest.mark.slow
def test_an_interrupt_leaves_the_cluster_usable(client, hindered, tmp_path):
    X, y = made(1500)
    clf = classifier("exact").fit(X[:60], y[:60])
    expected = clf.log_weighted_sums(X)
    flag, go = str(tmp_path / "flag"), str(tmp_path / "go")
    hindered(partial(wait_once, flag, go))

    def interrupt():
        wait_for(flag)
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    # A shell has what it runs in the background ignore Ctrl-C.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread.start()
    try:
        with joblib.parallel_config(backend="dask"):
            with pytest.raises(KeyboardInterrupt):
                clf.log_weighted_sums(X)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, handler)
        open(go, "w").close()
    with joblib.parallel_config(backend="dask"):
        assert_array_equal(clf.log_weighted_sums(X), expected)
        assert os.getpid() not in run_tasks(os.getpid, [()] * 4)


# -- what travels ----------------------------------------------------------------------


def unpacked():
    raise RuntimeError("unpacked")


class Unpacked:
    def __reduce__(self):
        return unpacked, ()


def test_parcels_are_unpacked_where_their_task_runs_only():
    once = pickle.dumps(Parcel((Unpacked(),)))
    twice = pickle.loads(pickle.dumps(pickle.loads(once)))
    with pytest.raises(RuntimeError, match="unpacked"):
        twice.content()
    content = [1, 2]
    assert Parcel(content).content() is content
    parcel = pickle.loads(pickle.dumps(Parcel(content)))
    parcel.content().append(3)
    assert parcel.content() == [1, 2]


def test_tasks_of_a_function_within_a_function(client):
    offset = 3

    def add(a, b):
        return os.getpid(), a + b + offset

    tasks = [(i, 10 * i) for i in range(6)]
    assert {pid for pid, _ in run_tasks(add, tasks, n_jobs=2)} == {os.getpid()}
    with on_cluster(client):
        pids, sums = zip(*run_tasks(add, tasks))
    assert os.getpid() not in pids
    assert list(sums) == [11 * i + 3 for i in range(6)]


def some_rows(n_rows=200, n_attributes=12):
    random = np.random.RandomState(0)
    rows = random.randint(1, 4, size=(n_rows, n_attributes)).astype(np.int32)
    return np.unique(rows, axis=0), np.full(n_attributes, 3)


@pytest.mark.parametrize("kind", ["lists", "numbers", "groups"])
def test_indices_travel_without_their_terms(kind):
    rows, n_values = some_rows()
    if kind == "groups":
        index = group_terms(rows, -0.5)
    else:
        make = {"lists": list_terms, "numbers": number_terms}[kind]
        index = make(rows, n_values, 4, -0.5)
    assert index.kind == kind
    packed = pickle.dumps(index)
    assert len(packed) < 30_000 < index.n_terms * np.dtype(np.int16).itemsize
    again = pickle.loads(packed)
    net_counts = np.array([2, 0, -1])
    before, after = (TermTable(one, 0.4, net_counts) for one in (index, again))
    places = np.arange(len(rows))
    assert_array_equal(after.log_sums(places), before.log_sums(places))

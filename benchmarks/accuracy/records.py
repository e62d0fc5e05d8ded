"""Records: what each method gets right on the rows held out of a set, one line each.

A record is an object of JSON: the set, the method and the repeat; the number of rows
and of errors; the mean log loss, in nats, of rows whose class was among those to train
with; for ten bins of the largest probability how many rows it has, their sum of these
probabilities, and how many are right; seconds of the processor for fit and prediction,
medians of folds; which candidates were chosen, where some were; and of rules their
number, and that of their literals, means of folds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
import time

import numpy as np
import pandas as pd

KEY = ["set", "method", "repeat"]
N_BINS = 10
# A method that needs more seconds for a fold is given up on that set.
LIMIT = 150


def measure(make, X, y, folds, limit=LIMIT):
    """Return the figures of an estimator on some folds, None if it is too slow.

    Folds are pairs of rows to train with and rows to test with: indices, or slices.
    """
    classes, labels = np.unique(y, return_inverse=True)
    right, given, losses, seconds, chosen, lengths = [], [], [], [], [], []
    for train, test in folds:
        model = make()
        start = time.process_time()
        model.fit(X.iloc[train], y[train])
        fitted = time.process_time()
        predicted = model.predict(X.iloc[test])
        seconds.append([fitted - start, time.process_time() - fitted])
        if sum(seconds[-1]) > limit:
            return None
        right.extend(predicted == y[test])
        if hasattr(model, "predict_proba"):
            found = np.zeros((len(predicted), len(classes)))
            known = np.searchsorted(classes, model.classes_)
            found[:, known] = model.predict_proba(X.iloc[test])
            given.extend(found.max(axis=1))
            own = found[np.arange(len(found)), labels[test]]
            losses.extend(
                -np.log(np.maximum(own, EPSILON))[np.isin(labels[test], known)]
            )
        chosen += chosen_by(model)
        if hasattr(model, "lengths_"):
            lengths.append((len(model.lengths_), int(sum(model.lengths_))))
    fit_s, predict_s = np.median(seconds, axis=0)
    return {
        "rows": len(right),
        "errors": int(len(right) - np.sum(right)),
        "log_loss": round(float(np.mean(losses)), 5) if losses else None,
        "bins": binned(np.array(given), np.array(right)) if given else None,
        "fit_s": round(float(fit_s), 5),
        "predict_s": round(float(predict_s), 5),
        "chosen": chosen or None,
    } | (dict(zip(("rules", "literals"), np.mean(lengths, axis=0))) if lengths else {})


# What probabilities of 0 count as in log losses, as in scikit-learn.
EPSILON = np.finfo(float).eps


def binned(given, right):
    """Return rows, sum of probabilities, and rows that are right, of each bin."""
    bins = np.minimum((N_BINS * given).astype(int), N_BINS - 1)
    sums = [np.bincount(bins, v, N_BINS) for v in (np.ones(len(bins)), given, right)]
    return np.round(np.transpose(sums), 4).tolist()


def chosen_by(model):
    """Return the position of the candidate that the folds of a fit have chosen."""
    validation = getattr(model, "validation_", None)
    if validation is None:
        return []
    return [int(validation["candidate"][validation["log_loss"].argmin()])]


def write(path, record):
    """Append a record."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")


def complete(path, key, wanted, figures, again=False):
    """Write a record of each wanted key that the file does not have, and print it."""
    done = set(read(path, key)[key].itertuples(index=False, name=None))
    for values in wanted:
        if again or values not in done:
            record = dict(zip(key, values)) | figures(*values)
            write(path, record)
            print(json.dumps(record), flush=True)


def read(path, key=KEY):
    """Return a data frame of all records, the last of each set, method and repeat."""
    if not path.exists():
        return pd.DataFrame(columns=[*key, "status"])
    lines = path.read_text(encoding="utf-8").splitlines()
    frame = pd.DataFrame([json.loads(line) for line in lines])
    return frame.drop_duplicates(key, keep="last").reset_index(drop=True)

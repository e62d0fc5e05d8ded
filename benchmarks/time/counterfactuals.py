"""Counterfactuals: milliseconds a row, and how many are proven the cheapest.

    python -m benchmarks.time.counterfactuals [--data FOLDER] [--sets iris] [--rows 20]

Three of each of some rows at random, of a classifier with the default parameters that
was trained with all rows. 'cost' is the mean number of changes of the first one,
'largest' the largest of any. 'given up' are rows of which the exact search was given
up, 'inexact' are results of those that it found nothing for. One core.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from benchmarks.sets import load, names
from sklearn_dnfwinnow import DNFWinnowClassifier


def measure(name, folder, n_rows):
    """Return a record of one set."""
    X, y = load(name, folder)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    rows = X.iloc[np.random.RandomState(0).permutation(len(X))[:n_rows]]
    clf.predict(rows)
    start = time.perf_counter()
    answers = clf.counterfactuals(rows)
    seconds = time.perf_counter() - start
    found = [one for answer in answers for one in answer]
    return {
        "set": name,
        "features": X.shape[1],
        "size": clf.max_term_size_,
        "ms a row": round(1e3 * seconds / len(rows), 1),
        "found": round(len(found) / len(rows), 2),
        "cost": round(np.mean([answer[0].cost for answer in answers if answer]), 2),
        "largest": int(max(one.cost for one in found)),
        "given up": sum("stopped early" in answer.note for answer in answers),
        "inexact": sum(not one.exact for one in found),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data")
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--rows", type=int, default=20)
    args = parser.parse_args()
    sets = args.sets or names(args.data)
    records = [measure(name, args.data, args.rows) for name in sets]
    print(pd.DataFrame(records).to_string(index=False))


if __name__ == "__main__":
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()

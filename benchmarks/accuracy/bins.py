"""The discretizer as a step of others: bins before a logistic regression and a forest.

    python -m benchmarks.accuracy.bins --data FOLDER [--sets pima]

Numeric columns are cut by `ClassEntropyDiscretizer` with each `selection`, and into at
most five intervals, each with 5 % of the rows or more; by scikit-learn's
`KBinsDiscretizer` into ten bins, at quantiles or by k-means; and by optbinning, if it
is installed and there are two classes. Missing numbers are medians, and other columns
are dropped. Then a logistic regression on one-hot columns, and a forest of 100 trees on
ordinal ones. Five stratified folds (random_state 0) of at most 2,000 rows: area under
the ROC curve (of each class against the others, weighted), log loss, and mean number of
bins of a column. The last lines are means over sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import warnings
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

from benchmarks.sets import load
from sklearn_dnfwinnow import ClassEntropyDiscretizer

RESULTS = Path(__file__).parent / "results" / "bins.csv"
SETS = (
    *("iris", "glass", "vehicle", "ecoli", "pima", "ionosphere", "vowel", "segment"),
    *("spambase", "banana", "phoneme", "satimage", "adult", "credit-g", "auto"),
)
MOST_ROWS = 2000
KBINS = {"quantile_method": "averaged_inverted_cdf", "random_state": 0}


class OptimalBins:
    """Columns cut by optbinning, as codes."""

    def fit(self, X, y):
        """Find the bins of each column."""
        from optbinning import OptimalBinning  # an extra

        y = (y == np.unique(y)[1]).astype(int)
        self.splits_ = [
            np.array(OptimalBinning(solver="cp").fit(x, y).splits) for x in X.T
        ]
        return self

    def transform(self, X):
        """Replace numbers by bins."""
        found = [np.searchsorted(s, x) for s, x in zip(self.splits_, X.T)]
        return np.column_stack(found).astype(float)


def binnings():
    """Makers of discretizers, by name."""
    ours = partial(ClassEntropyDiscretizer, columns="all")
    for selection in ("max", "mdl", "balanced", "quantiles"):
        yield selection, partial(ours, selection=selection)
    more = {"max_intervals": 5, "min_samples_interval": 0.05}
    yield "max, 5 of 5 %", partial(ours, **more)
    for strategy in ("quantile", "kmeans"):
        more = {"encode": "ordinal", "strategy": strategy, **KBINS}
        yield f"KBins {strategy}", partial(KBinsDiscretizer, 10, **more)
    yield "optbinning", OptimalBins


MODELS = {
    "logistic": make_pipeline(
        OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=2000)
    ),
    "forest": RandomForestClassifier(100, min_samples_leaf=3, random_state=0),
}


def numbers(name, folder):
    """The numeric columns of a set, and its classes of ten rows or more."""
    X, y = load(name, folder)
    X, y = X.select_dtypes("number"), np.asarray(y)
    some = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    X, y = X.iloc[np.sort(some)], y[np.sort(some)]
    classes, counts = np.unique(y, return_counts=True)
    kept = np.isin(y, classes[counts >= 10])
    return X[kept].to_numpy(dtype=float), y[kept]


def outcomes(X, y, make):
    """Yield model, AUC, log loss and bins of a column, means of folds."""
    found = {name: [] for name in MODELS}
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        fill = SimpleImputer(strategy="median").fit(X[train])
        inside, outside = fill.transform(X[train]), fill.transform(X[test])
        binning = make().fit(inside, y[train])
        inside, outside = binning.transform(inside), binning.transform(outside)
        n_bins = np.mean([len(np.unique(column)) for column in inside.T])
        for name, model in MODELS.items():
            given = clone(model).fit(inside, y[train]).predict_proba(outside)
            scores = given[:, 1] if given.shape[1] == 2 else given
            area = roc_auc_score(y[test], scores, multi_class="ovr", average="weighted")
            found[name].append([area, log_loss(y[test], given), n_bins])
    for name, figures in found.items():
        yield name, *np.mean(figures, axis=0)


def report(table):
    """Print means over the sets, and over those that optbinning was measured on."""
    alone = table["binning"] == "optbinning"
    two = table["set"].isin(table.loc[alone, "set"])
    for title, some in {"All": table[~alone], "Two classes": table[two]}.items():
        means = some.groupby(["model", "binning"])[["auc", "log_loss", "bins"]].mean()
        print(title, means.round(3), sep="\n")


def main():
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", metavar="FOLDER", required=True)
    parser.add_argument("--sets", nargs="+", default=SETS, choices=SETS)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    makers = dict(binnings())
    if find_spec("optbinning") is None:
        del makers["optbinning"]
    rows = []
    for name in args.sets:
        X, y = numbers(name, args.data)
        for binning, make in makers.items():
            if binning != "optbinning" or len(np.unique(y)) == 2:
                rows += [[name, binning, *found] for found in outcomes(X, y, make)]
                print(*rows[-2:], sep="\n", flush=True)
    columns = ["set", "binning", "model", "auc", "log_loss", "bins"]
    table = pd.DataFrame(rows, columns=columns)
    table.round(4).to_csv(RESULTS, index=False)
    report(table)


if __name__ == "__main__":
    main()

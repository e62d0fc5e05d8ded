"""Texts of tables from the records, as they stand on the pages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from benchmarks.accuracy.tables import grid
from benchmarks.large.tables import TABLES

COMPARED = [
    *("ours", "lightgbm", "xgboost", "boosting"),
    *("catboost", "ebm", "forest", "logistic"),
]
# Title, field of the records, and how a figure is written.
FIGURES = {
    "Error, %": ("error", lambda share: f"{100 * share:.2f}"),
    "Log loss, nats": ("log_loss", "{:.3f}".format),
    "Seconds of fit": ("fit_s", "{:.1f}".format),
    "Seconds of prediction": ("predict_s", "{:.2f}".format),
    "Memory beside the table, MiB": ("mib", "{:.0f}".format),
}


def texts(records):
    """Return texts of tables by title."""
    records = records.assign(error=records["errors"] / records["rows"])
    return {
        title: grid(_cells(records, field, write), of="table")
        for title, (field, write) in FIGURES.items()
    }


def report(records):
    """Print the tables."""
    for title, text in texts(records).items():
        print("", title, "", text, sep="\n")


def _cells(records, field, write):
    """Return a frame of texts: tables by methods; a limit where a fit reached it."""
    done = records["status"] == "done"
    cells = records[field].map(write, na_action="ignore")
    cells = cells.where(done, records["status"].str.replace("more than", "over"))
    cells = cells.set_axis([records["table"], records["method"]]).unstack()
    size = records[done].groupby("table")[["train_rows", "columns"]].first()
    tables = [name for name in TABLES if name in cells.index]
    methods = [method for method in COMPARED if method in cells.columns]
    cells = cells.loc[tables, methods].fillna("-")
    rows, columns = size.loc[tables].astype(int).to_numpy().T
    cells.insert(0, "rows", [f"{n:,}" for n in rows])
    cells.insert(1, "columns", [f"{n:,}" for n in columns])
    return cells

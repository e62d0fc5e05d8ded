"""Exports beside the model, in each row of all sets: differences, and times.

    python -m benchmarks.reading.exports --data FOLDER

prints a table. Formulas are of the heaviest terms of each class; they go to Python, to
SQL by SQLite, to ONNX by onnxruntime, and to PMML by JPMML-Evaluator, where these are
installed. Models have terms of up to two literals, or of one where two are too many.
Some values are made missing, others are those of no training row.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import sqlite3
import tempfile
import warnings
from itertools import pairwise
from math import nan
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd

from benchmarks.sets import load, names
from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.export import to_onnx, to_python
from sklearn_dnfwinnow.inspection._heavy_terms import heavy_terms
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder
from sklearn_dnfwinnow.rules import DNF

# Stands for a missing string.
MISSING = "(missing)"


def disturbed(X):
    """The same rows with missing values, and values that training did not have."""
    X = X.copy()
    for j in range(X.shape[1]):
        of_numbers = X.dtypes.iloc[j].kind in "iuf"
        X.isetitem(j, X.iloc[:, j].astype(float if of_numbers else object))
        X.iloc[j % 11 :: 37, j] = -2.5 if of_numbers else "(new)"
        X.iloc[j % 11 + 11 :: 37, j] = nan
    return X


def plain_rows(X):
    """Rows as mappings, None where missing."""
    listed = [[None if v != v else v for v in X[name].tolist()] for name in X]
    return [dict(zip(X.columns, row)) for row in zip(*listed)]


def feeds_of(session, X):
    """What a session takes of a table."""
    feeds = {}
    for given in session.get_inputs():
        column = X[given.name]
        if given.type == "tensor(double)":
            feeds[given.name] = column.to_numpy(dtype=float)[:, None]
        else:
            objects = column.astype(object)
            strings = objects.where(objects.notna(), MISSING)
            feeds[given.name] = strings.to_numpy(dtype=object)[:, None]
    return feeds


def data_base(rows, columns):
    """A data base with these rows as its table t."""
    quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE t ({', '.join(quoted)})")
    marks = ", ".join("?" * len(quoted))
    values = [tuple(row.values()) for row in rows]
    connection.executemany(f"INSERT INTO t VALUES ({marks})", values)
    return connection


class Pmml:
    """JPMML-Evaluator, in a process of Java."""

    def __init__(self):
        from jpmml_evaluator import make_evaluator
        from jpmml_evaluator.py4j import Py4JBackend

        self._load, self._backend = make_evaluator, Py4JBackend()

    def answers(self, dnf, rows):
        """What it says of rows."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "formula.pmml"
            path.write_text(dnf.to_pmml(), encoding="utf-8", newline="")
            evaluator = self._load(str(path), backend=self._backend)
            table = pd.DataFrame(rows, dtype=object)[dnf.used_features]
            return evaluator.evaluateAll(table)["class"].tolist()


def differences(dnf, X, rows, pmml):
    """How many rows each language has wrong: dict."""
    import onnxruntime

    otherwise = False if dnf.otherwise is None else dnf.otherwise
    then = True if dnf.otherwise is None else dnf.class_
    expected = [then if held else otherwise for held in dnf.holds(X)]
    code = {}
    exec(dnf.to_python(), code)
    found = {"python": list(map(code["predict"], rows))}
    selected = data_base(rows, list(X.columns)).execute(
        f"SELECT {dnf.to_sql(dialect='sqlite')} FROM t ORDER BY rowid"
    )
    found["sql"] = [answer for (answer,) in selected]
    model = dnf.to_onnx(missing=MISSING).SerializeToString()
    session = onnxruntime.InferenceSession(model)
    found["onnx"] = session.run(None, feeds_of(session, X))[0].tolist()
    found["pmml"] = pmml.answers(dnf, rows)
    return {
        language: sum(a != b for a, b in zip(answers, expected, strict=True))
        for language, answers in found.items()
    }


def model_figures(clf, X, rows):
    """Terms, largest differences of scores, wrong classes, microseconds a row."""
    import onnxruntime

    module = {}
    exec(to_python(clf), module)
    session = onnxruntime.InferenceSession(
        to_onnx(clf, missing=MISSING).SerializeToString()
    )
    feeds = feeds_of(session, X)
    expected, predicted = clf.log_weighted_sums(X), clf.predict(X)
    scores, labels = session.run(["scores", "label"], feeds)
    of_python = np.array(list(map(module["log_weighted_sums"], rows)))
    second, first = np.sort(expected, axis=1)[:, -2:].T
    is_clear = first - second > 1e-9
    n_even = int((~is_clear).sum())
    n_wrong = int((labels != predicted)[is_clear].sum())
    by_model = seconds(lambda: clf.predict_proba(X))
    by_onnx = seconds(lambda: session.run(["probabilities"], feeds))
    by_python = seconds(lambda: list(map(module["predict_proba"], rows[:200])))
    return [
        len(module["TERMS"]),
        f"{np.abs(scores - expected).max():.0e}",
        f"{np.abs(of_python - expected).max():.0e}",
        n_wrong,
        n_even,
        *(f"{1e6 * time / len(X):.1f}" for time in (by_model, by_onnx)),
        f"{1e6 * by_python / min(200, len(X)):.0f}",
    ]


def seconds(call):
    """The shortest time of three calls."""
    times = []
    for _ in range(3):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times)


def figures(name, folder, pmml):
    """A row of the table."""
    given, y = load(name, folder, as_frame=True)
    given.columns = given.columns.map(str)
    settings = {"cv": None, "max_iter": 8, "random_state": 0}
    clf = DNFWinnowClassifier(max_term_size=2, **settings).fit(given, y)
    X = disturbed(given)
    rows = plain_rows(X)
    total = dict.fromkeys(("python", "sql", "onnx", "pmml"), 0)
    n_formulas = 0
    decoder = TermDecoder.from_estimator(clf)
    for k, class_ in enumerate(decoder.classes):
        # Each with the next: less than all rows satisfy them.
        found = heavy_terms(decoder.model, k, 12)
        pairs = [{*one.literals, *other.literals} for one, other in pairwise(found)]
        terms = list(map(decoder.term, pairs))
        if not any(map(len, terms)):
            continue
        dnf = DNF(terms, class_, None, decoder.table_features)
        n_formulas += 1
        for language, n_wrong in differences(dnf, X, rows, pmml).items():
            total[language] += n_wrong
    try:
        of_model = model_figures(clf, X, rows)
    except ValueError:
        clf = DNFWinnowClassifier(max_term_size=1, **settings).fit(given, y)
        of_model = model_figures(clf, X, rows)
    return [name, len(X), n_formulas, *total.values(), clf.max_term_size_, *of_model]


HEAD = (
    *("set", "rows", "DNFs", "python", "sql", "onnx", "pmml", "size", "terms"),
    *("onnx ±", "python ±", "wrong", "even", "µs", "µs onnx", "µs python"),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="folder of the other sets")
    parser.add_argument("sets", nargs="*")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    pmml = Pmml()
    table = []
    for name in given.sets or names(given.data):
        table.append(figures(name, given.data, pmml))
        print(*table[-1], flush=True)
    print(pd.DataFrame(table, columns=HEAD).to_string(index=False))


if __name__ == "__main__":
    main()

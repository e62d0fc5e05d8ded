"""
====================================
Rules in a database, without Python
====================================

Rules that were learned here can be used where this package is not installed. This
example learns rules about customers, runs them as SQL in a database, and writes the
whole model as a Python module that imports no package. It checks that all of them give
the same predictions, and measures how long they take.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Rules
# -----
# The customers are made up, with categories, numbers and missing values. The rules name
# the customers who leave. `summary` counts how often each rule is right on customers
# that were not used for training.

import sqlite3
import time
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers
from sklearn_dnfwinnow.export import to_python
from sklearn_dnfwinnow.persistence import from_json, to_json

X, leaves = make_customers(12_000, as_frame=True, random_state=0)
X = X.drop(columns=["customer_id", "signup_date"])
X_train, X_test, y_train, y_test = X[:2000], X[2000:], leaves[:2000], leaves[2000:]
rules = DNFClassifier(otherwise=0, max_term_size=3, random_state=0)
rules = rules.fit(X_train, y_train)
print(rules.summary(X_test, y_test))

# %%
# SQL
# ---
# `to_sql` writes the rules as an expression. A missing value is NULL in the database,
# and satisfies no condition there either. The database reports the same customers as
# the classifier.

(dnf,) = (dnf for dnf in rules.dnfs_ if dnf.terms)
sql = dnf.to_sql(dialect="sqlite")
print(sql)
with sqlite3.connect(":memory:") as database:
    X_test.to_sql("customers", database, index=False)
    start = time.perf_counter()
    rows = database.execute(f"SELECT {sql} FROM customers").fetchall()
    seconds = {"rules, SQLite": time.perf_counter() - start}
by_sql = np.array(rows)[:, 0]
print("equal:", (by_sql == rules.predict(X_test)).all())

# %%
# The whole model
# ---------------
# `to_python` writes a classifier as a module that imports only the standard library. It
# predicts one row at a time, with the same probabilities. With ``screening=1.0``, the
# model learns the weights of thirty chosen terms. The default model here has about a
# million terms, too many for a module. Use `to_json` and `from_json` where this package
# is installed. JSON contains no code, so a file from
# someone else can do no harm.

model = DNFWinnowClassifier(screening=1.0, random_state=0).fit(X_train, y_train)
folder = Path(mkdtemp())
module = folder / "leaves.py"
module.write_text(to_python(model), encoding="utf-8")
to_json(model, folder / "leaves.json")
for path in sorted(folder.iterdir()):
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")

names = {}
exec(compile(module.read_text(encoding="utf-8"), str(module), "exec"), names)
some = X_test[:500].astype(object).where(X_test[:500].notna(), None)
start = time.perf_counter()
alone = [names["predict_proba"](row) for row in some.to_dict("records")]
seconds["model, Python module"] = (time.perf_counter() - start) * len(X_test) / 500
again = from_json(folder / "leaves.json")
for name, predict in {
    "rules": rules.predict,
    "model": model.predict_proba,
    "model from JSON": again.predict_proba,
}.items():
    start = time.perf_counter()
    predict(X_test)
    seconds[name] = time.perf_counter() - start
difference = np.abs(model.predict_proba(X_test[:500]) - alone).max()
print(f"largest difference of probabilities: {difference:.0e}")

# %%
# Time
# ----
# Seconds for ten thousand customers. The package predicts many rows at once; the module
# is for single rows, of which each takes less than a millisecond.

order = sorted(seconds, key=seconds.get)
fig, ax = plt.subplots(figsize=(8, 2.6), layout="constrained")
ax.barh(order, [seconds[name] for name in order], log=True)
ax.set(xlabel="seconds for 10,000 customers")
plt.show()

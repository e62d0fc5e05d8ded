"""
====================================
Rules in a database, without Python
====================================

Rules that were learned here can be used where this package is not installed. This
example learns rules about customers, runs them as SQL in a database and as a Python
function that imports no package, and saves a whole model. It checks that all copies
give the same predictions, and measures how long they take.
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

import joblib
import matplotlib.pyplot as plt
import numpy as np

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import make_customers

X, leaves = make_customers(12_000, as_frame=True, random_state=0)
X = X.drop(columns=["customer_id", "signup_date"])
X_train, X_test, y_train, y_test = X[:2000], X[2000:], leaves[:2000], leaves[2000:]
rules = DNFClassifier(class_of_interest=1, random_state=0)
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
    found = database.execute(f"SELECT {sql} FROM customers").fetchall()
    seconds = {"rules, SQLite": time.perf_counter() - start}
by_sql = np.array(found)[:, 0]
print("equal:", (by_sql == rules.predict(X_test)).all())

# %%
# Python
# ------
# `to_python` writes the source code of a function of one row, which imports nothing.

names = {}
exec(dnf.to_python("leaves"), names)
rows = X_test.astype(object).where(X_test.notna(), None).to_dict("records")
start = time.perf_counter()
by_python = np.array([names["leaves"](row) for row in rows])
seconds["rules, Python function"] = time.perf_counter() - start
print("equal:", (by_python == rules.predict(X_test)).all())

# %%
# The whole model
# ---------------
# A model of all weights has probabilities. joblib saves it for computers where this
# package is installed; load only files that you trust, or use skops.

model = DNFWinnowClassifier(random_state=0).fit(X_train, y_train)
path = Path(mkdtemp()) / "leaves.joblib"
joblib.dump(model, path)
print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")
again = joblib.load(path)
print("equal:", (again.predict_proba(X_test) == model.predict_proba(X_test)).all())
for name, predict in {
    "rules": rules.predict,
    "model": model.predict_proba,
    "model, loaded": again.predict_proba,
}.items():
    start = time.perf_counter()
    predict(X_test)
    seconds[name] = time.perf_counter() - start

# %%
# Time
# ----
# Milliseconds for ten thousand customers. The package predicts many rows at once; the
# function is for single rows.

order = sorted(seconds, key=seconds.get)
fig, ax = plt.subplots(figsize=(8, 2.6), layout="constrained")
ax.barh(order, [1000 * seconds[name] for name in order])
ax.set(xlabel="milliseconds for 10,000 customers")
plt.show()

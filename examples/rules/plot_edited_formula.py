"""
===============================
Edit a rule set and evaluate it
===============================

A short formula of a model can be read, so a domain expert can correct it. This example
evaluates a formula, edits it as text, and compares both versions with the model on
held-out rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A formula from a model
# ----------------------
# The data set describes 286 patients of Ljubljana, and whether their breast cancer
# recurred. It is small and noisy, so formulas also fit random patterns.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import cross_val_score, train_test_split

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_breast_cancer_ljubljana
from sklearn_dnfwinnow.inspection import to_dnf
from sklearn_dnfwinnow.rules import DNF

X, y = load_breast_cancer_ljubljana(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.4, stratify=y, random_state=0
)
model = DNFWinnowClassifier(margin=1.0, alpha=1.1, max_term_size=3, random_state=0)
model.fit(X_train, y_train)
dnf = to_dnf(model, "recurrence-events", X=X_train, y=y_train)
print(dnf)

# %%
# Precision of the rule
# ---------------------
# `summary` counts the rows that satisfy each rule, and those that satisfy
# the whole formula. It also counts how many of these rows belong to the class. The
# precision on the training rows is optimistic. Few rows satisfy the rule here, so
# the Wilson intervals are wide. The held-out rows are not used until all
# edits are done: edits that are based on them would bias the evaluation.

columns = ["term", "n", "precision", "precision_low", "precision_high", "lift"]
table = dnf.summary(X_train, y_train).table
print(table[columns].round(2).to_string(index=False))

# %%
# Edits
# -----
# The condition ``breast = left`` is medically implausible: recurrence should not depend
# on whether the tumour is in the left or the right breast. A surgeon may replace it by
# a high grade of malignancy, and add a rule for three or more lymph nodes with cancer.
# All of this is edited as text. With `values`, unquoted words are values of the data
# set: the grade ``3`` is the string that occurs there.

text = """
node-caps = yes & deg-malig = 3 or
inv-nodes != 0-2 & deg-malig = 3
"""
edited = DNF.parse(text, dnf.class_, dnf.otherwise, values=X_train)
print(edited)

# %%
# Invalid text raises an error with the position of the problem.

try:
    edited.with_term("inv-node = 3-5", values=X_train)
except ValueError as error:
    print(error)

# %%
# Comparison with the model
# -------------------------
# :class:`~sklearn_dnfwinnow.rules.DNFClassifier` makes an estimator of a formula. It
# predicts by the formula, and learns only the class frequencies from the rows.
# Formulas can therefore be compared with all tools that scikit-learn has for
# classifiers, such as the log loss by cross-validation. The rows used here were held
# out when the formulas were made, too.

for name, formula in {"as found": dnf, "edited": edited}.items():
    losses = -cross_val_score(
        DNFClassifier(formula), X_test, y_test, cv=10, scoring="neg_log_loss"
    )
    print(f"{name:>8}: log loss {losses.mean():.3f}")

# %%

table = dnf.summary(X_test, y_test).table
print(table[columns].round(2).to_string(index=False))

# %%

table = edited.summary(X_test, y_test).table
print(table[columns].round(2).to_string(index=False))

# %%
# `explain` lists the rules that a row satisfies. If it satisfies none, `explain`
# lists the failed conditions of the nearest rule.

clf = DNFClassifier(edited).fit(X_train, y_train)
print(clf.explain(X_test[2:5])[["class", "holds", "fails"]].to_string())

# %%
# The edited formula has a lower log loss on the held-out rows. The intervals
# overlap, because few rows satisfy either formula.

predicted = model.predict(X_test) == "recurrence-events"
truth = y_test == "recurrence-events"
measures = {"precision": precision_score, "recall": recall_score}
fig, axes = plt.subplots(1, 2, figsize=(9, 2.6), sharey=True, layout="constrained")
for ax, (measure, score) in zip(axes, measures.items()):
    for place, formula in enumerate([edited, dnf]):
        for rows, labels, colour, shift, label in (
            (X_train, y_train, "0.6", 0.12, "training rows"),
            (X_test, y_test, "C0", -0.12, "held-out rows"),
        ):
            whole = formula.summary(rows, labels).table.iloc[-2]
            value = whole[measure]
            ends = whole[[f"{measure}_low", f"{measure}_high"]].to_numpy(dtype=float)
            ax.errorbar(
                value,
                place + shift,
                xerr=np.abs(ends - value)[:, None],
                fmt="o",
                color=colour,
                capsize=3,
                label=label if place == 0 else None,
            )
    ax.axvline(
        score(truth, predicted), color="C1", linestyle="--", label="model, held-out"
    )
    ax.set(xlim=(0, 1), xlabel=measure, ylim=(-0.5, 1.5))
names = {"edited": edited, "as found": dnf}
axes[0].set_yticks([0, 1], [f"{k},\nrules: {len(v.terms)}" for k, v in names.items()])
axes[1].legend(frameon=False, loc="upper right")
plt.show()

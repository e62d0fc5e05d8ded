"""
==============
Edit a formula
==============

A short formula of a model can be read, and so it can be corrected by who knows the
matter. Here one is measured, edited as text, and compared with the model on rows that
none of them has met.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A formula of a model
# --------------------
# The 286 patients of Ljubljana, and whether their breast cancer recurred. The set is
# small and noisy, so that formulas pick up what is chance.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import precision_score, recall_score
from sklearn.model_selection import cross_val_score, train_test_split

from sklearn_dnfwinnow import DNFClassifier, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_breast_cancer_ljubljana
from sklearn_dnfwinnow.inspection import to_dnf

X, y = load_breast_cancer_ljubljana(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.4, stratify=y, random_state=0
)
model = DNFWinnowClassifier(margin=1.0, alpha=1.1, max_term_size=3, random_state=0)
model.fit(X_train, y_train)
dnf = to_dnf(model, "recurrence-events", n_terms=4, X=X_train, y=y_train)
print(dnf)

# %%
# How good it is
# --------------
# `evaluate` counts, for each term and for all of them, the rows that satisfy it, and
# how many of these are of the class. On the rows of training, precision is better than
# elsewhere. Few rows satisfy a term here, and the intervals of Wilson are wide. Rows
# that are held out wait until all is edited: who edits by them chooses by them, too.

columns = ["term", "n", "precision", "precision_low", "precision_high", "lift"]
print(dnf.evaluate(X_train, y_train)[columns].round(2).to_string(index=False))

# %%
# Edits
# -----
# That a tumour in the left breast should return, but not one in the right, is hard to
# believe, and so is the quadrant. Three terms ask for lymph nodes with cancer, each for
# its own number of them. A surgeon would say the same of any number from three on, and
# may ask for a high grade of malignancy. All of that is text. With `values`, words
# without quotes are values of the table: a grade of ``3`` is the string that it is
# there.

edited = (
    dnf.without("inv-nodes = 3-5 & breast-quad = left_low")
    .without("inv-nodes = 6-8 & deg-malig = 3")
    .replace(
        "inv-nodes = 3-5 & breast = left",
        "inv-nodes != 0-2 & deg-malig = 3",
        values=X_train,
    )
)
print(edited)

# %%
# A text that is not right is refused, and the message tells where.

try:
    edited.with_term("inv-node = 3-5")
except ValueError as error:
    print(error)

# %%
# Beside the model
# ----------------
# :class:`~sklearn_dnfwinnow.rules.DNFClassifier` makes an estimator of a formula: it
# predicts by it, and learns from rows only how often it is right. So formulas can be
# compared by all that scikit-learn has for classifiers, such as the log loss by
# cross-validation. These rows are held out from the formulas, too.

for name, formula in {"as found": dnf, "edited": edited}.items():
    losses = -cross_val_score(
        DNFClassifier(formula), X_test, y_test, cv=10, scoring="neg_log_loss"
    )
    print(f"{name:>8}: log loss {losses.mean():.3f}")

# %%

print(dnf.evaluate(X_test, y_test)[columns].round(2).to_string(index=False))

# %%

print(edited.evaluate(X_test, y_test)[columns].round(2).to_string(index=False))

# %%
# `explain` tells which terms a row satisfies, or what keeps it from the nearest one.

clf = DNFClassifier(edited).fit(X_train, y_train)
print(clf.explain(X_test[2:5])[["class", "holds", "fails"]].to_string())

# %%
# The edited formula is shorter, and holds for other rows: on those that were held out
# neither is better beyond doubt, as the intervals say.

predicted = model.predict(X_test) == "recurrence-events"
truth = y_test == "recurrence-events"
measures = {"precision": precision_score, "recall": recall_score}
fig, axes = plt.subplots(1, 2, figsize=(9, 2.6), sharey=True, layout="constrained")
for ax, (measure, score) in zip(axes, measures.items()):
    for place, formula in enumerate([edited, dnf]):
        for rows, labels, colour, shift, label in (
            (X_train, y_train, "0.6", 0.12, "rows of training"),
            (X_test, y_test, "C0", -0.12, "held-out rows"),
        ):
            whole = formula.evaluate(rows, labels).iloc[-1]
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
axes[0].set_yticks(
    [0, 1], [f"edited,\n{len(edited.terms)} terms", "as found,\n4 terms"]
)
axes[1].legend(frameon=False, loc="upper right")
plt.show()

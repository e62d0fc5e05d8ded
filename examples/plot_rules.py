"""
========================
What a model has learned
========================

A DNFWinnowClassifier is a weighted sum over all conjunctions of attribute values, the
terms. Here are the heaviest of them, a formula of a few terms that stands in for the
whole, what it looks like elsewhere, and which attributes a model looks at.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The heaviest terms
# ------------------
# The votes of 435 members of the House of Representatives, and the party to tell from
# them. `terms` finds the terms of the largest weights. The search is exact: no other
# term of a class is heavier than those that are listed. Given rows, it counts on them
# how many satisfy a term, and how many of these are of the class.
#
# The margin is to be large, so that a few terms have most of the weight. By default
# `fit` chooses by log loss, which can be a model of small steps, with many terms of
# little weight and no rule among them.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.inspection import permutation_importance
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84, load_tic_tac_toe
from sklearn_dnfwinnow.inspection import (
    TermsDisplay,
    attribute_shares,
    export_text,
    terms,
    to_dnf,
)

X, y = load_house_votes_84(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.3, stratify=y, random_state=0
)
large = {"margin": 1.0, "alpha": 1.1, "max_term_size": 3}
clf = DNFWinnowClassifier(**large, random_state=0).fit(X_train, y_train)
table = terms(clf, "democrat", top=5, X=X_test, y=y_test)
columns = ["term", "exponent", "share", "support", "precision", "recall"]
print(table[columns].round(3).to_string(index=False))

# %%
# The same as a picture, of both classes. The axis is logarithmic, as weights are
# products: each promotion multiplies by alpha, each literal by the prior of terms.

TermsDisplay.from_estimator(clf, X_test, y_test, top=6)
plt.show()

# %%
# Most terms have little of a weighted sum on their own: what decides is all of them
# together. `measure='share'` says how much each has, on average over rows of the class.
# `irredundant=True` leaves out terms that are a part of a heavier one, or
# have it as a part: then every bar has something new to say.

TermsDisplay.from_estimator(
    clf, X_test, y_test, top=6, irredundant=True, measure="share"
)
plt.show()

# %%
# A short formula
# ---------------
# Often a few terms do nearly as well as all. `to_dnf` chooses those whose disjunction
# agrees best with the model on the rows of training. Its fidelity is the share of rows
# on which it says the same.

dnf = to_dnf(clf, "republican", X=X_train, y=y_train)
print(dnf)
print({name: round(score, 3) for name, score in dnf.scores.items()})

# %%
# How many terms are needed is to be seen on rows that neither has met. For the votes
# one will do: the few rows on which formulas and model differ do not tell which is
# better. In tic-tac-toe the first player wins by any of eight lines. Each has a term,
# and is missed until that is there.

boards, winners = load_tic_tac_toe(return_X_y=True, as_frame=True)
game = train_test_split(
    boards, winners, test_size=0.3, stratify=winners, random_state=0
)
problems = {
    "votes: republican": (clf, (X_train, X_test, y_train, y_test), "republican"),
    "tic-tac-toe: positive": (
        DNFWinnowClassifier(**large, random_state=0).fit(game[0], game[2]),
        game,
        "positive",
    ),
}
sizes = range(1, 11)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True, layout="constrained")
for ax, (title, (model, parts, class_)) in zip(axes, problems.items()):
    seen, new, seen_y, new_y = parts
    formulas = [to_dnf(model, class_, n, X=seen, y=seen_y) for n in sizes]
    holds = np.array([formula.holds(new) for formula in formulas])
    predicted, truth = model.predict(new) == class_, (new_y == class_).to_numpy()
    fidelity = (holds == predicted).mean(axis=1)
    ax.plot(sizes, fidelity, "o-", linewidth=4, alpha=0.4, label="fidelity")
    ax.plot(sizes, (holds == truth).mean(axis=1), ".-", label="accuracy")
    ax.axhline(
        (predicted == truth).mean(),
        color="0.4",
        linestyle="--",
        label="accuracy of the model",
    )
    ax.set(xlabel="terms at most", title=title)
axes[0].set_ylabel("share of held-out rows")
axes[1].legend(frameon=False, loc="lower right")
plt.show()

# %%
# Elsewhere
# ---------
# The formula needs nothing of this package: it is a condition of SQL, or a function of
# Python. A missing vote satisfies no literal, in all of these forms.

print(dnf.to_sql())

# %%

print(dnf.to_python())

# %%
# Measurements
# ------------
# Names and numbers are those of the table that went in: what the discretizer made of it
# is read backwards, in the classifier as in a pipeline before it. `export_text` is like
# that of a tree.

iris = load_iris(as_frame=True)
species = iris.target.map(dict(enumerate(iris.target_names)))
flowers = DNFWinnowClassifier(
    **large,
    literals="equal",
    discretizer=ClassEntropyDiscretizer(selection="mdl"),
    random_state=0,
).fit(iris.data, species)
print(export_text(flowers, top=3))

# %%

TermsDisplay.from_estimator(flowers, iris.data, species, top=4)
plt.show()

# %%
# What a model looks at
# ---------------------
# The share of the winning weighted sums that mentions an attribute needs no classes,
# and no shuffling. No share is 0, as each attribute is in many terms. It is not what a
# score would lose without the attribute: for that there is permutation importance. Both
# find the one vote that tells most. Most others tell the same again: the model looks at
# them all, and misses none.

shares = attribute_shares(clf, X_test)
importances = permutation_importance(
    clf, X_test, y_test, scoring="neg_log_loss", n_repeats=20, random_state=0
).importances

order = np.argsort(shares)
fig, (left, right) = plt.subplots(
    1, 2, figsize=(9, 4.4), sharey=True, layout="constrained"
)
left.barh(X.columns[order], shares[order])
left.set(xlabel="share of the weighted sums", title="attribute_shares")
right.barh(
    X.columns[order],
    importances.mean(axis=1)[order],
    xerr=importances.std(axis=1)[order],
    color="C1",
    error_kw={"elinewidth": 1},
)
right.set(xlabel="rise of log loss", title="permutation_importance")
plt.show()

"""
============================
What a prediction is made of
============================

A prediction is a comparison of weighted sums, so its reasons can be counted: which
features it depends on, which terms a row satisfies, and how much of each sum they have.
We look at two games of tic-tac-toe that a model is sure of, and at one that it is not.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A model of final boards
# -----------------------
# Rows are final boards, x having moved first; the class is whether x has won. Nobody
# tells the model what a line is. Half of the boards are for training.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_tic_tac_toe
from sklearn_dnfwinnow.inspection import ExplanationDisplay, explain

X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
clf = DNFWinnowClassifier(random_state=0).fit(X_train, y_train)
predicted, lead = clf.predict(X_test), clf.decision_function(X_test)
wrong = np.flatnonzero(predicted != y_test.to_numpy())
print(f"wrong on {len(wrong)} of {len(X_test)} boards")


def show(row):
    """The squares of a board, and who won."""
    for squares in X_test.iloc[row].to_numpy().reshape(3, 3):
        print(" ", *(" " if square == "b" else square for square in squares))
    print("x has won" if y_test.iloc[row] == "positive" else "x has not won")


# %%
# A win
# -----
# The board on which x is furthest ahead. An explanation begins with the predicted class
# and the next one, and their probabilities. The effect of a feature is by how much the
# log-odds of the prediction would shrink if the feature were not known: +0.69 doubles
# the odds. Below are, for each class, the heaviest terms that the row satisfies, with
# their shares of the weighted sum; terms that are not listed have the rest.

win = int(lead.argmax())
show(win)
(explanation,) = explain(clf, X_test.iloc[[win]], top=4)
print(explanation)

# %%
# As a picture: features in favour of the prediction have bars to the right, in its
# colour; those in favour of the next class have bars to the left, in the other colour.

ExplanationDisplay.from_explanation(explanation)
plt.show()

# %%
# Effects that add up
# -------------------
# Each of the effects above is that of one square left out. They do not add up to the
# log-odds. Shapley values do, together with the base value: the log-odds of a board of
# which no square is known, which this model counts as no win.

ExplanationDisplay.from_estimator(clf, X_test, win, top=4, method="shapley")
plt.show()

# %%
# No win
# ------
# The board on which x is furthest behind.

loss = int(lead.argmin())
show(loss)
ExplanationDisplay.from_estimator(clf, X_test, loss, top=4)
plt.show()

# %%
# A near thing
# ------------
# The board with the smallest lead. Boards without a line are the hardest: neither has
# won, which counts as no win for x, and there are 16 of them among 958. Single squares
# come first, no term says enough, and the scores are nearly the same: this is how not
# knowing looks.

near = int(np.abs(lead).argmin())
show(near)
ExplanationDisplay.from_estimator(clf, X_test, near, top=4)
plt.show()

# %%
# Small leads are where to read explanations first: mistakes, if there are any, mostly
# have small ones.

order = np.abs(lead).argsort()
places = np.flatnonzero(np.isin(order, wrong)) + 1
print(f"mistakes among all boards, in the order of leads: {places}")

"""
==============================
Explain individual predictions
==============================

A prediction is a comparison of :term:`weighted sums <weighted sum>`. An explanation
lists the features that the prediction depends on, and the rules that the row
satisfies, with their contributions to the log-odds. This example explains the
predictions for two clear games of tic-tac-toe and for one uncertain game.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# A model of final boards
# -----------------------
# Each row is a final board of tic-tac-toe, where x moved first. The class is whether
# x has won. The model gets no information about lines. Half of the boards are used for
# training.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_tic_tac_toe
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    explain,
    shapley_values,
)

X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
clf = DNFWinnowClassifier(random_state=0).fit(X_train, y_train)
predicted, margin = clf.predict(X_test), clf.decision_function(X_test)
wrong = np.flatnonzero(predicted != y_test.to_numpy())
print(f"wrong on {len(wrong)} of {len(X_test)} boards")


def show(row):
    """Print the squares of a board, and whether x has won."""
    for squares in X_test.iloc[row].to_numpy().reshape(3, 3):
        print(" ", *(" " if square == "b" else square for square in squares))
    print("x has won" if y_test.iloc[row] == "positive" else "x has not won")


# %%
# A win
# -----
# This is the board with the largest :term:`score margin` in favour of x. An explanation
# begins with the predicted class, the next class, and their probabilities. Shapley
# values follow. They start from the log-odds of the average training board, and say how
# much each square moves them: +0.69 doubles the odds. Then come the
# rules that the row satisfies, with the largest contributions: by how
# much the log-odds would be less without the rule.

win = int(margin.argmax())
show(win)
explanations = explain(clf, X_test.iloc[[win]], top=4)
print(explanations)

# %%
# The same explanation as a figure. Features in favour of the prediction have bars to
# the right, in its colour. Features in favour of the next class have bars to the left,
# in the other colour.

ExplanationDisplay.from_explanation(explanations[0])
plt.show()

# %%
# All boards
# ----------
# The mean absolute Shapley values of many boards show which squares matter most: the
# centre, then the corners.

shapley_values(clf, X_test).feature_importances().sort_values().plot.barh()
plt.show()

# %%
# No win
# ------
# This is the board with the largest score margin against x.

loss = int(margin.argmin())
show(loss)
ExplanationDisplay.from_estimator(clf, X_test, loss, top=4)
plt.show()

# %%
# An uncertain prediction
# -----------------------
# This is the board with the smallest score margin. Boards without a line are the
# hardest: neither player has won, which counts as no win for x. The data set has only
# 16 of them among 958 boards. The largest rules are single squares, and none of them
# decides alone, unlike the line of the first board.

near = int(np.abs(margin).argmin())
show(near)
ExplanationDisplay.from_estimator(clf, X_test, near, top=4)
plt.show()

# %%
# Predictions with small score margins deserve explanations first: most mistakes, if
# there are any, have small margins. Here are the rows with the smallest ones:

print(np.abs(margin).argsort()[:5])

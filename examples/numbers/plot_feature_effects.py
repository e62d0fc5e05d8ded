"""
=============================================
Effects of columns, and monotonic constraints
=============================================

A model of rules has no coefficients. Its effect of a column is a curve: by how much a
value of the column raises or lowers the log-odds of a class, on average. This example
draws the curves of a number, of a number with missing values and of a category, and
then asks for a curve that only rises.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The table
# ---------
# Insurers gave 205 cars of 1985 a risk rating from -2 to 3. Here a car is risky if its
# rating is above 0.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto
from sklearn_dnfwinnow.inspection import FeatureEffectDisplay

X, rating = load_auto(return_X_y=True, as_frame=True)
y = np.where(rating.astype(int) > 0, "risky", "safe")
free = DNFWinnowClassifier(random_state=0).fit(X, y)


def draw(feature, model=free):
    """Draw the effect of a column on the log-odds of 'risky'."""
    FeatureEffectDisplay.from_estimator(model, X, feature, class_of_interest="risky")
    plt.show()


# %%
# A number
# --------
# The curve has a step at each cut point of the model, and only there. The band is the
# range of the models that are averaged, and the histogram shows how many rows support
# each part of the curve. Cars with a short wheel base are risky.

draw("wheel-base")

# %%
# A category
# ----------
# Each category has a dot. Cars with two doors are more often risky.

draw("num-of-doors")

# %%
# A number with missing values
# ----------------------------
# The normalized losses say what insurers paid for cars of this kind. They are missing
# in 41 rows; the diamond at the right is the effect of a missing value. The curve
# rises, but not everywhere.

draw("normalized-losses")

# %%
# A curve that only rises
# -----------------------
# If all else is equal, a car with higher losses should never count as safer. With
# `monotonic_cst`, it never does, in new rows either: when the losses rise, the score of
# the second class, 'safe', stays or falls. The direction -1 belongs to this class.

monotone = DNFWinnowClassifier(
    monotonic_cst={"normalized-losses": -1}, random_state=0
).fit(X, y)
draw("normalized-losses", monotone)

# %%
# A constraint that is true costs little accuracy, or none. This one costs a little: the
# other curve falls where few cars are. The figures are held-out log losses of three
# folds.

folds = StratifiedKFold(3, shuffle=True, random_state=0)
for name, model in {"no constraint": free, "monotone": monotone}.items():
    p = cross_val_predict(model, X, y, cv=folds, method="predict_proba")
    print(f"{name}: log loss {log_loss(y, p):.3f}")

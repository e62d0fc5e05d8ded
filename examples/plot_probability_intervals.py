"""
=================================
A probability with its interval
=================================

A classifier that is 90 % sure after 50 rows knows less than one that is 90 % sure after
500. BayesianInteractionClassifier has draws of each probability from the posterior, and
their quantiles are an interval. Here it learns how members of the House of
Representatives vote, from few rows and from many.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Draws of a probability
# ----------------------
# Forty members are held out. `sample_proba` returns draws of their probabilities of
# being democrats: of 4 chains, 400 each.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.inspection import (
    InteractionExplanationDisplay,
    InteractionsDisplay,
)

X, y = load_house_votes_84(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=40, stratify=y, random_state=0
)
draws = {}
for n_rows in (40, 200):
    clf = BayesianInteractionClassifier(
        max_order=2, n_draws=400, burn_in=400, random_state=0
    )
    clf.fit(X_train[:n_rows], y_train[:n_rows])
    draws[n_rows] = clf.sample_proba(X_test)[:, :, 0]
draws[200].shape

# %%
# Intervals of 90 %, for the same members, after 40 rows and after 200. Most get shorter
# with more rows. Some members vote against their party: their intervals stay long.

order = np.argsort(draws[200].mean(axis=0))
is_democrat = (y_test == "democrat").to_numpy()[order]
fig, axes = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
for ax, (n_rows, of_members) in zip(axes, draws.items()):
    low, high = np.quantile(of_members[:, order], [0.05, 0.95], axis=0)
    means = of_members[:, order].mean(axis=0)
    for label, chosen, colour in (
        ("democrats", is_democrat, "tab:blue"),
        ("republicans", ~is_democrat, "tab:red"),
    ):
        places = np.flatnonzero(chosen)
        ax.vlines(places, low[chosen], high[chosen], color=colour, lw=3, alpha=0.4)
        ax.plot(places, means[chosen], "o", color=colour, ms=4, label=label)
    ax.set(ylim=(-0.02, 1.02), ylabel="P(democrat)", title=f"after {n_rows} rows")
axes[0].legend(loc="center left")
axes[1].set_xlabel("members held out, by probability")

# %%
# What it has learned
# -------------------
# Terms that the same training rows satisfy share one effect. The picture has the groups
# of the largest effects on the log odds, with intervals; beside them are how many of
# the rows that satisfy them are of the class, and the number of these rows.

InteractionsDisplay.from_estimator(clf, top=8)

# %%
# One prediction
# --------------
# The mean log odds of a row are a sum over the groups that it satisfies, exactly. The
# interval of "unseen" is what the model does not know: terms that no training row
# satisfies.

doubtful = np.abs(draws[200].mean(axis=0) - 0.5).argmin()
row = X_test.iloc[[doubtful]]
print(clf.explain(row)[0])

# %%
# The same as a picture.

InteractionExplanationDisplay.from_estimator(clf, row)
plt.show()

"""
=====================================
Probabilities with credible intervals
=====================================

A probability of 90 % that was learned from 50 rows is less certain than one that was
learned from 500 rows. BayesianInteractionClassifier draws each probability from its
posterior distribution, and returns credible intervals. This
example predicts the party of members of the US House of Representatives from their
votes, with small and with larger training sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Intervals of probabilities
# --------------------------
# Forty members are held out. `predict_interval` returns an interval of their
# probability of being a democrat, which contains it with a probability of 90 %.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    FeatureEffectDisplay,
    TermsDisplay,
)

X, y = load_house_votes_84(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=40, stratify=y, random_state=0
)
found = {}
for n_rows in (40, 200):
    # Shorter chains than by default, for a quick example.
    clf = BayesianInteractionClassifier(
        max_order=2, n_draws=100, max_rhat=1.02, min_ess=200, random_state=0
    )
    clf.fit(X_train[:n_rows], y_train[:n_rows])
    intervals = clf.predict_interval(X_test, coverage=0.9)
    found[n_rows] = clf.predict_proba(X_test)[:, 0], intervals[:, 0]
print(intervals.shape)

# %%
# The figure shows intervals of 90 % for the same members, with 40 and with 200 training
# rows. Most intervals get shorter with more rows. Some members vote against their
# party, and their intervals stay long.

order = np.argsort(found[200][0])
is_democrat = (y_test == "democrat").to_numpy()[order]
fig, axes = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
for ax, (n_rows, (means, intervals)) in zip(axes, found.items()):
    means, (low, high) = means[order], intervals[order].T
    for label, chosen, colour in (
        ("democrats", is_democrat, "tab:blue"),
        ("republicans", ~is_democrat, "tab:red"),
    ):
        places = np.flatnonzero(chosen)
        ax.vlines(places, low[chosen], high[chosen], color=colour, lw=3, alpha=0.4)
        ax.plot(places, means[chosen], "o", color=colour, ms=4, label=label)
    ax.set(ylim=(-0.02, 1.02), ylabel="P(democrat)", title=f"{n_rows} training rows")
axes[0].legend(loc="lower right")
axes[1].set_xlabel("held-out members, sorted by probability")

# %%
# Draws of classes
# ----------------
# How many of the forty members are democrats? Each draw of `sample_y` has a class for
# each member, and so a number. The distribution of this number includes the uncertainty
# of the probabilities.

numbers = (clf.sample_y(X_test) == "democrat").sum(axis=1)
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
ax.hist(numbers, bins=np.arange(numbers.min(), numbers.max() + 2) - 0.5, color="0.7")
ax.axvline(is_democrat.sum(), color="tab:blue", label="true number")
ax.set(xlabel="democrats among 40 members", ylabel="draws")
ax.legend()

# %%
# The effect of one vote
# ----------------------
# The effect is how much a vote adds to the log-odds, on average over the members, with
# an interval for each of its values. A dot is a median of the draws.

FeatureEffectDisplay.from_estimator(
    clf, X_train[:200], "physician-fee-freeze", class_of_interest="democrat"
)

# %%
# Groups of rules with the largest effects
# ----------------------------------------
# Rules that the same training rows satisfy share one effect. The display shows the
# groups with the largest effects on the log-odds of each class, with intervals. Beside
# them are the lift and the support, measured on the held-out members.

TermsDisplay.from_estimator(clf, X_test, y_test, top=5, measure="effect")

# %%
# Explanation of a prediction
# ---------------------------
# The mean log-odds of a row are exactly the sum of the Shapley values of its
# features. "Rules without training rows" are those that no training row satisfies,
# if the row has such rules; nothing was learned about these.

doubtful = np.abs(found[200][0] - 0.5).argmin()
row = X_test.iloc[[doubtful]]
print(clf.explain(row)[0])

# %%
# The same explanation as a figure:

ExplanationDisplay.from_estimator(clf, row)
plt.show()

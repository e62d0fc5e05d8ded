"""
=====================================
Probabilities with credible intervals
=====================================

A probability of 90 % that was learned from 50 samples is less certain than one that was
learned from 500 samples. BayesianInteractionClassifier draws each probability from its
posterior distribution, and the quantiles of the draws form a credible interval. This
example predicts the party of members of the US House of Representatives from their
votes, with small and with larger training sets.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Draws of a probability
# ----------------------
# Forty members are held out. `sample_proba` returns draws of their probability of being
# a democrat: 400 draws from each of 4 :term:`Markov chains <Markov chain>`.

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
    clf = BayesianInteractionClassifier(max_order=2, n_draws=400, random_state=0)
    clf.fit(X_train[:n_rows], y_train[:n_rows])
    draws[n_rows] = clf.sample_proba(X_test)[:, :, 0]
print(draws[200].shape)

# %%
# The figure shows intervals of 90 % for the same members, with 40 and with 200 training
# samples. Most intervals get shorter with more samples. Some members vote against their
# party, and their intervals stay long.

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
    ax.set(ylim=(-0.02, 1.02), ylabel="P(democrat)", title=f"{n_rows} training samples")
axes[0].legend(loc="center left")
axes[1].set_xlabel("held-out members, sorted by probability")

# %%
# Groups of terms with the largest effects
# ----------------------------------------
# Terms that the same training samples satisfy share one effect. The display shows the
# groups with the largest effects on the log odds, with intervals. Beside them are the
# fraction of the samples that satisfy the group and belong to the class, and the number
# of samples that satisfy the group.

InteractionsDisplay.from_estimator(clf, top=8)

# %%
# Explanation of a prediction
# ---------------------------
# The mean log odds of a sample are exactly the sum over the groups that it satisfies.
# The interval of "unseen" belongs to the :term:`terms <term>` that no training sample
# satisfies; nothing was learned about these.

doubtful = np.abs(draws[200].mean(axis=0) - 0.5).argmin()
row = X_test.iloc[[doubtful]]
print(clf.explain(row)[0])

# %%
# The same explanation as a figure:

InteractionExplanationDisplay.from_estimator(clf, row)
plt.show()

"""
===============================
The next letter of english text
===============================

Li and Neal (2008) predict whether a letter of an english text is a vowel, a consonant, or
something else, from up to 20 letters before it. There are billions of contexts of 20
letters, but few of them occur: contexts that the same training rows have share one
parameter. So their model can look far back, and is not harmed where that does not help.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Windows of a text
# -----------------
# Each row is a window of 20 kinds of letters, and its class is the kind of the next one.
# The last column is the nearest. As in the paper, 1,000 windows are there to train with,
# and 2,910 to test with; the text is Pride and Prejudice.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_english, make_windows
from sklearn_dnfwinnow.inspection import InteractionsDisplay

text = load_english()
kinds = load_english(symbols="kinds", merge_other=True)
print(text[:42])
print(kinds[:42])
X, y = make_windows(kinds[:3930], 20)
X_train, y_train, X_test, y_test = X[:1000], y[:1000], X[1000:], y[1000:]

# %%
# From no letter to twenty
# ------------------------
# ``interactions='nested'`` takes as terms the contexts: the last t letters. For each
# order, here are the error and the average log loss on the test windows.

orders = [0, 1, 2, 3, 5, 10, 20]
errors, losses, terms, groups = [], [], [], []
for max_order in orders:
    clf = BayesianInteractionClassifier(
        interactions="nested",
        max_order=max_order,
        n_draws=50,
        burn_in=100,
        random_state=0,
    )
    with warnings.catch_warnings():
        # Chains are short here, which predictions hardly notice.
        warnings.simplefilter("ignore", ConvergenceWarning)
        clf.fit(X_train, y_train)
    log_proba = clf.predict_log_proba(X_test)
    places = np.searchsorted(clf.classes_, y_test)
    losses.append(-log_proba[np.arange(len(places)), places].mean())
    errors.append(np.mean(log_proba.argmax(axis=1) != places))
    terms.append(clf.n_terms_)
    groups.append(clf.n_groups_)

fig, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
axes[0].plot(orders, errors, "o-")
axes[0].set(xlabel="letters that are looked at", title="error")
axes[1].plot(orders, losses, "o-")
axes[1].set(xlabel="letters that are looked at", title="average log loss")
axes[2].plot(orders, terms, "o-", label="contexts that occur")
axes[2].plot(orders, groups, "s-", label="groups: parameters")
axes[2].set(xlabel="letters that are looked at", title="size of the model")
axes[2].set_ylim(bottom=0)
axes[2].legend()

# %%
# Three letters say most of what can be known. Seventeen more do no harm.
#
# What it has learned
# -------------------
# The contexts of up to three letters with the largest effects on the log odds of a
# vowel, V. C is a consonant, and - anything else; x19 is the letter before, x18 the one
# before that.

clf = BayesianInteractionClassifier(
    interactions="nested", max_order=3, prior="normal", random_state=0
)
clf.fit(X_train, y_train)
InteractionsDisplay.from_estimator(clf, class_="V", top=8)
plt.show()

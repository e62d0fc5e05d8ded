"""
====================================
Text prediction with letter contexts
====================================

Li and Neal (2008) predict the kind of a letter of an English text from up to 20
preceding letters. The kinds are vowel, consonant, and anything else. There are billions
of contexts of 20 letters, but few of them occur. Contexts that occur in the same
training samples share one parameter. The model can therefore use long contexts, and its
accuracy does not suffer where they are not informative.

This example takes about 15 seconds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# Windows of a text
# -----------------
# Each sample is a window of the kinds of 20 letters. Its class is the kind of the next
# letter. The last feature is the nearest letter, ``1 back``. As in the paper, there are
# 1,000 training samples and 2,910 test samples. The text is Pride and Prejudice.

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.exceptions import ConvergenceWarning

from sklearn_dnfwinnow import BayesianInteractionClassifier
from sklearn_dnfwinnow.datasets import load_english, make_windows
from sklearn_dnfwinnow.inspection import InteractionsDisplay

text = load_english()
kinds = load_english(symbols="kinds", merge_other=True)
print(text[:42])
print(kinds[:42])
X, y = make_windows(kinds[:3930], 20)
X = pd.DataFrame(X, columns=[f"{back} back" for back in range(20, 0, -1)])
X_train, y_train, X_test, y_test = X[:1000], y[:1000], X[1000:], y[1000:]

# %%
# From 0 to 20 letters
# --------------------
# With ``interactions='nested'``, the :term:`terms <term>` are the contexts: the last t
# letters. The figure shows the error and the average log loss on the test samples for
# several maximum orders.

orders = [0, 1, 2, 3, 5, 10, 20]
models, errors, losses, terms, groups = {}, [], [], [], []
for max_order in orders:
    clf = BayesianInteractionClassifier(
        interactions="nested",
        max_order=max_order,
        n_chains=2,
        n_draws=40,
        max_rhat=1.2,
        min_ess=10,
        max_sweeps=60,
        random_state=0,
    )
    with warnings.catch_warnings():
        # Chains are short here; predictions hardly change with longer ones.
        warnings.simplefilter("ignore", ConvergenceWarning)
        models[max_order] = clf.fit(X_train, y_train)
    log_proba = clf.predict_log_proba(X_test)
    places = np.searchsorted(clf.classes_, y_test)
    losses.append(-log_proba[np.arange(len(places)), places].mean())
    errors.append(np.mean(log_proba.argmax(axis=1) != places))
    terms.append(clf.n_terms_)
    groups.append(clf.n_groups_)

fig, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
axes[0].plot(orders, errors, "o-")
axes[0].set(xlabel="maximum context length", title="error")
axes[1].plot(orders, losses, "o-")
axes[1].set(xlabel="maximum context length", title="average log loss")
axes[2].plot(orders, terms, "o-", label="contexts that occur")
axes[2].plot(orders, groups, "s-", label="groups (parameters)")
axes[2].set(xlabel="maximum context length", title="size of the model")
axes[2].set_ylim(bottom=0)
axes[2].legend()

# %%
# Three letters contain most of the information. Seventeen more do not increase the
# error.
#
# Contexts with the largest effects
# ---------------------------------
# The display shows the contexts of up to three letters with the largest effects on the
# log-odds of a vowel. V is a vowel, C is a consonant, and - is anything else. The
# last letter is ``1 back``, and the one before it is ``2 back``.

InteractionsDisplay.from_estimator(models[3], class_of_interest="V", top=8)
plt.show()

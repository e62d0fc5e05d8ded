"""
========================================================
The learner of the paper on Congressional voting records
========================================================

The data set contains 16 votes of each of the 435 members of the US House of
Representatives in 1984. The task is to predict the party. This example trains one
:term:`binary Winnow learner` per party, as in Tao and Scott (2004), examines their
scores, and compares three ways to treat missing votes.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The data set
# ------------
# All features are categorical, and the classifier needs no encoding. A missing value is
# neither yes nor no.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84

votes = load_house_votes_84(as_frame=True)
counts = votes.data.apply(lambda column: column.value_counts(dropna=False)).T
counts.columns = counts.columns.fillna("missing")
print(counts)

# %%
# Fit and score
# -------------
# `fit` merges members with identical votes. Each epoch then processes every distinct
# sample once for each time it occurs. The learner of the paper runs for at most 20
# epochs; six are enough for this example. Terms have up to three :term:`literals
# <literal>`, for speed. The two binary Winnow learners are independent, and `n_jobs`
# trains them in parallel. The result does not depend on `n_jobs`.

X_train, X_test, y_train, y_test = train_test_split(
    votes.data, votes.target, test_size=0.3, stratify=votes.target, random_state=0
)
settings = {
    **DNFWinnowClassifier.paper_settings(),
    "max_term_size": "auto",
    "max_iter": 6,
}
clf = DNFWinnowClassifier(**settings, n_jobs=2, random_state=0)
clf.fit(X_train, y_train)
print(f"accuracy on {len(X_test)} samples: {clf.score(X_test, y_test):.3f}")

# %%
# The model is a list of :term:`stored examples <stored example>`: the samples on which
# a binary Winnow learner made a mistake. Each stored example has a :term:`net promotion
# count` for each class. The number of mistakes decreases with the epochs, but does not
# reach zero on this data set.

print(f"{len(clf.stored_examples_)} stored examples")
for epoch, mistakes in enumerate(clf.n_updates_, start=1):
    print(f"epoch {epoch}: ", dict(zip(clf.classes_.tolist(), mistakes.tolist())))

# %%
# Scores and predictions
# ----------------------
# The score of a party is log W - log theta. W is the sum of the weights of all
# :term:`terms <term>` that a sample satisfies, up to 697 terms here. A single binary
# Winnow learner accepts samples with scores of at least 0. For the democrats these are
# right of the vertical line, for the republicans above the horizontal line. The
# prediction is the party with the higher score, also where both learners accept the
# sample or neither does. The boundary is the dashed diagonal. `decision_function` is
# the difference of both scores.

scores = clf.log_weighted_sums(X_test)
decision = clf.decision_function(X_test)
colors = {"democrat": "tab:blue", "republican": "tab:red"}

fig, (plane, bars) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
for party, color in colors.items():
    rows = (y_test == party).to_numpy()
    plane.scatter(*scores[rows].T, s=18, alpha=0.6, color=color, label=party)
plane.axhline(0, color="0.7", linewidth=1)
plane.axvline(0, color="0.7", linewidth=1)
plane.axline((0, 0), slope=1, color="0.3", linestyle="--", linewidth=1)
plane.set(
    xlabel=f"log W - log theta, {clf.classes_[0]}",
    ylabel=f"log W - log theta, {clf.classes_[1]}",
    title="Scores of the two learners",
)
plane.legend()

bars.hist(
    [decision[(y_test == party).to_numpy()] for party in colors],
    bins=np.arange(np.floor(decision.min()), decision.max() + 0.5, 0.5),
    stacked=True,
    color=list(colors.values()),
    label=list(colors),
)
bars.axvline(0, color="0.3", linestyle="--", linewidth=1)
bars.set(xlabel="decision_function", ylabel="samples", title="0 or more: republican")
bars.legend()
plt.show()

# %%
# Three ways to treat missing votes
# ---------------------------------
# With 'unspecified', a missing value satisfies no literal. With 'category', a missing
# vote is a separate category. With 'most_frequent', the most frequent value replaces
# it. On this data set, a missing vote is informative. A single split is too small to
# rank the three options, or to rank the learner of the paper and the default.

print(f"{'':>13}  paper  default")
for missing in ("unspecified", "category", "most_frequent"):
    accuracies = [
        DNFWinnowClassifier(**{**learner, "missing": missing}, random_state=0)
        .fit(X_train, y_train)
        .score(X_test, y_test)
        for learner in (settings, {})
    ]
    print(f"{missing:>13}  {accuracies[0]:.3f}    {accuracies[1]:.3f}")

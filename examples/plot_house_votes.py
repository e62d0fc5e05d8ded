"""
==============================
Party by vote: the House, 1984
==============================

The 435 members of the House of Representatives, 16 votes each, and the party to tell
from them. We learn the two parties with one Winnow each, as in Tao and Scott (2004),
look at how sure they are, and compare three readings of a vote that was not cast.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The table
# ---------
# All columns are categories, as the classifier wants them: no encoding is needed. A
# missing cell is neither yea nor nay.

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
# Members who voted alike on everything are merged in `fit`; each epoch then visits
# every distinct row once for each time it occurs. The paper's learner is set to 20
# epochs at most; six are enough for a first model. Terms have up to three literals, for
# speed. The two Winnows are independent of each other, and `n_jobs` trains them in
# parallel, to the same result.

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
print(f"accuracy on {len(X_test)} rows: {clf.score(X_test, y_test):.3f}")

# %%
# What has been learned is a list of updates, the rows on which a Winnow erred, with an
# exponent for each class. Mistakes become rarer, until those are left that never end.

print(f"{len(clf.updates_)} distinct updates")
for epoch, mistakes in enumerate(clf.n_mistakes_, start=1):
    print(f"epoch {epoch}: ", dict(zip(clf.classes_.tolist(), mistakes.tolist())))

# %%
# Two Winnows, one prediction
# ---------------------------
# The score of a party is log W - log theta, with W the sum of the weights of all terms
# that a row satisfies, up to 697 here. A Winnow on its own says yes from 0 on: that of
# the democrats right of the vertical line, that of the republicans above the horizontal
# one. Where both say yes, or neither does, it takes the higher score, which changes
# sides on the dashed diagonal. `decision_function` is the difference.

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
    title="Scores of the two Winnows",
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
bars.set(xlabel="decision_function", ylabel="rows", title="Republican from 0 on")
bars.legend()
plt.show()

# %%
# Three readings of a missing vote
# --------------------------------
# An attribute without a value satisfies no literal ('unspecified'); or not voting is a
# category of its own; or the most frequent value takes its place. On this set a missing
# vote means something, but one split is too little to rank the three, or the paper's
# learner and the default.

print(f"{'':>13}  paper  default")
for missing in ("unspecified", "category", "most_frequent"):
    accuracies = [
        DNFWinnowClassifier(**{**learner, "missing": missing}, random_state=0)
        .fit(X_train, y_train)
        .score(X_test, y_test)
        for learner in (settings, {})
    ]
    print(f"{missing:>13}  {accuracies[0]:.3f}    {accuracies[1]:.3f}")

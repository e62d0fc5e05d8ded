"""
====================
Search over samplers
====================

The sampler decides how the classifier computes its sums. It is a parameter as any
other, so :class:`~sklearn.model_selection.GridSearchCV` can search over it, and over
its own parameters. This example compares six samplers on the votes of 435 members of
the US House of Representatives: scores, times, and what differs.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The search
# ----------
# All settings that are 'auto' are selected in `fit`, by tables, whatever the sampler
# is: the search compares samplers, not settings. Exact samplers are then trained by a
# table as well. Markov chains are trained by their own estimates. Here they are shorter
# than by default, to save time; `fit` would warn about this each time.
#
# A positive `verbose` of the search prints a line for each
# fit, and one of the classifier prints the progress within a fit.

import warnings

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_house_votes_84
from sklearn_dnfwinnow.samplers import Gibbs, Metropolis, MetropolizedGibbs

X, y = load_house_votes_84(return_X_y=True, as_frame=True)
samplers = ["table", "exact", "frontier"]
samplers += [cls(n_steps=50) for cls in (Metropolis, Gibbs, MetropolizedGibbs)]
search = GridSearchCV(
    DNFWinnowClassifier(n_estimators=1, max_iter=4, random_state=0),
    {"sampler": samplers},
    cv=StratifiedKFold(2, shuffle=True, random_state=0),
    scoring=["accuracy", "neg_log_loss"],
    refit="neg_log_loss",
    verbose=1,
)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)
    search.fit(X, y)

# %%
# Scores and times
# ----------------
# The exact samplers have the same scores to the last digit: they have the same model. A
# table is the fastest in prediction, where the others compute one sum at a time. The
# chains learn other weights: their sums have errors, and their terms have any size.
# They are trained for a few epochs here; longer chains and more epochs take far longer.

results = pd.DataFrame(search.cv_results_)
results.index = ["table", "exact", "frontier", "metropolis", "gibbs", "metropolized"]
columns = "mean_test_accuracy", "mean_test_neg_log_loss", "mean_fit_time"
table = results[[*columns, "mean_score_time"]]
table.columns = ["accuracy", "log loss", "seconds of fit", "of scores"]
table["log loss"] *= -1
print(table.round(3))

# %%
# The same model, by other sums
# -----------------------------
# `sampler` can be changed after `fit`: the stored examples stay, and only the sums of
# predictions are computed in another way. So the errors of the chains in prediction are
# visible by themselves: without them, all dots would be on one line. Nearly
# all score margins keep their sign, and so their class.

clf = DNFWinnowClassifier(
    n_estimators=1, max_iter=4, max_term_size=None, literals="equal", random_state=0
).fit(X[60:], y[60:])
exact = clf.decision_function(X[:60])
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
table["log loss"].plot.barh(ax=left, xlabel="log loss, two folds", color="C0")
left.invert_yaxis()
for sampler in samplers[1:]:
    found = clf.set_params(sampler=sampler).decision_function(X[:60])
    name = sampler if isinstance(sampler, str) else sampler.name
    print(f"{name:20} largest difference {abs(found - exact).max():.2g}")
    right.scatter(exact, found, s=12, label=name)
right.set(xlabel="score margin by a table", ylabel="by another sampler")
right.legend()
plt.show()

"""
==============================================
Grid search over samplers and their parameters
==============================================

The sampler is a parameter of the classifier. It is an object with its own parameters,
so a grid search can optimize all settings of the :term:`Markov chains <Markov chain>`.
This example searches over the sampler, parallel tempering, and the promotion factor of
the learner of the paper. The pipeline first discretizes the numeric features.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The pipeline
# ------------
# In each fold, the discretizer is fitted on the training samples only. This is
# necessary because its :term:`cut points <cut point>` depend on the classes.

import warnings

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.samplers import BruteForce, Gibbs, Metropolis, MetropolizedGibbs

X, y = load_iris(return_X_y=True, as_frame=True)
settings = {**DNFWinnowClassifier.paper_settings(), "max_iter": 1}
model = make_pipeline(
    ClassEntropyDiscretizer(max_intervals=4),
    DNFWinnowClassifier(**settings, random_state=0),
)

# %%
# The search
# ----------
# Brute force uses no Markov chains, so there are two grids. The second grid contains
# the samplers of the paper, with its :term:`temperature ladder`. Brute force is exact.
# With four features, a sum has only 16 :term:`terms <term>`, and the other results
# differ from brute force only by sampling error. The chains have the length used in the
# paper, which is short for four features. `fit` would warn about this each time; the
# warnings are suppressed here.

winnow = "dnfwinnowclassifier__"
alphas = [1.2, 1.5]
search = GridSearchCV(
    model,
    [
        {winnow + "sampler": [BruteForce()], winnow + "alpha": alphas},
        {
            winnow + "sampler": [
                cls(ladder_scale="sum")
                for cls in (Metropolis, Gibbs, MetropolizedGibbs)
            ],
            winnow + "sampler__tempering": [False, True],
            winnow + "alpha": alphas,
        },
    ],
    cv=StratifiedKFold(3, shuffle=True, random_state=0),
)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ConvergenceWarning)
    search.fit(X, y)
print(f"best: {search.best_score_:.3f} with")
for name, value in search.best_params_.items():
    print(f"    {name.removeprefix(winnow)}={value}")

# %%
# The results
# -----------
# The table shows the mean accuracy over the folds for each sampler.

results = pd.DataFrame(search.cv_results_["params"])
results.columns = results.columns.str.removeprefix(winnow)
swaps = results.pop("sampler__tempering").eq(True)
results["sampler"] = [sampler.name for sampler in results["sampler"]]
results["sampler"] = results["sampler"].where(~swaps, results["sampler"] + " + swaps")
results["accuracy"] = search.cv_results_["mean_test_score"]
table = results.pivot(index="sampler", columns="alpha", values="accuracy")
print(table.round(3))

# %%
# The figure adds the spread over the folds. The best of 14 results is slightly
# optimistic: estimates of the sums cannot be better than exact sums. Most error bars
# overlap here. In that case, choose the fastest sampler.

results["error"] = search.cv_results_["std_test_score"] / search.n_splits_**0.5
fig, ax = plt.subplots(figsize=(8, 4), layout="constrained")
samplers = table.index
for i, alpha in enumerate(alphas):
    part = results[results["alpha"] == alpha].set_index("sampler").loc[samplers]
    ax.errorbar(
        [place + 0.2 * (i - 0.5) for place in range(len(samplers))],
        part["accuracy"],
        yerr=part["error"],
        fmt="o",
        capsize=3,
        label=f"alpha = {alpha}",
    )
ax.set_xticks(range(len(samplers)), samplers, rotation=20, ha="right")
ax.set(ylabel="accuracy", title="Iris, 3 folds: mean and its standard error")
fig.legend(loc="outside right upper")
plt.show()

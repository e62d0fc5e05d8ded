"""
==================================
Search over samplers and tempering
==================================

The sampler is a parameter of the classifier, and an object with parameters of its own,
so a grid search can choose everything about the chains. Here it looks at the sampler,
at parallel tempering and at the promotion factor of the paper's learner, in a pipeline
that first makes categories of the measurements.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The pipeline
# ------------
# The discretizer sees the training folds only, as it must: its cut points depend on the
# classes.

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
settings = {**DNFWinnowClassifier.paper_settings(), "max_iter": 3}
model = make_pipeline(
    ClassEntropyDiscretizer(max_intervals=4),
    DNFWinnowClassifier(**settings, random_state=0),
)

# %%
# The search
# ----------
# Brute force has no chains to temper, hence two grids. The samplers of the second one
# are those of the paper, with its own ladder. Brute force is exact, and with four
# attributes a sum has only 16 terms: what the others differ from it is sampling error.
# Chains are as long as the paper's, which is short for four attributes: `fit` would say
# so each time.

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
    cv=StratifiedKFold(5, shuffle=True, random_state=0),
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
# Mean accuracy over the folds, a row for each sampler.

results = pd.DataFrame(search.cv_results_["params"])
results.columns = results.columns.str.removeprefix(winnow)
swaps = results.pop("sampler__tempering").eq(True)
results["sampler"] = [sampler.name for sampler in results["sampler"]]
results["sampler"] = results["sampler"].where(~swaps, results["sampler"] + " + swaps")
results["accuracy"] = search.cv_results_["mean_test_score"]
table = results.pivot(index="sampler", columns="alpha", values="accuracy")
print(table.round(3))

# %%
# The same with the spread over the folds. The best of 14 settings is a little lucky:
# an estimate of the sums is not better than the sums. Where the error bars overlap, as
# most do here, take the cheapest sampler.

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
ax.set(ylabel="accuracy", title="Iris, 5 folds: mean and its standard error")
fig.legend(loc="outside right upper")
plt.show()

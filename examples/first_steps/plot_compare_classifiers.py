"""
=================================
Comparison with other classifiers
=================================

This example compares the cross-validated accuracy of DNFWinnowClassifier and of some
classifiers of scikit-learn on three categorical data sets. The classes of two of them
follow a short formula, for which a learner of formulas is well suited. The third data
set is a record of votes.

DNFWinnowClassifier is compared with two settings: its defaults, and the learner of Tao
and Scott (2004). The default selects among a few settings by :term:`internal
cross-validation`. No other parameter is tuned. Three data sets are not a benchmark.
This example takes about five seconds.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The classifiers
# ---------------
# The other classifiers need numeric input. They get one-hot encoded features, except
# for naive Bayes, which handles category codes directly. DNFWinnowClassifier takes the
# data frame as it is, and treats missing votes as :term:`unspecified`. For the others,
# a missing vote is a category.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import (
    load_house_votes_84,
    load_monks,
    load_tic_tac_toe,
)


def fill(X):
    """Replace missing values by a category."""
    return X.astype(object).fillna("missing")


def on_indicators(model):
    """One-hot encode the features before a model."""
    encoder = OneHotEncoder(handle_unknown="ignore")
    return make_pipeline(FunctionTransformer(fill), encoder, model)


sets = {
    "tic-tac-toe": load_tic_tac_toe(return_X_y=True, as_frame=True),
    "monks-1": load_monks(1, subset="train", return_X_y=True, as_frame=True),
    "house-votes-84": load_house_votes_84(return_X_y=True, as_frame=True),
}


def contestants(X):
    """Models by name, for a data set."""
    # The encoder needs all categories, also those that a fold does not contain.
    categories = [sorted(set(column)) for _, column in fill(X).items()]
    naive_bayes = make_pipeline(
        FunctionTransformer(fill),
        OrdinalEncoder(categories=categories),
        CategoricalNB(min_categories=[len(c) for c in categories]),
    )
    return {
        "DNFWinnow": DNFWinnowClassifier(random_state=0),
        "DNFWinnow, paper": DNFWinnowClassifier(
            **{**DNFWinnowClassifier.paper_settings(), "max_term_size": "auto"},
            random_state=0,
        ),
        "random forest": on_indicators(
            RandomForestClassifier(n_estimators=50, random_state=0)
        ),
        "decision tree": on_indicators(DecisionTreeClassifier(random_state=0)),
        "logistic regression": on_indicators(LogisticRegression()),
        "naive Bayes": naive_bayes,
        "majority": DummyClassifier(),
    }


# %%
# The scores
# ----------
# All classifiers use the same three folds.

folds = StratifiedKFold(3, shuffle=True, random_state=0)
scores = {
    name: {
        model: cross_val_score(estimator, X, y, cv=folds)
        for model, estimator in contestants(X).items()
    }
    for name, (X, y) in sets.items()
}
for name, of_set in scores.items():
    print(name)
    for model, values in of_set.items():
        error = values.std(ddof=1) / 3**0.5
        print(f"    {model:<20} {values.mean():.3f} +- {error:.3f}")

# %%
# The error bars are standard errors of the mean over folds. They are slightly too
# small, because folds share training rows.

fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True, layout="constrained")
for ax, (name, of_set) in zip(axes, scores.items()):
    places = np.arange(len(of_set))[::-1]
    means = np.array([values.mean() for values in of_set.values()])
    errors = [values.std(ddof=1) / 3**0.5 for values in of_set.values()]
    ax.errorbar(
        means, places, xerr=errors, fmt="o", capsize=3, color="0.4", linestyle="none"
    )
    ax.plot(means[0], places[0], "o", color="tab:red", zorder=3)
    ax.set_yticks(places, list(of_set))
    ax.set(title=name, xlabel="accuracy", ylim=(-0.5, len(of_set) - 0.5))
    ax.grid(axis="x", color="0.9")
plt.show()

"""
========================
Beside other classifiers
========================

Cross-validated accuracy of the classifier and of some of scikit-learn's, on three
tables of categories. Two of them hide a short formula, which is what a learner of
formulas is for; the third is a record of votes.

The classifier is there twice: as it is by default, and as the learner of Tao and Scott
(2004). By default it chooses among a few settings by folds of the training rows; else
nothing is tuned, and three tables do not make a benchmark.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# %%
# The contestants
# ---------------
# The others need numbers, and get indicator columns, or codes in the case of naive
# Bayes, which knows them for what they are. DNFWinnowClassifier takes the
# table as it is, and leaves missing votes unspecified; for the others they are a
# category.

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
    """Make a category of missing values."""
    return X.astype(object).fillna("missing")


def on_indicators(model):
    """Put indicator columns before a model."""
    encoder = OneHotEncoder(handle_unknown="ignore")
    return make_pipeline(FunctionTransformer(fill), encoder, model)


sets = {
    "tic-tac-toe": load_tic_tac_toe(return_X_y=True, as_frame=True),
    "monks-1": load_monks(1, subset="train", return_X_y=True, as_frame=True),
    "house-votes-84": load_house_votes_84(return_X_y=True, as_frame=True),
}


def contestants(X):
    """Models by name, for a table."""
    # Every fold has to know all categories, also those that it does not have.
    categories = [sorted(set(column)) for _, column in fill(X).items()]
    naive_bayes = make_pipeline(
        FunctionTransformer(fill),
        OrdinalEncoder(categories=categories),
        CategoricalNB(min_categories=[len(c) for c in categories]),
    )
    return {
        "DNFWinnow": DNFWinnowClassifier(random_state=0),
        "the paper's": DNFWinnowClassifier(
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
# The same five folds for all.

folds = StratifiedKFold(5, shuffle=True, random_state=0)
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
        error = values.std(ddof=1) / 5**0.5
        print(f"    {model:<20} {values.mean():.3f} +- {error:.3f}")

# %%
# The standard errors are those of the mean over folds. Folds share training rows, so
# they are a little too small.

fig, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True, layout="constrained")
for ax, (name, of_set) in zip(axes, scores.items()):
    places = np.arange(len(of_set))[::-1]
    means = np.array([values.mean() for values in of_set.values()])
    errors = [values.std(ddof=1) / 5**0.5 for values in of_set.values()]
    ax.errorbar(
        means, places, xerr=errors, fmt="o", capsize=3, color="0.4", linestyle="none"
    )
    ax.plot(means[0], places[0], "o", color="tab:red", zorder=3)
    ax.set_yticks(places, list(of_set))
    ax.set(title=name, xlabel="accuracy", ylim=(-0.5, len(of_set) - 0.5))
    ax.grid(axis="x", color="0.9")
plt.show()

"""Peers: other classifiers of tables, and ours, by name.

Encoders are part of each pipeline. All take data frames whose measurements are numbers
and whose categories are strings. One-hot columns have one for missing values; trees
take measurements as they are, linear models and kernels scaled ones.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from importlib.util import find_spec

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from benchmarks.rules.ours import Formula
from benchmarks.rules.ripper import Ripper
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier


def ours(seed):
    """Winnow over all terms, with its defaults."""
    return DNFWinnowClassifier(random_state=seed)


def ours_cut(seed):
    """The same on a table that was cut before, with the labels of all its rows."""
    return make_pipeline(ClassEntropyDiscretizer(), ours(seed))


def ours_single(seed):
    """The same without folds: one candidate."""
    return DNFWinnowClassifier(cv=None, random_state=seed)


def ours_one(seed):
    """The same with one model, where the default averages up to three."""
    return DNFWinnowClassifier(n_estimators=1, random_state=seed)


def one_hot(measurements):
    """Zeros and ones for categories, beside what a transformer makes of the rest."""
    categories = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer(
        (measurements, make_column_selector(dtype_include=np.number)),
        (categories, make_column_selector(dtype_exclude=np.number)),
    )


def on_raw(classifier):
    """A classifier for measurements of any scale, some missing."""
    return make_pipeline(one_hot("passthrough"), classifier)


def on_scaled(classifier):
    """A classifier for measurements of one scale, none missing."""
    scaled = make_pipeline(StandardScaler(), SimpleImputer(add_indicator=True))
    return make_pipeline(one_hot(scaled), classifier)


class Categories(TransformerMixin, BaseEstimator):
    """Categories of pandas, those of training; other values become missing."""

    def fit(self, X, y=None):
        names = X.select_dtypes(exclude="number")
        # XGBoost refuses a column without any category.
        self.types_ = {
            name: X[name].astype("category").cat.add_categories(["no such value"]).dtype
            if X[name].isna().all()
            else X[name].astype("category").dtype
            for name in names
        }
        return self

    def transform(self, X):
        return X.astype(self.types_)


def boosting(seed):
    """Boosted trees that take categories natively."""
    return make_pipeline(
        Categories(), HistGradientBoostingClassifier(random_state=seed)
    )


def lightgbm(seed):
    """LightGBM, which takes categories natively."""
    from lightgbm import LGBMClassifier

    trees = LGBMClassifier(random_state=seed, n_jobs=1, verbose=-1)
    return make_pipeline(Categories(), trees)


def ebm(seed):
    """The explainable boosting machine of interpret."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(random_state=seed, n_jobs=1)


class OnCodes(ClassifierMixin, BaseEstimator):
    """A classifier that wants its classes as numbers from 0."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.trees_ = self._trees(X).fit(self._filled(X), labels)
        return self

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X):
        return self.trees_.predict_proba(self._filled(X))

    @staticmethod
    def _filled(X):
        return X


class CatBoost(OnCodes):
    """CatBoost, which takes categories natively but for missing ones."""

    def _trees(self, X):
        from catboost import CatBoostClassifier

        return CatBoostClassifier(
            cat_features=list(X.select_dtypes(exclude="number")),
            random_seed=self.random_state,
            thread_count=1,
            verbose=False,
            allow_writing_files=False,
        )

    @staticmethod
    def _filled(X):
        categories = X.select_dtypes(exclude="number")
        return X.assign(**categories.astype(object).fillna("?"))


class XGBoost(OnCodes):
    """XGBoost, which takes categories natively."""

    def _trees(self, X):
        from xgboost import XGBClassifier

        trees = XGBClassifier(
            enable_categorical=True, random_state=self.random_state, n_jobs=1
        )
        return make_pipeline(Categories(), trees)


# Each makes an estimator for a seed.
METHODS = {
    "ours": ours,
    "ours-cut": ours_cut,
    "ours-single": ours_single,
    "ours-one": ours_one,
    "forest": lambda seed: on_raw(RandomForestClassifier(200, random_state=seed)),
    "boosting": boosting,
    "lightgbm": lightgbm,
    "xgboost": XGBoost,
    "catboost": CatBoost,
    "logistic": lambda seed: on_scaled(LogisticRegression(max_iter=1000)),
    "svm": lambda seed: on_scaled(SVC(C=10)),
    "svc-1": lambda seed: on_scaled(SVC(C=1)),
    "svc-100": lambda seed: on_scaled(SVC(C=100)),
    "ebm": ebm,
}
# Each makes rules for a target, see `sets.target_of`, of two classes.
RULES = {
    "to_dnf": lambda seed, target: Formula(target=target, seed=seed),
    "ripper": lambda seed, target: Ripper(target=target, random_state=seed),
}
# What some methods need beyond the dependencies of the benchmarks.
PACKAGES = {
    "lightgbm": "lightgbm",
    "xgboost": "xgboost",
    "catboost": "catboost",
    "ebm": "interpret",
    "ripper": "wittgenstein",
}


def missing():
    """Methods whose package is not installed, and these packages."""
    return {m: p for m, p in PACKAGES.items() if find_spec(p) is None}

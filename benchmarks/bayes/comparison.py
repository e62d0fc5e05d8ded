"""Error and log loss of the Bayesian classifier, beside Winnow and others.

``python -m benchmarks.bayes.comparison --data FOLDER`` prints error and log loss, with
standard errors, on all sets; ten folds, stratified where each class has ten rows, and
the given splits of the MONK's problems. ``--sets``, ``--models`` and ``--folds`` take
some of them.

- ``base``: the frequencies of the classes of the training rows.
- ``cauchy``, ``normal``: BayesianInteractionClassifier with these priors.
- ``winnow``: DNFWinnowClassifier, its defaults.
- ``logistic``: logistic regression on products of pairs of one-hot columns, with C by
  inner folds.
- ``gp``: a Gaussian process classifier (Laplace approximation) with the kernel that the
  normal prior is equal to, its variances by marginal likelihood; up to 1,000 rows.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import json
import warnings
from math import comb
from time import perf_counter

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import Kernel
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
)

from benchmarks.sets import LOADERS, OTHERS, load, splits
from sklearn_dnfwinnow import (
    BayesianInteractionClassifier,
    ClassEntropyDiscretizer,
    DNFWinnowClassifier,
)

_MOST_ROWS_OF_GP = 1000


class AgreementKernel(Kernel):
    """The sum over orders o of v_o times the choices of o among agreements.

    Parameters
    ----------
    log_variances : tuple of float
        Of orders from 0. The prior of a term of order o has the variance v_o divided by
        the number of terms of this order that a row satisfies.
    """

    def __init__(self, log_variances=(1.0, 0.0, -1.0)):
        self.log_variances = log_variances

    @property
    def theta(self):
        """Return the hyperparameters that are fitted."""
        return np.array(self.log_variances)

    @theta.setter
    def theta(self, theta):
        self.log_variances = tuple(theta)

    @property
    def bounds(self):
        """Return their bounds."""
        return np.array([[-9.0, 6.0]] * len(self.log_variances))

    @property
    def hyperparameters(self):
        """Return no names: there is one vector."""
        return []

    def clone_with_theta(self, theta):
        """Return the same with other hyperparameters."""
        return AgreementKernel(tuple(theta))

    def __call__(self, X, Y=None, eval_gradient=False):
        Y = X if Y is None else Y
        agreements = sum((x[:, None] == y) & (x[:, None] > 0) for x, y in zip(X.T, Y.T))
        p, parts = X.shape[1], []
        for o, log_variance in enumerate(self.log_variances):
            choices = np.array([comb(a, o) for a in range(p + 1)]) / comb(p, o)
            parts.append(np.exp(log_variance) * choices[agreements])
        return (sum(parts), np.stack(parts, axis=2)) if eval_gradient else sum(parts)

    def diag(self, X):
        """Return the diagonal of the matrix."""
        return np.array([self(x[None])[0, 0] for x in X])

    def is_stationary(self):
        """Return that it is not."""
        return False


def cut():
    """Intervals for columns of more than ten numbers, as text; others as they are."""
    return ClassEntropyDiscretizer(selection="quantiles", max_intervals=8)


def one_hot_pairs(seed):
    """Logistic regression on pairs of one-hot columns."""
    return make_pipeline(
        cut(),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
        PolynomialFeatures(2, interaction_only=True, include_bias=False),
        LogisticRegressionCV(
            Cs=np.logspace(-3, 1, 5),
            cv=StratifiedKFold(3, shuffle=True, random_state=seed),
            scoring="neg_log_loss",
            max_iter=500,
        ),
    )


def gaussian_process(seed):
    """The normal model as a Gaussian process."""
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1,
                           encoded_missing_value=-1)  # fmt: skip
    return make_pipeline(
        cut(),
        codes,
        FunctionTransformer(lambda X: np.asarray(X, dtype=int) + 1),
        GaussianProcessClassifier(AgreementKernel(), random_state=seed),
    )


MODELS = {
    "base": lambda seed: DummyClassifier(strategy="prior"),
    "cauchy": lambda seed: BayesianInteractionClassifier(random_state=seed),
    "normal": lambda seed: BayesianInteractionClassifier(
        prior="normal", random_state=seed
    ),
    "winnow": lambda seed: DNFWinnowClassifier(random_state=seed),
    "logistic": one_hot_pairs,
    "gp": gaussian_process,
}


def losses(model, X, y, train, test):
    """Return errors and log losses of the rows of a fold, and seconds of its fit."""
    began = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = clone(model).fit(X.iloc[train], y[train])
        seconds = perf_counter() - began
        proba = fitted.predict_proba(X.iloc[test])
    classes = fitted.classes_.tolist()
    known = np.isin(y[test], classes)
    errors = fitted.classes_[proba.argmax(axis=1)] != y[test]
    places = np.array([classes.index(label) for label in y[test][known]])
    chosen = proba[known][np.arange(len(places)), places]
    return errors, -np.log(np.maximum(chosen, 1e-15)), seconds


def mean(values):
    """Return the mean and its standard error, as text."""
    return f"{np.mean(values):.3f} ± {np.std(values) / np.sqrt(len(values)):.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=None)
    parser.add_argument("--sets", nargs="+", default=[*LOADERS, *OTHERS])
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.sets:
        X, y = load(name, options.data, as_frame=True)
        y = np.asarray(y)
        folds = splits(name, y, options.seed)[: options.folds]
        for model in options.models:
            if model == "gp" and len(folds[0][0]) > _MOST_ROWS_OF_GP:
                continue
            found = [
                losses(MODELS[model](options.seed), X, y, train, test)
                for train, test in folds
            ]
            errors, log_losses, seconds = zip(*found)
            record = {
                "set": name,
                "model": model,
                "error": mean(np.concatenate(errors)),
                "log_loss": mean(np.concatenate(log_losses)),
                "seconds": round(float(np.mean(seconds)), 2),
            }
            print(json.dumps(record, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()

"""The discretizer: columns of numbers, of few rows or many."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.pipeline import make_pipeline

from benchmarks.common import Fits
from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier


class Discretizer(Fits):
    """Its time and memory, and the error of a classifier that is given its intervals.

    The classes are two terms over intervals of four columns, beside two that mean
    nothing, with 10 % noise.
    """

    params = [[1000, 10_000], ["max", "mdl", "balanced"]]
    param_names = ["rows", "selection"]

    def rows(self, n_rows, selection):
        rng = np.random.default_rng(0)
        X = rng.uniform(size=(n_rows, 6))
        inside = np.abs(X - 0.5) < 0.27
        y = (inside[:, 0] & ~inside[:, 1]) | (~inside[:, 2] & inside[:, 3])
        return X, np.where(rng.random(n_rows) < 0.1, rng.random(n_rows) < 0.5, y)

    def estimator(self, n_rows, selection):
        return ClassEntropyDiscretizer(selection=selection)

    def setup(self, *params):
        super().setup(*params)
        self.fit()

    def time_transform(self, n_rows, selection):
        self.model.transform(self.X_test)

    def track_error(self, n_rows, selection):
        classifier = DNFWinnowClassifier(random_state=0)
        model = make_pipeline(self.model, classifier).fit(self.X, self.y)
        return 100 * np.mean(model.predict(self.X_test) != self.y_test)

    track_error.unit = "%"

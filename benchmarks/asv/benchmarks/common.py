"""What estimators are measured for, as mixins, and the tables they are measured on.

A benchmark says which parameters it runs with (`params`), and which rows (`rows`) and
estimator (`estimator`) these mean; asv sets it up in a process of its own for a figure.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from abc import ABC, abstractmethod

import numpy as np
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import ClassEntropyDiscretizer, datasets


def table(name):
    """X of categories and y: a bundled set, or rows of a random DNF with 5 % noise."""
    if not name.isdigit():
        load = getattr(datasets, f"load_{name.replace('-', '_')}")
        X, y = load(return_X_y=True, as_frame=False)
        return np.asarray(ClassEntropyDiscretizer().fit_transform(X, y), object), y
    return datasets.make_dnf(int(name), 14, noise=0.05, random_state=0)


class Fits(ABC):
    """Time and peak memory of a fit, and the error on a third of the rows, held out."""

    timeout = 300

    @abstractmethod
    def rows(self, *params):
        """X and y."""

    @abstractmethod
    def estimator(self, *params):
        """What is fitted to them."""

    def setup(self, *params):
        X, y = self.rows(*params)
        self.X, self.X_test, self.y, self.y_test = train_test_split(
            X, y, test_size=1 / 3, stratify=y, random_state=0
        )
        self.model = self.estimator(*params)

    def fit(self):
        self.model.fit(self.X, self.y)

    def time_fit(self, *params):
        self.fit()

    def peakmem_fit(self, *params):
        self.fit()

    def track_error(self, *params):
        self.fit()
        return 100 * np.mean(self.model.predict(self.X_test) != self.y_test)

    track_error.unit = "%"


class Predicts(Fits):
    """Time and peak memory of `predict` too."""

    def setup(self, *params):
        super().setup(*params)
        self.fit()

    def time_predict(self, *params):
        self.model.predict(self.X_test)

    def peakmem_predict(self, *params):
        self.model.predict(self.X_test)

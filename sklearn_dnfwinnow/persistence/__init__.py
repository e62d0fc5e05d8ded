"""Persistence: saving fitted estimators as JSON without executable code, and loading.

Loading a pickle can execute any code. The JSON contains only numbers and strings.
Loading checks all of them, and raises ValueError if anything is invalid. The loaded
estimator gives bit-identical predictions, and further training has the same results.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Each module handles the state of one kind of estimator; `_estimator` contains the
# registry, and `_json` the public functions. This package is above all others: it can
# import the classifier and everything that the classifier imports, and no other package
# imports it. It reads no pickles, and executes nothing that it reads.

from sklearn_dnfwinnow.persistence._json import from_json, to_json

__all__ = ["from_json", "to_json"]

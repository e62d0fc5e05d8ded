"""Persistence: fitted estimators as JSON, which holds no code, and back.

A pickle can run anything when it is read. What is written here are numbers and strings;
reading checks all of them, and raises ValueError where something is not as it should
be. The estimator that comes back predicts the same, to the last bit, and goes on
learning the same.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Each module has the state of one kind of estimator; `_estimator` has the registry,
# `_json` the functions. This room stands above all others: it may import the classifier
# and what the classifier imports. Nothing but the user imports it. It reads no pickles,
# and executes nothing that it reads.

from sklearn_dnfwinnow.persistence._json import from_json, to_json

__all__ = ["from_json", "to_json"]

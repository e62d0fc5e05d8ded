"""The state of a fitted DNFWinnowClassifier by its public attributes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

_ATTRIBUTES = (
    *("stored_examples_", "net_promotion_counts_", "denominator_", "alpha_"),
    *("literal_weight_", "max_term_size_", "screening_", "log_threshold_", "scale_"),
    *("intercept_", "n_iter_", "n_updates_"),
)


def fitted_state(classifier):
    """Return what a classifier has learned: equal by `==` if it is bit-identical."""
    models = [
        {
            **{name: np.asarray(getattr(m, name)).tolist() for name in _ATTRIBUTES},
            # As text, in which NaN equals itself, and 1 differs from 1.0 and True.
            "categories_": [repr(values) for values in m.categories_],
        }
        for m in classifier.estimators_
    ]
    return {"models": models, "weights": classifier.estimator_weights_.tolist()}


def assert_same_state(classifier, other):
    """Assert that two classifiers have learned the same."""
    assert fitted_state(classifier) == fitted_state(other)

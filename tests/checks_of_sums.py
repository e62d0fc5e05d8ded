"""scikit-learn's checks of estimators that differ in how their sums are computed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import pytest
from internals.samplers import sampler_of
from sklearn.utils.estimator_checks import estimator_checks_generator

# The whole set runs for the default and two more configurations of an estimator. The
# others share its parameters, input checks, tags and messages: what they can change is
# what sums change. A check is here if it judges what was learned, or compares results
# that sums have to give alike: in another order, one by one, after a second fit, from a
# copy, for weights as for repetitions, for numbers of another type, and on the smallest
# tables. Class weights become units of presentation before the first sum, and those of
# 1,000, which take minutes with many engines, have a test of their own.
CHECKS_OF_SUMS = {
    "check_classifiers_classes",
    "check_classifiers_one_label",
    "check_classifiers_train",
    "check_decision_proba_consistency",
    "check_dict_unchanged",
    "check_estimators_dtypes",
    "check_estimators_pickle",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_fit_idempotent",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_sample_weight_equivalence_on_dense_data",
}


# It sets `cv` to one fold for each sample. Terms are counted in tables until the last
# fit, in which engines that enumerate all terms take a minute.
SLOW = {"brute_force", "subsets"}
OF_WEIGHTS = "check_sample_weight_equivalence_on_dense_data"


def checks_of_sums(estimators):
    """Cases of a test `(estimator, check)`, without weights for slow engines.

    Of variants of one check, the first runs: the others read the same numbers from
    memory of another kind, and they become codes before the first sum.
    """
    cases = []
    for estimator in estimators:
        settings = " ".join(str(estimator).split())
        names = set(CHECKS_OF_SUMS)
        if sampler_of(estimator.get_params().get("sampler", "auto")).name in SLOW:
            names.remove(OF_WEIGHTS)
        for one, check in estimator_checks_generator(estimator):
            name = check.func.__name__
            if name in names:
                names.remove(name)
                cases.append(pytest.param(one, check, id=f"{settings}-{name}"))
        assert not names, f"scikit-learn has no {names}."
    return cases

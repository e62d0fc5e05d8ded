"""Steps: the transformers in front of a classifier, and the classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._utils._estimators import InteractionModelMixin, TermModelMixin
from sklearn_dnfwinnow.rules._dnf_classifier import DNFClassifier

_THRESHOLDS = FixedThresholdClassifier, TunedThresholdClassifierCV
# Wrappers whose predictions differ from those of the classifier inside.
ADJUSTERS = CalibratedClassifierCV, *_THRESHOLDS
# The classifier with each mixin.
_NAMES = {
    TermModelMixin: "DNFWinnowClassifier",
    InteractionModelMixin: "BayesianInteractionClassifier",
    DNFClassifier: "DNFClassifier",
}


def steps_of(estimator, mixin=TermModelMixin):
    """Return the steps before a classifier over terms, and the classifier.

    Parameters
    ----------
    estimator : TableModelMixin, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, a CalibratedClassifierCV of one model, and any nesting of
        these.
    mixin : type or tuple of types, default=TermModelMixin
        Required type of the classifier.

    Returns
    -------
    steps : list of transformers
        Including those of nested pipelines; without steps that do nothing.
    classifier : TableModelMixin

    Raises
    ------
    TypeError
        If the estimator contains no such classifier.
    NotFittedError
        If the classifier is not fitted.
    """
    *outer, classifier = levels_of(estimator, mixin)
    pipelines = [level for level in outer if isinstance(level, Pipeline)]
    check_is_fitted(classifier)
    return flatten_steps(
        step for one in pipelines for _, step in one.steps[:-1]
    ), classifier


def levels_of(estimator, mixin=TermModelMixin):
    """Return the estimators around a classifier, from the outermost, and itself."""
    levels = [estimator]
    while not isinstance(levels[-1], mixin):
        levels.append(_inside(levels[-1], estimator, mixin))
    return levels


def cost_of_threshold(estimator, class_, mixin=TermModelMixin):
    """Return the cost of a missed row of a class that a threshold stands for.

    A class that is predicted above the probability t is predicted where (1 - t) / t
    times its probability is above the probability of all others. 1 without a
    threshold, and for one of other scores than probabilities.
    """
    levels = levels_of(estimator, mixin)
    outermost = next((one for one in levels if isinstance(one, _THRESHOLDS)), None)
    if outermost is None:
        return 1.0
    threshold = getattr(outermost, "best_threshold_", None)
    if threshold is None:
        threshold = outermost.threshold
    if threshold == "auto" or not 0 < threshold < 1:
        return 1.0
    positive = getattr(outermost, "pos_label", None)
    if positive is None:
        positive = outermost.classes_[1]
    cost = (1.0 - threshold) / threshold
    return float(cost if class_ == positive else 1.0 / cost)


def flatten_steps(steps):
    """Return steps as one list, including those of nested pipelines.

    Steps that do nothing are omitted, and frozen steps are unwrapped.
    """
    found = []
    for step in steps:
        while isinstance(step, FrozenEstimator):
            step = step.estimator
        if isinstance(step, Pipeline):
            found += flatten_steps(step for _, step in step.steps)
        elif step is not None and step != "passthrough":
            found.append(step)
    return found


def transform_through(steps, X):
    """Transform data through steps, one after the other."""
    for step in steps:
        X = step.transform(X)
    return X


def _inside(wrapper, estimator, mixin=TermModelMixin):
    """Return the fitted estimator in a wrapper, or at the end of a Pipeline.

    `estimator` is the argument of the caller, and `mixin` is the required type, for the
    message of an error.
    """
    if isinstance(wrapper, Pipeline):
        return wrapper.steps[-1][1]
    if isinstance(wrapper, FrozenEstimator):
        return wrapper.estimator
    if isinstance(wrapper, _THRESHOLDS):
        check_is_fitted(wrapper, "estimator_")
        return wrapper.estimator_
    if isinstance(wrapper, CalibratedClassifierCV):
        check_is_fitted(wrapper, "calibrated_classifiers_")
        models = wrapper.calibrated_classifiers_
        if len(models) > 1:
            raise TypeError(
                "CalibratedClassifierCV must contain a single model; got "
                f"{len(models)} models with different rules. Pass one of them, such as "
                "`calibrated_classifiers_[0].estimator`, or calibrate a single one "
                "with `ensemble=False` or in a FrozenEstimator."
            )
        return models[0].estimator
    if hasattr(wrapper, "refit"):  # a search
        check_is_fitted(wrapper, "best_estimator_")
        return wrapper.best_estimator_
    required = " or ".join(
        name for other, name in _NAMES.items() if issubclass(other, mixin)
    )
    raise TypeError(
        f"estimator must be a {required}, or a Pipeline that ends with one, "
        "or a search, a frozen, a threshold or a calibrated classifier with a single "
        f"one inside; got {type(estimator).__name__}."
    )

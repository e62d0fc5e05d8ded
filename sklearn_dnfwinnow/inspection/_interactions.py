"""Interactions: the groups of terms with the largest effects, as a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import expit, softmax

from sklearn_dnfwinnow._utils._display import as_table, records_of
from sklearn_dnfwinnow._utils._draws import COVERAGE_CONSTRAINTS, interval_of
from sklearn_dnfwinnow._utils._estimators import (
    POSITIVE,
    InteractionModelMixin,
    validate_params,
)
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

# Maximum number of values that are processed at once.
_AT_ONCE = 1 << 22


def parts_of(model, n_groups):
    """Yield slices of groups, such that the draws of each slice fit into memory."""
    step = max(1, _AT_ONCE // (model.n_draws * model.n_classes))
    for start in range(0, n_groups, step):
        yield slice(start, start + step)


def summary(draws, coverage):
    """Return statistics of the draws of some values.

    Parameters
    ----------
    draws : ndarray of shape (n_draws, n_values), float64
    coverage : float
        Fraction of the draws between 'low' and 'high'; the other draws are divided
        equally between both sides.

    Returns
    -------
    summary : dict of lists of float
        'mean', 'median', 'low', 'high', 'p_positive'.
    """
    ends = interval_of(draws, coverage)
    statistics = {
        "mean": draws.mean(axis=0),
        "median": np.median(draws, axis=0),
        "low": ends[..., 0],
        "high": ends[..., 1],
        "p_positive": (draws > 0).mean(axis=0),
    }
    return {name: values.tolist() for name, values in statistics.items()}


def by_parts(model, n_groups, reduce):
    """Return results of a function of slices of groups, one after the other."""
    return np.concatenate([reduce(part) for part in parts_of(model, n_groups)])


def probabilities_of(scores):
    """Return the probabilities of classes from the scores of an InteractionModel.

    Parameters
    ----------
    scores : ndarray of shape (..., n_classes), float64
        With two classes, each score is a log-odds.
    """
    return expit(scores) if scores.shape[-1] == 2 else softmax(scores, axis=-1)


def log_odds_of(scores, first, against):
    """Return the log-odds of one class against another, from scores or parts of them.

    Parameters
    ----------
    scores : ndarray of shape (..., n_classes), float64
        In the form of an InteractionModel.
    first, against : int
        Indices of the classes.
    """
    if scores.shape[-1] == 2:
        return scores[..., first]
    return scores[..., first] - scores[..., against]


_COLUMNS = (
    "class",
    "term",
    "closed",
    "size",
    "n_terms",
    "support",
    "precision",
    "median",
    "low",
    "high",
    "p_positive",
)


@validate_params({"top": [POSITIVE], **COVERAGE_CONSTRAINTS})
def interactions(estimator, class_of_interest=None, top=10, *, coverage=0.9):
    """Return the interactions with the largest effects on each class.

    Each row of the table is a group of terms: all terms that the same training samples
    satisfy. The data determine the effect of the group, which is the sum of the
    parameters of its terms. Only the prior determines how this sum is divided among the
    terms. The term in the table represents its group. It is a shortest term; the column
    'closed' contains all literals of the terms of the group.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier, or an estimator with a single one inside
        Fitted: a Pipeline that ends with a classifier, a search, a FrozenEstimator, a
        threshold classifier, or a CalibratedClassifierCV of one model.

    class_of_interest : object, default=None
        The class whose effects are listed. None is each class in turn. With two
        classes, None is the second class only, because effects on the first are the
        same with opposite sign.

    top : int, default=10
        Maximum number of groups per class.

    coverage : float, default=0.9
        Fraction of the draws between 'low' and 'high'.

    Returns
    -------
    table : DataFrame, or list of dict if pandas is not installed
        One row per group, the largest absolute median of each class first. Of groups
        with equal medians, the one with the shorter term comes first.

        - 'class': the class.
        - 'term': a shortest term of the group, as text. ``(baseline)`` is the empty
          term, which all samples satisfy. Its group includes the parameter of order 0.
        - 'closed': all literals that the training samples of the group have in common.
        - 'size': number of literals of 'term'.
        - 'n_terms': number of terms in the group, a Python int.
        - 'support', 'precision': total weight of the training samples that satisfy the
          group, and the fraction of the class among them.
        - 'median', 'low', 'high': median of the effect over all draws, and the ends of
          its central interval. With two classes, this is the effect on the log-odds of
          the class. With more classes, it is the effect on the score of the class,
          which is its log probability minus the mean of those of all classes.
          Logarithms are natural.
        - 'p_positive': fraction of the draws in which the effect is positive.

    Raises
    ------
    TypeError
        If `estimator` has no BayesianInteractionClassifier.
    ValueError
        If the class does not exist.

    Warns
    -----
    UserWarning
        If a transformer in front of the classifier cannot be inverted, so that the
        terms refer to its output; or if `estimator` is a classifier that seems to be a
        step of a pipeline.

    See Also
    --------
    explain_interactions : The groups behind one prediction.
    TermsDisplay.from_estimator : The same as a figure.

    Examples
    --------
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.inspection import interactions
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, n_draws=50, max_rhat=1.1, min_ess=80, random_state=0
    ... )
    >>> clf = clf.fit(X, y)
    >>> sorted(interactions(clf, top=3)["term"])
    ['a1 = 1 & a2 = 1', 'a1 = 2 & a2 = 2', 'a1 = 3 & a2 = 3']
    """
    decoder = TermDecoder.from_estimator(estimator, InteractionModelMixin)
    decoder.warn_of_transformed_columns()
    listed = decoder.class_indices(class_of_interest)
    if len(listed) == 2:
        listed = [1]
    model = decoder.model
    weights, n_groups = model.group_weights(), model.groups.n_groups
    every = np.arange(n_groups)
    medians = by_parts(
        model, n_groups, lambda part: np.median(model.effects(every[part]), axis=0)
    )
    sizes = (model.groups.counts > 0).argmax(axis=1)
    records = []
    for k in listed:
        # Ties go to the first group, because lexsort is stable.
        found = np.lexsort((sizes, -np.abs(medians[:, k])))[:top]
        effects = summary(model.effects(found)[..., k], coverage)
        del effects["mean"]  # may depend on a few draws alone
        records += [
            {
                "class": decoder.classes[k],
                "term": decoder.text(model.groups.generator(g)),
                "closed": decoder.text(model.groups.closed_pattern(g)),
                "size": len(model.groups.generator(g)),
                "n_terms": sum(map(int, model.groups.counts[g])),
                "support": float(weights[g].sum()),
                "precision": float(weights[g, k] / weights[g].sum()),
                **of_group,
            }
            for g, of_group in zip(found.tolist(), records_of(effects))
        ]
    return as_table(records, _COLUMNS)

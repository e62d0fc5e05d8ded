"""Representative draws: a few draws of a Bayesian classifier that represent all."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from scipy.special import log_expit, log_softmax
from sklearn.utils import gen_batches

from sklearn_dnfwinnow._utils._estimators import InteractionModelMixin, validate_params
from sklearn_dnfwinnow.inspection._steps import steps_of
from sklearn_dnfwinnow.summaries._message import (
    SEARCH_CONSTRAINTS,
    message_from_monte_carlo,
)

# Bytes of log probabilities of all draws for a block of rows.
_MEMORY_BUDGET = 64 * 2**20


@validate_params(SEARCH_CONSTRAINTS)
def representative_draws(estimator, *, search="exhaustive"):
    """Return a few draws of a Bayesian classifier that represent all, with weights.

    Draws are compared by their predictions for the training samples. The divergence of
    two draws is the divergence of their class probabilities, summed over these samples.
    Draws are grouped by :func:`message_from_monte_carlo`.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier, or an estimator with a single one inside
        Fitted estimator. Supported are a Pipeline that ends with a classifier, a
        search, a FrozenEstimator, and a threshold classifier.

    search : {'exhaustive', 'sequential'}, default='exhaustive'
        Algorithm that finds the regions, see :func:`message_from_monte_carlo`. With
        'sequential', most data sets have about as many regions as draws.

    Returns
    -------
    message : MonteCarloMessage
        Regions, representatives, message lengths and weights. Draws are numbered as in
        `sample_proba`, chain after chain.

    Raises
    ------
    TypeError
        If `estimator` contains no BayesianInteractionClassifier.

    Warns
    -----
    UserWarning
        If the best region contains less than one draw in twenty.

    See Also
    --------
    message_from_monte_carlo : Summarize draws of any model.

    Notes
    -----
    The method is intended for models with few parameters. The class probabilities of a
    data set have tens of effective dimensions. A region therefore contains only a part
    of the draws, the best one often a tenth. The average over all representatives
    predicts about as well as `predict_proba`. The first representative alone does not.
    If terms separate the classes, the first region contains the most confident draws.

    Training samples are weighted by their sample weights, class weights included. Time
    and memory grow with the square of the number of draws.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_dnfwinnow import BayesianInteractionClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.summaries import representative_draws
    >>> X, y = load_monks(1, subset="train", return_X_y=True, as_frame=True)
    >>> clf = BayesianInteractionClassifier(
    ...     max_order=2, max_rhat=1.1, min_ess=80, random_state=0
    ... ).fit(X, y)
    >>> message = representative_draws(clf)
    >>> len(message.regions) < 100
    True

    The average of their probabilities, with the weights of the regions, is close to the
    mean over all draws:

    >>> of_representatives = clf.sample_proba(X)[message.representatives]
    >>> average = np.tensordot(message.weights, of_representatives, axes=1)
    >>> bool(np.abs(average - clf.predict_proba(X)).mean() < 0.05)
    True
    """
    _, classifier = steps_of(estimator, InteractionModelMixin)
    log_likelihoods, divergences = _compare(classifier._table_model())
    return message_from_monte_carlo(log_likelihoods, divergences, search=search)


def _compare(model):
    """Return log likelihoods of the draws of an InteractionModel, and divergences.

    Parameters
    ----------
    model : InteractionModel

    Returns
    -------
    log_likelihoods : ndarray of shape (n_draws,), float64
    divergences : ndarray of shape (n_draws, n_draws), float64
        See `message_from_monte_carlo`.
    """
    rows, class_weights = model.groups.rows, model.class_weights
    log_likelihoods = np.zeros(model.n_draws)
    own = np.zeros(model.n_draws)  # of each draw from itself: its negative entropy
    cross = np.zeros((model.n_draws, model.n_draws))
    n_at_once = max(1, _MEMORY_BUDGET // (8 * model.n_draws * model.n_classes))
    for block in gen_batches(len(rows), n_at_once):
        scores = model.sample_scores(rows[block])
        is_binary = scores.shape[-1] == 2
        logs = log_expit(scores) if is_binary else log_softmax(scores, axis=-1)
        masses = np.exp(logs) * class_weights[block].sum(axis=1)[:, None]
        logs, masses = (values.reshape(model.n_draws, -1) for values in (logs, masses))
        log_likelihoods += logs @ class_weights[block].ravel()
        own += np.einsum("dj, dj -> d", masses, logs)
        cross += masses @ logs.T
    divergences = np.maximum(own[:, None] - cross, 0.0)
    np.fill_diagonal(divergences, 0.0)
    return log_likelihoods, divergences

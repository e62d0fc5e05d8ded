"""Diagnostics of the Markov chains behind a weighted sum, or behind predictions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import log

import numpy as np
from sklearn.utils import check_random_state

from sklearn_dnfwinnow._utils._compat import validate_params
from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow.diagnostics._chain_diagnostics import (
    diagnose_model,
    diagnose_problem,
    warn_of_short,
    warn_of_short_sums,
)
from sklearn_dnfwinnow.inspection._pipelines._steps import steps_of, transform_through
from sklearn_dnfwinnow.samplers._registry import names_of, sampler_of
from sklearn_dnfwinnow.sums._log_weighted_sum import (
    SUM_CONSTRAINTS,
    problem_of_agreements,
)


@validate_params(
    {
        "agreements": ["array-like"],
        "net_promotion_counts": ["array-like"],
        **SUM_CONSTRAINTS,
    }
)
def diagnose_weighted_sum(
    agreements,
    net_promotion_counts,
    *,
    alpha=1.5,
    literal_weight=1.0,
    sampler="gibbs",
    random_state=None,
):
    """Diagnose the Markov chains that estimate a weighted sum.

    The chains are the same as in :func:`~sklearn_dnfwinnow.sums.log_weighted_sum` with
    the same parameters. All chains are then run a second time, from a term of large
    weight.

    Parameters
    ----------
    agreements : array-like of shape (n_updates, n_attributes), bool
        Agreement of each stored example with the query on each feature.

    net_promotion_counts : array-like of shape (n_updates,), int
        Net promotion count of each stored example, of any sign.

    alpha : float, default=1.5
        Promotion factor, greater than 1.

    literal_weight : float, default=1.0
        Initial weight per literal, beta: the initial weight of a term with k literals
        is ``literal_weight ** k``.

    sampler : {'metropolis', 'gibbs', 'metropolized_gibbs'} or Sampler, default='gibbs'
        Markov chain sampler: a name, or an object of :mod:`sklearn_dnfwinnow.samplers`,
        such as ``Gibbs(n_steps=3000)``.

    random_state : int, RandomState instance or None, default=None
        Seed of the chains.

    Returns
    -------
    ChainDiagnostics
        The diagnostics of the chains.

    Raises
    ------
    ValueError
        For the same reasons as in :func:`~sklearn_dnfwinnow.sums.log_weighted_sum`, or
        if the sampler runs no chains.

    Warns
    -----
    ConvergenceWarning
        If the chains are too short for a reliable standard error.

    See Also
    --------
    diagnose_chains : Diagnose the sums of an estimator.
    sample_size : Compute the theoretical number of samples.

    References
    ----------
    .. [1] Q. Tao and S. D. Scott, "An Analysis of MCMC Sampling Methods for Estimating
       Weighted Sums in Winnow", University of Nebraska-Lincoln, 2004.
    .. [2] A. Sokal, "Monte Carlo Methods in Statistical Mechanics: Foundations and New
       Algorithms", in: Functional Integration, Springer, 1997.

    Examples
    --------
    >>> from sklearn_dnfwinnow.diagnostics import diagnose_weighted_sum
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> agreements = [[True, True, False], [True, False, True], [False, True, True]]
    >>> found = diagnose_weighted_sum(
    ...     agreements, [2, -1, 1], sampler=Gibbs(n_steps=3000), random_state=0
    ... )
    >>> len(found.alphas), found.too_short
    (2, False)
    >>> bool((found.acceptance > 0.3).all())
    True
    """
    sampler = _checked(sampler)
    problem, row, _ = problem_of_agreements(agreements, net_promotion_counts)
    seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
    found = diagnose_problem(
        engine=sampler.engine().in_full(),
        problem=problem,
        log_alpha=log(alpha),
        log_beta=log(literal_weight),
        random=stream(seed, row=row),
        again=stream(seed, 1, row=row),
    )
    if found.too_short:
        warn_of_short(sampler.name, f"{'; '.join(found.complaints)}.", found)
    return found


def diagnose_chains(estimator, X):
    """Diagnose the Markov chains behind the scores of an estimator.

    The chains are the same as in predictions. All chains are then run a second time,
    from terms of large weight. This takes more than twice as long as
    `decision_function`, so use a few samples only.

    Parameters
    ----------
    estimator : DNFWinnowClassifier, Pipeline that ends with one, or a search for these
        Fitted estimator, with a Markov chain as its `sampler`.

    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Samples. A value that does not occur in the training data is unspecified.

    Returns
    -------
    diagnostics : ndarray of shape (n_samples, n_classes), object
        ChainDiagnostics of each sum.

    Raises
    ------
    TypeError
        If the estimator does not contain a DNFWinnowClassifier.
    ValueError
        If its `sampler` is not a Markov chain, if it averages several models, or if X
        does not have the features of the training data.

    Warns
    -----
    ConvergenceWarning
        If the chains of any sum are too short. There is one warning per call.

    See Also
    --------
    ChainDiagnosticsDisplay.from_estimator : Plot the diagnostics.

    Examples
    --------
    >>> from sklearn_dnfwinnow import DNFWinnowClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> from sklearn_dnfwinnow.diagnostics import diagnose_chains
    >>> from sklearn_dnfwinnow.samplers import Gibbs
    >>> X, y = load_monks(1, subset="train", return_X_y=True)
    >>> gibbs = Gibbs(n_steps=5000, burn_in=500)
    >>> clf = DNFWinnowClassifier(sampler=gibbs, max_iter=2, random_state=0)
    >>> diagnostics = diagnose_chains(clf.fit(X, y), X[:2])
    >>> diagnostics.shape, bool(diagnostics[0, 1].too_short)
    ((2, 2), False)
    """
    steps, classifier = steps_of(estimator)
    sampler = _checked(classifier.sampler)
    model, rows, inverse = classifier._model_and_rows(transform_through(steps, X))
    if len(model.models) > 1:
        raise ValueError(
            f"estimator averages {len(model.models)} models, which have chains of "
            "their own. Pass one of its `estimators_`."
        )
    diagnostics = diagnose_model(model, rows)[inverse]
    warn_of_short_sums(sampler.name, diagnostics.ravel())
    return diagnostics


def _checked(sampler):
    """Return the sampler of a parameter; raise an error if it runs no chains."""
    found = sampler_of(sampler)
    if not found.runs_chains:
        chains = ", ".join(map(repr, names_of(runs_chains=True)))
        raise ValueError(
            f"sampler must be one that runs Markov chains: {chains}, or an object of "
            f"such a class; got sampler={sampler!r}."
        )
    return found

"""Training: from codes and classes to a model with draws from the posterior."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._bayes._chains import ChainProgress, run_until_converged
from sklearn_dnfwinnow._bayes._grouping import group_interactions
from sklearn_dnfwinnow._bayes._model import BayesianModel
from sklearn_dnfwinnow._bayes._prior import Prior
from sklearn_dnfwinnow._bayes._problem import Problem, n_sets_of
from sklearn_dnfwinnow._encoding._column_warnings import warn_of_columns
from sklearn_dnfwinnow._encoding._discretizer import EIGHTHS, chosen_discretizer
from sklearn_dnfwinnow._encoding._encoding import Encoding
from sklearn_dnfwinnow._utils._distinct_rows import distinct_rows


def train(estimator, table, seed):
    """Return the trained model of an estimator.

    Parameters
    ----------
    estimator : BayesianInteractionClassifier
        With validated parameters.
    table : LabelledTable
    seed : int
    """
    untrained = Encoding.empty(
        n_features=len(table.table.columns),
        n_classes=len(estimator.classes_),
        missing=estimator.missing,
        discretizer=chosen_discretizer(estimator.discretizer, table.table, **EIGHTHS),
    )
    known = table.table, table.labels, table.weights
    is_auto = isinstance(estimator.discretizer, str)
    encoding, codes = untrained.with_cuts(*known, is_auto=is_auto).learn(*known)
    warn_of_columns(table, codes, before=untrained, after=encoding)
    rows, _, inverse = distinct_rows(codes)
    class_weights = np.zeros((len(rows), len(estimator.classes_)))
    # Sorted first, so that the rounding of sums does not depend on the order of rows.
    order = np.lexsort((table.weights, table.labels, inverse))
    np.add.at(
        class_weights,
        (inverse[order], table.labels[order]),
        table.weights[order],
    )
    groups = group_interactions(estimator, rows, n_sets_of(class_weights.shape[1]))
    prior = Prior.of(estimator, rows.shape[1], groups.max_order)
    problem = Problem(groups, class_weights, prior)
    draws, convergence = run_until_converged(
        problem,
        sampler=estimator.sampler,
        n_chains=estimator.n_chains,
        burn_in=estimator.burn_in,
        n_draws=estimator.n_draws,
        max_rhat=estimator.max_rhat,
        min_ess=estimator.min_ess,
        max_sweeps=estimator.max_sweeps,
        max_time=estimator.max_time,
        seed=seed,
        n_jobs=estimator.n_jobs,
        progress=ChainProgress(estimator.verbose > 0),
    )
    model = BayesianModel(
        encoding=encoding,
        groups=groups,
        prior=prior,
        draws=draws,
        class_weights=class_weights,
        seed=seed,
        convergence=convergence,
    )
    n_made = convergence.n_sweeps - estimator.burn_in
    model.warn_of_short_chains(
        max_rhat=estimator.max_rhat,
        min_ess=estimator.min_ess,
        limit="max_sweeps" if n_made >= estimator.max_sweeps else "max_time",
    )
    return model

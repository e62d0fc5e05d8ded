"""Weights: what training asks of the weights of a class, and which kind it takes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import Protocol

import numpy as np

from sklearn_dnfwinnow._terms._index_choice import TooManyTerms, index_to_present
from sklearn_dnfwinnow._winnow._weights._conditioned_summer import ConditionedSummer
from sklearn_dnfwinnow._winnow._weights._implicit_weights import (
    EngineSummer,
    ImplicitWeights,
    TermSummer,
)
from sklearn_dnfwinnow._winnow._weights._superset_weights import SupersetWeights
from sklearn_dnfwinnow._winnow._weights._term_table import TermTable
from sklearn_dnfwinnow._winnow._weights._update_list import NO_LIMIT
from sklearn_dnfwinnow.sums._conditioned_sums import ConditionedSums

# What a random stream of training is for, see `Summation`.
_TRAINING = 0
# Under a cap a table takes as long as the sums of a row for each so many updates.
_UPDATES_A_ROW = 128


class Weights(Protocol):
    """The weights of all terms in one class: what every kind of them answers.

    A kind is made of a ClassState, and keeps what training changes. All kinds make the
    same updates, but for sums that are estimated.

    Attributes
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the updates so far, distinct, in order of arrival.
    exponents : ndarray of shape (m,), int64
        Their exponents.
    version : int
        Number of updates made so far.
    chains : dict of str to int
        Markov chains of the sums so far: 'run' and 'ladder', those taken and those of
        the full ladder, and 'simulated', those run.
    sums : dict of str to int
        Sums that training asked for: those computed in 'full', and those 'skipped' as
        bounds told their side of the threshold.
    """

    updates: np.ndarray
    exponents: np.ndarray
    version: int
    chains: dict
    sums: dict

    def epoch(self, order, codes, positive, units, one, log_threshold, guesses, rule):
        """Present rows one after another, and update where the prediction is wrong.

        Parameters
        ----------
        order : ndarray of int
            The presentations to go through.
        codes, units, one : ndarrays and int
            See :class:`sklearn_dnfwinnow._winnow._presentations.Presentations`.
        positive : ndarray of shape (n_rows,), bool
            Which rows are of the class.
        log_threshold : float
        guesses : ndarray of shape (n_rows,), bool
            Likely predictions, where sums are estimated no further than their side of
            the threshold takes; these are updated to the predictions made.
        rule : UpdateRule
            With a margin, a row of the class is to exceed the threshold by it, and
            another to fall short of it. By residuals, the threshold is like the sum of
            another class.

        Returns
        -------
        wrong : int
            Number of updates; without a margin, mistakes.
        """

    @staticmethod
    def joint_epoch(all_weights, order, rows, rule):
        """Present rows to the weights of all classes, which are of this kind.

        A row's own class is to lead all others by a margin. Where it does not, it is
        promoted, and the classes that it does not lead are demoted. Or it is promoted,
        and all others are demoted, by their residuals.

        Parameters
        ----------
        all_weights : list of Weights
        order : ndarray of int
            The presentations to go through.
        rows : Presentations
        rule : UpdateRule
        """


def weights_for(summation, k, state, index, max_updates=NO_LIMIT, in_full=False):
    """Return the weights of one class, of the kind that takes the least time.

    Parameters
    ----------
    summation : Summation
    k : int
        The class.
    state : ClassState
        To start from.
    index : TermIndex or None
        Of the updates of all classes and the rows to be presented, see `index_for`.
    max_updates : int
        Most updates to keep.
    in_full : bool
        Whether sums are needed themselves, and not only their side of a threshold.

    Returns
    -------
    weights : Weights
    """
    if index is not None:
        return TermTable(
            index=index,
            log_alpha=summation.log_alpha,
            exponents=state.exponents,
            version=state.version,
            places=state.places,
            max_updates=max_updates,
            conditions=summation.conditions,
            k=k,
        )
    compiled = False
    if summation.sampler.term_by_term and summation.max_term_size is not None:
        summer = TermSummer(
            summation.max_term_size, summation.log_alpha, summation.log_beta
        )
    else:
        compiled = summation.sampler.prefers_exact and not in_full
        summer = EngineSummer(
            engine=summation.engine(),
            log_alpha=summation.log_alpha,
            log_beta=summation.log_beta,
            keys=(summation.seed, _TRAINING, k),
        )
    if summation.conditions is not None:
        # The compiled epochs sum over all terms.
        compiled = False
        sums = ConditionedSums(
            conditions=summation.conditions,
            k=k,
            log_alpha=summation.log_alpha,
            log_beta=summation.log_beta,
            max_term_size=summation.max_term_size,
        )
        summer = ConditionedSummer(summer, sums)
    kind = SupersetWeights if compiled else ImplicitWeights
    return kind(state, summer, max_updates)


def index_for(summation, updates, codes, n_values):
    """Return the index of term tables to present some rows to, or None without tables.

    Parameters
    ----------
    summation : Summation
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the updates so far, in all classes.
    codes : ndarray of shape (n_rows, n_attributes), int32
        Rows to be presented.
    n_values : ndarray of shape (n_attributes,), int
        Largest codes.

    Returns
    -------
    index : TermIndex or None
    """
    if not summation.sampler.term_by_term:
        return None
    capped = summation.max_term_size is not None
    optional = not (summation.sampler.table_required or capped)
    # A table is made of all updates; for a small batch that does not pay.
    few = (_UPDATES_A_ROW if capped else 1) * len(codes) < len(updates)
    if few and (optional or capped):
        return None
    try:
        return index_to_present(
            updates=updates,
            codes=codes,
            n_values=n_values,
            max_term_size=summation.max_term_size,
            log_beta=summation.log_beta,
            may_group=summation.conditions is None,
        )
    except TooManyTerms:
        if optional:
            return None
        raise

"""Weights: the protocol of the weights of a class, and the choice of their kind."""

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

# Key of the random streams of training, see `Summation`.
_TRAINING = 0
# With a maximum term size, a table takes as long as the sums of one row per this number
# of stored examples.
_UPDATES_A_ROW = 128


class Weights(Protocol):
    """The weights of all terms in one class: the protocol of all kinds.

    A kind is created from a ClassState. All kinds make the same updates, except for
    estimated sums.

    Attributes
    ----------
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples so far, distinct, in order of arrival.
    exponents : ndarray of shape (m,), int64
        Their net promotion counts.
    version : int
        Number of updates so far.
    discarded : ndarray of shape (2,), float64
        Sum of the absolute net promotion counts that `max_stored_examples` discarded,
        and the part that is lost.
    chains : dict of str to int
        Numbers of Markov chains of the sums so far: 'run' and 'ladder', those used and
        those of the full ladder, and 'simulated', those run.
    sums : dict of str to int
        Numbers of sums in training: those computed in 'full', and those 'skipped'
        because bounds determined their side of the threshold.
    """

    updates: np.ndarray
    exponents: np.ndarray
    version: int
    discarded: np.ndarray
    chains: dict
    sums: dict

    def epoch(self, order, codes, positive, units, one, log_threshold, guesses, rule):
        """Present rows one after another, and update after wrong predictions.

        Parameters
        ----------
        order : ndarray of int
            Presentations, in order.
        codes, units, one : ndarrays and int
            See :class:`sklearn_dnfwinnow._winnow._presentations.Presentations`.
        positive : ndarray of shape (n_rows,), bool
            Whether each row belongs to the class.
        log_threshold : float
        guesses : ndarray of shape (n_rows,), bool
            Likely predictions, for sums that are estimated only as far as their side of
            the threshold requires. They are replaced by the predictions of this epoch.
        rule : UpdateRule
            With a margin, rows of the class must exceed the threshold by the margin,
            and others must be below it by the margin. For residuals, the threshold is
            like the sum of another class.

        Returns
        -------
        wrong : int
            Number of updates; without a margin, mistakes.
        """

    @staticmethod
    def joint_epoch(all_weights, order, rows, rule):
        """Present rows to the weights of all classes, which are of this kind.

        The class of a row must exceed all others by a margin. Otherwise it is promoted,
        and the classes that it does not exceed are demoted. With residuals, it is
        promoted, and all others are demoted, by their residuals.

        Parameters
        ----------
        all_weights : list of Weights
        order : ndarray of int
            Presentations, in order.
        rows : Presentations
        rule : UpdateRule
        """


def weights_for(
    summation, k, state, index, max_stored_examples=NO_LIMIT, in_full=False
):
    """Return the weights of one class, of the kind that is fastest.

    Parameters
    ----------
    summation : Summation
    k : int
        The class.
    state : ClassState
        State at the start.
    index : TermIndex or None
        Index of the stored examples of all classes and the rows, see `index_for`.
    max_stored_examples : int
        Maximum number of stored examples.
    in_full : bool
        Whether sums are needed, and not only their side of a threshold.

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
            max_stored_examples=max_stored_examples,
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
    return kind(state, summer, max_stored_examples)


def index_for(summation, updates, codes, n_values):
    """Return the index of term tables for some rows, or None without tables.

    Parameters
    ----------
    summation : Summation
    updates : ndarray of shape (m, n_attributes), int32
        Codes of the stored examples so far, in all classes.
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
    # A table is built from all stored examples, which is too slow for a small batch.
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

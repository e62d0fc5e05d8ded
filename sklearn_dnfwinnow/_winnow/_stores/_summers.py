"""Summers: sums of single rows over the terms that stored examples imply."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from sklearn_dnfwinnow._utils._random_streams import stream
from sklearn_dnfwinnow._winnow._stores._row_tables import log_sums
from sklearn_dnfwinnow.samplers._agreement_problem import AgreementProblem
from sklearn_dnfwinnow.samplers._engine import Engine
from sklearn_dnfwinnow.samplers._weighted_sum import WeightedSum
from sklearn_dnfwinnow.sums._conditioned_sums import ConditionedSums
from sklearn_dnfwinnow.sums._log_weighted_sum import exceeds, log_sum

# Key of the random streams of training, see `Summation`.
_TRAINING = 0


class Examples(NamedTuple):
    """The stored examples of a class, for summers.

    Attributes
    ----------
    codes : ndarray of shape (m, n_attributes), int32
        Distinct, oldest first.
    net_counts : ndarray of shape (m,), int64
        Their net promotion counts.
    version : int
        Number of updates so far, a key of random streams.
    """

    codes: np.ndarray
    net_counts: np.ndarray
    version: int


@dataclass(frozen=True, eq=False)
class EngineSummer:
    """Sum single rows with an engine.

    Parameters
    ----------
    engine : Engine
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of net count, and of the initial weight per
        literal.
    keys : tuple of int
        Keys of the random streams, in addition to the row and the version.
    """

    engine: Engine
    log_alpha: float
    log_beta: float
    keys: tuple

    def log_sum(self, examples, row):
        """Return the WeightedSum of a row of codes under Examples."""
        return log_sum(**self._question(examples, row))

    def exceeds(self, examples, row, log_threshold, guess):
        """Return whether the sum reaches a threshold, and the sum so far."""
        return exceeds(
            **self._question(examples, row), log_threshold=log_threshold, guess=guess
        )

    def part(self, literals, max_term_size):
        """Return the summer for terms up to a size, in addition to some literals."""
        engine = replace(self.engine, max_term_size=max_term_size)
        return replace(self, engine=engine, keys=(*self.keys, *chain(*literals)))

    def _question(self, examples, row):
        return {
            "engine": self.engine,
            "problem": AgreementProblem.of_row(
                examples.codes,
                examples.net_counts,
                row,
                compress=self.engine.max_term_size is None,
            ),
            "log_alpha": self.log_alpha,
            "log_beta": self.log_beta,
            "stream": stream(*self.keys, examples.version, row=row),
        }


@dataclass(frozen=True, eq=False)
class TermSummer:
    """Sum single rows over all their terms, up to a maximum term size.

    It is used for batches so small that a table of all stored examples would cost more
    than it saves.

    Parameters
    ----------
    max_term_size : int
        Maximum number of literals in a term.
    log_alpha, log_beta : float
        Logarithms of the factor of one unit of net count, and of the initial weight per
        literal.
    """

    max_term_size: int
    log_alpha: float
    log_beta: float

    def log_sum(self, examples, row):
        """Return the WeightedSum of a row of codes under Examples."""
        ((value,),) = log_sums(
            examples=examples.codes,
            net_counts=examples.net_counts[None],
            codes=row[None],
            log_alpha=self.log_alpha,
            log_beta=self.log_beta,
            max_term_size=self.max_term_size,
        )
        return WeightedSum(value, std_error=0.0, exact=True, sampler="table")

    def exceeds(self, examples, row, log_threshold, guess):
        """Return whether the sum reaches a threshold, and the sum."""
        weighted_sum = self.log_sum(examples, row)
        return weighted_sum.log_value >= log_threshold, weighted_sum

    def part(self, literals, max_term_size):
        """Return the summer for terms up to a size, in addition to some literals."""
        return replace(self, max_term_size=max_term_size)


@dataclass(frozen=True, eq=False)
class ConditionedSummer:
    """Sum single rows over the terms that the conditions of a class allow.

    Parameters
    ----------
    summer : EngineSummer or TermSummer
        Over all terms.
    sums : ConditionedSums
    """

    summer: EngineSummer | TermSummer
    sums: ConditionedSums

    def log_sum(self, examples, row):
        """Return the WeightedSum of a row of codes under Examples."""
        parts = []

        def plain_sums(rows, literals, max_term_size, **given):
            summer = self.summer.part(literals, max_term_size)
            some = Examples(given["examples"], given["net_counts"], examples.version)
            parts.append(summer.log_sum(some, rows[0]))
            return np.array([[parts[-1].log_value, parts[-1].std_error]])

        ((value, std_error),) = self.sums.estimates(
            row[None], examples.codes, examples.net_counts, plain_sums
        )
        names = [part.sampler for part in parts if part.sampler != "closed_form"]
        return WeightedSum(
            float(value),
            float(std_error),
            exact=all(part.exact for part in parts),
            sampler=names[0] if names else "closed_form",
            n_states=max(part.n_states for part in parts),
            n_replicates=max(part.n_replicates for part in parts),
            n_chains=sum(part.n_chains for part in parts),
            n_simulated=sum(part.n_simulated for part in parts),
            n_ladder=sum(part.n_ladder for part in parts),
        )

    def exceeds(self, examples, row, log_threshold, guess):
        """Return whether the sum reaches a threshold, and the sum, in full."""
        weighted_sum = self.log_sum(examples, row)
        return weighted_sum.log_value >= log_threshold, weighted_sum


def summer_of(summation, k):
    """Return the summer of class k, and whether it is exact whenever this is feasible.

    Parameters
    ----------
    summation : Summation
    k : int
    """
    parts = {"log_alpha": summation.log_alpha, "log_beta": summation.log_beta}
    if summation.sampler.term_by_term and summation.max_term_size is not None:
        summer, exact = TermSummer(summation.max_term_size, **parts), False
    else:
        keys = summation.seed, _TRAINING, k
        summer = EngineSummer(summation.engine(), **parts, keys=keys)
        exact = summation.sampler.prefers_exact
    if summation.conditions is None:
        return summer, exact
    sums = ConditionedSums(
        conditions=summation.conditions,
        k=k,
        max_term_size=summation.max_term_size,
        **parts,
    )
    return ConditionedSummer(summer, sums), False

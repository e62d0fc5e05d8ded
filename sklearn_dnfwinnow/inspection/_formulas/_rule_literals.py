"""RuleLiterals: all literals on the attributes of a model that rules may contain."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._encoding._derived_columns import DerivedColumn, derived_columns
from sklearn_dnfwinnow.inspection._pipelines._preimages import NumericPreimage

# Ends of intervals, see `RuleProblem`.
_ENDS = {">": 1, "<=": -1}


class RuleLiterals:
    """Literals as pairs of a DerivedColumn and a code in it.

    These are the literals of the model, and each value of an attribute, its complement,
    and both sides of each cut between its numbers, so that rules contain intervals of
    any width. Of literals that the same values satisfy, there is one.

    Parameters
    ----------
    encoding : Encoding
    finer : FinerCodes

    Attributes
    ----------
    pairs : list of (DerivedColumn, int)
    places : dict of (int, int) to int
        Place in `pairs` of each literal of the model, a column and a code.
    """

    def __init__(self, encoding, finer):
        columns = []
        for number, column in enumerate(encoding.columns):
            of_finer = column.codes[finer.bases[column.attribute]]
            columns.append((number, column._replace(codes=of_finer)))
        for j, values in enumerate(encoding.categories):
            more = derived_columns(j, values, literals="ordered")
            if isinstance(finer.preimages[j], NumericPreimage):
                more = _sides(j, finer.preimages[j], len(finer.bases[j]))
            columns += [(None, column) for column in more]
        self.pairs, self.places, known = [], {}, {}
        for number, column in columns:
            for code in range(1, len(column.relations) + 1):
                key = column.attribute, (column.codes == code).tobytes()
                if key not in known:
                    known[key] = len(self.pairs)
                    self.pairs.append((column, code))
                if number is not None:
                    self.places[number, code] = known[key]

    @property
    def features(self):
        """Return the attribute of each literal: (n_literals,), int."""
        return np.array([column.attribute for column, _ in self.pairs], dtype=np.int64)

    @property
    def ends(self):
        """Return which end of an interval each literal is: (n_literals,), int."""
        relations = [column.relations[code - 1] for column, code in self.pairs]
        return np.array([_ENDS.get(one, 0) for one in relations], dtype=np.int64)

    def most_different(self, codes, gains, n, least):
        """Return the places of literals that tell rows to cover from others, ascending.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_features), int32
        gains : ndarray of shape (n_rows,), float64
            Negative for rows that should not be covered.
        n : int
            Number of literals at most: those that the most different shares of both
            kinds of rows satisfy.
        least : float
            Each literal has to be satisfied by rows of a larger gain.
        """
        totals = [
            [
                np.bincount(
                    of_one, weights=of_kind, minlength=of_one.max(initial=0) + 1
                )
                for of_kind in (np.maximum(gains, 0.0), np.maximum(-gains, 0.0))
            ]
            for of_one in codes.T
        ]
        sums = np.zeros((len(self.pairs), 2))
        for place, (column, code) in enumerate(self.pairs):
            for kind, total in enumerate(totals[column.attribute]):
                sums[place, kind] = total[(column.codes == code)[: len(total)]].sum()
        shares = sums / np.maximum(np.abs(gains).sum(), 1e-300)
        shares /= np.maximum(shares.max(axis=0, initial=0.0), 1e-300)
        places = np.flatnonzero(sums[:, 0] > least)
        difference = np.abs(shares[places, 0] - shares[places, 1])
        return np.sort(places[np.argsort(-difference, kind="stable")[:n]])

    def holds(self, codes, places):
        """Return which rows satisfy which literals.

        Parameters
        ----------
        codes : ndarray of shape (n_rows, n_features), int32
        places : ndarray of shape (n_literals,), int
            Of the literals.

        Returns
        -------
        holds : ndarray of shape (n_rows, n_literals), bool
        """
        holds = np.empty((len(codes), len(places)), dtype=bool)
        for i, (column, code) in enumerate(self.pairs_of(places)):
            holds[:, i] = (column.codes == code)[codes[:, column.attribute]]
        return holds

    def covered(self, rule, codes):
        """Return which rows a rule, places of literals, covers: (n_rows,), bool."""
        covered = np.ones(len(codes), dtype=bool)
        for column, code in self.pairs_of(rule):
            covered &= (column.codes == code)[codes[:, column.attribute]]
        return covered

    def pairs_of(self, rule):
        """Return the literals of a rule, given by their places."""
        return [self.pairs[place] for place in rule]

    def rule(self, term):
        """Return the places of the literals of a HeavyTerm, ascending."""
        return tuple(sorted({self.places[pair] for pair in term.literals}))


def _sides(attribute, preimage, n_codes):
    """Return a DerivedColumn for each cut of numbers, with both sides.

    Those of which a code is on both sides are passed over.
    """
    columns = []
    for i in range(1, len(preimage.codes)):
        below, above = set(preimage.codes[:i]) - {0}, set(preimage.codes[i:]) - {0}
        if below and above and not below & above:
            codes = np.zeros(n_codes, dtype=np.int32)
            codes[list(below)], codes[list(above)] = 1, 2
            columns.append(DerivedColumn(attribute, codes, ("<=", ">"), max(below)))
    return columns

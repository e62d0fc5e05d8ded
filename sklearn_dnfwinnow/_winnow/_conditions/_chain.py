"""Chain: literals of an attribute of which each implies those before it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass

import numpy as np
from sklearn.isotonic import IsotonicRegression


@dataclass(frozen=True, eq=False)
class Chain:
    """The literals of an attribute in one class, such as ``x > 1``, ``x > 2``, ...

    Parameters
    ----------
    inside : ndarray of shape (n_literals, n_values), bool
        Which values satisfy each literal, from the largest set of values to the
        smallest, and without the same set twice.
    """

    inside: np.ndarray

    @property
    def levels(self):
        """Return the number of literals that each value satisfies: (n_values,), int."""
        return self.inside.sum(axis=0)

    def monotone(self, effects, weights):
        """Return the closest effects that rise with the number of literals.

        Parameters
        ----------
        effects, weights : ndarrays of shape (n_values,)

        Returns
        -------
        effects : ndarray of shape (n_values,)
            Those of values without weight are between those of their neighbours.
        """
        known = weights > 0
        if not known.any():
            return np.zeros(len(effects))
        regression = IsotonicRegression(out_of_bounds="clip")
        regression.fit(self.levels[known], effects[known], sample_weight=weights[known])
        return regression.predict(self.levels)

    def log_factors(self, added, literal_weight):
        """Return logarithms of factors of values that add to the weight of each value.

        The weight of a literal is multiplied by the factors of all its values. The
        weight of a value is the sum over the literals that it satisfies.

        Parameters
        ----------
        added : ndarray of shape (n_values,)
            What is added to the weight of each value: it rises with the number of
            literals, from 0.
        literal_weight : float
            Of each literal, before.

        Returns
        -------
        logs : ndarray of shape (n_values,)
        """
        logs, levels = np.zeros(len(added)), self.levels
        # One value of each level has the factor.
        of_level = [int(np.argmax(levels == n)) for n in range(1, len(self.inside) + 1)]
        steps = np.diff(added[of_level], prepend=0.0)
        # Terms of a literal and any of those that it implies have the same rows.
        weights = literal_weight * (1.0 + literal_weight) ** np.arange(len(of_level))
        wanted = np.log1p(np.maximum(steps, 0.0) / weights)
        logs[of_level] = wanted - np.append(wanted[1:], 0.0)
        return logs


def chains_of(encoding, conditions, n_classes):
    """Return the chains of attributes whose literals conditions restrict.

    Parameters
    ----------
    encoding : Encoding
    conditions : Conditions or None
    n_classes : int

    Returns
    -------
    chains : dict of int to list of n_classes Chain, or None
        None for an attribute whose literals are not in chains in all classes, or are in
        initial terms.
    """
    if conditions is None:
        return {}
    literals = [term.literals for term in conditions.initial_terms]
    given = {
        encoding.columns[place].attribute for term in literals for place, _ in term
    }
    restricted = {
        column.attribute
        for column, allowed in zip(encoding.columns, conditions.allowed)
        if not allowed.all()
    }
    return {
        j: None if j in given else _chains(j, encoding, conditions, n_classes)
        for j in sorted(given | restricted)
    }


def _chains(j, encoding, conditions, n_classes):
    """Return the chains of an attribute by class, or None."""
    chains = []
    for k in range(n_classes):
        sets = {
            (column.codes[1:] == code).tobytes()
            for column, allowed in zip(encoding.columns, conditions.allowed)
            if column.attribute == j
            for code in range(1, len(column.relations) + 1)
            if allowed[k, code]
        }
        n_values = len(encoding.categories[j])
        masks = [np.frombuffer(of_one, dtype=bool) for of_one in sets]
        inside = np.array(masks, dtype=bool).reshape(-1, n_values)
        inside = inside[np.argsort(-inside.sum(axis=1), kind="stable")]
        if (inside[1:] & ~inside[:-1]).any():
            return None
        chains.append(Chain(inside))
    return chains if any(len(chain.inside) for chain in chains) else None

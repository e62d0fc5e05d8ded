"""Interactions by brute force: groups of terms that are listed, and a model of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from encoding_checks import learned
from internals.encoding import Encoding, check_table
from internals.terms import InteractionGroups, InteractionModelMixin, Matches
from internals.utils import distinct_rows
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin

N_DRAWS = 60


def satisfied(row, max_order):
    """Return all terms that a row satisfies, up to an order."""
    literals = [(j, int(code)) for j, code in enumerate(row) if code]
    return [term for o in range(max_order + 1) for term in combinations(literals, o)]


class Groups(InteractionGroups):
    """Groups of terms found by listing all of them."""

    @classmethod
    def of(cls, rows, max_order):
        extents = {}
        for i, row in enumerate(rows):
            for term in satisfied(row, max_order):
                extents.setdefault(term, []).append(i)
        members = sorted(set(map(tuple, extents.values())))
        of_extent = {extent: g for g, extent in enumerate(members)}
        counts = np.zeros((len(members), max_order + 1))
        terms_of = [[] for _ in members]
        for term, extent in extents.items():
            g = of_extent[tuple(extent)]
            counts[g, len(term)] += 1
            terms_of[g].append(term)
        groups = cls(
            rows=rows,
            max_order=max_order,
            counts=counts,
            starts=np.cumsum([0, *map(len, members)]),
            members=np.concatenate(members).astype(np.int32),
        )
        object.__setattr__(groups, "listed", terms_of)
        places = {term: g for g, found in enumerate(terms_of) for term in found}
        object.__setattr__(groups, "places", places)
        return groups

    def generator(self, g):
        return min(self.listed[g], key=lambda term: (len(term), term))

    def look_up(self, rows):
        starts, groups, counts = [0], [], []
        unmatched = np.zeros((len(rows), self.max_order + 1))
        for i, row in enumerate(rows):
            found = {}
            for term in satisfied(row, self.max_order):
                g = self.places.get(term)
                of_order = unmatched[i]
                if g is not None:
                    of_order = found.setdefault(g, np.zeros(self.max_order + 1))
                of_order[len(term)] += 1
            groups += sorted(found)
            counts += [found[g] for g in sorted(found)]
            starts.append(len(groups))
        return Matches(
            np.array(starts),
            np.array(groups, dtype=np.int32),
            np.array(counts),
            unmatched,
        )


@dataclass(frozen=True)
class Model:
    """Groups with draws from normal laws, in place of a posterior."""

    encoding: Encoding
    groups: InteractionGroups
    class_weights: np.ndarray
    sums: np.ndarray
    variances: np.ndarray

    @property
    def n_classes(self):
        return self.class_weights.shape[1]

    @property
    def n_draws(self):
        return len(self.sums)

    @property
    def scale(self):
        return 0.5 if self.n_classes == 2 else 1.0

    def group_weights(self):
        groups = self.groups
        return np.array(
            [
                self.class_weights[groups.members[start:end]].sum(axis=0)
                for start, end in zip(groups.starts, groups.starts[1:])
            ]
        )

    def effects(self, groups):
        return self.sums[:, groups]

    def shares(self, groups, counts):
        part = (self.variances @ counts.T) / (
            self.variances @ self.groups.counts[groups].T
        )
        return self.sums[:, groups] * part[..., None]

    def sample_scores(self, rows):
        scores = []
        for row in rows:
            found = self.groups.look_up(row[None])
            total = self.shares(found.groups, found.counts).sum(axis=1)
            # Terms that no row of training satisfies, symmetric in this order.
            width = np.sqrt(self.variances @ found.unmatched[0])
            rng = np.random.default_rng(row)
            noise = rng.normal(size=total.shape)
            noise[..., 0] = -noise[..., 1:].sum(axis=1)
            scores.append(total + width[:, None] * noise)
        return np.stack(scores, axis=1)

    def joint_scores(self, rows):
        yield self.sample_scores(rows)


class Interactions(InteractionModelMixin, ClassifierMixin, BaseEstimator):
    """Draws effects around the log-odds of classes in groups."""

    _parameter_constraints = {}

    def __init__(self, max_order=2, group=Groups.of):
        self.max_order = max_order
        self.group = group

    def fit(self, X, y):
        X, y = check_table(self, X, y, reset=True)
        self.classes_, labels = np.unique(y, return_inverse=True)
        n_classes = len(self.classes_)
        encoding, codes = learned(X, labels)
        rows, _, inverse = distinct_rows(codes)
        weights = np.zeros((len(rows), n_classes))
        np.add.at(weights, (inverse, labels), 1.0)
        groups = self.group(rows, self.max_order)
        rng = np.random.default_rng(0)
        model = Model(
            encoding=encoding,
            groups=groups,
            class_weights=weights,
            sums=np.zeros((1, groups.n_groups, n_classes)),
            variances=rng.gamma(2.0, size=(N_DRAWS, self.max_order + 1)),
        )
        log_weights = np.log(model.group_weights() + 1.0)
        sums = rng.normal(size=(N_DRAWS, *log_weights.shape)) + log_weights
        sums -= sums.mean(axis=-1, keepdims=True)
        self.model_ = replace(model, sums=sums)
        return self

    def predict_proba(self, X):
        codes = self.model_.encoding.encode_table(X, self)
        scores = self.model_.sample_scores(codes)
        if len(self.classes_) == 2:
            return expit(scores).mean(axis=0)
        odds = np.exp(scores)
        return (odds / odds.sum(axis=-1, keepdims=True)).mean(axis=0)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def _table_model(self):
        return self.model_

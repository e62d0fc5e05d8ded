"""Winnow over explicit terms, from its definition: in plain Python, and slow."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from scipy.special import expit, softmax

#: Parts of a promotion in which residuals are counted.
PARTS = 64


@dataclass
class SlowWinnow:
    """A training, and the sums of what it has learned.

    Parameters
    ----------
    rows : list of lists
        Literals that each distinct row satisfies.
    n_classes : int
    alpha, literal_weight, log_threshold : float
    max_term_size : int or None
    joint, average : bool
    margin, scale : float or None
        One of them: updates by a margin, or by residuals.
    """

    rows: list
    n_classes: int
    alpha: float
    literal_weight: float
    log_threshold: float
    max_term_size: int | None
    joint: bool = True
    average: bool = False
    margin: float | None = None
    scale: float | None = None

    def __post_init__(self):
        self.extents, self.priors = [], []
        sets = [set(literals) for literals in self.rows]
        satisfied = {}
        for literals in self.rows:
            longest = self.max_term_size or len(literals)
            sizes = range(min(len(literals), longest) + 1)
            terms = [t for size in sizes for t in combinations(literals, size)]
            for term in terms:
                if term not in satisfied:
                    satisfied[term] = [set(term) <= row for row in sets]
            self.extents.append(np.array([satisfied[t] for t in terms], dtype=float))
            self.priors.append(np.array([self.literal_weight ** len(t) for t in terms]))

    def log_sums(self, place, net):
        """log W of a row in all classes, by the exponents of rows."""
        weights = self.alpha ** (self.extents[place] @ net)
        return np.log(self.priors[place] @ weights)

    def steps(self, place, label, net, trained):
        """How far a presentation moves the exponents of its row."""
        scores = self.log_sums(place, net) - self.log_threshold
        is_label = np.arange(self.n_classes) == label
        if self.scale is not None:
            z = self.scale * scores
            p = softmax(z) if self.joint else expit(z)
            steps = np.rint(PARTS * (is_label - p)) / PARTS
        elif self.joint:
            behind = scores > scores[label] - max(self.margin, 1e-11)
            steps = 1.0 * (is_label & behind[~is_label].any()) - (behind & ~is_label)
        else:
            low, high = self.margin - 1e-11, -self.margin - 1e-11
            steps = 1.0 * (is_label & (scores < low)) - (~is_label & (scores >= high))
        return steps * trained

    def train(self, presentations, orders, ends):
        """Train the classes together, or each alone; return exponents and updates.

        Parameters
        ----------
        presentations : list of (place of a row, class, part of a promotion)
        orders : list of arrays
            The order in each epoch.
        ends : list of int
            Epochs after which an average begins anew.
        """
        groups = [[k] for k in range(self.n_classes)]
        groups = [range(self.n_classes)] if self.joint else groups
        means = np.zeros((len(self.rows), self.n_classes))
        updates = np.zeros((len(orders), self.n_classes), dtype=int)
        n_epochs = 0
        for group in groups:
            trained = np.isin(np.arange(self.n_classes), group)
            net, total, times = np.zeros_like(means), np.zeros_like(means), 0
            for epoch, order in enumerate(orders, start=1):
                for place, label, part in (presentations[i] for i in order):
                    steps = self.steps(place, label, net, trained)
                    net[place] += part * steps
                    updates[epoch - 1] += steps != 0
                n_epochs = max(n_epochs, epoch)
                over = not updates[epoch - 1, trained].any()
                # The epochs that are left until the next end would be like this one.
                left = min(end for end in ends if end >= epoch) - epoch
                n_times = 1 + left * over
                total, times = total + n_times * net, times + n_times
                if over:
                    break
                if epoch in ends and epoch < len(orders):
                    total, times = np.zeros_like(means), 0
            mean = total / times if self.average else net
            means[:, trained] = mean[:, trained]
        return means, updates[:n_epochs]


def presentations_of(places, labels, weights, most=32):
    """A row of weight w is presented w times, a fraction last; rows are sorted."""
    totals = {}
    for place, label, weight in zip(places, labels, weights):
        totals[place, label] = totals.get((place, label), 0) + weight
    found = []
    for (place, label), weight in sorted(totals.items()):
        whole = int(np.floor(round(weight, 9)))
        assert whole < most
        parts = [1.0] * whole + [round(weight - whole, 9)]
        found += [(place, label, part) for part in parts if part]
    return found


def intervals_of(value, values):
    """The intervals of a number: of halves, of quarters, and so on."""
    values, n = sorted(values), 2
    while n < len(values):
        ends = [len(values) * i // n for i in range(n + 1)]
        for first, last in pairwise(ends):
            if value in values[first:last]:
                yield n, values[first], values[last - 1]
        n *= 2


def literals_of(row, values, kind):
    """What a row satisfies, attribute by attribute, in words."""
    found = []
    for j, value in enumerate(row):
        if value is None or value not in values[j]:
            continue
        found.append((j, "==", value))
        if kind == "equal" or len(values[j]) <= 2:
            continue
        if isinstance(value, str):
            others = [other for other in values[j] if other != value]
            found += [(j, "!=", other) for other in others if kind == "ordered"]
        elif kind == "ordered":
            cuts = sorted(values[j])[:-1]
            found += [(j, "<=" if value <= cut else ">", cut) for cut in cuts]
        else:
            found += [(j, "in", one) for one in intervals_of(value, values[j])]
    return found

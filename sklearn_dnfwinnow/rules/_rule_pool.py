"""Rule pool: candidate rules, and the choice of those that gain most together."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Rules of each length that a search keeps for each threshold, and of those with the
# same kinds of conditions.
_BEAM, _NARROW, _OF_KINDS = 24, 8, 2
# Rules up to so many conditions continue the beginnings of their own threshold only.
_SHORT = 3
# Of a rule's standard error, the part that is added to its price.
_CAUTION = 0.3
# Changes of the chosen rules at one price, at most.
_MOST_CHANGES = 60


def exact(values):
    """Return values rounded so that their sums are exact in float32.

    Sums then depend on no order, and so on no processor.
    """
    total = np.abs(values).sum()
    if not total > 0:
        return np.zeros(len(values), dtype=np.float32)
    step = 2.0 ** (np.ceil(np.log2(total)) - 23)
    return (np.rint(values / step) * step).astype(np.float32)


class RulePool:
    """Candidate rules over some conditions, and the rows that each covers.

    A rule is a tuple of places of conditions, ascending.

    Parameters
    ----------
    conditions : Conditions
    holds : ndarray of shape (n_conditions, n_rows), bool
        Which rows satisfy which condition.
    share, weights : ndarrays of shape (n_rows,), float64
        What a rule should cover, from 0 to 1, and the weight of each row.
    floor : float
        Number of the first rows that a rule covers, at least, by weight.
    max_conditions : int
        Conditions of a rule, at most.
    n_counted : int, default=None
        How many first rows count for the floor; None is all.

    Attributes
    ----------
    rules : list of tuple of int
    covers : ndarray of shape (n_rules, n_rows), float32
        1 for the rows that each rule covers.
    """

    def __init__(
        self, conditions, holds, share, weights, floor, max_conditions, n_counted=None
    ):
        self.conditions = conditions
        self._holds = holds.astype(np.float32)
        self._weights, self._worth = exact(weights), exact(weights * share)
        self._share, self._row_weights = share, weights
        self._counted = self._weights.copy()
        if n_counted is not None:
            self._counted[n_counted:] = 0
        self._floor, self._max_conditions = floor, max_conditions
        self._kinds, self._may_meet = conditions.kinds, conditions.may_meet()
        self.rules, self._seen = [], set()
        self._known_most = {}
        self._room = self.covers = np.zeros((0, holds.shape[1]), dtype=np.float32)

    def covered(self, rule):
        """Return which rows a rule covers: (n_rows,), float32."""
        return self._holds[list(rule)].min(axis=0)

    def covered_by(self, places):
        """Return which rows any of some rules covers: (n_rows,), float32."""
        return self.covers[list(places)].max(axis=0, initial=0)

    def search(self, thresholds, left=None, is_narrow=False):
        """Add rules whose shares exceed each of some thresholds by large sums.

        Rules grow by one condition at a time, from the best ones of each threshold.

        Parameters
        ----------
        thresholds : iterable of float
        left : ndarray of shape (n_rows,), float32, default=None
            1 for the rows that count; None for all. The floor is that of all rows.
        is_narrow : bool, default=False
            Whether to keep only a few rules of each length.
        """
        most = _NARROW if is_narrow else _BEAM
        left = np.float32(1.0) if left is None else left
        beams = {threshold: [()] for threshold in thresholds}
        known = {threshold: set() for threshold in thresholds}
        found = []
        for _ in range(self._max_conditions if len(self.conditions) else 0):
            parents = list(dict.fromkeys(r for beam in beams.values() for r in beam))
            masks = np.array([self.covered(r) if r else self._all for r in parents])
            beams = self._grown(parents, masks, beams, known, left, most)
            found += [rule for beam in beams.values() for rule in beam]
            if not any(beams.values()):
                break
        found = list(dict.fromkeys(found))
        if is_narrow and len(found) > most:
            gains = (self._worth - np.float32(0.5) * self._weights) * left
            values = np.array([self.covered(rule) for rule in found]) @ gains
            best = np.argsort(-values, kind="stable")[:most]
            found = [found[i] for i in best.tolist()]
        self._add(found)

    @property
    def _all(self):
        return np.ones(self._holds.shape[1], dtype=np.float32)

    def _grown(self, parents, masks, beams, known, left, most):
        """Return the best rules of one more condition, for each threshold."""
        n = len(parents)
        rows = [
            masks * values
            for values in (self._counted, self._weights * left, self._worth * left)
        ]
        before = np.concatenate(rows).sum(axis=1)
        sums = np.concatenate(rows) @ self._holds.T
        support, size, worth = sums[:n], sums[n:-n], sums[-n:]
        allowed = (support >= self._floor) & (support < before[:n, None])
        for i, parent in enumerate(parents):
            allowed[i] &= self._may_meet[list(parent)].all(axis=0)
        # Long rules may continue the beginnings of all thresholds.
        places = {parent: i for i, parent in enumerate(parents)}
        found = {}
        for threshold, beam in beams.items():
            own = beam if self._max_conditions <= _SHORT else parents
            rows = [places[parent] for parent in own]
            before_own = before[-n:] - threshold * before[-2 * n : -n]
            found[threshold] = self._best(
                parents=own,
                allowed=allowed[rows],
                values=worth[rows] - threshold * size[rows],
                before=before_own[rows],
                known=known[threshold],
                most=most,
            )
        return found

    def _best(self, parents, allowed, values, before, known, most):
        """Return the rules of the largest values, few of which are of equal kinds."""
        if not parents:
            return []
        least = np.maximum(before, 0)[:, None] + 1e-6 * len(self._weights)
        values = np.where(allowed & (values > least), values, -np.inf).ravel()
        n_values = min(16 * most, np.count_nonzero(values > -np.inf))
        if not n_values:
            return []
        least = np.partition(values, -n_values)[-n_values]
        best = np.flatnonzero(values >= least)
        found, of_kinds = [], {}
        for place in best[np.argsort(-values[best], kind="stable")].tolist():
            parent, condition = divmod(place, len(self.conditions))
            rule = tuple(sorted((*parents[parent], condition)))
            if rule in known:
                continue
            kinds = tuple(sorted(self._kinds[list(rule)].tolist()))
            if of_kinds.get(kinds, 0) < _OF_KINDS:
                of_kinds[kinds] = of_kinds.get(kinds, 0) + 1
                known.add(rule)
                found.append(rule)
                if len(found) == most:
                    break
        return found

    def grow(self, rows):
        """Add rules that cover given rows, grown until they cover no other class.

        Each rule begins without conditions, and gets the one of the largest gain of
        information (FOIL), among those that its row satisfies.

        Parameters
        ----------
        rows : ndarray of shape (n_seeds,), int
        """
        rules = [()] * len(rows)
        masks = np.ones((len(rows), self._holds.shape[1]), dtype=np.float32)
        open_ = (self._holds[:, rows] > 0).T
        for _ in range(self._max_conditions):
            values = self._worth, self._weights, self._counted
            every = np.concatenate([masks * of_rows for of_rows in values])
            worth, size, support = np.split(every @ self._holds.T, 3)
            before = np.log((masks @ self._worth) / (masks @ self._weights))[:, None]
            allowed = open_ & (support >= self._floor) & (worth > 0)
            gains = np.log(np.where(allowed, worth / np.maximum(size, 1e-9), 1))
            gains = np.where(allowed, worth * (gains - before), -np.inf).round(6)
            best = gains.argmax(axis=1)
            kept = np.flatnonzero(gains.max(axis=1) > 0)
            if not len(kept):
                break
            best, open_ = best[kept], open_[kept] & self._may_meet[best[kept]]
            masks = masks[kept] * self._holds[best]
            rules = [
                tuple(sorted((*rules[i], j)))
                for i, j in zip(kept.tolist(), best.tolist())
            ]
            self._add(rules)

    def add_neighbours(self, places):
        """Add rules without one of the conditions, and with another cut, of some."""
        more = []
        for rule in [self.rules[place] for place in places]:
            for one in rule:
                rest = tuple(other for other in rule if other != one)
                more += [rest] * bool(rest)
                alike = np.flatnonzero(self._kinds == self._kinds[one]).tolist()
                more += [tuple(sorted((*rest, k))) for k in alike if k != one]
        self._add(more)

    def _add(self, rules):
        """Add rules that cover enough, and other rows than the present ones."""
        rules = [rule for rule in dict.fromkeys(rules) if rule not in self._seen]
        if not rules:
            return
        masks = np.array([self.covered(rule) for rule in rules])
        is_wide = masks @ self._counted >= self._floor
        keys = map(bytes, np.packbits(masks > 0, axis=1))
        kept = []
        for i, (rule, key) in enumerate(zip(rules, keys)):
            if is_wide[i] and key not in self._seen:
                kept.append(i)
                self.rules.append(rule)
            self._seen |= {rule, key}
        n = len(self.rules)
        if n > len(self._room):
            room = np.empty((2 * n, masks.shape[1]), dtype=np.float32)
            room[: len(self.covers)] = self.covers
            self._room = room
        self._room[n - len(kept) : n] = masks[kept]
        self.covers = self._room[:n]

    def chosen(self, threshold, price, start=()):
        """Return rules that gain most together, beyond their prices.

        What a row gains is twice its share above the threshold, once for any number of
        rules that cover it. A rule costs the price for itself and for each condition,
        and a part of the standard error of its gain. No addition, omission or exchange
        of a rule improves what is returned.

        Parameters
        ----------
        threshold, price : float
        start : iterable of int
            The rules to start with, as places in `rules`.

        Returns
        -------
        chosen : list of int
            Places in `rules`.
        """
        if not self.rules:
            return []
        gains, costs = self._gains_and_costs(threshold, price)
        # Others are never worth their price.
        some = self._most(threshold, gains) > costs
        some[start] = True
        some = np.flatnonzero(some)
        covers, costs = self.covers, costs[some]
        if len(some) < len(covers):
            covers = covers[some]
        chosen, least = np.searchsorted(some, start).tolist(), 1e-6 * len(gains)
        for _ in range(_MOST_CHANGES if len(some) else 0):
            n_covers = covers[chosen].sum(axis=0)
            # What is gained by each rule alone, and what is left to gain without it.
            alone = np.where(n_covers == 1, covers[chosen], 0) * gains
            left = np.where(n_covers == 0, gains, 0)
            sums = (covers @ np.vstack([left, alone]).T).astype(np.float64)
            dropped = costs[chosen] - alone.sum(axis=1, dtype=np.float64)
            # By rule, and by the rule that it replaces, if any.
            added = sums[:, :1] + np.column_stack(
                [np.zeros(len(costs)), sums[:, 1:] + dropped]
            )
            added -= costs[:, None]
            added[chosen] = -np.inf
            instead, rule = np.unravel_index(added.T.argmax(), added.T.shape)
            most = added[rule, instead]
            if len(chosen) and dropped.max() >= max(most, least):
                del chosen[int(dropped.argmax())]
            elif most > least:
                if instead:
                    del chosen[instead - 1]
                chosen.append(int(rule))
            else:
                break
        return some[chosen].tolist()

    def _most(self, threshold, gains):
        """Return the most that each rule can gain: (n_rules,), float32."""
        most = self._known_most.get(threshold, ())
        if len(most) != len(self.rules):
            most = self.covers @ np.maximum(gains, 0)
            self._known_most[threshold] = most
        return most

    def value(self, chosen, threshold, price):
        """Return what rules gain together, less their costs."""
        gains, costs = self._gains_and_costs(threshold, price)
        return float(self.covered_by(chosen) @ gains) - costs[chosen].sum()

    def _gains_and_costs(self, threshold, price):
        """Return the gains of rows, float32, and the costs of rules, float64."""
        gains = exact(2 * self._row_weights * (self._share - threshold))
        sizes = np.array([len(rule) for rule in self.rules], dtype=np.float64)
        return gains, price * (1 + sizes) + _CAUTION * self._errors()

    def _errors(self):
        """Return the standard error of the gain of each rule: (n_rules,), float64."""
        if getattr(self, "_n_known", -1) != len(self.rules):
            w, s = self._row_weights, self._share
            sums = self.covers @ np.column_stack([*map(exact, (w, w * s, w * s**2))])
            size, first, second = sums.T.astype(np.float64)
            spread = np.maximum(second - first**2 / size, 0.0)
            self._spread, self._n_known = 2 * np.sqrt(spread), len(self.rules)
        return self._spread

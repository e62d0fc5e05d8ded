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
    covers : ndarray of shape (n_rows, n_rules), float32
        1 for the rows that each rule covers.
    """

    def __init__(
        self, conditions, holds, share, weights, floor, max_conditions, n_counted=None
    ):
        self.conditions = conditions
        # The last one is a condition that always holds.
        self._holds = np.ones((holds.shape[1], len(holds) + 1), dtype=np.float32)
        self._holds[:, :-1] = holds.T
        self._weights, self._worth = exact(weights), exact(weights * share)
        self._share, self._row_weights = share, weights
        self._counted = self._weights.copy()
        if n_counted is not None:
            self._counted[n_counted:] = 0
        self._floor, self._max_conditions = floor, max_conditions
        self._kinds, self._may_meet = conditions.kinds, conditions.may_meet()
        self.rules, self._seen = [], set()
        self._known = {}  # what depends on a threshold
        self._room = self.covers = np.zeros((holds.shape[1], 0), dtype=np.float32)

    def _covered(self, rules):
        """Return which rows each of some rules covers: (n_rows, n_rules), float32."""
        most = max(map(len, rules))
        places = np.array([[*rule, *[-1] * (most - len(rule))] for rule in rules])
        covers = np.ones((len(self._holds), len(rules)), dtype=np.float32)
        for of_rules in places.T.astype(int):
            covers *= self._holds.take(of_rules, axis=1)
        return covers

    def covered_by(self, places):
        """Return which rows any of some rules covers: (n_rows,), float32."""
        return self.covers[:, list(places)].max(axis=1, initial=0)

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
            beams = self._grown(parents, beams, known, left, most)
            found += [rule for beam in beams.values() for rule in beam]
            if not any(beams.values()):
                break
        found = list(dict.fromkeys(found))
        if is_narrow and len(found) > most:
            gains = (self._worth - np.float32(0.5) * self._weights) * left
            values = gains @ self._covered(found)
            best = np.argsort(-values, kind="stable")[:most]
            found = [found[i] for i in best.tolist()]
        self._add(found)

    def _grown(self, parents, beams, known, left, most):
        """Return the best rules of one more condition, for each threshold."""
        values = [self._counted, self._weights * left, self._worth * left]
        if (values[0] == values[1]).all():
            values = values[1:]
        sums = self._sums_with(parents, values)
        support, size, worth = sums[0], *sums[-2:]
        allowed = support[:, :-1] >= self._floor
        allowed &= support[:, :-1] < support[:, -1:]
        for i, parent in enumerate(parents):
            allowed[i] &= self._may_meet[list(parent)].all(axis=0)
        # Long rules may continue the beginnings of all thresholds.
        places = {parent: i for i, parent in enumerate(parents)}
        found = {}
        for threshold, beam in beams.items():
            own = beam if self._max_conditions <= _SHORT else parents
            rows = [places[parent] for parent in own]
            gains = worth - threshold * size
            found[threshold] = self._best(
                parents=own,
                allowed=allowed[rows],
                values=gains[rows, :-1],
                before=gains[rows, -1],
                known=known[threshold],
                most=most,
            )
        return found

    def _sums_with(self, rules, values):
        """Return sums over the rows of each rule with each condition, and without.

        For each of some values of the rows: (n_rules, n_conditions + 1), float32.
        """
        covers = self._covered(rules)
        every = np.concatenate(
            [covers * of_rows[:, None] for of_rows in values], axis=1
        )
        return np.split(every.T @ self._holds, len(values))

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
        open_ = self._holds[rows, :-1] > 0
        values = self._worth, self._weights, self._counted
        for _ in range(self._max_conditions):
            places = {rule: i for i, rule in enumerate(dict.fromkeys(rules))}
            sums = np.array(self._sums_with(list(places), values))
            worth, size, support = sums[:, [places[rule] for rule in rules]]
            before = np.log(worth[:, -1:] / size[:, -1:])
            worth, size, support = worth[:, :-1], size[:, :-1], support[:, :-1]
            allowed = open_ & (support >= self._floor) & (worth > 0)
            gains = np.log(np.where(allowed, worth / np.maximum(size, 1e-9), 1))
            gains = np.where(allowed, worth * (gains - before), -np.inf).round(6)
            best = gains.argmax(axis=1)
            kept = np.flatnonzero(gains.max(axis=1) > 0)
            if not len(kept):
                break
            best, open_ = best[kept], open_[kept] & self._may_meet[best[kept]]
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
        covers = self._covered(rules)
        is_wide = self._counted @ covers >= self._floor
        keys = map(bytes, np.packbits(covers > 0, axis=0).T)
        kept = []
        for i, (rule, key) in enumerate(zip(rules, keys)):
            if is_wide[i] and key not in self._seen:
                kept.append(i)
                self.rules.append(rule)
            self._seen |= {rule, key}
        n = len(self.rules)
        if n > self._room.shape[1]:
            room = np.empty((len(covers), 2 * n), dtype=np.float32)
            room[:, : self.covers.shape[1]] = self.covers
            self._room = room
        self._room[:, n - len(kept) : n] = covers[:, kept]
        self.covers = self._room[:, :n]

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
        choice = _Choice(self.covers, gains, self._sums(threshold, gains))
        for rule in start:
            choice.add(rule)
        least = 1e-6 * len(gains)
        for _ in range(_MOST_CHANGES):
            rules = choice.rules
            dropped = costs[rules] - [x[rule] for x, rule in zip(choice.alone, rules)]
            # By the rule that is replaced, if any, and by the one that is added.
            added = np.array(
                [choice.left]
                + [choice.left + x + by for x, by in zip(choice.alone, dropped)]
            )
            added -= costs
            added[:, rules] = -np.inf
            instead, rule = np.unravel_index(added.argmax(), added.shape)
            most = added[instead, rule]
            if len(rules) and dropped.max() >= max(most, least):
                choice.drop(int(dropped.argmax()))
            elif most > least:
                if instead:
                    choice.drop(instead - 1)
                choice.add(int(rule))
            else:
                break
        return choice.rules

    def _sums(self, threshold, gains):
        """Return the sum of the gains of each rule alone: (n_rules,), float64."""
        known = self._known.get(threshold, ())
        if len(known) != len(self.rules):
            known = (gains @ self.covers).astype(np.float64)
            self._known[threshold] = known
        return known

    def value(self, chosen, threshold, price):
        """Return what rules gain together, less their costs."""
        gains, costs = self._gains_and_costs(threshold, price)
        return float(self.covered_by(chosen) @ gains) - costs[chosen].sum()

    def _gains_and_costs(self, threshold, price):
        """Return the gains of rows, float32, and the costs of rules, float64."""
        gains = exact(2 * self._row_weights * (self._share - threshold))
        sizes = np.array([*map(len, self.rules)], dtype=np.float64)
        return gains, price * (1 + sizes) + _CAUTION * self._errors()

    def _errors(self):
        """Return the standard error of the gain of each rule: (n_rules,), float64."""
        if getattr(self, "_n_known", -1) != len(self.rules):
            w, s = self._row_weights, self._share
            sums = np.array([*map(exact, (w, w * s, w * s**2))]) @ self.covers
            size, first, second = sums.astype(np.float64)
            spread = np.maximum(second - first**2 / size, 0.0)
            self._spread, self._n_known = 2 * np.sqrt(spread), len(self.rules)
        return self._spread


class _Choice:
    """Rules that are chosen so far, and what any rule gains beside them.

    Parameters
    ----------
    covers : ndarray of shape (n_rows, n_rules), float32
    gains : ndarray of shape (n_rows,), float32
        Of the rows that are covered.
    sums : ndarray of shape (n_rules,), float64
        Of the gains of the rows that each rule covers.

    Attributes
    ----------
    rules : list of int
        Chosen ones.
    left : ndarray of shape (n_rules,), float64
        What each rule gains by rows that no chosen one covers.
    alone : list of ndarray of shape (n_rules,), float64
        What each rule gains by rows that only one chosen rule covers, for each of them.
    """

    def __init__(self, covers, gains, sums):
        self._covers, self._gains = covers, gains
        self._n_covering = np.zeros(len(gains), dtype=int)
        self.rules, self.left, self.alone = [], sums.copy(), []

    def add(self, rule):
        """Choose one more rule."""
        alone = self._change(rule, 1)
        self.left -= alone
        self.rules.append(rule)
        self.alone.append(alone)

    def drop(self, place):
        """Drop one of the chosen rules."""
        self.left += self.alone.pop(place)
        self._change(self.rules.pop(place), -1)

    def _change(self, rule, by):
        """Count a rule's rows; return what rules gain by those of no other one."""
        rows = np.flatnonzero(self._covers[:, rule])
        covers, gains = self._covers[rows], self._gains[rows]
        n_others = self._n_covering[rows] - (by < 0)
        self._n_covering[rows] += by
        of_rows = np.where(n_others == 1, covers[:, self.rules].T, 0) * gains
        for alone, change in zip(self.alone, of_rows @ covers):
            alone -= by * change
        return (np.where(n_others == 0, gains, 0) @ covers).astype(np.float64)

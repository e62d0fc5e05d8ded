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
    n_counted : int
        How many first rows count for the floor.

    Attributes
    ----------
    rules : list of tuple of int
    covers : ndarray of shape (n_rows, n_rules), float32
        1 for the rows that each rule covers.
    """

    def __init__(
        self, conditions, holds, share, weights, floor, max_conditions, n_counted
    ):
        self.conditions = conditions
        # The last one is a condition that always holds.
        self._holds = np.vstack([holds, np.ones((1, len(share)), dtype=bool)])
        self._holds_as_numbers = self._holds.T.astype(np.float32, order="C")
        self._weights, self._worth = exact(weights), exact(weights * share)
        self._share, self._row_weights = share, weights
        self._counted = self._weights.copy()
        self._counted[n_counted:] = 0
        # Their sums over the rows of a rule say how much the gain of rows varies.
        self._moments = self._weights, self._worth, exact(weights * share**2)
        self._floor, self._max_conditions = floor, max_conditions
        self._kinds, self._may_meet = conditions.kinds.tolist(), conditions.may_meet()
        self.rules, self._keys, self._seen = [], [], set()
        self._sizes = self._errors = np.zeros(0)
        # Gains of rows by threshold, sums of those of rules, and choices of rules.
        self._gains, self._sums, self._choices = {}, {}, {}
        self._room = self.covers = np.zeros((len(share), 0), dtype=np.float32)

    def _covered(self, rules):
        """Return which rows each of some rules covers: (n_rules, n_rows), bool."""
        most = max(map(len, rules))
        places = [[*rule, *[-1] * (most - len(rule))] for rule in rules]
        covers = np.ones((len(rules), self._holds.shape[1]), dtype=bool)
        for of_rules in np.array(places, dtype=int).T:
            covers &= self._holds[of_rules]
        return covers

    def covered_by(self, places):
        """Return which rows any of some rules covers: (n_rows,), float32."""
        return self.covers[:, list(places)].max(axis=1, initial=0)

    def search(self, thresholds, left=1.0, is_narrow=False):
        """Add rules whose shares exceed each of some thresholds by large sums.

        Rules grow by one condition at a time, from the best ones of each threshold.

        Parameters
        ----------
        thresholds : iterable of float
        left : ndarray of shape (n_rows,), float32, default=1.0
            1 for the rows that count. The floor is that of all rows.
        is_narrow : bool, default=False
            Whether to keep only a few rules of each length.
        """
        most = _NARROW if is_narrow else _BEAM
        beams = {threshold: [()] for threshold in thresholds}
        known = {threshold: set() for threshold in thresholds}
        parents, found, covers = [()], [], [self._covered([()])]
        for _ in range(self._max_conditions if len(self.conditions) else 0):
            beams = self._grown(parents, covers[-1], beams, known, left, most)
            parents = list(dict.fromkeys(r for beam in beams.values() for r in beam))
            if not parents:
                break
            found += parents
            covers.append(self._covered(parents))
        covers = np.concatenate(covers[1:]) if found else None
        if is_narrow and len(found) > most:
            gains = (self._worth - np.float32(0.5) * self._weights) * left
            values = (covers * gains).sum(axis=1)
            best = np.argsort(-values, kind="stable")[:most]
            found, covers = [found[i] for i in best.tolist()], covers[best]
        self._add(found, covers)

    def _grown(self, parents, covers, beams, known, left, most):
        """Return the best rules of one more condition, for each threshold.

        The parents, of one length, cover the rows `covers`.
        """
        values = [self._counted, self._weights * left, self._worth * left]
        if (values[0] == values[1]).all():
            values = values[1:]
        sums = self._sums_with(covers, values)
        support, size, worth = sums[0], *sums[-2:]
        allowed = support[:, :-1] >= self._floor
        allowed &= support[:, :-1] < support[:, -1:]
        allowed &= self._may_meet[np.array(parents, dtype=int)].all(axis=1)
        # Long rules may continue the beginnings of all thresholds.
        places = {parent: i for i, parent in enumerate(parents)}
        found = {}
        for threshold, beam in beams.items():
            own = beam if self._max_conditions <= _SHORT else parents
            rows = [places[parent] for parent in own]
            gains = worth[rows] - threshold * size[rows]
            found[threshold] = self._best(
                parents=own,
                allowed=allowed[rows],
                values=gains[:, :-1],
                before=gains[:, -1],
                known=known[threshold],
                most=most,
            )
        return found

    def _sums_with(self, covers, values):
        """Return sums over the rows of some rules with each condition, and without.

        For each of some values of the rows: (n_rules, n_conditions + 1), float32.
        """
        covers = covers.astype(np.float32)
        every = np.concatenate([covers * of_rows for of_rows in values])
        return np.split(every @ self._holds_as_numbers, len(values))

    def _best(self, parents, allowed, values, before, known, most):
        """Return the rules of the largest values, few of which are of equal kinds."""
        if not parents:
            return []
        least = np.maximum(before, 0)[:, None] + 1e-6 * len(self._weights)
        places = np.flatnonzero(allowed & (values > least))
        gains, n_conditions = values.ravel()[places], values.shape[1]
        if len(places) > 16 * most:
            is_large = gains >= np.partition(gains, -16 * most)[-16 * most]
            places, gains = places[is_large], gains[is_large]
        found, of_kinds = [], {}
        for place in places[np.argsort(-gains, kind="stable")].tolist():
            parent, condition = divmod(place, n_conditions)
            rule = tuple(sorted((*parents[parent], condition)))
            if rule in known:
                continue
            kinds = tuple(sorted(self._kinds[one] for one in rule))
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
        rules, distinct = [()] * len(rows), [()]
        covers, open_ = self._covered(distinct), self._holds[:-1, rows].T
        values = self._worth, self._weights, self._counted
        for _ in range(self._max_conditions):
            places = {rule: i for i, rule in enumerate(distinct)}
            sums = np.array(self._sums_with(covers, values))
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
            distinct = list(dict.fromkeys(rules))
            covers = self._covered(distinct)
            self._add(distinct, covers)

    def add_neighbours(self, places):
        """Add rules without one of the conditions, and with another cut, of some."""
        more = []
        for rule in [self.rules[place] for place in places]:
            for one in rule:
                rest = tuple(other for other in rule if other != one)
                more += [rest] * bool(rest)
                alike = (k for k, x in enumerate(self._kinds) if x == self._kinds[one])
                more += [tuple(sorted((*rest, k))) for k in alike if k != one]
        more = list(dict.fromkeys(rule for rule in more if rule not in self._seen))
        if more:
            self._add(more, self._covered(more))

    def _add(self, rules, covers):
        """Add distinct rules that cover enough, and other rows than the present ones.

        `covers`, of shape (n_rules, n_rows), bool, are the rows that they cover.
        """
        new = [i for i, rule in enumerate(rules) if rule not in self._seen]
        if not new:
            return
        covers, keys = covers[new], map(bytes, np.packbits(covers[new], axis=1))
        values = np.column_stack([self._counted, *self._moments])
        sums = covers.astype(np.float32) @ values
        kept = []
        for i, key in enumerate(keys):
            rule = rules[new[i]]
            if sums[i, 0] >= self._floor and key not in self._seen:
                kept.append(i)
                self.rules.append(rule)
                self._keys.append(key)
            self._seen |= {rule, key}
        size, first, second = sums[kept, 1:].T.astype(np.float64)
        errors = 2 * np.sqrt(np.maximum(second - first**2 / size, 0.0))
        self._errors = np.append(self._errors, errors)
        self._sizes = np.array([*map(len, self.rules)])
        n = len(self.rules)
        if n > self._room.shape[1]:
            room = np.empty((covers.shape[1], 2 * n), dtype=np.float32)
            room[:, : self.covers.shape[1]] = self.covers
            self._room = room
        self._room[:, n - len(kept) : n] = np.ascontiguousarray(covers[kept].T)
        self.covers = self._room[:, :n]
        self._sums, self._choices = {}, {}

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
        choice = self._choice_of(threshold, gains, start)
        least = 1e-6 * len(gains)
        for _ in range(_MOST_CHANGES):
            rules = choice.rules
            dropped = costs[rules] - [x[rule] for x, rule in zip(choice.alone, rules)]
            # By the rule that is replaced, if any, and by the one that is added.
            instead = [choice.left + x + by for x, by in zip(choice.alone, dropped)]
            added = np.array([choice.left, *instead]) - costs
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
        self._choices[threshold, tuple(choice.rules)] = choice
        return list(choice.rules)

    def _choice_of(self, threshold, gains, rules):
        """Return a choice of some rules: that which led to them, if there is one."""
        choice = self._choices.pop((threshold, tuple(rules)), None)
        if choice is None:
            if threshold not in self._sums:
                self._sums[threshold] = (gains @ self.covers).astype(np.float64)
            choice = _Choice(self.covers, self._keys, gains, self._sums[threshold])
            for rule in rules:
                choice.add(rule)
        return choice

    def value(self, chosen, threshold, price):
        """Return what rules gain together, less their costs."""
        gains, costs = self._gains_and_costs(threshold, price)
        return float(self.covered_by(chosen) @ gains) - costs[chosen].sum()

    def _gains_and_costs(self, threshold, price):
        """Return the gains of rows, float32, and the costs of rules, float64."""
        if threshold not in self._gains:
            gains = 2 * self._row_weights * (self._share - threshold)
            self._gains[threshold] = exact(gains)
        costs = price * (1 + self._sizes) + _CAUTION * self._errors
        return self._gains[threshold], costs


class _Choice:
    """Rules that are chosen so far, and what any rule gains beside them.

    Parameters
    ----------
    covers : ndarray of shape (n_rows, n_rules), float32
    bits : list of bytes
        For each rule, the rows that it covers.
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

    def __init__(self, covers, bits, gains, sums):
        self._covers, self._bits, self._gains = covers, bits, gains
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
        bits = np.frombuffer(self._bits[rule], dtype=np.uint8)
        rows = np.flatnonzero(np.unpackbits(bits))
        n_others = self._n_covering[rows] - (by < 0)
        self._n_covering[rows] += by
        is_few = n_others < 2
        rows, n_others = rows[is_few], n_others[is_few]
        covers, gains = self._covers[rows], self._gains[rows]
        of_rules = [n_others == 0, *(n_others == 1) * covers[:, self.rules].T]
        left, *sums = np.multiply(of_rules, gains, dtype=np.float32) @ covers
        for alone, change in zip(self.alone, sums, strict=True):
            alone -= by * change
        return left.astype(np.float64)

"""Statistics of rules: measures, summaries and explanations."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from html import escape
from itertools import compress, groupby

import numpy as np
from scipy.special import ndtri
from sklearn.utils.validation import check_consistent_length, column_or_1d

from sklearn_dnfwinnow._encoding._columns import refuse_missing_labels
from sklearn_dnfwinnow._utils import _display as display
from sklearn_dnfwinnow._utils._display import as_table, records_of, shown
from sklearn_dnfwinnow._utils._estimators import check_sample_weight, warn
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.rules._text import check


def rule_statistics(covers, is_of_class, weights, confidence=0.95):
    """Return statistics of rules on labelled rows.

    Parameters
    ----------
    covers : ndarray of shape (n_rules, n_samples), bool
        Which rows satisfy which rule.

    is_of_class : ndarray of shape (n_samples,), bool
        Which rows are in the class.

    weights : ndarray of shape (n_samples,), float64
        Row weights.

    confidence : float, default=0.95
        Confidence level of the intervals.

    Returns
    -------
    statistics : dict of str to list of n_rules float
        Keys are the names of columns. Undefined values are NaN.

    Notes
    -----
    Intervals are Wilson intervals. With weights, they use the effective number of
    rows, (sum of weights)^2 / sum of squares (Kish).
    """
    weights = weights[:, None] * np.column_stack([is_of_class, ~is_of_class])
    squares = weights**2
    totals, of_class = weights.sum(axis=0), weights[:, 0].sum()
    covered = covers @ weights
    right, support = covered[:, 0], covered.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = right / support, right / of_class
        lift = precision / (of_class / totals.sum())
        n_covered = support**2 / (covers @ squares).sum(axis=1)
        n_of_class = np.full(len(covers), of_class**2 / squares[:, 0].sum())
    statistics = {"support": support, "precision": precision, "recall": recall}
    statistics["lift"] = lift
    for name, n in ("precision", n_covered), ("recall", n_of_class):
        low, high = wilson_interval(statistics[name], n, confidence)
        statistics |= {f"{name}_low": low, f"{name}_high": high}
    return {name: values.tolist() for name, values in statistics.items()}


def wilson_interval(share, n, confidence):
    """Return both ends of the Wilson interval for a fraction of n rows.

    Parameters
    ----------
    share, n : ndarrays of shape (n_shares,), float64
    confidence : float

    Returns
    -------
    low, high : ndarrays of shape (n_shares,), float64
    """
    z = ndtri(0.5 + confidence / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2) / (1 + z**2 / n)
    # Rounding can move ends that should be exactly 0 or 1.
    low = np.where(share == 0, 0.0, np.maximum(centre - half, 0.0))
    high = np.where(share == 1, 1.0, np.minimum(centre + half, 1.0))
    return low, high


# Name of the disjunction of all terms in the table.
ANY = "(any)"


def labels_and_weights(X, y, sample_weight, confidence):
    """Check and return labels and weights of rows, and check a confidence level."""
    check(0 < confidence < 1, "a confidence between 0 and 1", confidence)
    refuse_missing_labels(y)
    y = column_or_1d(y)
    check_consistent_length(X, y)
    return y, check_sample_weight(sample_weight, y)


def records_of_terms(terms, class_, *, covers, y, weights, confidence):
    """Return a record for each term of a class, and one for all of them together.

    Parameters
    ----------
    terms : iterable of n_terms Term
    class_ : object
    covers : list of n_terms ndarrays of shape (n_samples,), bool
        Which rows satisfy which term.
    y, weights : ndarrays of shape (n_samples,)
    confidence : float

    Returns
    -------
    records : list of dict
        See `DNF.summary`.

    Warns
    -----
    UserWarning
        If no label is equal to the class.
    """
    # Comparison by Python, because labels can have another type than the class.
    is_of_class = np.array([bool(label == class_) for label in y.tolist()])
    if not is_of_class.any():
        warn(f"No label is equal to the class {shown(class_)} of the DNF.")
    covers = np.array(covers, dtype=bool).reshape(len(terms), len(y))
    covers = np.vstack([covers, covers.any(axis=0)])
    columns = {
        "term": [*map(str, terms), ANY],
        "size": [*map(len, terms), sum(map(len, terms))],
        "n": covers.sum(axis=1).tolist(),
        **rule_statistics(covers, is_of_class, weights, confidence),
    }
    return records_of(columns)


# The rows that satisfy no formula, in the table.
OTHERWISE = "(otherwise)"
_SHOWN = "support", "precision", "recall", "lift"


@dataclass(frozen=True, eq=False)
class RuleSummary:
    """Statistics of the rules of all classes on labelled rows.

    Attributes
    ----------
    records : list of dict
        The rows of `table`, see `DNFClassifier.summary`.
    """

    records: list

    @property
    def table(self):
        """Return the statistics: a data frame, or a list of dict without pandas."""
        return as_table(self.records, self.records[0])

    def __str__(self):
        lines = []
        for heading, records in self._sections():
            lines += [heading, "".join(f"{name:>10}" for name in _SHOWN)]
            for record in records:
                numbers = "".join(f"{text:>10}" for text in _numbers(record))
                lines.append(f"{numbers}  {record['term']}")
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self):
        """Return an HTML table, with a bar for each precision."""
        rows = []
        for heading, records in self._sections():
            rows.append(display.cell(escape(heading), "th", span=6))
            rows.append(display.cells((*_SHOWN, "", "rule"), "th"))
            for record in records:
                precision = np.nan_to_num(record["precision"])
                picture = display.bar(0.0, precision, display.BLUE)
                numbers = map(escape, _numbers(record))
                rows.append(display.cells([*numbers, picture, escape(record["term"])]))
        return display.table(rows)

    def _sections(self):
        """Yield a heading and the records of each formula."""
        *of_formulas, last = self.records
        for class_, records in groupby(of_formulas, key=lambda record: record["class"]):
            yield f"{shown(class_)} where any of these holds", list(records)
        yield f"otherwise {shown(last['class'])}", [last]


def summary_of(dnfs, *, otherwise, covers, y, weights, confidence):
    """Return the RuleSummary of formulas that are evaluated in order.

    Parameters
    ----------
    dnfs : list of DNF
    otherwise : object
        The class of rows that satisfy no formula.
    covers : list of lists of ndarrays of shape (n_samples,), bool
        Which rows satisfy each term of each formula.
    y, weights : ndarrays of shape (n_samples,)
    confidence : float
    """
    known = {"y": y, "weights": weights, "confidence": confidence}
    left, records = np.ones(len(y), dtype=bool), []
    for dnf, holds in zip(dnfs, covers):
        before, n_decided = left, []
        for mask in holds:
            n_decided.append(int((left & mask).sum()))
            left = left & ~mask
        n_decided.append(int((before & ~left).sum()))
        rules = records_of_terms(dnf.terms, dnf.class_, covers=holds, **known)
        records += [
            {"class": dnf.class_, **record, "n_decided": n}
            for record, n in zip(rules, n_decided)
        ]
    last, _ = records_of_terms([Term()], otherwise, covers=[left], **known)
    last = {"class": otherwise, **last, "term": OTHERWISE, "n_decided": last["n"]}
    return RuleSummary([*records, last])


def _numbers(record):
    """Return the statistics of a record that are shown, as texts."""
    return [f"{record['support']:g}", *(f"{record[name]:.2f}" for name in _SHOWN[1:])]


_COLUMNS = "row", "class", "formula", "term", "holds", "fails"


def explanation(dnfs, X, predicted):
    """Return the terms that decide predictions, see `DNFClassifier.explain`.

    Parameters
    ----------
    dnfs : list of DNF
    X : as returned by `check_table`
    predicted : list of n_samples classes
    """
    rules, fails = [], []
    for place, dnf in enumerate(dnfs):
        columns = dnf._columns(X, transformed=True)
        for term in dnf.terms:
            rules.append((place, dnf.class_, term))
            holds = [one.holds(columns[one.column]) for one in term.literals]
            fails.append(~np.array(holds, dtype=bool).reshape(-1, len(predicted)))
    n_failed = np.array([masks.sum(axis=0) for masks in fails])
    n_failed = n_failed.reshape(len(rules), len(predicted))
    records = []
    for row, class_ in enumerate(predicted):
        shown_rules = np.flatnonzero(n_failed[:, row] == 0).tolist()
        first = [rules[i][0] for i in shown_rules[:1]]
        shown_rules = [i for i in shown_rules if rules[i][0] in first]
        if not shown_rules and rules:
            shown_rules = [int(n_failed[:, row].argmin())]
        for i in shown_rules:
            _, formula, term = rules[i]
            failed = " & ".join(map(str, compress(term.literals, fails[i][:, row])))
            record = row, class_, formula, str(term), not n_failed[i, row], failed
            records.append(dict(zip(_COLUMNS, record)))
        if not rules:
            records.append(dict(zip(_COLUMNS, (row, class_, None, "", False, ""))))
    return as_table(records, _COLUMNS)

"""RuleSummary: statistics of the rules of all classes, as table, text and HTML."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import dataclass
from html import escape
from itertools import groupby

import numpy as np

from sklearn_dnfwinnow._utils._display._html import BLUE, bar, cell, table
from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow._utils._records import as_table
from sklearn_dnfwinnow.rules._statistics._evaluation import (
    is_of_class,
    records_of_terms,
)
from sklearn_dnfwinnow.rules._term import Term

# The samples that satisfy no formula, in the table.
OTHERWISE = "(otherwise)"
_SHOWN = "support", "precision", "recall", "lift"


@dataclass(frozen=True, eq=False)
class RuleSummary:
    """Statistics of the rules of all classes on labelled samples.

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
            rows.append(cell(escape(heading), "th", span=6))
            rows.append("".join(cell(name, "th") for name in (*_SHOWN, "", "rule")))
            for record in records:
                precision = np.nan_to_num(record["precision"])
                markup = map(escape, _numbers(record))
                markup = [*markup, bar(0.0, precision, BLUE), escape(record["term"])]
                rows.append("".join(map(cell, markup)))
        return table(rows)

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
        The class of samples that satisfy no formula.
    covers : list of lists of ndarrays of shape (n_samples,), bool
        Which samples satisfy each term of each formula.
    y, weights : ndarrays of shape (n_samples,)
    confidence : float
    """

    def measured(terms, class_, covers):
        found = records_of_terms(
            terms,
            covers=covers,
            of_class=is_of_class(y, class_),
            weights=weights,
            confidence=confidence,
        )
        return [{"class": class_, **record} for record in found]

    left, records = np.ones(len(y), dtype=bool), []
    for dnf, of_terms in zip(dnfs, covers):
        found, before = measured(dnf.terms, dnf.class_, of_terms), left
        for record, holds in zip(found, of_terms):
            record["n_decided"] = int((left & holds).sum())
            left = left & ~holds
        found[-1]["n_decided"] = int((before & ~left).sum())
        records += found
    last, _ = measured([Term()], otherwise, [left])
    return RuleSummary([*records, {**last, "term": OTHERWISE, "n_decided": last["n"]}])


def _numbers(record):
    """Return the statistics of a record that are shown, as texts."""
    return [f"{record['support']:g}", *(f"{record[name]:.2f}" for name in _SHOWN[1:])]

"""Explanation: the terms that samples satisfy, or nearly, as a table."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from itertools import compress

import numpy as np

from sklearn_dnfwinnow._utils._records import as_table

_COLUMNS = "row", "class", "formula", "term", "holds", "fails"


def explanation(dnfs, X, predicted):
    """Return the terms that decide predictions, see `DNFClassifier.explain`.

    Parameters
    ----------
    dnfs : list of DNF
    X : as returned by `check_table`
    predicted : list of n_samples classes
    """
    terms, fails = [], []
    for place, dnf in enumerate(dnfs):
        columns = dnf._columns(X, transformed=True)
        for term in dnf.terms:
            terms.append((place, dnf.class_, term))
            holds = [one.holds(columns[one.column]) for one in term.literals]
            fails.append(~np.array(holds, dtype=bool).reshape(-1, len(predicted)))
    n_failing = np.array([of_term.sum(axis=0) for of_term in fails])
    n_failing = n_failing.reshape(len(terms), len(predicted))
    records = []
    for row, class_ in enumerate(predicted):
        found = np.flatnonzero(n_failing[:, row] == 0).tolist()
        found = [i for i in found if terms[i][0] == terms[found[0]][0]]
        if not found and terms:
            found = [int(n_failing[:, row].argmin())]
        line = {"row": row, "class": class_, "formula": None, "term": ""}
        records += [
            {
                **line,
                "formula": terms[i][1],
                "term": str(terms[i][2]),
                "holds": not n_failing[i, row],
                "fails": " & ".join(
                    map(str, compress(terms[i][2].literals, fails[i][:, row]))
                ),
            }
            for i in found
        ] or [{**line, "holds": False, "fails": ""}]
    return as_table(records, _COLUMNS)

"""Decision: formulas that are tried in order, with what is said if one holds."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

from sklearn_dnfwinnow.rules._checks import check

#: What is said instead of a rule if none holds.
OTHERWISE = "otherwise"


class Decision(NamedTuple):
    """Formulas that are tried in order.

    Attributes
    ----------
    formulas : list of (object, tuple of Term)
        A plain value, and the terms of which one must hold for it; the first formula
        that holds decides.
    otherwise : object
        The plain value if no formula holds.
    features : tuple of str
        Names of all columns.
    notice : str
        What the columns are; empty if they are those of the data.
    result : {'class', 'rule'}
        What the values are.
    """

    formulas: list
    otherwise: object
    features: tuple
    notice: str = ""
    result: str = "class"

    @property
    def answers(self):
        """Return all values: that if no formula holds first, then those of formulas."""
        return [self.otherwise, *(answer for answer, _ in self.formulas)]

    @property
    def terms(self):
        """Return the terms of all formulas."""
        return [term for _, terms in self.formulas for term in terms]

    @property
    def literals(self):
        """Return the literals of all terms."""
        return [literal for term in self.terms for literal in term.literals]

    @property
    def used_features(self):
        """Return the names of the columns in the terms, in the order of the data."""
        used = sorted({literal.column for literal in self.literals})
        return [self.features[j] for j in used]

    def giving(self, result):
        """Return the decision on a class, or on the text of the first rule that holds.

        Raises
        ------
        ValueError
            If `result` is neither 'class' nor 'rule'.
        """
        check(result in ("class", "rule"), "result to be 'class' or 'rule'", result)
        if result == "class":
            return self
        rules = [(str(term), (term,)) for term in self.terms]
        return self._replace(formulas=rules, otherwise=OTHERWISE, result=result)

"""Decision: formulas that are tried in order, for programs in other languages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from typing import NamedTuple

from sklearn_dnfwinnow.rules._term import used_columns
from sklearn_dnfwinnow.rules._text import check, plain

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
    notice: str
    result: str

    @classmethod
    def of(cls, dnfs, otherwise, *, notice, result):
        """Return the decision on a class, or on the text of the first rule that holds.

        Parameters
        ----------
        dnfs : list of DNF
        otherwise : object
            The class if none of them holds.
        notice, result : str

        Raises
        ------
        TypeError
            If a class is not a string, number or boolean.
        ValueError
            If the name of a used column is not unique, or `result` is unknown.
        """
        for dnf in dnfs:
            dnf._check_names()
        formulas = [(plain(dnf.class_, "the target"), dnf.terms) for dnf in dnfs]
        otherwise = plain(otherwise, "the target")
        check(result in ("class", "rule"), "result to be 'class' or 'rule'", result)
        if result == "rule":
            rules = [term for _, terms in formulas for term in terms]
            formulas = [(str(term), (term,)) for term in rules]
            otherwise = OTHERWISE
        features = dnfs[0].features if dnfs else ()
        return cls(formulas, otherwise, features, notice, result)

    @property
    def terms(self):
        """Return the terms of all formulas."""
        return [term for _, terms in self.formulas for term in terms]

    @property
    def used_features(self):
        """Return the names of the columns in the terms, in the order of the data."""
        return [self.features[j] for j in used_columns(self.terms)]

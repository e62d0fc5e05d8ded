"""Given formulas: formulas in any form, for the columns and classes of a classifier."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

from sklearn_dnfwinnow._encoding._columns import dense, frame_library
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._fitting._formulas import column_names
from sklearn_dnfwinnow.rules._formula_text import read_formula, sections_of
from sklearn_dnfwinnow.rules._term import Term


def given_formulas(classifier, X):
    """Return the formulas that a classifier is given, for the columns of X.

    Parameters
    ----------
    classifier : DNFClassifier
        With `classes_` and the names of its columns.
    X : {dataframe, sparse matrix, ndarray} of shape (n_samples, n_features)
        As returned by `check_table`.

    Returns
    -------
    dnfs : list of DNF
    """
    given = classifier.dnf
    if isinstance(given, dict):
        return [
            replace(_read(classifier, one, X, class_), class_=class_)
            for class_, one in given.items()
        ]
    if isinstance(given, str):
        return [_read(classifier, section, X) for section in sections_of(given)]
    return [_read(classifier, given, X)]


def _read(classifier, given, X, class_=None):
    """Return one formula. Its class is `class_` if it contains none."""
    names = column_names(classifier)
    is_named = hasattr(classifier, "feature_names_in_") and frame_library(X)
    if isinstance(given, str):
        if is_named:
            values = X
        elif frame_library(X):  # of pandas, whose names are no strings
            values = X.set_axis(names, axis=1)
        else:
            used = [j for j, name in enumerate(names) if name in given]
            values = dict(zip([names[j] for j in used], dense(X[:, used]).T))
        head, terms = read_formula(
            given,
            values=values,
            or_features=names,
            classes=classifier.classes_.tolist(),
        )
        if "class_" not in head:
            head["class_"] = _second_class(classifier) if class_ is None else class_
        given = DNF(terms=terms, **head)
    elif not isinstance(given, DNF):
        raise TypeError(f"A formula must be a DNF or a str; got {given!r:.200}.")
    classifier._place_of(given.class_ if class_ is None else class_)
    return _about(given, names) if is_named else given


def _second_class(classifier):
    """Return the class of a text without a class."""
    classes = classifier.classes_.tolist()
    if len(classes) != 2:
        raise ValueError(
            "A formula for more than two classes must contain its class; got "
            f"{len(classes)} classes. Begin the text with 'class: ...', or pass a dict "
            "of class to formula."
        )
    return classes[1]


def _about(dnf, names):
    """Return a formula for columns that are identified by name."""
    if list(dnf.features) == names:
        return dnf
    absent = [name for name in dnf.used_features if names.count(name) != 1]
    if absent:
        raise ValueError(
            "X must have exactly one column for each feature of the formula; this does "
            f"not hold for {', '.join(map(repr, absent))}."
        )
    terms = [
        Term(replace(x, column=names.index(x.feature)) for x in term.literals)
        for term in dnf.terms
    ]
    return replace(dnf, terms=terms, features=names)

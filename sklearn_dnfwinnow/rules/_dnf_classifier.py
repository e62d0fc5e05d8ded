"""DNFClassifier: given formulas as a classifier of scikit-learn."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._preprocessing._columns import check_table, frame_library
from sklearn_dnfwinnow._utils._compat import (
    Interval,
    check_sample_weight,
    fit_context,
)
from sklearn_dnfwinnow._utils._estimator_mixins import (
    DocumentationLinkMixin,
    VersionedMixin,
)
from sklearn_dnfwinnow._utils._records import as_table
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._formula_text import read_formula
from sklearn_dnfwinnow.rules._term import Term

_EXPLAINED = "row", "class", "formula", "term", "holds", "fails"


class DNFClassifier(
    DocumentationLinkMixin, VersionedMixin, ClassifierMixin, BaseEstimator
):
    """Formulas that are given, as a classifier.

    It predicts the class of the formula that a row satisfies, and learns only how often
    that is right. So a formula that was edited can be cross-validated, and put into
    service, beside the model that it comes from.

    Parameters
    ----------
    dnf : DNF, str or dict, default=None
        A DNF; its text, see :ref:`editing_grammar`; or its JSON. Of several classes, a
        dict of class to DNF, text or JSON: the first that holds decides. A text without
        a class is about the second of two. None is no formula.

    otherwise : object, default=None
        The class of rows that satisfy no formula. None is that of a single DNF; if it
        has none, the other of two classes, or the most frequent one among the rows that
        satisfy no formula.

    smoothing : float, default=1.0
        For probabilities, so many rows of each class are added to those that `fit`
        counts; above 0.

    Attributes
    ----------
    dnfs_ : list of DNF
        The formulas, in the order in which they decide, about the columns that `fit`
        was given.

    otherwise_ : object
        The class of rows that satisfy none of them.

    class_counts_ : ndarray of shape (n_formulas + 1, n_classes), float64
        Weight of the rows of each class that each formula decides, and that none does.

    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of columns that `fit` was given.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Their names, if all are strings.

    See Also
    --------
    DNFWinnowClassifier : A classifier that learns formulas.
    sklearn_dnfwinnow.inspection.to_dnf : A short DNF of a model.

    Notes
    -----
    A class is predicted because of a formula, not of a probability: where the formula
    is mostly wrong, the class that is predicted is not the most probable one.

    Columns of a data frame go by their names, those of other tables by their positions;
    in a text, these are called x0, x1 and so on. Words without quotes are read as the
    values that `fit` sees. Terms that are about transformed columns, see
    `DNF.transformed_by`, are about X: the classifier belongs behind the transformers.

    :func:`sklearn_dnfwinnow.persistence.to_json` writes a fitted classifier, alone or
    in a pipeline, if its classes and values are strings, numbers or booleans.

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn_dnfwinnow import DNFClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFClassifier("a1 = 1 & a2 = 1 or a5 = 1").fit(X, y)
    >>> clf.otherwise_
    '0'
    >>> round(clf.score(X, y), 3)
    0.826
    >>> cross_val_score(clf, X, y, cv=3).round(2).tolist()
    [0.87, 0.84, 0.77]
    >>> clf.explain(X.iloc[[0, -1]])[["row", "class", "term", "holds"]]
       row class             term  holds
    0    0     1  a1 = 1 & a2 = 1   True
    1    1     0           a5 = 1  False
    """

    _parameter_constraints = {
        "dnf": [DNF, str, dict, None],
        "otherwise": "no_validation",
        "smoothing": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(self, dnf=None, *, otherwise=None, smoothing=1.0):
        self.dnf = dnf
        self.otherwise = otherwise
        self.smoothing = smoothing

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Check the formulas, and count the classes of rows that satisfy them.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Any values; None, NaN, NaT and pandas.NA are missing.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative; None is 1 for each.

        Returns
        -------
        self : DNFClassifier

        Raises
        ------
        DNFSyntaxError
            If a text is no formula, or is about another column.
        ValueError
            If a formula is about a column that X does not have, or compares one with
            numbers that holds something else; or if its class is none of those in y.
        """
        X, y = check_table(self, X, y, reset=True)
        check_classification_targets(y)
        weights = check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.dnfs_ = self._read(X)
        deciding = self._deciding(X)
        self.class_counts_ = np.zeros((len(self.dnfs_) + 1, len(self.classes_)))
        np.add.at(self.class_counts_, (deciding, labels), weights)
        self.otherwise_ = self.classes_.tolist()[self._otherwise()]
        return self

    def predict(self, X):
        """Return the class of the first formula that each row satisfies.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            `otherwise_` where a row satisfies none.
        """
        predicted = self._predicted(X)
        return self.classes_[predicted]

    def predict_proba(self, X):
        """Return how often each class is right: frequencies in `fit`, smoothed.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Those of the rows that the same formula decides.
        """
        check_is_fitted(self)
        counts = self.class_counts_ + self.smoothing
        shares = counts / counts.sum(axis=1, keepdims=True)
        return shares[self._deciding(check_table(self, X, reset=False))]

    def decision_function(self, X):
        """Return 1 for the class that is predicted, and -1 for others.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes, that of the second.
        """
        predicted = self._predicted(X)
        scores = 2.0 * (predicted[:, None] == np.arange(len(self.classes_))) - 1.0
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def explain(self, X):
        """Return the terms that each row satisfies, or what keeps it from the nearest.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
            One line for each term of the deciding formula that a row satisfies. If it
            satisfies none, one line for the term that fewest literals keep it from; the
            first of these in the order of `dnfs_`.

            - 'row': position of the row.
            - 'class': the class that is predicted.
            - 'formula': the class that the formula of the term stands for; None if
              there is no term.
            - 'term': the term, as text.
            - 'holds': whether the row satisfies it.
            - 'fails': the literals that it does not satisfy, joined by ``&``.
        """
        predicted = self.predict(X).tolist()
        X = check_table(self, X, reset=False)
        terms, fails = [], []
        for place, dnf in enumerate(self.dnfs_):
            columns = dnf._columns(X, transformed=True)
            for term in dnf.terms:
                terms.append((place, dnf.class_, term))
                holds = [one.holds(columns[one.column]) for one in term.literals]
                fails.append(~np.array(holds, dtype=bool).reshape(-1, len(X)))
        n_failing = np.array([of_term.sum(axis=0) for of_term in fails])
        n_failing = n_failing.reshape(len(terms), len(X))
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
                    "fails": _failing(terms[i][2], fails[i][:, row]),
                }
                for i in found
            ] or [{**line, "holds": False, "fails": ""}]
        return as_table(records, _EXPLAINED)

    def _read(self, X):
        """Return the formulas that are given, about the columns of a table."""
        if self.dnf is None:
            return []
        if not isinstance(self.dnf, dict):
            return [self._read_one(self.dnf, X)]
        return [
            replace(self._read_one(given, X, class_), class_=class_)
            for class_, given in self.dnf.items()
        ]

    def _read_one(self, given, X, class_=None):
        """Return one formula, about the columns of a table.

        Its class is `class_`, if it has none of its own.
        """
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            names = [f"x{j}" for j in range(self.n_features_in_)]
        names = list(map(str, names))
        if isinstance(given, str) and given.lstrip()[:1] == "{":
            given = DNF.from_json(given)
        elif isinstance(given, str):
            if hasattr(self, "feature_names_in_") and frame_library(X):
                values = X
            elif frame_library(X):  # of pandas, whose names are no strings
                values = X.set_axis(names, axis=1)
            else:
                values = {name: X[:, j] for j, name in enumerate(names)}
            head, terms = read_formula(given, values=values, or_features=names)
            if "class_" not in head:
                head["class_"] = self._second_class() if class_ is None else class_
            given = DNF(terms=terms, **head)
        elif not isinstance(given, DNF):
            raise TypeError(f"A formula is to be a DNF or text; got {given!r:.200}.")
        self._place_of(given.class_ if class_ is None else class_)
        if frame_library(X) and hasattr(self, "feature_names_in_"):
            return _about(given, names)
        return given

    def _second_class(self):
        """Return the class that a text without one is about."""
        if len(self.classes_) != 2:
            raise ValueError(
                "The text of the formula does not tell its class, and there are "
                f"{len(self.classes_)} classes. Begin it with a line 'class: ...', or "
                "pass a dict of class to formula."
            )
        return self.classes_.tolist()[1]

    def _place_of(self, class_):
        """Return the place of a class among all."""
        classes = self.classes_.tolist()
        if class_ not in classes:
            raise ValueError(
                f"The class {class_!r} of the formula is none of those in y: {classes}."
            )
        return classes.index(class_)

    def _otherwise(self):
        """Return the place of the class of rows that satisfy no formula."""
        if self.otherwise is not None:
            return self._place_of(self.otherwise)
        if len(self.dnfs_) == 1 and not isinstance(self.dnf, dict):
            (dnf,) = self.dnfs_
            if dnf.otherwise is not None:
                return self._place_of(dnf.otherwise)
            if len(self.classes_) == 2:
                return 1 - self._place_of(dnf.class_)
        left = self.class_counts_[-1]
        return int((left if left.any() else self.class_counts_.sum(axis=0)).argmax())

    def _predicted(self, X):
        """Return the place of the class that is predicted for each row."""
        check_is_fitted(self)
        classes = [*(dnf.class_ for dnf in self.dnfs_), self.otherwise_]
        places = np.array([self._place_of(class_) for class_ in classes])
        return places[self._deciding(check_table(self, X, reset=False))]

    def _deciding(self, X):
        """Return the place of the first formula that each row of a table satisfies.

        Where there is none, it is the number of formulas.
        """
        deciding = np.full(len(X), len(self.dnfs_))
        for place in reversed(range(len(self.dnfs_))):
            deciding[self.dnfs_[place].holds(X, transformed=True)] = place
        return deciding

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        # It learns no formula.
        tags.classifier_tags.poor_score = True
        return tags


def _about(dnf, names):
    """Return a formula about columns of a table, which go by their names."""
    if list(dnf.features) == names:
        return dnf
    absent = [name for name in dnf.used_features if names.count(name) != 1]
    if absent:
        raise ValueError(f"X has no single column {', '.join(map(repr, absent))}.")
    terms = [
        Term(replace(x, column=names.index(x.feature)) for x in term.literals)
        for term in dnf.terms
    ]
    return replace(dnf, terms=terms, features=names)


def _failing(term, fails):
    """Return the literals of a term that a row does not satisfy, as text."""
    return " & ".join(str(x) for x, failing in zip(term.literals, fails) if failing)

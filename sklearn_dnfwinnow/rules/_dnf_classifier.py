"""DNFClassifier: a scikit-learn classifier from given formulas."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace
from numbers import Real

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._columns import (
    check_table,
    columns_of,
    frame_library,
)
from sklearn_dnfwinnow._encoding._sample_weights import check_samples
from sklearn_dnfwinnow._utils._compat import Interval, fit_context
from sklearn_dnfwinnow._utils._estimator_mixins import PackageMixin
from sklearn_dnfwinnow._utils._records import as_table
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._formula_text import read_formula
from sklearn_dnfwinnow.rules._term import Term

_EXPLAINED = "row", "class", "formula", "term", "holds", "fails"


class DNFClassifier(PackageMixin, ClassifierMixin, BaseEstimator):
    """Classifier that predicts by given formulas.

    It predicts the class of the formula that a sample satisfies, and learns only the
    class frequencies of each formula from the training data. An edited formula can
    therefore be cross-validated and deployed like the model that it comes from.

    Parameters
    ----------
    dnf : DNF, str or dict, default=None
        The formula: a DNF, its text (see :ref:`editing_grammar`) or its JSON. For
        several classes, a dict from class to DNF, text or JSON; the first formula that
        holds determines the class. A text without a class refers to the second of two
        classes. None is no formula.

    otherwise : object, default=None
        The class that is predicted for samples that satisfy no formula. None uses that
        of a single DNF. If the DNF has none, it is the other one of two classes, or the
        most frequent class among the training samples that satisfy no formula.

    smoothing : float, default=1.0
        Number of samples of each class that are added to the counts of `fit`, for the
        probabilities; positive.

    Attributes
    ----------
    dnfs_ : list of DNF
        The formulas, in the order in which they are evaluated, for the columns of the
        data passed to `fit`.

    otherwise_ : object
        The class that is predicted for samples that satisfy none of the formulas.

    class_counts_ : ndarray of shape (n_formulas + 1, n_classes), float64
        Total weight of the training samples of each class whose prediction each formula
        determines; the last row is for samples that satisfy none.

    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of features in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features in `fit`, if all are strings.

    See Also
    --------
    DNFWinnowClassifier : A classifier that learns formulas.
    sklearn_dnfwinnow.inspection.to_dnf : A short DNF from a model.

    Notes
    -----
    The prediction is determined by the formulas, not by the probabilities. If a formula
    is mostly wrong, the predicted class is not the most probable one.

    Columns of a data frame are identified by name, those of other data by position; in
    a text, the latter are named x0, x1 and so on. Words without quotes are read as the
    values that occur in `fit`. Terms that refer to transformed columns, see
    `DNF.transformed_by`, refer to X: place the classifier after the transformers in a
    pipeline.

    A text with a value that X does not contain raises an error in `fit`, see
    `DNF.parse`. A DNF and its JSON are not checked. To use a value that may be absent
    from the training samples, as in a fold of a cross-validation, pass a DNF.

    :func:`sklearn_dnfwinnow.persistence.to_json` saves a fitted classifier, alone or in
    a pipeline, if its classes and values are strings, numbers or booleans.

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
        """Check the formulas, and count the classes of the samples that satisfy them.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples with any values; None, NaN, NaT and pandas.NA are missing.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the samples. None is 1 for each.

        Returns
        -------
        self : DNFClassifier

        Raises
        ------
        DNFSyntaxError
            If a text is not a formula, or refers to a column or value that X does not
            contain.
        ValueError
            If a formula refers to a column that X does not have, or compares a column
            with numbers that contains other values; or if its class is not in y.
        """
        X, y, weights = check_samples(self, X, y, sample_weight)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self.dnfs_ = self._read(X)
        deciding = self._deciding(X)
        self.class_counts_ = np.zeros((len(self.dnfs_) + 1, len(self.classes_)))
        np.add.at(self.class_counts_, (deciding, labels), weights)
        self.otherwise_ = self.classes_.tolist()[self._otherwise()]
        return self

    def predict(self, X):
        """Return the class of the first formula that each sample satisfies.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Predicted classes; `otherwise_` if a sample satisfies no formula.
        """
        predicted = self._predicted(X)
        return self.classes_[predicted]

    def predict_proba(self, X):
        """Return probabilities of the classes: smoothed frequencies in `fit`.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Class frequencies among the training samples for which the same formula
            determines the prediction.
        """
        check_is_fitted(self)
        counts = self.class_counts_ + self.smoothing
        shares = counts / counts.sum(axis=1, keepdims=True)
        return shares[self._deciding(check_table(self, X, reset=False))]

    def decision_function(self, X):
        """Return 1 for the predicted class, and -1 for all others.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes, the scores of the second class.
        """
        predicted = self._predicted(X)
        scores = 2.0 * (predicted[:, None] == np.arange(len(self.classes_))) - 1.0
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def explain(self, X):
        """Return the terms that each sample satisfies, or the nearest unsatisfied term.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
            One row for each satisfied term of the formula that determines the
            prediction. If a sample satisfies no formula, one row for the term with the
            fewest failed literals; of several such terms, the first one in the order of
            `dnfs_`.

            - 'row': position of the sample.
            - 'class': the predicted class.
            - 'formula': the class of the formula with the term; None if there is no
              term.
            - 'term': the term, as text.
            - 'holds': whether the sample satisfies the term.
            - 'fails': the failed literals, joined by ``&``.
        """
        predicted = self.predict(X).tolist()
        X = check_table(self, X, reset=False)
        terms, fails = [], []
        for place, dnf in enumerate(self.dnfs_):
            columns = dnf._columns(X, transformed=True)
            for term in dnf.terms:
                terms.append((place, dnf.class_, term))
                holds = [one.holds(columns[one.column]) for one in term.literals]
                fails.append(~np.array(holds, dtype=bool).reshape(-1, X.shape[0]))
        n_failing = np.array([of_term.sum(axis=0) for of_term in fails])
        n_failing = n_failing.reshape(len(terms), X.shape[0])
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
        """Return the given formulas, for the columns of X."""
        if self.dnf is None:
            return []
        if not isinstance(self.dnf, dict):
            return [self._read_one(self.dnf, X)]
        return [
            replace(self._read_one(given, X, class_), class_=class_)
            for class_, given in self.dnf.items()
        ]

    def _read_one(self, given, X, class_=None):
        """Return one formula, for the columns of X.

        Its class is `class_` if it contains none.
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
            elif issparse(X):
                values = {n: c.values for n, c in zip(names, columns_of(X))}
            else:
                values = {name: X[:, j] for j, name in enumerate(names)}
            head, terms = read_formula(given, values=values, or_features=names)
            if "class_" not in head:
                head["class_"] = self._second_class() if class_ is None else class_
            given = DNF(terms=terms, **head)
        elif not isinstance(given, DNF):
            raise TypeError(f"A formula must be a DNF or a str; got {given!r:.200}.")
        self._place_of(given.class_ if class_ is None else class_)
        if frame_library(X) and hasattr(self, "feature_names_in_"):
            return _about(given, names)
        return given

    def _second_class(self):
        """Return the class of a text without a class."""
        if len(self.classes_) != 2:
            raise ValueError(
                "A formula for more than two classes must contain its class; got "
                f"{len(self.classes_)} classes. Begin the text with 'class: ...', or "
                "pass a dict of class to formula."
            )
        return self.classes_.tolist()[1]

    def _place_of(self, class_):
        """Return the index of a class."""
        classes = self.classes_.tolist()
        if class_ not in classes:
            raise ValueError(
                f"The class of a formula must be one of {classes}; got {class_!r}."
            )
        return classes.index(class_)

    def _otherwise(self):
        """Return the index of the class of samples that satisfy no formula."""
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
        """Return the index of the predicted class of each sample."""
        check_is_fitted(self)
        classes = [*(dnf.class_ for dnf in self.dnfs_), self.otherwise_]
        places = np.array([self._place_of(class_) for class_ in classes])
        return places[self._deciding(check_table(self, X, reset=False))]

    def _deciding(self, X):
        """Return the index of the first formula that each sample satisfies.

        If a sample satisfies none, the number of formulas.
        """
        deciding = np.full(X.shape[0], len(self.dnfs_))
        for place in reversed(range(len(self.dnfs_))):
            deciding[self.dnfs_[place].holds(X, transformed=True)] = place
        return deciding

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        # It cannot reach a required accuracy, because it learns no formula.
        tags.classifier_tags.poor_score = True
        return tags


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


def _failing(term, fails):
    """Return the literals of a term that a sample does not satisfy, as text."""
    return " & ".join(str(x) for x, failing in zip(term.literals, fails) if failing)

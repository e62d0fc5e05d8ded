"""DNFClassifier: rules as a scikit-learn classifier, given or learnt."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._encoding._columns import (
    check_cells,
    check_table,
    column_label,
    is_numeric,
    named_columns,
)
from sklearn_dnfwinnow._encoding._table import check_samples, in_samples
from sklearn_dnfwinnow._utils._display import transformation_notice
from sklearn_dnfwinnow._utils._estimators import (
    OR_AUTO,
    POSITIVE,
    HasMethods,
    Interval,
    LogProbaMixin,
    PackageMixin,
    SplitterMixin,
    StrOptions,
    check_groups,
    feature_names_of,
    fit_context,
)
from sklearn_dnfwinnow.rules._dnf import DNF, OTHERWISE, Decision
from sklearn_dnfwinnow.rules._expressions import decision_as_python, decision_as_sql
from sklearn_dnfwinnow.rules._fitting import given_formulas, learn_formulas, with_named
from sklearn_dnfwinnow.rules._formula_text import (
    NO_RULES,
    class_line,
    exact_formulas,
    shown_terms,
)
from sklearn_dnfwinnow.rules._statistics import (
    explanation,
    labels_and_weights,
    summary_of,
)
from sklearn_dnfwinnow.rules._term import used_columns
from sklearn_dnfwinnow.rules._text import check, value_text


class DNFClassifier(
    LogProbaMixin, SplitterMixin, PackageMixin, ClassifierMixin, BaseEstimator
):
    """Classifier that predicts by rules, which it learns or is given.

    It predicts the class of the first formula that a row satisfies, and a default class
    if a row satisfies none. It learns a few short rules for one class, or for each
    class but the default one: from the labels alone, or from the labels and a model.
    Their number is the one that held-out rows ask for, and what is printed of them is
    measured on held-out rows.

    A formula that is given is not changed: `fit` learns only the class frequencies. An
    edited formula can therefore be cross-validated and deployed like the model that it
    comes from.

    Parameters
    ----------
    dnf : DNF, str or dict, default=None
        The formula: a DNF or its text (see :ref:`editing_grammar`). For several
        classes, a dict from class to DNF or text, or one text as it is printed; the
        first formula that holds determines the class. A text begins with its class,
        ``class: bad``. It can do without if the labels are 0 and 1, -1 and 1, or False
        and True: its class is then 1 or True, as for `pos_label` in scikit-learn. None
        learns formulas; an empty dict is no formula.

    estimator : classifier, default=None
        A classifier with `predict_proba`. What a rule gains by a row is then half its
        label, and half the probability of its class. A fitted one predicts all rows of
        `fit`. Of another one, clones predict the rows that they were not fitted on.
        None uses only labels. This parameter and all others but `otherwise` and
        `smoothing` have an effect only if formulas are learned.

    class_of_interest : object, default=None
        The class that rules are learned for. None learns rules for all classes but the
        default one: for the rarer one of two classes.

    otherwise : object, default=None
        The class that is predicted for rows that satisfy no formula. None uses that of
        a given DNF. If there is none, it is the other one of two classes, or the most
        frequent class among the rows that satisfy no formula. If rules are learned and
        there is no `class_of_interest`, None is the more frequent one of two classes,
        the first one if they are equal, and of more classes the one with which the
        fewest held-out rows are predicted wrongly.

    max_conditions : int, default=3
        Maximum number of conditions of a rule; an interval with two ends has two. If
        rules of up to twice as many are clearly better on held-out rows, as where a
        class follows from many exact rules, these are learned.

    min_support : int or float, default=0.01
        Smallest number of rows that satisfy a rule, by weight. A float below 1 is a
        fraction of all; it is then at least ten rows, or 4 % of fewer than 250 rows.
        Longer rules need only three.

    price : float or 'auto', default='auto'
        Number of rows that a rule, and each of its conditions, must gain: a rule of two
        conditions has to be right for more than three times as many rows as it is
        wrong for, beside the other rules. 'auto' is that of the shortest rules whose
        loss on held-out rows is at most one standard error above the smallest one.

    miss_cost : float, 'f1' or 'auto', default='auto'
        Cost of a missed row of the class, relative to a row of another class that the
        rules cover. 1 is for the fewest errors. 'f1' is for the largest F1 score.
        'auto' with a `class_of_interest` is 'f1' if the class is rare: if it has less
        than 5 % of the rows, or if no rule is right more often than wrong; otherwise
        it is 1. 'auto' without one is half the number of rows of other classes,
        relative to those of the most frequent one, and at least 1: more than 1 for
        many classes, of which the default class is right for a small part.

    monotonic_cst : array-like of shape (n_features,), dict or None, default=None
        Directions of numeric features, as in :class:`DNFWinnowClassifier`: a row that
        satisfies a rule of a class still does if a feature moves in the direction in
        which the class becomes more probable. None uses those of `estimator`, if it
        has any.

    cv : int, splitter, iterable, 'auto' or None, default='auto'
        Folds of the cross-validation; 'auto' is 5, or 3 for more than 2,000 rows. For
        splitters that need groups, pass `groups` to `fit`. None holds out no rows: the
        price is then 0.17 % of the rows, or less for a class with less than 25 % of
        them, and the most frequent class is the default class.

    smoothing : float, default=1.0
        Number of rows of each class that are added to the counts of `fit`, for the
        probabilities; positive.

    random_state : int, RandomState instance or None, default=None
        Determines the folds, and nothing else. Pass an int for reproducible rules.

    verbose : int, default=0
        A positive number prints each stage as it starts, such as the rules of a class,
        and then at most a line a second, with the seconds so far.

    Attributes
    ----------
    dnfs_ : list of DNF
        The formulas, in the order in which they are evaluated, for the columns of the
        data passed to `fit`. If they are learned, the class whose rules are the most
        precise ones is first. A DNF then has `scores` on held-out rows: 'precision',
        'recall', 'f1', 'error', the fraction of the rows for which it does not tell
        whether they are in the class, and 'share', that of the class. Its `rule_scores`
        have for each rule 'n', the number of rows of `fit` that satisfy it, 'support',
        their fraction, and 'precision', less what the folds found to be optimism.

    without_rules_ : list
        Classes whose rules would be no better than chance: on held-out rows, their loss
        is within 1.65 standard errors of that without rules.

    prices_ : dict
        For each class with learned rules, the price in rows.

    otherwise_ : object
        The class that is predicted for rows that satisfy none of the formulas.

    class_counts_ : ndarray of shape (n_formulas + 1, n_classes), float64
        Weight of the training rows of each class whose prediction each formula
        determines, their number without weights. The last row is for rows that satisfy
        none.

    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.

    n_features_in_ : int
        Number of features in `fit`.

    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features in `fit`, if all are strings.

    See Also
    --------
    DNFWinnowClassifier : A classifier that weighs all rules.
    sklearn_dnfwinnow.inspection.to_dnf : A short DNF from a model.

    Notes
    -----
    A rule is a conjunction of conditions on single features. A number is compared with
    quantiles and with the cuts of a small tree, both moved to round numbers over at
    most 0.5 % of the rows. A category is equal to a value or differs from it. Missing
    values satisfy no condition but ``is missing``. Infinite values raise an error. Of
    more than 150 columns, those that tell a class best are used.
    :ref:`rules_method` describes how rules are found. They are a function of the data,
    of the parameters and of `random_state`: the order of the rows has no effect.

    The prediction is determined by the formulas, not by the probabilities. If a formula
    is mostly wrong, the predicted class is not the most probable one.

    Columns of a data frame are identified by name, those of other data by position; in
    a text, the latter are named x0, x1 and so on. Words without quotes are read as the
    values that occur in `fit`. Terms that refer to transformed columns, see
    `DNF.transformed_by`, refer to X: place the classifier after the transformers in a
    pipeline.

    A text with a value that X does not contain raises an error in `fit`, see
    `DNF.parse`. A DNF is not checked. To use a value that may be absent from the
    training rows, as in a fold of a cross-validation, pass a DNF. A class of given
    rules that y does not contain, as the rare class in a fold, is one of `classes_`
    all the same, with a warning.

    Examples
    --------
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn_dnfwinnow import DNFClassifier
    >>> from sklearn_dnfwinnow.datasets import load_monks
    >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
    >>> clf = DNFClassifier(random_state=0).fit(X, y)
    >>> print(clf)  # doctest: +NORMALIZE_WHITESPACE
    class: 1  # held out: precision 1.00, recall 1.00, F1 1.00; error 0.0 %, of
        50.0 % in the class
    a5 = 1 or           # 1.00 of 137 rows (25 %)
    a1 = 3 & a2 = 3 or  # 1.00 of 65 rows (12 %)
    a1 = 2 & a2 = 2 or  # 1.00 of 63 rows (11 %)
    a1 = 1 & a2 = 1     # 1.00 of 57 rows (10 %)
    <BLANKLINE>
    otherwise: 0

    A formula that is given:

    >>> clf = DNFClassifier({"1": "a1 = 1 & a2 = 1 or a5 = 1"}).fit(X, y)
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
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "class_of_interest": "no_validation",
        "otherwise": "no_validation",
        "max_conditions": [POSITIVE],
        "min_support": [Interval(Real, 0, None, closed="left")],
        "price": [Interval(Real, 0, None, closed="neither"), OR_AUTO],
        "miss_cost": [
            Interval(Real, 0, None, closed="neither"),
            StrOptions({"auto", "f1"}),
        ],
        "monotonic_cst": ["array-like", dict, None],
        "cv": ["cv_object", OR_AUTO],
        "smoothing": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        dnf=None,
        *,
        estimator=None,
        class_of_interest=None,
        otherwise=None,
        max_conditions=3,
        min_support=0.01,
        price="auto",
        miss_cost="auto",
        monotonic_cst=None,
        cv="auto",
        smoothing=1.0,
        random_state=None,
        verbose=0,
    ):
        self.dnf = dnf
        self.estimator = estimator
        self.class_of_interest = class_of_interest
        self.otherwise = otherwise
        self.max_conditions = max_conditions
        self.min_support = min_support
        self.price = price
        self.miss_cost = miss_cost
        self.monotonic_cst = monotonic_cst
        self.cv = cv
        self.smoothing = smoothing
        self.random_state = random_state
        self.verbose = verbose

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None, groups=None):
        """Learn formulas, or check given ones, and count the classes of their rows.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows with any values; None, NaN, NaT and pandas.NA are missing. Formulas
            are learnt from at most 4,096 columns.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the rows. Whole numbers are numbers of equal
            rows, up to a common factor: weights of 1 and 2 are as one and two rows,
            which may be in different folds. Other weights are relative to their mean.
            None is 1 for each.

        groups : array-like of shape (n_samples,), default=None
            Groups of the rows, for a splitter in `cv` that keeps groups together.

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
            with numbers that contains other values; if a text needs a class and has
            none; or if y does not contain its class, and labels of another type. If
            formulas are learnt, and `cv` is larger than the number of rows, or of
            rows of each class. If there are groups, and `cv` is no splitter.

        Warns
        -----
        UserWarning
            If given formulas have a class that y does not contain. If formulas are
            learnt, and a class has fewer rows than `cv`, or X has
            columns of identifiers, dates as text, free text, numbers as text or rare
            categories, see :meth:`DNFWinnowClassifier.fit`.
        """
        check_groups(self.cv, groups)
        return self._fit(X, y, sample_weight, groups=groups)

    def _fit(self, X, y, sample_weight, **known):
        """Set the fitted attributes, see `fit`.

        `known` has the groups of rows, or what a model says of them, see
        `learn_formulas`.
        """
        X, y, weights = check_samples(self, X, y, sample_weight)
        weights = in_samples(weights)
        self.classes_, labels = np.unique(y, return_inverse=True)
        otherwise = None
        if self.dnf is None:
            self.dnfs_, self.without_rules_, otherwise, self.prices_ = learn_formulas(
                self, X, labels, weights, **known
            )
        else:
            self.dnfs_ = given_formulas(self, X)
            named = [dnf.class_ for dnf in self.dnfs_]
            named += [one for one in (self.otherwise, self._other()) if one is not None]
            self.classes_ = with_named(self.classes_, named)
            labels = np.searchsorted(self.classes_, y)
        classes = self.classes_.tolist()
        self.class_counts_ = np.zeros((len(self.dnfs_) + 1, len(classes)))
        np.add.at(self.class_counts_, (self._deciding(X), labels), weights)
        self.otherwise_ = classes[self._otherwise() if otherwise is None else otherwise]
        # Numbers are compared, so that all are known.
        self._known = {
            j: None if is_numeric(column) else frozenset(column.tolist()) - {None}
            for j, column in self._used_columns(X)
        }
        return self

    def predict(self, X):
        """Return the class of the first formula that each row satisfies.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Predicted classes; `otherwise_` if a row satisfies no formula.

        Raises
        ------
        ValueError
            If X has other columns than in `fit`; or text in a column that had numbers,
            or numbers only in one that had text.

        Warns
        -----
        UserWarning
            If none of the values of a column of the rules is one that `fit` had.
        """
        predicted = self._predicted(self._table(X))
        return self.classes_[predicted]

    def predict_proba(self, X):
        """Return probabilities of the classes: smoothed frequencies in `fit`.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Class frequencies among the training rows for which the same formula
            determines the prediction.
        """
        deciding = self._deciding(self._table(X))
        counts = self.class_counts_ + self.smoothing
        return (counts / counts.sum(axis=1, keepdims=True))[deciding]

    def apply(self, X):
        """Return the rule that decides each prediction, as text.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        rules : ndarray of shape (n_samples,), object
            The first term that the row satisfies, in the order of `dnfs_`, as it is
            printed; 'otherwise' if it satisfies none.

        See Also
        --------
        explain : All terms that a row satisfies, and the conditions that fail.
        to_sql : With ``result="rule"``, the same in a database.

        Examples
        --------
        >>> from sklearn_dnfwinnow import DNFClassifier
        >>> rules = {"high": "x0 > 60 or x1 = yes", "low": "x0 <= 30"}
        >>> X = [[61, "yes"], [30, "no"], [40, "no"], [30, "yes"]]
        >>> clf = DNFClassifier(rules).fit(X, ["high", "low", "middle", "high"])
        >>> clf.apply(X)
        array(['x0 > 60', 'x0 <= 30', 'otherwise', 'x1 = yes'], dtype=object)
        """
        X = self._table(X)
        rules = np.full(X.shape[0], OTHERWISE, dtype=object)
        for dnf in reversed(self.dnfs_):
            of_dnf = dnf.apply(X, transformed=True)
            rules = np.where(of_dnf == OTHERWISE, rules, of_dnf)
        return rules

    def explain(self, X):
        """Return the terms that each row satisfies, or the nearest unsatisfied term.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
            One row for each satisfied term of the formula that determines the
            prediction. If a row satisfies no formula, one record for the term with the
            fewest failed literals; of several such terms, the first one in the order of
            `dnfs_`.

            - 'row': its position in X.
            - 'class': the predicted class.
            - 'formula': the class of the formula with the term; None if there is no
              term.
            - 'term': the term, as text.
            - 'holds': whether the row satisfies the term.
            - 'fails': the failed literals, joined by ``&``.
        """
        table = self._table(X)
        predicted = self.classes_[self._predicted(table)].tolist()
        return explanation(self.dnfs_, table, predicted)

    def summary(self, X, y, sample_weight=None, *, confidence=0.95):
        """Return statistics of the rules of all classes.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows. Precision and recall are optimistic on rows that were used to
            learn or select the rules.

        y : array-like of shape (n_samples,)
            Class labels.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the rows. None is 1 for each.

        confidence : float, default=0.95
            Confidence level of the intervals.

        Returns
        -------
        summary : RuleSummary
            `print` shows it as text, and a notebook as a table. Its attribute `table`
            is a data frame, or a list of dict if pandas is not installed. The table has
            a row for each rule, a row with the term ``(any)`` for each formula, and one
            with the term ``(otherwise)`` for the rows that satisfy no formula. Its
            columns are those of `DNF.summary`.

        Raises
        ------
        ValueError
            If `X` and `y` do not have the same number of rows, or `confidence` is
            not between 0 and 1.

        Warns
        -----
        UserWarning
            If no row belongs to the class of a formula.

        Examples
        --------
        >>> from sklearn_dnfwinnow import DNFClassifier
        >>> from sklearn_dnfwinnow.datasets import load_monks
        >>> X, y = load_monks(1, return_X_y=True, as_frame=True)
        >>> clf = DNFClassifier({"1": "a1 = 1 & a2 = 1 or a5 = 1"}).fit(X, y)
        >>> print(clf.summary(X, y))
        1 where any of these holds
           support precision    recall      lift
                57      1.00      0.21      2.00  a1 = 1 & a2 = 1
               137      1.00      0.49      2.00  a5 = 1
               181      1.00      0.65      2.00  (any)
        otherwise 0
           support precision    recall      lift
               375      0.74      1.00      1.48  (otherwise)
        """
        table = self._table(X)
        y, weights = labels_and_weights(table, y, sample_weight, confidence)
        covers = []
        for dnf in self.dnfs_:
            columns = dnf._columns(table, transformed=True)
            covers.append([term.holds(columns) for term in dnf.terms])
        return summary_of(
            self.dnfs_,
            otherwise=self.otherwise_,
            covers=covers,
            y=y,
            weights=weights,
            confidence=confidence,
        )

    def _position_of(self, class_, name="The class of a formula"):
        """Return the index of a class, or raise an error with what is called `name`."""
        classes = self.classes_.tolist()
        if class_ not in classes:
            raise ValueError(f"{name} must be one of {classes}; got {class_!r}.")
        return classes.index(class_)

    def _other(self):
        """Return the class of rows that satisfy no formula, by a given formula."""
        is_dict = isinstance(self.dnf, dict)
        return None if is_dict or not self.dnfs_ else self.dnfs_[0].otherwise

    def _otherwise(self):
        """Return the index of the class of rows that satisfy no formula."""
        for class_ in (self.otherwise, self._other()):
            if class_ is not None:
                return self._position_of(class_)
        is_single = len(self.dnfs_) == 1 and not isinstance(self.dnf, dict)
        if is_single and len(self.classes_) == 2:
            return 1 - self._position_of(self.dnfs_[0].class_)
        left = self.class_counts_[-1]
        return int((left if left.any() else self.class_counts_.sum(axis=0)).argmax())

    def _predicted(self, X):
        """Return the index of the predicted class of each row of a checked table."""
        classes = [*(dnf.class_ for dnf in self.dnfs_), self.otherwise_]
        places = np.array([self._position_of(class_) for class_ in classes])
        return places[self._deciding(X)]

    def _used_columns(self, X):
        """Yield the position and the values of each column that formulas refer to."""
        terms = [term for dnf in self.dnfs_ for term in dnf.terms]
        used = used_columns(terms)
        return zip(used, named_columns(X, feature_names_of(self).tolist(), used))

    def _table(self, X):
        """Return the checked table of new rows, whose columns are those of `fit`."""
        check_is_fitted(self)
        X = check_table(self, X, reset=False)
        for j, column in self._used_columns(X):
            if self._known[j] is not None or not is_numeric(column):
                check_cells(
                    column.tolist(),
                    known=self._known[j],
                    label=column_label(self, j),
                    n_rows=len(column),
                )
        return X

    def _deciding(self, X):
        """Return the index of the first formula that each row satisfies.

        If a row satisfies none, the number of formulas.
        """
        deciding = np.full(X.shape[0], len(self.dnfs_))
        for place in reversed(range(len(self.dnfs_))):
            deciding[self.dnfs_[place].holds(X, transformed=True)] = place
        return deciding

    # -- in other languages ------------------------------------------------------------

    def __str__(self):
        """Return the formulas of a fitted classifier, each below its class."""
        if not hasattr(self, "dnfs_"):
            return repr(self)
        parts, otherwise = [], self.otherwise_
        for dnf in self.dnfs_:
            if any(not term.literals for term in dnf.terms):
                otherwise = dnf.class_  # it always holds
                break
            if dnf.terms:
                parts.append(f"{class_line(dnf)}\n{shown_terms(dnf)}\n")
        for class_ in getattr(self, "without_rules_", ()):
            parts.append(f"# {value_text(class_)}: {NO_RULES}\n")
        return "\n".join([*parts, f"otherwise: {value_text(otherwise)}"])

    def to_text(self):
        """Return the formulas as text, which can be edited and passed as `dnf`.

        Unlike the printed text, it contains the names of all features, and all values
        with all digits, see `DNF.to_text`.

        Returns
        -------
        text : str

        Raises
        ------
        TypeError
            If a class or value is not a string, number or boolean.
        ValueError
            If two features have the same name, and one of them is used.
        """
        self._decision()
        dnfs = self.dnfs_ or [DNF((), self.otherwise_)]
        for dnf in dnfs[1:]:
            is_alike = dnf.features == dnfs[0].features
            check(is_alike, "formulas on the same features", dnf.features)
        return exact_formulas(dnfs, self.otherwise_)

    def to_python(self, name="predict", *, result="class"):
        """Return the source code of a Python function without dependencies.

        It returns the predicted class of a row. Its argument, and the errors that
        are raised, are those of `DNF.to_python`.

        Parameters
        ----------
        name : str, default='predict'
            Name of the function.

        result : {'class', 'rule'}, default='class'
            What the function returns: the predicted class, or the text of the first
            rule that holds, as `apply` does.
        """
        return decision_as_python(self._decision(result), name)

    def to_sql(self, *, dialect="standard", result="class"):
        """Return an SQL expression: one ``CASE`` whose value is the predicted class.

        Missing values must be NULL. Errors are those of `DNF.to_sql`.

        Parameters
        ----------
        dialect : str, default='standard'
            The engine that reads the expression: 'standard', 'duckdb', 'sqlite',
            'mysql' or 'bigquery', see `DNF.to_sql`.

        result : {'class', 'rule'}, default='class'
            The value of the expression: the predicted class, or the text of the first
            rule that holds, as `apply` returns it.

        Returns
        -------
        text : str

        Examples
        --------
        >>> from sklearn_dnfwinnow import DNFClassifier
        >>> rules = {"high": "x0 > 60 or x1 = yes", "low": "x0 <= 30"}
        >>> X = [[61, "no"], [30, "no"], [40, "no"], [50, "yes"]]
        >>> clf = DNFClassifier(rules).fit(X, ["high", "low", "middle", "high"])
        >>> print(clf.to_sql())
        CASE WHEN
            ("x0" > 60.0)
            OR ("x1" = 'yes')
        THEN 'high' WHEN
            ("x0" <= 30.0)
        THEN 'low' ELSE 'middle' END
        >>> print(clf.to_sql(result="rule"))
        CASE WHEN
            ("x0" > 60.0)
        THEN 'x0 > 60' WHEN
            ("x1" = 'yes')
        THEN 'x1 = yes' WHEN
            ("x0" <= 30.0)
        THEN 'x0 <= 30' ELSE 'otherwise' END
        """
        return decision_as_sql(self._decision(result), dialect)

    def _decision(self, result="class"):
        """Return the Decision for an export."""
        check_is_fitted(self)
        names = list(dict.fromkeys(n for d in self.dnfs_ for n in d.transformed_by))
        notice = transformation_notice(names)
        return Decision.of(self.dnfs_, self.otherwise_, notice=notice, result=result)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        # It cannot reach a required accuracy if it learns no formula.
        tags.classifier_tags.poor_score = self.dnf is not None
        return tags

"""DNF: a disjunction of terms, and the decision by several of them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, NamedTuple

import numpy as np

from sklearn_dnfwinnow._encoding._columns import named_columns
from sklearn_dnfwinnow._utils._display import cell, shown, table, transformation_notice
from sklearn_dnfwinnow._utils._estimators import num_samples
from sklearn_dnfwinnow.rules._expressions import decision_as_python, decision_as_sql
from sklearn_dnfwinnow.rules._formula_text import (
    exact_formula,
    read_formula,
    shown_formula,
    shown_scores,
)
from sklearn_dnfwinnow.rules._statistics import labels_and_weights, summary_of
from sklearn_dnfwinnow.rules._term import used_columns
from sklearn_dnfwinnow.rules._text import check, plain

#: What is said instead of a rule if none holds.
OTHERWISE = "otherwise"
# Number of characters, and of terms, of the formula in `repr`.
_MOST_SHOWN = 60


@dataclass(frozen=True)
class DNF:
    """A disjunction of terms that predicts a class.

    A DNF without terms is never satisfied.

    Parameters
    ----------
    terms : iterable of Term
        The terms. Their literals refer to the features of one data set.

    class_ : object
        The class that is predicted for rows that satisfy a term.

    otherwise : object, default=None
        The class of all other rows. None if they are only known not to belong to
        `class_`.

    features : iterable of str, default=()
        Names of all features of the data set, in order.

    scores : dict of str to float, default={}
        Measures of the agreement with a model or with labels; finite numbers.

    transformed_by : iterable of str, default=()
        Names of the transformers, in order, that produce the features. Empty if they
        are the features that the model takes.

    rule_scores : iterable of dict, default=()
        Measures of each term, if it was learned: 'n', the number of rows that satisfy
        it, 'support', their fraction of all, and 'precision' on held-out rows. They
        are printed as comments behind the terms.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules import DNF, Literal, Term
    >>> sunny = Literal(0, "outlook", "=", "sunny", ("sunny",))
    >>> calm = Literal(1, "wind", "!=", "strong", ("weak", "none"))
    >>> warm = Literal(2, "degrees", ">", "20.5", None, ((20.5, float("inf")),))
    >>> features = ["outlook", "wind", "degrees"]
    >>> dnf = DNF([Term([sunny, calm]), Term([warm])], "out", "in", features)
    >>> print(dnf)
    class: out
    outlook = sunny & wind != strong or
    degrees > 20.5
    otherwise: 'in'
    >>> dnf.holds([["sunny", "weak", 12], ["rainy", None, 21], ["sunny", None, None]])
    array([ True,  True, False])
    >>> DNF.parse(dnf.to_text()).to_text() == dnf.to_text()
    True
    >>> print(dnf.to_sql())
    CASE WHEN
        ("outlook" = 'sunny' AND "wind" IN ('weak', 'none'))
        OR ("degrees" > 20.5)
    THEN 'out' ELSE 'in' END
    >>> code = {}
    >>> exec(dnf.to_python(), code)
    >>> code["predict"]({"outlook": "rainy", "wind": "weak", "degrees": 12})
    'in'
    """

    terms: tuple
    class_: Hashable
    otherwise: Any = None
    features: tuple = ()
    scores: dict = field(default_factory=dict, hash=False)
    transformed_by: tuple = ()
    rule_scores: tuple = field(default=(), compare=False, repr=False)

    def __post_init__(self):
        object.__setattr__(self, "terms", tuple(self.terms))
        object.__setattr__(self, "features", tuple(map(str, self.features)))
        object.__setattr__(self, "transformed_by", tuple(self.transformed_by))
        scores = {name: float(score) for name, score in self.scores.items()}
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "rule_scores", tuple(self.rule_scores))
        for literal in (one for term in self.terms for one in term.literals):
            j, name = literal.column, literal.feature
            is_there = name in self.features[j : j + 1]
            check(is_there, f"column {j} to be {name!r}", self.features)

    def __str__(self):
        return shown_formula(self)

    def __repr__(self):
        n_rules = len(self.terms)
        text = " or ".join(map(str, self.terms[:_MOST_SHOWN])) or "False"
        if n_rules > _MOST_SHOWN or len(text) > _MOST_SHOWN:
            text = f"{text[:_MOST_SHOWN]}..."
        rules = f"{n_rules} rule{'s' * (n_rules != 1)}"
        return f"<DNF for {self.class_!r:.{_MOST_SHOWN}}, {rules}: {text}>"

    @classmethod
    def parse(
        cls,
        text,
        class_=None,
        otherwise=None,
        *,
        features=None,
        values=None,
    ):
        """Parse a DNF, see :ref:`editing_grammar`.

        Parameters
        ----------
        text : str
            Terms joined by ``or``, each of literals joined by ``&`` or ``and``;
            ``False`` is the DNF without terms. The text can begin with the features and
            classes, in the form that `to_text` writes, and end with the class of all
            other rows, as it is printed.

        class_, otherwise : object, default=None
            The classes. None uses those in the text, or True and None.

        features : iterable of str, default=None
            Names of all features, in order. None uses those in the text or of `values`,
            or those in the terms, in the order of the text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features, by name; for example, the data frame. A word
            without quotes is the known value with this text. For features without known
            values, it is a number or a boolean if it looks like one, and otherwise a
            string. Any other value raises an error, but features whose known values are
            all numbers can have further numbers. Categories that the type of a column
            declares are known values.

        Returns
        -------
        dnf : DNF
            The formula, without `scores`.

        Raises
        ------
        DNFSyntaxError
            If the text is not a formula, or refers to unknown features, or to values
            that a feature in `values` does not have. The message contains the nearest
            ones.

        Notes
        -----
        ``DNF.parse(dnf.to_text())`` is always equal: the same rows satisfy it, and its
        classes and features are the same. ``DNF.parse(str(dnf))`` has the same numbers,
        but the printed text does not say whether a value is a number or a string.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("age > 40 & color in {red, blue} or age is missing", "yes")
        >>> dnf.features
        ('age', 'color')
        >>> dnf.holds([[41, "red"], [41, "green"], [None, None]])
        array([ True, False,  True])
        """
        head, terms = read_formula(text, features=features, values=values)
        said = {"class_": True, **head}
        if class_ is not None:
            said |= {"class_": class_, "otherwise": None}
        if otherwise is not None:
            said["otherwise"] = otherwise
        return cls(terms=terms, **said)

    def to_text(self):
        """Return a text that `parse` converts to an equal DNF.

        Unlike `str`, it begins with features and classes, and contains all values with
        all digits. It does not contain `scores`. If all known values of a feature are
        strings, `parse` reads numbers as strings, too: parse this text without
        `values`, or with values that contain a number.

        Raises
        ------
        TypeError
            If a class, or a value of a literal, is not a string, number or boolean.
        ValueError
            If two features have the same name, and one of them is used.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> print(DNF.parse("a > 1 or b = '2' & c != x", "yes", "no").to_text())
        features: a, b, c
        class: yes
        otherwise: no
        a > 1 or
        b = '2' & c != x
        """
        self._check_names()
        return exact_formula(self)

    @property
    def notice(self):
        """Return the transformers that the terms refer to, as text; empty if none."""
        return transformation_notice(self.transformed_by)

    @property
    def used_features(self):
        """Return the names of the features in the terms, in the order of the data."""
        return [self.features[j] for j in used_columns(self.terms)]

    def holds(self, X, *, transformed=False):
        """Return which rows satisfy a term.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Columns of a data frame are identified by their names, if these are strings,
            and only those in `used_features` are required. All other columns are
            identified by position.

        transformed : bool, default=False
            Whether X is the output of the transformers in `transformed_by`, if there
            are any.

        Returns
        -------
        mask : ndarray of shape (n_samples,), bool

        Raises
        ------
        ValueError
            If a column is missing, or contains other values than numbers where these
            are compared; or if `transformed_by` is not empty and `transformed` is
            False.
        """
        columns = self._columns(X, transformed=transformed)
        mask = np.zeros(len(columns[0]), dtype=bool)
        for term in self.terms:
            mask |= term.holds(columns)
        return mask

    def apply(self, X, *, transformed=False):
        """Return the first term that each row satisfies, as text.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            As in `holds`.

        transformed : bool, default=False
            As in `holds`.

        Returns
        -------
        rules : ndarray of shape (n_samples,), object
            Texts as they are printed; 'otherwise' if a row satisfies no term. Terms
            that are printed alike, because their numbers are rounded, are not told
            apart.

        Raises
        ------
        ValueError
            As for `holds`.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("age > 40 or smokes = yes", "ill")
        >>> dnf.apply([[30, "yes"], [50, "yes"], [None, "no"]])
        array(['smokes = yes', 'age > 40', 'otherwise'], dtype=object)
        """
        columns = self._columns(X, transformed=transformed)
        rules = np.full(len(columns[0]), OTHERWISE, dtype=object)
        for term in reversed(self.terms):
            rules[term.holds(columns)] = str(term)
        return rules

    def _columns(self, X, *, transformed=False):
        """Return the columns of the data, in the form that `Term.holds` takes.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            As in `holds`.

        transformed : bool, default=False
            As in `holds`.

        Returns
        -------
        columns : list of ndarrays of shape (n_samples,)
            Columns that are in no term contain only None. There is at least one column.
        """
        self._check_table(transformed)
        # Columns that are in no term are not read.
        columns = [np.broadcast_to(None, num_samples(X))] * max(1, len(self.features))
        used = used_columns(self.terms)
        for j, column in zip(used, named_columns(X, self.features, used)):
            columns[j] = column
        return columns

    def summary(self, X, y, sample_weight=None, *, confidence=0.95, transformed=False):
        """Return statistics of each term, of the whole DNF, and of all other rows.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            As in `holds`. Precision and recall are optimistic on rows that were used
            to select the terms.

        y : array-like of shape (n_samples,)
            Class labels; those equal to `class_` belong to the class.

        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the rows. None is 1 for each.

        confidence : float, default=0.95
            Confidence level of the intervals.

        transformed : bool, default=False
            As in `holds`.

        Returns
        -------
        summary : RuleSummary
            `print` and notebooks show it. Its attribute `table` is a DataFrame, or a
            list of dict if pandas is not installed, with one row per term, in order,
            one for all of them, with the term ``(any)``, and one for the rows that
            satisfy none, with the term ``(otherwise)``.

            - 'class': the class that is predicted.
            - 'term', 'size': text, and number of literals.
            - 'n': number of rows that satisfy the term, without weights.
            - 'support': total weight of these rows.
            - 'precision', 'recall': the fraction of these rows in the class, and the
              fraction of the class that satisfies the term.
            - 'lift': precision divided by the fraction of the class among all rows.
            - 'precision_low', 'precision_high', 'recall_low', 'recall_high': Wilson
              intervals. With weights, they use the effective number of rows, (sum of
              weights)^2 / sum of squares.
            - 'n_decided': number of rows that satisfy the term and none before it.

            Undefined values are NaN, such as the precision of a term that no row
            satisfies.

        Raises
        ------
        ValueError
            As for `holds`; or if the lengths of X, y and weights differ, a label is
            missing, or `confidence` is not between 0 and 1.

        Warns
        -----
        UserWarning
            If no label is equal to `class_`.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("age > 40 or smokes = yes", "ill")
        >>> X = [[30, "yes"], [50, "no"], [20, "no"], [45, "yes"]]
        >>> table = dnf.summary(X, ["ill", "well", "well", "ill"]).table
        >>> table[["term", "n", "precision", "recall", "lift"]].round(2)
                   term  n  precision  recall  lift
        0      age > 40  2       0.50     0.5  1.00
        1  smokes = yes  2       1.00     1.0  2.00
        2         (any)  3       0.67     1.0  1.33
        3   (otherwise)  1       1.00     0.5  2.00
        """
        columns = self._columns(X, transformed=transformed)
        y, weights = labels_and_weights(columns[0], y, sample_weight, confidence)
        otherwise = self.otherwise
        if otherwise is None:
            otherwise = f"not {self.class_}"
            said = [x if x == self.class_ else otherwise for x in y.tolist()]
            y = np.array(said, dtype=object)
        return summary_of(
            [self],
            otherwise=otherwise,
            covers=[[term.holds(columns) for term in self.terms]],
            y=y,
            weights=weights,
            confidence=confidence,
        )

    def _check_table(self, transformed):
        """Raise an error if the terms refer to transformed columns."""
        if self.transformed_by and not transformed:
            raise ValueError(
                f"The rules refer to {self.notice}, not to the columns that the model "
                "takes. Pass transformed=True if the input is the output of "
                "these transformers."
            )

    def _check_names(self):
        """Raise an error if the name of a used feature is not unique."""
        for name in self.used_features:
            check(self.features.count(name) == 1, "one column of each name", name)

    def _repr_html_(self):
        """Return an HTML table without colours of its own."""
        head = f"{shown(self.class_)} where any of these holds"
        rules = list(map(str, self.terms)) or ["no rules"]
        foot = [self.notice] if self.transformed_by else []
        if self.otherwise is not None:
            foot.append(f"otherwise: {shown(self.otherwise)}")
        foot += filter(None, [shown_scores(self)])
        cells = [cell(escape(head), "th"), *(cell(escape(rule)) for rule in rules)]
        return table(cells + [cell(f"<i>{escape(line)}</i>") for line in foot])

    def with_term(self, text, *, values=None):
        """Return the DNF with one more rule at its end.

        To change or remove rules, edit the text of `to_text`, which `parse` reads.

        Parameters
        ----------
        text : str
            One rule, or several, as in `parse`.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features, as in `parse`.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        DNFSyntaxError
            If the text is no rule, or refers to unknown features.
        """
        more = DNF.parse(text, features=self.features, values=values)
        terms = [*self.terms, *more.terms]
        return replace(self, terms=terms, scores={}, rule_scores=())

    # -- in other languages ------------------------------------------------------------

    def to_python(self, name="predict", *, result="class", transformed=False):
        """Return the DNF as source code of a Python function without dependencies.

        Parameters
        ----------
        name : str, default='predict'
            Name of the function. Its argument is a mapping from feature names to
            values, where None, NaN, NaT and pandas.NA are missing values. It returns
            `class_` or `otherwise`, or True or False if `otherwise` is None.

        result : {'class', 'rule'}, default='class'
            What the function returns: the class, or the text of the first term that
            holds, as `apply` does.

        transformed : bool, default=False
            Whether the argument is the output of the transformers in `transformed_by`,
            if there are any.

        Raises
        ------
        TypeError
            As for `to_text`.
        ValueError
            If `name` is not a valid Python identifier; if two features have the same
            name, and one of them is used; or if `transformed_by` is not empty and
            `transformed` is False.
        """
        return decision_as_python(self._decision(result, transformed), name)

    def to_sql(self, *, dialect="standard", result="class", transformed=False):
        r"""Return the DNF as SQL: ``CASE WHEN ... THEN ... ELSE ... END``.

        The value is `class_` or `otherwise`, or TRUE or FALSE if `otherwise` is None.
        Missing values must be NULL. A comment above the expression contains the names
        in `transformed_by`.

        Parameters
        ----------
        dialect : str, default='standard'
            The engine that reads the expression. An engine can read another dialect
            without an error and give a wrong result, see :ref:`sql_dialects`.

            - 'standard': names in double quotes, no escapes in strings, for example
              PostgreSQL. Numbers have an exponent where a decimal could be rounded.
            - 'duckdb': DuckDB, in which names that differ only in case are the same.
            - 'sqlite': SQLite; TRUE and FALSE are 1 and 0.
            - 'mysql': MySQL and MariaDB in their default mode.
            - 'bigquery': BigQuery (GoogleSQL).

        result : {'class', 'rule'}, default='class'
            The value of the expression: the class, or the text of the first term that
            holds, as `apply` returns it.

        transformed : bool, default=False
            Whether the SQL table is the output of the transformers in `transformed_by`,
            if there are any.

        Returns
        -------
        text : str

        Raises
        ------
        TypeError
            As for `to_text`.
        ValueError
            If `dialect` or `result` is unknown; if a name or value contains a null
            character or a lone surrogate; if two features have the same name, and one
            of them is used; or if `transformed_by` is not empty and `transformed` is
            False. In dialects other than 'standard', names that differ only in case are
            the same. In 'duckdb', 'mysql' and 'bigquery', also if a feature is compared
            both with strings and with other values.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("smokes = True & home = C:\\")
        >>> print(dnf.to_sql())
        CASE WHEN
            ("smokes" = TRUE AND "home" = 'C:\')
        THEN TRUE ELSE FALSE END
        >>> print(dnf.to_sql(dialect="bigquery"))
        CASE WHEN
            (`smokes` = TRUE AND `home` = 'C:\\')
        THEN TRUE ELSE FALSE END
        >>> print(dnf.to_sql(result="rule"))
        CASE WHEN
            ("smokes" = TRUE AND "home" = 'C:\')
        THEN 'smokes = True & home = C:\' ELSE 'otherwise' END
        """
        return decision_as_sql(self._decision(result, transformed), dialect)

    def _decision(self, result, transformed):
        """Return the Decision for an export, with the classes or True and False."""
        self._check_table(transformed)
        dnf, otherwise = self, self.otherwise
        if otherwise is None:
            dnf, otherwise = replace(self, class_=True), False
        return Decision.of([dnf], otherwise, notice=self.notice, result=result)


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

"""DNF: a disjunction of terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from html import escape
from numbers import Integral
from typing import Any

import numpy as np

from sklearn_dnfwinnow._encoding._columns import named_columns
from sklearn_dnfwinnow._utils._display import (
    as_table,
    cell,
    near,
    table,
    transformation_notice,
)
from sklearn_dnfwinnow._utils._estimators import num_samples
from sklearn_dnfwinnow.rules._expressions import decision_as_python, decision_as_sql
from sklearn_dnfwinnow.rules._formula_text import (
    exact_formula,
    read_formula,
    shown_formula,
)
from sklearn_dnfwinnow.rules._statistics import (
    labels_and_weights,
    records_of_terms,
    summary_of,
)
from sklearn_dnfwinnow.rules._term import Term, used_columns
from sklearn_dnfwinnow.rules._text import check
from sklearn_dnfwinnow.rules._writers import (
    OTHERWISE,
    Decision,
    dnf_as_latex,
    dnf_as_markdown,
    table_parts,
)

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
        like=None,
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
            The classes. None uses those in the text or of `like`, or True and None.

        features : iterable of str, default=None
            Names of all features, in order. None uses those in the text, of `like` or
            of `values`, or those in the terms, in the order of the text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features, by name; for example, the data frame. A word
            without quotes is the known value with this text. For features without known
            values, it is a number or a boolean if it looks like one, and otherwise a
            string. Any other value raises an error, but features whose known values are
            all numbers can have further numbers. Categories that the type of a column
            declares are known values.

        like : DNF, default=None
            A literal with the same text as a literal of this DNF is equal to it. The
            values of this DNF are also known values, of which there may be others if
            the feature is not in `values`.

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
        The texts of a DNF can be parsed again:

        - ``DNF.parse(dnf.to_text())`` is always equal: the same rows satisfy it, and
          its classes and features are the same.
        - ``DNF.parse(str(dnf), like=dnf)`` is equal, too, unless two different literals
          have the same text, which is rounded and shortened.
        - ``DNF.parse(str(dnf))`` is equal if `dnf` was parsed from a text by the same
          call. If `dnf` comes from a model, its numbers are those of the text, but the
          result can differ in what the text omits. This is whether a value is a number
          or a string, and values behind ``...``. It is also whether missing values, and
          values that do not occur in the training data, satisfy a literal.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("age > 40 & color in {red, blue} or age is missing", "yes")
        >>> dnf.features
        ('age', 'color')
        >>> dnf.holds([[41, "red"], [41, "green"], [None, None]])
        array([ True, False,  True])
        """
        classes = () if like is None else (like.class_, like.otherwise)
        head, terms = read_formula(
            text, features=features, values=values, like=like, classes=classes
        )
        said = {"class_": True} if like is None else dict(vars(like))
        if class_ is not None:
            head |= {"class_": class_, "otherwise": None}
        if "class_" in head:
            said["otherwise"] = None  # classes come from one place
        said |= head
        if otherwise is not None:
            said["otherwise"] = otherwise
        said |= {"terms": terms, "scores": {}, "rule_scores": ()}
        return cls(**said)

    def to_text(self):
        """Return a text that `parse` converts to an equal DNF.

        Unlike `str`, it begins with features and classes, and contains all values with
        all digits. It does not contain `scores`. If all known values of a feature are
        strings, `parse` reads numbers as strings, too: parse this text without `values`
        and `like`, or with values that contain a number.

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

    def evaluate(self, X, y, sample_weight=None, *, confidence=0.95, transformed=False):
        """Return statistics of each term, and of the whole DNF, as classifiers.

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
        table : DataFrame, or list of dict if pandas is not installed
            One row per term, in order, and one for the whole DNF, with the term
            ``(any)``.

            - 'term', 'size': text, and number of literals.
            - 'n': number of rows that satisfy the term, without weights.
            - 'support': total weight of these rows.
            - 'precision', 'recall': the fraction of these rows in the class, and the
              fraction of the class that satisfies the term.
            - 'lift': precision divided by the fraction of the class among all rows.
            - 'odds_ratio': odds of the class among these rows, divided by those
              among all others. If one of the four weights is 0, half the mean weight of
              a row is added to each (the correction of Haldane and Anscombe).
            - 'precision_low', 'precision_high', 'recall_low', 'recall_high': Wilson
              intervals. With weights, they use the effective number of rows, (sum of
              weights)^2 / sum of squares.

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
        >>> table = dnf.evaluate(X, ["ill", "well", "well", "ill"])
        >>> table[["term", "n", "precision", "recall", "lift"]].round(2)
                   term  n  precision  recall  lift
        0      age > 40  2       0.50     0.5  1.00
        1  smokes = yes  2       1.00     1.0  2.00
        2         (any)  3       0.67     1.0  1.33
        """
        columns = self._columns(X, transformed=transformed)
        y, weights = labels_and_weights(columns[0], y, sample_weight, confidence)
        records = records_of_terms(
            self.terms,
            self.class_,
            covers=[term.holds(columns) for term in self.terms],
            y=y,
            weights=weights,
            confidence=confidence,
        )
        return as_table(records, records[0])

    def summary(self, X, y, sample_weight=None, *, confidence=0.95, transformed=False):
        """Return statistics of the terms to print, see `DNFClassifier.summary`.

        Parameters
        ----------
        X, y, sample_weight, confidence, transformed : object
            As in `evaluate`.

        Returns
        -------
        summary : RuleSummary
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
        (head,), rows, foot = table_parts(self)
        cells = [cell(escape(head), "th"), *(cell(escape(row)) for (row,) in rows)]
        cells += [cell(f"<i>{escape(foot)}</i>")] * bool(foot)
        return table(cells)

    # -- edits -------------------------------------------------------------------------

    def without(self, term):
        """Return the DNF without one of its terms.

        Parameters
        ----------
        term : Term, str or int
            The term, its text, or its position.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        IndexError, ValueError
            If the DNF does not contain the term; the message lists similar ones.
        """
        i = self._position_of(term)
        return self._with([*self.terms[:i], *self.terms[i + 1 :]])

    def with_term(self, term, *, values=None):
        """Return the DNF with one more term at its end, unless it already has it.

        Parameters
        ----------
        term : Term or str
            A term, or its text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features for a text, as in `parse`.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        DNFSyntaxError
            If a text is not a term, or refers to unknown features.
        """
        term = self._term_of(term, values)
        if term.meaning in [one.meaning for one in self.terms]:
            return self
        return self._with([*self.terms, term])

    def replace(self, old, new, *, values=None):
        """Return the DNF with one term replaced.

        To replace other fields, use :func:`dataclasses.replace`.

        Parameters
        ----------
        old : Term, str or int
            The term to be replaced, its text, or its position.

        new : Term or str
            The term to replace it, or its text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of features for a text, as in `parse`.

        Returns
        -------
        dnf : DNF
            The new formula, without `scores`.

        Raises
        ------
        IndexError, ValueError
            If the DNF does not contain the old term; the message lists similar ones. If
            the new term is not a term, or refers to unknown features.
        """
        terms = list(self.terms)
        terms[self._position_of(old)] = self._term_of(new, values)
        return self._with(terms)

    def _position_of(self, term):
        """Return the position of a term given as such, as text, or by position."""
        n_terms = len(self.terms)
        if isinstance(term, Integral) and not isinstance(term, bool):
            if not -n_terms <= term < n_terms:
                raise IndexError(f"There are {n_terms} rules; got position {term}.")
            return int(term) % n_terms
        texts = list(map(str, self.terms))
        if isinstance(term, str):
            if term.strip() in texts:
                return texts.index(term.strip())
            term = Term.parse(term, like=self)
        if term in self.terms:
            return self.terms.index(term)
        meanings = [one.meaning for one in self.terms]
        if term.meaning in meanings:
            return meanings.index(term.meaning)
        text = str(term)
        raise ValueError(f"There is no rule {text!r:.200}{near(text, texts)}.")

    def _term_of(self, term, values):
        """Return a term given as such or as text."""
        if isinstance(term, str):
            return Term.parse(term, values=values, like=self)
        return term

    def _with(self, terms):
        """Return a DNF with other terms."""
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

    def to_markdown(self, measures=None):
        """Return the DNF as a Markdown table with one row per term, classes and scores.

        Parameters
        ----------
        measures : mapping of str to array-like, or data frame, default=None
            Additional columns with a value for each term. None adds no columns.

        Returns
        -------
        text : str
            Markdown. Names and values are escaped, and contain no markup.

        Raises
        ------
        ValueError
            If the number of values is not the number of terms.
        """
        return dnf_as_markdown(self, measures)

    def to_latex(self, measures=None):
        r"""Return the DNF as a LaTeX table with one row per term, classes and scores.

        Parameters
        ----------
        measures : mapping of str to array-like, or data frame, default=None
            Additional columns with a value for each term. None adds no columns.

        Returns
        -------
        text : str
            A ``tabular`` for LaTeX from 2020 on, without packages. Names and values are
            escaped, and contain no commands.

        Raises
        ------
        ValueError
            If the number of values is not the number of terms.
        """
        return dnf_as_latex(self, measures)

    def _decision(self, result, transformed):
        """Return the Decision for an export, with the classes or True and False."""
        self._check_table(transformed)
        dnf, otherwise = self, self.otherwise
        if otherwise is None:
            dnf, otherwise = replace(self, class_=True), False
        return Decision.of([dnf], otherwise, notice=self.notice, result=result)

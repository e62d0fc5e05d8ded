"""DNF: a disjunction of terms, with its exports to JSON, Python and SQL."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from typing import Any

import numpy as np

from sklearn_dnfwinnow._preprocessing._named_columns import named_columns
from sklearn_dnfwinnow._utils._html import cell, table
from sklearn_dnfwinnow._utils._json_values import (
    check,
    check_keys,
    is_number,
    is_plain,
    plain,
)
from sklearn_dnfwinnow._utils._text import transformation_notice
from sklearn_dnfwinnow.rules._editing import meaning, position_of
from sklearn_dnfwinnow.rules._evaluation import evaluate
from sklearn_dnfwinnow.rules._formula_text import exact_formula, read_formula
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.rules._writers._latex import dnf_as_latex
from sklearn_dnfwinnow.rules._writers._markdown import dnf_as_markdown
from sklearn_dnfwinnow.rules._writers._onnx import dnf_as_onnx
from sklearn_dnfwinnow.rules._writers._pmml import dnf_as_pmml
from sklearn_dnfwinnow.rules._writers._python import dnf_as_python
from sklearn_dnfwinnow.rules._writers._sql import dnf_as_sql
from sklearn_dnfwinnow.rules._writers._table_parts import foot_of, head_of

# Of what `to_json` writes; another form gets another number.
_SCHEMA = 2
_KEYS = "schema class otherwise features transformed_by scores terms".split()


@dataclass(frozen=True)
class DNF:
    """A disjunction of terms, and the class that it stands for.

    That of no terms is never satisfied.

    Parameters
    ----------
    terms : iterable of Term
        Their literals are about the columns of one table.

    class_ : object
        The class of rows that satisfy a term.

    otherwise : object, default=None
        The class of all others; None if they are only known not to be of `class_`.

    features : iterable of str, default=()
        Names of all columns of the table.

    scores : dict of str to float, default={}
        How well it agrees with a model or with labels; finite numbers.

    transformed_by : iterable of str, default=()
        Names of the transformers, in their order, whose output is the table; empty if
        it is the table that the model takes.

    Examples
    --------
    >>> from sklearn_dnfwinnow.rules._dnf import DNF
    >>> from sklearn_dnfwinnow.rules._literal import Literal
    >>> from sklearn_dnfwinnow.rules._term import Term
    >>> sunny = Literal(0, "outlook", "=", "sunny", ("sunny",))
    >>> calm = Literal(1, "wind", "!=", "strong", ("weak", "none"))
    >>> warm = Literal(2, "degrees", ">", "20.5", None, ((20.5, float("inf")),))
    >>> features = ["outlook", "wind", "degrees"]
    >>> dnf = DNF([Term([sunny, calm]), Term([warm])], "out", "in", features)
    >>> print(dnf)
    outlook = sunny & wind != strong or
    degrees > 20.5
    >>> dnf.holds([["sunny", "weak", 12], ["rainy", None, 21], ["sunny", None, None]])
    array([ True,  True, False])
    >>> DNF.from_json(dnf.to_json()) == dnf
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

    def __post_init__(self):
        object.__setattr__(self, "terms", tuple(self.terms))
        object.__setattr__(self, "features", tuple(map(str, self.features)))
        object.__setattr__(self, "transformed_by", tuple(self.transformed_by))
        scores = {name: float(score) for name, score in self.scores.items()}
        object.__setattr__(self, "scores", scores)
        for literal in self._literals:
            check(
                literal.feature in self.features[literal.column : literal.column + 1],
                f"column {literal.column} to be {literal.feature!r}",
                self.features,
            )

    def __str__(self):
        terms = " or\n".join(map(str, self.terms)) or "False"
        return f"# {self.notice}\n{terms}" if self.transformed_by else terms

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
        """Return the DNF that a text means, see :ref:`editing_grammar`.

        Parameters
        ----------
        text : str
            Terms that are joined by ``or``, each of literals that are joined by ``&``
            or ``and``; ``False`` is the DNF of no terms. A head may tell the features
            and classes, as `to_text` writes it.

        class_, otherwise : object, default=None
            The classes. None are those in the text, or of `like`, or True and None.

        features : iterable of str, default=None
            Names of all columns of the table. None are those in the text, or of `like`,
            or of `values`, or those that the terms name, in the order of the text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of columns, by their names: a table will do. A word without
            quotes is the known value that it reads as. Without known values, it is a
            number or a boolean if it looks like one, and a string if not.

        like : DNF, default=None
            A literal whose text is that of a literal of this DNF means just that. For
            columns that are not in `values`, its values are the known ones.

        Returns
        -------
        dnf : DNF
            Without `scores`.

        Raises
        ------
        DNFSyntaxError
            If the text is no formula, or is about other columns.

        Notes
        -----
        The texts of a DNF are read back:

        - ``DNF.parse(dnf.to_text())`` is always equal: the same rows satisfy it, and
          its classes and features are the same.
        - ``DNF.parse(str(dnf), like=dnf)`` is equal, too, unless two different literals
          have the same text. It has been rounded for people, and shortened.
        - ``DNF.parse(str(dnf))`` is equal if `dnf` came from a text itself, by the same
          call. If it came from a model, it may differ in what the text leaves out:
          whether a number is one or a string, digits of rounded numbers, values behind
          ``...``, missing values, and values that training did not have.

        Examples
        --------
        >>> from sklearn_dnfwinnow.rules import DNF
        >>> dnf = DNF.parse("age > 40 & color in {red, blue} or age is missing", "yes")
        >>> dnf.features
        ('age', 'color')
        >>> dnf.holds([[41, "red"], [41, "green"], [None, None]])
        array([ True, False,  True])
        """
        head, terms = read_formula(text, features=features, values=values, like=like)
        said = {"class_": True} if like is None else dict(vars(like))
        if class_ is not None:
            head |= {"class_": class_, "otherwise": None}
        if "class_" in head:
            said["otherwise"] = None  # classes come from one place
        said |= head
        if otherwise is not None:
            said["otherwise"] = otherwise
        return cls(**{**said, "terms": terms, "scores": {}})

    def to_text(self):
        """Return it as the text that `parse` reads as an equal DNF.

        Unlike `str`, it has a head with features and classes, and all values, in all
        digits. It has no `scores`.

        Raises
        ------
        TypeError
            As `to_json`.
        ValueError
            If two columns have the same name, and one of them is used.

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
        """Return which table the terms are about; empty if the model takes it."""
        return transformation_notice(self.transformed_by)

    @property
    def used_features(self):
        """Return the names of the columns in its terms, in the order of the table."""
        return [self.features[j] for j in self._used]

    @property
    def _literals(self):
        """Return the literals of all terms."""
        return [literal for term in self.terms for literal in term.literals]

    @property
    def _used(self):
        """Return the positions of the columns in its terms."""
        return sorted({literal.column for literal in self._literals})

    def holds(self, X, *, transformed=False):
        """Return which rows satisfy a term.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            The columns of a data frame go by their names, if these are strings, and
            only those in `used_features` are needed; all others go by their positions.

        transformed : bool, default=False
            Whether X is the output of the transformers in `transformed_by`, if there
            are any.

        Returns
        -------
        mask : ndarray of shape (n_samples,), bool

        Raises
        ------
        ValueError
            If a column is missing, or does not hold numbers where these are compared;
            or if there is `transformed_by`, and `transformed` is False.
        """
        columns = self._columns(X, transformed=transformed)
        mask = np.zeros(len(X), dtype=bool)
        for term in self.terms:
            mask |= term.holds(columns)
        return mask

    def _columns(self, X, *, transformed=False):
        """Return the columns of a table, as `Term.holds` takes them.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            As in `holds`.

        transformed : bool, default=False
            As in `holds`.

        Returns
        -------
        columns : list of ndarrays of shape (n_samples,)
            Those that are in no term have None only. There is at least one.
        """
        self._check_table(transformed)
        # Columns in no term are not looked at.
        columns = [np.broadcast_to(None, len(X))] * max(1, len(self.features))
        for j, column in zip(self._used, named_columns(X, self.features, self._used)):
            columns[j] = column
        return columns

    def evaluate(self, X, y, sample_weight=None, *, confidence=0.95, transformed=False):
        """Return how well each term tells its class from all others, and all of them.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            As in `holds`. On rows that terms were chosen by, precision and recall are
            better than on others.

        y : array-like of shape (n_samples,)
            Class labels; those equal to `class_` are of the class.

        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative; None is 1 for each.

        confidence : float, default=0.95
            Of the intervals.

        transformed : bool, default=False
            As in `holds`.

        Returns
        -------
        table : DataFrame, or list of dict if pandas is not installed
            One row a term, in their order, and one of all of them, whose term is
            ``(any)``.

            - 'term', 'size': text, and number of literals.
            - 'n': number of rows that satisfy it, weights apart.
            - 'support': their weight.
            - 'precision', 'recall': the share of the class among them, and the share of
              the class that they are.
            - 'lift': precision by the share of the class among all rows.
            - 'odds_ratio': odds of the class among them by those among all other rows.
              If one of the four weights in it is 0, half a row of mean weight is added
              to each (the correction of Haldane and Anscombe).
            - 'precision_low', 'precision_high', 'recall_low', 'recall_high': Wilson's
              intervals. With weights they count the effective number of rows, (sum of
              weights)^2 / sum of squares.

            What is not defined, as the precision of no rows, is NaN.

        Raises
        ------
        ValueError
            As `holds`; or if X, y and weights are not of equal length, or `confidence`
            is not between 0 and 1.

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
        return evaluate(
            self,
            self._columns(X, transformed=transformed),
            y,
            sample_weight=sample_weight,
            confidence=confidence,
        )

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
            Without `scores`, which were those of the other one.

        Raises
        ------
        IndexError, ValueError
            If it is not there; the message names those that are near.
        """
        i = self._position_of(term)
        return self._with([*self.terms[:i], *self.terms[i + 1 :]])

    def with_term(self, term, *, values=None):
        """Return the DNF with one more term, at its end; as it is if it has the term.

        Parameters
        ----------
        term : Term or str
            A term, or its text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of columns for a text, as in `parse`.

        Returns
        -------
        dnf : DNF
            Without `scores`, which were those of the other one.

        Raises
        ------
        DNFSyntaxError
            If a text is no term, or is about other columns.
        """
        term = self._term_of(term, values)
        if meaning(term) in map(meaning, self.terms):
            return self
        return self._with([*self.terms, term])

    def replace(self, old, new, *, values=None):
        """Return the DNF with a term in the place of another.

        For other fields, there is :func:`dataclasses.replace`.

        Parameters
        ----------
        old : Term, str or int
            The term to be replaced, its text, or its position.

        new : Term or str
            The term to replace it, or its text.

        values : {mapping of str to array-like, dataframe}, default=None
            Known values of columns for a text, as in `parse`.

        Returns
        -------
        dnf : DNF
            Without `scores`, which were those of the other one.

        Raises
        ------
        IndexError, ValueError
            If the old term is not there; the message names those that are near. If the
            new one is no term, or is about other columns.
        """
        terms = list(self.terms)
        terms[self._position_of(old)] = self._term_of(new, values)
        return self._with(terms)

    def _position_of(self, term):
        """Return the position of a term, its text, or its position."""
        parse = partial(Term.parse, like=self)
        return position_of(term, self.terms, what="term", parse=parse)

    def _term_of(self, term, values):
        """Return a term, or that of a text."""
        if isinstance(term, str):
            return Term.parse(term, values=values, like=self)
        return term

    def _with(self, terms):
        """Return the DNF of other terms."""
        return replace(self, terms=terms, scores={})

    # -- exports -----------------------------------------------------------------------

    def to_json(self):
        """Return it as JSON text.

        Raises
        ------
        TypeError
            If a class, or a value that a literal compares with, is no string, number or
            boolean.
        """
        then, otherwise = self._plain_classes()
        state = {
            "schema": _SCHEMA,
            "class": then,
            "otherwise": otherwise,
            "features": list(self.features),
            "transformed_by": list(self.transformed_by),
            "scores": self.scores,
            "terms": [term.to_dict() for term in self.terms],
        }
        return json.dumps(state, indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text):
        """Return the DNF that `to_json` wrote.

        Raises
        ------
        ValueError
            If it is not of that form.
        """
        try:
            return cls._from_dict(json.loads(text))
        except RecursionError:
            raise ValueError("Expected a DNF; got too deep a nesting.") from None

    @classmethod
    def _from_dict(cls, state):
        """Return the DNF of a dict that was read, checked."""
        check_keys(state, _KEYS, "a DNF")
        terms, features, scores = state["terms"], state["features"], state["scores"]
        check(state["schema"] == _SCHEMA, f"schema {_SCHEMA}", state["schema"])
        check(is_plain(state["class"]), "a class", state["class"])
        otherwise = state["otherwise"]
        check(otherwise is None or is_plain(otherwise), "a class or null", otherwise)
        check(type(terms) is list, "a list of terms", terms)
        check(type(features) is list, "a list of features", features)
        check(all(type(f) is str for f in features), "features by name", features)
        steps = state["transformed_by"]
        check(type(steps) is list, "a list of transformers", steps)
        check(all(type(s) is str for s in steps), "transformers by name", steps)
        check(type(scores) is dict, "scores by name", scores)
        check(all(map(is_number, scores.values())), "scores to be numbers", scores)
        terms = map(Term.from_dict, terms)
        return cls(
            terms=terms,
            class_=state["class"],
            otherwise=otherwise,
            features=features,
            scores=scores,
            transformed_by=steps,
        )

    def to_python(self, name="predict", *, transformed=False):
        """Return it as the source of a Python function, which needs nothing else.

        Parameters
        ----------
        name : str, default='predict'
            Of the function. It takes a mapping from names of columns to values, of
            which None, NaN, NaT and pandas.NA are missing, and returns `class_` or
            `otherwise`; True or False if that is None.

        transformed : bool, default=False
            Whether its rows are the output of the transformers in `transformed_by`, if
            there are any.

        Raises
        ------
        TypeError
            As `to_json`.
        ValueError
            If `name` is none that Python allows, or two columns have the same name, and
            one of them is used; or if there is `transformed_by`, and `transformed` is
            False.
        """
        return dnf_as_python(self, self._answers(transformed), name)

    def to_sql(self, *, transformed=False):
        """Return it as standard SQL: ``CASE WHEN ... THEN ... ELSE ... END``.

        Its value is `class_` or `otherwise`; TRUE or FALSE if that is None. A missing
        value has to be NULL. A comment above it names the transformers in
        `transformed_by`.

        Parameters
        ----------
        transformed : bool, default=False
            Whether its table is the output of the transformers in `transformed_by`, if
            there are any.

        Raises
        ------
        TypeError
            As `to_json`.
        ValueError
            If there is a null character in a name or value, or two columns have the
            same name, and one of them is used; or if there is `transformed_by`, and
            `transformed` is False.
        """
        return dnf_as_sql(self, self._answers(transformed))

    def to_pmml(self, *, transformed=False):
        """Return it as a document of the Predictive Model Markup Language, PMML 4.4.

        It is a RuleSetModel of one rule a term. Each column in a term is a field: of
        strings, of numbers in double precision, or of booleans, by what it is compared
        with; of strings if it is only asked whether it is missing. The predicted field
        is 'class', with underscores behind it if there is such a column.

        Parameters
        ----------
        transformed : bool, default=False
            Whether its rows are the output of the transformers in `transformed_by`, if
            there are any.

        Returns
        -------
        text : str
            XML, to be stored as UTF-8.

        Raises
        ------
        TypeError
            As `to_json`.
        ValueError
            If a column is compared with strings and with others, or with a number that
            double precision lacks; if there is a character that XML lacks, an empty
            name of a column, or two columns of the same name, and one of them is used;
            or if there is `transformed_by`, and `transformed` is False.
        """
        return dnf_as_pmml(self, self._answers(transformed))

    def to_onnx(self, *, missing="", transformed=False):
        """Return it as a graph of the Open Neural Network Exchange, ONNX.

        There is one input of shape (n_rows, 1) for each column in a term, of its name:
        strings, or numbers in double precision, by what the column is compared with;
        strings if it is only asked whether it is missing. Booleans are the numbers 0
        and 1. A missing number is NaN. The output 'label', of shape (n_rows,), is
        `class_` or `otherwise`; True or False if that is None. It has an underscore
        behind it if there is such a column. Operators are those of opset 18.

        Parameters
        ----------
        missing : str, default=''
            The string that stands for a missing one.

        transformed : bool, default=False
            Whether its rows are the output of the transformers in `transformed_by`, if
            there are any.

        Returns
        -------
        model : onnx.ModelProto

        Raises
        ------
        ImportError
            If onnx is not installed.
        TypeError
            As `to_json`.
        ValueError
            If a column is compared with strings and with others, with a number that
            double precision lacks, or with `missing`; if classes are of two types, or
            no term has a literal; if there is a lone surrogate in a name or value, an
            empty name of a column, or two columns of the same name, and one of them is
            used; or if there is `transformed_by`, and `transformed` is False.
        """
        return dnf_as_onnx(self, self._answers(transformed), missing)

    def to_markdown(self, measures=None):
        """Return it as a table in Markdown: a row a term, classes and scores around.

        Parameters
        ----------
        measures : mapping of str to array-like, or data frame, default=None
            More columns: numbers, or other values, of all terms. None are none.

        Returns
        -------
        text : str
            Names and values are escaped: nothing of them is markup.

        Raises
        ------
        ValueError
            If there are not as many values as terms.
        """
        return dnf_as_markdown(self, {} if measures is None else dict(measures.items()))

    def to_latex(self, measures=None):
        r"""Return it as a table in LaTeX: a row a term, classes and scores around.

        Parameters
        ----------
        measures : mapping of str to array-like, or data frame, default=None
            More columns: numbers, or other values, of all terms. None are none.

        Returns
        -------
        text : str
            A ``tabular``, which needs no package, of LaTeX from 2020 on. Names and
            values are escaped: nothing of them is a command.

        Raises
        ------
        ValueError
            If there are not as many values as terms.
        """
        return dnf_as_latex(self, {} if measures is None else dict(measures.items()))

    def _plain_classes(self):
        """Return both classes as Python's own values."""
        then = plain(self.class_, "There is a class")
        if self.otherwise is None:
            return then, None
        return then, plain(self.otherwise, "There is a class")

    def _answers(self, transformed):
        """Return what it stands for where it holds, and where not, for an export."""
        self._check_table(transformed)
        self._check_names()
        return (True, False) if self.otherwise is None else self._plain_classes()

    def _check_table(self, transformed):
        """Refuse a table that the terms are not about."""
        if self.transformed_by and not transformed:
            raise ValueError(
                f"The terms are about {self.notice}, not about the columns that the "
                "model takes. Pass transformed=True if the table is the output of "
                "these transformers."
            )

    def _check_names(self):
        """Refuse names that do not tell which column is meant."""
        for name in self.used_features:
            check(self.features.count(name) == 1, "one column of each name", name)

    def _repr_html_(self):
        """Return it as a small table; colours are those of the page."""
        foot = foot_of(self)
        rows = [str(term) for term in self.terms] or ["False"]
        (head,) = head_of(self, ())
        cells = [cell(escape(head), "th"), *(cell(escape(row)) for row in rows)]
        cells += [cell(f"<i>{escape(', '.join(foot))}</i>")] * bool(foot)
        return table(cells)

"""DNFExportsMixin: a DNF in the languages of others."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.rules._checks import plain
from sklearn_dnfwinnow.rules._writers._decision import Decision
from sklearn_dnfwinnow.rules._writers._latex import dnf_as_latex
from sklearn_dnfwinnow.rules._writers._markdown import dnf_as_markdown
from sklearn_dnfwinnow.rules._writers._onnx import decision_as_onnx
from sklearn_dnfwinnow.rules._writers._pmml import decision_as_pmml
from sklearn_dnfwinnow.rules._writers._python import decision_as_python
from sklearn_dnfwinnow.rules._writers._sql import decision_as_sql


class DNFExportsMixin:
    """Exports of a `DNF`."""

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
        return decision_as_python(self._decision(transformed).giving(result), name)

    def to_sql(self, *, dialect="standard", result="class", transformed=False):
        r"""Return the DNF as SQL: ``CASE WHEN ... THEN ... ELSE ... END``.

        The value is `class_` or `otherwise`, or TRUE or FALSE if `otherwise` is None.
        Missing values must be NULL. A comment above the expression contains the names
        in `transformed_by`.

        Parameters
        ----------
        dialect : {'standard', 'sqlite', 'mysql', 'bigquery'}, default='standard'
            The engine that reads the expression. An engine can read another dialect
            without an error and give a wrong result, see :ref:`sql_dialects`.

            - 'standard': names in double quotes, no escapes in strings, for example
              PostgreSQL and DuckDB.
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
            the same. In 'mysql' and 'bigquery', also if a feature is compared both with
            strings and with other values.

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
        return decision_as_sql(self._decision(transformed).giving(result), dialect)

    def to_pmml(self, *, transformed=False):
        """Return the DNF as a document in the Predictive Model Markup Language, PMML
        4.4.

        The document is a RuleSetModel with one rule per term. Each feature in a term is
        a field with type string, double or boolean, depending on the values that it is
        compared with. The type is string if the terms only test whether the feature is
        missing. The predicted field is 'class', followed by underscores if a feature
        has that name.

        Parameters
        ----------
        transformed : bool, default=False
            Whether its input is the output of the transformers in `transformed_by`, if
            there are any.

        Returns
        -------
        text : str
            XML text, to be encoded as UTF-8.

        Raises
        ------
        TypeError
            As for `to_text`.
        ValueError
            If a feature is compared both with strings and with other values, or with a
            number that double precision cannot represent; if a name or value contains a
            character that XML does not allow; if the name of a feature is empty; if two
            features have the same name, and one of them is used; or if `transformed_by`
            is not empty and `transformed` is False.
        """
        return decision_as_pmml(self._decision(transformed))

    def to_onnx(self, *, missing="", result="class", transformed=False):
        """Return the DNF as a graph in the Open Neural Network Exchange format, ONNX.

        The graph has one input of shape (n_rows, 1) for each feature in a term, with
        its name. The type is string or double, depending on the values that the feature
        is compared with. It is string if the terms only test whether the feature is
        missing. Booleans are the numbers 0 and 1. A missing number is NaN. The output
        'label', of shape (n_rows,), is `class_` or `otherwise`, or True or False if
        `otherwise` is None. If a feature is named 'label', the output name ends with an
        underscore. Operators are those of opset 18.

        Parameters
        ----------
        missing : str, default=''
            The string that represents a missing string.

        result : {'class', 'rule'}, default='class'
            What the graph returns. For 'rule', its output 'rule' is the text of the
            first term that holds, as `apply` returns it.

        transformed : bool, default=False
            Whether its input is the output of the transformers in `transformed_by`, if
            there are any.

        Returns
        -------
        model : onnx.ModelProto

        Raises
        ------
        ImportError
            If onnx is not installed.
        TypeError
            As for `to_text`.
        ValueError
            If a feature is compared both with strings and with other values, with a
            number that double precision cannot represent, or with `missing`; if the
            classes have two types, or no term has a literal; if a name or value
            contains a lone surrogate; if the name of a feature is empty; if two
            features have the same name, and one of them is used; or if `transformed_by`
            is not empty and `transformed` is False.
        """
        return decision_as_onnx(self._decision(transformed).giving(result), missing)

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

    def _plain_classes(self):
        """Return both classes as plain Python values."""
        then = plain(self.class_, "There is a class")
        if self.otherwise is None:
            return then, None
        return then, plain(self.otherwise, "There is a class")

    def _decision(self, transformed):
        """Return the Decision for an export, with the classes or True and False."""
        self._check_table(transformed)
        self._check_names()
        answers = (True, False) if self.otherwise is None else self._plain_classes()
        then, otherwise = answers
        return Decision(
            formulas=[(then, self.terms)],
            otherwise=otherwise,
            features=self.features,
            notice=self.notice,
        )

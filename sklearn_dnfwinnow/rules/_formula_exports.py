"""FormulaExportsMixin: formulas that are tried in order, in the languages of others."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn.utils.validation import check_is_fitted

from sklearn_dnfwinnow._utils._display._text import transformation_notice
from sklearn_dnfwinnow.rules._checks import check, plain
from sklearn_dnfwinnow.rules._dnf import DNF
from sklearn_dnfwinnow.rules._formula_text import exact_formulas, shown_terms
from sklearn_dnfwinnow.rules._tokens import value_text
from sklearn_dnfwinnow.rules._writers._decision import Decision
from sklearn_dnfwinnow.rules._writers._onnx import decision_as_onnx
from sklearn_dnfwinnow.rules._writers._pmml import decision_as_pmml
from sklearn_dnfwinnow.rules._writers._python import decision_as_python
from sklearn_dnfwinnow.rules._writers._sql import decision_as_sql


class FormulaExportsMixin:
    """Exports of a classifier with `dnfs_` and `otherwise_`, see `DNF`."""

    def __str__(self):
        """Return the formulas of a fitted classifier, each below its class."""
        if not hasattr(self, "dnfs_"):
            return repr(self)
        parts = [
            f"class: {value_text(dnf.class_)}\n{shown_terms(dnf)}\n"
            for dnf in self.dnfs_
        ]
        return "\n".join([*parts, f"otherwise: {value_text(self.otherwise_)}"])

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

        It returns the predicted class of a sample. Its argument, and the errors that
        are raised, are those of `DNF.to_python`.

        Parameters
        ----------
        name : str, default='predict'
            Name of the function.

        result : {'class', 'rule'}, default='class'
            What the function returns: the predicted class, or the text of the first
            rule that holds, as `apply` does.
        """
        return decision_as_python(self._decision().giving(result), name)

    def to_sql(self, *, dialect="standard", result="class"):
        """Return an SQL expression: one ``CASE`` whose value is the predicted class.

        Missing values must be NULL. Errors are those of `DNF.to_sql`.

        Parameters
        ----------
        dialect : {'standard', 'sqlite', 'mysql', 'bigquery'}, default='standard'
            The engine that reads the expression, see `DNF.to_sql`.

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
        return decision_as_sql(self._decision().giving(result), dialect)

    def to_pmml(self):
        """Return a document in the Predictive Model Markup Language, PMML 4.4.

        The document is a RuleSetModel with one rule for each term, in order. Fields and
        errors are those of `DNF.to_pmml`.
        """
        return decision_as_pmml(self._decision())

    def to_onnx(self, *, missing="", result="class"):
        """Return a graph in the Open Neural Network Exchange format, ONNX.

        The output 'label' is the predicted class. Inputs and errors are those of
        `DNF.to_onnx`.

        Parameters
        ----------
        missing : str, default=''
            The string that represents a missing string.

        result : {'class', 'rule'}, default='class'
            What the graph returns. For 'rule', its output 'rule' is the text of the
            first rule that holds, as `apply` returns it.

        Returns
        -------
        model : onnx.ModelProto
        """
        return decision_as_onnx(self._decision().giving(result), missing)

    def _decision(self):
        """Return the formulas for an export."""
        check_is_fitted(self)
        for dnf in self.dnfs_:
            dnf._check_names()
        names = list(dict.fromkeys(n for d in self.dnfs_ for n in d.transformed_by))
        return Decision(
            formulas=[
                (plain(d.class_, "There is a class"), d.terms) for d in self.dnfs_
            ],
            otherwise=plain(self.otherwise_, "There is a class"),
            features=self.dnfs_[0].features if self.dnfs_ else (),
            notice=transformation_notice(names),
        )

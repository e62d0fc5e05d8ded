"""Writers: formulas as tables in LaTeX and Markdown, and decisions."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from numbers import Integral, Real
from typing import NamedTuple

from sklearn_dnfwinnow._utils._display import shown
from sklearn_dnfwinnow.rules._term import used_columns
from sklearn_dnfwinnow.rules._text import check, name_text, plain

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


def table_parts(dnf, measures=None, write=str):
    """Return the parts of the table of a formula, as text.

    Parameters
    ----------
    dnf : DNF
    measures : mapping of str to array-like, or data frame, default=None
        A number, or anything else, for each term.
    write : callable, default=str
        Writes a term.

    Returns
    -------
    head : list of str
        The heads of all columns.
    rows : list of lists of str
        Each term and its measures.
    foot : str
        The line below the terms; empty if there is none.
    """
    measures = {} if measures is None else dict(measures.items())
    columns = []
    for name, values in measures.items():
        values = list(values)
        check(len(values) == len(dnf.terms), f"{name!r} of each rule", values)
        columns.append(list(map(_measure, values)))
    head = [f"{shown(dnf.class_)} where any of these holds", *map(shown, measures)]
    rows = [list(row) for row in zip(map(write, dnf.terms), *columns)]
    foot = [dnf.notice] if dnf.transformed_by else []
    foot += [] if dnf.otherwise is None else [f"else {shown(dnf.otherwise)}"]
    foot += [f"{shown(name)} {score:.3g}" for name, score in dnf.scores.items()]
    return head, rows or [["no rules", *[""] * len(columns)]], ", ".join(foot)


def _measure(value):
    """Return a measure as text."""
    if isinstance(value, Real) and not isinstance(value, Integral):
        return f"{value:.3g}"
    return shown(value)


_ESCAPES = {
    **{character: f"\\{character}" for character in "{}$&#%_"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    # The end of a table row would otherwise take them as arguments.
    "[": "{[}",
    "*": "{*}",
    # Two of them would form another character.
    "-": "{-}",
    ",": "{,}",
}
_SPECIAL = re.compile("|".join(map(re.escape, _ESCAPES)))
_RELATIONS = {
    "=": "$=$",
    "!=": r"$\neq$",
    "<": "$<$",
    "<=": r"$\leq$",
    ">": "$>$",
    ">=": r"$\geq$",
}


def dnf_as_latex(dnf, measures):
    """Return a formula as a table, see `DNF.to_latex`."""
    head, rows, foot = table_parts(dnf, measures, write=_term)
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"\hline",
        _row(map(_escaped, head)),
        r"\hline",
        *(_row([term, *map(_escaped, measured)]) for term, *measured in rows),
        r"\hline",
    ]
    if foot:
        lines.append(rf"\multicolumn{{{len(head)}}}{{l}}{{{_escaped(foot)}}} \\")
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


def _term(term):
    """Return a conjunction of literals."""
    return r" $\wedge$ ".join(map(_literal, term.literals)) or "True"


def _literal(literal):
    """Return a literal, with its relation as a symbol if there is one."""
    relation = _RELATIONS.get(literal.relation, literal.relation)
    name, label = name_text(literal.feature), shown(literal.label)
    return f"{_escaped(name)} {relation} {_escaped(label)}"


def _row(cells):
    """Return a table row."""
    return rf"{' & '.join(cells)} \\"


def _escaped(text):
    """Return text in one line, without commands."""
    return _SPECIAL.sub(lambda match: _ESCAPES[match[0]], text)


# Characters that can begin markup, HTML, mathematics, a link or an entity.
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~$^@:]")


def dnf_as_markdown(dnf, measures):
    """Return a formula as a table, see `DNF.to_markdown`."""
    head, rows, foot = table_parts(dnf, measures)
    lines = [
        _markdown_row(map(_escaped_in_markdown, head)),
        _markdown_row([":---", *["---:"] * (len(head) - 1)]),
    ]
    lines += [_markdown_row(map(_escaped_in_markdown, row)) for row in rows]
    lines += ["", _escaped_in_markdown(foot)] if foot else []
    return "\n".join(lines) + "\n"


def _markdown_row(cells):
    """Return a table row."""
    return f"| {' | '.join(cells)} |"


def _escaped_in_markdown(text):
    """Return text in one line, without markup."""
    return _MARKUP.sub(r"\\\g<0>", text)

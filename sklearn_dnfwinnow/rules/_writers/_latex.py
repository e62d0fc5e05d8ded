r"""LaTeX: formulas as a `tabular`, without packages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.rules._tokens import name_text
from sklearn_dnfwinnow.rules._writers._table_parts import (
    foot_of,
    head_of,
    rows_of,
)

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
    n_columns = 1 + len(measures)
    rows = [
        [term, *map(_escaped, measured)]
        for term, *measured in rows_of(dnf, measures, _term)
    ]
    foot = foot_of(dnf)
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(measures)}}}",
        r"\hline",
        _row(map(_escaped, head_of(dnf, measures))),
        r"\hline",
        *map(_row, rows),
        r"\hline",
    ]
    if foot:
        text = _escaped(", ".join(foot))
        lines.append(rf"\multicolumn{{{n_columns}}}{{l}}{{{text}}} \\")
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

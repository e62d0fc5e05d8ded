r"""LaTeX: formulas as a `tabular`, without packages."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

from sklearn_dnfwinnow._utils._display._text import shown
from sklearn_dnfwinnow.rules._tokens import name_text
from sklearn_dnfwinnow.rules._writers._table_parts import table_parts

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

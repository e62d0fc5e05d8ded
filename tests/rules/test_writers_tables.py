"""Tables of formulas in Markdown and LaTeX: names and values are text, no markup."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from internals.utils import shown

from sklearn_dnfwinnow.rules import DNF, Literal, Term

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HOSTILE = [
    *("a|b", "a\\|b", "\\", "a\nb", "\r\n", "<script>", "&lt;", "`x`", "$x$", "**a**"),
    *("[a](http://b)", "[", "*", "--", "---", "''", ",,", '"', "^", "~", "# a", "%"),
    *("\\end{tabular}", "{", "}", "}{", "\\\\", "_a_", "\u202e", "\x00", "\ud800", ""),
    *("https://a.b", "@a", ":a:", "| - |", "1. a", "- a", "\t", "  a "),
]
TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=5)


def few(n_cases):
    """So many cases, always the same."""
    return settings(
        max_examples=n_cases,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def formula(name, value, class_, otherwise=None):
    equal = Literal(0, name, "!=", value, (value,), complement=True)
    above = Literal(1, f"{name}2", ">", "0.5", None, ((0.5, float("inf")),))
    terms = [Term([equal, above]), Term([above]), Term()]
    names = [name, f"{name}2"]
    return DNF(terms, class_, otherwise, names, {"fidelity": 0.98765})


def test_tables():
    dnf = formula("wind", "strong", "out", "in")
    assert (
        dnf.to_markdown()
        == """\
| out where any of these holds |
| :--- |
| wind != strong \\& wind2 \\> 0.5 |
| wind2 \\> 0.5 |
| True |

else in, fidelity 0.988
"""
    )
    measures = {"n": [3, 20, 1], "precision": np.array([1 / 3, 1.0, np.nan])}
    for more in (measures, pd.DataFrame(measures)):
        lines = dnf.to_markdown(more).splitlines()
        assert lines[0] == "| out where any of these holds | n | precision |"
        assert lines[1] == "| :--- | ---: | ---: |"
        assert lines[3:5] == ["| wind2 \\> 0.5 | 20 | 1 |", "| True | 1 | nan |"]
    assert (
        dnf.to_latex(measures)
        == r"""\begin{tabular}{lrr}
\hline
out where any of these holds & n & precision \\
\hline
wind $\neq$ strong $\wedge$ wind2 $>$ 0.5 & 3 & 0.333 \\
wind2 $>$ 0.5 & 20 & 1 \\
True & 1 & nan \\
\hline
\multicolumn{3}{l}{else in{,} fidelity 0.988} \\
\end{tabular}
"""
    )
    for form in (dnf.to_markdown, dnf.to_latex):
        with pytest.raises(ValueError, match="'n' of each rule"):
            form({"n": [1]})


def test_formulas_of_nothing():
    dnf = DNF([], "yes")
    expected = "| yes where any of these holds |\n| :--- |\n| no rules |\n"
    assert dnf.to_markdown() == expected
    assert "\nno rules \\\\\n" in dnf.to_latex()
    assert "| no rules |  |\n" in dnf.to_markdown({"n": []})
    notice = replace(dnf, transformed_by=["PCA"]).to_markdown()
    assert notice.endswith("\n\ncolumns as transformed by PCA\n")


def cells_of_markdown(text):
    """The cells that a reader finds, without what escapes them."""
    table = text.split("\n\n")[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines()]
    for row in rows:
        for cell in row:
            assert not re.search(r"(?<!\\)(?:\\\\)*[`*_<#$~^]", cell)
    return [[re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", c).strip() for c in r] for r in rows]


@few(150)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_nothing_is_markup_in_markdown(name, value, class_, otherwise):
    dnf = formula(name, value, class_, otherwise)
    text = dnf.to_markdown({name: [value] * 3})
    head, _, *rows = cells_of_markdown(text)
    assert head == [f"{shown(class_)} where any of these holds", shown(name).strip()]
    assert rows == [[str(term), shown(value)] for term in dnf.terms]
    assert text.count("\n") == 7


@few(150)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_a_reader_of_markdown_agrees(name, value, class_, otherwise):
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable("table")
    dnf = formula(name, value, class_, otherwise)
    tokens = reader.parse(dnf.to_markdown())
    inline = [token for token in tokens if token.type == "inline"]
    kinds = {child.type for token in inline for child in token.children}
    assert kinds <= {"text", "text_special"}
    found = ["".join(child.content for child in token.children) for token in inline]
    expected = [f"{shown(class_)} where any of these holds", *map(str, dnf.terms)]
    # Lone surrogates and the null character are none that text has.
    assert found[:4] == expected


# All commands that there are, and what they print.
COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\symbol{34}": '"',
    r"\textasciigrave{}": "`",
    r"\textquotesingle{}": "'",
    **{f"{{{c}}}": c for c in "[*-,"},
    **{f"\\{c}": c for c in "{}$&#%_"},
    r"$\wedge$": "&",
    r"$\neq$": "!=",
    "$>$": ">",
}
PARTS = re.compile("|".join(map(re.escape, COMMANDS)) + r"|(.)", re.DOTALL)


def printed(latex):
    """What a cell prints; nothing else in it may be special."""

    def of(match):
        assert match[1] is None or match[1] not in "\\{}$&#%_^~<>|\"`'[*-,\n"
        return COMMANDS.get(match[0], match[0])

    return PARTS.sub(of, latex)


@few(150)
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_nothing_is_a_command_in_latex(name, value, class_, otherwise):
    dnf = formula(name, value, class_, otherwise)
    lines = dnf.to_latex({name: [value] * 3}).splitlines()
    assert lines[0] == r"\begin{tabular}{lr}" and lines[-1] == r"\end{tabular}"
    assert [i for i, line in enumerate(lines) if line == r"\hline"] == [1, 3, 7]
    rows = []
    for line in (lines[2], *lines[4:7]):
        assert line.endswith(r" \\")
        rows.append([*map(printed, re.split(r"(?<!\\) & ", line[:-3]))])
    assert rows == [
        [f"{shown(class_)} where any of these holds", shown(name)],
        *[[str(term), shown(value)] for term in dnf.terms],
    ]
    assert lines[8].startswith(r"\multicolumn{2}{l}{")

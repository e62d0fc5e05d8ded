"""Markdown: formulas as tables, in the dialect of GitHub and many others."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

from sklearn_dnfwinnow.rules._writers._table_parts import table_parts

# Characters that can begin markup, HTML, mathematics, a link or an entity.
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|&~$^@:]")


def dnf_as_markdown(dnf, measures):
    """Return a formula as a table, see `DNF.to_markdown`."""
    head, rows, foot = table_parts(dnf, measures)
    lines = [_row(map(_escaped, head)), _row([":---", *["---:"] * (len(head) - 1)])]
    lines += [_row(map(_escaped, row)) for row in rows]
    lines += ["", _escaped(foot)] if foot else []
    return "\n".join(lines) + "\n"


def _row(cells):
    """Return a table row."""
    return f"| {' | '.join(cells)} |"


def _escaped(text):
    """Return text in one line, without markup."""
    return _MARKUP.sub(r"\\\g<0>", text)

"""Display: values as text, HTML tables, and records as data frames."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from difflib import get_close_matches
from html import escape

# Maximum number of names or values, and of their characters, that are compared to find
# similar ones.
_MOST_NAMES, _MOST_CHARACTERS = 10_000, 100


def shown(value):
    r"""Return a value, class label or name as readable text.

    All texts, plots and messages with labels or names use this function. A string is
    unchanged if it is printable: not empty, without spaces at its ends, and without
    control characters, line separators, direction marks, zero-width characters and lone
    surrogates. Otherwise it is quoted and escaped as by `repr`. Whole numbers have no
    decimals.

    Examples
    --------
    >>> from sklearn_dnfwinnow._utils._display import shown
    >>> print(shown("a b"), shown(1.0), shown("a\nb"), shown("\u202eab"), shown(""))
    a b 1 'a\nb' '\u202eab' ''
    """
    text = str(value)
    if isinstance(value, float):
        text = text.removesuffix(".0")
    return text if text == text.strip() != "" and text.isprintable() else repr(text)


def near(text, known):
    """Return an end of a message with the names or values most similar to a text.

    Parameters
    ----------
    text : str
    known : dict of str to str, or iterable
        Names or values by their text, with their forms in the message.
    """
    forms = {}
    known = known if isinstance(known, dict) else {str(one): repr(one) for one in known}
    for one, form in list(known.items())[:_MOST_NAMES]:
        forms.setdefault(one[:_MOST_CHARACTERS].casefold(), form[:_MOST_CHARACTERS])
    found = get_close_matches(text[:_MOST_CHARACTERS].casefold(), forms)
    if found:
        return f" (did you mean {' or '.join(forms[one] for one in found)}?)"
    listed = list(forms.values())[:5]
    more = ", ..." if len(forms) > len(listed) else ""
    return f" ({', '.join(listed)}{more})" if listed else ""


def transformation_notice(transformed_by):
    """Return a text for columns that are transformer output; '' for no transformers.

    Parameters
    ----------
    transformed_by : iterable of str
        Names of the transformers.
    """
    if not transformed_by:
        return ""
    return f"columns as transformed by {', '.join(map(shown, transformed_by))}"


_TABLE = "border-collapse: collapse; color: inherit"
_ROW = "background: none; border-top: 1px solid currentColor"
# The style of notebooks aligns cells, not rows.
_CELL = "text-align: left; padding: 0.15em 0.6em"
BLUE, ORANGE = "#2f7fc4", "#cf6a1a"


def cell(markup, tag="td", span=1):
    """Return a table cell: 'td', or 'th' for a heading, over `span` columns."""
    columns = f' colspan="{span}"' if span > 1 else ""
    return f'<{tag}{columns} style="{_CELL}">{markup}</{tag}>'


def cells(markup, tag="td"):
    """Return the cells of a row, from the markup in each."""
    return "".join(cell(one, tag) for one in markup)


def listing(texts):
    """Return a list of texts."""
    lines = "\n".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<ul>\n{lines}\n</ul>"


def table(rows):
    """Return a table from rows, each with the markup of its cells."""
    lines = "".join(f'<tr style="{_ROW}">{row}</tr>' for row in rows)
    return f'<table style="{_TABLE}">{lines}</table>'


def bar(start, end, colour):
    """Return a bar between two fractions of the width of its cell."""
    return (
        '<div aria-hidden="true" style="width: 8em">'
        f'<div style="margin-left: {start:.1%}; width: {end - start:.1%}; '
        f'height: 0.7em; background: {colour}"></div></div>'
    )


def as_table(records, columns):
    """Return records as a pandas data frame, or unchanged without pandas.

    Parameters
    ----------
    records : list of dict
        Records with equal keys.
    columns : iterable of str
        The keys, in case that there are no records.
    """
    try:
        import pandas  # here for import time, and since it may not be installed
    except ImportError:
        return records

    def column(name):
        values = [record[name] for record in records]
        try:
            return pandas.Series(values)
        except UnicodeEncodeError:  # Arrow has no lone surrogates
            return pandas.Series(values, dtype=object)

    return pandas.DataFrame({name: column(name) for name in columns})


def records_in(table):
    """Return what `as_table` returned as a list of dict."""
    return table if isinstance(table, list) else table.to_dict("records")


def records_of(columns):
    """Return columns, a dict of equally long iterables, as a list of dict."""
    return [dict(zip(columns, row)) for row in zip(*columns.values())]

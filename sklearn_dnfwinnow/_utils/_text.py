"""Values, labels and names as text for people."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


def shown(value):
    r"""Return a value, class label or name as text for people.

    Every text, picture or message with a label or name in it uses this function. A
    string stays as it is if it is printable: not empty, without spaces at its ends, and
    without control characters, line separators, marks of direction, characters of no
    width and lone surrogates. Otherwise it is quoted and escaped as by `repr`. A number
    that is whole loses its decimals.

    Examples
    --------
    >>> from sklearn_dnfwinnow._utils._text import shown
    >>> print(shown("a b"), shown(1.0), shown("a\nb"), shown("\u202eab"), shown(""))
    a b 1 'a\nb' '\u202eab' ''
    """
    text = str(value)
    if isinstance(value, float):
        text = text.removesuffix(".0")
    return text if text == text.strip() != "" and text.isprintable() else repr(text)


def transformation_notice(transformed_by):
    """Return a notice that columns are the output of transformers; '' if of none.

    Parameters
    ----------
    transformed_by : iterable of str
        Names of the transformers.
    """
    if not transformed_by:
        return ""
    return f"columns as transformed by {', '.join(map(shown, transformed_by))}"

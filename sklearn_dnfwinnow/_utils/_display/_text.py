"""Values, labels and names as readable text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


def shown(value):
    r"""Return a value, class label or name as readable text.

    All texts, plots and messages with labels or names use this function. A string is
    unchanged if it is printable: not empty, without spaces at its ends, and without
    control characters, line separators, direction marks, zero-width characters and lone
    surrogates. Otherwise it is quoted and escaped as by `repr`. Whole numbers have no
    decimals.

    Examples
    --------
    >>> from sklearn_dnfwinnow._utils._display._text import shown
    >>> print(shown("a b"), shown(1.0), shown("a\nb"), shown("\u202eab"), shown(""))
    a b 1 'a\nb' '\u202eab' ''
    """
    text = str(value)
    if isinstance(value, float):
        text = text.removesuffix(".0")
    return text if text == text.strip() != "" and text.isprintable() else repr(text)


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

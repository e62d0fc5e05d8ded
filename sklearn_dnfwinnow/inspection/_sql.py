"""SQL: names and constants, quoted."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


def sql_name(text):
    """A name in double quotes, whatever its characters."""
    return _quoted(text, '"')


def sql_constant(value):
    """A string, number or boolean; a number in all its digits."""
    if isinstance(value, str):
        return _quoted(value, "'")
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return repr(value)


def _quoted(text, quote):
    if "\0" in text:
        raise ValueError(f"SQL has no way to say the null character in {text!r}.")
    return quote + text.replace(quote, 2 * quote) + quote

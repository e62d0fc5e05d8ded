"""Conversion of records and numbers to pandas objects, if pandas is installed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


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


def as_series(numbers, index, name):
    """Return named numbers as a pandas series, or as a dict without pandas.

    Parameters
    ----------
    numbers : ndarray of shape (n,)
    index : iterable of n str
        Names of the numbers.
    name : str
        Name of the series.
    """
    try:
        import pandas
    except ImportError:
        return dict(zip(index, numbers.tolist()))
    return pandas.Series(numbers, index=[*index], name=name)

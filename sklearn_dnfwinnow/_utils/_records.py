"""Conversion of records to a data frame, if pandas is installed."""

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

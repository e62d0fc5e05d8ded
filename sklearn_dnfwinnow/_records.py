"""Records: a table of results, as a data frame where pandas is installed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


def as_table(records, columns):
    """Dicts with the same keys as a pandas data frame, or as they are without pandas.

    Parameters
    ----------
    records : list of dict
    columns : iterable of str
        The keys, for when there are no records.
    """
    try:
        import pandas
    except ImportError:
        return records
    return pandas.DataFrame(records, columns=list(columns))

"""Records: a table of results, as a data frame where pandas is installed."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

#: Of a record of a term: its class, what `Vocabulary.record` says, and a share.
TERM_COLUMNS = "class", "term", "size", "exponent", "log_weight", "share"


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

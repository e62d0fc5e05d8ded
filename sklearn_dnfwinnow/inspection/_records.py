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

    def column(name):
        values = [record[name] for record in records]
        try:
            return pandas.Series(values)
        except UnicodeEncodeError:  # Arrow has no lone surrogates
            return pandas.Series(values, dtype=object)

    return pandas.DataFrame({name: column(name) for name in columns})

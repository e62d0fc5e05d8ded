"""Memory of the training of many classes, estimated before it is allocated."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# Maximum memory of the classes that are trained at the same time, and the number of
# classes from which it is checked: with fewer, the rows or terms are too many, and not
# the classes.
_MOST_BYTES, _MANY_CLASSES = 1 << 32, 64
# Bytes of a row in a class: net count, sum of net counts, order of arrival, two bounds,
# and a flag; and of a term.
_BYTES_A_ROW, _BYTES_A_TERM = 5 * 8 + 1, 2


def bytes_of_lanes(n_terms, n_rows, n_lanes):
    """Return the memory of lanes: weights, averaged weights, and net counts."""
    return n_lanes * (2 * 4 * n_terms + 3 * 8 * n_rows)


def bytes_of_classes(n_terms, n_rows, n_classes):
    """Return the memory of classes that are trained together without lanes."""
    return n_classes * (_BYTES_A_TERM * n_terms + _BYTES_A_ROW * n_rows)


def check_bytes(n_bytes, n_classes, n_rows):
    """Raise an error if the training of many classes has no room.

    Parameters
    ----------
    n_bytes : int
        Memory of all classes that are trained together.
    n_classes : int
    n_rows : int
        Number of distinct rows.

    Raises
    ------
    ValueError
        With the number of classes, and the memory that they need.
    """
    if n_classes >= _MANY_CLASSES and n_bytes > _MOST_BYTES:
        raise ValueError(
            f"To train {n_classes:,} classes on {n_rows:,} distinct samples takes "
            f"{n_bytes / 2**30:,.1f} GiB of memory, more than the limit of "
            f"{_MOST_BYTES / 2**30:,.1f} GiB: it grows with the product of both. Merge "
            "rare classes, pass fewer samples, or set max_term_size=1 if there are "
            "many terms. With multi_class='ovr' and cv=None, one class is trained at a "
            "time."
        )

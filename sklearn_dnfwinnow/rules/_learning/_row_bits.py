"""Row bits: sets of rows as bits in words of 64."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

# Bits of each byte, the lowest first.
_SETS_OF_EIGHT = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
).astype(np.float64)
# Sets of rows whose sums are looked up at once.
_CHUNK = 4096


def packed(holds):
    """Return boolean rows as words, the first column as the lowest bit.

    Parameters
    ----------
    holds : ndarray of shape (n, n_bits), bool

    Returns
    -------
    words : ndarray of shape (n, n_words), uint64
    """
    n, n_bits = holds.shape
    words = np.zeros((n, -(-n_bits // 64)), dtype="<u8")
    # Columns are often given as rows: a copy in order takes less time than it saves.
    bits = np.packbits(np.ascontiguousarray(holds), axis=1, bitorder="little")
    words.view(np.uint8)[:, : bits.shape[1]] = bits
    return words.astype(np.uint64, copy=False)


def unpacked(words, n_bits):
    """Return words as boolean rows: (n, n_bits), bool."""
    bits = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(bits, axis=1, count=n_bits, bitorder="little").astype(bool)


def sums_of_rows(words, values):
    """Return the sum of the values of each set of rows: (n,), float64.

    Parameters
    ----------
    words : ndarray of shape (n, n_words), uint64
    values : ndarray of shape (n_bits,), float64
    """
    of_bytes = np.zeros(8 * 8 * words.shape[1])
    of_bytes[: len(values)] = values
    # The sums of all sets of eight rows: a set of rows has one in each of its bytes.
    table = of_bytes.reshape(-1, 8) @ _SETS_OF_EIGHT.T
    places, sums = np.arange(len(table)), np.zeros(len(words))
    for start in range(0, len(words), _CHUNK):
        some = np.ascontiguousarray(words[start : start + _CHUNK], dtype="<u8")
        some = table[places, some.view(np.uint8)]
        sums[start : start + _CHUNK] = some.sum(axis=1)
    return sums

"""Row bits: sets of rows as bits in words of 64."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np


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
    bits = np.packbits(holds, axis=1, bitorder="little")
    words.view(np.uint8)[:, : bits.shape[1]] = bits
    return words.astype(np.uint64, copy=False)


def unpacked(words, n_bits):
    """Return words as boolean rows: (n, n_bits), bool."""
    bits = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(bits, axis=1, count=n_bits, bitorder="little").astype(bool)

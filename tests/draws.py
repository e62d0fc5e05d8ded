"""Draws: numbers, arrays and choices out of bytes."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import struct
from random import Random

import numpy as np


class Draws:
    """What some bytes say; behind them come random ones, of which they are the seed.

    Equal bytes say the same for ever: a failure is kept as the bytes that led to it.

    Parameters
    ----------
    data : bytes
    """

    def __init__(self, data):
        self._data = data
        self._place = 0
        self._behind = Random(data)

    def bytes(self, n):
        """The next n bytes."""
        start, self._place = self._place, self._place + n
        known = self._data[start : self._place]
        return known + self._behind.randbytes(n - len(known))

    def rest(self):
        """All bytes that are left."""
        return self.bytes(max(0, len(self._data) - self._place))

    def integer(self, low, high):
        """From `low` to `high`, both included."""
        n = ((high - low).bit_length() + 7) // 8
        return low + int.from_bytes(self.bytes(n), "little") % (high - low + 1)

    def boolean(self):
        """Whether the next byte is odd."""
        return bool(self.integer(0, 1))

    def choice(self, options):
        """One of some."""
        return options[self.integer(0, len(options) - 1)]

    def float(self):
        """Any number of double precision, NaN and infinities included."""
        return struct.unpack("<d", self.bytes(8))[0]

    def integers(self, low, high, *shape):
        """An array of integers of 64 bits, of a range of 256 numbers or fewer."""
        data = np.frombuffer(self.bytes(int(np.prod(shape))), dtype=np.uint8)
        return low + (data.astype(np.int64) % (high - low + 1)).reshape(shape)

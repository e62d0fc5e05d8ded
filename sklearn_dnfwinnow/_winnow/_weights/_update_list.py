"""Update list: the stored examples of one class, with exponents, during training."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np

from sklearn_dnfwinnow._winnow._weights._update_budget import NO_LIMIT, merged


class UpdateList:
    """Distinct stored examples of one class in order of arrival, each with an exponent.

    Parameters
    ----------
    state : ClassState
        State at the start. Its arrays are not changed.
    max_stored_examples : int
        Maximum number of stored examples, see :mod:`._update_budget`.

    Attributes
    ----------
    max_stored_examples : int
        See above.
    version : int
        Number of updates so far, including updates before the start.
    promoted, demoted : int
        Sums of all additions and subtractions since the start.
    discarded : ndarray of shape (2,), float64
        Discarded exponents since the start, and the part that is lost, see `merged`.
    """

    def __init__(self, state, max_stored_examples=NO_LIMIT):
        # The arrays have room for more updates than there are.
        self._codes = np.ascontiguousarray(state.updates)
        # A copy: arrays that come from another process can be read-only.
        self._exponents = np.array(state.exponents)
        self._size = len(state.exponents)
        # From the bytes of a row to its position; made when the first update needs it.
        self._places = None
        self.max_stored_examples = max_stored_examples
        self.version = state.version
        self.promoted, self.demoted = 0, 0
        self.discarded = np.zeros(2)

    @property
    def codes(self):
        """Codes of the stored examples: (m, n_attributes), int32."""
        return self._codes[: self._size]

    @property
    def exponents(self):
        """Exponents of the stored examples: (m,), int64."""
        return self._exponents[: self._size]

    def add(self, row, amount):
        """Add an amount to the exponent of a row; return whether rows were discarded.

        Parameters
        ----------
        row : ndarray of shape (n_attributes,), int32
        amount : int
            Positive to promote, negative to demote.
        """
        if self._places is None:
            self._places = {code.tobytes(): i for i, code in enumerate(self.codes)}
        place = self._places.setdefault(row.tobytes(), self._size)
        if place == self._size:
            if self._size == len(self._exponents):
                # Doubling: the cost of growing stays in proportion to the updates.
                self.reserve(2 * self._size + 16)
            self._codes[place] = row
            self._exponents[place] = 0
            self._size += 1
        self._exponents[place] += amount
        self.promoted += max(amount, 0)
        self.demoted += max(-amount, 0)
        self.version += 1
        return self.drop_excess()

    def drop_excess(self):
        """Discard examples if there are too many; return whether there were."""
        if self._size <= self.max_stored_examples:
            return False
        stay, sums, discarded = merged(
            self.codes, self.exponents, self.max_stored_examples
        )
        self.discarded += discarded
        # Copies: the updates to start from belong to the caller.
        self._codes, self._exponents = self._codes[stay], sums
        self._size, self._places = len(stay), None
        return True

    @property
    def capacity(self):
        """Number of stored examples that the arrays can hold."""
        return len(self._exponents)

    @property
    def room(self):
        """Codes and exponents of `capacity` stored examples, which kernels write."""
        return self._codes, self._exponents

    def set_size(self, size, version):
        """Record the size and version after a kernel has written to the arrays."""
        self._size, self._places, self.version = size, None, version

    def reserve(self, capacity):
        """Allocate arrays for `capacity` stored examples."""
        n = self._size
        codes, exponents = self.codes, self.exponents
        self._codes = np.zeros((capacity, codes.shape[1]), dtype=np.int32)
        self._exponents = np.zeros(capacity, dtype=np.int64)
        self._codes[:n], self._exponents[:n] = codes, exponents

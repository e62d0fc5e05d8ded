"""Numbers of random streams: one for each use of randomness, from its content."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from hashlib import blake2b

import numpy as np


def stream(*keys, row):
    """Return the 64-bit stream number of some integer keys and one row of codes.

    The number is a hash of the content, not of a position. Equal rows have equal
    streams, so results do not depend on batches, on the order of rows, or on threads.
    """
    digest = blake2b(np.asarray(row, dtype="<i4").tobytes(), digest_size=8)
    for key in keys:
        digest.update(int(key).to_bytes(8, "little"))
    return int.from_bytes(digest.digest(), "little")

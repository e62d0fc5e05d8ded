"""Random streams: a 64-bit number for every use of randomness, from what it is for."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from hashlib import blake2b

import numpy as np


def stream(*keys, row):
    """The stream number of some integer keys and one row of codes.

    A hash of the content, not of a position: equal rows get equal streams wherever they
    stand, so that results depend on neither batches, row order nor threads.
    """
    digest = blake2b(np.asarray(row, dtype="<i4").tobytes(), digest_size=8)
    for key in keys:
        digest.update(int(key).to_bytes(8, "little"))
    return int.from_bytes(digest.digest(), "little")

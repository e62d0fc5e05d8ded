"""Array: large arrays of numbers as the Base64 text of their bytes.

The text is exact, and shorter than the numbers.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from base64 import b64decode, b64encode
from math import prod

import numpy as np

from sklearn_dnfwinnow._utils._json_values import check, check_keys
from sklearn_dnfwinnow.persistence._schema import Kind

# Maximum number of bytes of an array.
_LARGEST = 2**32


class Array(Kind):
    """An array of finite numbers.

    Parameters
    ----------
    dtype : str
        '<f4', '<f8', '<i4' or '<i8'.
    shape : tuple of int or None
        Length of each axis; None allows any.
    """

    forms = dict

    def __init__(self, dtype, shape):
        self._dtype, self._shape = np.dtype(dtype), shape

    def write(self, value, where):
        data = value.astype(self._dtype, casting="equiv").tobytes()
        return {"shape": list(value.shape), "data": b64encode(data).decode("ascii")}

    def read(self, state, where, budget):
        check_keys(state, ("shape", "data"), where)
        lengths, data = state["shape"], state["data"]
        right = type(lengths) is list and len(lengths) == len(self._shape)
        right = right and all(type(length) is int and length >= 0 for length in lengths)
        right = right and all(a in (None, b) for a, b in zip(self._shape, lengths))
        text = ", ".join("any" if n is None else str(n) for n in self._shape)
        check(right, f"{where} of shape ({text})", lengths)
        item = self._dtype.itemsize
        # Empty arrays are limited, too, because numpy multiplies their other lengths.
        most = prod(max(1, length) for length in lengths) * item
        check(most <= _LARGEST, f"{where} of up to {_LARGEST} bytes", lengths)
        n_bytes = prod(lengths) * item
        check(type(data) is str, f"{where} as text", data)
        n_characters = (n_bytes + 2) // 3 * 4
        right = len(data) == n_characters
        check(right, f"{n_characters} characters of {where}", len(data))
        try:
            decoded = b64decode(data, validate=True)
        except ValueError:
            decoded = None
        right = decoded is not None and len(decoded) == n_bytes
        check(right, f"{where} in Base64", data)
        array = np.frombuffer(decoded, self._dtype).reshape(lengths)
        others = array[~np.isfinite(array)]
        check(not others.size, f"{where} to be finite", others[:3].tolist())
        return array.astype(self._dtype.newbyteorder("="))

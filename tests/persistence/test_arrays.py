"""Arrays in JSON: bit for bit, and what comes of hostile text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import json
from base64 import b64encode

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from internals.persistence import Array, _array
from numpy.testing import assert_array_equal

TYPES = "<f4", "<f8", "<i4", "<i8"


def plain_array(array):
    """An array as it is written."""
    return Array(array.dtype.newbyteorder("<").str, ()).write(array, "draws")


def array_from(state, what, dtype, shape):
    """An array that was written, if it has a type and a shape."""
    return Array(dtype, shape).read(state, what, None)


def through_json(array):
    """An array, written and read."""
    return json.loads(json.dumps(plain_array(array), allow_nan=False))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3, 4), (3, 0, 2), (7, 1)])
def test_arrays_come_back_bit_for_bit(dtype, shape):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    array = np.frombuffer(np.random.RandomState(0).bytes(size), dtype).reshape(shape)
    # Any bits, but for those of numbers that are not finite.
    array = np.where(np.isfinite(array), array, 0).astype(dtype)
    back = array_from(through_json(array), "draws", dtype, shape)
    assert back.shape == shape and back.dtype == np.dtype(dtype)
    assert back.tobytes() == array.tobytes()
    assert back.flags.writeable and back.dtype.isnative
    assert_array_equal(
        array_from(through_json(array), "draws", dtype, (None,) * len(shape)),
        back,
    )


def test_bytes_and_strides_are_of_no_consequence():
    array = np.arange(24.0).reshape(2, 3, 4)
    expected = plain_array(array)
    assert plain_array(array.astype(">f8")) == expected
    assert plain_array(np.asfortranarray(array)) == expected
    assert plain_array(np.repeat(array, 2, axis=2)[..., ::2]) == expected
    assert expected["shape"] == [2, 3, 4]


@pytest.mark.parametrize("dtype", ["f2", "i2", "u8", "?", "c8", "U3", "O", "M8[s]"])
def test_other_types_are_not_written(dtype):
    with pytest.raises(TypeError, match=r"Cannot cast|cannot be cast"):
        Array("<f8", (3,)).write(np.zeros(3, dtype=dtype), "draws")


def read(expected=(2, 3), **changes):
    state = {**plain_array(np.zeros((2, 3), dtype=np.float32)), **changes}
    return array_from(state, "draws", "<f4", expected)


def text(data):
    return b64encode(data).decode()


HOSTILE = {
    "another type": (dict(data=text(bytes(48))), "32 characters of draws; got 64"),
    "a shape that is none": (dict(shape=6), r"draws of shape \(any, any\); got 6"),
    "another number of axes": (dict(shape=[6]), r"draws of shape \(any, any\)"),
    "a negative length": (dict(shape=[-2, -3]), "draws of shape"),
    "a length that is no integer": (dict(shape=[2.0, 3]), "draws of shape"),
    "a boolean length": (dict(shape=[True, 6]), "draws of shape"),
    "more bytes": (dict(shape=[2, 2]), "24 characters of draws; got 32"),
    "fewer bytes": (dict(shape=[2, 4]), "44 characters of draws; got 32"),
    "hardly fewer bytes": (dict(data=text(bytes(23))), "draws in Base64"),
    "hardly more bytes": (dict(shape=[1, 1], data="AAAA" * 2), "draws in Base64"),
    "a huge shape": (dict(shape=[2**40, 2**40]), "draws of up to 4294967296 bytes"),
    "a length that is huge": (dict(shape=[10**400, 1]), "draws of up to"),
    "huge and empty": (dict(shape=[0, 2**62], data=""), "draws of up to"),
    "as large as can be": (dict(shape=[2**15, 2**15]), "5726623064 characters of"),
    "bytes that are a list": (dict(data=[0] * 32), "draws as text"),
    "no bytes": (dict(data=None), "draws as text"),
    "not Base64": (dict(data="*" * 32), "draws in Base64"),
    "Base64 of file names": (dict(data="-_" * 16), "draws in Base64"),
    "with white space": (dict(data="AAA\n" * 8), "draws in Base64"),
    "not ASCII": (dict(data="é" * 32), "draws in Base64"),
    "a lone surrogate": (dict(data="\ud800" * 32), "draws in Base64"),
    "an end in the middle": (dict(data="AA==" * 8), "draws in Base64"),
    "another key": (dict(order="F"), "draws to have the keys shape, data"),
}


@pytest.mark.parametrize("changes, message", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_refused(changes, message):
    with pytest.raises(ValueError, match=f"^Expected {message}"):
        read((None, None), **changes)


@pytest.mark.parametrize("state", [None, 1, "AAAA", [], {}, {"shape": [2, 3]}])
def test_what_is_no_array_is_refused(state):
    with pytest.raises(ValueError, match=r"^Expected draws to "):
        array_from(state, "draws", "<f4", (2, 3))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", TYPES[:2])
def test_numbers_that_are_not_finite(value, dtype):
    array = np.array([0.0, value, 1.0], dtype=dtype)
    with pytest.raises(
        ValueError, match=r"^Expected draws to be finite; got \[-?(nan|inf)\]"
    ):
        array_from(plain_array(array), "draws", dtype, (3,))


def test_shapes_are_those_asked_for():
    assert read().shape == read((None, 3)).shape == (2, 3)
    for shape in [(3, 2), (2, None, None), (6,), ()]:
        with pytest.raises(ValueError, match=r"^Expected draws of shape"):
            read(shape)


def test_limit(monkeypatch):
    monkeypatch.setattr(_array, "_LARGEST", 24)
    assert read().shape == (2, 3)
    monkeypatch.setattr(_array, "_LARGEST", 23)
    with pytest.raises(ValueError, match=r"^Expected draws of up to 23 bytes"):
        read()


@given(st.text(max_size=40), st.lists(st.integers(-1, 2**70), max_size=3))
def test_nothing_but_value_errors(data, shape):
    state = {"shape": shape, "data": data}
    try:
        array_from(state, "draws", "<f4", (None,) * len(shape))
    except ValueError as error:
        assert str(error).startswith("Expected draws") or "characters" in str(error)

"""Shared: common parts of the public functions of this package."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from importlib.resources import files
from inspect import cleandoc

from sklearn_dnfwinnow._utils._compat import validate_params

DATA = files("sklearn_dnfwinnow.datasets") / "data"


def public(constraints, **sections):
    """Decorate a public function: validate its parameters, and complete its docstring.

    Parameters
    ----------
    constraints : dict of str to list
        Constraints of the parameters, in scikit-learn's form.

    **sections : str
        Texts that several docstrings share, see `sections_of`; they replace
        ``%(name)s``.

    Returns
    -------
    decorate : callable
        The decorator.
    """

    def decorate(function):
        # Docstrings are missing under `python -OO`.
        if function.__doc__:
            function.__doc__ = cleandoc(function.__doc__) % sections
        check = validate_params(constraints)
        return check(function)

    return decorate


def sections_of(function):
    """Return the sections of a docstring: dict of title to text, without indents."""
    # Docstrings are missing under `python -OO`.
    parts = re.split(r"\n\n(\w[\w ]+)\n-+\n", cleandoc(function.__doc__ or ""))
    return dict(zip(parts[1::2], parts[2::2]))


def import_pandas(as_frame):
    """Return pandas if data frames are requested and possible; otherwise None."""
    if not as_frame:
        return None
    try:
        import pandas
    except ImportError as error:
        if as_frame == "auto":
            return None
        raise ImportError(
            "as_frame=True requires pandas, which can be installed with `pip install "
            "pandas`. as_frame=False returns arrays and does not require pandas."
        ) from error
    return pandas

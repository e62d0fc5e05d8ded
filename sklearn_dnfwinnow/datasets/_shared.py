"""Shared: what the public functions of this package have in common."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from inspect import cleandoc

from sklearn_dnfwinnow._utils._compat import validate_params


def public(constraints, **sections):
    """Decorate a public function: check its parameters, complete its docstring.

    Parameters
    ----------
    constraints : dict of str to list
        Constraints of parameters, in scikit-learn's terms.

    **sections : str
        Texts that several docstrings share; ``%(name)s`` stands for them.

    Returns
    -------
    decorate : callable
        The decorator.
    """

    def decorate(function):
        # No docstrings under `python -OO`.
        if function.__doc__:
            function.__doc__ = cleandoc(function.__doc__) % sections
        check = validate_params(constraints, prefer_skip_nested_validation=True)
        return check(function)

    return decorate

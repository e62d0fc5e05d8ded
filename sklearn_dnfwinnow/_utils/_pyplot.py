"""Pyplot: Matplotlib, for displays that are plotted, and for nobody else."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause


def pyplot_for(display):
    """Matplotlib's module of figures, or an ImportError that says what needs it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{type(display).__name__}.plot needs Matplotlib: install it, for instance "
            "with `pip install matplotlib`."
        ) from error
    return plt

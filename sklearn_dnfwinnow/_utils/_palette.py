"""Palette: colours that also those tell apart who see few, after Okabe & Ito."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

BLUE, ORANGE, VERMILLION = "#0072B2", "#E69F00", "#D55E00"
# The one for black last.
_COLOURS = (
    *(BLUE, ORANGE, "#009E73", "#CC79A7", "#56B4E9", VERMILLION),
    *("#F0E442", "#000000"),
)
N_COLOURS = len(_COLOURS)


def class_colour(k, n_classes):
    """Colour of class k: of the palette, or of a map where there are too many."""
    if n_classes <= N_COLOURS:
        return _COLOURS[k]
    from matplotlib import colormaps

    return colormaps["turbo"](k / (n_classes - 1))

"""English: the bundled text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from importlib.resources import files

from sklearn.utils import Bunch

from sklearn_dnfwinnow._utils._compat import StrOptions
from sklearn_dnfwinnow.datasets._shared import public

_DATA = files("sklearn_dnfwinnow.datasets") / "data"


@public({"symbols": [StrOptions({"characters", "kinds", "merged_kinds"})]})
def load_english(*, symbols="characters"):
    """Load an English text: the beginning of "Pride and Prejudice" by Jane Austen.

    59,972 characters of a novel, to predict from those that precede them. The
    experiments in [1]_ are on an article of 3,930 characters of three kinds, which is
    not to be had; as many characters of this text take its place.

    Parameters
    ----------
    symbols : {'characters', 'kinds', 'merged_kinds'}, default='characters'
        What the text is a sequence of: its characters; their kinds, with 'V' for
        vowels, 'C' for consonants, 'y' included, and '-' for all others, spaces and
        line breaks among them; or these kinds with one '-' for a run of others.
        [1]_ has these three kinds, and does not say which runs are merged.

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        Dictionary-like object with the attributes:

        data : str
            The text, one character a symbol.
        DESCR : str
            Description of the text, with its source and licence.
        filename : str
            Name of the file that it is from.

    Raises
    ------
    ValueError
        If a parameter has no valid value.

    See Also
    --------
    make_windows : Symbols, and those that precede them, as a table.

    References
    ----------
    .. [1] L. Li and R. M. Neal, "Compressing Parameters in Bayesian High-order Models
       with Application to Logistic Sequence Models", Bayesian Analysis 3(4), 793-821,
       2008.

    Examples
    --------
    >>> from sklearn_dnfwinnow.datasets import load_english, make_windows
    >>> load_english().data[:40]
    'It is a truth universally acknowledged, '
    >>> kinds = load_english(symbols="kinds").data
    >>> kinds[:40]
    'VC-VC-V-CCVCC-VCVCVCCVCCC-VCCCVCCVCCVC--'

    As many windows as in the experiments, of 20 symbols and the one to predict:

    >>> X, y = make_windows(kinds[:3930], 20)
    >>> X.shape
    (3910, 20)
    """
    text = (_DATA / "english.txt").read_text(encoding="ascii")
    if symbols != "characters":
        others = "[^A-Za-z]+" if symbols == "merged_kinds" else "[^A-Za-z]"
        text = re.sub(others, "-", text)
        text = re.sub("[A-Za-z]", _kind, text)
    return Bunch(
        data=text,
        DESCR=(_DATA / "english.rst").read_text(encoding="utf-8"),
        filename="english.txt",
    )


def _kind(letter):
    """Return the kind of the letter that was found."""
    return "V" if letter[0] in "AEIOUaeiou" else "C"

"""English: the bundled text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re
from importlib.resources import files

from sklearn_dnfwinnow._utils._compat import StrOptions
from sklearn_dnfwinnow.datasets._shared import public

_DATA = files("sklearn_dnfwinnow.datasets") / "data"


@public({"symbols": [StrOptions({"characters", "kinds"})], "merge_other": ["boolean"]})
def load_english(*, symbols="characters", merge_other=False):
    """Load an English text: the beginning of "Pride and Prejudice" by Jane Austen.

    59,972 characters of a novel of 1813, to predict from those that precede them. The
    text is in the public domain; this copy comes from Project Gutenberg. The
    experiments in [1]_ are on an article of 3,930 characters of three kinds, which is
    not to be had; as many characters of this text can take its place.

    Parameters
    ----------
    symbols : {'characters', 'kinds'}, default='characters'
        What the text is a sequence of: its characters, or, as in [1]_, their kinds,
        'V' for vowels, 'C' for consonants, 'y' included, and '-' for all others,
        spaces and line breaks among them.

    merge_other : bool, default=False
        Whether a run of others, such as a comma and a space, is a single '-'. For
        kinds only.

    Returns
    -------
    text : str
        One character a symbol.

    Raises
    ------
    ValueError
        If a parameter has no valid value, or `merge_other` is True for characters.

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
    >>> load_english()[:40]
    'It is a truth universally acknowledged, '
    >>> kinds = load_english(symbols="kinds")
    >>> kinds[:40]
    'VC-VC-V-CCVCC-VCVCVCCVCCC-VCCCVCCVCCVC--'

    As many windows as in the experiments, of 20 symbols and the one to predict:

    >>> X, y = make_windows(kinds[:3930], 20)
    >>> X.shape
    (3910, 20)
    """
    if merge_other and symbols == "characters":
        raise ValueError("merge_other=True is for symbols='kinds'.")
    text = (_DATA / "english.txt").read_text(encoding="ascii")
    if symbols == "characters":
        return text
    text = re.sub("[^A-Za-z]+" if merge_other else "[^A-Za-z]", "-", text)
    return re.sub("[A-Za-z]", _kind, text)


def _kind(letter):
    """Return the kind of the letter that was found."""
    return "V" if letter[0] in "AEIOUaeiou" else "C"

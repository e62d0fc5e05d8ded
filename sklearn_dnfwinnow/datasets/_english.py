"""English: the bundled text."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

from sklearn_dnfwinnow._utils._compat import StrOptions
from sklearn_dnfwinnow.datasets._shared import DATA, public


@public({"symbols": [StrOptions({"characters", "kinds"})], "merge_other": ["boolean"]})
def load_english(*, symbols="characters", merge_other=False):
    """Load an English text: the beginning of "Pride and Prejudice" by Jane Austen.

    The text contains 59,972 characters of a novel of 1813, for the prediction of
    characters from the preceding ones. It is in the public domain; this copy comes from
    Project Gutenberg. The experiments in [1]_ use an article of 3,930 characters of
    three kinds, which is not available. The same number of characters of this text can
    replace it.

    Parameters
    ----------
    symbols : {'characters', 'kinds'}, default='characters'
        The symbols of the sequence: characters, or kinds of characters as in [1]_. The
        kinds are 'V' for vowels, 'C' for consonants, including 'y', and '-' for all
        others, including spaces and line breaks.

    merge_other : bool, default=False
        Whether a run of other characters, such as a comma and a space, is a single '-'.
        Only for kinds.

    Returns
    -------
    text : str
        The sequence, one character per symbol.

    Raises
    ------
    ValueError
        If a parameter is invalid, or `merge_other` is True for characters.

    See Also
    --------
    make_windows : A table of symbols and the symbols that precede them.

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

    The number of windows in the experiments, with 20 symbols and the one to predict:

    >>> X, y = make_windows(kinds[:3930], 20)
    >>> X.shape
    (3910, 20)
    """
    if merge_other and symbols == "characters":
        raise ValueError("merge_other=True requires symbols='kinds'.")
    text = (DATA / "english.txt").read_text(encoding="ascii")
    if symbols == "characters":
        return text
    text = re.sub("[^A-Za-z]+" if merge_other else "[^A-Za-z]", "-", text)
    return re.sub("[A-Za-z]", _kind, text)


def _kind(letter):
    """Return the kind of a matched letter."""
    return "V" if letter[0] in "AEIOUaeiou" else "C"

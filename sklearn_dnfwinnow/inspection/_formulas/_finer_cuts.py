"""Finer cuts: cuts of numbers for the rules of a class, beside those of a model.

A model cuts each column into few intervals. A rule may need another cut, above all one
for a rare class: these are the thresholds of a small tree on each column.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from sklearn_dnfwinnow._encoding._columns import numbers_of
from sklearn_dnfwinnow._encoding._interval_labels import short
from sklearn_dnfwinnow.inspection._pipelines._preimages import (
    CutText,
    NumericPreimage,
)

# Intervals of a column, and the number of samples in each, at least.
_MOST_INTERVALS, _FEWEST = 12, 5


class FinerCodes:
    """Codes of samples, of which those of a model are functions.

    At first they are no finer than those of the model.

    Parameters
    ----------
    decoder : TermDecoder
    codes : ndarray of shape (n_samples, n_features), int32
        Codes of the model; `refine` changes them.

    Attributes
    ----------
    codes : ndarray of shape (n_samples, n_features), int32
    bases : list of ndarray
        For each attribute, the code of the model of each finer code.
    preimages : list of CategoricalPreimage or NumericPreimage
        The values with each finer code.
    """

    def __init__(self, decoder, codes):
        categories = decoder.model.encoding.categories
        self.codes = codes
        self.bases = [np.arange(len(values) + 1) for values in categories]
        self.preimages = list(decoder.preimages)

    def refine(self, columns, own, other):
        """Make codes finer, for attributes that are intervals.

        Parameters
        ----------
        columns : list of ndarray of shape (n_samples,)
            What the literals refer to, see `TermDecoder.columns`.
        own, other : ndarray of shape (n_samples,), float64
            Weight of each sample in the class, and in others.
        """
        for j, preimage in enumerate(self.preimages):
            if not isinstance(preimage, NumericPreimage):
                continue
            numbers = numbers_of(columns[preimage.column])
            more = numbers is not None and _cuts(numbers, own, other, preimage.cuts)
            if more:
                finer, base = _refined(preimage, more)
                self.preimages[j], self.bases[j] = finer, base
                self.codes[:, j] = finer.codes_of(columns[preimage.column])


def _cuts(numbers, own, other, known):
    """Return the texts of cuts between values that no known cut lies between: dict."""
    is_present = ~np.isnan(numbers)
    values, places = np.unique(numbers[is_present], return_inverse=True)
    if len(values) < 2 or not own.sum() > 0 or not other.sum() > 0:
        return {}
    own, other = (
        np.bincount(places, weights=weights[is_present], minlength=len(values))
        for weights in (own, other)
    )
    # Ranks: the tree rounds numbers to float32.
    ranks = np.arange(len(values), dtype=np.float64)[:, None]
    mean = (own.sum() + other.sum()) / len(numbers)
    tree = DecisionTreeClassifier(max_leaf_nodes=_MOST_INTERVALS, random_state=0)
    # Both classes have the same weight.
    weights = np.concatenate([own / own.sum(), other / other.sum()])
    tree.fit(
        np.vstack([ranks, ranks]),
        np.repeat([1, 0], len(values)),
        sample_weight=weights,
    )
    thresholds = np.sort(tree.tree_.threshold[tree.tree_.feature >= 0])
    below = np.floor(thresholds).astype(int)
    totals = np.cumsum(own + other) / mean
    is_wide = (totals[below] >= _FEWEST) & (totals[-1] - totals[below] >= _FEWEST)
    below = np.unique(below[is_wide])
    is_new = np.searchsorted(known, values[below]) == np.searchsorted(
        known, values[below + 1]
    )
    texts = {}
    for low, high in zip(values[below[is_new]], values[below[is_new] + 1]):
        text = short(low + (high - low) / 2, low, high)
        if low <= float(text) < high:
            texts[float(text)] = CutText(text)
    return texts


def _refined(preimage, more):
    """Return a preimage with more cuts, and the former code of each of its codes."""
    texts = {cut: preimage.text(i) for i, cut in enumerate(preimage.cuts.tolist())}
    texts.update(more)
    cuts = np.array(sorted(texts))
    # Of intervals, in order; a missing value has a code of its own.
    former = preimage.codes[np.searchsorted(preimage.cuts, np.append(cuts, np.inf))]
    codes = np.where(former > 0, np.cumsum(former > 0), 0)
    base = np.concatenate([[0], former[former > 0], [preimage.missing]])
    finer = NumericPreimage(
        column=preimage.column,
        cuts=cuts,
        codes=codes,
        missing=len(base) - 1 if preimage.missing else 0,
        texts=[texts[cut] for cut in cuts.tolist()],
    )
    return finer, base

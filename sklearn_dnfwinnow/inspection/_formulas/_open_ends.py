"""Open ends: comparisons with numbers that a model does not cut, for all numbers."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from math import inf, nextafter
from numbers import Real

from sklearn_dnfwinnow.rules._shape._extent import Extent
from sklearn_dnfwinnow.rules._term import Term

_COMPARISONS = "<=", ">", ">="


def with_open_ends(term, preimages):
    """Return a term whose comparisons hold for numbers that are new to the model, too.

    A number of few values is not cut. The condition ``calls > 2`` of a model stands for
    the values 3, 4 and 5, if these are in its training data; as a rule, it should hold
    for 6.

    Parameters
    ----------
    term : Term
    preimages : list of CategoricalPreimage or NumericPreimage
        Of the attributes of the model.
    """
    known = {
        preimage.column: preimage.present
        for preimage in preimages
        if getattr(preimage, "is_direct", False)
    }
    return Term(_opened(x, known.get(x.column, ())) for x in term.literals)


def _opened(literal, known):
    """Return a literal on a range of known numbers as one on an interval."""
    is_range = literal.relation in _COMPARISONS or literal.label[:1] in ("[", "(")
    if literal.intervals is not None or literal.complement or not is_range:
        return literal
    if not literal.values or not all(isinstance(value, Real) for value in known):
        return literal
    first, last = min(literal.values), max(literal.values)
    low = -inf if first == min(known) else nextafter(first, -inf)
    high = inf if last == max(known) else float(last)
    if (low, high) == (-inf, inf):
        return literal
    extent = Extent(None, ((low, high),), literal.missing)
    return extent.literal(literal.column, literal.feature)

"""Joint presentations: the weights of all classes are compared with each other.

A row's own class is to lead all others by a margin. Where it does not, it is promoted,
and the classes that it does not lead are demoted.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow._winnow._term_table import TermTable

# Equal sums are in different orders of terms, a tie is no lead; and bounds this close,
# relatively, settle nothing.
_ROUNDING, _SLACK = 1e-12, 1e-9


def present_jointly(all_weights, order, rows, margin):
    """Present some rows to the weights of all classes.

    Parameters
    ----------
    all_weights : list of ImplicitWeights or TermTable
        Of each class; promoted and demoted here.
    order : ndarray of int
        The presentations to go through.
    rows : Presentations
    margin : float
        In logarithms.
    """
    if isinstance(all_weights[0], TermTable):
        TermTable.joint_epoch(all_weights, order, rows, margin)
        return
    for i in order:
        row, y = rows.codes[i], rows.labels[i]
        remaining = int(rows.units[i])
        while remaining > 0:
            ahead = _not_led(all_weights, row, y, margin)
            if not ahead:
                # Nothing changes, so the presentations to come would end the same.
                break
            amount = min(rows.one, remaining)
            all_weights[y].promote(row, amount)
            for k in ahead:
                all_weights[k].demote(row, amount)
            remaining -= amount


def _not_led(all_weights, row, y, margin):
    """The classes that class y does not lead by the margin.

    What is known of their sums may spare these, as in the kernel of the term table.
    """
    own = None
    least, _ = all_weights[y].log_bounds(row)
    ahead = []
    for k, weights in enumerate(all_weights):
        _, most = weights.log_bounds(row)
        if k == y or least - most > margin + _SLACK * (1.0 + abs(least) + abs(most)):
            continue
        if own is None:
            least = own = all_weights[y].summed(row)
        if own - weights.summed(row) < max(margin, _ROUNDING * (1.0 + abs(own))):
            ahead.append(k)
    return ahead

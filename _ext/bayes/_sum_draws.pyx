"""Draws of the sums of groups, given Polya-Gamma variables and prior variances.

The likelihood of a linear predictor e_i is proportional to
``exp(information_i e_i - precision_i e_i^2 / 2)``, and e_i is the sum of s_g over the
groups of row i. The prior of s_g is normal with mean 0.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t

import numpy as np

from _draws cimport bitgen_t, bits_of, standard_normal
from _signals cimport listen


def one_at_a_time(
    *,
    const int64_t[::1] starts,       # IN (n_groups + 1,)
    const int32_t[::1] members,      # IN (starts[-1],)
    const double[::1] precision,     # IN (n_rows,)
    double[::1] residual,            # IN/OUT (n_rows,) information - precision * e
    const double[::1] variances,     # IN (n_groups,) of the prior
    double[::1] sums,                # IN/OUT (n_groups,)
    bit_generator,
):
    """Draw each sum given all others, in turn."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef Py_ssize_t g, e
    cdef double total, score, drawn, shift, spread
    cdef int64_t work = 0
    with nogil:
        for g in range(sums.shape[0]):
            total = 0.0
            score = 0.0
            for e in range(starts[g], starts[g + 1]):
                total += precision[members[e]]
                score += residual[members[e]]
            score += total * sums[g]
            spread = 1.0 / (total + 1.0 / variances[g])
            drawn = spread * score + sqrt(spread) * standard_normal(bits)
            shift = drawn - sums[g]
            sums[g] = drawn
            for e in range(starts[g], starts[g + 1]):
                residual[members[e]] -= precision[members[e]] * shift
            listen(&work, 2 * (starts[g + 1] - starts[g]))


def along_tree(
    *,
    const int32_t[::1] parents,      # IN (n_groups,) before their children; -1: none
    const int32_t[::1] leaves,       # IN (n_rows,) the last group of each row
    const double[::1] precision,     # IN (n_rows,)
    const double[::1] information,   # IN (n_rows,)
    const double[::1] variances,     # IN (n_groups,) of the prior
    double[::1] sums,                # OUT (n_groups,)
    bit_generator,
):
    """Draw all sums jointly, where the groups of a row are a path of a tree.

    A pass up adds what the rows below a group say of the sum along its path, the sums
    of its descendants integrated out. A pass down draws.
    """
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef Py_ssize_t g, i
    cdef int32_t parent
    cdef double shrink, above
    cdef double[::1] curvature = np.zeros(sums.shape[0])
    cdef double[::1] slope = np.zeros(sums.shape[0])
    # The sum along the path to each group.
    cdef double[::1] path = np.empty(sums.shape[0])
    with nogil:
        for i in range(leaves.shape[0]):
            curvature[leaves[i]] += precision[i]
            slope[leaves[i]] += information[i]
        for g in range(sums.shape[0] - 1, -1, -1):
            parent = parents[g]
            if parent >= 0:
                shrink = 1.0 / (1.0 + curvature[g] * variances[g])
                curvature[parent] += curvature[g] * shrink
                slope[parent] += slope[g] * shrink
        for g in range(sums.shape[0]):
            parent = parents[g]
            above = path[parent] if parent >= 0 else 0.0
            shrink = variances[g] / (1.0 + curvature[g] * variances[g])
            sums[g] = (
                shrink * (slope[g] - curvature[g] * above)
                + sqrt(shrink) * standard_normal(bits)
            )
            path[g] = above + sums[g]

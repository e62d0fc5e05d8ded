"""Univariate slice updates by stepping out and shrinkage (Neal 2003, figures 3, 5)."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport INFINITY, floor

from _draws cimport bitgen_t, standard_exponential, uniform

# The log density at a place, or any bound of it that is not above a level: a density
# can stop early.
ctypedef double (*density_t)(double place, double level, void* context) noexcept nogil


cdef inline double slice_update(
    double place,
    double width,           # of a step
    int max_steps,
    density_t density,
    void* context,
    bitgen_t* bits,
) noexcept nogil:
    """Return the next place of a Markov chain that leaves a density invariant."""
    cdef double level = density(place, -INFINITY, context) - standard_exponential(bits)
    cdef double left = place - width * uniform(bits)
    cdef double right = left + width
    cdef double proposal
    cdef int to_left = <int> floor(max_steps * uniform(bits))
    cdef int to_right = max_steps - 1 - to_left
    while to_left > 0 and density(left, level, context) > level:
        left -= width
        to_left -= 1
    while to_right > 0 and density(right, level, context) > level:
        right += width
        to_right -= 1
    while True:
        proposal = left + uniform(bits) * (right - left)
        if density(proposal, level, context) > level:
            return proposal
        if proposal < place:
            left = proposal
        elif proposal > place:
            right = proposal
        else:
            # The interval is a point: the density cannot tell its numbers apart.
            return place

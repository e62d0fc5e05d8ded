"""Polya-Gamma draws (Polson, Scott & Windle 2013), by rejection from simple envelopes.

PG(1, z) is X / 4, where X has the density sum (-1)^n a_n(x) exp(-h^2 x / 2), up to a
constant, with h = |z| / 2 and two forms of a_n, of which the ratios to a_0 are

    a_n / a_0 = (2n + 1) q^(n (n + 1) / 2),   q = exp(-4 / x)  or  q = exp(-pi^2 x).

The first form is used below CUT, the second above, so that q is small in both, and four
terms give the sum to the last bit. What is left is to draw from a_0(x) exp(-h^2 x / 2):

* Above CUT it is an exponential density.
* Below, y = 1 / sqrt(x) has the density exp(-H(y)), H(y) = y^2 / 2 + h^2 / (2 y^2),
  which is log-concave: a tangent of -H gives an exponential envelope. It has the least
  mass if the tangent touches at the mean of the envelope.

The masses of the two envelopes and the tangents are tabulated at h_k <= h; the factor
exp(-(h^2 - h_k^2) x / 2) is one more cause of rejection, and no approximation. Beyond
the table, the envelope below CUT is the whole inverse Gaussian law, 2 exp(-h) of mass.

PG(b, z) is a sum of such draws, one for each whole part of b up to MOST_SUMMED. The
rest e < 1 of b, or all of a larger b, is

    PG(e, z) = 1 / (2 pi^2) sum Gamma(e) / ((k - 1/2)^2 + (z / 2 pi)^2),   k >= 1,

of which all terms but the first 8 + 2 |z| / 3 are replaced by one gamma variable with
their mean and their variance. The third cumulant of PG(e, z) becomes smaller by less
than 5e-8 of itself at z = 0, and less than 5e-5 anywhere.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from libc.math cimport M_PI, exp, fabs, floor, sqrt, tanh
from libc.stdint cimport int64_t

from _draws cimport (
    bitgen_t, bits_of, standard_exponential, standard_gamma, standard_normal, uniform,
)
from _signals cimport listen

cdef enum:
    # Cells of a table of h, and how many of them have the length one.
    CELLS = 96
    CELLS_PER_UNIT = 32
    # From here on, PG(b, z) is inverse Gaussian: the total variation is b exp(-|z|).
    FAR = 40
    # Weights of rows up to here are sums of draws for each whole part.
    MOST_SUMMED = 64

cdef extern from *:
    """
    /* Where one form of the terms takes over; anywhere, within reason. */
    #define DNFWINNOW_PG_CUT 0.5625
    /* Square root of 1 / CUT. */
    #define DNFWINNOW_PG_EDGE (4.0 / 3.0)
    /* 1 - 3 q at CUT, for the form with the larger q: a bound of the sum. */
    #define DNFWINNOW_PG_SURE 0.988
    """
    const double CUT "DNFWINNOW_PG_CUT"
    const double EDGE "DNFWINNOW_PG_EDGE"
    const double SURE "DNFWINNOW_PG_SURE"


cdef struct Cell:
    double half_square    # h_k^2 / 2
    double above          # probability of the envelope above CUT
    double mean_above     # of this exponential density, beyond CUT
    double mean_below     # of that in y, beyond EDGE
    double base           # -log of the envelope in y at EDGE


cdef struct PolyaGammaTable:
    Cell[CELLS] cells


cdef inline void fill_table(PolyaGammaTable* table) noexcept nogil:
    """Fill a table: some microseconds."""
    cdef Py_ssize_t k, _
    cdef double h, y, slope, rate, mass_above, mass_below
    cdef Cell* cell
    for k in range(CELLS):
        cell = &table.cells[k]
        h = <double> k / CELLS_PER_UNIT
        # Newton's method for (y - EDGE) slope(y) = 1; any tangent is right.
        y = EDGE + 0.6
        for _ in range(4):
            slope = y - h * h / (y * y * y)
            y -= ((y - EDGE) * slope - 1) / (
                slope + (y - EDGE) * (1 + 3 * h * h / (y * y * y * y))
            )
        slope = y - h * h / (y * y * y)
        rate = 0.5 * h * h + M_PI * M_PI / 8
        cell.half_square = 0.5 * h * h
        cell.base = 0.5 * y * y + 0.5 * h * h / (y * y) - slope * (y - EDGE)
        cell.mean_above = 1 / rate
        cell.mean_below = 1 / slope
        mass_above = M_PI / (2 * rate) * exp(-rate * CUT)
        mass_below = sqrt(8 / M_PI) / slope * exp(-cell.base)
        cell.above = mass_above / (mass_above + mass_below)


cdef inline bint accepts(
    double u,       # uniform
    double cost,    # minus log of the first factor, not negative
    double log_q,
) noexcept nogil:
    """Accept with probability exp(-cost) (1 - 3 q + 5 q^3 - 7 q^6)."""
    cdef double q
    # Both factors are 1 - something, and bounds settle most draws.
    if u < (1 - cost) * SURE:
        return True
    if u >= 1 - cost + 0.5 * cost * cost:
        return False
    q = exp(log_q)
    return u < exp(-cost) * (1 - q * (3 - q * q * (5 - 7 * q * q * q)))


cdef inline double inverse_gaussian(
    bitgen_t* bits,
    double level,
    double drift,    # > 0
) noexcept nogil:
    """Draw the first passage of a level by Brownian motion with a drift.

    Its law is inverse Gaussian with mean level / drift and shape level^2. Up to its
    sign, level / s - drift s is normal for s = sqrt(x), and has two roots (Michael,
    Schucany & Haas 1976).
    """
    cdef double w = fabs(standard_normal(bits))
    cdef double s = 2 * level / (w + sqrt(w * w + 4 * level * drift))
    if uniform(bits) * (level + drift * s * s) > level:
        s = level / (drift * s)
    return s * s


cdef inline double far_tilted(bitgen_t* bits, double h) noexcept nogil:
    """Draw PG(1, 2 h) beyond the table: the envelope above CUT has hardly any mass."""
    cdef double rate = 0.5 * h * h + M_PI * M_PI / 8
    cdef double ratio = M_PI / (4 * rate) * exp(h - rate * CUT)
    cdef double x
    while True:
        if uniform(bits) * (1 + ratio) < ratio:
            x = CUT + standard_exponential(bits) / rate
            if accepts(uniform(bits), 0.0, -M_PI * M_PI * x):
                return 0.25 * x
        else:
            x = inverse_gaussian(bits, 1.0, h)
            if x < CUT and accepts(uniform(bits), 0.0, -4 / x):
                return 0.25 * x


cdef inline double tilted(
    bitgen_t* bits, PolyaGammaTable* table, double z
) noexcept nogil:
    """Draw PG(1, z)."""
    cdef double h = 0.5 * fabs(z), half_square = 0.5 * h * h
    cdef double u, e, x, y
    cdef Cell* cell
    if h * CELLS_PER_UNIT >= CELLS:
        return far_tilted(bits, h)
    cell = &table.cells[<Py_ssize_t> (h * CELLS_PER_UNIT)]
    while True:
        u = uniform(bits)
        e = standard_exponential(bits)
        # What is left of u, having chosen an envelope, is uniform again.
        if u < cell.above:
            x = CUT + e * cell.mean_above
            if accepts(
                u / cell.above, (half_square - cell.half_square) * x,
                -M_PI * M_PI * x,
            ):
                return 0.25 * x
        else:
            y = EDGE + e * cell.mean_below
            x = 1 / (y * y)
            if accepts(
                (u - cell.above) / (1 - cell.above),
                0.5 * y * y + half_square * x - cell.base - e,
                -4 * y * y,
            ):
                return 0.25 * x


cdef inline double sum_of_gammas(
    bitgen_t* bits,
    double b,    # > 0
    double z,    # |z| < FAR
) noexcept nogil:
    """Draw PG(b, z): some terms of a sum, and a gamma variable for the others."""
    cdef Py_ssize_t k, n_terms = 8 + <Py_ssize_t> (fabs(z) * (2.0 / 3.0))
    cdef double square = z * z / (4 * M_PI * M_PI), zz = z * z
    cdef double t = tanh(0.5 * fabs(z)), sums = 0.0, first, second, term
    # Sums of 1 / (...) and of 1 / (...)^2 over all k, less those of the first terms.
    if fabs(z) < 1:
        first = 1 + zz / 42 * (1 + zz / 72 * (1 + zz / 110 * (1 + zz / 156)))
        first = (1 + zz / 20 * first) / 6
        second = M_PI * M_PI * M_PI * M_PI * first * (1 - t * t)
    else:
        second = (2 * t - fabs(z) * (1 - t * t)) / (fabs(z) * zz)
        second *= M_PI * M_PI * M_PI * M_PI
    first = M_PI * M_PI * (t / fabs(z) if z != 0 else 0.5)
    for k in range(n_terms):
        term = 1 / ((k + 0.5) * (k + 0.5) + square)
        first -= term
        second -= term * term
        sums += term * standard_gamma(bits, b)
    sums += second / first * standard_gamma(bits, b * first * first / second)
    return sums / (2 * M_PI * M_PI)


cdef inline double draw_polya_gamma(
    bitgen_t* bits, PolyaGammaTable* table, double b, double z
) noexcept nogil:
    """Draw PG(b, z) for any b > 0; PG(0, z) is 0.

    It takes the same time for any large b.
    """
    cdef double total = 0.0, whole = floor(b)
    # What is no number goes this way as well, and ends.
    if not fabs(z) < FAR:
        return 0.25 * inverse_gaussian(bits, b, 0.5 * fabs(z))
    if b > MOST_SUMMED:
        return sum_of_gammas(bits, b, z)
    b -= whole
    while whole > 0:
        total += tilted(bits, table, z)
        whole -= 1
    if b > 0:
        total += sum_of_gammas(bits, b, z)
    return total


def polya_gamma(
    bit_generator,
    const double[::1] shapes,    # (n,) >= 0
    const double[::1] tilts,     # (n,)
    double[::1] out,             # OUT (n,)
):
    """Draw PG(shape, tilt) for each pair."""
    cdef bitgen_t* bits = bits_of(bit_generator)
    cdef PolyaGammaTable table
    cdef int64_t work = 0
    cdef Py_ssize_t i
    with nogil:
        fill_table(&table)
        for i in range(shapes.shape[0]):
            out[i] = draw_polya_gamma(bits, &table, shapes[i], tilts[i])
            listen(&work, <int64_t> (64 * (1 + shapes[i])))

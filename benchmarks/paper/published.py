"""What the paper reports: Tables V to IX of Tao & Scott (2004), typed in from there.

Errors are pairs of a mean and the half width of its 95 % interval, in %.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

#: The columns of Tables V to VII; BF is brute force.
SAMPLERS = ("M", "G", "MG", "M+PT", "G+PT", "MG+PT", "BF")


def _errors(text):
    """A table of errors: a name, then `mean+-half` for each of some columns."""
    rows = (line.split() for line in text.strip().splitlines())
    return {
        name: [
            tuple(map(float, cell.split("+-"))) if cell != "-" else None
            for cell in cells
        ]
        for name, *cells in rows
    }


_V = """
M      5.3+-2.1  1.7+-0.8  31.5+-5.0  5.0+-2.1  12.8+-7.5  1.0+-0.7
G      6.7+-3.8  1.9+-0.8  30.9+-5.5  5.0+-2.4  15.6+-7.8  0.6+-0.5
MG     6.0+-1.7  1.5+-0.8  31.7+-5.0  5.0+-2.1  16.6+-5.5  0.4+-0.4
M+PT   6.0+-3.2  1.7+-0.9  32.7+-4.7  5.0+-1.6  18.6+-5.1  0.9+-0.7
G+PT   6.7+-2.7  1.5+-0.8  31.5+-3.8  5.9+-2.5  18.4+-4.7  1.3+-0.9
MG+PT  6.0+-3.2  1.6+-0.7  31.8+-5.8  5.4+-2.5  18.1+-4.3  0.7+-0.5
BF     7.3+-3.2  3.3+-1.1  33.3+-4.9  5.0+-2.0  -          -
"""
_VI = """
M      5.1+-1.7  5.3+-1.6  5.0+-2.1  5.3+-1.8  5.0+-1.3  4.8+-1.6  5.5+-2.4
G      4.6+-2.5  4.8+-1.5  5.0+-2.4  4.8+-2.1  6.0+-2.5  4.6+-1.8  4.3+-2.0
MG     5.1+-1.1  5.0+-1.5  5.0+-2.1  4.6+-1.6  4.8+-1.8  5.0+-2.7  5.9+-2.5
M+PT   5.3+-1.9  4.1+-0.9  5.0+-1.6  5.5+-1.5  5.0+-1.8  4.1+-2.0  3.6+-1.9
G+PT   5.3+-1.4  4.8+-1.8  5.9+-2.8  5.9+-2.5  5.4+-1.8  4.6+-2.2  4.3+-2.0
MG+PT  5.1+-1.1  3.2+-0.9  5.4+-2.5  4.8+-2.7  5.0+-2.5  5.0+-2.2  5.5+-2.4
BF     -         -         -         -         -         -         5.0+-2.0
"""
_VII = """
M      1.8+-1.6  2.6+-2.6  7.4+-3.9  4.2+-2.3  6.0+-3.0  7.2+-5.9  7.0+-7.0
G      1.8+-1.6  3.0+-2.5  7.8+-4.3  3.4+-3.0  8.0+-3.5  7.4+-4.9  6.2+-3.8
MG     1.8+-1.4  2.6+-2.3  7.2+-3.5  3.8+-2.9  6.4+-3.9  8.8+-5.2  7.0+-3.9
M+PT   1.4+-1.5  4.4+-2.4  7.4+-3.7  3.2+-2.8  6.4+-4.1  7.0+-3.8  5.8+-4.5
G+PT   1.6+-2.0  3.0+-1.8  5.6+-3.1  4.4+-3.3  7.4+-4.5  7.2+-3.6  6.0+-3.4
MG+PT  1.6+-1.5  2.6+-2.6  7.0+-4.3  3.2+-2.3  7.8+-4.3  9.6+-5.5  6.0+-4.1
BF     2.8+-2.6  4.6+-3.8  7.2+-4.2  4.4+-4.4  6.2+-3.9  7.4+-3.5  5.6+-4.0
"""

SETS = ("iris", "car", "breast-cancer", "house-votes-84", "auto", "annealing")
N_STEPS = (800, 1600, 3200, 6400, 9600, 12800, 16000)
N_ATTRIBUTES = (10, 15, 20, 25, 30, 35, 40)


def _by_column(text, columns):
    """From (column, sampler) to a pair, or None where the paper has no figure."""
    rows = _errors(text)
    return {
        (column, sampler): rows[sampler][i]
        for i, column in enumerate(columns)
        for sampler in SAMPLERS
    }


TABLE_V = _by_column(_V, SETS)
TABLE_VI = _by_column(_VI, N_STEPS)
TABLE_VII = _by_column(_VII, N_ATTRIBUTES)

#: Mean normalised distance to theta, thousands of chains of the full ladders and of the
#: optimized solution, savings and Theorem 7's savings in %.
TABLE_VIII = {
    10: (0.351, 4.6, 4.1, 11.3, 6.4),
    15: (0.365, 11.9, 11.2, 6.3, 3.9),
    20: (0.340, 20.8, 18.7, 10.0, 7.0),
    25: (0.454, 23.5, 21.2, 9.7, 6.8),
    30: (0.363, 40.8, 37.5, 8.1, 5.1),
    35: (0.421, 58.7, 53.0, 9.7, 6.2),
    40: (0.294, 60.9, 53.2, 12.7, 6.8),
}
TABLE_IX = {
    "iris": (0.472, 217.7, 200.1, 8.0, 1.14),
    "car": (0.529, 14272.7, 14032.0, 1.7, 0.12),
    "breast-cancer": (0.500, 45176.2, 45111.5, 0.2, 0.04),
    "house-votes-84": (0.587, 1185.5, 1132.0, 4.5, 0.48),
    "auto": (None, 13822.8, 13751.7, 0.5, None),
    "annealing": (None, 4855.2, 3781.6, 22.1, None),
}

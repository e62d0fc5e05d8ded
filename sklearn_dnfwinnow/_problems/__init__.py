"""Problems: what weighted sums are of, for one row or a batch, and their results.

Rows and updates come in as codes; what is left are agreement sets with exponents, and
sums in closed form. It may import `_kernels`, `_utils` and `_terms`, and knows neither
engines nor classes of a model.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

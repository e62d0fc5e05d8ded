"""Bayesian logistic models over all interactions, compressed (Li & Neal 2008).

Every term has a parameter; terms that the same training rows satisfy share one, the sum
of theirs. Samplers draw these sums and the widths of their priors; a prediction splits
each sum into the share of the terms that a new row satisfies and the rest.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

"""Bayesian logistic models over all interactions, compressed (Li & Neal 2008).

Every term has a parameter. Terms that are satisfied by the same training samples share
one parameter, the sum of their own. Samplers draw these sums and the widths of their
priors. A prediction divides each sum into the part of the terms that a new sample
satisfies and the rest.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

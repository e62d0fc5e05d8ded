"""Parts: the values of which a model consists, besides its encoding."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

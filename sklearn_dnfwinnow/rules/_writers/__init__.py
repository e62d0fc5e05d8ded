"""Writers: formulas in the languages of other programs."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# One module per language. Writers take literals, terms and formulas, and do not import
# their classes, which import the writers. They raise an error for anything that a
# language cannot represent.

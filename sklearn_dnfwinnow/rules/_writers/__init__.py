"""Writers: formulas in the languages of other programs."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# One file a language. Writers take literals, terms and formulas, and import none of
# their classes, which import them. They refuse what a language cannot say.

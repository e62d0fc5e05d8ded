"""Private names of `inspection` that tests need, imported in one place."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# ruff: noqa: F401
from sklearn_dnfwinnow.inspection import _attribute_game as attribute_game
from sklearn_dnfwinnow.inspection._term_decoder import TermDecoder

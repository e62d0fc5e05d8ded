"""Export: whole models for other programs, with the same scores and probabilities.

The whole model is exported, with all of its terms. A
:class:`~sklearn_dnfwinnow.rules.DNF` with a few terms only approximates the model.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This package lists the terms of a model whose weights differ from their initial
# weights, and counts all others. It accesses models through the TermModel, like
# `inspection`, and uses the writers of `rules`. It does not depend on `_winnow`.

from sklearn_dnfwinnow._utils._public_names import lazy_names

_MODULES = {
    "to_onnx": "_onnx",
    "to_python": "_python",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)

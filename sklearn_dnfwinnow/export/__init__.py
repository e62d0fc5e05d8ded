"""Export: whole models for other programs, with the same scores and probabilities.

What is exported is the model itself, all terms of it, while a
:class:`~sklearn_dnfwinnow.rules.DNF` of a few terms stands in for it.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

# This room lists the terms of a model that differ from their initial weights, and
# writes them down, with all others as a count. It reads models as `inspection` does, by
# the TermModel, and shares the writers of `rules`; it knows no Winnow.

from sklearn_dnfwinnow._utils._lazy_names import lazy_names

_MODULES = {
    "to_onnx": "_onnx",
    "to_python": "_python",
}
__all__ = [*_MODULES]
__getattr__, __dir__ = lazy_names(__name__, _MODULES)

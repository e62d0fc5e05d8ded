"""Pipelines: the steps before a classifier, and their effects on values.

`_steps` finds the classifier in pipelines and wrappers. `_inverses` inverts
transformers by means of `_preimages` of columns. This package imports `_utils`,
`_encoding` and `_terms` (for the TermModelMixin, which identifies a classifier).
It imports nothing of `_winnow`, and no classifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

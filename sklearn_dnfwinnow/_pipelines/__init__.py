"""Pipelines: the steps before a classifier, and what they do to values.

`_steps` finds the classifier inside of pipelines and wrappers; `_inverse_transforms`
goes back through transformers, by `_preimages` of columns. This room imports `_utils`,
`_preprocessing` and `_terms` (of which it takes the TermModelMixin, to recognise a
classifier). It imports nothing of `_winnow`, and no classifier.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

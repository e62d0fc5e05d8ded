"""Mixins of the estimators, and the version of the package.

The version is defined only here: ``pyproject.toml`` reads it from this file.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import warnings

from sklearn.exceptions import InconsistentVersionWarning

__version__ = "0.1.0"

URL = "https://sklearn-dnfwinnow.readthedocs.io/en/latest"

_KEY = "_sklearn_dnfwinnow_version"


class DocumentationLinkMixin:
    """Link the "?" in the HTML representation of an estimator to its documentation."""

    _doc_link_module = "sklearn_dnfwinnow"
    _doc_link_template = (
        f"{URL}/api/generated/{{estimator_module}}.{{estimator_name}}.html"
    )


class VersionedMixin:
    """Warn if an estimator was pickled by another version of this package.

    scikit-learn does the same, but only for its own estimators.
    """

    def __getstate__(self):
        return {**super().__getstate__(), _KEY: __version__}

    def __setstate__(self, state):
        state = dict(state)
        written_by = state.pop(_KEY, "unknown")
        if written_by != __version__:
            warnings.warn(
                InconsistentVersionWarning(
                    estimator_name=type(self).__name__,
                    current_sklearn_version=f"{__version__} of sklearn_dnfwinnow",
                    original_sklearn_version=f"{written_by} of sklearn_dnfwinnow",
                ),
                stacklevel=2,
            )
        super().__setstate__(state)

"""Documentation: where the pages of the estimators are."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

URL = "https://sklearn-dnfwinnow.readthedocs.io/en/latest"


class DocumentationLinkMixin:
    """The "?" in the HTML representation of an estimator opens its page here."""

    _doc_link_module = "sklearn_dnfwinnow"
    _doc_link_template = (
        f"{URL}/api/generated/{{estimator_module}}.{{estimator_name}}.html"
    )

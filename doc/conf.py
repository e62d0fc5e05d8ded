"""Sphinx configuration. Build with ``python -m sphinx -W -b html doc doc/_build``."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sklearn_dnfwinnow

project = "sklearn_dnfwinnow"
author = "the sklearn_dnfwinnow developers"
copyright = author
version = release = sklearn_dnfwinnow.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates"]
default_role = "literal"

# Templates list the methods, each once.
autosummary_generate = True
numpydoc_show_class_members = False

# All that is generated stays under auto_examples and api/generated.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "backreferences_dir": "api/generated/backreferences",
    "doc_module": "sklearn_dnfwinnow",
    "reference_url": {"sklearn_dnfwinnow": None},
    "show_memory": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = project
html_show_sourcelink = False
html_theme_options = {"show_prev_next": False}
html_sidebars = {"index": [], "references": []}

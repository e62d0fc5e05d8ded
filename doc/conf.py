"""Sphinx configuration. Build with ``python -m sphinx -W -b html doc doc/_build``."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
import tomllib
from pathlib import Path

import sklearn_dnfwinnow

here = Path(__file__).parent
sys.path.insert(0, str(here))
metadata = tomllib.loads((here.parent / "pyproject.toml").read_text("utf-8"))["project"]

project = "sklearn_dnfwinnow"
author = "the sklearn_dnfwinnow developers"
copyright = author
version = release = sklearn_dnfwinnow.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "mathml",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "openings"]
default_role = "literal"
html_math_renderer = "mathml"

# Templates list the methods, each once.
autosummary_generate = True
autosummary_context = {"openings": {path.stem for path in here.glob("openings/*.rst")}}
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"

# What is copied can be pasted: code without prompts, and without its output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# All that is generated stays under auto_examples and api/generated.
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "auto_examples",
    "backreferences_dir": "api/generated/backreferences",
    "doc_module": "sklearn_dnfwinnow",
    "subsection_order": "gallery.section",
    "within_subsection_order": "gallery.place",
    "reference_url": {"sklearn_dnfwinnow": None},
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = project
html_logo = html_favicon = "_static/logo.svg"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["custom.css"]
html_theme_options = {
    "logo": {"text": project, "alt_text": ""},
    "header_links_before_dropdown": 7,
    "show_prev_next": True,
    "show_toc_level": 2,
    # The theme's own mark leads to its homepage.
    "footer_start": ["copyright", "about"],
    "footer_end": [],
}
# For the foot of each page: the repository is there if the metadata have its address.
html_context = {"license": metadata["license"], "project_urls": metadata["urls"]}
# Pages without others beside them.
html_sidebars = {"index": [], "choosing": [], "benchmarks": []}


def find_by_short_name(app, env, node, contnode):
    """Resolve a name that a docstring has without its package, if only one fits."""
    python = env.domains["py"]
    name = node.get("reftarget", "").removeprefix("sklearn_dnfwinnow.")
    found = [
        other
        for other, place in python.objects.items()
        if other.endswith(f".{name}") and not place.aliased
    ]
    if node.get("refdomain") != "py" or len(found) != 1:
        return None
    return python.resolve_xref(
        env=env,
        fromdocname=node["refdoc"],
        builder=app.builder,
        type="obj",
        target=found[0],
        node=node,
        contnode=contnode,
    )


def keep_dashes(app, doctree):
    """Make text of a list of one item in a cell of a table: '-' was a dash."""
    from docutils import nodes

    for entry in doctree.findall(nodes.entry):
        if isinstance(next(iter(entry), None), nodes.bullet_list):
            entry.children = [nodes.paragraph("", f"- {entry.astext()}".strip())]


def setup(app):
    """Draw the pictures of the pages, and write their tables, in each build."""
    from guide_pictures import draw_guide_pictures
    from notebook_output import write_notebook_output

    generated = here / "api" / "generated"
    generated.mkdir(parents=True, exist_ok=True)
    draw_guide_pictures(generated / "guide")
    write_notebook_output(generated / "notebook")
    app.connect("doctree-read", keep_dashes)
    app.connect("missing-reference", find_by_short_name)

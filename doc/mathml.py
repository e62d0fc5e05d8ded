"""Mathematics as MathML: pages that need neither scripts nor a network to show it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from docutils.nodes import SkipNode
from latex2mathml.converter import convert


def visit_inline(writer, node):
    """A formula in a line."""
    writer.body.append(convert(node.astext(), display="inline"))
    raise SkipNode


def visit_display(writer, node):
    """A formula on its own."""
    formula = convert(node.astext(), display="block")
    writer.body.append(f'<div class="formula">{formula}</div>\n')
    raise SkipNode


def setup(app):
    """Register the renderer, for ``html_math_renderer``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Mathematics as MathML: pages that need neither scripts nor a network to show it."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

# TeX leaves a thin space on both sides of the name of a function, the converter none.
_BEFORE = re.compile(r"(?<=[\w}|]) +(?=\\(?:log|sinh)\b)")
_AFTER = re.compile(r"(\\(?:log|sinh)(?:[_^]\S)?) +(?=[\w\\])")


def mathml(node, display):
    """The formula of a node."""
    formula = _AFTER.sub(r"\1\\,", _BEFORE.sub(r"\\,", node.astext()))
    # A bar is a fence here, not an operator between two things.
    bar = ">&#x0007C;</mo>"
    fence = f' lspace="0" rspace="0"{bar}'
    return convert(formula, display=display).replace(bar, fence)


def visit_inline(writer, node):
    """A formula in a line."""
    writer.body.append(mathml(node, "inline"))
    raise SkipNode


def visit_display(writer, node):
    """A formula on its own."""
    writer.body.append(f'<div class="formula">{mathml(node, "block")}</div>\n')
    raise SkipNode


def setup(app):
    """Register the renderer, for ``html_math_renderer``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

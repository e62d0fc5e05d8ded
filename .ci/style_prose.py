"""Read the prose of a file by docutils: without code, formulas and tables."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re
from inspect import cleandoc

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles

# What the parser does not know is a message, and is skipped as other messages are.
SETTINGS = {"report_level": 5, "file_insertion_enabled": False}
SKIPPED = (
    nodes.comment,
    nodes.doctest_block,
    nodes.field_list,
    nodes.footnote,
    nodes.literal_block,
    nodes.math_block,
    nodes.system_message,
    nodes.table,
    nodes.term,
)
CODE = nodes.literal, nodes.math, nodes.problematic, nodes.title_reference
# "name : type" of numpydoc, where nothing is below it.
PARAMETER = re.compile(r"[*\w., ]+ : \S")


class Content(Directive):
    """A directive whose content is prose. In a list-table, this is a list."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = dict.fromkeys(
        ("header-rows", "widths", "sorted"), directives.unchanged
    )

    def run(self):
        found = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, found)
        return [found]


def link(name, rawtext, text, lineno, inliner, options=None, content=()):
    """Role of a link: its words, unless it is only the name of a target."""
    title, _, target = text.partition("<")
    if target or name == "term":
        return [nodes.Text(title.rstrip())], []
    return code(name, rawtext, text, lineno, inliner)


def code(name, rawtext, text, lineno, inliner, options=None, content=()):
    """Role of a name in code."""
    return [nodes.literal(rawtext, text)], []


for directive in ("glossary", "list-table", "versionadded", "versionchanged"):
    directives.register_directive(directive, Content)
for role in ("term", "ref", "doc", "any"):
    roles.register_local_role(role, link)
for role in ("attr", "class", "func", "meth", "mod", "obj"):
    roles.register_local_role(role, code)


def rst_paragraphs(text, first=1):
    """Yield (line number, text) of each paragraph of reStructuredText."""

    def paragraphs_of(node):
        if isinstance(node, nodes.paragraph | nodes.title | nodes.caption):
            found = without_quotations(text_of(node))
            line = node.line or node.parent.line or 1
            # The line of a title is that below it.
            line -= isinstance(node, nodes.title)
            if not PARAMETER.match(found):
                yield first - 1 + line, found
        elif not isinstance(node, SKIPPED):
            for child in node.children:
                yield from paragraphs_of(child)

    yield from paragraphs_of(publish_doctree(text, settings_overrides=SETTINGS))


def text_of(node):
    """Return the text of a node, with "Code" for each piece of code."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, CODE):
        return "Code" + "\n" * node.astext().count("\n")
    if isinstance(node, nodes.footnote_reference):
        return ""
    return "".join(map(text_of, node.children))


def without_quotations(text):
    """Return some text with "Code" for each quotation."""
    text = re.sub(r"\"[^\"]{1,300}\"|“[^”]*”", "Code", text)
    return re.sub(r"(?<!\w)'[^'\n]{1,40}'(?!\w)", "Code", text)


def names_exported(folder):
    """Return the names that a package exports, and the base classes of its classes."""
    names, bases = set(), {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).parts
        private = any(part.startswith("_") for part in parts if part != "__init__.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base) for base in node.bases}
            # Packages with lazy names list them, with their modules, in `_MODULES`.
            elif not private and ast.unparse(node).startswith(
                ("__all__ =", "_MODULES =")
            ):
                names |= {
                    item.value
                    for item in ast.walk(node.value)
                    if isinstance(item, ast.Constant)
                }
    while more := set().union(*(bases.get(name, ()) for name in names)) - names:
        names |= more
    return names


def docstring_of(node):
    """Yield the paragraphs of the docstring of a module, class or function."""
    if text := ast.get_docstring(node, clean=False):
        yield from rst_paragraphs(cleandoc(text), node.body[0].lineno)


def docstring_paragraphs(code, exported):
    """Yield the paragraphs of a module's public docstrings."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in exported:
            yield from docstring_of(node)
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name[0] != "_":
                    yield from docstring_of(method)


def message_paragraphs(code):
    """Yield the messages of errors and warnings, each as one paragraph."""

    def strings(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, without_quotations(node.value)
        elif isinstance(node, ast.JoinedStr):
            parts = [getattr(part, "value", "") for part in node.values]
            text = "".join(x if isinstance(x, str) else "Code" for x in parts)
            yield node.lineno, without_quotations(text)
        else:
            for child in ast.iter_child_nodes(node):
                yield from strings(child)

    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            arguments = node.exc.args
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("warn"):
            arguments = node.args[:1]
        else:
            continue
        for argument in arguments:
            yield from strings(argument)


def example_paragraphs(code):
    """Yield the text of an example of the gallery: its docstring and its comments."""
    yield from docstring_of(ast.parse(code))
    lines = [
        re.sub(r"^\s*#+ ?(%%)?", "", line) if line.lstrip().startswith("#") else ""
        for line in code.splitlines()
    ]
    header = ("Authors:", "SPDX-License", "sphinx_gallery")
    yield from rst_paragraphs(
        "\n".join("" if line.startswith(header) else line for line in lines)
    )


def paragraphs(path, exported=()):
    """Return the prose of a file: a list of (line number, text)."""
    code = path.read_text(encoding="utf-8")
    if path.suffix == ".rst":
        return [*rst_paragraphs(code)]
    if "examples" in path.parts:
        return [*example_paragraphs(code)]
    return [*docstring_paragraphs(code, exported), *message_paragraphs(code)]

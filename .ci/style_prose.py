"""Read the prose of a file: paragraphs without code, formulas and tables."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import re

# Their content is prose; that of all other directives is not.
PROSE_DIRECTIVES = (
    "admonition caution container dropdown figure glossary grid grid-item "
    "grid-item-card hint important list-table note tab-item tab-set tip topic "
    "versionadded versionchanged warning"
).split()
TITLE = re.compile(r"^\s*([=\-~^\"#*+.])\1{2,}\s*$")
BORDER = re.compile(r"^\s*=+(?: +=+)+\s*$")
DIRECTIVE = re.compile(r"^\s*\.\.\s+(?:\|\w+\| )?([\w:-]+?)::(\s|$)")
ITEM = re.compile(r"^\s*(?:[*-] - |[*+-] |\d+\. |#\. )")
FIELD = re.compile(r"^\s*:[\w -]+:(\s|$)")
# "name : type" of numpydoc.
PARAMETER = re.compile(r"^\s*[*\w., ]+ : \S")
TEXT_ROLES = "ref|doc|term|sup|sub|any"


def indent(line):
    return len(line) - len(line.lstrip())


def rst_paragraphs(lines, first=1):
    """Yield paragraphs of reStructuredText, as lists of (line number, text)."""
    paragraph, skipped, i = [], None, 0

    def ended():
        nonlocal paragraph
        found, paragraph = paragraph, []
        return [found] if found else []

    while i < len(lines):
        line, number = lines[i], first + i
        i += 1
        if not line.strip():
            yield from ended()
            continue
        if skipped is not None:
            if indent(line) > skipped:
                continue
            skipped = None
        if BORDER.match(line):
            yield from ended()
            while i < len(lines) and not (
                BORDER.match(lines[i])
                and (i + 1 == len(lines) or not lines[i + 1].strip())
            ):
                i += 1
            i += 1
        elif line.lstrip().startswith(">>>"):
            yield from ended()
            while i < len(lines) and lines[i].strip():
                i += 1
        elif TITLE.match(line):
            yield from ended()
        elif match := DIRECTIVE.match(line):
            yield from ended()
            if match[1] not in PROSE_DIRECTIVES:
                skipped = indent(line)
        elif re.match(r"^\s*\.\.(\s|$)", line):
            yield from ended()
            skipped = indent(line)
        elif FIELD.match(line) or PARAMETER.match(line) or line.lstrip()[0] in "+":
            yield from ended()
        else:
            starts = ITEM.match(line)
            if paragraph:
                last = paragraph[-1][2]
                continues = len(ITEM.match(last)[0]) if ITEM.match(last) else None
                if starts or indent(line) not in (indent(last), continues):
                    yield from ended()
            text = line[starts.end() :] if starts else line
            paragraph.append((number, text.strip(), line))
            if line.rstrip().endswith("::"):
                skipped = indent(line)
                yield from ended()
    yield from ended()


def without_code(text):
    """Return some text with code, formulas and quotations replaced by "Code"."""

    def code(match):
        return "Code" + "\n" * match[0].count("\n")

    def words(match):
        return match[1]

    text = re.sub(r"``[\s\S]*?``", code, text)
    text = re.sub(
        rf":(?:{TEXT_ROLES}):`([^`<]*[^`<\s])\s*<[^`]*>`", words, text
    )  # with a text
    text = re.sub(r":term:`([^`<]*)`", words, text)
    text = re.sub(r":[\w:-]+:`[^`]*`", code, text)
    text = re.sub(r"`([^`<]*[^`<\s])\s*<[^`]*>`__?", words, text)
    text = re.sub(r"`[^`]*`_?", code, text)
    text = re.sub(r"\"[^\"]{1,300}\"|“[^”]*”", code, text)
    text = re.sub(r"(?<!\w)'[^'\n]{1,40}'(?!\w)", code, text)
    text = re.sub(r"\*+([^*]+)\*+", words, text)
    return re.sub(r" ?\[\d+\]_?|::$", lambda match: ":" * (match[0] == "::"), text)


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


def docstring_of(node, code):
    """Yield the paragraphs of the docstring of a module, class or function."""
    if ast.get_docstring(node) is not None:
        first, last = node.body[0].lineno, node.body[0].end_lineno
        text = "\n".join(code.splitlines()[first - 1 : last])
        text = re.sub(r"^(\s*)[rRuU]?\"\"\"", r"\1", text)
        yield from rst_paragraphs(re.sub(r'"""\s*$', "", text).split("\n"), first)


def docstring_paragraphs(code, exported):
    """Yield the paragraphs of a module's public docstrings."""
    for node in ast.parse(code).body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        if node.name not in exported:
            continue
        yield from docstring_of(node, code)
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name[0] != "_":
                yield from docstring_of(method, code)


def message_paragraphs(code):
    """Yield the messages of errors and warnings, each as one paragraph."""

    def text(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.JoinedStr):
            return "".join(
                part.value if isinstance(part, ast.Constant) else "Code"
                for part in node.values
            )
        return ""

    def strings(node):
        if found := text(node):
            yield [(node.lineno, found, found)]
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
    yield from docstring_of(ast.parse(code), code)
    lines = [
        re.sub(r"^\s*#+ ?(%%)?", "", line) if line.lstrip().startswith("#") else ""
        for line in code.splitlines()
    ]
    header = ("Authors:", "SPDX-License", "sphinx_gallery")
    lines = ["" if line.startswith(header) else line for line in lines]
    yield from rst_paragraphs(lines)


def paragraphs(path, exported=()):
    """Return the prose of a file: paragraphs of (line number, text)."""
    code = path.read_text(encoding="utf-8")
    if path.suffix == ".rst":
        return [*rst_paragraphs(code.splitlines())]
    if "examples" in path.parts:
        return [*example_paragraphs(code)]
    return [*docstring_paragraphs(code, exported), *message_paragraphs(code)]

"""The style of prose: words that are retired, and sentences that are too long."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
style_prose = pytest.importorskip("style_prose")
style_rules = pytest.importorskip("style_rules")
PAGES = [
    path
    for path in style_rules.all_files()
    if path.suffix == ".rst" and "examples" not in path.parts
]


def findings(text, path="page.rst"):
    """Return the lines, the words, and what stands instead, of some text."""
    found = [*style_prose.rst_paragraphs(text)]
    found = style_rules.check(path, found) + style_rules.check_code(path, text)
    return [(finding.line, finding.found, finding.instead) for finding in found]


@pytest.mark.parametrize(
    ("text", "line", "word", "instead"),
    [
        (
            "The heaviest terms are listed.",
            1,
            "heaviest",
            "top-weighted, of a larger weight",
        ),
        ("Title\n=====\n\nIt goes on\nfor long.", 4, "goes on", "continues"),
        ("It is\nthe frontier.", 2, "frontier", "state-merging dynamic program"),
        ("- one\n- two, with\n  each rung", 3, "rung", "temperature"),
        ("Two Winnows learn.", 1, "Winnows", "binary Winnow learner"),
        (".. note::\n\n   Nobody knows.", 3, "Nobody", None),
        ("The model says yes.", 1, "model says", None),
        (":ref:`the frontier <x>` is", 1, "the frontier", None),
        (
            "::\n\n    pip install sklearn-dnfwinnow",
            3,
            None,
            'pip install ".[examples]"',
        ),
        ("word " * 60 + ".", 1, "word word word word ...", None),
    ],
)
def test_retired_words_and_long_sentences_are_found(text, line, word, instead):
    ((found_line, found, found_instead),) = findings(text)
    assert found_line == line
    if word is not None:
        assert word in found or found in word
    assert instead is None or found_instead == instead


@pytest.mark.parametrize(
    "text",
    [
        "`heaviest terms` and ``frontier``, :math:`net_counts` and 'frontier'",
        'T. Tao, "Measurements of the house", 2004.',
        ".. code-block:: text\n\n   the frontier goes on\n\nIt continues.",
        "Run::\n\n    the frontier goes on\n\nIt continues.",
        ">>> frontier = 'goes on'\n>>> frontier\ngoes on",
        "=====  ====\nrungs  rung\n=====  ====\n1      rung\n=====  ====\n\nA table.",
        ".. _rungs:\n\n.. The frontier is a comment.\n\nA label.",
        "The temperature ladder has promoted terms. We share this by chance.",
        "word " * 30 + ". " + "Word " * 30 + ".",
    ],
)
def test_code_quotations_and_standard_words_are_not_found(text):
    assert findings(text) == []


def test_docstrings_and_messages_are_read():
    code = '''"""Module of rungs."""


class Public:
    """Return the
    frontier."""

    def method(self):
        """Each rung."""

    def _private(self):
        """Each rung."""


def private():
    """Each rung."""
    raise ValueError(f"the {private} rung")
'''
    found = [
        *style_prose.docstring_paragraphs(code, {"Public"}),
        *style_prose.message_paragraphs(code),
    ]
    lines = [finding.line for finding in style_rules.check("code.py", found)]
    assert lines == [6, 9, 17]


def test_comments_of_examples_are_read():
    code = '"""\nTitle\n=====\n"""\n\nx = 1  # the rung\n# %%\n# One rung\n# of two.\n'
    found = [*style_prose.example_paragraphs(code)]
    assert [f.line for f in style_rules.check("examples/plot.py", found)] == [8]


def test_prose_for_other_linters_keeps_its_lines():
    text = "A title\n=======\n\n``a`` and\n`b`::\n\n    code\n\nEnd."
    mirror = style_rules.mirror([*style_prose.rst_paragraphs(text)])
    assert mirror == "A title.\n\n\nCode1 and\nCode2:\n\n\n\nEnd."


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_pages_are_in_style(path):
    assert [str(finding) for finding in style_rules.check_file(path)] == []

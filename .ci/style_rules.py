"""Check the words and the sentences of the documentation.

``python .ci/style_rules.py [FILE ...]`` prints a line for each finding: the file, the
line, the words, and what to write instead. Without files, it reads README,
documentation, examples, public docstrings, and messages of errors and warnings.

``--prose FOLDER`` writes the prose of each file into a folder, line by line, without
code, formulas and tables, for other linters.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import argparse
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from style_prose import names_exported, paragraphs

ROOT = Path(__file__).parents[1]
PACKAGE = "sklearn_dnfwinnow"
# Words of a sentence, at most. The aim is 25; lists of things need more.
MOST_WORDS = 32

# Patterns of retired words, and the standard words. Code, quoted titles and quoted
# values are replaced by "Code" before a pattern is tried.
RETIRED = {
    # Learning
    r"a winnow|winnows|the winnow of": "binary Winnow learner",
    r"(?:its|distinct|stored|promoted|demoted|list of|number of stored) updates": (
        "stored examples"
    ),
    r"exponents?": "net promotion count",
    r"term priors?|prior weights?": "initial weight (per literal)",
    r"heav(?:y|ier) terms?|heaviest": "top-weighted, of a larger weight",
    r"(?:the|its|their|mean|largest|small|by|relative) shares?"
    r"(?! (?:one|a|an|the|of the (?:samples|rows|time)))|shares? of (?:the sum|code)": (
        "relative contribution"
    ),
    r"(?:the|a|its|small|smaller|larger) leads?(?! to)": "score margin",
    r"how sure|(?:is|be|so|as|too) sure": "confidence",
    r"promis(?:e|es|ed|ing)": "confidence, guarantee",
    r"folds (?:choose|chose|have chosen|decide|say)|(?:choice|chosen) by folds|"
    r"held out in turn": "internal cross-validation",
    # Data
    r"(?:training|test|new|equal|distinct|repeated|held-out|validation) rows?|"
    r"rows? (?:held out|to learn from|to test)|row's": "sample",
    r"(?<!fitted )attributes?(?! code)(?<!^attributes)": "feature",
    r"columns? of (?:words|numbers|categories)|(?:words|numbers|categories) column": (
        "numeric feature, categorical feature"
    ),
    r"cells?": "value, entry",
    r"(?:bundled|simulated|small|UCI|noisy|all|twenty) sets(?! of)": "data sets",
    # Engines
    r"(?:capped |resampled )?frontiers?": "state-merging dynamic program",
    r"thinn(?:ing|ed)|thins": "pruned, resampled",
    r"rungs?": "temperature",
    r"(?<!temperature )ladders?": "temperature ladder",
    r"term tables?|tables? of terms": "explicit weight table",
    # Code
    r"(?<!by )chance": "randomness",
    r"(?:the )?same bits|bits the same|bit for bit": "bit-identical",
    # Phrases
    r"nobody|whom|who knows|as it were|gone through|what there is|what else": (
        "a sentence with a subject that the reader knows"
    ),
    r"(?:goes|go|went) on(?! to)": "continues",
    r"(?:is|was|are|be|to be) had|is to have": "is available",
    r"(?:model|classifier|folds?|sums?|rows?|samples?|terms?|engine|sampler|parameter|"
    r"chains?|page|data|test|table) (?:says?|said|knows?|forgets?|speaks?|tells?|told|"
    r"hears?|heard|sees)": "a verb without personification",
    r"(?:is|are) (?:told|asked)": "a verb without personification",
}
# The package is on no index; this is looked for in code as well.
RETIRED_IN_CODE = {r"pip install [\"']?sklearn-dnfwinnow": 'pip install ".[examples]"'}
# Files where a word of the left column is right: patterns as above.
ALLOWED = {
    "doc/glossary.rst": {"a winnow", "fitted"},
    # The name of a parameter.
    "sklearn_dnfwinnow/sums/_log_weighted_sum.py": {"net_counts"},
    # Titles of releases that were made, in their words.
    "CHANGELOG.rst": {"*"},
}


@dataclass
class Finding:
    """One place, and what to write there."""

    path: str
    line: int
    found: str
    instead: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.found!r}: {self.instead}"


PATTERNS = {
    re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE): instead
    for words, instead in RETIRED.items()
}


def mirror(found):
    """Return the prose of a file, each line where it is in the file."""
    lines, number = defaultdict(str), count(1)
    for first, text in found:
        # Pieces of code differ, and a title is not a part of the next sentence.
        text = re.sub(r"\bCode\b", lambda match: f"Code{next(number)}", text)
        text += "" if text.rstrip()[-1:] in (*".!?:;,", "") else "."
        for line, part in enumerate(text.split("\n"), first):
            lines[line] += part
    return "\n".join(lines[k] for k in range(1, max(lines, default=0) + 1))


def sentences(text):
    """Yield the offset and the words of each sentence of some text."""
    start = 0
    for match in [*re.finditer(r"[.!?:][)\"]?\s+(?=[A-Z(*\d])|;\s|$", text)]:
        words = re.findall(r"[^\W\d_][\w'-]*|\d[\d.,]*", text[start : match.end()])
        if words:
            yield start, words
        start = match.end()


def check(path, found_paragraphs):
    """Return the findings in the prose of one file."""
    allowed = ALLOWED.get(path, ())
    findings = []
    for first, text in () if "*" in allowed else found_paragraphs:

        def add(offset, found, instead, first=first, text=text):
            line = first + text.count("\n", 0, offset)
            findings.append(Finding(path, line, found, instead))

        for pattern, instead in PATTERNS.items():
            for match in pattern.finditer(re.sub(r"\s", " ", text)):
                if match[0].lower() not in allowed:
                    add(match.start(), match[0], instead)
        for start, words in sentences(text):
            if len(words) > MOST_WORDS:
                instead = f"a sentence of {len(words)} words: split it"
                add(start, " ".join(words[:4]) + " ...", instead)
    return findings


def check_code(path, code):
    """Return the findings of what is retired in code as well."""
    return [
        Finding(path, code.count("\n", 0, match.start()) + 1, match[0], instead)
        for words, instead in RETIRED_IN_CODE.items()
        for match in re.finditer(words, code)
    ]


def check_file(path, exported=()):
    """Return the findings in a file, in the order of its lines."""
    name = path.resolve().relative_to(ROOT).as_posix()
    findings = check(name, paragraphs(path, exported))
    findings += check_code(name, path.read_text(encoding="utf-8"))
    return sorted(findings, key=lambda finding: finding.line)


def all_files():
    """Return all files with prose for users."""
    generated = {"_build", "auto_examples", "generated"}
    pages = [
        path
        for path in (ROOT / "doc").rglob("*.rst")
        if not generated & set(path.relative_to(ROOT).parts)
    ]
    return sorted(
        [
            *ROOT.glob("*.rst"),
            *pages,
            *(ROOT / "examples").rglob("*.py"),
            ROOT / "benchmarks" / "README.rst",
            *(ROOT / PACKAGE).rglob("*.py"),
        ]
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--prose", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    exported = names_exported(ROOT / PACKAGE)
    files = [
        path
        for path in options.files or all_files()
        if path.suffix in (".rst", ".py") and path.is_file()
    ]
    if options.prose:
        for path in files:
            target = options.prose / f"{path.resolve().relative_to(ROOT)}.txt"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(mirror(paragraphs(path, exported)), encoding="utf-8")
        return 0
    findings = [finding for path in files for finding in check_file(path, exported)]
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings in {len(files)} files")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())

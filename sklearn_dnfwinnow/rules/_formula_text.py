"""Text of a whole formula: its head and its terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import re

from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._parser import MARK, Parser
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.rules._text import (
    default_value,
    exact_text,
    name_text,
    value_text,
)
from sklearn_dnfwinnow.rules._vocabulary import Vocabulary

# The beginning of a formula, among several, and the last line of all.
_CLASS_LINE = re.compile(r"^(?=[^\S\n]*class[^\S\n]*:)", re.MULTILINE)
_LAST_LINE = re.compile(r"^[^\S\n]*otherwise[^\S\n]*:[^\n]*\s*\Z", re.MULTILINE)


def read_formula(text, *, features=None, values=None, or_features=None, classes=()):
    """Parse the text of a formula.

    Parameters
    ----------
    text : str
    features, values : object
        As in `DNF.parse`.
    or_features : iterable of str, default=None
        Names of all columns if neither `features` nor the text contains them.
    classes : sequence, default=()
        Known classes. A class in the text is the known one that is printed like it: the
        first one for 'class', and the last one for 'otherwise'.

    Returns
    -------
    head : dict
        Fields of a DNF: its features, and the classes and transformers that the text
        contains.
    terms : list of Term

    Raises
    ------
    DNFSyntaxError
        If the text is not a formula, or refers to unknown columns.
    """
    parser = Parser(text, Vocabulary())
    entries = parser.head()
    head = _classes(parser, entries, classes)
    if "transformed_by" in entries:
        head["transformed_by"] = [token.value for token in entries["transformed_by"]]
    if features is None and "features" in entries:
        features = [token.value for token in entries["features"]]
    features = or_features if features is None else features
    parser.vocabulary = Vocabulary(features, values)
    # Where all rows are others, there need be no terms.
    found = [] if parser.is_at_end and "otherwise" in entries else parser.formula()
    terms = [Term(Literal(**fields) for fields in literals) for literals in found]
    head |= _classes(parser, parser.last_line(entries), classes)
    return {**head, "features": parser.vocabulary.features}, terms


def sections_of(text):
    """Split a text with several formulas into those of single ones.

    A line that begins with ``class:`` begins a formula. What is above the first one,
    such as the features, belongs to each of them, and so does a last line with
    ``otherwise:``.

    Returns
    -------
    sections : list of str
        A text with one formula at most is returned as it is.
    """
    head, *sections = _CLASS_LINE.split(text.removeprefix(MARK))
    if len(sections) < 2:
        return [text]
    if last := _LAST_LINE.search(sections[-1]):
        sections[-1] = sections[-1][: last.start()]
        head = f"{head}\n{last[0].strip()}\n"
    return [head + section for section in sections]


def _classes(parser, entries, classes):
    """Return the classes in some entries, as fields of a DNF."""
    head = {}
    for key, field, step in ("class", "class_", -1), ("otherwise", "otherwise", 1):
        if key in entries:
            texts = {value_text(class_): class_ for class_ in classes[::step]}
            head[field] = _class(parser, entries[key], texts)
    return head


def _class(parser, tokens, known):
    """Return the class in an entry: a known one, by its text, or the value itself."""
    if len(tokens) != 1:
        raise parser.error("one class", tokens[1].place if tokens else None)
    (token,) = tokens
    if token.text in known:
        return known[token.text]
    of_strings = bool(known) and all(isinstance(one, str) for one in known.values())
    if token.is_quoted or of_strings:
        return token.value
    try:
        return default_value(token.text)
    except ValueError as error:
        raise parser.error(str(error), token.place, token.text) from None


def shown_formula(dnf):
    """Return a text for readers: the class, the terms, and the class of all others.

    A formula that was read without classes is true or not: it has only its terms.
    """
    if dnf.class_ is True and dnf.otherwise is None:
        return shown_terms(dnf, nothing="False")
    none = f"# {NO_RULES}" if "share" in dnf.scores else "# no rules"
    lines = [class_line(dnf)]
    if dnf.otherwise is None:
        return "\n".join([*lines, shown_terms(dnf, nothing=f"False  {none}")])
    lines += [shown_terms(dnf, none), f"otherwise: {value_text(dnf.otherwise)}"]
    return "\n".join(lines)


#: What is said of a class that rules were looked for in vain.
NO_RULES = "no rule is better than the share of the class"


def class_line(dnf):
    """Return the entry of the class, with scores on held-out rows as a comment."""
    line, scores = f"class: {value_text(dnf.class_)}", shown_scores(dnf)
    return f"{line}  # {scores}" if scores else line


def shown_scores(dnf):
    """Return the scores of all rules on held-out rows, as text; '' without them."""
    scores = dnf.scores
    if not {"precision", "recall", "f1", "error", "share"} <= {*scores}:
        return ""
    return (
        f"held out: precision {_two_digits(scores['precision'])}, "
        f"recall {_two_digits(scores['recall'])}, F1 {_two_digits(scores['f1'])}; "
        f"error {100 * scores['error']:.1f} %, of {100 * scores['share']:.1f} % in "
        "the class"
    )


def _two_digits(share):
    """Return a fraction as text, such as .67."""
    return f"{share:.2f}".removeprefix("0")


# Characters of a rule up to which the comments behind rules are aligned.
_ALIGNED = 60


def shown_terms(dnf, nothing=""):
    """Return the text of all terms for readers, below the transformers if any.

    Behind learned rules are their precision and number of rows, as comments.
    """
    lines = [f"{term} or" for term in dnf.terms[:-1]] + [*map(str, dnf.terms[-1:])]
    if len(dnf.rule_scores) == len(lines):
        width = max([len(line) for line in lines if len(line) <= _ALIGNED], default=0)
        lines = [
            f"{line.ljust(width)}  # {_two_digits(one['precision'])} of {one['n']:g} "
            f"rows ({100 * one['support']:.0f} %)"
            for line, one in zip(lines, dnf.rule_scores)
        ]
    terms = "\n".join(lines) or nothing
    return f"# {dnf.notice}\n{terms}" if dnf.transformed_by else terms


def exact_formula(dnf):
    """Return a text that is parsed as a DNF that the same rows satisfy.

    Raises
    ------
    TypeError
        If a class, or a value of a literal, is not a string, number or boolean.
    """
    lines = [*_head(dnf), _class_entry("class", dnf.class_)]
    if dnf.otherwise is not None:
        lines.append(_class_entry("otherwise", dnf.otherwise))
    return "\n".join([*lines, _exact_terms(dnf)])


def exact_formulas(dnfs, otherwise):
    """Return a text of several formulas on the same columns, see `sections_of`.

    Parameters
    ----------
    dnfs : list of DNF
        At least one.
    otherwise : object
        The class if none of them holds.
    """
    lines = [*_head(dnfs[0]), _class_entry("otherwise", otherwise)]
    for dnf in dnfs:
        lines += ["", _class_entry("class", dnf.class_), _exact_terms(dnf)]
    return "\n".join(lines)


def _head(dnf):
    """Return the entries with names: list of str."""
    head = {"features": dnf.features, "transformed_by": dnf.transformed_by}
    return [
        f"{k}: {', '.join(map(name_text, names))}" for k, names in head.items() if names
    ]


def _class_entry(key, class_):
    """Return the entry of a class."""
    return f"{key}: {exact_text(class_, 'the target')}"


def _exact_terms(dnf):
    """Return the text of all terms."""
    return " or\n".join(term.to_text() for term in dnf.terms) or "False"

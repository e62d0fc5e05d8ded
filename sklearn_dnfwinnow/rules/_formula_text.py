"""Text of a whole formula: its head and its terms."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from sklearn_dnfwinnow.rules._exact_text import exact_term
from sklearn_dnfwinnow.rules._literal import Literal
from sklearn_dnfwinnow.rules._parser import Parser
from sklearn_dnfwinnow.rules._term import Term
from sklearn_dnfwinnow.rules._tokens import default_value, exact_text, name_text
from sklearn_dnfwinnow.rules._vocabulary import Vocabulary


def read_formula(text, *, features=None, values=None, like=None, or_features=None):
    """Parse the text of a formula.

    Parameters
    ----------
    text : str
    features, values, like : object
        As in `DNF.parse`.
    or_features : iterable of str, default=None
        Names of all columns if neither `features` nor the text contains them.

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
    head = {}
    for key, field in (("class", "class_"), ("otherwise", "otherwise")):
        if key in entries:
            head[field] = _class(parser, entries[key])
    if "transformed_by" in entries:
        head["transformed_by"] = [token.value for token in entries["transformed_by"]]
    if features is None and "features" in entries:
        features = [token.value for token in entries["features"]]
    features = or_features if features is None else features
    parser.vocabulary = Vocabulary.of(features, values, like)
    terms = [
        Term(Literal(**fields) for fields in literals) for literals in parser.formula()
    ]
    return {**head, "features": parser.vocabulary.features}, terms


def _class(parser, tokens):
    """Return the class in an entry of the head."""
    if len(tokens) != 1:
        raise parser.error("one class", tokens[1].place if tokens else None)
    (token,) = tokens
    if token.is_quoted:
        return token.value
    try:
        return default_value(token.text)
    except ValueError as error:
        raise parser.error(str(error), token.place, token.text) from None


def exact_formula(dnf):
    """Return a text that is parsed as a DNF that the same samples satisfy.

    Raises
    ------
    TypeError
        If a class, or a value of a literal, is not a string, number or boolean.
    """
    head = [("features", map(name_text, dnf.features))] * bool(dnf.features)
    if dnf.transformed_by:
        head.append(("transformed_by", map(name_text, dnf.transformed_by)))
    head.append(("class", [exact_text(dnf.class_, "There is a class")]))
    if dnf.otherwise is not None:
        head.append(("otherwise", [exact_text(dnf.otherwise, "There is a class")]))
    lines = [f"{key}: {', '.join(said)}" for key, said in head]
    terms = " or\n".join(map(exact_term, dnf.terms)) or "False"
    return "\n".join([*lines, terms])

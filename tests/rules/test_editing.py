"""Edits of formulas: terms out, in and exchanged, by themselves or by their texts."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import pandas as pd
import pytest

from sklearn_dnfwinnow.rules import DNF, DNFSyntaxError, Literal, Term


def weather():
    text = "outlook = sunny & wind != strong or degrees > 20 or degrees is missing"
    features = ["outlook", "wind", "degrees", "spare"]
    dnf = DNF.parse(text, "out", "in", features=features)
    return replace(dnf, scores={"fidelity": 0.5})


def test_terms_go_out():
    dnf = weather()
    first, second, third = dnf.terms
    for term in (1, -2, second, str(second), " degrees > 20 ", "degrees>20.0"):
        left = dnf.without(term)
        assert left.terms == (first, third)
        assert (left.class_, left.otherwise, left.features) == (
            "out",
            "in",
            dnf.features,
        )
        # They were those of another formula.
        assert left.scores == {} and dnf.scores == {"fidelity": 0.5}
    for term in ("wind != strong & outlook = sunny", Term(reversed(first.literals))):
        assert dnf.without(term).terms == (second, third)
    assert dnf.without(0).without(0).without(0).terms == ()
    assert dnf.terms == (first, second, third)


def test_terms_that_are_not_there():
    dnf = weather()
    with pytest.raises(ValueError, match=r"'degrees > 21' \(did you mean 'degrees"):
        dnf.without("degrees > 21")
    for position in (3, -4):
        with pytest.raises(
            IndexError, match=f"There are 3 rules; got position {position}"
        ):
            dnf.without(position)
    with pytest.raises(DNFSyntaxError, match=r"mean 'degrees'\?\); found 'degree'"):
        dnf.without("degree > 20")
    with pytest.raises(ValueError, match=r"There is no rule 'True'\.$"):
        replace(dnf, terms=()).without("True")
    with pytest.raises(ValueError, match="There is no rule 'degrees <= 20'"):
        dnf.without(Term.parse("degrees <= 20", like=dnf))


def test_terms_come_in():
    dnf = weather()
    for term in ("spare = 3", Term.parse("spare = 3", features=dnf.features)):
        more = dnf.with_term(term)
        assert "degrees is missing or\nspare = 3" in str(more)
        assert more.scores == {} and len(more.terms) == 4
    X = pd.DataFrame({"outlook": ["1"], "wind": ["1"], "degrees": [1], "spare": ["3"]})
    assert dnf.with_term("spare = 3", values=X).holds(X).all()
    assert not dnf.with_term("spare = 3").holds(X).any()
    for known in ("degrees > 20", "wind != strong & outlook = sunny", dnf.terms[2]):
        assert dnf.with_term(known) is dnf
    with pytest.raises(DNFSyntaxError, match="the name of a column"):
        dnf.with_term("height > 3")
    with pytest.raises(ValueError, match="column 0 to be 'height'"):
        dnf.with_term(Term.parse("height > 3"))


def test_terms_are_exchanged():
    dnf = weather()
    other = dnf.replace("degrees > 20", "degrees > 25 & outlook = sunny")
    assert [str(term) for term in other.terms] == [
        "outlook = sunny & wind != strong",
        "degrees > 25 & outlook = sunny",
        "degrees is missing",
    ]
    assert other.scores == {}
    assert dnf.replace(1, dnf.terms[1]).terms == dnf.terms
    with pytest.raises(ValueError, match="There is no rule"):
        dnf.replace("degrees > 21", "degrees > 25")
    assert replace(dnf, class_="yes").class_ == "yes"


def test_literals_of_a_model_keep_what_they_mean():
    rest = Literal(0, "a", "!=", "x", ("y", "z"), missing=True)
    few = Literal(1, "b", "in", "{1, 2, ... 8 values}", tuple("12345678"))
    dnf = DNF([Term([rest, few]), Term([few])], "yes", features=["a", "b"])
    longer = dnf.with_term("a != x & b = 3")
    assert longer.terms[2].literals[0] == rest
    assert longer.terms[2].literals[1].values == ("3",)
    assert dnf.without("b in {1, 2, ... 8 values}").terms == (Term([rest, few]),)
    assert dnf.without(Term([replace(few, label="some")])).terms == (dnf.terms[0],)

"""Edits of formulas: rules come in, and texts are edited and read again."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

from dataclasses import replace

import pandas as pd
import pytest

from sklearn_dnfwinnow.rules import DNF, DNFSyntaxError


def weather():
    text = "outlook = sunny & wind != strong or degrees > 20 or degrees is missing"
    features = ["outlook", "wind", "degrees", "spare"]
    dnf = DNF.parse(text, "out", "in", features=features)
    return replace(dnf, scores={"fidelity": 0.5})


def test_rules_come_in():
    dnf = weather()
    more = dnf.with_term("spare = 3")
    assert "degrees is missing or\nspare = 3" in str(more)
    assert more.scores == {} and more.terms[:3] == dnf.terms
    assert (more.class_, more.otherwise, more.features) == ("out", "in", dnf.features)
    assert dnf.scores == {"fidelity": 0.5}
    X = pd.DataFrame({"outlook": ["1"], "wind": ["1"], "degrees": [1], "spare": ["3"]})
    assert dnf.with_term("spare = 3", values=X).holds(X).all()
    assert not dnf.with_term("spare = 3").holds(X).any()
    with pytest.raises(DNFSyntaxError, match="the name of a column"):
        dnf.with_term("height > 3")


def test_texts_are_edited():
    dnf = weather()
    text = dnf.to_text().replace("degrees > 20", "degrees > 25 & outlook = sunny")
    other = DNF.parse(text.replace(" or\ndegrees is missing", ""))
    assert [str(term) for term in other.terms] == [
        "outlook = sunny & wind != strong",
        "degrees > 25 & outlook = sunny",
    ]
    assert (other.class_, other.otherwise, other.features) == (
        "out",
        "in",
        dnf.features,
    )
    assert replace(dnf, class_="yes").class_ == "yes"

"""Write what a notebook shows for the code of two pages: tables in HTML, and figures.

python doc/notebook_output.py FOLDER
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from sklearn.model_selection import train_test_split

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_auto, load_house_votes_84, load_monks
from sklearn_dnfwinnow.inspection import (
    ExplanationDisplay,
    FeatureEffectDisplay,
    TermsDisplay,
    explain,
    to_dnf,
)


def votes():
    """Yield the names of files of the first page, and what to write into each."""
    X, party = load_house_votes_84(return_X_y=True, as_frame=True)
    X_train, X_test, y_train, _ = train_test_split(
        X, party, test_size=100, stratify=party, random_state=0
    )
    clf = DNFWinnowClassifier(random_state=0).fit(X_train, y_train)
    yield "vote", explain(clf, X_test[:1], top=1)
    yield "republicans", to_dnf(clf, "republican", X=X_train, y=y_train)
    cars, risk = load_auto(return_X_y=True, as_frame=True)
    model = DNFWinnowClassifier(random_state=0).fit(cars, risk)
    effect = FeatureEffectDisplay.from_estimator(
        model, cars, "wheel-base", class_of_interest="3"
    )
    yield "wheel_base", effect.figure_


def monks():
    """Yield the same for the page on interpretation."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    terms = TermsDisplay.from_estimator(clf, X, y, class_of_interest="1", top=5)
    yield "terms", terms.figure_
    explanations = explain(clf, X[:1], top=2)
    yield "explanation", explanations
    yield "explanation", ExplanationDisplay(explanations[0]).plot().figure_


def write_notebook_output(folder):
    """Write all files into a folder: the same files each time."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "notebook", "svg.fonttype": "none"}):
        for shown in (votes, monks):
            for stem, item in shown():
                if isinstance(item, Figure):
                    path = folder / f"{stem}.svg"
                    item.savefig(path, facecolor="white", metadata={"Date": None})
                    # The gallery shows all figures that are open.
                    plt.close(item)
                else:
                    path = folder / f"{stem}.html"
                    table = f'<div class="notebook">{item._repr_html_()}</div>\n'
                    path.write_text(table, encoding="utf-8")


if __name__ == "__main__":
    write_notebook_output(sys.argv[1])

"""Draw the pictures of the user guide: ``python doc/guide_pictures.py FOLDER``."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks, load_tic_tac_toe
from sklearn_dnfwinnow.inspection import explain, terms
from sklearn_dnfwinnow.sums import log_weighted_sum

BLUE, ORANGE, GREY, LINE = "#4c8cc4", "#e08a3c", "#c8c8c8", "#444444"
# The sample of the first two pictures, and a stored example that agrees with it on two
# of the three features.
SAMPLE = ("outlook", "sunny"), ("humidity", "high"), ("wind", "weak")
AGREEMENT = (True, False, True)
ALPHA, BETA = 2.0, 0.5

SUBSETS = [subset for size in range(4) for subset in combinations(range(3), size)]


def initial_weight(subset):
    """Return the weight of a term before training."""
    return BETA ** len(subset)


def weight(subset, count):
    """Return the weight of a term after the example was promoted `count` times."""
    shared = all(AGREEMENT[feature] for feature in subset)
    return initial_weight(subset) * ALPHA ** (count if shared else 0)


def name(subset, separator="\n& "):
    """Return the text of a term."""
    literals = [f"{SAMPLE[feature][0]} = {SAMPLE[feature][1]}" for feature in subset]
    return separator.join(literals) or "(baseline)"


def figure(width, height):
    """Return an empty figure of a size in inches."""
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def draw_conjunctions():
    """Draw a sample with three features, and the eight terms that it satisfies."""
    fig = figure(8.4, 4.3)
    ax = fig.add_subplot(xlim=(-4.4, 4.4), ylim=(-0.6, 3.75))
    ax.axis("off")
    place = {}
    for size in range(4):
        level = [subset for subset in SUBSETS if len(subset) == size]
        for k, subset in enumerate(level):
            place[subset] = 0.85 + 2.2 * (k - (len(level) - 1) / 2), size
        count = {0: "no literals", 1: "1 literal"}.get(size, f"{size} literals")
        ax.text(-4.3, size, f"{count}\nweight {BETA**size:g}", va="center", fontsize=9)
    for subset, (x, y) in place.items():
        for feature in set(range(3)) - {*subset}:
            above = place[tuple(sorted((*subset, feature)))]
            ax.plot([x, above[0]], [y, above[1]], color=GREY, zorder=1)
        box = {"boxstyle": "round,pad=0.35", "facecolor": "#e3eef8", "edgecolor": LINE}
        text = ax.text(x, y, name(subset), fontsize=8, bbox=box)
        text.set(horizontalalignment="center", verticalalignment="center")
    sample = ", ".join(f"{feature} = {value}" for feature, value in SAMPLE)
    ax.set_title(f"The sample ({sample}) satisfies 8 terms", fontsize=10.5)
    return fig


def draw_promotion():
    """Draw the weights of the eight terms before and after an update."""
    fig = figure(8.4, 3.9)
    axes = fig.subplots(1, 2, sharex=True, sharey=True)
    before = [initial_weight(subset) for subset in SUBSETS]
    places = np.arange(len(SUBSETS))[::-1]
    panels = ("Promotion", 1, BLUE), ("Demotion", -1, ORANGE)
    for ax, (title, count, color) in zip(axes, panels):
        after = [weight(subset, count) for subset in SUBSETS]
        # The sum over all terms, as the package has it.
        found = log_weighted_sum([AGREEMENT], [count], alpha=ALPHA, literal_weight=BETA)
        total = float(np.exp(found.log_value))
        assert np.isclose(total, sum(after))
        ax.barh(places + 0.2, before, 0.36, color=GREY, label="before")
        ax.barh(places - 0.2, after, 0.36, color=color, label="after")
        ax.set_title(f"{title}: sum {sum(before):.3f} → {total:.3f}", fontsize=10)
        ax.set_xlabel("weight of the term", fontsize=9)
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(loc="lower right", fontsize=8)
    axes[0].set_yticks(places, [name(subset, " & ") for subset in SUBSETS])
    return fig


def draw_epochs():
    """Draw how the relative contributions of terms change from epoch to epoch."""
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
    epochs, parts, accuracies = range(1, 13), [], []
    for epoch in epochs:
        clf = DNFWinnowClassifier(
            cv=None, max_iter=epoch, average=False, random_state=0
        ).fit(X, y)
        accuracies.append(clf.score(X, y))
        found = terms(clf, "positive", 30)
        parts.append(dict(zip(found["term"], found["share"])))
    lines = list(parts[-1])[:8]
    assert all(term.count(" = x") == 3 for term in lines)
    fig = figure(8.4, 3.1)
    left, right = fig.subplots(1, 2)
    right.plot(epochs, accuracies, "o-", color=LINE, markersize=3.5)
    right.set_title("Accuracy on the training samples", fontsize=10)
    for term in lines:
        left.plot(epochs, [100 * part.get(term, 0.0) for part in parts], color=BLUE)
    total = [100 * sum(part.get(term, 0.0) for term in lines) for part in parts]
    left.plot(epochs, total, color=ORANGE)
    left.annotate("all eight lines", (8, total[7] - 8), color=ORANGE, fontsize=9)
    left.annotate("each line", (8, 12), color=BLUE, fontsize=9)
    left.set_title("Relative contribution to the weighted sum, %", fontsize=10)
    for ax in (left, right):
        ax.set_xlabel("epochs", fontsize=9)
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    return fig


def draw_prediction():
    """Draw the weighted sums of two classes, and what they are made of."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    (explanation,) = explain(clf, X[:1], top=3)
    fig = figure(8.4, 2.5)
    ax = fig.add_subplot(xlim=(0, 100))
    probabilities = dict(zip(clf.classes_, clf.predict_proba(X[:1])[0]))
    scores = dict(zip(clf.classes_, explanation.scores))
    labels = []
    for place, label in enumerate(clf.classes_):
        table = explanation.terms[explanation.terms["class"] == label]
        start = 0.0
        color = BLUE if place else ORANGE
        for k, (term, part) in enumerate(zip(table["term"], table["share"])):
            width = 100 * part
            bar = ax.barh(place, width, left=start, height=0.55, color=color)
            bar[0].set(alpha=1 - 0.25 * k, edgecolor="white")
            if width > 6:
                text = f"{term}\n{width:.0f} %"
                middle = start + width / 2
                ax.text(middle, place, text, ha="center", va="center", fontsize=7.5)
            start += width
        ax.barh(place, 100 - start, left=start, height=0.55, color="#e6e6e6")
        rest = f"all other terms\n{100 - start:.0f} %"
        ax.text((start + 100) / 2, place, rest, ha="center", va="center", fontsize=7.5)
        labels.append(
            f"class {label}\nscore {scores[label]:.2f}\np = {probabilities[label]:.3f}"
        )
    ax.set_yticks(range(2), labels, fontsize=9)
    ax.set_xlabel("relative contribution to the weighted sum of the class, %")
    ax.xaxis.label.set_fontsize(9)
    ax.tick_params(axis="x", labelsize=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return fig


PICTURES = {
    "conjunctions": draw_conjunctions,
    "promotion": draw_promotion,
    "epochs": draw_epochs,
    "prediction": draw_prediction,
}


def draw_guide_pictures(folder):
    """Write all pictures into a folder, as SVG files: the same files each time."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "guide", "svg.fonttype": "none"}):
        for stem, draw in PICTURES.items():
            draw().savefig(
                folder / f"{stem}.svg", format="svg", metadata={"Date": None}
            )


if __name__ == "__main__":
    draw_guide_pictures(sys.argv[1])

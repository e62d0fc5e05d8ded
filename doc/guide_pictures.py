"""Draw the pictures of the user guide: ``python doc/guide_pictures.py FOLDER``."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import sys
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import partial_dependence

from sklearn_dnfwinnow import ClassEntropyDiscretizer, DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_monks, load_tic_tac_toe, make_customers
from sklearn_dnfwinnow.inspection import explain, feature_effect, terms
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
        count = {0: "no conditions", 1: "1 condition"}.get(size, f"{size} conditions")
        ax.text(-4.3, size, f"{count}\nweight {BETA**size:g}", va="center", fontsize=9)
    for subset, (x, y) in place.items():
        for feature in set(range(3)) - {*subset}:
            above = place[tuple(sorted((*subset, feature)))]
            ax.plot([x, above[0]], [y, above[1]], color=GREY, zorder=1)
        box = {"boxstyle": "round,pad=0.35", "facecolor": "#e3eef8", "edgecolor": LINE}
        text = ax.text(x, y, name(subset), fontsize=8, bbox=box)
        text.set(horizontalalignment="center", verticalalignment="center")
    sample = ", ".join(f"{feature} = {value}" for feature, value in SAMPLE)
    ax.set_title(f"The row ({sample}) satisfies 8 rules", fontsize=10.5)
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
        ax.set_xlabel("weight of the rule", fontsize=9)
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
        found = terms(clf, "positive", 30, details=True)
        parts.append(dict(zip(found["term"], found["share"])))
    lines = list(parts[-1])[:8]
    assert all(term.count(" = x") == 3 for term in lines)
    fig = figure(8.4, 3.1)
    left, right = fig.subplots(1, 2)
    right.plot(epochs, accuracies, "o-", color=LINE, markersize=3.5)
    right.set_title("Accuracy on the training rows", fontsize=10)
    for term in lines:
        left.plot(epochs, [100 * part.get(term, 0.0) for part in parts], color=BLUE)
    total = [100 * sum(part.get(term, 0.0) for term in lines) for part in parts]
    left.plot(epochs, total, color=ORANGE)
    left.annotate("all eight lines", (8, total[7] - 8), color=ORANGE, fontsize=9)
    left.annotate("each line", (8, 12), color=BLUE, fontsize=9)
    left.set_title("Share of the weighted sum, %", fontsize=10)
    for ax in (left, right):
        ax.set_xlabel("epochs", fontsize=9)
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    return fig


def draw_prediction():
    """Draw the weighted sums of two classes, and what they are made of."""
    X, y = load_monks(1, return_X_y=True, as_frame=True)
    clf = DNFWinnowClassifier(random_state=0).fit(X, y)
    (explanation,) = explain(clf, X[:1], top=6)
    fig = figure(8.4, 2.5)
    ax = fig.add_subplot(xlim=(0, 100))
    probabilities = dict(zip(clf.classes_, clf.predict_proba(X[:1])[0]))
    scores = dict(zip(clf.classes_, clf.log_weighted_sums(X[:1])[0]))
    labels = []
    for place, label in enumerate(clf.classes_):
        table = explanation.terms[explanation.terms["class"] == label][:3]
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
        rest = f"all other rules\n{100 - start:.0f} %"
        ax.text((start + 100) / 2, place, rest, ha="center", va="center", fontsize=7.5)
        labels.append(
            f"class {label}\nscore {scores[label]:.2f}\np = {probabilities[label]:.3f}"
        )
    ax.set_yticks(range(2), labels, fontsize=9)
    ax.set_xlabel("share of the weighted sum of the class, %")
    ax.xaxis.label.set_fontsize(9)
    ax.tick_params(axis="x", labelsize=8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return fig


def customers():
    """Return the table of the page about numeric features."""
    X, y = make_customers(1000, random_state=0, as_frame=True)
    return X.drop(columns=["customer_id", "signup_date"]), y


def draw_intervals(value=500.0):
    """Draw the intervals of each width in a model, and those with one number."""
    X, y = customers()
    numbers = X[["balance"]].to_numpy()
    cuts = ClassEntropyDiscretizer(selection="quantiles", max_intervals=16)
    clf = DNFWinnowClassifier(
        literals="intervals", discretizer=cuts, cv=None, max_iter=1, random_state=0
    ).fit(numbers, y)
    encoding = clf._table_model().encoding
    # Codes of the intervals between cut points, and their ends within the picture.
    points = encoding.cut_points[0]
    ends = np.concatenate([[-2200], points, [3800]])
    samples = np.append(points, ends[-1])[:, None]
    codes = encoding.with_literals(encoding.encode_table(samples, clf))
    columns = sorted(codes.T.tolist(), key=lambda column: len(set(column)))
    fig = figure(8.4, 3.6)
    top, bottom = fig.subplots(2, sharex=True, height_ratios=[2, 1])
    place = np.searchsorted(points, value)
    for row, column in enumerate(columns):
        for code in dict.fromkeys(column):
            inside = np.flatnonzero(np.equal(column, code))
            left, right = ends[inside[0]], ends[inside[-1] + 1]
            color = ORANGE if place in inside else "#e3eef8"
            top.barh(-row, right - left, 0.8, left, color=color, edgecolor=LINE)
    top.axvline(value, color=LINE, linestyle=":")
    top.set_yticks(
        [-row for row in range(len(columns))],
        [f"{len(set(column))} intervals" for column in columns],
        fontsize=8,
    )
    bottom.hist(numbers, bins=60, range=(ends[0], ends[-1]), color=GREY)
    bottom.axvline(value, color=LINE, linestyle=":")
    bottom.set_xlim(ends[0], ends[-1])
    bottom.set_xlabel("balance", fontsize=9)
    bottom.set_ylabel("rows", fontsize=9)
    for ax in (top, bottom):
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    return fig


def draw_effects():
    """Draw the effects of two features, and the partial dependence of forests."""
    fig = figure(8.4, 5.4)
    axes = fig.subplots(2, 2, sharex="row")
    iris = load_iris(return_X_y=True, as_frame=True)
    panels = (customers(), "balance", 1, 0.0), (iris, "petal width (cm)", 1, None)
    for (left, right), ((X, y), feature, class_, threshold) in zip(axes, panels):
        clf = DNFWinnowClassifier(random_state=0).fit(X, y)
        found = feature_effect(clf, X, feature, class_of_interest=class_)
        low, high = X[feature].min(), X[feature].max()
        edges = [low, *found.cut_points, high]
        left.stairs(found.effects, edges, baseline=None, color=BLUE, linewidth=1.5)
        left.axhline(0, color=GREY, linewidth=0.8)
        left.set_ylabel(f"effect on the log-odds of {class_}", fontsize=9)
        # A forest needs numbers.
        codes = X.apply(lambda column: column.rank(method="dense"))
        codes[feature] = X[feature]
        forest = RandomForestClassifier(100, random_state=0).fit(codes, y)
        curve = partial_dependence(
            forest,
            codes[::9],
            [feature],
            response_method="predict_proba",
            grid_resolution=80,
            percentiles=(0, 1),
        )
        means = curve["average"][-1 if len(curve["average"]) == 1 else class_]
        right.plot(curve["grid_values"][0], means, color=ORANGE)
        right.set_ylabel(f"mean probability of {class_}", fontsize=9)
        for ax in (left, right):
            if threshold is not None:
                ax.axvline(threshold, color=LINE, linewidth=1, linestyle="--")
            ax.set_xlabel(feature, fontsize=9)
            ax.tick_params(labelsize=8)
            ax.spines[["top", "right"]].set_visible(False)
    axes[0, 0].set_title("DNFWinnowClassifier", fontsize=10)
    axes[0, 1].set_title("random forest", fontsize=10)
    return fig


PICTURES = {
    "conjunctions": draw_conjunctions,
    "promotion": draw_promotion,
    "epochs": draw_epochs,
    "prediction": draw_prediction,
    "intervals": draw_intervals,
    "effects": draw_effects,
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

"""Draw the pictures and the badges of the README and of the landing page.

    python doc/front_pictures.py

The files are written to ``doc/_static``, and are committed.
"""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import tomllib
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from sklearn_dnfwinnow import DNFWinnowClassifier
from sklearn_dnfwinnow.datasets import load_tic_tac_toe
from sklearn_dnfwinnow.inspection import explain, to_dnf

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "doc" / "_static"
PICTURES = "tic_tac_toe_rules.png", "tic_tac_toe_prediction.png"
# A sample where x has one line, the right column.
SAMPLE = 599
TEXT, GREY, EMPTY = "#1f2933", "#9aa5b1", "#f5f7fa"
BLUE, ORANGE = "#2b6cb0", "#c05621"
SIDE = 3


def draw_board(ax, x, y, values, size=1.0, highlighted=()):
    """Draw the squares of a board, with its lower left corner at (x, y)."""
    for square, value in enumerate(values):
        row, column = divmod(square, SIDE)
        left, low = x + size * column, y + size * (SIDE - 1 - row)
        ax.add_patch(
            matplotlib.patches.Rectangle(
                (left, low),
                width=size,
                height=size,
                facecolor="#d6e6f7" if square in highlighted else EMPTY,
                edgecolor=GREY,
                linewidth=0.8,
            )
        )
        if value in ("x", "o"):
            ax.text(
                left + size / 2,
                low + 0.47 * size,
                value,
                ha="center",
                va="center",
                color=BLUE if value == "x" else ORANGE,
                fontsize=17 * size,
                fontweight="bold",
            )


def draw_formula(ax, dnf):
    """Draw each term of a formula as a board with the squares that it mentions."""
    per_row, step = 4, 3.8
    for k, term in enumerate(dnf.terms):
        squares = {literal.column for literal in term.literals}
        values = ["x" if square in squares else "" for square in range(SIDE**2)]
        row, column = divmod(k, per_row)
        x, y = step * column, -step * row
        draw_board(ax, x, y, values, highlighted=squares)
        if k + 1 < len(dnf.terms):
            ax.text(x + 3.4, y + 1.5, "or", ha="center", va="center", color=TEXT)
    ax.set(xlim=(-0.2, per_row * step - 0.2), ylim=(-step - 0.2, 3.2), aspect="equal")
    ax.axis("off")


def draw_explanation(board, bars, values, explanation):
    """Draw a sample, and the Shapley value of each of its squares."""
    effects = explanation.feature_effects
    order = sorted(range(len(values)), key=lambda j: effects[j])
    draw_board(board, 0, 0, values, highlighted=order[-SIDE:])
    board.set(xlim=(-0.1, 3.1), ylim=(-0.1, 3.1), aspect="equal")
    board.axis("off")
    labels = [f"{explanation.features[j]} = {values[j]}" for j in order]
    colors = [BLUE if effects[j] > 0 else ORANGE for j in order]
    bars.barh(labels, [effects[j] for j in order], color=colors)
    bars.axvline(0, color=GREY, linewidth=0.8)
    bars.set_xlabel("Shapley value of the log-odds", color=TEXT)
    bars.tick_params(colors=TEXT, length=0, labelsize=9)
    bars.spines[:].set_visible(False)


def new_figure(title):
    """Return a figure with a title, half as wide as a page."""
    figure = Figure(figsize=(5.6, 3.6), facecolor="white")
    figure.text(0.03, 0.92, title, color=TEXT, fontsize=13)
    return figure


def draw_pictures(folder):
    """Write the pictures of the tic-tac-toe formula and of one explanation."""
    X, y = load_tic_tac_toe(return_X_y=True, as_frame=True)
    model = DNFWinnowClassifier(random_state=0).fit(X, y)
    rules = new_figure("The learned rules: x has won if")
    dnf = to_dnf(model, "positive", X=X, y=y)
    draw_formula(rules.add_axes((0.03, 0.04, 0.96, 0.86)), dnf)
    (explanation,) = explain(model, X.iloc[[SAMPLE]])
    prediction = new_figure(f'One explained prediction: "{explanation.prediction}"')
    draw_explanation(
        prediction.add_axes((0.03, 0.33, 0.2, 0.4)),
        prediction.add_axes((0.56, 0.15, 0.42, 0.72)),
        list(X.iloc[SAMPLE]),
        explanation,
    )
    for name, figure in zip(PICTURES, (rules, prediction)):
        figure.savefig(
            folder / name,
            dpi=120,
            metadata={"Software": None},
            pil_kwargs={"optimize": True},
        )


def badge(label, text):
    """Return a badge with a label and a text, as SVG."""
    widths = [round(6.4 * len(part)) + 14 for part in (label, text)]
    total = sum(widths)
    middles = widths[0] / 2, widths[0] + widths[1] / 2
    letters = "".join(
        f'<text x="{x}" y="14">{part}</text>' for x, part in zip(middles, (label, text))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" '
        f'role="img" aria-label="{label}: {text}">'
        f'<rect width="{total}" height="20" rx="3" fill="#4a5568"/>'
        f'<path d="M{widths[0]} 0h{widths[1] - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3'
        f'h-{widths[1] - 3}z" fill="#2b6cb0"/>'
        '<g fill="#fff" text-anchor="middle" font-size="11" '
        f'font-family="Verdana,DejaVu Sans,sans-serif">{letters}</g></svg>\n'
    )


def badges():
    """Return the badges, by file name, with what the metadata of the package say."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    (scikit_learn,) = (
        requirement.removeprefix("scikit-learn>=")
        for requirement in project["dependencies"]
        if requirement.startswith("scikit-learn>=")
    )
    python = project["requires-python"].removeprefix(">=")
    return {
        "badge_python.svg": badge("Python", f"{python}+"),
        "badge_scikit_learn.svg": badge("scikit-learn", f"{scikit_learn}+"),
        "badge_license.svg": badge("license", project["license"]),
    }


def main():
    """Write all files."""
    draw_pictures(STATIC)
    for name, svg in badges().items():
        (STATIC / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()

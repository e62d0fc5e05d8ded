"""Draw the rooms of the package, with an arrow for each import between them."""

# Authors: the sklearn_dnfwinnow developers
# SPDX-License-Identifier: BSD-3-Clause

import ast
import pathlib
from collections import Counter, defaultdict
from graphlib import TopologicalSorter
from itertools import accumulate, pairwise

import matplotlib
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

PACKAGE = pathlib.Path(__file__).parents[1] / "sklearn_dnfwinnow"
# In inches.
WIDTH, HEIGHT, ACROSS, LANE, DOWN = 1.42, 0.5, 1.75, 0.3, 0.95
SWEEPS = 8
PUBLIC, PRIVATE, LINE = "#cfe3f5", "#eeeeee", "#555555"


def room_of(parts):
    """Return the room of a module, by the parts of its path inside the package."""
    return parts[0] if parts else "__init__"


def imported_rooms(code):
    """Yield the rooms that some code imports from, inside functions too."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, *parts = name.split(".")
            if package != PACKAGE.name:
                continue
            if parts and not (PACKAGE / parts[0]).is_dir():
                # A module of the package's own folder, or a name of its face.
                parts = parts if (PACKAGE / f"{parts[0]}.py").is_file() else []
            yield room_of(parts)


def read_rooms():
    """Return the rooms that each room imports from, and each room's files and lines."""
    arrows, files, lines = defaultdict(set), Counter(), Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        room = room_of(path.relative_to(PACKAGE).with_suffix("").parts)
        code = path.read_text(encoding="utf-8")
        files[room] += 1
        lines[room] += len(code.splitlines())
        arrows[room] |= {*imported_rooms(code)} - {room}
    return arrows, files, lines


def reached(arrows, room):
    """Return all rooms that a room imports from, over others or not."""
    return set().union(*({other} | reached(arrows, other) for other in arrows[room]))


def without_implied(arrows):
    """Return the arrows that do not follow from others."""
    return {
        room: others - set().union(*(reached(arrows, other) for other in others))
        for room, others in arrows.items()
    }


def floors(arrows):
    """Return the floor of each room: one above the highest that it imports from."""
    floor = {}
    # Where there is a circle, this is an error.
    for room in TopologicalSorter(arrows).static_order():
        floor[room] = max((floor[other] + 1 for other in arrows[room]), default=0)
    return floor


def lay_out(arrows):
    """Return the middle of each room, and the points that each arrow goes through.

    An arrow over several floors has a place of its own on those between, so that it
    passes no room. On each floor what is connected with the left stands left.
    """
    floor = floors(arrows)
    on_floor, ways = defaultdict(list), {}
    for room in sorted(floor, key=lambda room: room.strip("_")):
        on_floor[floor[room]].append(room)
    for room, others in without_implied(arrows).items():
        for other in sorted(others):
            between = range(floor[room] - 1, floor[other], -1)
            ways[room, other] = [room, *((room, other, k) for k in between), other]
            for k in between:
                on_floor[k].append((room, other, k))
    neighbours = defaultdict(set)
    for way in ways.values():
        for one, next_ in pairwise(way):
            neighbours[one].add(next_)
            neighbours[next_].add(one)
    x = {}
    for sweep in range(SWEEPS):
        # The last goes upward, from the widest floors.
        for k in sorted(on_floor, reverse=(SWEEPS - sweep) % 2 == 0):

            def mean(node):
                known = [x[other] for other in neighbours[node] if other in x]
                return sum(known) / len(known) if known else 0.0

            on_floor[k].sort(key=mean)
            widths = [ACROSS if node in floor else LANE for node in on_floor[k]]
            ends = list(accumulate(widths))
            for node, width, end in zip(on_floor[k], widths, ends):
                x[node] = end - width / 2 - ends[-1] / 2
    y = {node: DOWN * k for k, nodes in on_floor.items() for node in nodes}
    place = {node: (x[node], y[node]) for node in x}
    points = [[place[node] for node in way] for way in ways.values()]
    return {room: place[room] for room in floor}, points


def arrow_through(points):
    """Return an arrow that leaves and enters each floor vertically."""
    path = [(points[0][0], points[0][1] - HEIGHT / 2)]
    codes = [Path.MOVETO]
    for (x, y), (to, bottom) in pairwise(points):
        y, bottom = y - HEIGHT / 2, bottom + HEIGHT / 2
        bend = (y + bottom) / 2
        path += [(x, bend), (to, bend), (to, bottom), (to, bottom - HEIGHT)]
        codes += [Path.CURVE4] * 3 + [Path.LINETO]
    return FancyArrowPatch(
        # It ends at the upper edge of a room.
        path=Path(path[:-1], codes[:-1]),
        arrowstyle="-|>",
        mutation_scale=9,
        color=LINE,
        linewidth=0.9,
    )


def draw_rooms(path):
    """Write the picture as an SVG file."""
    arrows, files, lines = read_rooms()
    place, ways = lay_out(arrows)
    x, y = zip(*place.values(), *(point for way in ways for point in way))
    left, right = min(x) - 0.6 * WIDTH, max(x) + 0.6 * WIDTH
    low, high = min(y) - HEIGHT, max(y) + HEIGHT
    figure = Figure(figsize=(right - left, high - low))
    ax = figure.add_axes((0, 0, 1, 1), xlim=(left, right), ylim=(low, high))
    ax.axis("off")
    for way in ways:
        ax.add_patch(arrow_through(way))
    for room, (x, y) in place.items():
        name = PACKAGE.name if room == "__init__" else room
        box = FancyBboxPatch(
            (x - WIDTH / 2, y - HEIGHT / 2),
            WIDTH,
            HEIGHT,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=PRIVATE if name.startswith("_") else PUBLIC,
            edgecolor=LINE,
            linewidth=0.8,
        )
        ax.add_patch(box)
        size = f"{files[room]} files, {lines[room]:,} lines"
        if files[room] == 1:
            size = f"{lines[room]:,} lines"
        if room == "_kernels":
            size = "compiled from _ext/"
        ax.text(x, y + 0.07, name, ha="center", va="center", fontsize=9)
        ax.text(x, y - 0.12, size, ha="center", va="center", fontsize=6.5)
    # The same file each time, with text that can be found.
    settings = {"svg.hashsalt": "rooms", "svg.fonttype": "none"}
    with matplotlib.rc_context(settings):
        figure.savefig(path, format="svg", facecolor="white", metadata={"Date": None})

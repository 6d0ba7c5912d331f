"""Draw docs/architecture.svg: the rooms of the house and who imports whom, read from the imports.

`python docs/draw_architecture.py [FILE]`; `make docs` runs it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import grimp
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

PACKAGES = ("bounds", "simulation", "proofs_check", "ctv", "own_runs")
COLOURS = {
    "bounds": "#0072b2",
    "simulation": "#009e73",
    "proofs_check": "#d55e00",
    "ctv": "#6a51a3",
    "own_runs": "#8c510a",
}


def room_of(module: str) -> str:
    """The folder a module lies in, or the package itself."""
    parts = module.split(".")
    folder = Path(*parts[:2])
    return ".".join(parts[:2]) if len(parts) > 1 and folder.is_dir() else parts[0]


def rooms() -> tuple[dict[str, int], dict[tuple[str, str], int]]:
    """How many modules each room has, and how many imports lead from one room to another."""
    graph = grimp.build_graph(*PACKAGES)
    sizes: dict[str, int] = defaultdict(int)
    links: dict[tuple[str, str], int] = defaultdict(int)
    for module in sorted(graph.modules):
        sizes[room_of(module)] += 1
        for imported in graph.find_modules_directly_imported_by(module):
            pair = (room_of(module), room_of(imported))
            if pair[0] != pair[1]:
                links[pair] += 1
    return dict(sizes), dict(links)


def heights(members: list[str], links: dict[tuple[str, str], int]) -> dict[str, int]:
    """The longest chain of imports below each room of one package."""
    found: dict[str, int] = {}

    def height(room: str, above: tuple[str, ...] = ()) -> int:
        if room not in found:
            below = [b for a, b in links if a == room and b in members and b not in above]
            found[room] = 1 + max((height(b, (*above, room)) for b in below), default=-1)
        return found[room]

    for member in members:
        height(member)
    return found


def draw(path: Path) -> None:
    """Packages as columns, rooms as boxes, higher where they rest on more; imports as arrows."""
    sizes, links = rooms()
    figure = Figure(figsize=(11.0, 6.4), layout="constrained")
    axes = figure.subplots()
    axes.set_axis_off()
    places: dict[str, tuple[float, float]] = {}
    left = 0.0
    for package in PACKAGES:
        members = [room for room in sizes if room.split(".")[0] == package and room != package]
        levels: dict[int, list[str]] = defaultdict(list)
        for room, level in heights(members, links).items():
            levels[level].append(room)
        width = max((len(row) for row in levels.values()), default=1)
        axes.text(
            left + 0.55 * width - 0.5,
            -0.9,
            package,
            ha="center",
            fontsize=11,
            fontweight="bold",
            color=COLOURS[package],
        )
        for level, row in levels.items():
            for k, room in enumerate(sorted(row)):
                x = left + 1.1 * (k + 0.5 * (width - len(row)))
                places[room] = (x, 1.15 * level + 0.18 * (k % 2))
        left += 1.1 * width + 0.5
    for (a, b), count in links.items():
        if a in places and b in places:
            inside = a.split(".")[0] == b.split(".")[0]
            axes.add_patch(
                FancyArrowPatch(
                    places[a],
                    places[b],
                    arrowstyle="-|>",
                    mutation_scale=7,
                    shrinkA=16,
                    shrinkB=16,
                    color=COLOURS[a.split(".")[0]],
                    alpha=0.55 if inside else 0.13,
                    linewidth=0.4 + 0.12 * min(count, 12),
                    connectionstyle="arc3,rad=0.08",
                )
            )
    for room, (x, y) in places.items():
        axes.add_patch(
            FancyBboxPatch(
                (x - 0.47, y - 0.2),
                0.94,
                0.4,
                boxstyle="round,pad=0.02",
                facecolor="white",
                edgecolor=COLOURS[room.split(".")[0]],
                linewidth=1.1,
            )
        )
        name = room.split(".")[1].replace("_", "\n")
        axes.text(x, y, f"{name}", ha="center", va="center", fontsize=6.6, linespacing=0.9)
    axes.set_xlim(-0.7, left)
    axes.set_ylim(-1.3, 1.0 + max(y for _, y in places.values()))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/architecture.svg"))

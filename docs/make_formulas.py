"""Write docs/formulas.md: the formulas of uniformity, bounds, best blocks and rates, as LaTeX.

`python docs/make_formulas.py [FILE]`; `make docs` runs it. Nothing in the page is typed twice.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from bounds.symbolic.blocks import best_block
from bounds.symbolic.derivation import derive
from bounds.symbolic.formula import Formula
from bounds.symbolic.gain import OBJECTIVES, partition_bound
from bounds.symbolic.pattern import FORMULAS
from bounds.symbolic.uniformity import uniformity

BLOCKS = ("theorem1", "additive", "refined")


def page() -> str:
    """The whole page."""
    parts = (
        "# Formulas",
        "Written by the code from its symbolic objects; `ctv uniformity`, `bound`, `partition` and "
        "`rates` print them with `--symbolic`, derivation and all.",
        *section("Uniformity of the rounds k_0+1 … k_0+i", families()),
        *section(
            "Bounds on the information gain, any times and blocks",
            ((name, partition_bound(name)) for name in OBJECTIVES),
        ),
        *section(
            "Best length of equal blocks, gain below a line",
            ((name, best_block(name, "line").formula) for name in BLOCKS),
        ),
        *section(
            "Exponent of the regret by the drift",
            ((name, derive(name).formula) for name in BLOCKS),
        ),
    )
    return "\n\n".join(parts) + "\n"


def families() -> Iterator[tuple[str, Formula]]:
    """C where it closes; without the cap elsewhere."""
    for family in FORMULAS:
        found = uniformity(family)
        yield (
            (family, found)
            if found.closed and len(found.latex) < 2_000
            else (f"{family}, without the cap", uniformity(family, capped=False))
        )


def section(title: str, rows: Iterable[tuple[str, Formula]]) -> Iterator[str]:
    """A heading, and each formula with when it holds."""
    yield f"## {title}"
    for name, formula in rows:
        yield f"### {name.replace('_', ' ')}"
        yield f"$$\n{formula.latex}\n$$"
        if formula.conditions:
            yield "\n".join(f"- `{line}`" for line in formula.conditions)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("formulas.md")
    target.write_text(page(), encoding="utf-8")

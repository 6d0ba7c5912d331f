"""Write docs/licences.md: the licence of every package that a plain installation brings.

`python docs/make_licences.py [FILE]` (`make licences`); a test looks that none is left out.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Licences of dependencies

What `pip install ctv-bounds` brings, without extras, and the licence that each package states for
itself. The project's own is BSD-3-Clause ([LICENSE](../LICENSE)), but for the font of the
formulas, a part of STIX Math ([OFL-1.1](../ctv/pages/formulas/OFL.txt)). Written by
`make licences`.

| package | licence |
|---|---|"""


def dependencies() -> dict[str, Distribution]:
    """Every package that the project needs on this platform, directly or not, by its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, Distribution] = {}
    waiting = [Requirement(line) for line in project["dependencies"]]
    while waiting:
        needed = waiting.pop()
        name = canonicalize_name(needed.name)
        if name in found or not applies(needed, set()):
            continue
        found[name] = distribution(needed.name)
        more = [Requirement(line) for line in found[name].requires or ()]
        waiting += [one for one in more if applies(one, needed.extras)]
    return dict(sorted(found.items()))


def applies(needed: Requirement, extras: set[str]) -> bool:
    """Whether a requirement counts here, for a package that was asked for with some extras."""
    marker = needed.marker
    return marker is None or any(marker.evaluate({"extra": e}) for e in extras or {""})


def licence(package: Distribution) -> str:
    """The expression, else the short text, else the classifiers; raises ValueError for none."""
    said = package.metadata
    expression = said.get("License-Expression") or ""
    text = (said.get("License") or "").strip()
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    short = text if text and len(text) < 60 and "\n" not in text else ""
    found = expression or short or "; ".join(classifiers)
    if not found:
        raise ValueError(f"{said['Name']} states no licence: look it up and say so here")
    return re.sub(r"\s+", " ", found)


def page() -> str:
    """The whole page."""
    rows = [f"| {name} | {licence(package)} |" for name, package in dependencies().items()]
    return "\n".join([HEAD, *rows]) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("licences.md")
    target.write_text(page(), encoding="utf-8")

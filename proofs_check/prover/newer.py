"""What a newer assistant, with mathcomp 2, accepts of the theories, kept as data in newer.json.

`python -m proofs_check.prover.newer`, with that assistant on the path, compiles every theory that
it accepts, or takes a folder where they lie compiled. It compiles of statements.v the theorems
whose proofs go through these alone, reads the axioms of these theorems against the list, and has
all that was compiled checked by the second checker.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Collection
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from proofs_check.prover.kernel import ROOT, ProverFailed, axioms_of, checked_again, coqc
from proofs_check.prover.record import sources
from proofs_check.prover.runner import (
    NEWER,
    code,
    coq_version,
    digest,
    put_sources,
)

_LOG = logging.getLogger(__name__)
RECORD = ROOT / "newer.json"
_THEOREM = re.compile(r"Theorem (\w+)\b.*?\bQed\.", re.S)
_REQUIRED = re.compile(r"(From CTV Require (?!Import)[\w ]+)\.(?=\s)")


def excerpt(text: str, absent: Collection[str]) -> str:
    """The theorems of statements.v whose proofs go through no theory that is absent.

    >>> excerpt("From CTV Require a b. Theorem t : P. a.x. Qed. Theorem u : Q. b.x. Qed.", "b")
    'From CTV Require a. Theorem t : P. a.x. Qed. '
    """
    if not absent:
        return text
    named = re.compile(rf"\b(?:{'|'.join(sorted(absent))})\b")
    text = _REQUIRED.sub(lambda found: " ".join(named.sub("", found[1]).split()) + ".", code(text))
    through = re.compile(rf"{named.pattern}\.\w")
    return _THEOREM.sub(lambda found: "" if through.search(found[0]) else found[0], text)


def stated(text: str) -> dict[str, str]:
    """Digests of the theorems of statements.v with their proofs, by name."""
    return {found[1]: digest(found[0]) for found in _THEOREM.finditer(code(text))}


def compiled(folder: Path) -> None:
    """Compile in a folder all theories that the assistant accepts."""
    for name in put_sources(folder):
        try:
            coqc(folder, name.removesuffix(".v"))
        except ProverFailed as failure:
            _LOG.info(f"{name}: {failure}")


def accepted(folder: Path) -> dict[str, Any]:
    """What stands in a folder of compiled theories, `absent` those that are not there."""
    names = put_sources(folder)
    absent = [Path(name).stem for name in names if not (folder / name).with_suffix(".vo").exists()]
    place = folder / "statements" / "statements.v"
    place.write_text(excerpt(place.read_text(encoding="utf-8"), absent), encoding="utf-8")
    coqc(folder, "statements/statements")
    theorems = stated(place.read_text(encoding="utf-8"))
    asking = [f"statements.{name}" for name in theorems]
    axioms = axioms_of(folder, {}, ("statements",), asking, "").axioms
    files = checked_again(folder)
    held = {name: text for name, text in sources().items() if Path(name).stem not in absent}
    return {
        "prover": coq_version(),
        "date": date.today().isoformat(),
        "files": files,
        "absent": sorted({*absent} - {"statements"}),
        "statements": theorems,
        "axioms": axioms,
        "sources": {name: text for name, text in held.items() if f"{NEWER}/{name}" not in held},
    }


def recorded() -> dict[str, Any]:
    """The record as it stands."""
    return dict(json.loads(RECORD.read_text(encoding="utf-8")))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    with TemporaryDirectory() as temporary:
        place = Path(sys.argv[1] if sys.argv[1:] else temporary)
        if not sys.argv[1:]:
            compiled(place)
        found = accepted(place)
    RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")

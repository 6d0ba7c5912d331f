"""The statements that are written for a second kernel, Lean's. None has been compiled here.

They stand in `proofs_check/lean`, the reference apart from the proofs, which are not written. No
verdict rests on them: they are for whoever has Lean and Mathlib.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from proofs_check.language.claim import Claim
from proofs_check.prover.kernel import ROOT

LEAN = ROOT.parent / "lean"
REFERENCE = LEAN / "Reference" / "Statements.lean"


@lru_cache(maxsize=1)
def stated_in_lean() -> tuple[str, ...]:
    """The names of the statements, in the order of their file: those of the theories' theorems."""
    return tuple(re.findall(r"^def (\w+) : Prop :=$", REFERENCE.read_text(encoding="utf-8"), re.M))


def in_lean(claim: Claim) -> dict[str, Any] | None:
    """Where the theorem of a claim is stated for Lean, if it is; `compiled` is always false.

    >>> from proofs_check.prover.written import shipped
    >>> in_lean(shipped()["theory-a"])["name"], in_lean(shipped()["theory-c"])
    ('Reference.theory_a', None)
    """
    if claim.theorem not in stated_in_lean():
        return None
    file = REFERENCE.relative_to(LEAN.parents[1]).as_posix()
    return {"file": file, "name": f"Reference.{claim.theorem}", "compiled": False}

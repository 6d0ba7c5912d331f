"""The ledger: one row per claim, the verdict that its evidence allows, and why.

A verdict never exceeds the evidence. REFUTED beats everything but a proof of the whole domain, with
which it is an ERROR of the checker. A proof that rests on other claims is capped by theirs; where
they belong to the trusted base the row names them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_check.language import formula
from proofs_check.language.claim import Claim, Counterexample, Evidence, Verdict, show, shown_side

_WEAKEST_FIRST = (
    Verdict.ERROR,
    Verdict.REFUTED,
    Verdict.UNDECIDED,
    Verdict.SUPPORTED,
    Verdict.PROVED_ON_BOX,
    Verdict.PROVED,
)
_STRENGTH = (Verdict.PROVED, Verdict.PROVED_ON_BOX, Verdict.UNDECIDED, Verdict.SUPPORTED)


@dataclass(frozen=True)
class Row:
    """A claim with its verdict, the evidence behind it and the time it took.

    `verdict` is that of the formula as it stands. Where that is a slip of notation, the statement
    is judged by what was meant: `meant` holds the verdict of the repairs, found and expected.
    """

    claim: Claim
    verdict: Verdict
    reason: str
    engines: tuple[Evidence, ...]
    trusted: tuple[str, ...]
    seconds: float
    meant: tuple[Verdict, Verdict] | None = None

    @property
    def judged(self) -> Verdict:
        """The verdict on the statement: a slip of notation is a slip, not a refutation."""
        return self.verdict if self.meant is None else self.meant[0]

    @property
    def as_expected(self) -> bool:
        """Whether the machine found what the claim's author wrote down before."""
        claim = self.claim
        declared = not claim.sentence or self.contradicted == (claim.finding != "none")
        return self.verdict is claim.expected and declared

    @property
    def contradicted(self) -> bool:
        """Whether runs contradict the claim at 95 %, which is no refutation."""
        return any(e.contradicted for e in self.engines)

    @property
    def meaning(self) -> str:
        """What the verdict says and does not say, in one sentence."""
        if not self.claim.sentence or self.judged is Verdict.ERROR:
            return self.judged.meaning
        if self.judged is Verdict.SUPPORTED:
            return "every comparison came out as stated at 95 %; a sample proves nothing"
        if self.contradicted:
            return "a comparison came out the other way at 95 %; a sample refutes nothing"
        return "the runs do not decide it at 95 %"

    @property
    def counterexample(self) -> Counterexample | None:
        """The verified counterexample of a refuted claim."""
        found = [e.counterexample for e in self.engines if e.counterexample]
        return found[0] if found else None

    def to_json(self) -> dict[str, Any]:
        """The row as plain data, with the time."""
        claim = self.claim
        return {
            "id": claim.id,
            "label": claim.label,
            "where": claim.where,
            "kind": claim.kind,
            "statement": claim.statement,
            "formula": claim.formula,
            "sentence": claim.sentence,
            "definitions": [list(pair) for pair in claim.let],
            "domain": claim.domain,
            "reading": claim.reading,
            "verdict": str(self.judged),
            "expected": str(claim.expected if self.meant is None else self.meant[1]),
            "literal": str(self.verdict),
            "finding": claim.finding,
            "printed_proof": claim.printed_proof,
            "reason": self.reason,
            "because": claim.because,
            "remark": claim.remark,
            "engines": [
                {
                    "engine": e.engine,
                    "verdict": str(e.verdict),
                    "sentence": e.sentence,
                    "cases": e.cases,
                    "undefined": e.undefined,
                    "instances": list(e.instances),
                }
                for e in self.engines
            ],
            "counterexample": _counterexample_json(self.counterexample),
            "repairs": list(claim.repairs),
            "rests_on": list(claim.rests_on),
            "trusted": list(self.trusted),
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Ledger:
    """The rows in paper order, with the budget and the seed that made them.

    `behind` are rows that were not asked for, but that the ones asked for rest on.
    """

    rows: tuple[Row, ...]
    budget: str
    seed: int
    behind: tuple[Row, ...] = ()

    @property
    def as_expected(self) -> bool:
        """Whether every verdict is the expected one."""
        return all(row.as_expected for row in self.rows)

    def __getitem__(self, claim_id: str) -> Row:
        return next(row for row in self.rows if row.claim.id == claim_id)

    def summary(self) -> dict[str, Any]:
        """Counts by verdict and by finding, the surprises, and the digest."""
        verdicts = {str(v): sum(row.judged is v for row in self.rows) for v in Verdict}
        findings = [row.claim.finding for row in self.rows if row.claim.finding != "none"]
        return {
            "claims": len(self.rows),
            "verdicts": {name: count for name, count in verdicts.items() if count},
            "findings": {name: findings.count(name) for name in sorted(set(findings))},
            "unexpected": [row.claim.id for row in self.rows if not row.as_expected],
            "budget": self.budget,
            "seed": self.seed,
            "digest": self.digest(),
        }

    def digest(self) -> str:
        """SHA-256 of all rows without their times: the same seed gives the same digest."""
        rows = [row.to_json() for row in self.rows]
        for row in rows:
            del row["seconds"]
        text = json.dumps(rows, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The ledger as plain data."""
        return {"claims": [row.to_json() for row in self.rows], "summary": self.summary()}


def assemble(
    claims: Sequence[Claim],
    evidence: Mapping[str, tuple[tuple[Evidence, ...], float]],
    budget: str,
    seed: int,
    wanted: Sequence[str] | None = None,
) -> Ledger:
    """Rows for `wanted` (all by default), each capped by the claims that its evidence rests on."""
    by_id = {claim.id: claim for claim in claims}
    settled: dict[str, tuple[Verdict, str]] = {}

    def settle(claim_id: str, path: tuple[str, ...]) -> tuple[Verdict, str]:
        if claim_id in path:
            return Verdict.ERROR, "rests on itself: " + " -> ".join((*path, claim_id))
        if claim_id not in settled:
            claim = by_id[claim_id]
            supports = {name: settle(name, (*path, claim_id))[0] for name in claim.rests_on}
            settled[claim_id] = _verdict(claim, evidence[claim_id][0], supports, by_id)
        return settled[claim_id]

    rows: list[Row] = []
    behind: list[Row] = []
    supports = _resting(claims if wanted is None else [by_id[name] for name in wanted], by_id)
    for claim in claims:
        asked_for = wanted is None or claim.id in wanted
        if not asked_for and claim.id not in supports:
            continue
        verdict, reason = settle(claim.id, ())
        engines, seconds = evidence[claim.id]
        meant = None
        if claim.finding == "slip" and verdict is Verdict.REFUTED and claim.repairs:
            found = [settle(name, (claim.id,))[0] for name in claim.repairs]
            expected = [by_id[name].expected for name in claim.repairs]
            meant = (_weakest(found), _weakest(expected))
        row = Row(claim, verdict, reason, engines, _trusted(claim, by_id), seconds, meant)
        (rows if asked_for else behind).append(row)
    return Ledger(tuple(rows), budget, seed, tuple(behind))


def _weakest(verdicts: Sequence[Verdict]) -> Verdict:
    """What can be said of all of them together."""
    return next(v for v in _WEAKEST_FIRST if v in verdicts)


def _verdict(
    claim: Claim,
    engines: Sequence[Evidence],
    supports: Mapping[str, Verdict],
    by_id: Mapping[str, Claim],
) -> tuple[Verdict, str]:
    """The verdict that the evidence allows, with one sentence."""
    found = {e.verdict: e for e in reversed(engines)}
    refuted = found.get(Verdict.REFUTED)
    if refuted:
        if Verdict.PROVED in found or _inside_box(claim, engines):
            return Verdict.ERROR, "refuted and proved at once: an engine is wrong"
        return Verdict.REFUTED, f"{refuted.counterexample}"
    if Verdict.ERROR in found:
        return Verdict.ERROR, found[Verdict.ERROR].sentence
    gap = next((e for e in engines if e.undefined), None)
    if gap is not None:
        return Verdict.UNDECIDED, gap.sentence
    best = next((v for v in _STRENGTH if v in found), None)
    if best is None:
        return Verdict.UNDECIDED, "no engine had anything to run on"
    reason = found[best].sentence
    if best is Verdict.UNDECIDED and claim.proof and Verdict.SUPPORTED in found:
        return best, reason
    if best not in (Verdict.PROVED, Verdict.PROVED_ON_BOX):
        return best, reason
    for name, verdict in supports.items():
        if verdict in (Verdict.REFUTED, Verdict.ERROR):
            return Verdict.ERROR, f"rests on {name}, which is {verdict}"
    weak = [
        name
        for name, verdict in supports.items()
        if by_id[name].kind != "trusted" and verdict in (Verdict.SUPPORTED, Verdict.UNDECIDED)
    ]
    if weak:
        return Verdict.SUPPORTED, f"{reason}, but {', '.join(weak)} is not proved"
    if best is Verdict.PROVED and Verdict.PROVED_ON_BOX in supports.values():
        return Verdict.PROVED_ON_BOX, f"{reason}; what it rests on is proved on a box only"
    return best, reason


def _inside_box(claim: Claim, engines: Sequence[Evidence]) -> bool:
    """Whether a counterexample lies in the part of the domain that an engine claims to cover."""
    case = next(e.counterexample.case for e in engines if e.counterexample)
    covering = {e.engine for e in engines if e.verdict is Verdict.PROVED_ON_BOX}
    if "exact" in covering and claim.covers:
        try:
            return formula.holds(claim.covers, formula.fractions(), case) is True
        except (NameError, ArithmeticError):
            return False
    if "enclosure" not in covering or not isinstance(claim.box, dict):
        return False
    return all(
        Fraction(low) <= case[name] <= Fraction(high) for name, (low, high) in claim.box.items()
    )


def _trusted(claim: Claim, by_id: Mapping[str, Claim]) -> tuple[str, ...]:
    """The textbook facts that the evidence rests on, directly or through other claims."""
    return tuple(name for name in _resting([claim], by_id) if by_id[name].kind == "trusted")


def _resting(claims: Sequence[Claim], by_id: Mapping[str, Claim]) -> dict[str, None]:
    """The ids of all that the claims rest on, directly or through others, the nearest first."""
    todo = [name for claim in claims for name in claim.rests_on]
    seen: dict[str, None] = {}
    while todo:
        name = todo.pop(0)
        if name not in seen:
            seen[name] = None
            todo.extend(by_id[name].rests_on)
    return seen


def _counterexample_json(found: Counterexample | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "case": {name: plain(value) for name, value in found.case.items()},
        "left": list(found.left),
        "relation": found.relation,
        "right": list(found.right),
        "shown": (
            f"{show(found.case)}: {shown_side(found.left, found.right)} against "
            f"{shown_side(found.right, found.left)}"
        ),
    }


def plain(value: Any) -> Any:
    """A case as data: fractions as text, integers as they are."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return str(value) if isinstance(value, Fraction) else value

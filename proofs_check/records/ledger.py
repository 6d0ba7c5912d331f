"""The ledger: one row per claim, the verdict that its evidence allows, and why.

A verdict never exceeds the evidence. REFUTED beats everything but a proof of the whole domain, with
which it is an ERROR of the checker. A proof that rests on other claims is capped by theirs; where
they belong to the trusted base the row names them.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from proofs_check.language import formula
from proofs_check.language.arithmetics import entrywise
from proofs_check.language.claim import (
    Claim,
    Counterexample,
    Evidence,
    Road,
    Verdict,
    show,
    shown_side,
)
from proofs_check.language.words import assumed, states, unsaid
from proofs_check.prover.premises import Hypothesis, hypotheses
from proofs_check.prover.receipt import stands_here
from proofs_check.prover.record import (
    formal,
    reachable,
    recorded,
    stated_in,
    supports,
)

_STRENGTH = (
    Verdict.PROVED,
    Verdict.PROVED_ON_BOX,
    Verdict.PROVED_UP_TO,
    Verdict.UNDECIDED,
    Verdict.SUPPORTED,
)
PROVED = (Verdict.PROVED, Verdict.PROVED_ON_BOX, Verdict.PROVED_UP_TO)


@dataclass(frozen=True)
class Row:
    """A claim with its verdict, the evidence behind it and the time it took.

    `by` is the road that reached the verdict, `sizes` "all" or the largest tried, `assumes` the
    textbook facts, not proved, behind it; none behind the prover. `meant` is the claim that says
    what a refuted text means, where that is proved.
    """

    claim: Claim
    verdict: Verdict
    by: Road
    reason: str
    engines: tuple[Evidence, ...]
    rests_on: tuple[str, ...]
    assumes: tuple[str, ...]
    seconds: float
    meant: str | None = None

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
    def sizes(self) -> str | dict[str, int]:
        """For which sizes the verdict speaks: all, or up to the largest tried."""
        if self.verdict is not Verdict.REFUTED and self.by in ("prover", "outline"):
            return "all"
        tried = [e.sizes for e in self.engines if e.engine == self.by and e.sizes]
        return tried[0] if tried else "all" if self.verdict in PROVED else {}

    @property
    def witness(self) -> dict[str, Any] | None:
        """A point of the claim's domain at which it has a value."""
        return next((e.witness for e in self.engines if e.witness is not None), None)

    @property
    def theorem(self) -> str:
        """The name of the prover's theorem; empty where there is none."""
        return next((e.theorem for e in self.engines if e.theorem), "")

    @property
    def as_recorded(self) -> bool:
        """Whether the verdict is a record's: no kernel accepted its theorem on this machine."""
        if not self.theorem or self.by not in ("prover", "outline") or self.counterexample:
            return False
        return not stands_here(self.claim, self.verdict, stated_in(self.claim))

    @cached_property
    def formal(self) -> dict[str, Any] | None:
        """The theorem as the assistant prints it, with what a reader needs beside it."""
        return formal(self.claim) if self.theorem else None

    @property
    def of_the_theories(self) -> bool:
        """Whether a theorem of the theories is the claim."""
        return is_of_theories(self.theorem)

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What the verdict is for, each with the phrase that says it: of the theorem, if any."""
        if self.of_the_theories:
            return stated_under(self.claim, self.theorem)
        words = f"{self.claim.statement} ; {self.claim.reading}"
        return tuple(
            Hypothesis(text, text if states(words, text) else "") for text in assumed(self.claim)
        )

    @property
    def meaning(self) -> str:
        """What the verdict says and does not say, in one sentence."""
        if not self.claim.sentence or self.verdict is Verdict.ERROR:
            return self.verdict.meaning
        if self.verdict is Verdict.SUPPORTED:
            return "every comparison came out as stated at 95 %; a sample proves nothing"
        if self.contradicted:
            return "a comparison came out the other way at 95 %; a sample refutes nothing"
        return "the runs do not decide it at 95 %"

    @property
    def counterexample(self) -> Counterexample | None:
        """The verified counterexample of a refuted claim."""
        counterexamples = [e.counterexample for e in self.engines if e.counterexample]
        return counterexamples[0] if counterexamples else None

    def to_json(self) -> dict[str, Any]:
        """The row as plain data, with the time."""
        claim = self.claim
        return {
            **_parts(
                claim, "id", "label", "where", "kind", "statement", "formula", "case", "sentence"
            ),
            "hypotheses": [_parts(given, "premise", "words") for given in self.hypotheses],
            "definitions": [list(pair) for pair in claim.let],
            "domain": claim.domain,
            "reading": claim.reading,
            "verdict": str(self.verdict),
            "by": self.by,
            "sizes": self.sizes,
            "assumes": list(self.assumes),
            "meant": self.meant,
            "expected": str(claim.expected),
            "theorem": self.theorem,
            "as_recorded": self.as_recorded,
            "formal": self.formal,
            **_parts(claim, "finding", "consequence", "repaired", "printed_proof"),
            **_parts(claim, "because", "remark"),
            "reason": self.reason,
            "engines": [
                {**_parts(e, "engine", "sentence", "cases", "undefined"), "verdict": str(e.verdict)}
                for e in self.engines
            ],
            "counterexample": _counterexample_json(self.counterexample),
            "repairs": list(claim.repairs),
            "rests_on": list(self.rests_on),
            "place_of": claim.place_of or None,
            "cites": claim.cites or None,
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
        verdicts = Counter(row.verdict for row in self.rows)
        findings = Counter(row.claim.finding for row in self.rows if not row.claim.place_of)
        del findings["none"]
        return {
            "claims": len(self.rows),
            "verdicts": {str(v): verdicts[v] for v in Verdict if verdicts[v]},
            "by": dict(sorted(Counter(row.by for row in self.rows).items())),
            "findings": dict(sorted(findings.items())),
            "unexpected": [row.claim.id for row in self.rows if not row.as_expected],
            "budget": self.budget,
            "seed": self.seed,
            "digest": self.digest(),
        }

    def digest(self) -> str:
        """SHA-256 of all rows: the same seed gives the same, whatever the machine did before."""
        rows = [row.to_json() for row in self.rows]
        for row in rows:
            del row["seconds"], row["as_recorded"]
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
    settled: dict[str, tuple[Verdict, Road, str]] = {}

    def settle(claim_id: str, path: tuple[str, ...]) -> tuple[Verdict, Road, str]:
        if claim_id in path:
            circle = "rests on itself: " + " -> ".join((*path, claim_id))
            return Verdict.ERROR, "outline", circle
        if claim_id not in settled:
            claim = by_id[claim_id]
            supports = {name: settle(name, (*path, claim_id))[0] for name in claim.rests_on}
            settled[claim_id] = judged(claim, evidence[claim_id][0], supports)
        return settled[claim_id]

    def proved(name: str) -> bool:
        return settle(name, ())[0] in PROVED

    rows: list[Row] = []
    behind: list[Row] = []
    asked = set(by_id if wanted is None else wanted)
    needed = asked.union(_resting([claim for claim in claims if claim.id in asked], by_id))
    for claim in (claim for claim in claims if claim.id in needed):
        verdict, road, reason = settle(claim.id, ())
        engines, seconds = evidence[claim.id]
        meant = None
        if claim.finding == "slip" and verdict is Verdict.REFUTED and claim.repairs:
            meant = claim.repairs[0] if all(map(proved, claim.repairs)) else None
        rests_on, assumes = claim.rests_on, _assumed(claim, by_id, proved)
        if road == "prover":
            theorem = next(e for e in engines if e.engine == "prover")
            rests_on, assumes = theorem.uses, ()
        row = Row(claim, verdict, road, reason, engines, rests_on, assumes, seconds, meant)
        (rows if claim.id in asked else behind).append(row)
    return Ledger(tuple(rows), budget, seed, tuple(behind))


def judged(
    claim: Claim, engines: Sequence[Evidence], supports: Mapping[str, Verdict]
) -> tuple[Verdict, Road, str]:
    """The verdict that the evidence allows, the road that reached it, and one sentence."""
    by_verdict = {e.verdict: e for e in reversed(engines)}
    refuted = [e for e in engines if e.verdict is Verdict.REFUTED]
    if refuted:
        proved = [e for e in engines if e.verdict is Verdict.PROVED]
        if proved or _inside_box(claim, engines):
            return Verdict.ERROR, "search", "refuted and proved at once: an engine is wrong"
        cases = [f"{e.counterexample}" for e in refuted if e.counterexample]
        kernel = next((e.sentence for e in refuted if e.engine == "prover"), "")
        reason = "; ".join(part for part in (*cases, kernel) if part)
        return Verdict.REFUTED, "prover" if kernel else "search", reason
    if Verdict.ERROR in by_verdict:
        return Verdict.ERROR, by_verdict[Verdict.ERROR].engine, by_verdict[Verdict.ERROR].sentence
    gap = next((e for e in engines if e.undefined), None)
    if gap is not None:
        return Verdict.UNDECIDED, "search", gap.sentence
    best = next((v for v in _STRENGTH if v in by_verdict), None)
    if best is None:
        return Verdict.UNDECIDED, "search", "no engine had anything to run on"
    reason, road = by_verdict[best].sentence, by_verdict[best].engine
    if best not in PROVED:
        return best, road, reason
    if claim.case and not is_of_theories(by_verdict[best].theorem):
        return Verdict.ERROR, road, "a case of a claim is no proof of it"
    assumes = claim.parameters or claim.hypotheses
    if assumes and all(e.witness is None for e in engines if e.engine == "search"):
        unknown = "no point of the domain is known for certain: it may say nothing"
        return Verdict.UNDECIDED, "search", f"{reason}, but {unknown}"
    joined = joined_by_hand(claim, by_verdict[best])
    if joined:
        for name, verdict in supports.items():
            if verdict in (Verdict.REFUTED, Verdict.ERROR):
                return Verdict.ERROR, "outline", f"rests on {name}, which is {verdict}"
        return Verdict.OUTLINE, "outline", f"{reason}; {joined}"
    return best, road, reason


def joined_by_hand(claim: Claim, evidence: Evidence) -> str:
    """What of a claim's argument no machine has joined; nothing where it has joined all.

    A theorem about free numbers is not yet one about the matrices and runs of which the words
    speak: the claim says so in `outline`, or by resting on claims that the theorem does not use, or
    it follows by linear arithmetic from hypotheses or from bounds by other numbers, whatever the
    numbers are, or its words leave out a hypothesis or what a letter stands for (`words.unsaid`).
    Where a theorem of the theories is the claim, the words have to say all of its premises.
    """
    if claim.outline:
        return claim.outline
    if is_of_theories(evidence.theorem):
        left = [h.premise for h in stated_under(claim, evidence.theorem) if not h.words]
        return f"the words do not say {'; '.join(left)}" if left else ""
    unused = [name for name in claim.rests_on if name not in evidence.uses]
    if unused:
        return f"that {', '.join(unused)} apply is a person's argument"
    given = tuple(assumed(claim))
    if given and all(map(is_linear, (claim.formula, *given))):
        return "what its free numbers stand for is said in words alone"
    left_out = unsaid(claim)
    return f"the words do not say {', '.join(left_out)}" if left_out else ""


def is_of_theories(theorem: str) -> bool:
    """Whether a theorem is one of the theories, not one made from a claim or its negation."""
    return bool(theorem) and not theorem.startswith(("claim_", "refuted_"))


def stated_under(claim: Claim, theorem: str) -> tuple[Hypothesis, ...]:
    """The premises of a theorem of the theories, and where the words of a claim say them."""
    return hypotheses(claim, recorded().statements[theorem]["statement"])


def is_linear(text: str) -> bool:
    """Whether both sides are linear in the names: sums of names, each times a number.

    >>> is_linear("G <= H + 2*S"), is_linear("G**2 <= H"), is_linear("G <= a*H")
    (True, False, False)
    """

    def degree(node: ast.AST) -> int:
        if isinstance(node, ast.Call) and formula.is_all(node):
            return degree(node.args[0].elt)  # type: ignore[attr-defined]
        if isinstance(node, ast.Name):
            return 1
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            product = isinstance(node.op, ast.Mult)
            return degree(node.left) + degree(node.right) * (1 if product else 2)
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)) or isinstance(
            node, ast.Call | ast.IfExp | ast.Subscript | ast.List | ast.ListComp
        ):
            return 2
        return max((degree(child) for child in ast.iter_child_nodes(node)), default=0)

    return degree(formula.parse(text).body) <= 1


def _inside_box(claim: Claim, engines: Sequence[Evidence]) -> bool:
    """Whether a counterexample lies in the part of the domain that an engine claims to cover."""
    case = next((e.counterexample.case for e in engines if e.counterexample), None)
    if case is None:
        return False
    partly = (Verdict.PROVED_ON_BOX, Verdict.PROVED_UP_TO)
    if not any(e.verdict in partly for e in engines) or not isinstance(claim.box, dict):
        return False
    return all(
        Fraction(low) <= case[name] <= Fraction(high) for name, (low, high) in claim.box.items()
    )


def _assumed(
    claim: Claim, by_id: Mapping[str, Claim], proved: Callable[[str], bool]
) -> tuple[str, ...]:
    """The textbook facts, not proved here, that a person's argument rests on."""
    behind = _resting([claim], by_id)
    return tuple(name for name in behind if by_id[name].kind == "trusted" and not proved(name))


def _resting(claims: Sequence[Claim], by_id: Mapping[str, Claim]) -> list[str]:
    """The ids of all that the claims rest on, directly or through others, the nearest first."""

    def behind(claim: Claim) -> list[str]:
        return [name for name in supports(claim) if name in by_id]

    start = (name for claim in claims for name in behind(claim))
    return reachable(start, lambda name: behind(by_id[name]))


def _parts(of: object, *names: str) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}


def _counterexample_json(counterexample: Counterexample | None) -> dict[str, Any] | None:
    if counterexample is None:
        return None
    left, right = counterexample.left, counterexample.right
    return {
        "case": entrywise(str, counterexample.case),
        "left": list(left),
        "relation": counterexample.relation,
        "right": list(right),
        "shown": (
            f"{show(counterexample.case)}: {shown_side(left, right)} against "
            f"{shown_side(right, left)}"
        ),
    }

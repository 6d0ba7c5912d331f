"""What `ctv verify` answers: the ledger, one claim in full, a recheck."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctv.formulas.typeset import latex, text
from ctv.show.plain import picked
from ctv.show.rounding import counted
from ctv.show.sheet import Row as Line
from ctv.show.sheet import Sheet, prose, words
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from proofs_check.checker.answer import Answered, Checked
    from proofs_check.language.ledger_file import Paper
    from proofs_check.recheck.outcome import Rechecked
    from proofs_check.records.ledger import Ledger, Row

_STANDING = (
    "PROVED and REFUTED are certified: exact arithmetic, enclosures or the proof assistant. "
    "Of an OUTLINE a person joined the steps; SUPPORTED and UNDECIDED prove nothing."
)
_MOST_ROWS = 12
_IN_FULL = 3
_LONGEST_REASON = 500


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Shown):
    """The ledger of the claims asked for, and which of its rows are shown.

    Attributes
    ----------
    ledger : every claim that was examined
    rows : those selected, findings first
    alone : whether one claim was asked for, which is shown in full
    title : of a ledger that is not shipped
    papers : the ledgers, of which the JSON says how much of each paper is judged
    """

    format = "ctv-bounds ledger 1"

    ledger: Ledger
    rows: tuple[Row, ...]
    alone: bool
    title: str = ""
    papers: tuple[Paper, ...] = ()

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict of each claim, by its id."""
        return {row.claim.id: row.verdict.name for row in self.rows}

    def headline(self) -> str:
        return self._counts()

    def exit_code(self) -> int:
        return int(not self.ledger.as_expected)

    def parts(self) -> dict[str, Any]:
        from proofs_check.prover.record import state

        return {
            "claims": [row.to_json() for row in self.rows],
            "summary": self.ledger.summary(),
            "coverage": [_covered(paper) for paper in self.papers if paper.places],
            "prover": state(),
            "seed": self.ledger.seed,
            "budget": self.ledger.budget,
        }

    def screen(self) -> Screen:
        if self.alone:
            return Screen((_in_full(self.rows[0]),))
        summary = self.ledger.summary()
        first = [f"{self._counts()}."]
        if summary["findings"]:
            findings = ", ".join(f"{count} {name}" for name, count in summary["findings"].items())
            first.append(f"Findings: {findings}. One claim in full: ctv verify ID.")
        recorded = sum(row.as_recorded for row in self.rows)
        if recorded:
            first.append(
                f"{recorded} rest on the kernel of Coq as recorded: "
                "ctv verify --prover asks it here."
            )
        if summary["unexpected"]:
            first.append(f"Not as expected: {', '.join(summary['unexpected'])}.")
        if self.title and any(_without_proof(row) for row in self.rows):
            first.append(
                "--prover lets the usual tactics look for proofs; ID --show goal shows the goal."
            )
        full = Sheet(
            "Claims, findings first",
            (prose("claim"), prose("place"), *words("verdict"), prose("why")),
            tuple(map(_line, self.rows)),
            _STANDING,
        )
        if len(self.rows) <= _IN_FULL:
            return Screen((*first, full))
        brief = Sheet(
            "Findings first",
            words("claim", "verdict", "finding"),
            tuple(
                Line(
                    (row.claim.id, _verdict(row), _finding(row)),
                    emphasised=not row.as_expected,
                )
                for row in self.rows
            ),
            _STANDING,
        )
        return Screen((*first, brief.shortened(_MOST_ROWS)), (full,))

    def _repr_html_(self) -> str:
        from ctv.formulas.mathml import mathml

        formula = self.rows[0].claim.formula if self.alone else ""
        return (mathml(latex(formula)) if formula else "") + super()._repr_html_()

    def _counts(self) -> str:
        summary = self.ledger.summary()
        counts = ", ".join(f"{count} {name}" for name, count in summary["verdicts"].items())
        named = f"{self.title}: " if self.title else ""
        claims = counted(summary["claims"], "claim")
        return f"{named}{claims}: {counts}"


def _covered(paper: Paper) -> dict[str, Any]:
    """How much of a paper is judged: of its sentences, and of its displays and labels."""
    from proofs_check.language.sentences import metered

    judged = {name for claim in paper.claims for name in claim.places}
    places = paper.places
    return {
        "paper": paper.title,
        "sentences": metered(paper.sentences.values()).to_json() if paper.sentences else None,
        "places": {
            "total": len(places),
            "judged": len(judged.intersection(places)),
            "without": {n: p.says or "no claim" for n, p in places.items() if n not in judged},
        },
    }


@dataclass(frozen=True, eq=False, repr=False)
class Recheck(Shown):
    """A certificate that was derived again by other code.

    Attributes
    ----------
    path : of the file
    results : one for each claim of it
    problem : of what the accepted claims of a certificate of bounds speak; None for a ledger's
    missing : the claims of the ledger that its certificate leaves out
    """

    format = "ctv-bounds recheck 1"

    path: Path
    results: tuple[Rechecked, ...]
    problem: Mapping[str, Any] | None
    missing: tuple[str, ...] = ()

    @property
    def skipped(self) -> tuple[Rechecked, ...]:
        """What is neither proved nor refuted, as its claim says."""
        return tuple(r for r in self.results if r.accepted and not r.derived)

    @property
    def accepted(self) -> int:
        """How many claims were derived again."""
        return sum(result.accepted for result in self.results) - len(self.skipped)

    def headline(self) -> str:
        checked = len(self.results) - len(self.skipped)
        return f"{self.accepted} of {checked} claims derived again from the file"

    def exit_code(self) -> int:
        return int(not all(result.accepted for result in self.results))

    def parts(self) -> dict[str, Any]:
        return {
            "recheck": [
                {
                    **picked(result, "id", "verdict", "value", "accepted", "reason"),
                    "seconds": round(result.seconds, 3),
                }
                for result in self.results
                if result.derived or not result.accepted
            ],
            "nothing_to_derive": [picked(r, "id", "verdict") for r in self.skipped],
            "summary": {
                "checked": len(self.results) - len(self.skipped),
                "accepted": self.accepted,
                "nothing_to_derive": len(self.skipped),
            },
            "missing": list(self.missing),
            "problem": self.problem,
            "certificate": str(self.path),
        }

    def screen(self) -> Screen:
        """How many were derived again, what was refused, and of what problem."""
        refused = [
            _printable(f"refused {result.id} ({result.verdict}): {result.reason}")
            for result in self.results
            if not result.accepted
        ]
        first = [f"{self.headline()}.", *refused]
        if self.problem is not None:
            first += list(_claimed(self.results, self.problem))
        if self.missing:
            named = ", ".join(self.missing[:_MOST_ROWS])
            more = ", …" if len(self.missing) > _MOST_ROWS else ""
            first.append(
                f"{len(self.missing)} claims of the ledger are not in the file: {named}{more}"
            )
        if self.skipped:
            first.append("Neither proved nor refuted, so nothing to derive:")
        for verdict in sorted({result.verdict for result in self.skipped}):
            ids = [result.id for result in self.skipped if result.verdict == verdict]
            first.append(f"{len(ids)} {verdict}: {', '.join(ids)}.")
        return Screen(tuple(first))

    def table(self) -> Sheet:
        """Every claim that was to be derived."""
        return Sheet(
            self.headline(),
            (*words("claim", "verdict", "accepted"), prose("reason")),
            tuple(
                Line((r.id, str(r.verdict), "yes" if r.accepted else "no", _printable(r.reason)))
                for r in self.results
            ),
            "Accepted claims are certified: derived again by other code than made them.",
        )


def _verdict(row: Row) -> str:
    recorded = " as recorded" if row.as_recorded else ""
    expected = "" if row.as_expected else f" (expected {row.claim.expected})"
    return f"{row.verdict}{recorded}{expected}"


def _without_proof(row: Row) -> bool:
    """Whether a proof is what a claim lacks."""
    open_ones = ("SUPPORTED", "UNDECIDED")
    return str(row.verdict) in open_ones and row.claim.expected == "PROVED" and not row.claim.proof


def _finding(row: Row) -> str:
    """What is wrong with a printed statement; of a false neighbour of ours that it is planted."""
    if row.claim.kind == "planted":
        return "planted"
    return "" if row.claim.finding == "none" else row.claim.finding


def _line(row: Row) -> Line:
    finding = f"[{_finding(row)}] " if _finding(row) else ""
    why = f"{finding}{row.claim.because}" if row.as_expected else row.reason
    cells = (row.claim.id, row.claim.where, _verdict(row), why)
    return Line(cells, emphasised=not row.as_expected)


def _in_full(row: Row) -> Sheet:
    """Statement, evidence, counterexample with both sides, repairs."""
    claim = row.claim
    lines = [(name, text) for name, text in _full_lines(row) if text]
    return Sheet(
        f"{claim.id}: {claim.label} ({claim.where})",
        (*words(""), prose("")),
        tuple(Line(line) for line in lines),
        "",
    )


def _full_lines(row: Row) -> Iterator[tuple[str, str]]:
    from proofs_check.records.lean import in_lean

    claim = row.claim
    yield "verdict", f"{row.verdict}{', as recorded' if row.as_recorded else ''}: {row.meaning}"
    yield "statement", claim.statement
    yield "reading", claim.reading
    yield "cites", claim.cites
    # Where a theorem is the claim, it has no formula: a case of it is searched.
    whole = not claim.case
    if row.of_the_theories and row.formal is not None:
        yield "theorem says", row.formal["words"]
        yield "  differs", row.formal["differs"]
        for given in row.hypotheses:
            yield "  given", f"{given.words or 'not said in words'}: {given.premise}"
    yield "formula" if whole else "case searched", text(claim.searched) if claim.searched else ""
    for name, meaning in claim.let:
        yield "  where", text(f"{name} == {meaning}")
    yield "domain" if whole else "  over", claim.domain
    unsized = row.by in ("search", "runs") or row.verdict == "REFUTED"
    yield "by", row.by + ("" if unsized else f", sizes: {_sizes(row)}")
    if row.meant is not None:
        yield "meant", f"{row.meant}, which is proved"
    yield "expected", f"{claim.expected}: {claim.because}"
    grades = [f"consequence: {claim.consequence}"] if claim.consequence else []
    grades += [f"repair: {claim.repaired}"] if claim.repaired else []
    yield "finding", "; ".join([claim.finding, *grades])
    yield "printed proof", claim.printed_proof
    if row.verdict == "OUTLINE" or (row.by == "search" and not row.as_expected):
        yield "reason", row.reason
    for evidence in row.engines:
        yield evidence.engine, f"{evidence.verdict}: {evidence.sentence}"
    if row.as_recorded:
        unasked = "not asked on this machine, and worth what those are who could edit the record"
        yield "as recorded", f"{unasked}: ctv verify {claim.id} --prover"
    if row.counterexample:
        from proofs_check.language.claim import show, shown_side

        counterexample = row.counterexample
        yield "counterexample", show(counterexample.case)
        yield "  left side", shown_side(counterexample.left, counterexample.right)
        right = shown_side(counterexample.right, counterexample.left)
        yield "  right side", f"{right}   ({counterexample.relation} fails)"
    if row.formal is not None:
        yield "theorem", _one_line(row.formal["theorem"])
        yield "  instance", _one_line(row.formal["instance"])
        for meaning in row.formal["definitions"].values():
            yield "  where", _one_line(meaning)
    lean = in_lean(claim)
    if lean is not None:
        yield "in Lean", f"stated as {lean['name']} in {lean['file']}, never compiled here"
    yield "rests on", ", ".join(row.rests_on)
    yield "assumes", ", ".join(row.assumes)
    yield "repaired by", ", ".join(claim.repairs)
    yield "remark", claim.remark


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _sizes(row: Row) -> str:
    sizes = row.sizes
    return sizes if isinstance(sizes, str) else ", ".join(f"{n} <= {k}" for n, k in sizes.items())


@dataclass(frozen=True, eq=False, repr=False)
class Tree(Shown):
    """What claims rest on, and so on down to what is assumed.

    The assistant makes the links of what it proved; those that a person made are marked so.
    """

    format = "ctv-bounds proof tree 1"

    ledger: Ledger
    ids: tuple[str, ...]

    def headline(self) -> str:
        return f"What {', '.join(self.ids)} rests on"

    def parts(self) -> dict[str, Any]:
        tree = [[depth, name, verdict] for depth, name, verdict in self._lines()]
        return {"tree": tree, "axioms": self._axioms()}

    def screen(self) -> Screen:
        lines = tuple("  " * depth + f"{name}: {verdict}" for depth, name, verdict in self._lines())
        own = "The assistant's own axioms, of all its theorems: " + ", ".join(self._axioms())
        recorded = any(row.as_recorded for row in (*self.ledger.behind, *self.ledger.rows))
        note = ("What is by prover stands as recorded: ctv verify --prover asks it here.",)
        return Screen((*lines, own, *(note if recorded else ())))

    def _axioms(self) -> list[str]:
        from proofs_check.prover.record import recorded

        return list(recorded().axioms)

    def _lines(self) -> Iterator[tuple[int, str, str]]:
        rows = {row.claim.id: row for row in (*self.ledger.behind, *self.ledger.rows)}

        above: set[str] = set()

        def walk(name: str, depth: int, link: str) -> Iterator[tuple[int, str, str]]:
            row = rows.get(name)
            verdict = f"{row.verdict} by {row.by}" if row else "assumed"
            supports = (*row.rests_on, *(a for a in row.assumes if a not in rows)) if row else ()
            again = ", see above" if supports and name in above else ""
            yield depth, name, verdict + link + again
            if row is not None and not again:
                above.add(name)
                link = "" if row.by == "prover" else ", linked by a person"
                for support in supports:
                    yield from walk(support, depth + 1, link)

        for name in self.ids:
            yield from walk(name, 0, "")


@dataclass(frozen=True, eq=False, repr=False)
class Asked(Shown):
    """What the proof assistant said, asked anew, and where the record differs from it."""

    format = "ctv-bounds prover 1"

    compared: Mapping[str, Any]

    def headline(self) -> str:
        accepted, version = self.compared["accepted"], self.compared["version"]
        return f"Coq {version} accepts {accepted} theorems of claims"

    def exit_code(self) -> int:
        return int(bool(self.compared["differing"]))

    def parts(self) -> dict[str, Any]:
        return {"prover": dict(self.compared)}

    def screen(self) -> Screen:
        differing = (f"differs from the record: {name}" for name in self.compared["differing"])
        lines = [f"{self.headline()}; coqchk accepts every compiled file.", *differing]
        if self.compared["same_files"] is not None:
            same = "those" if self.compared["same_files"] else "not those, byte for byte,"
            lines.append(f"The compiled files are {same} of the record.")
        if self.compared["receipt"]:
            lines.append(f"Receipt, by which verdicts stand here: {self.compared['receipt']}")
        return Screen(tuple(lines))


@dataclass(frozen=True)
class ByKernel(Shown):
    """What the proved checker said of the regret and the gain of a certificate."""

    format = "ctv-bounds kernel 2"

    checked: Checked

    def headline(self) -> str:
        found = self.checked
        who = "Coq's kernel" if found.by == "prover" else "The checker extracted from Coq"
        regret = found.claims[0]
        late = f", with results {counted(found.delay, 'round')} late" if found.delay else ""
        return (
            f"{who} {_says(regret)}: regret of ctv-fixed, exploration theory{late}, at most "
            f"{regret.claim!r} at each of {counted(found.rounds, 'round')} with probability "
            f"{1 - found.delta:g}."
        )

    def exit_code(self) -> int:
        return int(not self.checked.accepted)

    def parts(self) -> dict[str, Any]:
        return {"kernel": asdict(self.checked)}

    def screen(self) -> Screen:
        lines = [self.headline()]
        for claim in self.checked.claims[1:]:
            if claim.id == "floor":
                lines.append(_lost(claim))
                continue
            if claim.id.startswith("point_times"):
                lines.append(_own_times(claim, self.checked))
                continue
            said = {
                "gain.lower": f"there are points with a gain of at least {claim.claim!r}",
                "gamma": f"if it did not move, the gain of any points at most {claim.claim!r}",
                "gamma.box": f"and of any points of the whole box at most {claim.claim!r}",
            }.get(claim.id, f"the gain of any points is at most {claim.claim!r}")
            lines.append(f"It {_says(claim)}: {said} nats.")
        stated = [
            claim
            for claim in self.checked.claims
            if claim.stated is not None and claim.id != "floor"
        ]
        if stated:
            numbers = ", ".join(f"{claim.id} {claim.stated!r}" for claim in stated)
            lines.append(
                f"The certificate states {numbers}; a question is weaker as far as its evidence in "
                "whole numbers needs, by at most 1e-6 of itself."
            )
        lines.append(
            f"The theorems are {'late_' if self.checked.delay else ''}headline_sound, above_sound, "
            "below_sound, space_sound, box_space_sound, floor_sound and own_headline_sound: every "
            "probability space, every Gaussian objective with this covariance on these points, "
            "every policy that plays a largest index (of the mean loss every measurable policy), "
            "the decimals as they are printed (docs/trust.md)."
        )
        return Screen(tuple(lines))


def _lost(claim: Answered) -> str:
    """What every policy loses: the number that was checked, and the one of the certificate."""
    said = f"It {_says(claim)}: every policy has expected regret of at least {claim.claim!r}"
    if claim.stated is None or claim.claim >= claim.stated:
        return f"{said}."
    return (
        f"{said}, by m* of points that are far apart and the regret of each round that follows. "
        f"The certificate states {claim.stated!r}: a larger m* and the start-up part are not in "
        "the checker (ctv verify FILE without --kernel derives them)."
    )


def _own_times(claim: Answered, found: Checked) -> str:
    """The regret where evaluation times depend on the point."""
    road = {
        "point_times.regret": "each deviation counted as 1",
        "point_times.envelope": "by the gain of rounds that all take the longest time",
    }[claim.id]
    return (
        f"It {_says(claim)}: where each point has an evaluation time of its own, none above "
        f"{found.longest!r}, a policy that plays a largest index, by weights that Theorem C allows "
        f"and none above that of the last round, has regret at most {claim.claim!r} at each of "
        f"{found.rounds:,} rounds with probability {1 - found.delta:g} ({road})."
    )


def _says(claim: Answered) -> str:
    return "accepts" if claim.accepted else "refuses"


def _claimed(results: Sequence[Rechecked], problem: Mapping[str, Any]) -> Iterator[str]:
    """The problem of a certificate of bounds, what was accepted of it, and what it leaves out."""
    from proofs_check.records.bound_certificate import CLAIMED

    space, time = problem["space_kernel"], problem["time_kernel"]
    # All digits: what is rounded here would be another problem.
    yield (
        f"Problem: {counted(problem['rounds'], 'round')} to time {problem['total_time']!r}, the "
        "times given "
        f"as {_printable(problem['given'])}; {_kernel(space)} on {_domain(problem)}, σ² = "
        f"{problem['noise_variance']!r}; {_kernel(time)} over time, ε = {problem['epsilon']!r}; "
        f"δ = {problem['delta']!r}{_late(problem)}."
    )
    yield f"SHA-256 of the instants: {problem['instants']}."
    if "data" in problem:
        yield f"SHA-256 of points and observations: {problem['data']}."
    values = {result.id: result.value for result in results if result.accepted}
    shown = [
        f"{name} {'>=' if name in ('gain.lower', 'floor') else '<='} {value!r}"
        for name, value in values.items()
    ]
    yield f"Accepted: {', '.join(shown)}."
    sampled = [result for result in results if result.accepted and " again, by " in result.reason]
    for result in sampled:
        yield f"{result.id} was drawn again, not proved: {result.reason}."
    lacking = [name for name in CLAIMED if name not in values and "data" not in problem]
    if lacking:
        yield f"Nothing is accepted of {', '.join(lacking)}."


def _late(problem: Mapping[str, Any]) -> str:
    """What bounds of a certificate depend on beside the problem of every command."""
    late, longest = problem.get("delay"), problem.get("longest")
    conditions = "" if late is None else f"; results {late} rounds late"
    conditions += "" if longest is None else f"; no time t(x) above {longest!r}"
    level = problem.get("schedule_delta")
    return conditions + ("" if level is None else f"; the schedule at level 1 - {level!r}")


def _domain(problem: Mapping[str, Any]) -> str:
    domain = problem.get(
        "domain", {"side": problem.get("side"), "points_per_axis": problem.get("grid")}
    )
    if "rows" in domain:
        rows = json.dumps(domain["rows"], separators=(",", ":"))
        digest = hashlib.sha256(rows.encode()).hexdigest()
        return f"{len(domain['rows']):,} points of SHA-256 {digest}"
    return (
        f"a grid in dimension {problem['dimension']}, {domain['points_per_axis']} points an axis, "
        f"side {domain['side']!r}"
    )


def _kernel(described: Mapping[str, Any]) -> str:
    given = {name: value for name, value in described.items() if name != "type"}
    parameters = [
        f"{name} {value!r}" if isinstance(value, int | float) else f"{name} {value}"
        for name, value in given.items()
    ]
    return f"{described['type']} kernel ({', '.join(parameters)})"


def _printable(text: str) -> str:
    """One line of what a file says, whatever it says."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:_LONGEST_REASON]


def exported(ledger: Ledger, papers: Sequence[Paper]) -> dict[str, Any]:
    """The claims with what stands behind each, as plain data for other programs."""
    from proofs_check.records.lean import in_lean

    def one(row: Row) -> dict[str, Any]:
        claim, counterexample = row.claim, row.counterexample
        return {
            "id": claim.id,
            "label": claim.label,
            "location": claim.where,
            "statement": claim.statement,
            "formula": claim.formula,
            "domain": claim.domain,
            "verdict": str(row.verdict),
            "evidence": row.by,
            "certified": str(row.verdict).startswith(("PROVED", "REFUTED")),
            "theorem": row.theorem,
            "lean": in_lean(claim),
            "counterexample": None if counterexample is None else str(counterexample),
            "finding": claim.finding,
            "consequence": claim.consequence,
            "repaired": claim.repaired,
            "repairs": list(claim.repairs),
            "rests_on": list(row.rests_on),
            "cites": claim.cites or None,
            "reproduce": f"ctv verify {claim.id}",
        }

    return {
        "format": "ctv-bounds claims 1",
        "papers": [picked(paper, "title", "authors", "year", "identifier") for paper in papers],
        "claims": [one(row) for row in ledger.rows],
        "summary": ledger.summary(),
    }

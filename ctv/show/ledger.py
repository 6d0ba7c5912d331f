"""What `ctv verify` answers: the ledger, one claim in full, a recheck; and LEDGER.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctv.show.plain import project_version
from ctv.show.sheet import Row as Line
from ctv.show.sheet import Sheet, prose, words
from ctv.show.shown import Screen, Shown

if TYPE_CHECKING:
    from proofs_check.recheck.ledger import Rechecked
    from proofs_check.records.ledger import Ledger, Row

MARKDOWN_HEAD = """# The ledger

Every numbered statement and displayed step of the paper (arXiv 2003.04691), in our words, with the
verdict that a machine reached. Written by `ctv verify --markdown LEDGER.md`; a test keeps it
current. Formulas, domains and evidence of one claim: `ctv verify ID`.

PROVED: exact algebra or enclosures cover the stated domain. PROVED_ON_BOX: a named part of it.
SUPPORTED: no counterexample was found, which proves nothing. REFUTED: a counterexample was
re-verified exactly or by enclosure. A verdict "given" other claims rests on textbook facts.
Sentences on the experiments (section 5) are about a population of runs: SUPPORTED where all their
comparisons came out as stated at 95 %, else UNDECIDED, with a finding where one came out the other
way at 95 %; no sample proves or refutes.

"""

_STANDING = (
    "PROVED and REFUTED are certified: exact arithmetic, enclosures or the proof assistant. "
    "SUPPORTED and UNDECIDED prove nothing."
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
    """

    ledger: Ledger
    rows: tuple[Row, ...]
    alone: bool

    def headline(self) -> str:
        return self._counts()

    def exit_code(self) -> int:
        return int(not self.ledger.as_expected)

    def parts(self) -> dict[str, Any]:
        return {
            "claims": [row.to_json() for row in self.rows],
            "summary": self.ledger.summary(),
            "version": project_version(),
            "seed": self.ledger.seed,
            "budget": self.ledger.budget,
        }

    def screen(self) -> Screen:
        if self.alone:
            return Screen((_in_full(self.rows[0]),))
        summary = self.ledger.summary()
        first = [f"{self._counts()}."]
        if summary["findings"]:
            found = ", ".join(f"{count} {name}" for name, count in summary["findings"].items())
            first.append(f"Findings: {found}. One claim in full: ctv verify ID.")
        if summary["unexpected"]:
            first.append(f"Not as expected: {', '.join(summary['unexpected'])}.")
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

    def _counts(self) -> str:
        summary = self.ledger.summary()
        counts = ", ".join(f"{count} {name}" for name, count in summary["verdicts"].items())
        return f"{summary['claims']} claims: {counts}"


@dataclass(frozen=True, eq=False, repr=False)
class Recheck(Shown):
    """A certificate that was derived again by other code.

    Attributes
    ----------
    path : of the file
    results : one for each claim of it
    problem : of what the accepted claims of a certificate of bounds speak; None for a ledger's
    """

    path: Path
    results: tuple[Rechecked, ...]
    problem: Mapping[str, Any] | None

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
                    "id": result.id,
                    "verdict": result.verdict,
                    "value": result.value,
                    "accepted": result.accepted,
                    "reason": result.reason,
                    "seconds": round(result.seconds, 3),
                }
                for result in self.results
                if result.derived or not result.accepted
            ],
            "nothing_to_derive": [{"id": r.id, "verdict": r.verdict} for r in self.skipped],
            "summary": {
                "checked": len(self.results) - len(self.skipped),
                "accepted": self.accepted,
                "nothing_to_derive": len(self.skipped),
            },
            "problem": self.problem,
            "certificate": str(self.path),
            "version": project_version(),
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
    expected = "" if row.as_expected else f" (expected {row.claim.expected})"
    return f"{row.judged}{expected}"


def _finding(row: Row) -> str:
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
    claim = row.claim
    yield "verdict", f"{row.judged}: {row.meaning}"
    yield "statement", claim.statement
    yield "reading", claim.reading
    yield "formula", claim.formula
    for name, meaning in claim.let:
        yield "  where", f"{name} = {meaning}"
    yield "domain", claim.domain
    if row.meant is not None:
        yield "as written", f"{row.verdict}; a slip of notation, judged by what was meant"
    yield "expected", f"{claim.expected}: {claim.because}"
    yield "finding", claim.finding
    yield "printed proof", claim.printed_proof
    for evidence in row.engines:
        yield evidence.engine, f"{evidence.verdict}: {evidence.sentence}"
        for instance in evidence.instances:
            yield "  cites", instance
    if row.counterexample:
        from proofs_check.language.claim import show, shown_side

        found = row.counterexample
        yield "counterexample", show(found.case)
        yield "  left side", shown_side(found.left, found.right)
        right = shown_side(found.right, found.left)
        yield "  right side", f"{right}   ({found.relation} fails)"
    yield "rests on", ", ".join(claim.rests_on)
    yield "trusted base", ", ".join(row.trusted)
    yield "repaired by", ", ".join(claim.repairs)
    yield "remark", claim.remark


def _claimed(results: Sequence[Rechecked], problem: Mapping[str, Any]) -> Iterator[str]:
    """The problem of a certificate of bounds, what was accepted of it, and what it leaves out."""
    from proofs_check.records.bound_certificate import CLAIMED

    space, time = problem["space_kernel"], problem["time_kernel"]
    yield (
        f"Problem: {problem['rounds']:,} rounds to time {problem['total_time']:g}; "
        f"{_kernel(space)} on {_domain(problem)}, σ² = {problem['noise_variance']:g}; "
        f"{_kernel(time)} over time, ε = {problem['epsilon']:g}; "
        f"δ = {problem['delta']:g}."
    )
    values = {result.id: result.value for result in results if result.accepted}
    shown = [
        f"{name} {'>=' if name in ('gain.lower', 'floor') else '<='} {value!r}"
        for name, value in values.items()
    ]
    yield f"Accepted: {', '.join(shown)}."
    if "row.schedule" in values:
        yield "row.schedule was simulated again on other draws, which refutes and does not prove."
    lacking = [name for name in CLAIMED if name not in values]
    if lacking:
        yield f"Nothing is accepted of {', '.join(lacking)}."


def _domain(problem: Mapping[str, Any]) -> str:
    from bounds.domain import Grid, domain_from_data

    if "domain" in problem:
        return domain_from_data(problem["domain"]).phrase
    return Grid(problem["dimension"], problem["side"], problem["grid"]).phrase


def _kernel(described: Mapping[str, Any]) -> str:
    given = {name: value for name, value in described.items() if name != "type"}
    parameters = [
        f"{name} {value:g}" if isinstance(value, int | float) else f"{name} {value}"
        for name, value in given.items()
    ]
    return f"{described['type']} kernel ({', '.join(parameters)})"


def _printable(text: str) -> str:
    """One line of what a file says, whatever it says."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:_LONGEST_REASON]


def ledger_markdown(ledger: Ledger) -> str:
    """LEDGER.md: findings first, then every claim in paper order."""
    found = Sheet(
        "",
        words("claim", "place", "finding", "why", "repair"),
        tuple(map(_finding_line, (row for row in ledger.rows if row.claim.finding != "none"))),
        "",
    )
    every = Sheet(
        "",
        words("claim", "place", "statement", "verdict", "printed proof"),
        tuple(map(_claim_line, ledger.rows)),
        "",
    )
    return (
        f"{MARKDOWN_HEAD}## Findings\n\n{found.markdown()}\n\n## All claims\n\n{every.markdown()}\n"
    )


def _finding_line(row: Row) -> Line:
    claim, why = row.claim, row.claim.because
    if row.counterexample:
        why += f" *Counterexample:* {row.counterexample}."
    repairs = ", ".join(f"`{name}`" for name in claim.repairs) or "–"
    return Line((f"`{claim.id}`", claim.where, claim.finding, why, repairs))


def _claim_line(row: Row) -> Line:
    claim, verdict = row.claim, str(row.judged)
    if row.meant is not None:
        verdict += f" as meant, {row.verdict} as written"
    undefined = sum(e.undefined for e in row.engines)
    if undefined:
        verdict += f", undefined in {undefined} cases"
    if row.trusted:
        verdict += " given " + ", ".join(f"`{name}`" for name in row.trusted)
    return Line((f"`{claim.id}`", claim.where, claim.statement, verdict, claim.printed_proof))

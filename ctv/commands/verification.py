"""The ledger on the command line: run it, show it, write and check certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import cpu_count
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

from bounds.errors import InvalidInput
from ctv.outputs import write_whole

if TYPE_CHECKING:
    from rich.console import Console

    from bounds.confidence.certified import Confidence
    from bounds.promises.bounds import Bounds
    from proofs_check.recheck.ledger import Rechecked
    from proofs_check.records.ledger import Ledger, Row

WIDTH = 120
ID_WIDTH = 27
_LONGEST_REASON = 500
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
STYLES = {
    "PROVED": "green",
    "PROVED_ON_BOX": "green",
    "REFUTED": "bold red",
    "SUPPORTED": "cyan",
    "UNDECIDED": "yellow",
    "ERROR": "bold magenta",
}
ONLY = (
    *(name.replace("_", " ").lower() for name in STYLES),
    *("findings", "unexpected"),
    *("false", "gap", "missing hypothesis", "wrong reason", "vacuous", "slip"),
)


def check_paths(**paths: Path | None) -> None:
    """Raise `InvalidInput` where a file could not be written, before anything is computed."""
    for option, path in paths.items():
        if path is None:
            continue
        if path.is_dir():
            raise InvalidInput(option, str(path), "is a folder: name a file")
        if not path.resolve().parent.is_dir():
            raise InvalidInput(option, str(path), "its folder does not exist: make it first")


def refuse_beside_recheck(**options: object) -> None:
    """Raises `InvalidInput` for the first option that is given and that a recheck does not use."""
    for option, value in options.items():
        if value is not None:
            raise InvalidInput(option, str(value), "drop it: --recheck derives a whole file")


def recheck(path: Path, advance: Callable[[str, float], None]) -> tuple[Rechecked, ...]:
    """Check a certificate of the ledger or of bounds again, by other code than made it."""
    from proofs_check.recheck.bound import is_bound_certificate, recheck_bound
    from proofs_check.recheck.ledger import recheck as recheck_ledger

    if is_bound_certificate(path):
        return recheck_bound(path, advance)
    return recheck_ledger(path, progress=advance)


def rechecked_problem(path: Path, results: Sequence[Rechecked]) -> dict[str, Any] | None:
    """Of what the accepted claims of a certificate of bounds speak; None for a ledger's."""
    from proofs_check.recheck.bound import certified_problem, is_bound_certificate

    if not is_bound_certificate(path) or not any(result.accepted for result in results):
        return None
    return certified_problem(path)


def write_bound_certificate(
    path: Path, found: Bounds, confidence: Confidence, version: str
) -> None:
    """Write what is needed to check the bounds of a report again."""
    from proofs_check.records import bound_certificate as files

    assert found.design is not None
    body = files.bound_certificate(
        found.report, found.curve, found.design, confidence, version, found.rows
    )
    write_whole(path, files.text_of(body).encode())


def run(
    ids: Sequence[str],
    budget: str,
    seed: int,
    workers: int | None,
    advance: Callable[[str, float], None],
) -> Ledger:
    """The ledger of the named claims, with as many workers as there are processors."""
    from proofs_check.records.verify import verify

    count = (cpu_count() or 1) if workers is None else workers
    if count < 1:
        raise InvalidInput("workers", count, "give at least 1")
    return verify(ids, budget, seed=seed, workers=count, progress=advance)


def check_only(only: str | None) -> None:
    """Raise `InvalidInput` for a selection that names nothing, before anything is computed."""
    if only is not None and _words(only) not in ONLY:
        raise InvalidInput("only", only, "use a verdict such as refuted, findings or unexpected")


def selected(ledger: Ledger, only: str | None) -> list[Row]:
    """The rows to show: findings first, then the rest, each in paper order.

    `only` is a verdict, a finding, `findings` or `unexpected`. Raises `InvalidInput` otherwise.
    """
    check_only(only)
    rows = sorted(ledger.rows, key=lambda row: row.claim.finding == "none")
    if only is None:
        return rows
    wanted = _words(only)
    return [
        row
        for row in rows
        if wanted in (_words(str(row.judged)), row.claim.finding)
        or (wanted == "findings" and row.claim.finding != "none")
        or (wanted == "unexpected" and not row.as_expected)
    ]


def payload(ledger: Ledger, only: str | None, version: str) -> dict[str, Any]:
    """What `ctv verify --json` prints."""
    return {
        "claims": [row.to_json() for row in selected(ledger, only)],
        "summary": ledger.summary(),
        "version": version,
        "seed": ledger.seed,
        "budget": ledger.budget,
    }


def recheck_payload(
    results: Sequence[Rechecked], problem: dict[str, Any] | None, path: Path, version: str
) -> dict[str, Any]:
    """What `ctv verify --recheck FILE --json` prints; `recheck` lists what was to be derived."""
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
            for result in results
            if result.derived or not result.accepted
        ],
        "nothing_to_derive": [
            {"id": result.id, "verdict": result.verdict} for result in _skipped(results)
        ],
        "summary": {
            "checked": len(results) - len(_skipped(results)),
            "accepted": sum(result.accepted for result in results) - len(_skipped(results)),
            "nothing_to_derive": len(_skipped(results)),
        },
        "problem": problem,
        "certificate": str(path),
        "version": version,
    }


def show(rows: Sequence[Row], ledger: Ledger) -> None:
    """One line a claim: id, place, verdict, why."""
    from rich.table import Table

    table = Table(show_lines=False)
    table.add_column("claim", no_wrap=True)
    table.add_column("place")
    table.add_column("verdict", no_wrap=True)
    table.add_column("why")
    for row in rows:
        claim = row.claim
        mark = "" if row.as_expected else f"\n(expected {claim.expected})"
        finding = "" if claim.finding == "none" else f"[{claim.finding}] "
        why = f"{finding}{claim.because}" if row.as_expected else row.reason
        verdict = f"[{STYLES[str(row.judged)]}]{row.judged}[/]{mark}"
        # An id that is longer than its column ends a line at a hyphen: it has to stay whole.
        name = "\n".join(wrap(claim.id, ID_WIDTH))
        table.add_row(name, claim.where, verdict, _plain(why))
    screen = _console()
    screen.print(table)
    summary = ledger.summary()
    counts = ", ".join(f"{count} {name}" for name, count in summary["verdicts"].items())
    screen.print(f"{summary['claims']} claims: {counts}.")
    if summary["findings"]:
        found = ", ".join(f"{count} {name}" for name, count in summary["findings"].items())
        screen.print(f"Findings: {found}. One claim in full: ctv verify ID.")
    if summary["unexpected"]:
        screen.print("Not as expected: " + ", ".join(summary["unexpected"]), style="bold red")


def show_one(row: Row) -> None:
    """One claim in full: statement, evidence, counterexample with both sides, repairs."""
    claim, screen = row.claim, _console()

    def line(name: str, text: str) -> None:
        if text:
            whole = f"{name:<15}{text}"
            filled = fill(whole, screen.width - 1, subsequent_indent=" " * 15)
            screen.print(filled, markup=False, soft_wrap=True)

    screen.print(f"[bold]{claim.id}[/]  {_plain(claim.label)} ({_plain(claim.where)})")
    line("statement", claim.statement)
    line("reading", claim.reading)
    line("formula", claim.formula)
    for name, meaning in claim.let:
        line("  where", f"{name} = {meaning}")
    line("domain", claim.domain)
    screen.print(f"{'verdict':<15}[{STYLES[str(row.judged)]}]{row.judged}[/]: ", end="")
    screen.print(row.meaning, markup=False)
    if row.meant is not None:
        line("as written", f"{row.verdict}; a slip of notation, judged by what was meant")
    line("expected", f"{claim.expected}: {claim.because}")
    line("finding", claim.finding)
    line("printed proof", claim.printed_proof)
    for evidence in row.engines:
        line(evidence.engine, f"{evidence.verdict}: {evidence.sentence}")
        for instance in evidence.instances:
            line("  cites", instance)
    if row.counterexample:
        from proofs_check.language.claim import show as shown
        from proofs_check.language.claim import shown_side

        found = row.counterexample
        line("counterexample", shown(found.case))
        line("  left side", shown_side(found.left, found.right))
        right = shown_side(found.right, found.left)
        line("  right side", f"{right}   ({found.relation} fails)")
    line("rests on", ", ".join(claim.rests_on))
    line("trusted base", ", ".join(row.trusted))
    line("repaired by", ", ".join(claim.repairs))
    line("remark", claim.remark)


def show_recheck(results: Sequence[Rechecked], problem: dict[str, Any] | None) -> None:
    """What was refused, how many were derived again, and of what problem."""
    screen = _console()
    for result in results:
        if not result.accepted:
            text = f"refused {result.id} ({result.verdict}): {result.reason}"
            screen.print(_printable(text), markup=False)
    skipped = _skipped(results)
    accepted = sum(result.accepted for result in results) - len(skipped)
    checked = len(results) - len(skipped)
    screen.print(f"{accepted} of {checked} claims derived again from the file.")
    if problem is not None:
        _show_claimed(screen, results, problem)
    if skipped:
        screen.print("Neither proved nor refuted, so nothing to derive:")
    for verdict in sorted({result.verdict for result in skipped}):
        ids = [result.id for result in skipped if result.verdict == verdict]
        screen.print(f"{len(ids)} {verdict}: {', '.join(ids)}", markup=False)


def _show_claimed(screen: Console, results: Sequence[Rechecked], problem: dict[str, Any]) -> None:
    """The problem of a certificate of bounds, what was accepted of it, and what it leaves out."""
    from proofs_check.records.bound_certificate import CLAIMED

    space, time = problem["space_kernel"], problem["time_kernel"]
    screen.print(
        f"Problem: {problem['rounds']:,} rounds to time {problem['total_time']:g}; "
        f"{_kernel(space)} on {_domain(problem)}, σ² = {problem['noise_variance']:g}; "
        f"{_kernel(time)} over time, ε = {problem['epsilon']:g}; "
        f"δ = {problem['delta']:g}.",
        markup=False,
    )
    values = {result.id: result.value for result in results if result.accepted}
    shown = [
        f"{name} {'>=' if name == 'gain.lower' else '<='} {value!r}"
        for name, value in values.items()
    ]
    screen.print(f"Accepted: {', '.join(shown)}.", markup=False)
    lacking = [name for name in CLAIMED if name not in values]
    if lacking:
        screen.print(f"Nothing is accepted of {', '.join(lacking)}.", markup=False)


def _domain(problem: dict[str, Any]) -> str:
    from bounds.domain import Grid, domain_from_data

    if "domain" in problem:
        return domain_from_data(problem["domain"]).phrase
    return Grid(problem["dimension"], problem["side"], problem["grid"]).phrase


def _kernel(described: dict[str, Any]) -> str:
    given = {name: value for name, value in described.items() if name != "type"}
    parameters = [
        f"{name} {value:g}" if isinstance(value, int | float) else f"{name} {value}"
        for name, value in given.items()
    ]
    return f"{described['type']} kernel ({', '.join(parameters)})"


def _printable(text: str) -> str:
    """One line of what a file says, whatever it says."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:_LONGEST_REASON]


def _skipped(results: Sequence[Rechecked]) -> list[Rechecked]:
    """What is neither proved nor refuted, as its claim says."""
    return [result for result in results if result.accepted and not result.derived]


def write_markdown(path: Path, ledger: Ledger) -> None:
    """Write the ledger as Markdown; raises `InvalidInput` where the path cannot be written."""
    try:
        path.write_text(MARKDOWN_HEAD + ledger.markdown(), encoding="utf-8")
    except OSError as error:
        raise InvalidInput("markdown", str(path), str(error.strerror).lower()) from None


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").lower()


def _console() -> Console:
    from rich.console import Console as Terminal

    return Terminal(width=min(WIDTH, get_terminal_size((WIDTH, 24)).columns), highlight=False)


def _plain(text: str) -> str:
    """Text whose square brackets are not markup."""
    return text.replace("[", "\\[")

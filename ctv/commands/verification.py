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
    from proofs_check.recheck.outcome import Rechecked
    from proofs_check.records.ledger import Ledger, Row

WIDTH = 120
ID_WIDTH = 27
_LONGEST_REASON = 500
_MOST_NAMED = 12
MARKDOWN_HEAD = """# The ledger

Every numbered statement and displayed step of the paper (arXiv 2003.04691), in our words, with the
verdict that a machine reached. Written by `ctv verify --markdown LEDGER.md`; a test keeps it
current. Formulas, domains and evidence of one claim: `ctv verify ID`.

PROVED by prover: Coq's kernel accepts a theorem for the whole domain and every size; by enclosure
or exact: balls or exact numbers cover it. PROVED_ON_BOX, PROVED_UP_TO: a named part of the domain,
sizes up to a number. OUTLINE: the steps are checked, what joins them is a person's argument.
SUPPORTED: no counterexample was found, which proves nothing. REFUTED: a counterexample was
re-verified exactly or by enclosure. A verdict "given" names the facts that it assumes.
Sentences on the experiments (section 5) are about a population of runs: SUPPORTED where all their
comparisons came out as stated at 95 %, else UNDECIDED, with a finding where one came out the other
way at 95 %; no sample proves or refutes.

"""
STYLES = {
    "PROVED": "green",
    "PROVED_ON_BOX": "green",
    "PROVED_UP_TO": "green",
    "OUTLINE": "blue",
    "REFUTED": "bold red",
    "SUPPORTED": "cyan",
    "UNDECIDED": "yellow",
    "ERROR": "bold magenta",
}
ONLY = (
    *(name.replace("_", " ").lower() for name in STYLES),
    *("findings", "unexpected"),
    *("false", "gap", "missing hypothesis", "wrong reason", "vacuous", "slip", "not reproduced"),
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


def absent_claims(path: Path) -> tuple[str, ...]:
    """The claims of the ledger that its certificate leaves out; none for one of bounds."""
    from proofs_check.recheck.bound import is_bound_certificate
    from proofs_check.recheck.ledger import missing

    return () if is_bound_certificate(path) else missing(path)


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
    body = files.bound_certificate(found.report, found.curve, found.design, confidence, version)
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
        if wanted in (_words(str(row.verdict)), row.claim.finding)
        or (wanted == "findings" and row.claim.finding != "none")
        or (wanted == "unexpected" and not row.as_expected)
    ]


def payload(ledger: Ledger, only: str | None, version: str) -> dict[str, Any]:
    """What `ctv verify --json` prints."""
    return {
        "claims": [row.to_json() for row in selected(ledger, only)],
        "summary": ledger.summary(),
        "prover": prover_state(),
        "version": version,
        "seed": ledger.seed,
        "budget": ledger.budget,
    }


def prover_state() -> dict[str, Any]:
    """The recorded version of the proof assistant, the digest of its sources, and what is stale."""
    from proofs_check.prover.record import state

    return state()


def recheck_payload(
    results: Sequence[Rechecked],
    problem: dict[str, Any] | None,
    absent: Sequence[str],
    path: Path,
    version: str,
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
        "missing": list(absent),
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
        verdict = f"[{STYLES[str(row.verdict)]}]{row.verdict}[/]{mark}"
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
    screen.print(f"{'verdict':<15}[{STYLES[str(row.verdict)]}]{row.verdict}[/]: ", end="")
    screen.print(row.meaning, markup=False)
    line("by", row.by + ("" if row.by in ("search", "runs") else f", sizes: {_sizes(row)}"))
    if row.meant is not None:
        line("meant", f"{row.meant}, which is proved")
    line("expected", f"{claim.expected}: {claim.because}")
    line("finding", claim.finding)
    line("printed proof", claim.printed_proof)
    for evidence in row.engines:
        line(evidence.engine, f"{evidence.verdict}: {evidence.sentence}")
    if row.counterexample:
        from proofs_check.language.claim import show as shown
        from proofs_check.language.claim import shown_side

        found = row.counterexample
        line("counterexample", shown(found.case))
        line("  left side", shown_side(found.left, found.right))
        right = shown_side(found.right, found.left)
        line("  right side", f"{right}   ({found.relation} fails)")
    if row.theorem:
        from proofs_check.prover.record import shown as theorem

        for text in theorem(claim).splitlines():
            line("theorem" if text.startswith(("Theorem", row.theorem)) else "", text)
    line("rests on", ", ".join(row.rests_on))
    line("assumes", ", ".join(row.assumes))
    line("repaired by", ", ".join(claim.repairs))
    line("remark", claim.remark)


def _sizes(row: Row) -> str:
    sizes = row.sizes
    return sizes if isinstance(sizes, str) else ", ".join(f"{n} <= {k}" for n, k in sizes.items())


def show_tree(claim_id: str, ledger: Ledger) -> None:
    """A claim, what it rests on, and so on down to what is assumed."""
    screen = _console()
    rows = {row.claim.id: row for row in (*ledger.behind, *ledger.rows)}

    def walk(name: str, depth: int, path: tuple[str, ...]) -> None:
        row = rows.get(name)
        verdict = f"{row.verdict} by {row.by}" if row else "an axiom, assumed"
        screen.print("  " * depth + f"{name}  {verdict}", markup=False, soft_wrap=True)
        if row is None or name in path:
            return
        for support in (*row.rests_on, *(a for a in row.assumes if a not in rows)):
            walk(support, depth + 1, (*path, name))

    walk(claim_id, 0, ())


def run_prover(ids: Sequence[str]) -> dict[str, Any]:
    """Ask the proof assistant again, from nothing; what it accepts, and whether that was known."""
    from proofs_check.prover.record import compared

    return compared(ids)


def show_prover(found: dict[str, Any]) -> None:
    """What the proof assistant said, in a line or two."""
    screen = _console()
    screen.print(f"Coq {found['version']} accepts {found['accepted']} theorems of claims.")
    for name in found["differing"]:
        screen.print(f"differs from the record: {name}", markup=False, style="bold red")


def show_recheck(
    results: Sequence[Rechecked], problem: dict[str, Any] | None, absent: Sequence[str] = ()
) -> None:
    """What was refused, how many were derived again, of what problem, and what is missing."""
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
    if absent:
        names = ", ".join(absent[:_MOST_NAMED]) + (", …" if len(absent) > _MOST_NAMED else "")
        screen.print(f"{len(absent)} claims of the ledger are not in the file: {names}")
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
        f"{_kernel(space)} on a {problem['grid']}^{problem['dimension']} grid of side "
        f"{problem['side']:g}, σ² = {problem['noise_variance']:g}; "
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


def _kernel(described: dict[str, Any]) -> str:
    parameters = [f"{name} {described[name]:g}" for name in ("nu", "lengthscale", "epsilon")
                  if name in described]  # fmt: skip
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

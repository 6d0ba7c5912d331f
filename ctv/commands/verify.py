"""`ctv verify`: the ledger of the paper's statements, run, written, and derived again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from os import cpu_count, sep
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bounds.errors import InvalidInput
from ctv.options.named_values import listed
from ctv.options.problem import Seed, checked_workers
from ctv.outputs import check_file, write_whole
from ctv.show.plain import project_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bounds.progress import Stage
    from ctv.show.shown import Shown
    from proofs_check.language.claim import Claim
    from proofs_check.ledgers import Opened
    from proofs_check.records.ledger import Ledger, Row

EXAMPLE = """\
>>> ctv.verify("lemma-1-exact")
<Verified: 1 claim: 1 PROVED>
"""

ONLY = (
    *("proved", "proved on box", "proved up to", "outline", "refuted", "supported", "undecided"),
    *("error",),
    *("findings", "unexpected"),
    *("false", "gap", "missing hypothesis", "wrong reason", "vacuous", "slip", "not reproduced"),
    *("scope", "ill posed"),
)
"""Which rows `--show` leaves."""
FORMS = ("tree", "goal")


@dataclass(frozen=True)
class ProofOptions:
    """How a certificate is checked again, and what is asked of the proof of a claim."""

    kernel: Annotated[
        bool,
        typer.Option(
            "--kernel",
            help="Of a certificate of bounds, ask the proved checker about regret, gain and lower "
            "bound; with --prover too, inside the proof assistant.",
            rich_help_panel="A certificate",
        ),
    ] = False
    times: Annotated[
        Path | None,
        typer.Option(
            help="Times that a certificate of bounds must be about.",
            metavar="FILE",
            rich_help_panel="A certificate",
        ),
    ] = None
    script: Annotated[
        Path | None,
        typer.Option(
            "--try",
            help="Ask the proof assistant about a script for one claim; auto looks for one.",
            metavar="FILE",
        ),
    ] = None

    def refuse_without_file(self) -> None:
        """Raise InvalidInput for what says how to check a file where none is named."""
        for option, value in (("kernel", self.kernel), ("times", self.times)):
            if value:
                given = "" if value is True else str(value)
                raise InvalidInput(option, given, "name a certificate of bounds: ctv verify FILE")


@dataclass(frozen=True)
class Named:
    """What the words of `ctv verify` name: claims, ledgers of one's own, a certificate."""

    claims: tuple[str, ...] = ()
    ledgers: tuple[Path, ...] = ()
    certificate: Path | None = None

    @classmethod
    def of(cls, words: Sequence[str]) -> Named:
        """A ledger is TOML, a folder, or one that an installed package has; another file is a
        certificate, of which there is one at most. InvalidInput for two.

        The id of a claim stays one where a file has the same name: ./NAME is the file.
        """
        from ctv.extensions import load, names

        claims, ledgers, files = [], [], []
        for word in words:
            path = Path(word)
            if path.suffix == ".toml":
                ledgers.append(path)
            elif word == "-" or path.suffix == ".json":
                files.append(path)
            elif _is_there(path) and not _is_claim(word):
                (ledgers if _is_folder(path) else files).append(path)
            elif word in names("ledgers"):
                ledgers.append(Path(str(load("ledgers", word))))
            else:
                claims.append(word)
        if len(files) > 1:
            raise InvalidInput("certificate", str(files[1]), "drop it: one is checked at a time")
        return cls(tuple(claims), tuple(ledgers), files[0] if files else None)


def _is_folder(path: Path) -> bool:
    """Whether this is a ledger's folder, or another one that is written as a path."""
    if _is_there(path / "paper.toml"):
        return True
    return len(path.parts) > 1 and _is_there(path) and path.is_dir()


def _is_claim(word: str) -> bool:
    """Whether this names claims of the ledger, and is not written as a path."""
    if "/" in word or sep in word:
        return False
    from proofs_check.ledgers import opened
    from proofs_check.records.names import belonging

    try:
        return bool(belonging([word], opened(()).claims))
    except InvalidInput:
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # no name of a file: too long, or with a letter that none has
        return False


def verify(
    proof: ProofOptions,
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            help="Claims to examine: ids, or labels and places such as lemma-1 or 'appendix B'; "
            "all of them without one. A TOML file of claims, a folder with paper.toml, or the name "
            "of a ledger that an installed package has: claims of your own. Another file: a "
            "certificate (of --certificate), checked again by independent code.",
            metavar="[ID|LEDGER|CERTIFICATE]...",
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option(help="fast (under a minute) or deep.", metavar="fast|deep")
    ] = "fast",
    certificate: Annotated[
        Path | None,
        typer.Option(help="Write what is needed to check the verdicts again.", metavar="FILE"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the ledger: as .md, as a page with errata and graph (.html), the theorems "
            "that stand (.tex), or for programs (.json); or, as .toml, the start of a ledger of "
            "your own, paper.toml with a section, or another file of claims.",
            metavar="FILE",
        ),
    ] = None,
    seed: Seed = 0,
    workers: Annotated[
        int | None,
        typer.Option(help="Number of processes (default: that of processors).", metavar="WHOLE"),
    ] = None,
    prover: Annotated[
        bool,
        typer.Option(
            "--prover",
            help="Ask the proof assistant again, from nothing, also of a certificate; for claims "
            "of your own, look for proofs too.",
        ),
    ] = False,
    show: Annotated[
        str | None,
        typer.Option(
            help="tree: what claims rest on, down to what is assumed; goal: what a script has to "
            "prove for one claim; or only a verdict such as refuted, findings or unexpected.",
            metavar="tree|goal|VERDICT",
        ),
    ] = None,
    *,
    advance: Stage,
) -> Shown:
    """Is it true? The ledger of the paper's statements, each with a machine's verdict."""
    if out is not None and out.suffix == ".toml":
        return _started(out)
    named = Named.of(ids or ())
    if named.certificate is not None:
        _refuse_beside_certificate(
            claim=" ".join(named.claims) or None,
            show=show,
            certificate=certificate,
            out=out,
            budget=None if budget == "fast" else budget,
            seed=seed or None,
            workers=workers,
        )
        if proof.kernel:
            own = next(iter(named.ledgers), None)
            _refuse_beside_certificate(times=proof.times, ledger=own)
            return _by_kernel(named.certificate, advance, inside=prover)
        return _rechecked(named.certificate, advance, prover, proof.times, named.ledgers)
    proof.refuse_without_file()
    form, only = _shown(show)
    from proofs_check.ledgers import opened
    from proofs_check.records.names import belonging

    ledgers = opened(named.ledgers)
    wanted = belonging(list(named.claims), ledgers.claims)
    if form == "goal" or proof.script is not None:
        return _at_the_bench(wanted, ledgers.known, proof.script)
    from ctv.show.ledger import Asked, Tree, Verified

    if prover and not ledgers.own:
        from proofs_check.prover.record import compared

        return Asked(compared(wanted))
    check_file(certificate, "certificate")
    check_file(out)
    count = checked_workers((cpu_count() or 1) if workers is None else workers)
    from proofs_check.records.verify import verify as examine

    ledger = examine(
        wanted or [claim.id for claim in ledgers.claims],
        budget,
        seed=seed,
        workers=count,
        claims=tuple(ledgers.known.values()),
        progress=advance,
        anew=prover,
    )
    if certificate is not None:
        _write_certificate(certificate, ledger)
    if out is not None:
        write_whole(out, _written(out, ledger, ledgers).encode())
    rows = tuple(selected(ledger, only))
    if form == "tree":
        return Tree(ledger, tuple(wanted or [row.claim.id for row in rows]))
    title = "; ".join(paper.title for paper in ledgers.papers) if ledgers.own else ""
    alone = len(wanted) == 1 and len(rows) == 1
    return Verified(ledger, rows, alone=alone, title=title, papers=ledgers.papers)


def _shown(show: str | None) -> tuple[str | None, str | None]:
    """The form of the answer, tree or goal, and which rows of it: a list has both."""
    parts = [] if show is None else [_words(part) for part in listed(show)]
    form = next((part for part in parts if part in FORMS), None)
    only = [part for part in parts if part not in FORMS]
    if any(part not in ONLY for part in only) or len(only) > 1 or len(parts) > 2:
        remedy = f"use {' or '.join(FORMS)}, or a verdict such as refuted, findings or unexpected"
        raise InvalidInput("show", show or "''", remedy)
    return form, only[0] if only else None


def _write_certificate(path: Path, ledger: Ledger) -> None:
    from proofs_check.records import certificate as files

    body = files.certificate(ledger, project_version())
    text = json.dumps(body, ensure_ascii=False, indent=1) + "\n"
    write_whole(path, text.encode(), "certificate")


def _written(out: Path, ledger: Ledger, ledgers: Opened) -> str:
    """The ledger in the form that the suffix of its file asks for, else Markdown."""
    if out.suffix == ".html":
        from ctv.pages.ledger_page import page

        # Of the shipped ledgers the paper comes first, and last what any textbook has.
        first, *others = ledgers.papers
        return page(ledger, ledgers.papers if ledgers.own else (*others, first))
    if out.suffix == ".tex":
        from ctv.formulas.theorem_list import theorem_list

        return theorem_list(ledger, ledgers.papers)
    if out.suffix == ".json":
        from ctv.show.ledger import exported

        return json.dumps(exported(ledger, ledgers.papers), ensure_ascii=False, indent=1) + "\n"
    from ctv.pages.ledger_text import ledger_markdown

    return ledger_markdown(ledger, ledgers.papers if ledgers.own else ())


def _started(path: Path) -> Shown:
    """Write the start of a ledger of one's own."""
    from ctv.show.workbench import Started
    from proofs_check.ledgers import start_of

    files = start_of(path)
    for place in files:
        if place.exists():
            raise InvalidInput("out", str(place), "is there already: name another file")
        check_file(place)
    for place, text in files.items():
        write_whole(place, text.encode())
    return Started(path, tuple(files))


def _at_the_bench(wanted: list[str], known: Mapping[str, Claim], script: Path | None) -> Shown:
    """What one claim asks of a proof, or what the assistant says of a script for it."""
    from bounds.reading import read_text
    from ctv.show.workbench import Goals, Tried
    from proofs_check.prover.own import scripted
    from proofs_check.prover.workbench import goal, tried

    option = "show" if script is None else "try"
    if len(wanted) != 1:
        given = f"{len(wanted)} claims" if wanted else "no claim"
        raise InvalidInput(option, given, "name one claim by its id")
    claim = scripted(known)[wanted[0]]
    if script is None:
        return Goals(goal(claim, known))
    if str(script) == "auto":
        from proofs_check.prover.scripts import found_scripts

        proof_script = found_scripts({claim.id: claim}, [claim.id]).get(claim.id)
        if proof_script is None:
            raise InvalidInput(
                "try", "auto", "finds no script: write one, --show goal says of what"
            )
        return Tried(tried(claim, proof_script, known))
    return Tried(tried(claim, read_text(script, "try").text, known))


def selected(ledger: Ledger, only: str | None) -> list[Row]:
    """The rows to show: findings first, then the rest, each in paper order.

    `only` is a verdict, a finding, `findings` or `unexpected`.
    """

    def rank(row: Row) -> tuple[bool, bool]:
        return row.claim.finding == "none", row.claim.kind != "planted"

    rows = sorted(ledger.rows, key=rank)
    if only is None:
        return rows
    wanted = _words(only)
    return [
        row
        for row in rows
        if wanted in (_words(str(row.verdict)), _words(row.claim.finding))
        or (wanted == "findings" and row.claim.finding != "none")
        or (wanted == "unexpected" and not row.as_expected)
    ]


def _rechecked(
    path: Path, advance: Stage, prover: bool, times: Path | None, ledgers: Sequence[Path]
) -> Shown:
    """Check a certificate of the ledger or of bounds again, by other code than made it."""
    from bounds.reading import read_text
    from ctv.inputs import read_times
    from ctv.show.ledger import Recheck
    from proofs_check.recheck.bounds.bound import certified_problem, recheck_bound
    from proofs_check.recheck.log import certified_run, recheck_log
    from proofs_check.recheck.reading import kind_of

    file = read_text(path, "certificate")  # once: it may be a pipe
    kind = kind_of(file)
    if times is not None and kind != "bound":
        raise InvalidInput("times", str(times), "drop it: the file is no certificate of bounds")
    if kind == "log":
        run = tuple(recheck_log(file, advance))
        return Recheck(path, run, certified_run(file) if run[0].accepted else None)
    if kind == "claims":
        from proofs_check.ledgers import opened  # reads hundreds of claims
        from proofs_check.prover.own import scripted
        from proofs_check.recheck.ledger import missing
        from proofs_check.recheck.ledger import recheck as recheck_ledger

        opening = opened(ledgers)
        every = tuple(scripted(opening.known).values())
        results = tuple(recheck_ledger(file, every, advance, prover=prover))
        return Recheck(path, results, None, missing(file, opening.claims))
    instants = None if times is None else read_times(times).exact.instants
    results = tuple(recheck_bound(file, advance, instants))
    known = any(result.accepted for result in results)
    return Recheck(path, results, certified_problem(file) if known else None)


def _by_kernel(path: Path, advance: Stage, *, inside: bool) -> Shown:
    """Ask the proved checker about the regret and the gain of a certificate."""
    from bounds.reading import read_text
    from ctv.show.ledger import ByKernel
    from proofs_check.checker.answer import ask

    return ByKernel(ask(read_text(path, "certificate"), inside=inside, progress=advance))


def _refuse_beside_certificate(**options: object) -> None:
    """Raise InvalidInput for the first that is given and that the check of a file does not use."""
    for option, value in options.items():
        if value is not None:
            remedy = "drop it: a certificate is checked as a whole"
            raise InvalidInput(option, str(value), remedy)


def _words(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").lower()

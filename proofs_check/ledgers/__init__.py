"""The ledgers that come with the project, as data: a folder a paper, a TOML file a section.

`textbook` holds what other claims rest on, `imamura2020` the statements and displayed steps of the
paper, `theory` those of docs/theory.md, `rivals` those of other papers; `template.toml` shows the
form. `proofs_check.language.ledger_file` reads them, and any ledger of the same form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bounds.errors import InvalidInput, did_you_mean
from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.formula import names
from proofs_check.language.ledger_file import Paper, read_paper
from proofs_check.language.parameters import Integer, Parameter, Real
from proofs_check.language.sentences import require_claims
from proofs_check.language.texts import SHIPPED

_MOST_CASES = 1_000
ROOT = Path(__file__).resolve().parent
PAPERS: dict[str, Paper] = {name: read_paper(ROOT / name) for name in SHIPPED}
CLAIMS: tuple[Claim, ...] = tuple(claim for paper in PAPERS.values() for claim in paper.claims)
TEMPLATE: tuple[Claim, ...] = read_paper(ROOT / "template.toml").claims


_PAPER = """# The ledger of a paper: this file names it and the order of its sections. Beside it
# stands a file a section, in each a table a claim: `ctv verify paper.toml`.
title = "The title of the paper"
authors = ["First Author", "Second Author"]
year = 2020
identifier = "arXiv:0000.00000"
# The files of claims beside this one, without .toml, in the order of the paper.
sections = ["section_1"]

# The letters of its statements, for readers.
[notation]
n = "the number of rounds"
"""


@dataclass(frozen=True)
class Opened:
    """Ledgers that are examined, and all claims that theirs may rest on and cite.

    Attributes
    ----------
    papers : the ledgers that were asked for
    known : their claims, then those of the shipped ledgers, by id
    own : whether they are somebody's own, not the shipped ones
    """

    papers: tuple[Paper, ...]
    known: Mapping[str, Claim]
    own: bool

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the ledgers, in their order."""
        return tuple(claim for paper in self.papers for claim in paper.claims)


def start_of(path: Path) -> dict[Path, str]:
    """The files that begin a ledger at a path: `paper.toml` and a section, or one file of claims.

    >>> [place.name for place in start_of(Path("srinivas/paper.toml"))]
    ['paper.toml', 'section_1.toml']
    """
    shape = (ROOT / "template.toml").read_text(encoding="utf-8")
    shape = shape.partition("\n")[2].replace("template-", "my-").replace("Template", "Example")
    if path.name != "paper.toml":
        return {path: shape}
    return {path: _PAPER, path.with_name("section_1.toml"): shape}


def opened(paths: Sequence[str | Path] = ()) -> Opened:
    """The ledgers in these files or folders; the shipped ones where none is named.

    A ledger of one's own may rest on, and its scripts may cite, the claims of the shipped ones and
    of the others that are named with it. Enclosures cover the domain of a claim that is expected to
    be PROVED, has no script, and whose numbers are bounded. Raises `InvalidInput` for a file that
    is wrong, for a ledger without a claim, and for an id that stands in two ledgers.
    """
    if not paths:
        return Opened(tuple(PAPERS.values()), {claim.id: claim for claim in CLAIMS}, False)
    papers = tuple(map(read_paper, paths))
    stands: dict[str, str] = {}
    for where, paper in zip(map(str, paths), papers, strict=True):
        if not paper.claims:
            raise InvalidInput(
                "claims", where, "holds no claim: write one, as --out FILE.toml begins it"
            )
        for claim in paper.claims:
            other = stands.setdefault(claim.id, where)
            if other is not where:
                raise InvalidInput(where, claim.id, f"stands in {other} too: give it its own id")
    for name, paper in PAPERS.items():
        for claim in paper.claims:
            if claim.id in stands:
                remedy = f"is a claim of the shipped ledger {name}: give yours its own id"
                raise InvalidInput(stands[claim.id], claim.id, remedy)
    papers = tuple(map(_enclosed, papers))
    known = {claim.id: claim for paper in papers for claim in paper.claims}
    known |= {claim.id: claim for claim in CLAIMS}
    for paper in papers:
        _require_known_claims(paper, known)
        require_claims(paper.sentences, known)
    return Opened(papers, known, True)


def _require_known_claims(paper: Paper, known: Mapping[str, Claim]) -> None:
    """What claims rest on and are repaired by has to exist."""
    for section in paper.sections:
        for claim in section.claims:
            for key in ("rests_on", "repairs"):
                for name in getattr(claim, key):
                    if name not in known:
                        place = f"{section.name}.toml [{claim.id}] {key}"
                        raise InvalidInput(place, name, f"is no claim{did_you_mean(name, known)}")


def _enclosed(paper: Paper) -> Paper:
    """A ledger whose claims are covered by enclosures where nothing else would prove them."""
    return replace(
        paper,
        sections=tuple(
            replace(section, claims=tuple(map(_covered, section.claims)))
            for section in paper.sections
        ),
    )


def _covered(claim: Claim) -> Claim:
    alone = claim.box is None and not (claim.proof or claim.case)
    plain = alone and claim.expected is Verdict.PROVED
    return replace(claim, box="all") if plain and _bounded(claim.parameters) else claim


def _bounded(parameters: Sequence[Parameter]) -> bool:
    """Whether there are numbers, each between two fixed ends, and few integers among them."""
    cases = 1
    for parameter in parameters:
        if not isinstance(parameter, Real | Integer):
            return False
        if any(end is None or names(str(end)) for end in (parameter.low, parameter.high)):
            return False
        low, high = parameter.ends({})
        if isinstance(parameter, Integer) and low is not None and high is not None:
            cases *= max(int(high - low) + 1, 1)
    return bool(parameters) and cases <= _MOST_CASES

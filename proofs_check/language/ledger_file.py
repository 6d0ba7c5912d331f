"""A ledger in files: one folder a paper, one TOML file a section, one table a claim.

`paper.toml` names the paper and the order of its sections. A section begins with the defaults of
its claims (`about where kind`); each table after them is a claim, its id the table's name. Its
script stands in the table or, as `ID.v`, beside the file. White space inside texts is folded, so
that long ones may be wrapped. docs/claims.schema.json describes the keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args
from unicodedata import category

from bounds.errors import InvalidInput, did_you_mean
from bounds.reading import read_text
from proofs_check.language.claim import (
    BadClaim,
    Claim,
    Consequence,
    Finding,
    Kind,
    PrintedProof,
    Repaired,
    Verdict,
    is_exact,
)
from proofs_check.language.domains import BadDomain, parameters
from proofs_check.language.formula import BadFormula
from proofs_check.language.sentences import FILE, Sentences, read_sentences, require_places
from proofs_check.language.texts import texts_of_claims

_TEXTS = (
    "label",
    "where",
    "kind",
    "statement",
    "reading",
    "formula",
    "case",
    "expected",
    "because",
    "finding",
    "printed_proof",
    "consequence",
    "repaired",
    "place_of",
    "outline",
    "remark",
    "sentence",
    "for",
    "theorem",
    "says",
    "differs",
    "cites",
)
_WORDS = {
    "expected": tuple(Verdict),
    "kind": get_args(Kind),
    "finding": get_args(Finding),
    "printed_proof": get_args(PrintedProof),
    "consequence": get_args(Consequence)[1:],
    "repaired": get_args(Repaired)[1:],
}
_LISTS = ("if", "rests_on", "repairs", "places")
_KEYS = (*_TEXTS, *_LISTS, "let", "witnesses", "box", "premises", "proof")
_OF_CITED = (
    *("for", "if", "let", "formula", "case", "expected", "witnesses", "box", "outline"),
    *("theorem", "says", "differs", "premises", "proof"),
)
"""What a claim has from the one that it cites, and not by itself."""
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Characters that change what a screen shows: controls, directions, joiners, other lines."""
_DEFAULTS = ("about", "where", "kind")
_OF_PLACES = ("displays", "labels")
_PAPER = ("title", "authors", "year", "identifier", "note", "notation", "sections", *_OF_PLACES)


@dataclass(frozen=True)
class Section:
    """One file of a ledger: what it is about, and its claims in order."""

    name: str
    about: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Place:
    """A display or a label of a paper; `says` is why no claim stands there."""

    name: str
    says: str = ""


@dataclass(frozen=True)
class Paper:
    """A ledger: the paper that it judges, and its sections in order.

    Attributes
    ----------
    title, authors, year, identifier : as the paper is cited
    note : what of the paper was compared, and what was not
    notation : the letters that its statements use, with what each means
    sections : in the order of `paper.toml`
    displays : by section, the displays of the paper in the order of print
    labels : what the paper numbers or refers to
    sentences : by section, what it says between the displays, of `sentences.toml`
    """

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    identifier: str = ""
    note: str = ""
    notation: Mapping[str, str] | None = None
    sections: tuple[Section, ...] = ()
    displays: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    labels: tuple[Place, ...] = ()
    sentences: Mapping[str, tuple[Sentences, ...]] = field(default_factory=dict)

    @property
    def places(self) -> dict[str, Place]:
        """The places of the paper by the names that claims give them."""
        shown = {
            f"{section}, {place.name}": place
            for section, places in self.displays.items()
            for place in places
        }
        return shown | {place.name: place for place in self.labels}

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims, section by section."""
        return tuple(claim for section in self.sections for claim in section.claims)


def read_paper(path: str | Path) -> Paper:
    """The ledger in a folder with `paper.toml`, or in one file of claims.

    Raises `InvalidInput` whose one line names the file, the table and the key.
    """
    place = Path(path)
    if place.name == "paper.toml":
        place = place.parent
    if not place.is_dir():
        section = read_section(place)
        return Paper(section.name, sections=(section,))
    head = _toml(place / "paper.toml")
    _require_known(head, _PAPER, "paper.toml")
    if not isinstance(head.get("title"), str):
        raise InvalidInput("paper.toml title", head.get("title"), "give the title of the paper")
    names = _texts(head.get("sections", []), "paper.toml sections")
    sections = tuple(read_section(place / f"{name}.toml") for name in names)
    _require_ids_of_their_own(sections)
    displays = head.get("displays", {})
    if not isinstance(displays, dict):
        raise InvalidInput("paper.toml displays", displays, 'write "section 1" = ["one", "two"]')
    paper = Paper(
        title=head["title"],
        authors=_texts(head.get("authors", []), "paper.toml authors"),
        year=head.get("year"),
        identifier=str(head.get("identifier", "")),
        note=" ".join(str(head.get("note", "")).split()),
        notation=head.get("notation"),
        sections=sections,
        displays={name: _places(part, f"displays.{name}") for name, part in displays.items()},
        labels=_places(head.get("labels", []), "labels"),
        sentences=read_sentences(_toml(place / FILE)) if (place / FILE).is_file() else {},
    )
    _require_known_places(paper)
    require_places(paper.sentences, {name for name, one in paper.places.items() if not one.says})
    return paper


def _places(given: Any, key: str) -> tuple[Place, ...]:
    place = f"paper.toml {key}"
    if not isinstance(given, list):
        raise InvalidInput(place, given, 'write a list, ["one", { name = "two", says = "why" }]')
    entries = [{"name": entry} if isinstance(entry, str) else entry for entry in given]
    for entry in entries:
        if not isinstance(entry, dict) or not {"name"} <= entry.keys() <= {"name", "says"}:
            raise InvalidInput(place, entry, 'write "name" or { name = "name", says = "why" }')
        for text in entry.values():
            _require_text(text, place)
    return tuple(Place(**entry) for entry in entries)


def _require_known_places(paper: Paper) -> None:
    """A paper that lists its places has those of its claims; a paper without a list, any."""
    known = paper.places
    for section in paper.sections if known else ():
        for claim in section.claims:
            for name in claim.places:
                if name not in known:
                    key = f"{section.name}.toml [{claim.id}] places"
                    remedy = f"is no place of paper.toml{did_you_mean(name, known)}"
                    raise InvalidInput(key, name, remedy)


def _require_ids_of_their_own(sections: tuple[Section, ...]) -> None:
    stands: dict[str, str] = {}
    for section in sections:
        for claim in section.claims:
            if claim.id in stands:
                remedy = f"stands in {stands[claim.id]}.toml too: give every claim its own id"
                raise InvalidInput(f"{section.name}.toml", claim.id, remedy)
            stands[claim.id] = section.name


def read_section(path: Path) -> Section:
    """The claims of one file; raises `InvalidInput` naming file, table and key."""
    body = _toml(path)
    tables = {name: part for name, part in body.items() if isinstance(part, dict)}
    head = {name: part for name, part in body.items() if name not in tables}
    _require_known(head, _DEFAULTS, path.name)
    for name, text in head.items():
        _require_text(text, f"{path.name}, {name}")
    shared: dict[str, Any] = {key: head[key] for key in ("where", "kind") if key in head}
    claims = tuple(
        _claim(path.name, name, {**shared, **_with_script(path, name, part)})
        for name, part in tables.items()
    )
    return Section(path.stem, _folded(head.get("about", "")), claims)


def _with_script(path: Path, name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """A table with the script that stands beside its file as `NAME.v`, where one does."""
    script = path.with_name(f"{name}.v")
    if not script.is_file():
        return given
    if "proof" in given:
        remedy = f"stands in {script.name} too: keep one of them"
        raise InvalidInput(f"{path.name} [{name}] proof", given["proof"], remedy)
    return {**given, "proof": read_text(script, "proof").text}


def _claim(file: str, name: str, given: Mapping[str, Any]) -> Claim:
    place = f"{file} [{name}]"
    _require_known(given, _KEYS, place)
    if "cites" in given:
        given = _with_cited(given, place)
    texts = {key: given[key] for key in _TEXTS if key in given}
    for key, text in texts.items():
        _require_text(text, f"{place} {key}")
    texts = {key: _folded(text) for key, text in texts.items()}
    for key in ("label", "where", "statement", "because"):
        if not texts.get(key):
            raise InvalidInput(f"{place} {key}", texts.get(key, ""), "every claim needs this text")
    lists = {key: _texts(given.get(key, []), f"{place} {key}") for key in _LISTS}
    expected, domain = texts.pop("expected", "PROVED"), texts.pop("for", "")
    for key, text in {"expected": expected, **texts}.items():
        if key in _WORDS and text not in _WORDS[key]:
            raise InvalidInput(f"{place} {key}", text, "give one of " + ", ".join(_WORDS[key]))
    try:
        quantified = parameters(domain) if domain else ()
        names = {parameter.name for parameter in quantified}
        return Claim(
            **{"formula": "", **texts},
            id=name,
            expected=Verdict[expected],
            parameters=quantified,
            let=_let(given.get("let", {}), place),
            hypotheses=tuple(map(_folded, lists["if"])),
            rests_on=lists["rests_on"],
            repairs=lists["repairs"],
            places=lists["places"],
            premises=_premises(given.get("premises", {}), place),
            proof=_proof(given.get("proof", ""), place),
            witnesses=_witnesses(given.get("witnesses", []), place),
            box=_box(given.get("box"), names, place),
        )
    except BadDomain as fault:
        raise InvalidInput(f"{place} for", domain, str(fault).partition(": ")[2]) from None
    except (BadClaim, BadFormula) as fault:
        raise InvalidInput(place, name, str(fault).removeprefix(f"{name}: ")) from None


def _with_cited(given: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    """A table with the mathematics and the words of the shipped claim that it cites."""
    entries, name = texts_of_claims(), given["cites"]
    _require_text(name, f"{place} cites")
    if name not in entries:
        remedy = f"is no claim of the shipped ledgers{did_you_mean(name, entries)}"
        raise InvalidInput(f"{place} cites", name, remedy)
    entry = entries[name]
    own = next((key for key in _OF_CITED if key in given), None)
    if own is not None:
        remedy = f"is that of {name}: a claim that cites has no mathematics of its own"
        raise InvalidInput(f"{place} {own}", given[own], remedy)
    said = f"{entry['label']}: {entry['statement']} {entry.get('reading', '')}"
    words = {
        "statement": given.get("statement", entry["statement"]),
        "because": given.get("because", f"Cited: {entry['label']}."),
        "reading": f"{given.get('reading', '')} As cited. {said}",
    }
    return {**{key: entry[key] for key in _OF_CITED if key in entry}, **given, **words}


def _let(given: Any, place: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(given, dict):
        raise InvalidInput(f"{place} let", given, 'write let.NAME = "formula"')
    for name, text in given.items():
        _require_text(text, f"{place} let.{name}")
    return tuple((name, _folded(text)) for name, text in given.items())


def _premises(given: Any, place: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(given, dict):
        raise InvalidInput(f"{place} premises", given, 'write premises."0 < s" = ["s > 0"]')
    return tuple((name, _texts(ways, f"{place} premises.{name}")) for name, ways in given.items())


def _proof(given: Any, place: str) -> str:
    """A script as it is written, line by line."""
    _require_text(given, f"{place} proof")
    return "\n".join(line.rstrip() for line in given.strip().splitlines())


def _witnesses(given: Any, place: str) -> tuple[dict[str, Any], ...]:
    if not isinstance(given, list) or not all(isinstance(case, dict) for case in given):
        raise InvalidInput(f"{place} witnesses", given, 'write [{ x = 2, eps = "1/2" }]')
    return tuple(given)


def _box(given: Any, names: set[str], place: str) -> Any:
    if given is None or given == "all":
        return given
    remedy = 'write "all" or { x = ["0", "4"] }, x a name of `for`, its ends fractions'
    if not isinstance(given, dict) or not given.keys() <= names:
        raise InvalidInput(f"{place} box", given, remedy)
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in given.values()):
        raise InvalidInput(f"{place} box", given, remedy)
    box = {name: (str(pair[0]), str(pair[1])) for name, pair in given.items()}
    if not all(map(is_exact, box.values())):
        raise InvalidInput(f"{place} box", given, remedy)
    return box


def _toml(path: Path) -> dict[str, Any]:
    text = read_text(path, "claims").text
    try:
        body = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as fault:
        raise InvalidInput("claims", path.name, f"is no TOML: {fault}") from None
    hidden = next(_hidden(body), None)
    if hidden is not None:
        remedy = f"holds U+{ord(hidden):04X}, a character that nobody sees: leave it out"
        raise InvalidInput("claims", path.name, remedy)
    return body


def _hidden(part: Any) -> Iterator[str]:
    """The letters of keys and texts that change what a screen shows, and are not shown."""
    if isinstance(part, str):
        yield from (sign for sign in part if category(sign) in _HIDDEN and sign not in "\n\r\t")
    elif isinstance(part, dict | list):
        for inner in part.items() if isinstance(part, dict) else part:
            yield from _hidden(list(inner) if isinstance(inner, tuple) else inner)


def _require_known(given: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in given:
        if key not in known:
            remedy = did_you_mean(key, known) or f"; known are {', '.join(known)}"
            raise InvalidInput(f"{place} {key}", given[key], f"is no key here{remedy}")


def _require_text(given: Any, place: str) -> None:
    if not isinstance(given, str):
        raise InvalidInput(place, given, "write a text in quotes")


def _texts(given: Any, place: str) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise InvalidInput(place, given, 'write a list of texts, ["one", "two"]')
    return tuple(given)


def _folded(text: str) -> str:
    return " ".join(text.split())

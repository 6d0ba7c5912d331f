"""The sentences of a paper, by section and number, each with its claims or with why it has none.

`sentences.toml` beside `paper.toml` has a table a section. A key is a sentence or a run of them, 7
or 8-11; its value the claims that judge it, or a reason (`REASONS`), «repeats PLACE», «judged at
PLACE». A place is a display or a label of `paper.toml`, or «section 4, sentence 46».
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bounds.errors import InvalidInput, did_you_mean

FILE = "sentences.toml"
REASONS = (
    "definition",
    "notation",
    "citation of another work",
    "motivation",
    "plan of the text",
    "setting of the experiments",
    "priority",
    "opinion",
    "no claim yet",
)
"""Why a sentence has no claim; priority is who was first, and what has no claim yet could have one.
"""
_RUN = re.compile(r"(\d+)(?:-(\d+))?")
_ELSEWHERE = re.compile(r"(?:repeats|judged at) (.+)")


@dataclass(frozen=True)
class Sentences:
    """Sentences of one section that follow each other and have one answer.

    Attributes
    ----------
    first, last : their numbers
    claims : the ids of the claims that judge them
    judged_at : the display, the label or the sentence whose claims do
    reason : else why no claim does, of `REASONS`
    """

    first: int
    last: int
    claims: tuple[str, ...] = ()
    judged_at: str = ""
    reason: str = ""

    def __len__(self) -> int:
        return self.last - self.first + 1


def read_sentences(body: Mapping[str, Any]) -> dict[str, tuple[Sentences, ...]]:
    """The sentences in the body of the file, section by section.

    Raises `InvalidInput` naming file, section and key where an answer is none, and where the
    numbers of a section do not follow each other from 1.
    """
    sections: dict[str, tuple[Sentences, ...]] = {}
    for section, runs in body.items():
        if not isinstance(runs, dict):
            raise InvalidInput(f"{FILE} {section}", runs, "write a table, [section] and 1 = ...")
        sentences: list[Sentences] = []
        for key, answer in runs.items():
            run = _sentences(f"{FILE} [{section}] {key}", key, answer)
            due = sentences[-1].last + 1 if sentences else 1
            if run.first != due or run.last < due:
                remedy = f"sentence {due} comes next: number them from 1 without a gap"
                raise InvalidInput(f"{FILE} [{section}]", key, remedy)
            sentences.append(run)
        sections[section] = tuple(sentences)
    return sections


def _sentences(place: str, key: str, answer: Any) -> Sentences:
    numbers = _RUN.fullmatch(key)
    if numbers is None:
        raise InvalidInput(place, key, "write the number of a sentence or a run, 7 or 8-11")
    first, last = int(numbers[1]), int(numbers[2] or numbers[1])
    if isinstance(answer, list) and answer and all(isinstance(name, str) for name in answer):
        return Sentences(first, last, claims=tuple(answer))
    elsewhere = _ELSEWHERE.fullmatch(str(answer))
    if elsewhere is not None:
        return Sentences(first, last, judged_at=elsewhere[1])
    if answer not in REASONS:
        remedy = did_you_mean(str(answer), REASONS) or f" or one of {', '.join(REASONS)}"
        raise InvalidInput(place, answer, f'write ["id of a claim"], "judged at PLACE"{remedy}')
    return Sentences(first, last, reason=answer)


def numbered(sections: Mapping[str, tuple[Sentences, ...]]) -> dict[str, Sentences]:
    """The run in which each sentence stands, by the name «section 4, sentence 46»."""
    return {
        f"{section}, sentence {number}": run
        for section, runs in sections.items()
        for run in runs
        for number in range(run.first, run.last + 1)
    }


def require_places(sections: Mapping[str, tuple[Sentences, ...]], placed: Collection[str]) -> None:
    """Refuse a run that is judged where no claim stands; `placed` are displays and labels."""
    known = numbered(sections)
    answered = {*placed, *(name for name, run in known.items() if run.claims)}
    for section, runs in sections.items():
        for run in runs:
            if run.judged_at and run.judged_at not in answered:
                remedy = "has no claim" if run.judged_at in known else "is no place with a claim"
                place = f"{FILE} [{section}] {run.first}"
                remedy += did_you_mean(run.judged_at, answered)
                raise InvalidInput(place, run.judged_at, remedy)


def require_claims(sections: Mapping[str, tuple[Sentences, ...]], claims: Collection[str]) -> None:
    """Refuse a run that names a claim that is none."""
    for section, runs in sections.items():
        for run in runs:
            for name in run.claims:
                if name not in claims:
                    place = f"{FILE} [{section}] {run.first}"
                    raise InvalidInput(place, name, "is no claim" + did_you_mean(name, claims))


@dataclass(frozen=True)
class Meter:
    """How much of a paper is judged, in sentences.

    Attributes
    ----------
    own : judged by claims of their own
    elsewhere : by those of a display or a sentence that they repeat or lead to
    without : how many have no claim, by reason
    """

    own: int
    elsewhere: int
    without: Mapping[str, int]

    @property
    def total(self) -> int:
        """All sentences."""
        return self.own + self.elsewhere + sum(self.without.values())

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"total": self.total, "own": self.own, "elsewhere": self.elsewhere} | {
            "without": dict(self.without)
        }


def metered(sections: Iterable[tuple[Sentences, ...]]) -> Meter:
    """The sentences of a paper, counted by who judges them.

    >>> metered([(Sentences(1, 2, claims=("one",)), Sentences(3, 3, reason="plan of the text"))])
    Meter(own=2, elsewhere=0, without={'plan of the text': 1})
    """
    runs = [run for section in sections for run in section]
    without = Counter[str]()
    for run in runs:
        without[run.reason] += len(run) * bool(run.reason)
    return Meter(
        own=sum(len(run) for run in runs if run.claims),
        elsewhere=sum(len(run) for run in runs if run.judged_at),
        without={name: without[name] for name in REASONS if without[name]},
    )


def coverage(sections: Iterable[tuple[Sentences, ...]]) -> str:
    """How many sentences are judged, and why the others are not, in one line."""
    counts = metered(sections)
    reasons = ", ".join(f"{name} {count}" for name, count in counts.without.items())
    return (
        f"{counts.own} of {counts.total} sentences of the paper are judged by claims of their own, "
        f"{counts.elsewhere} by those of a display or a sentence that they repeat or lead to; "
        f"{sum(counts.without.values())} have no claim: {reasons}."
    )

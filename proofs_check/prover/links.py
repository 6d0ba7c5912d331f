"""Which theorems of statements.v a proof goes through, as the assistant wrote it down.

Beside each compiled theory stands a .glob file: every definition with its place in the source, and
every name that the text after it uses, resolved by the assistant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_FILE = re.compile(r"F(?:\w+\.)*(\w+)")
_DEFINED = re.compile(r"(?!(?:binder|var|sec) )\w+ (\d+):\d+ \S+ (\S+)")
_USED = re.compile(r"R(\d+):\d+ CTV\.(?:\w+\.)*(\w+) \S+ (\S+) \w+")
_THEOREM = re.compile(r"^Theorem (\w+)", re.M)
_WHOLE = re.compile(r"Proof\. exact: ([\w.']+)\. Qed\.")


def references(glob: str) -> dict[str, set[str]]:
    """The names that each definition of a .glob file uses, all as `file.name`.

    >>> references("FCTV.a\\nprf 9:11 <> one\\nR20:22 CTV.b <> two thm\\nR25:25 Coq.R <> R def")
    {'a.one': {'b.two'}}
    """
    lines = glob.splitlines()
    module = next(match[1] for line in lines if (match := _FILE.fullmatch(line)))
    places = [
        (int(match[1]), f"{module}.{match[2]}", "")
        for line in lines
        if (match := _DEFINED.fullmatch(line))
    ]
    places += [
        (int(match[1]), "", f"{match[2]}.{match[3]}")
        for line in lines
        if (match := _USED.fullmatch(line))
    ]
    uses: dict[str, set[str]] = {}
    for _, name, used in sorted(places):
        if name:
            inside = uses.setdefault(name, set())
        elif uses:
            inside.add(used)
    return uses


def links(uses: Mapping[str, set[str]], statements: str) -> dict[str, tuple[str, ...]]:
    """For each theorem of statements.v, the nearest others that its proof goes through.

    A lemma that is the whole proof of a theorem (`Proof. exact: file.lemma. Qed.`) stands for it.
    """
    stands: dict[str, set[str]] = {}
    parts = _THEOREM.split(statements)
    for theorem, text in zip(parts[1::2], parts[2::2], strict=True):
        for lemma in _WHOLE.findall(text):
            stands.setdefault(lemma, set()).add(theorem)
    linked: dict[str, tuple[str, ...]] = {}
    for name in parts[1::2]:
        nearest: set[str] = set()
        visited: set[str] = set()
        todo = [f"statements.{name}"]
        while todo:
            node = todo.pop()
            if node in visited or node not in uses:
                continue
            visited.add(node)
            file, _, lemma = node.partition(".")
            others = {lemma} if file == "statements" else stands.get(node, set())
            if others and name not in others:
                nearest |= others
            else:
                todo += uses[node]
        linked[name] = tuple(sorted(nearest))
    return linked

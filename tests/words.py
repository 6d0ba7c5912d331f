"""The strings that people meet, and the house words that stand in none of them.

A string is met where it has two words at least and is no docstring; help texts are docstrings of
commands. Words in brackets, names of files and keys of JSON are left alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HOUSE = {
    r"(?<!\.)\bfloors?\b(?! *(?:, rates| or smooth))": "lower bound",  # an attribute, an option
    r"\bceilings?\b": "upper bound",
    r"\bin the mean\b": "in expectation, on average",
    r"\bspeaks?\b(?! of\b)": "is non-vacuous",
    r"\bsays? nothing\b": "is vacuous",
    r"\bst(?:ands|anding|ood) still\b": "is static",
    r"\bany road\b": "any proof technique",
    r"\b(?:by|in) balls\b": "by interval (ball) arithmetic",
    r"\bnobody\b": "no one, no policy",
    r"\bl(?:oses?|ost)\b": "has regret; is loose",
    r"\bbears\b": "is non-vacuous for",
    r"\btold\b": "given, known",
    r"\bwithout drift\b": "static",
    r"\bknots?\b": "inducing times",
    r"\bsandwich\b": "bracket around n·m*",
    r"\benvelope\b": "noise inflation",
    r"\bball arithmetic\b": "interval arithmetic",
    r"(?<!min\()\bcap\b(?! 1/)": "trivial upper bound",  # of squared distances in C
    r"\b(?:so-)?manieth\b": "the number of the setting",
}
"""What is not written ↦ what a reader of the field expects."""

ROOMS = ("ctv", "own_runs")
_HELP = ("commands",)


def met(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of the strings of a file that people meet."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _of_python(ast.parse(text), help_too=path.parent.name in _HELP)
    elif path.suffix == ".js":
        for number, line in enumerate(text.splitlines(), 1):
            code = line.split("//")[0]
            for one in re.findall(r'"([^"\\]*)"|`([^`]*)`|\'([^\'\\]*)\'', code):
                yield number, "".join(one)
    else:
        for number, line in enumerate(text.splitlines(), 1):
            yield number, re.sub(r"\{[{%].*?[}%]\}|<[^>]*>|term\([^)]*\)", " ", line)


def _of_python(tree: ast.Module, *, help_too: bool) -> Iterator[tuple[int, str]]:
    docstrings = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                of_command = help_too and isinstance(node, ast.FunctionDef) and _is_public(node)
                if not of_command:
                    docstrings.add(one.value)
    parts = {v for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in n.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            words = (v.value if isinstance(v, ast.Constant) else "…" for v in node.values)
            yield node.lineno, "".join(map(str, words))
        elif isinstance(node, ast.Constant) and node not in docstrings | parts:
            yield node.lineno, str(node.value)


def _is_public(node: ast.FunctionDef) -> bool:
    return not node.name.startswith("_") and any(a.arg == "advance" for a in node.args.kwonlyargs)


def house_words(root: Path) -> list[str]:
    """`file:line: word: text` for every house word in a string that people meet."""
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in (".py", ".js", ".jinja", ".html") or "__pycache__" in path.parts:
                continue
            for line, text in met(path):
                plain = re.sub(r"\([^()]*\)", " ", text)
                if " " not in plain.strip():
                    continue
                for pattern in in_house_words(plain):
                    shown = " ".join(text.split())[:150]
                    found.append(f"{path.relative_to(root)}:{line}: {pattern}: {shown}")
    return found


def in_house_words(text: str) -> Iterator[str]:
    """The patterns of the house words that a text has."""
    return (pattern for pattern in HOUSE if re.search(pattern, text, re.IGNORECASE))

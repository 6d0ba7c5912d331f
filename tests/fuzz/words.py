"""Words for every command, from what the command says of its own options.

An option that is new is drawn here without a line of code: its type says what kind of value it
takes, its help names the words it knows, its name says which file it reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

from hypothesis import strategies as st

from ctv.cli import command_names
from ctv.terminal.command import Layout
from tests.fuzz import files

SMALL = {
    "n": "9",
    "grid": "3",
    "rounds": "4",
    "initial": "3",
    "runs": "2",
    "draws": "20",
    "ids": "lemma-1-exact",
    "policy": "ctv-fixed",
    "workers": "1",
}
"""Values that make a command quick, for options that are not drawn."""

PATIENT = (
    "measure",
    "prover",
    "experiment",
    "every",
)
"""Options that ask for minutes of work, as their help says: not drawn."""

_PATIENT_WORDS = ("deep", "regret-uniform", "regret-biased", "length", "ei", "uniform,biased")
_WHOLE = [
    *map(str, range(13)),
    "20",
    "99",
    "1e1",
    "-1",
    "2.5",
    "",
    "x",
    "nan",
    "inf",
    "1e12",
    "1e400",
    "100000000000000000000",
    "-0",
    "+3",
    " 4 ",
    "٣",
    "1_0",
    "0x10",
    "9223372036854775808",
]
_NUMBER = [
    "0",
    "1",
    "2",
    "3",
    "0.1",
    "0.5",
    "0.9",
    "0.01",
    "1e-3",
    "10",
    "100",
    "-1",
    "-0.0",
    "",
    "x",
    "nan",
    "inf",
    "-inf",
    "1e-15",
    "0.999999999999",
    "1e-300",
    "1e300",
    "5e-324",
    "1e400",
    "1e-6",
    "1e6",
    "1e12",
    "1e-12",
    "1e17",
    "1,5",
    "1/3",
    "٣",
    "1_0",
    "0.30000000000000004",
]
_ODD = [
    "",
    " ",
    ",",
    ",,",
    "-",
    "--",
    ":",
    "=",
    "a,a",
    "nan",
    "1e400",
    "0",
    "-1",
    "\x1b[31m",
    "é",
    "\u2028",
    "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"),
    "x" * 300,
    "%s",
    "{}",
    "../x",
    "a\nb",
    "matern:",
    "matern:2.5",
    "matern:1e9",
    "matern:-1",
    "matern:7/2",
    "1..2",
    "a=1",
    "x=1..2 log",
    "x=0..1 log",
    "x=2..1",
    "1;2",
    "1,2;3",
    "cuts:0-3-9",
    "cuts:0-9-3",
    "equal:0",
    "equal:2",
    "equal:x",
    "1e-1..1e1",
    "M=12",
    "M=0",
    "a,b,a+b",
    "a**a",
    "1/0",
    "30min",
    "1e400min",
    "0s",
    "(" * 99,
    "9**9**9",
    "__import__",
    "ctv-fixed theory",
    "lengthscale x 0",
]
_PLAUSIBLE = {int: ["1", "2", "3", "5"], float: ["0.1", "0.3", "0.5", "1", "1.5", "2"]}
_LISTED = re.compile(r"([\w:/^*()+=-]+)(?=,| or | and |\.|$)|(?:or|and) ([\w:/^*()+=-]+)")


@dataclass(frozen=True)
class Call:
    """A command line, and the files of the folder in which it is run.

    Attributes
    ----------
    words : of the command line
    files : path below the folder ↦ content; None for a named pipe
    stdin : which of the files is standard input
    """

    words: tuple[str, ...]
    files: tuple[tuple[str, bytes | None], ...] = ()
    stdin: str | None = None

    def without(self, field: str) -> Call | None:
        """The call without this option, or with it at its small value; None where it has none."""
        option = f"--{field}"
        places = [i for i, w in enumerate(self.words) if w.split("=")[0] == option]
        if not places:
            return None
        i = places[0]
        end = i + 1
        while "=" not in self.words[i] and end < len(self.words):
            if self.words[end].startswith("--"):
                break
            end += 1
        name = field.replace("-", "_")
        again = (option, SMALL[name]) if name in SMALL and "=" in self.words[i] else ()
        return replace(self, words=(*self.words[:i], *again, *self.words[end:]))

    def __repr__(self) -> str:
        from shlex import join

        held = {k: v if v is None or len(v) < 400 else v[:400] + b"..." for k, v in self.files}
        return f"Call: ctv {join(self.words)!r} < {self.stdin} in {held}"


def layout(command: str) -> Layout:
    """The options of a command."""
    from ctv.extensions import load, names

    if command in names("commands"):
        return Layout.of(load("commands", command))
    return Layout.of(getattr(import_module(f"ctv.commands.{command}"), command))


@st.composite
def calls(draw: st.DrawFn, command: str, most: int = 5) -> Call:
    """A call of this command, mostly nearly right, with files that are mostly nearly right."""
    options = {k: p for k, p in layout(command).options.items() if k not in PATIENT}
    needed = [name for name, p in options.items() if p.default is Parameter.empty]
    chosen = draw(st.lists(st.sampled_from(sorted(options)), max_size=most, unique=True))
    folder: dict[str, bytes | None] = {}
    words: list[str] = []
    for name in dict.fromkeys([*needed, *chosen]):
        words += draw(_option(name, options[name], folder))
    for name, value in SMALL.items():
        from_file = name in ("n", "m") and any(w.startswith("--times") for w in words)
        if name in options and name not in (*chosen, *needed) and not from_file:
            words += [value] if _is_argument(options[name]) else [f"--{name}", value]
    words += draw(st.sampled_from([["--json"], ["--json"], [], ["--all"]]))
    stdin = draw(st.sampled_from([*folder, None])) if folder else None
    if stdin is not None and folder[stdin] is None:
        stdin = None
    return Call((command, *words), tuple(sorted(folder.items())), stdin)


def _is_argument(parameter: Parameter) -> bool:
    import typer

    return any(isinstance(e, typer.models.ArgumentInfo) for e in get_args(parameter.annotation)[1:])


@st.composite
def _option(
    draw: st.DrawFn, name: str, parameter: Parameter, folder: dict[str, bytes | None]
) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    base, extra, *_ = get_args(parameter.annotation)
    kinds = get_args(base) if get_origin(base) is UnionType else (base,)
    (kind,) = (k for k in kinds if k is not type(None))
    if kind is bool:
        return [option]
    parts = [Path if a is Path else a for a in get_args(kind)] if get_origin(kind) else [kind]
    values = [draw(_value(name, part, extra.help or "", folder)) for part in parts]
    if _is_argument(parameter):
        return [value for value in values if not value.startswith("-") or value == "-"]
    return [f"{option}={values[0]}"] if len(values) == 1 else [option, *values]


def _value(name: str, kind: Any, help_text: str, folder: dict[str, bytes | None]) -> Any:
    if kind in _PLAUSIBLE:
        wild = st.sampled_from(_WHOLE if kind is int else _NUMBER)
        plausible = st.sampled_from(_PLAUSIBLE[kind])
        return st.one_of(plausible, plausible, wild)
    if kind is Path:
        return files.paths(name, folder)
    known = [a or b for a, b in _LISTED.findall(help_text)]
    known = [w for w in known if w not in _PATIENT_WORDS] or ["x"]
    known += {"ids": files.CLAIMS, "priors": ["true"]}.get(name, [])
    lists = st.lists(st.sampled_from(known), min_size=1, max_size=3).map(",".join)
    text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
    return st.one_of(
        st.sampled_from(known),
        st.sampled_from(known),
        lists,
        text,
        st.sampled_from(_ODD),
        st.sampled_from(_NUMBER),
        st.sampled_from([*files.COLUMNS, "1,2", "0.5,0.5", "x1=0..1", "x1=0..1, x2=1..9 log"]),
    )


ALL = command_names()

"""Write ctv/__init__.pyi, by which an editor completes commands, options and answers:
`python docs/make_stub.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import ctv
from ctv.cli import COMMANDS
from ctv.extensions import load

STUB = Path(ctv.__file__).with_name("__init__.pyi")

USUAL = {
    "bound": "ctv.values.bounds.BoundsAnswer",
    "certify": "own_runs.commands.certify_log.LogCertificates",
    "look": "ctv.values.look.Look",
    "example": "ctv.values.look.Look",
    "coverage": "ctv.commands.coverage.CoverageStudy",
    "partition": "ctv.values.partition.Partitions",
    "rates": "ctv.values.rates.Rates",
    "simulate": "ctv.values.study.Simulated",
    "uniformity": "ctv.commands.uniformity.Uniformity",
    "verify": "ctv.show.ledger.Verified",
}
"""What a command returns but for options that ask for something else, as `symbolic`."""

OBJECTS = ("durations", "end", "kernel", "domain", "times", "target", "data")
"""Parameters that take arrays, tables or objects of other libraries too."""


def page() -> str:
    """The stub."""
    commands = {name: getattr(ctv, name) for name in dir(ctv) if name not in ctv._ELSEWHERE}
    answers = {name: USUAL.get(name) or returned(name) for name in commands}
    moved = {f"{module}.{own}": name for name, (module, own) in ctv._ELSEWHERE.items()}
    imported = dict.fromkeys([*sorted(set(answers.values())), *sorted(moved)])
    lines = [
        "# Written by docs/make_stub.py.",
        "from pathlib import Path",
        "from typing import Any",
        "",
    ]
    for full in sorted(imported):
        module, _, own = full.rpartition(".")
        lines.append(f"from {module} import {own}" + f" as {own}" * (full in moved))
    again = [name for name, (_, own) in ctv._ELSEWHERE.items() if name != own]
    lines += ["", *(f"{name} = {ctv._ELSEWHERE[name][1]}" for name in again)]
    lines += ["__version__: str", ""]
    for name, command in commands.items():
        lines += [f"def {name}(", *parameters(command), f") -> {answers[name].rpartition('.')[2]}:"]
        lines += [f'    """{inspect.getdoc(command).splitlines()[0]}"""', ""]
    return "\n".join(lines)


def returned(name: str) -> str:
    """The class that a command returns, with its module."""
    own = name in COMMANDS
    command = (
        getattr(import_module(f"ctv.commands.{name}"), name) if own else load("commands", name)
    )
    kind = command.__globals__[inspect.signature(command).return_annotation]
    return f"{kind.__module__}.{kind.__qualname__}"


def parameters(command: Any) -> Iterator[str]:
    """Each on a line."""
    before = None
    for one in inspect.signature(command).parameters.values():
        if one.kind == one.KEYWORD_ONLY != before:
            yield "    *,"
        before = one.kind
        given = (
            f"Path({str(one.default)!r})" if isinstance(one.default, Path) else repr(one.default)
        )
        default = "" if one.default is inspect.Parameter.empty else f" = {given}"
        yield f"    {one.name}: {annotated(one)}{default},"
    yield "    **others: Any,"


def annotated(one: inspect.Parameter) -> str:
    """The type that a caller may pass: lists for texts of lists, texts for paths."""
    if one.name in OBJECTS or one.annotation is inspect.Parameter.empty:
        return "Any"
    found = inspect.formatannotation(one.annotation)
    if found in ("str", "str | None"):
        return f"{found} | list[Any]"
    return found.replace("pathlib.Path", "Path | str")


if __name__ == "__main__":
    STUB.write_text(page(), encoding="utf-8")

"""Write docs/options.md from the options of every command: `python docs/make_options.py`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from typing import Any, get_args

from ctv import extensions
from ctv.cli import COMMANDS
from ctv.options.study import READINGS
from ctv.terminal.command import Layout, is_pictured
from ctv.terminal.renamed import RENAMED

PAGE = Path(__file__).parent / "options.md"


def commands() -> dict[str, Any]:
    """Every command by name, those of other packages too."""
    own = {name: getattr(import_module(f"ctv.commands.{name}"), name) for name in COMMANDS}
    return {**own, **extensions.loaded("commands")}


def sentence_of(parameter: Parameter) -> str:
    """What the help says of an option, with its default."""
    told = next((one.help for one in get_args(parameter.annotation)[1:] if one.help), "")
    default = parameter.default
    shown = default not in (None, False, Parameter.empty)
    return told + (f" Default: `{default}`." if shown else "")


def written(name: str, parameter: Parameter) -> str:
    """An option as it is typed; an argument in capitals."""
    extra = next(iter(get_args(parameter.annotation)[1:]))
    if type(extra).__name__ == "ArgumentInfo":
        return f"`{extra.metavar}`"
    metavar = "" if extra.metavar is None else f" {extra.metavar}"
    own = extra.default if isinstance(extra.default, str) else ""
    flag = own if own.startswith("--") else f"--{name.replace('_', '-')}"
    return f"`{flag}{metavar}`".replace("|", "\\|")


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Each option with its sentence, and the commands that have it so."""
    found: dict[tuple[str, str], list[str]] = {}
    for command, function in commands().items():
        for name, parameter in Layout.of(function).options.items():
            key = (written(name, parameter), sentence_of(parameter))
            found.setdefault(key, []).append(command)
    for (option, sentence), named in sorted(found.items()):
        yield option, sentence, named


def page() -> str:
    """The page as the options are now."""
    pictures = [name for name, command in commands().items() if is_pictured(command)]
    lines = [
        "# Options",
        "",
        "Every option of every command, written from the program by `python docs/make_options.py`. "
        "All commands have `--json`, `--all` and `--help` too; "
        f"{', '.join(pictures)} have `--plot FILE`, which draws the answer (png, pdf or svg).",
        "",
        "| option | meaning | commands |",
        "|---|---|---|",
    ]
    for option, sentence, named in rows():
        lines.append(f"| {option} | {sentence.replace('|', chr(92) + '|')} | {', '.join(named)} |")
    lines += ["", "## Readings", "", "What `ctv simulate --readings NAME=VALUE,…` takes.", ""]
    lines += ["| name | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {sentence} |" for name, sentence in READINGS.items()]
    lines += ["", "## Options that had another name", "", "| old | now |", "|---|---|"]
    lines += [f"| `--{old}` | {new.replace('|', chr(92) + '|')} |" for old, new in RENAMED.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""The command line: which commands there are, and how it starts."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import TYPE_CHECKING, NoReturn

from ctv.show.interrupts import Interrupts, end_quietly

if TYPE_CHECKING:
    import typer

COMMANDS = (
    *("look", "example"),
    *("bound", "partition", "uniformity", "gain", "rates", "certify", "ladder", "coverage"),
    *("simulate", "figure", "report", "explore", "verify"),
)
"""Each a function of the same name in a module of the same name in `ctv.commands`.

Other packages add theirs by the entry points `ctv_bounds.commands`.
"""


def command_names() -> tuple[str, ...]:
    """Every command, those that other packages add last."""
    from ctv.extensions import names

    return (*COMMANDS, *names("commands"))


def application(wanted: Collection[str] | None = None) -> typer.Typer:
    """Every command, or those that are wanted, laid out for the terminal."""
    from ctv import extensions
    from ctv.terminal.command import for_terminal
    from ctv.terminal.frame import empty_application

    app = empty_application()
    for name in COMMANDS:
        if wanted is None or name in wanted:
            command = getattr(import_module(f"ctv.commands.{name}"), name)
            app.command(name)(for_terminal(command))
    for name in extensions.names("commands"):
        if wanted is None or name in wanted:
            app.command(name)(for_terminal(extensions.load("commands", name)))
    return app


def wanted_by(words: Sequence[str]) -> Collection[str] | None:
    """The command that these words call; None for all of them, which help and mistakes need.

    Modules of the other commands take a while to load.

    >>> wanted_by(["bound", "--n", "5"]), wanted_by(["log.csv"]), wanted_by(["--help"])
    (('bound',), ('look',), None)
    """
    from ctv.terminal.frame import is_file

    first = next(iter(words), "")
    if first in command_names():
        return (first,)
    return ("look",) if is_file(first) else None


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line, by default on the words of the process, and leave with an exit code."""
    try:
        _run(words, Interrupts())
    except KeyboardInterrupt:  # before or after what the program itself looks after
        _leave("interrupted", 130)


UNUSED = ("f2py", "testing")
"""Parts of NumPy that SciPy's `from numpy import *` loads, which take a tenth of a short command
and which nobody here uses.
"""


def put_off(package: str = "numpy", names: Iterable[str] = UNUSED) -> None:
    """Load parts of a package at the first use of their names, not when it is imported."""
    for name in names:
        full = f"{package}.{name}"
        spec = None if full in sys.modules else find_spec(full)
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
            module = sys.modules[full] = module_from_spec(spec)
            spec.loader.exec_module(module)
            setattr(sys.modules[package], name, module)


def _run(words: Sequence[str] | None, interrupts: Interrupts) -> None:
    try:
        hidden = hidden_package()
        if hidden is not None:
            _leave(hidden, 2)
        put_off()
        _loaded(sys.argv[1:] if words is None else words)(words)
    except Exception as error:
        if interrupts.seen:
            raise KeyboardInterrupt from error
        if isinstance(error, ImportError | MemoryError):
            # A library that is missing or, under a small `ulimit -v`, cannot be loaded.
            first = " ".join(str(error).split())[:160] or "no memory"
            _leave(f"installation = {first}: reinstall it, or allow more memory", 2)
        raise


def _loaded(words: Sequence[str]) -> typer.Typer:
    """The application; one line where a package that adds to it is broken."""
    from bounds.errors import InvalidInput

    try:
        return application(wanted_by(words))
    except InvalidInput as error:
        from ctv.terminal.frame import one_line

        _leave(one_line(error), 2)


def _leave(problem: str, code: int) -> NoReturn:
    """Say what was wrong in one line, which no further interrupt disturbs, and leave."""
    end_quietly()
    if sys.stderr is not None:
        print(f"ctv: {problem}", file=sys.stderr)
    sys.exit(code)


def hidden_package() -> str | None:
    """What is wrong where a user's file hides one of the packages; None where none is."""
    for name in ("bounds", "simulation", "proofs_check", "own_runs"):
        spec = find_spec(name)
        if spec is not None and spec.submodule_search_locations is None:
            return (
                f"{name} = {spec.origin}: this file hides the package of that name: rename it, "
                "or run from another folder"
            )
    return None

"""The frame around every command: exit codes, and one line for whatever is wrong.

Exit 0: done. 1: a verdict or a check failed. 2: bad input, with exactly one line on standard error
that names the field, the value and the remedy, and nothing on standard output. 130: interrupted.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from bounds.errors import CtvBoundsError, InvalidInput, shortened
from ctv.formulas.letters import write_any_letter
from ctv.options.problem import WITHOUT_VALUE
from ctv.show.interrupts import end_quietly
from ctv.terminal.spelling import meant

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_LONGEST_LINE = 280


def empty_application() -> typer.Typer:
    """The program without commands: --help, --version, tab completion."""
    app = typer.Typer(
        cls=OneLineErrors,
        add_completion=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_start)
    return app


def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Regret bounds for time-varying Gaussian process bandits whose evaluations take unequal time.

    Start with `ctv FILE`, where FILE holds durations or is the log of a tuner, or `ctv example`.
    """
    if version:
        from ctv.show.plain import project_version

        print(f"ctv {project_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


class OneLineErrors(TyperGroup):
    """A group of commands that reports every failure as the command line promises."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run one command and leave with its exit code (SystemExit)."""
        # Leaves, where the shell asks for completions.
        self._main_shell_completion({}, prog_name or "ctv", complete_var)
        sys.exit(self._exit_code(list(sys.argv[1:] if args is None else args)))

    def _exit_code(self, args: list[str]) -> int:
        write_any_letter(sys.stdout, sys.stderr)
        if not sys.warnoptions:
            # What NumPy has to say about an overflow is no second line beside ours.
            warnings.simplefilter("ignore")
            # Nor is what Matplotlib has to say about a home that it cannot write to.
            logging.getLogger("matplotlib").setLevel(logging.ERROR)
        try:
            if sys.stdout is None:
                raise InvalidInput("output", "closed", "open standard output, or redirect it")
            with self.make_context("ctv", self._with_command(args)) as context:
                self.invoke(context)
            sys.stdout.flush()
        except typer.Exit as stop:
            return stop.exit_code or self._flushed()
        except typer.TyperException as error:
            return _complain(_usage_error(error, sorted(self.commands)), BAD_INPUT)
        except InvalidInput as error:
            return _complain(error, BAD_INPUT)
        except CtvBoundsError as error:
            return _complain(error, FAILED)
        except MemoryError:
            return _complain(
                InvalidInput("memory", "used up", "give fewer rounds or a smaller grid"), BAD_INPUT
            )
        except KeyboardInterrupt:
            return _complain("interrupted", INTERRUPTED)
        except OSError as error:
            return _operating_system(error)
        end_quietly()
        return DONE

    def _with_command(self, args: list[str]) -> list[str]:
        """`FILE …` as `look FILE …`, `help NAME` as `NAME --help`; a command that has the name of a
        file is the command.
        """
        first = next(iter(args), "")
        for switch in self.commands[first].params if first in self.commands else ():
            if {*switch.opts} & {*args} and {*switch.secondary_opts} & {*args}:
                both = f"with {switch.secondary_opts[0]}"
                raise InvalidInput(switch.opts[0].lstrip("-"), both, "give one of them")
        args = list(_with_values(args))
        if first == "help" and len(args) <= 2 and not Path(first).exists():
            return [*args[1:], "--help"]
        return ["look", *args] if first not in self.commands and is_file(first) else args

    def _flushed(self) -> int:
        try:
            sys.stdout.flush()
        except OSError as error:
            return _operating_system(error)
        return DONE


def _with_values(words: Sequence[str]) -> Iterator[str]:
    """The words, with a value behind an option that was given alone and may be.

    >>> list(_with_values(["bound", "--symbolic", "--n", "5"]))
    ['bound', '--symbolic', 'text', '--n', '5']
    """
    for word, following in zip_longest(words, words[1:], fillvalue="--"):
        yield word
        if word[2:] in WITHOUT_VALUE and word.startswith("--") and following.startswith("-"):
            yield WITHOUT_VALUE[word[2:]]


def is_file(word: str) -> bool:
    """Whether a word is meant for a file: it is one, or `-`, or has a folder or an ending.

    >>> is_file("log.csv"), is_file("-"), is_file("boundd"), is_file("--help")
    (True, True, False, False)
    """
    if word.startswith("-") and word != "-":
        return False
    if word == "-" or "/" in word or os.sep in word or re.search(r"\.\w{1,7}$", word):
        return True
    try:
        return bool(word) and Path(word).exists()
    except (OSError, ValueError):
        return False


def _operating_system(error: OSError) -> int:
    """What the system refuses: a reader that left is no error, a full disk is one line."""
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return DONE
    where = "standard output" if error.filename is None else str(error.filename)
    field = "output" if error.filename is None else "file"
    remedy = "name another place"
    if error.filename is None and error.errno not in (errno.ENOSPC, errno.EBADF, errno.EIO):
        field, where, remedy = "system", "a call", "allow more memory, files or processes"
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    return _complain(InvalidInput(field, where, f"{shortened(reason)}: {remedy}"), BAD_INPUT)


def _complain(problem: object, exit_code: int) -> int:
    end_quietly()
    if sys.stderr is not None:  # closed: `print` would take standard output for it
        print(f"ctv: {one_line(problem)}", file=sys.stderr)
    return exit_code


def one_line(problem: object) -> str:
    """What is wrong as one printable line: field and value of at most 60 characters, the remedy.

    >>> one_line(InvalidInput("times", "x" * 99, "give\x1b[31m a file"))
    'times = xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…: give [31m a file'
    """
    text = str(problem)
    if isinstance(problem, InvalidInput):
        text = f"{shortened(problem.field)} = {shortened(problem.value)}: {problem.remedy}"
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"


def _usage_error(error: typer.TyperException, commands: list[str]) -> InvalidInput:
    """What typer says over several lines, as field, value and remedy."""
    message = error.message
    option = getattr(error, "option_name", None)
    if option is not None and "requires" in message:
        return InvalidInput(option.lstrip("-"), "nothing", "give a value after it")
    if option is not None and "does not take" in message:
        return InvalidInput(option.lstrip("-"), "a value", "it is a flag: give it alone")
    if option is not None:
        from ctv.terminal.renamed import instead_of

        context = getattr(error, "ctx", None)
        parameters = [] if context is None else context.command.params
        written = [name for one in parameters for name in (*one.opts, *one.secondary_opts)]
        known = [name for name in written if name.startswith("--")]
        new = instead_of(option)
        if new is not None:
            return InvalidInput("option", option, new)
        close = meant(option, [name for name in known if name != "--help"])
        hint = f"did you mean --{close}?" if close else "--help lists the options"
        return InvalidInput("option", option, f"there is no such option; {hint}")
    if match := re.search(r"No such command (['\"])(.*?)\1", message, re.DOTALL):
        near = get_close_matches(match[2], commands, 1, 0.7)
        hint = f"did you mean {near[0]}? There are " if near else "use "
        return InvalidInput("command", match[2], hint + ", ".join(commands))
    if match := re.search(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", message, re.DOTALL):
        context = getattr(error, "ctx", None)
        options = [] if context is None else [o for one in context.command.params for o in one.opts]
        if "--times" in options and " " not in match[1] and is_file(match[1]):
            return InvalidInput("argument", match[1], "write --times before it")
        return InvalidInput("argument", match[1], "drop it: options start with --")
    parameter = getattr(error, "param", None)
    if parameter is not None and not message:
        says = (parameter.help or "").rstrip(".")
        what = f" ({says[0].lower()}{says[1:]})" if says else ""
        return InvalidInput(parameter.name, "nothing", f"it must be given{what}")
    field = parameter.name.replace("_", "-") if parameter is not None else "usage"
    return InvalidInput(field, message or "nothing", "--help lists the options")

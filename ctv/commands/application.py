"""The frame around every command: exit codes, and one line for whatever is wrong.

Exit 0: done. 1: a verdict or a check failed. 2: bad input, with exactly one line on standard error
that names the field, the value and the remedy, and nothing on standard output. 130: interrupted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from bounds.errors import CtvBoundsError, InvalidInput

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


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
        sys.exit(self._exit_code(list(sys.argv[1:] if args is None else args)))

    def _exit_code(self, args: list[str]) -> int:
        try:
            with self.make_context("ctv", args) as context:
                self.invoke(context)
            sys.stdout.flush()
        except typer.Exit as stop:
            return stop.exit_code
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
        except BrokenPipeError:
            # The reader has seen enough. Python would complain once more when it flushes at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return DONE
        return DONE


def _complain(problem: object, exit_code: int) -> int:
    line = " ".join(str(problem).split())
    print(f"ctv: {line}", file=sys.stderr)
    return exit_code


def _usage_error(error: typer.TyperException, commands: list[str]) -> InvalidInput:
    """What typer says over several lines, as field, value and remedy."""
    message = error.message
    option = getattr(error, "option_name", None)
    if option is not None and "requires" in message:
        count = "2 values" if "2 arguments" in message else "a value"
        return InvalidInput(option.lstrip("-"), "nothing", f"give {count} after it")
    if option is not None and "does not take" in message:
        return InvalidInput(option.lstrip("-"), "a value", "it is a flag: give it alone")
    if option is not None:
        close = getattr(error, "possibilities", None)
        hint = f"did you mean {close[0]}?" if close else "--help lists the options"
        return InvalidInput("option", option, f"there is no such option; {hint}")
    if match := re.search(r"No such command (['\"])(.*?)\1", message, re.DOTALL):
        return InvalidInput("command", match[2], f"use {', '.join(commands)}")
    if match := re.search(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", message, re.DOTALL):
        return InvalidInput("argument", match[1], "drop it: options start with --")
    parameter = getattr(error, "param", None)
    if parameter is not None and not message:
        return InvalidInput(parameter.name, "nothing", "it must be given")
    field = parameter.name.replace("_", "-") if parameter is not None else "usage"
    return InvalidInput(field, message or "nothing", "--help lists the options")

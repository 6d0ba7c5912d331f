"""One shape for every command: options, one call that returns a value, and how it is rendered.

A command is a function of option groups and options that returns a `Shown`. `for_terminal` lays it
out for the command line and prints the value, `for_python` takes the same options as keywords and
returns it. There is no other way in.
"""

from __future__ import annotations

import csv
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from numbers import Integral, Real
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import wrap
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

from bounds.errors import InvalidInput
from bounds.progress import unstaged
from ctv.extensions import Extended, option_groups, option_names
from ctv.options.problem import WITHOUT_VALUE, FileOptions, Given, ModelOptions, whole_number
from ctv.show.plain import write
from ctv.show.progress import progress
from ctv.terminal.spelling import ELSEWHERE, meant, same_word

if TYPE_CHECKING:
    from bounds.progress import Stage
    from ctv.show.shown import Shown

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object and nothing else.", show_default=False)
]
All = Annotated[
    bool, typer.Option("--all", help="Print what the first screen leaves out.", show_default=False)
]
Plot = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        help="Draw the answer too: a file that ends in .png, .pdf or .svg; its caption lies beside "
        "it as text.",
        metavar="FILE",
        show_default=False,
    ),
]
Compute = Callable[..., "Shown"]
_Command = TypeVar("_Command", bound=Callable[..., Any])

_NOT_OPTIONS = ("advance", "return")


@dataclass(frozen=True)
class Layout:
    """The parameters of a command: its option groups, its options, and who is told the names.

    Attributes
    ----------
    groups : parameter ↦ dataclasses whose fields are options: one, or those of other packages
    options : name ↦ parameter, those of the groups among them
    extended : parameter ↦ the kind of extension that it holds
    given : the parameter that is given the names of the options in use; None without
    """

    groups: Mapping[str, tuple[type, ...]]
    extended: Mapping[str, type[Extended]]
    options: Mapping[str, inspect.Parameter]
    given: str | None

    @classmethod
    def of(cls, command: Compute) -> Layout:
        """Read the signature; annotations are evaluated one by one, `advance` and all left out."""
        groups: dict[str, tuple[type, ...]] = {}
        extended: dict[str, type[Extended]] = {}
        options: dict[str, inspect.Parameter] = {}
        told = None
        for name, parameter in inspect.signature(command).parameters.items():
            if name in _NOT_OPTIONS:
                continue
            hint = eval(parameter.annotation, vars(sys.modules[command.__module__]))
            if hint is Given:
                told = name
            elif isinstance(hint, type) and issubclass(hint, Extended):
                extended[name], groups[name] = hint, option_groups(hint.group)
            elif isinstance(hint, type) and is_dataclass(hint):
                groups[name] = (hint,)
            else:
                options[name] = _keyword(name, hint, parameter.default)
            for group in groups.get(name, ()):
                hints = get_type_hints(group, include_extras=True)
                for one in fields(group):
                    if one.name not in option_names(group):
                        continue
                    option = _keyword(one.name, hints[one.name], one.default)
                    # Groups that declare an option in the same words share it.
                    if options.setdefault(one.name, option).annotation != option.annotation:
                        remedy = "two option groups have it: remove the package that adds it"
                        raise InvalidInput("extension", one.name, remedy)
        return cls(groups, extended, options, told)

    def parameter(self, of: type) -> str | None:
        """The parameter whose option group is of this kind; None without."""
        return next((n for n, gs in self.groups.items() for g in gs if issubclass(g, of)), None)

    def filled(self, values: Mapping[str, Any], named: Iterable[str]) -> dict[str, Any]:
        """The arguments of the command from the values of all its options."""
        arguments: dict[str, Any] = {
            name: tuple(
                group(**{f.name: values[f.name] for f in fields(group) if f.name in values})
                for group in groups
            )
            for name, groups in self.groups.items()
        }
        held = {
            f.name for groups in self.groups.values() for group in groups for f in fields(group)
        }
        left = {name: value for name, value in values.items() if name not in held}
        for name, made in arguments.items():
            of = self.extended.get(name)
            arguments[name] = made[0] if of is None else of(made)
        if self.given is not None:
            arguments[self.given] = Given(frozenset(named))
        return arguments | left


def for_terminal(command: Compute) -> Callable[..., None]:
    """The command as typer takes it: numbers as text, so that a bad one can be named."""
    layout = Layout.of(command)
    context_name = "context"
    shown = {name: _as_text(parameter) for name, parameter in layout.options.items()}
    shown[context_name] = _keyword(context_name, typer.Context, inspect.Parameter.empty)
    shown["everything"] = _keyword("everything", All, False)
    shown["json"] = _keyword("json", Json, False)
    if is_pictured(command):
        shown["plot"] = _keyword("plot", Plot, None)

    @wraps(command)
    def run(
        *,
        context: typer.Context,
        everything: bool,
        json: bool,
        plot: Path | None = None,
        **given: Any,
    ) -> None:
        if everything and json:
            raise InvalidInput("all", "with --json", "drop one: the JSON holds everything")
        if plot is not None:
            from ctv.figures.canvas import checked_path

            checked_path(plot, "plot")
        values = {name: _read(name, layout.options[name], value) for name, value in given.items()}
        arguments = layout.filled(values, _named(context))
        with progress(command.__name__) as advance:
            try:
                value = command(**arguments, advance=advance)
            except InvalidInput as error:
                raise _as_written(error, layout.options) from None
            if json:
                value = value.continued(advance) or value
            if plot is not None:
                _draw(value, plot, advance)
        for warning in value.warnings:
            print(f"ctv: warning: {warning}", file=sys.stderr)
        if json:
            write(value.to_dict())
        else:
            value.screen().print(everything=everything)
            value = _continued(value, command.__name__)
        raise typer.Exit(value.exit_code())

    # typer reads the signature; `wraps` has copied the one with the groups in it.
    run.__signature__ = inspect.Signature(list(shown.values()))  # type: ignore[attr-defined]
    run.__annotations__ = {name: p.annotation for name, p in shown.items()}
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    run.__doc__ = "\n\n".join(" ".join(each.split()) for each in paragraphs)  # it wraps them anew
    del run.__wrapped__
    return run


def _continued(value: Shown, name: str) -> Shown:
    """Print what takes longer than the first screen, where there is anything."""
    sys.stdout.flush()  # somebody reads it while the rest is computed
    with progress(name) as advance:
        more = value.continued(advance)
    if more is None:
        return value
    more.news().print()
    return more


def pictured(command: _Command) -> _Command:
    """Mark a command whose answer has a picture: the command line gives it `--plot FILE`."""
    command.__dict__["pictured"] = True
    return command


def is_pictured(command: Compute) -> bool:
    """Whether the command is marked so."""
    return bool(command.__dict__.get("pictured"))


def _draw(value: Shown, path: Path, advance: Stage) -> None:
    """Write the picture of an answer; raises InvalidInput where this one has none."""
    from ctv.figures.canvas import save

    advance("picture", 0.0)
    try:
        drawn = value.plot()
    except NotImplementedError:
        remedy = "drop it: this answer has no picture"
        raise InvalidInput("plot", str(path), remedy) from None
    save(drawn, path, option="plot")


def for_python(command: Compute) -> Callable[..., Shown]:
    """The command as a function of the same name and options, which returns its value.

    Where the command reads evaluation times, the first argument may be durations, a path, an
    `EvaluationTimes` or a whole `Problem`.
    """
    layout = Layout.of(command)
    of_file, of_model = layout.parameter(FileOptions), layout.parameter(ModelOptions)
    arguments = [n for n, p in layout.options.items() if _is_argument(p)]
    symbolic = {"symbolic", "values"} <= layout.options.keys()

    def call(*first: Any, **options: Any) -> Shown:
        if "y" in layout.options:
            first, options = _with_log(first, options, layout)
        if symbolic and isinstance(options.get("durations"), str):
            options["sequence"] = f"{options.pop('durations')},"
        options, objects = _of_python(options, layout, with_model=of_model is not None)
        unknown = next((name for name in options if name not in layout.options), None)
        if unknown is not None:
            from ctv.terminal.renamed import instead_of

            new = instead_of(unknown)
            if new is not None:
                name = f"{command.__name__}() has no option {unknown!r} any more"
                raise TypeError(f"{name}: {new}, as a keyword here")
            close = meant(unknown, layout.options)
            hint = f"; did you mean {close.replace('-', '_')}?" if close else ""
            if unknown in ELSEWHERE and ELSEWHERE[unknown] != command.__name__:
                hint = f"; ctv.{ELSEWHERE[unknown]} has it"
            raise TypeError(f"{command.__name__}() has no option {unknown!r}{hint}")
        for name in ("times", "durations") if of_file and not first else ():
            if _are_times(options.get(name)):
                first = (options.pop(name),)
                break
        if of_file and not first and _are_times(options.get("end")):
            from bounds.times import EvaluationTimes

            first = (EvaluationTimes.from_times(options.pop("end")),)
        array: Any = first[0] if of_model and first and not _is_table(first[0]) else None
        if len(getattr(array, "shape", ())) == 2 and array.shape[1] > 1:
            raise TypeError(f"{command.__name__}(): points are no times: pass them as X=...")
        places = [*arguments, *([of_file] if of_file else [])]
        if arguments and list in _types(layout.options[arguments[0]]):
            first = (list(first),) if first else ()
        elif of_file and places[0] != of_file and first and _are_times(first[0]):
            # Times themselves, where the argument is the path of something.
            places = [of_file] if Path in _types(layout.options[places[0]]) else places
        if len(first) > len(places):
            raise TypeError(f"{command.__name__}() takes at most {len(places)} values by position")
        given = dict(zip(places, first, strict=False))
        twice = next((name for name in arguments if name in given and name in options), None)
        if twice is not None:
            raise InvalidInput(twice, str(options[twice]), f"drop it: the {twice} came first")
        durations = given.pop(of_file, None) if of_file else None
        with TemporaryDirectory() as folder:
            durations = _on_file("times", durations, folder)
            given |= options
            paths = [name for name in given if Path in _types(layout.options[name])]
            given |= {name: _on_file(name, given[name], folder) for name in paths}
            return answered(durations, given, options, objects)

    def answered(
        durations: Any, given: dict[str, Any], options: dict[str, Any], objects: dict[str, Any]
    ) -> Shown:
        values = {name: p.default for name, p in layout.options.items()}
        values |= {name: _taken(name, layout.options[name], value) for name, value in given.items()}
        lacking = next((n for n, v in values.items() if v is inspect.Parameter.empty), None)
        if lacking is not None:
            what = "a path or a table" if Path in _types(layout.options[lacking]) else "it"
            remedy = f"pass {what}, by position or as {lacking}=..."
            raise TypeError(f"{command.__name__}(): {lacking} is missing: {remedy}")
        values |= objects
        if symbolic and _is_symbolic(durations):
            values["sequence"], durations = ",".join((*map(str, durations), "")), None
        if durations is not None:
            _place_durations(durations, values, options, with_model=of_model is not None)
        try:
            answer = command(**layout.filled(values, options), advance=unstaged)
            return answer.continued(unstaged) or answer
        except InvalidInput as error:
            raise _in_python(error, layout.options) from None

    call.__name__ = call.__qualname__ = command.__name__
    call.__doc__ = f"{inspect.getdoc(command)}\n\n{_described(layout, of_file is not None)}"
    if example := command.__globals__.get("EXAMPLE"):
        call.__doc__ += f"\n\nExamples\n--------\n>>> import ctv\n{example}"
    shown = [
        *(_first(name, layout.options[name].default) for name in arguments),
        *([_first("durations", None)] if of_file and "times" not in arguments else []),
        *(
            p.replace(annotation=get_args(p.annotation)[0])  # the type alone, as a person reads it
            for name, p in layout.options.items()
            if name not in arguments
        ),
    ]
    call.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        shown, return_annotation=inspect.signature(command).return_annotation
    )
    return call


_OPTION = re.compile(r"--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?: ([A-Z][A-Z0-9_]*(?:\.[a-z]+)?)\b)?")


def _in_python(error: InvalidInput, known: Mapping[str, inspect.Parameter]) -> InvalidInput:
    """The error with its field and its remedy as a caller in Python writes options.

    >>> known = {"data": inspect.Parameter("data", inspect.Parameter.KEYWORD_ONLY)}
    >>> print(_in_python(InvalidInput("data", "nothing", "name it: --data FILE"), known))
    data = nothing: name it: data=FILE
    """

    opposites = _opposites(known)

    def spoken(match: re.Match[str]) -> str:
        name = match[1].replace("-", "_")
        if name in opposites:
            return f"{opposites[name]}=False"
        if name not in known:
            return match[0]
        alone = isinstance(known[name].default, bool) or {name} & {
            *WITHOUT_VALUE,
            *opposites.values(),
        }
        return f"{name}={True if alone else match[2] or '…'}"

    names = {
        getattr(annotation, "metavar", None): name
        for name, parameter in known.items()
        if _is_argument(parameter)
        for annotation in getattr(parameter.annotation, "__metadata__", ())
    }
    field = names.get(error.field, _option_of(error, known).replace("-", "_"))
    remedy = _OPTION.sub(spoken, error.remedy)
    return type(error)(field if field in known else error.field, error.value, remedy)


def _option_of(error: InvalidInput, known: Iterable[str]) -> str:
    """The option that gave what is wrong, by the name that the packages have for the value."""
    from ctv.terminal.renamed import ASKED_BY

    option = ASKED_BY.get(error.field)
    if option is None or option not in known or error.field in known:
        return error.field
    return option.replace("_", "-")


def _as_written(error: InvalidInput, known: Mapping[str, inspect.Parameter]) -> InvalidInput:
    """The error with its field as the command line writes the option, a switch that says no too."""
    option, value = _option_of(error, known), error.value
    for opposite, switch in _opposites(known).items():
        if (option, str(value)) == (switch, "False"):
            option, value = opposite, True
    return type(error)(option, value, error.remedy)


_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD


def _are_times(given: Any) -> bool:
    """Whether these are times themselves, rather than the path of a file with them."""
    return given is not None and not isinstance(given, str | Path)


def _of_python(
    options: Mapping[str, Any], layout: Layout, *, with_model: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options under their own names, and kernel objects and points apart.

    `eps`, `sigma2`, `n_runs` and other words for one thing are options; `kernel` may be an object
    of this library or of another one, and `X`, `points` or `domain` holds points.
    """
    given: dict[str, Any] = {}
    objects: dict[str, Any] = {}
    opposites = _opposites(layout.options)
    for name, value in options.items():
        opposite = name if name in opposites else same_word(name, opposites)
        if opposite is not None and isinstance(value, bool) and opposites[opposite] not in options:
            name, value = opposites[opposite], not value
        own = name if name in layout.options or name == "X" else same_word(name, layout.options)
        if own is not None and own != name and own in options:
            raise TypeError(f"{name} and {own} are one option: give one of them")
        given[own or name] = value
    for name in ("points", "domain") if with_model else ():
        if not isinstance(given.get(name), str | Path | Mapping | None):
            if "X" in given:
                raise TypeError(f"{name} and X are one thing: give one of them")
            given["X"] = given.pop(name)
    if with_model and "X" in given:
        objects["given_points"] = _points_of(given.pop("X"))
    kernel = given.get("kernel")
    if with_model and not (kernel is None or isinstance(kernel, str)):
        from bounds.kernels.of_objects import read_kernel

        if "lengthscale" in given:
            raise InvalidInput("lengthscale", given["lengthscale"], "drop it: the kernel has its")
        objects["given_kernel"] = read_kernel(given.pop("kernel"))
    elif "given_points" in objects:
        from bounds.kernels import parse_kernel
        from bounds.kernels.of_objects import read_kernel

        named = parse_kernel(kernel or "se", float(given.get("lengthscale", 0.2)))
        objects["given_kernel"] = read_kernel(named)
    return given, objects


def _opposites(options: Mapping[str, inspect.Parameter]) -> dict[str, str]:
    """What a switch is called when it says no ↦ its name, as minimize ↦ maximize."""
    switches = {
        name: next((e.default for e in get_args(parameter.annotation)[1:]), None)
        for name, parameter in options.items()
    }
    return {
        switch.partition("/--")[2]: name
        for name, switch in switches.items()
        if isinstance(switch, str) and "/--" in switch
    }


def _with_log(
    first: tuple[Any, ...], options: dict[str, Any], layout: Layout
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arrays of points, values and durations as the table of a log, its columns x1, …, y, duration.

    They came as `X` and `y`, or as two values by position; without durations, which may be an array
    too, every row took the same time.
    """
    if len(first) == 2 and not isinstance(first[-1], str):
        points, values = first
        first, options = (), {**options, "X": points, "y": values}
    if "X" in options and options.get("y") is None and layout.parameter(ModelOptions) is None:
        raise TypeError("y is missing: pass the values of the points X as y=...")
    if options.get("y") is None or isinstance(options["y"], str) or "X" not in options:
        return first, options
    options = dict(options)
    given, values = options.pop("X"), options.pop("y")
    table = given
    if not _is_table(given):
        points = _points_of(given)
        table = {f"x{j + 1}": points[:, j] for j in range(points.shape[1])}
    names = [str(name) for name in getattr(table, "columns", table)]
    log = {name: list(table[name]) for name in names}
    log["y"] = [float(value) for value in _numbers_of(values, "y")]
    took = next((name for name in ("duration", "durations") if name in options), None)
    if took is not None and not isinstance(options[took], str):
        log["duration"] = [float(value) for value in _numbers_of(options.pop(took), "duration")]
        options["duration"] = "duration"
    elif took is None and "start" not in options:
        options["duration"] = "equal"
    for name, column in log.items():
        if len(column) != len(log["y"]):
            remedy = f"give as many as there are values of y, {len(log['y'])}"
            raise InvalidInput("X" if name in names else name, f"{len(column)} rows", remedy)
    options |= {"x": ",".join(names), "y": "y"}
    if "data" not in layout.options:
        return (log,), options
    return first, {**options, "data": log}


def _numbers_of(given: Any, name: str) -> Any:
    """(n,) numbers; raises InvalidInput for others."""
    import numpy as np

    try:
        numbers = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(name, given, "give an array of numbers, one a row") from None
    if numbers.ndim == 0 or numbers.size != len(numbers):
        raise InvalidInput(name, f"shape {numbers.shape}", "give an array of numbers, one a row")
    return numbers.ravel()


def _points_of(given: Any) -> Any:
    import numpy as np

    try:
        if np.iscomplexobj(given):
            raise TypeError(given)
        points = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput("X", given, "give an array of points, one a row") from None
    if points.ndim == 1:
        points = points[:, None]
    if points.ndim != 2 or not points.size:
        raise InvalidInput("X", f"shape {points.shape}", "give an array of points, one a row")
    return points


def _is_symbolic(durations: Any) -> bool:
    """Whether these are durations in symbols: a list of text or expressions."""
    return isinstance(durations, list | tuple) and any(
        isinstance(one, str) or hasattr(one, "free_symbols") for one in durations
    )


def _place_durations(
    durations: Any, values: dict[str, Any], options: Mapping[str, Any], *, with_model: bool
) -> None:
    """Put what came first where the options have it: a path, times, or a whole problem."""
    from bounds.problem import Problem
    from bounds.times import EvaluationTimes

    if options.get("times") is not None:
        raise InvalidInput("times", options["times"], "drop it: the times came first")
    if isinstance(durations, str | Path):
        values["times"] = durations if isinstance(durations, Path) else Path(durations)
        return
    if isinstance(durations, Problem) and with_model:
        for field in fields(ModelOptions):
            if field.name in options:
                raise InvalidInput(field.name, options[field.name], "drop it: the problem has its")
        values["given_problem"], durations = durations, durations.times
    if not isinstance(durations, EvaluationTimes):
        durations = EvaluationTimes.from_durations(durations)
    values["given_times"] = durations


def _is_table(given: Any) -> bool:
    return isinstance(given, Mapping) or hasattr(given, "columns")


class _InMemory(type(Path())):  # type: ignore[misc]
    """The file of a table that Python holds: it is opened where it is, and called what it is."""

    def __str__(self) -> str:
        return "the table given in Python"

    def __fspath__(self) -> str:
        return str(super().__str__())

    @property
    def name(self) -> str:
        """As answers call it."""
        return str(self)


def _on_file(name: str, table: Any, folder: str) -> Any:
    """The path of a CSV file of a table in memory, by its columns; anything else as it is."""
    if not _is_table(table):
        return table
    names = list(getattr(table, "columns", table))
    try:
        columns = {str(one): list(table[one]) for one in names}
    except TypeError:
        columns = {}
    if len({len(column) for column in columns.values()}) != 1:
        raise InvalidInput(name, f"a table of {len(names)} columns", "give columns of one length")
    path = _InMemory(folder, f"{name}.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        # A number that is none is a cell that is empty, as tables write it themselves.
        rows.writerows(
            ["" if cell is None or cell != cell else cell for cell in row]
            for row in zip(*columns.values(), strict=True)
        )
    return path


def _taken(name: str, parameter: inspect.Parameter, value: Any) -> Any:
    """A value from Python as the option holds it; raises InvalidInput for another type."""
    field = name.replace("_", "-")
    kinds = _types(parameter)
    if value is None and parameter.default is None:
        return None
    if name in WITHOUT_VALUE and isinstance(value, bool):
        return WITHOUT_VALUE[name] if value else parameter.default
    if bool in kinds:
        if not isinstance(value, bool):
            raise InvalidInput(field, value, "give True or False")
        return value
    if isinstance(value, bool):
        raise InvalidInput(field, value, f"give a {kinds[0].__name__}")
    if int in kinds and isinstance(value, Integral):
        return int(value)
    if float in kinds and isinstance(value, Real):
        return float(value)
    if int in kinds or float in kinds:
        raise InvalidInput(field, value, f"give a {'whole ' if int in kinds else ''}number")
    if Path in kinds and isinstance(value, str | Path):
        return value if isinstance(value, Path) else Path(value)
    if str in kinds and isinstance(value, str | Real):
        return str(value)
    if str in kinds and isinstance(value, Mapping):
        return ",".join(f"{key}={one}" for key, one in value.items())
    if str in kinds and isinstance(value, Iterable):
        return ",".join(str(part) for part in value)  # a comma list of the command line
    if list in kinds:
        return [str(part) for part in value]
    wanted = "path or a table" if Path in kinds else kinds[0].__name__
    raise InvalidInput(field, value, f"give a {wanted}")


_OBJECTS = {
    "kernel": "a kernel object of scikit-learn, GPyTorch, GPflow, GPJax or tinygp",
    "domain": "an array (N, d), by the name X too",
}
"""What an option takes from Python beside text."""


def _described(layout: Layout, has_times: bool) -> str:
    """The options as numpydoc has parameters."""
    lines = ["Parameters", "----------"]
    if has_times:
        lines += [
            "durations : array, table or column, path, EvaluationTimes or Problem, optional",
            "    The evaluation times, by position.",
        ]
    for name, parameter in layout.options.items():
        told = next((e.help for e in get_args(parameter.annotation)[1:] if e.help), "")
        if layout.parameter(ModelOptions) and name in _OBJECTS:
            told += f" Also {_OBJECTS[name]}."
        base = get_args(parameter.annotation)[0]
        kind = str(base).replace("pathlib.", "") if get_args(base) else base.__name__
        kind = kind.replace(" | None", ", optional")
        default = parameter.default
        usual = "" if default in (None, inspect.Parameter.empty) else f", default {default!r}"
        lines += [f"{name} : {kind}{usual}", *(f"    {line}" for line in wrap(told, 72))]
    lines += [
        "",
        "Returns",
        "-------",
        "The value that the command prints: `.summary()`, `.to_dict()`, `.to_json()`,",
        "`.table()`, `.to_frame()`, and `.plot()` where there is a picture.",
        "",
        "Raises",
        "------",
        "InvalidInput (a ValueError) that names the parameter, its value and the remedy.",
    ]
    return "\n".join(lines)


def _first(name: str, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, _EITHER, default=default)


def _is_argument(parameter: inspect.Parameter) -> bool:
    return any(
        isinstance(extra, typer.models.ArgumentInfo) for extra in get_args(parameter.annotation)[1:]
    )


def _named(context: typer.Context) -> frozenset[str]:
    """The options that the words of the command line name."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return frozenset(n for n, s in sources.items() if s is not None and s.name == "COMMANDLINE")


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _types(parameter: inspect.Parameter) -> tuple[type, ...]:
    """The types that an option may have, without None."""
    base = get_args(parameter.annotation)[0]
    types = get_args(base) if get_origin(base) is UnionType else (base,)
    return tuple(get_origin(t) or t for t in types if t is not type(None))


def _number_type(parameter: inspect.Parameter) -> type | None:
    """int or float, where the option holds a number."""
    return next((t for t in _types(parameter) if t in (int, float)), None)


def _as_text(parameter: inspect.Parameter) -> inspect.Parameter:
    if _number_type(parameter) is None:
        return parameter
    _, *extras = get_args(parameter.annotation)
    optional = parameter.default is None
    base = str | None if optional else str
    default = parameter.default if optional else f"{parameter.default:g}"
    return parameter.replace(annotation=Annotated[base, *extras], default=default)


def _read(name: str, parameter: inspect.Parameter, value: Any) -> Any:
    kind = _number_type(parameter)
    if kind is None or value is None:
        return value
    field = name.replace("_", "-")
    if kind is int:
        return whole_number(field, value)
    try:
        return float(value)
    except ValueError:
        raise InvalidInput(field, value or "''", "give a number") from None

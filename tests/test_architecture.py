"""Habits of the code that can be checked by reading it: what each package may do and import."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from setuptools import find_packages

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bounds", "simulation", "proofs_check", "ctv", "own_runs")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
QUIET = [path for path in SOURCES if path.relative_to(ROOT).parts[0] != "ctv"]
SHOWN_OF_LOGS = [ROOT / "own_runs" / room for room in ("commands", "figures", "values")]
# What np.random may be used for: types and generators made from a seed that was handed in.
ALLOWED_RANDOM = {"Generator", "default_rng", "SeedSequence", "PCG64", "BitGenerator"}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def nodes(tree: ast.AST) -> list[ast.AST]:
    """All of a tree, which is walked once for every check."""
    return list(ast.walk(tree))


@cache
def calls_in(tree: ast.AST) -> list[tuple[str, ast.Call]]:
    """(dotted name of the function, call) of every call by name."""
    calls = [node for node in nodes(tree) if isinstance(node, ast.Call)]
    return [(ast.unparse(call.func), call) for call in calls]


@cache
def imported_in(tree: ast.AST) -> set[str]:
    """Top-level packages that a module imports anywhere."""
    names = set()
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def printing(tree: ast.AST) -> list[int]:
    written = ("print", "sys.stdout.write", "sys.stderr.write")
    return [call.lineno for name, call in calls_in(tree) if name in written]


def global_randomness(tree: ast.AST) -> list[str]:
    """Uses of numpy's global generator, of an unseeded one, or of the random module."""
    found = []
    for name, call in calls_in(tree):
        match = re.fullmatch(r"(?:np|numpy)\.random\.(\w+)", name)
        if match and match[1] not in ALLOWED_RANDOM:
            found.append(f"line {call.lineno}: {name}")
        if name.endswith("default_rng") and not call.args and not call.keywords:
            found.append(f"line {call.lineno}: default_rng() without a seed")
    if "random" in imported_in(tree):
        found.append("import random")
    return found


def swallowing(tree: ast.AST) -> list[int]:
    """Handlers that catch everything and do not raise in the end, or that do nothing."""
    return [
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (
                ast.unparse(node.type) in ("Exception", "BaseException")
                and not isinstance(node.body[-1], ast.Raise)
            )
            or all(isinstance(statement, ast.Pass) for statement in node.body)
        )
    ]


def evaluating(tree: ast.AST) -> list[str]:
    """Calls that may run text or bytes: eval, exec, pickles, and what sympy takes unchecked."""
    found = []
    for name, call in calls_in(tree):
        last = name.split(".")[-1]
        given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
        if (
            name in ("eval", "exec", "compile", "__import__", "sympy.S")
            or last in ("parse_expr", "parse_latex", "read_pickle", "Unpickler")
            or (last in ("load", "loads") and name.split(".")[0] in ("pickle", "joblib", "marshal"))
            or (last == "sympify" and given.get("strict") != "True")
            or (name == "np.load" and given.get("allow_pickle") != "False")
        ):
            found.append(name)
    return found


def hidden_state(tree: ast.AST) -> list[str]:
    """Global statements, caches that outlive their object, and mutable default arguments."""
    found = [f"line {node.lineno}: global" for node in nodes(tree) if isinstance(node, ast.Global)]
    for node in nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        takes_self = bool(node.args.args) and node.args.args[0].arg in ("self", "cls")
        for decorator in node.decorator_list:
            if takes_self and re.search(r"\b(lru_cache|cache)\b", ast.unparse(decorator)):
                found.append(f"line {node.lineno}: cached method {node.name}")
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if isinstance(default, ast.List | ast.Dict | ast.Set):
                found.append(f"line {node.lineno}: mutable default of {node.name}")
    return found


def public_without_docstring(tree: ast.Module) -> list[str]:
    """Public functions and classes of a module that say nothing about themselves."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [
        node.name
        for node in tree.body
        if isinstance(node, kinds) and not node.name.startswith("_") and not ast.get_docstring(node)
    ]


def orphans(tree: ast.Module) -> list[int]:
    """Texts that document nothing: no module, class or function, and no name just before them."""
    found = []
    named = ast.Module | ast.ClassDef | ast.FunctionDef
    for node in nodes(tree):
        body = getattr(node, "body", None)
        for place, part in enumerate(body if isinstance(body, list) else ()):
            before = body[place - 1] if place else None
            documents = (
                isinstance(before, ast.Assign | ast.AnnAssign)
                if place
                else (isinstance(node, named))
            )
            text = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
            if text and isinstance(part.value.value, str) and not documents:
                found.append(part.lineno)
    return found


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def offenders(check: Callable[[ast.Module], Sequence[object]], paths: list[Path]) -> list[str]:
    """`file: finding` for everything that a check finds in some files."""
    return [f"{name_of(path)}: {found}" for path in paths for found in check(parsed(path))]


def test_a_module_says_first_what_it_is_about() -> None:
    assert [name_of(path) for path in SOURCES if not ast.get_docstring(parsed(path))] == []


def test_public_names_say_what_they_are() -> None:
    assert offenders(public_without_docstring, SOURCES) == []


def test_every_text_documents_something() -> None:
    assert offenders(orphans, SOURCES) == []


def test_randomness_has_a_seed() -> None:
    assert offenders(global_randomness, SOURCES) == []


def test_no_handler_swallows_a_failure() -> None:
    assert offenders(swallowing, SOURCES) == []


def test_no_text_is_evaluated() -> None:
    """Beside the language of claims, whose tree is checked, and the annotations of commands."""
    checked = {
        "proofs_check/language/formula.py": {"eval", "compile"},
        "ctv/terminal/command.py": {"eval"},
    }
    found = {name_of(path): set(evaluating(parsed(path))) for path in SOURCES}
    assert {name: calls for name, calls in found.items() if calls} == checked


def test_no_hidden_state() -> None:
    assert offenders(hidden_state, SOURCES) == []


def test_only_ctv_prints() -> None:
    """But for what `make` runs by itself."""
    run_by_make = {ROOT / "proofs_check" / "prover" / name for name in ("record.py", "scripts.py")}
    assert offenders(printing, [path for path in QUIET if path not in run_by_make]) == []


def test_only_ctv_and_the_commands_about_logs_plot_and_read_options() -> None:
    banned = {"matplotlib", "typer", "rich", "pytest"}
    outside = [path for path in QUIET if path.parent not in SHOWN_OF_LOGS]
    assert offenders(lambda tree: sorted(imported_in(tree) & banned), outside) == []
    elsewhere = [path for path in SOURCES if path.parent.name != "laws"]
    assert offenders(lambda tree: sorted(imported_in(tree) & {"hypothesis"}), elsewhere) == []


@pytest.mark.parametrize(("library", "home"), [("flint", "bounds/enclosure")])
def test_an_engine_is_met_in_one_place(library: str, home: str) -> None:
    users = {name_of(path) for path in SOURCES if library in imported_in(parsed(path))}
    assert users
    assert [user for user in users if not user.startswith(f"{home}/")] == []


def test_every_package_is_shipped() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    include = listed["tool"]["setuptools"]["packages"]["find"]["include"]
    shipped = set(find_packages(str(ROOT), include=include))
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in SOURCES}
    assert folders == shipped


def test_no_module_is_a_drawer_for_leftovers() -> None:
    leftovers = {"utils", "util", "helpers", "helper", "misc", "common"}
    assert [name_of(path) for path in SOURCES if path.stem in leftovers] == []


def test_every_tests_folder_is_a_package() -> None:
    # Without __init__.py, tests/bounds would shadow the package bounds.
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert [name_of(f) for f in sorted(folders) if not (f / "__init__.py").exists()] == []


def test_tests_mirror_the_packages() -> None:
    """A test file is named by the module or package it tests, perhaps with a word added."""
    strays = []
    for package in PACKAGES:
        inside = [path for path in (ROOT / package).rglob("*") if "__pycache__" not in path.parts]
        names = {path.stem for path in inside if path.is_dir() or path.suffix == ".py"}
        for path in (ROOT / "tests" / package).glob("test_*.py"):
            words = path.stem.split("_")[1:]
            if not names & {"_".join(words[:k]) for k in range(1, len(words) + 1)}:
                strays.append(name_of(path))
    assert strays == []


REACH = """
import sys
from pathlib import Path
from ctv.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
ours = {module.__name__: module.__file__ for module in list(sys.modules.values())
        if getattr(module, "__name__", "").partition(".")[0] in
        ("bounds", "simulation", "proofs_check", "ctv", "own_runs")}
print(sum(len(Path(file).read_text(encoding="utf-8").splitlines()) for file in ours.values()))
"""


@pytest.mark.parametrize(("command", "most"), [("gain", 12_000), ("bound", 26_000)])
def test_a_command_loads_little_beyond_what_it_computes(command: str, most: int) -> None:
    """The lines of Python that the bundled problem imports."""
    ran = subprocess.run(
        [sys.executable, "-c", REACH, command], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert 5_000 < int(ran.stdout.splitlines()[-1]) <= most


def test_heavy_libraries_wait_until_a_command_runs() -> None:
    code = "import sys, ctv.cli; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"numpy", "scipy", "numba", "matplotlib", "sympy", "joblib"} & set(loaded)


@pytest.mark.parametrize(
    ("check", "offending"),
    [
        (printing, "print(1)"),
        (global_randomness, "import numpy as np\nnp.random.seed(0)"),
        (global_randomness, "from numpy.random import default_rng\ndefault_rng()"),
        (global_randomness, "import random"),
        (swallowing, "try:\n    f()\nexcept ValueError:\n    pass"),
        (swallowing, "try:\n    f()\nexcept Exception as e:\n    g(e)"),
        (evaluating, "import sympy\nsympy.sympify(text)"),
        (evaluating, "import sympy\nsympy.sympify(text, strict=False)"),
        (evaluating, "eval(text)"),
        (evaluating, "import pickle\npickle.loads(content)"),
        (evaluating, "import numpy as np\nnp.load(path, allow_pickle=True)"),
        (hidden_state, "def f(x=[]):\n    return x"),
        (hidden_state, "def f():\n    global a\n    a = 1"),
        (hidden_state, "class A:\n    @lru_cache\n    def f(self):\n        return 1"),
        (public_without_docstring, "def f():\n    return 1"),
        (orphans, "import a\n'Of what was here.'"),
        (orphans, "if a:\n    'Of nothing.'"),
    ],
)
def test_each_check_can_fail(check, offending) -> None:
    assert check(ast.parse(offending))

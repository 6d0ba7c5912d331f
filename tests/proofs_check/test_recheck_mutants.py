"""The checker under test: each of these small faults in it makes a test fail.

A fault is put into the running code in a process of its own, which then runs the tests of that
place; the code of every function and method is replaced where it stands, so that nobody keeps the
old one.
"""

import importlib
import inspect
import multiprocessing
import os
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent
LANGUAGE = ("test_language.py", "test_formula.py", "test_prover.py", "test_verify.py")
RECHECK = ("recheck/test_independent.py", "recheck/test_forgeries.py", "test_recheck.py")
LEDGER = ("test_prover.py", "test_ledger.py", "test_verify.py")
LOG = ("recheck/test_log.py",)

MUTANTS: dict[str, tuple[tuple[str, ...], list[tuple[str, str]]]] = {
    "prover.export": (
        ("test_prover_meaning.py",),
        [
            ('word = "Open" if', 'word = "Closed" if'),
            ('{end("low")} {end("high")}', '{end("high")} {end("low")}'),
            ("len(places) - 1 - list(reversed(places)).index(name)", "places.index(name)"),
            (
                "{expression(left, places)} {expression(right, places)}",
                "{expression(right, places)} {expression(left, places)}",
            ),
            (
                "{expression(part, places)} {expression(other, places)}",
                "{expression(other, places)} {expression(part, places)}",
            ),
            ("        places.append(parameter.name)\n", ""),
            ("        places.append(name)\n", ""),
            ("[*places, first.target.id]", "[first.target.id, *places]"),
            ("*more = over\n", "*more = reversed(over)\n"),
            (
                'ends if len(ends) == 2 else ("(Num 0)", *ends)',
                'ends if len(ends) == 2 else (*ends, "(Num 0)")',
            ),
            ("    for text in claim.hypotheses:\n", "    for text in ():\n"),
            ('ast.LtE: "Le", ast.Lt: "Lt"', 'ast.LtE: "Lt", ast.Lt: "Le"'),
            ("word.capitalize()", "'Min'"),
            ("(Un Neg {expression(part, places)})", "{expression(part, places)}"),
        ],
    ),
    "prover.readable": (
        ("test_prover.py",),
        [
            ('(("low", ">"), ("high", "<"))', '(("low", "<"), ("high", ">"))'),
            ('sign += "" if getattr(parameter, f"{end}_open", False) else "="', 'sign += "="'),
            ('" /\\\\\\n  ".join([goal, *reader.conditions])', "goal"),
            ("            left, right = right, left\n", "            pass\n"),
            ("            first, second = second, first\n", "            pass\n"),
            ('f"(~ {comparison(test)})"', 'f"({comparison(test)})"'),
            ('f"({guard} -> {text})"', 'f"{guard} -> {text}"'),
            ('        self.require(f"{text_of(right)} <> 0")\n', ""),
            ('self.partial("ln", x, "<")', 'self.partial("ln", x, "<=")'),
            ('        self.require(f"0 {sign} {text_of(argument)}")\n', ""),
            ("self.divide(1, self.power(base, -exponent))", "self.power(base, -exponent)"),
            ('            premises.append(f"whole {number.text}")\n', "            pass\n"),
            ("[*reader.conditions, premise]", "[premise]"),
            ('f"(IZR (Int_part {text_of(x)}))"', 'f"(IZR (up {text_of(x)}))"'),
            ("if number.text in [other.text for other in numbers.values()]:", "if False:"),
            ("* (-1) ** k", "* 1"),
            ('_folded("Rmin", values)', '_folded("Rmax", values)'),
            (
                'f"{parameter.name}_" if parameter.name in _KEYWORDS else parameter.name',
                "parameter.name",
            ),
            ('f"({text_of(other)} - {self.text})"', 'f"({self.text} - {text_of(other)})"'),
            ("if abs(exponent) > _LARGEST_EXPONENT:", "if False:"),
            ("        assume(claim.expanded(hypothesis))\n", "        pass\n"),
        ],
    ),
    "language.formula": (
        LANGUAGE,
        [
            ("    if captured:\n", "    if False:\n"),
            ("return range(low, high)", "return range(low, high + 1)"),
            ("Fraction(written).as_integer_ratio()", "Fraction(float(written)).as_integer_ratio()"),
            ("if not plain or node.ifs", "if not plain"),
            ('(node.id != "pi" or isinstance(node.ctx, ast.Store))', 'node.id != "pi"'),
            ("{**values, **vocabulary,", "{**vocabulary, **values,"),
            ("if len(node.ops) != 1:", "if False:"),
            ("for name, meaning in reversed(definitions):", "for name, meaning in definitions:"),
            ('"range": (1, 2)', '"range": (1, 3)'),
            ("meaning is None else deepcopy(meaning)", "meaning is None else meaning"),
            ("if isinstance(node.slice, ast.UnaryOp):", "if False:"),
            ('if node.id.startswith("_"):', "if False:"),
            ("if not text.isascii() or not", "if not"),
            ("if len(written) > _MOST_DIGITS or not", "if len(written) > _MOST_DIGITS and not"),
            ("        if self.left < 0:\n", "        if False:\n"),
            (
                "if isinstance(node, ast.comprehension) "
                "and isinstance(node.target, ast.Name)\n    )",
                "if 0\n    )",
            ),
        ],
    ),
    "language.arithmetics": (
        LANGUAGE,
        [
            ("if not 0 <= place < len(values):", "if not place < len(values):"),
            ('"<": operator.lt', '"<": operator.le'),
            ("    if whole(size) > _LARGEST_SIZE:\n", "    if False:\n"),
            ("abs(exponent) * _bits(base) > _LARGEST_POWER", "False"),
        ],
    ),
    "recheck.independent": (
        RECHECK,
        [
            ("return None if opposite is None else not opposite", "return opposite"),
            ("{ast.Gt: below, ast.Lt: above,", "{ast.Gt: above, ast.Lt: below,"),
            ("{ast.LtE: below, ast.GtE: above,", "{ast.LtE: above, ast.GtE: below,"),
            ("if not 0 <= place < len(entries):", "if not place < len(entries):"),
            ("node.value = Fraction(written)", "node.value = Fraction(float(written))"),
            ("if certainly_le(0, value) is not True:", "if False:"),
            ("if len(arguments) > 2 or", "if"),
            ("minor * (-1) ** k", "minor"),
            ("for order in range(1, size + 1)", "for order in range(1, size)"),
            ("if first.ifs or", "if"),
            ("if not _WRITTEN.fullmatch(written):", "if False:"),
            ("return -operand if", "return operand if"),
            ("isinstance(value, bool | float) or not", "not"),
            ("> _MOST_BITS:\n        raise Undecided", "> 10**99:\n        raise Undecided"),
        ],
    ),
    "recheck.cases": (
        RECHECK,
        [
            ("    _require_admitted(entry, case)\n", ""),
            ("if compared(sign, *enclosures) is not False:", "if False:"),
            ("if certainly_lt(side, shown) or certainly_lt(shown, side):", "if False:"),
            ("if compared(sign, *said) is not False:", "if False:"),
            ("        if evaluate(hypothesis, values) is not True:\n", "        if False:\n"),
            ('if entry["verdict"] == "PROVED" and not whole:', "if False:"),
            ("    if not inhabited:\n", "    if False:\n"),
            (
                'values) is False for text in entry["hypotheses"])',
                'values) is not True for text in entry["hypotheses"])',
            ),
            ('and parameter.get("low_open"))', "and False)"),
            ("if left > right or beyond:", "if left > right:"),
            ("if high - low > _WIDEST * max(Fraction(1), abs(low)):", "if False:"),
            ("if len(numbers) != bound_of", "if False and bound_of"),
            ("if not is_positive_semidefinite(rows):", "if False:"),
            ("rows[j][k] != rows[k][j]", "False"),
        ],
    ),
    "recheck.ledger": (
        ("recheck/test_forgeries.py", "test_recheck.py"),
        [
            ('if entry["verdict"] != str(claim.expected):', "if False:"),
            ('if counts[entry["id"]] > 1:', "if False:"),
            ("if held is None or entry", "if False and entry"),
            ("    if changed:\n", "    if False:\n"),
            ("        if not any(behind.values()):\n", "        if True:\n"),
            ("    check_witness(entry)\n", ""),
            ('raise Refused("has neither a theorem nor a box")', "return ''"),
            ("        if name in asked:\n", "        if False:\n"),
        ],
    ),
    "recheck.entry": (
        ("test_recheck.py",),
        [
            ("if _spelled(entry[key]) != _spelled(stated[key])]", "if False]"),
        ],
    ),
    "recheck.reading": (
        ("recheck/test_reading.py", "test_recheck.py"),
        [
            ("    if not whole:\n", "    if False:\n"),
            (
                "if not isinstance(claims, list) or not claims or",
                "if not isinstance(claims, list) or",
            ),
        ],
    ),
    "recheck.log": (
        LOG,
        [
            ('if claim["value"] < value:', "if False:"),
            ("ceil(level * (len(regrets) + 1))", "ceil(level * len(regrets))"),
            ("ceil(1 / (1 - level)) - 1", "1"),
            ("+ noise * np.eye(n)", ""),
            ("own = path[np.arange(n), places] +", "own = 0 * path[np.arange(n), places] +"),
        ],
    ),
    "prover.kernel": (
        ("test_prover_axioms.py",),
        [
            ('if not name or where.get(short, "").split() != ["Constant", name]:', "if not name:"),
            ("        if kind != AXIOMS[name]:\n", "        if False:\n"),
            ('if not lines or lines[0] != "Axioms:":', "if not lines:"),
            ('        if axiom.startswith("CTV."):\n', "        if False:\n"),
            ('        if summary[head] != ["<none>"]:\n', "        if False:\n"),
            ("if sorted(others) != sorted(_OTHERS) or", "if"),
            ("or not {_PREDICATIVE} <= theory <= _STRICT", ""),
        ],
    ),
    "prover.receipt": (
        ("test_prover_record.py",),
        [
            ("    return proposition(said) in accepted()\n", "    return True\n"),
            ('f"~ {means}" if verdict is Verdict.REFUTED else means', "means[2:]"),
            ("    if theorem and proposition(theorem) in accepted():\n", "    if theorem:\n"),
            ('f"{sources_digest()}.json"', '"receipt.json"'),
        ],
    ),
    "prover.runner": (
        ("test_prover.py",),
        [
            ("        if name in path:\n", "        if False:\n"),
        ],
    ),
    "prover.record": (
        ("test_prover.py", "test_prover_record.py"),
        [
            ("        if record.sources.get(name) != now.get(name):\n", "        if False:\n"),
            ('or entry["theorem"] != expected_theorem(claim.id)', ""),
            ("if set(entry) != _PARTS or", "if"),
            ('"cites": _cites(shipped(), claim.id, entry["theorem"])', '"cites": entry["cites"]'),
            (
                'said["uses"] = [] if refutes else list(cited(script))',
                'said["uses"] = entry["uses"]',
            ),
            ('said["statement"] = digest(refutation(claim) if refutes else _readable(claim))', ""),
            (
                '    receipt = "" if differing else _kept(propositions)\n',
                "    receipt = _kept(propositions)\n",
            ),
            ("    if fault:\n", "    if False:\n"),
        ],
    ),
    "records.ledger": (
        LEDGER,
        [
            ("        if proved or _inside_box(claim, engines):\n", "        if False:\n"),
            ("    if gap is not None:\n", "    if False:\n"),
            (
                "    if assumes and all(e.witness is None",
                "    if 0 and all(e.witness is None",
            ),
            ("    if given and all(map(is_linear", "    if False and all(map(is_linear"),
            ("given = tuple(assumed(claim))", "given = claim.hypotheses"),
            ("left_out = unsaid(claim)", "left_out = ()"),
            ("if not h.words]", "if False]"),
            ("    if unused:\n", "    if False:\n"),
            ("        if claim_id in path:\n", "        if False:\n"),
        ],
    ),
    "enclosures.taylor": (
        ("test_slopes.py", "test_enclosures.py"),
        [("if enclosure.certainly_le(0, value) is not True:", "if False:")],
    ),
    "enclosures.subdivision": (
        ("test_enclosures.py", "test_verify.py", "test_prover.py"),
        [
            ("        if not inhabited and not any(", "        if False and not any("),
            (
                "return inside, arithmetics.holds(text, words, values) is True",
                "return inside, True",
            ),
            ("            whole &= (low, high) == declared\n", ""),
            (
                "        if answer is False:\n            return False, True",
                "        if not answer:\n            return False, True",
            ),
        ],
    ),
}


def _functions(owner: Any) -> dict[str, FunctionType]:
    found = {}
    for name, value in vars(owner).items():
        plain = inspect.unwrap(getattr(value, "fget", None) or getattr(value, "__func__", value))
        if isinstance(plain, FunctionType):
            found[name] = plain
    return found


def _replace(old: ModuleType, new: dict[str, Any]) -> None:
    fresh = ModuleType("fresh")
    fresh.__dict__.update(new)
    pairs = [(old, fresh)]
    pairs += [
        (value, new[name])
        for name, value in vars(old).items()
        if inspect.isclass(value) and value.__module__ == old.__name__
    ]
    for before, after in pairs:
        changed = _functions(after)
        for name, function in _functions(before).items():
            if name in changed and function.__module__ == old.__name__:
                function.__code__ = changed[name].__code__
                function.__kwdefaults__ = changed[name].__kwdefaults__
    for name, value in new.items():
        if name[:2] != "__" and isinstance(value, dict) and isinstance(vars(old).get(name), dict):
            vars(old)[name].clear()
            vars(old)[name].update({key: _at_home(held, old) for key, held in value.items()})
    for value in vars(old).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


def _at_home(held: Any, module: ModuleType) -> Any:
    """A function of the new code that sees the names of the old module, which tests may set."""
    if not isinstance(held, FunctionType) or held.__module__ != module.__name__:
        return held
    return FunctionType(
        held.__code__, vars(module), held.__name__, held.__defaults__, held.__closure__
    )


def _survives(module: str, before: str, after: str, tests: tuple[str, ...]) -> bool:
    """Run the tests of a place with a fault in it; whether they pass."""

    def attempt() -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        old = importlib.import_module(f"proofs_check.{module}")
        source = inspect.getsource(old).replace(before, after)
        # Dataclasses look their module up by name while they are made.
        new = {"__name__": old.__name__, "__file__": old.__file__}
        exec(compile(source, str(old.__file__), "exec"), new)
        _replace(old, new)
        words = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--rootdir", str(HERE)]
        os._exit(int(pytest.main([*words, *(str(HERE / name) for name in tests)]) != 0))

    child = multiprocessing.get_context("fork").Process(target=attempt)
    child.start()
    child.join()
    return child.exitcode == 0


EVERY = [
    pytest.param(module, *change, tests, id=f"{module}-{number}")
    for module, (tests, changes) in MUTANTS.items()
    for number, change in enumerate(changes)
]


@pytest.mark.parametrize(("module", "before", "after", "tests"), EVERY)
def test_a_fault_names_code_that_is_there(module, before, after, tests) -> None:
    source = inspect.getsource(importlib.import_module(f"proofs_check.{module}"))
    assert before in source
    compile(source.replace(before, after), module, "exec")


@pytest.mark.slow
@pytest.mark.parametrize(("module", "before", "after", "tests"), EVERY)
def test_a_fault_is_found(module, before, after, tests) -> None:
    assert not _survives(module, before, after, tests)


@pytest.mark.slow
@pytest.mark.parametrize("module", MUTANTS)
def test_code_without_a_fault_passes(module) -> None:
    assert _survives(module, "return", "return", MUTANTS[module][0])

"""Every refusal of the rechecks is needed: a forged file that it alone stops.

The refusals are read from the source: each `raise` outside of a handler, and each sentence that
`shape` and `entry` return for a fault. A file of the table, with a right digest, is refused; where
that one statement is taken out of the running code, the same file passes. So no refusal can be
deleted unseen, and none is there that another makes needless.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import itertools
import json
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest

from bounds import enclosure
from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput
from bounds.kernels import Independent, SquaredExponential
from bounds.kernels.registry import forget, register
from proofs_check import recheck as room
from proofs_check.language.claim import Evidence, Verdict
from proofs_check.language.parameters import (
    Integer,
    PositiveSemidefinite,
    Real,
    Vector,
)
from proofs_check.ledgers import TEMPLATE
from proofs_check.recheck import ledger
from proofs_check.recheck.bounds.bound import recheck_bound
from proofs_check.recheck.independent import read
from proofs_check.recheck.ledger import recheck
from proofs_check.recheck.log import recheck_log
from proofs_check.recheck.reading import BOUND_FORMAT, FORMAT, digest
from proofs_check.records import certificate as files
from proofs_check.records.verify import verify
from tests.proofs_check.recheck.test_forgeries import claim, entry_of
from tests.proofs_check.recheck.test_log import log_certificate, observed, rank_certificate
from tests.proofs_check.test_recheck_bound import certificate_of

pytestmark = pytest.mark.xdist_group("refusals")  # its fixtures take seconds

FOLDER = Path(str(room.__file__)).parent
PATHS = {path.stem: path for path in sorted(FOLDER.rglob("*.py")) if path.stem != "__init__"}
X = Real("x", 0, 1)


# The refusals, from the source.


def _text(node: ast.AST) -> str:
    """What a statement says, its holes left empty."""
    return "".join(
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def _sites(module: str) -> Iterator[tuple[str, ast.stmt]]:
    tree = ast.parse(PATHS[module].read_text(encoding="utf-8"))
    handled = {
        id(inner)
        for handler in ast.walk(tree)
        if isinstance(handler, ast.ExceptHandler)
        for inner in ast.walk(handler)
    }
    found: dict[int, tuple[str, ast.stmt]] = {}
    for function in ast.walk(tree):  # inner functions after those around them
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            sentence = module in ("shape", "entry") and function.name in ("_fault", "fault")
            said = isinstance(node, ast.Return) and any(map(_text, [node])) and sentence
            if (isinstance(node, ast.Raise) and id(node) not in handled) or said:
                found[id(node)] = (f"{module}.{function.name}: {_text(node)}", node)
    yield from found.values()


SITES = {key: (module, node) for module in PATHS for key, node in _sites(module)}


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _function(module: Any, qualified: str) -> Any:
    found: Any = module
    for name in qualified.split("."):
        found = vars(found)[name] if isinstance(found, type) else getattr(found, name)
    found = getattr(found, "func", None) or getattr(found, "fget", None) or found
    return getattr(found, "__wrapped__", found)


@contextmanager
def without(key: str) -> Iterator[None]:
    """The running code without one statement."""
    name, site = SITES[key]
    tree = ast.parse(PATHS[name].read_text(encoding="utf-8"))

    class Out(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if type(node) is type(site) and node.lineno == site.lineno:
                if isinstance(node, ast.Return) and isinstance(node.value, ast.IfExp):
                    empty = ast.Return(ast.Constant(""))
                    return ast.copy_location(ast.fix_missing_locations(empty), node)
                return ast.copy_location(ast.Pass(), node)
            return self.generic_visit(node)

    changed = compile(ast.fix_missing_locations(Out().visit(tree)), str(FOLDER), "exec")
    module = import_module(module_of(name))
    lines = range(site.lineno, site.lineno + 1)
    held = []
    for code in _codes(changed):
        if "<locals>" in code.co_qualname or code.co_name.startswith("<"):
            continue
        try:
            function = _function(module, code.co_qualname)
            old = function.__code__
        except (AttributeError, KeyError):
            continue  # a class, or an inner function, whose code is inside of another
        last = max((line for *_, line in old.co_lines() if line), default=0)
        inside = [line for inner in _codes(old) for *_, line in inner.co_lines() if line]
        if old.co_firstlineno <= lines[0] <= max([last, *inside]):
            held.append((function, old))
            function.__code__ = code
    assert held, key
    read.cache_clear()
    try:
        yield
    finally:
        for function, old in held:
            function.__code__ = old
        read.cache_clear()


# Honest files.


@dataclass(frozen=True)
class Honest:
    """Certificates that are accepted as they are."""

    bound: dict[str, Any]
    smooth: dict[str, Any]
    close: dict[str, Any]
    arms: dict[str, Any]
    log: dict[str, Any]
    claims: list[dict[str, Any]]


@pytest.fixture(scope="module")
def honest() -> Honest:
    run = observed()
    return Honest(
        certificate_of(),
        certificate_of(time_kernel=SquaredExponential(5.0)),
        certificate_of(kernel=SquaredExponential(0.8), grid=Grid(1, 1.0, 4), noise_variance=0.3),
        certificate_of(durations=[1.0] * 6, kernel=Independent(), grid=Arms(5), epsilon=0.75),
        json.loads(
            json.dumps(log_certificate(run, rank_certificate(run, paths=9, delta=0.2), "1"))
        ),
        list(files.certificate(verify(claims=TEMPLATE), "1.0")["claims"]),
    )


def value_of(body: dict[str, Any], name: str) -> float:
    return float(next(claim["value"] for claim in body["claims"] if claim["id"] == name))


def about(body: dict[str, Any], **values: Any) -> None:
    """Leave the file these claims alone, "__" for "."; a function is of the value that stands."""
    named = {key.replace("__", "."): value for key, value in values.items()}
    body["claims"] = [
        {"id": name, "value": value(value_of(body, name)) if callable(value) else value}
        for name, value in named.items()
    ]


def as_stated(body: dict[str, Any]) -> None:
    """The digest of the instants as the problem has them, whatever they are."""
    numbers = [Fraction(t) for t in body["problem"]["times"]]
    instants = list(itertools.accumulate(numbers))
    if body["problem"]["given"] != "durations":
        instants = numbers
    body["instants"] = hashlib.sha256(" ".join(map(str, instants)).encode()).hexdigest()


def at(body: Any, place: str, value: Any) -> None:
    """Set what stands at a place such as dual.0.start, or what a function makes of it."""
    *path, last = [int(key) if key.isdigit() else key for key in place.split(".")]
    for key in path:
        body = body[key]
    body[last] = value(body[last]) if callable(value) else value


def times(factor: float) -> Callable[[Any], Any]:
    """Every number of what stands at a place, times a factor."""

    def scaled(value: Any) -> Any:
        return [*map(scaled, value)] if isinstance(value, list) else value * factor

    return scaled


SAME, LOOSER = times(1.0), times(1000.0)
"""A claim as it is, and one that nobody would mind, were it not for the evidence."""
LAST = operator.itemgetter(slice(-1))
"""A list without its last entry."""


@register
@dataclass(frozen=True)
class OwnFamily(SquaredExponential):
    """One that is registered and has the parameters of another family."""

    nu: float = 0.5
    space_names = ()
    time_names = ()


forget(OwnFamily)


def steep(_: Any, rows: Any, columns: Any) -> Any:
    """Correlations of a 5×5 grid that fall by 0.1 along an axis and by 0.5 off it."""
    along = [0.5 if column % 5 and column >= 5 else 0.9 for column in columns]
    same = [[column == row for column in columns] for row in rows]
    return np.where(same, 1, np.array([along] * len(list(rows)))) * enclosure.ball(1)


def listed(body: dict[str, Any]) -> None:
    """Four points in a list, and m* by the least correlation of a pair."""
    for key in ("side", "grid"):
        del body["problem"][key]
    rows = [[0.0], [0.3], [0.4], [1.0]]
    body["problem"]["domain"] = {"type": "Points", "rows": rows}
    body["maximum"] = {"parts": [{"axis": None, "pairs": None}]}
    about(body, maximum=LOOSER)


@dataclass(frozen=True)
class Forged:
    """A file, by the honest one that it was made from, and the limits of the code meanwhile."""

    kind: str
    forge: Callable[..., Any]
    patches: tuple[tuple[str, Any], ...] = ()
    odd: bool = False


def module_of(name: str) -> str:
    """Where the file of that name is: in the room of rechecks, or in that of bounds inside it."""
    return ".".join((room.__name__, *PATHS[name].relative_to(FOLDER).with_suffix("").parts))


def small(name: str, value: Any) -> tuple[str, Any]:
    file, _, limit = name.partition(".")
    return f"{module_of(file)}.{limit}", value


def stated(text: str, *parameters: Any, **more: Any) -> Forged:
    """One claim that is the ledger's too, with an entry that `more` makes; `entry` changes it."""
    patches = tuple(more.pop("patches", ()))
    changes = more.pop("entry", {})
    counter = more.pop("counter", None)
    if counter is not None:
        more = {"expected": Verdict.REFUTED, "finding": "false", **more}
        changes = {"counterexample": counter, "witness": None, **changes}
    named = claim("1 <= 2", *parameters, **{**more, "let": (), "sentence": ""})
    # Past the reader of claims: the forger has changed the ledger too.
    object.__setattr__(named, "formula", text)
    object.__setattr__(named, "let", more.get("let", ()))
    object.__setattr__(named, "sentence", more.get("sentence", ""))
    return Forged("claims", lambda _: ([named], [entry_of(named, **changes)]), patches)


def counter(case: dict[str, Any], left: Any = ("1", "1"), right: Any = ("0", "0")) -> Any:
    return {"case": case, "left": list(left), "right": list(right)}


FALSE = "1 <= 0"


def outside(parameter: Any, value: Any, *patches: tuple[str, Any]) -> Forged:
    """A case of what is never true, outside of the domain of its parameter."""
    return stated(FALSE, parameter, counter=counter({"x": value}), patches=patches)


def template(change: Callable[[dict[str, Any]], Any], *patches: tuple[str, Any]) -> Forged:
    """A file of the template's claims, of which the one by a theorem has changed."""

    def forge(entries: list[dict[str, Any]]) -> Any:
        entry = next(one for one in entries if one["theorem"] is not None)
        change(entry)
        return list(TEMPLATE), [entry]

    return Forged("template", forge, patches)


def own_claim(said: Verdict, theorem: dict[str, Any]) -> Forged:
    """A claim that is not shipped, of which the kernel says so much and accepted the theorem t."""
    found = Evidence("prover", said, sentence="as the kernel says")
    patches = (
        small("ledger.own.evidence", lambda claim, known, anew: found),
        small("ledger.own.entry", lambda claim, known: {"theorem": "t"}),
    )
    entry = {"by": "prover", "theorem": {**theorem, "prover": "8.16.1"}}
    return stated("x <= 2", X, entry=entry, patches=patches)


def more_modes(body: dict[str, Any]) -> None:
    """Each mode of space nine times, and gains for the first of them alone."""
    for block in body["dual"]:
        block["space_modes"] = [[row * 9 for row in table] for table in block["space_modes"]]


def many_gains(body: dict[str, Any]) -> None:
    more_modes(body)
    for block in body["dual"]:
        block["gains"] = [[[1.0] * 9 * len(row) for row in table] for table in block["gains"]]
    about(body, gain__joint_dual=LOOSER)


def leaves_out(body: dict[str, Any]) -> None:
    block = body["dual"][0]
    block["end"], block["time_modes"] = 3, block["time_modes"][:3]
    kept = iter([1.0])
    block["gains"] = [[[next(kept, 0.0) for _ in row] for row in table] for table in block["gains"]]
    about(body, gain__joint_dual=LOOSER)


def fewer_gains(body: dict[str, Any]) -> None:
    more_modes(body)
    about(body, gain__joint_dual=LOOSER)


OWN = {"type": "OwnFamily", "lengthscale": 9.0, "nu": 0.5}


def of_times(*numbers: float, given: str = "durations", **values: float) -> Forged:
    def forge(body: dict[str, Any]) -> None:
        body["problem"].update(times=list(numbers), given=given)
        as_stated(body)
        about(body, **(values or {"beta": 1e6}))

    return Forged("bound", forge)


def with_domain(**domain: Any) -> Forged:
    def forge(body: dict[str, Any]) -> None:
        del body["problem"]["side"], body["problem"]["grid"]
        body["problem"]["domain"] = domain
        about(body, beta=1e6)

    return Forged("bound", forge)


def edited(
    edits: Mapping[str, Any], *patches: tuple[str, Any], kind: str = "bound", **claims: Any
) -> Forged:
    """A file with values set at places, that makes these claims."""

    def forge(body: dict[str, Any]) -> None:
        about(body, **claims)
        for place, value in edits.items():
            at(body, place, value)

    return Forged(kind, forge, patches)


def problem(**changes: Any) -> Forged:
    return edited({f"problem.{name}": value for name, value in changes.items()}, beta=1e6)


def of_prices(
    *edits: tuple[str, Any], value: Any = SAME, patches: tuple[tuple[str, Any], ...] = ()
) -> Forged:
    """A file of independent arms whose bound by prices is claimed, as it is or as `value`."""
    return edited(dict(edits), *patches, kind="arms", floor__prices=value)


def all_of_gamma(**changes: Any) -> Callable[[list[dict[str, Any]]], list[dict[str, Any]]]:
    return lambda entries: [{**entry, **changes} for entry in entries]


def scheduled(*patches: tuple[str, Any], **changes: Any) -> Forged:
    edits = {f"schedule.{name}": value for name, value in changes.items()}
    return edited(edits, *patches, row__schedule=1e6)


WORTHLESS = {"floor.shares": times(0.0)}
"""A floor of nothing, which is claimed as 0."""


FORGED: dict[str, Forged] = {
    # Files.
    "reading.read: recheckthis is not": edited({"format": BOUND_FORMAT + "99"}, beta=1e6),
    "reading.read: recheckis damaged": edited({"digest": "0" * 64}, beta=1e6),
    "reading.read: recheckhas no list": edited({"claims": []}),
    "shape.require_shape:": problem(**{"space_kernel.nu": 0.5}),
    "shape._fault:  is no list": edited(
        {"lines": {}, "gamma": all_of_gamma(value=1e6, line=None)}, gamma=1e6
    ),
    "shape._fault:  has ": edited({"floor.delay": 5}, beta=1e6),
    "shape._fault:  has something else": edited({"version": 7}, beta=1e6),
    # Times and problems.
    "bound.recheck_bound:": edited({}, kind="other times", beta=1e6),
    "bound.check: stands": edited({"claims": lambda there: there * 2}, beta=1e3),
    "bound.check: is for results at once": edited(
        {"problem.delay": 2}, gain__trivial=SAME, beta=SAME, regret__trivial=1e6
    ),
    "bound.check: claims , but": edited({}, beta=1.0),
    "bound._instants: ": edited({"instants": "0" * 64}, beta=1e6),
    "times.exact_instants: a duration": of_times(1.0, -0.5, 1.0),
    "times.exact_instants: the times are": of_times(1.0, 2.0, given="guesses"),
    "times.exact_instants: the instants": of_times(2.0, 1.0, given="times"),
    "times.exact_center:": edited(
        {"partitions.refined.centers.0": [-1, 0.0]}, gain__refined=LOOSER
    ),
    "problem.require_problem: there are no times": of_times(given="times", gain__trivial=0.0),
    "problem.require_problem: the times add up": of_times(*[1e308] * 8),
    "problem.require_problem: the delay": problem(delay=-1),
    "problem.require_problem:  is of no known": problem(time_kernel={"type": "None"}),
    "problem.domain_size: the points are none": with_domain(
        type="Points", rows=[[0.1, 0.2], [0.1, 0.2]]
    ),
    "problem.domain_size: the points have": with_domain(type="Points", rows=[[0.1, 0.2, 0.3]]),
    "problem.axes_of: the dimension": problem(dimension=10**6, grid=1),
    "problem.axes_of: the domain has": with_domain(
        type="Grid", dimension=3, side=1.0, points_per_axis=5
    ),
    "problem.axes_of: sides and points": with_domain(
        type="Grid", dimension=2, side=[1.0], points_per_axis=5
    ),
    "problem._grid_size:": problem(grid=10**9),
    "problem._require_inside:": problem(noise_variance=-2.0),
    # Kernels and matrices.
    "grid._affordable:": edited({}, small("grid._MOST_PAIRS", 9), gain__lower=1e-9),
    "grid.kernel_value:": edited({"problem.time_kernel": OWN}, gain__lower=1e-9),
    "grid.float_kernel:": edited({"problem.time_kernel": OWN}, row__schedule=1e6),
    "grid.exact_matrix:": edited({"knots.weights": lambda w: w[:1]}, gain__knots=LOOSER),
    # Gains.
    "bound._regret: ": edited({}, gain__lower=1e-9, beta=1e3, regret__lower=1e3),
    "bound._gains: ": edited({"gamma.0.value": times(0.999)}, gamma=SAME),
    "bound._line:": edited({"lines.0.alpha": 0.5, "gamma": all_of_gamma(value=1e6)}, gamma=1e6),
    "bound._partitioned: the cuts": edited(
        {"partitions.additive.cuts": [-8, 8]}, gain__additive=LOOSER
    ),
    "bound._partitioned: the hypothesis": edited({"problem.epsilon": 0.001}, gain__theorem1=LOOSER),
    "bound._lower: a design of other": edited({"design": lambda d: d[:1]}, gain__lower=1e-9),
    "bound._lower: a design of more": edited(
        {}, small("bound._MOST_OF_DESIGN", 4), gain__lower=1e-9
    ),
    "bound._envelope:": edited({"inflated.noise_variance": 0.05}, row__envelope=LOOSER),
    "bound._dual: the blocks": edited({"dual": lambda d: [*d, d[0]]}, gain__joint_dual=LOOSER),
    "bound._dual: the dual leaves": Forged("bound", leaves_out),
    "bound._dual_of: the dual has alpha": edited({"dual.0.alpha": 0.5}, gain__joint_dual=LOOSER),
    "bound._dual_of: a block": edited(
        {}, small("bound._LONGEST_BLOCK", 4), gain__joint_dual=LOOSER
    ),
    "bound._dual_of: gains": Forged("bound", fewer_gains),
    "bound._dual_of: the dual has more": Forged("bound", many_gains),
    # Confidence.
    "confidence._tail:": edited({"box.inflation": 0.5}, box__a=LOOSER),
    "confidence._moving_beta:": edited({"longest": 0.5}, point_times__beta=LOOSER),
    # Floors and schedules.
    "floor.recheck_floor: one p_i": edited({"floor.shares": LAST}, floor=1e-9),
    "floor.recheck_floor: a p_i": edited({**WORTHLESS, "floor.shares.3": -0.5}, floor=0.0),
    "floor._check_recursion: the recursion": edited(
        {**WORTHLESS, "problem.time_kernel": {"type": "SquaredExponential", "lengthscale": 2.0}},
        floor=0.0,
    ),
    "floor._check_recursion: p_": edited({"floor.shares.3": times(1.0001)}, floor=SAME),
    "floor._check_residuals: p_": edited(
        {"floor.shares.4": times(1.0001)}, kind="smooth", floor=SAME
    ),
    "floor._checked_maximum: m* is not below what the quantised": edited(
        {"floor.maximum.value": times(1.05)}, floor=SAME
    ),
    "floor._checked_maximum: m* is not below what the comparison": edited(
        {
            "floor.maximum.value": times(1.05),
            **{f"floor.maximum.{name}": None for name in ("cells", "features", "variances")},
        },
        floor=SAME,
    ),
    "floor._shaped:": edited(
        {
            **WORTHLESS,
            "floor.maximum.value": 0.0,
            "problem.space_kernel": {"type": "Matern", "nu": 2.5, "lengthscale": 0.2},
        },
        floor=0.0,
    ),
    "quantised.recheck_quantised: 2 to": edited({}, small("quantised._MOST_POINTS", 3), floor=SAME),
    "quantised.recheck_quantised: more than": edited(
        {}, small("quantised._MOST_CELLS", 3), floor=SAME
    ),
    "quantised._check_remainder: the variances": edited(
        {"floor.maximum.variances": times(1.01)}, floor=1e-9
    ),
    "quantised._check_remainder: the features": edited(
        {
            "floor.maximum.value": 0.1,
            "floor.maximum.features": times(1.001),
            "floor.maximum.variances": times(0.1),
        },
        floor=1e-9,
    ),
    "floor._check_common: a negative": edited({**WORTHLESS, "floor.common": -0.1}, floor=0.0),
    "floor._check_common: a common": edited(
        {}, small("floor._MOST_POINTS", 3), kind="close", floor=SAME
    ),
    "floor._check_common: the common": edited({"floor.common": 0.97}, kind="close", floor=1e-9),
    # The floor by prices.
    "prices.recheck_prices: prices are for independent": of_prices(
        ("problem.space_kernel", {"type": "SquaredExponential", "lengthscale": 0.2})
    ),
    "prices.recheck_prices: prices are for the forgetting": of_prices(
        ("problem.time_kernel", {"type": "SquaredExponential", "lengthscale": 0.3}), value=1e-9
    ),
    "prices.recheck_prices: prices are for two": of_prices(("problem.grid", 1), value=-1e6),
    "prices._increasing: one price": of_prices(("prices.prices", [0.3] * 6 + [-50.0]), value=40.0),
    "prices._increasing: the knots": of_prices(("prices.knots", [4.0, 2.0, 0.0, -2.0]), value=-1e6),
    "prices._increasing: prices or": of_prices(("prices.prices", [1e9] * 6), value=-1e12),
    "prices._most_earned: too": of_prices(patches=(small("prices._MOST_WORK", 3),)),
    # The largest expected maximum.
    "maximum.recheck_maximum: other": edited({"maximum.parts": LAST}, maximum=LOOSER),
    "maximum.recheck_maximum: the increments": edited(
        {}, small("grid.GridByReflections.gram", steep), maximum=LOOSER
    ),
    "maximum._of_whole:": Forged("close", listed, (small("maximum._MOST_PAIRWISE", 3),)),
    "maximum._telescoped: one": edited({"maximum.parts.0.pairs.1": [-1, -1]}, maximum=LOOSER),
    "maximum._telescoped: a point": edited({"maximum.parts.0.pairs.3": [0, -1]}, maximum=LOOSER),
    "maximum._telescoped: no order": edited({"maximum.parts.0.pairs.4": [3, 3]}, maximum=LOOSER),
    "schedule.recheck_schedule: the schedule has": scheduled(delta=1.0),
    "schedule.recheck_schedule: rounds": scheduled(rounds=[1, 0], points=[0, 1]),
    "schedule.recheck_schedule: a scheduled round": scheduled(rounds=[-1], points=[0]),
    "schedule.recheck_schedule: a scheduled point": scheduled(rounds=[0], points=[-1]),
    "schedule.recheck_schedule: a schedule over": scheduled(small("schedule._LARGEST", 9)),
    "schedule.recheck_schedule: the schedule is": scheduled(small("schedule._FEWEST", 10**9)),
    # Runs.
    "log._check: is no": edited({"claims.0.id": "simple"}, kind="log", rank=SAME),
    "log._check: claims": edited({}, kind="log", rank=times(0.9)),
    "log.rank_again: the data": edited(
        {"observations": [1e308 * (-1) ** i for i in range(12)]}, kind="log", rank=0.001
    ),
    "log.posterior_regrets: points": edited(
        {"observations": lambda y: y[:1]}, kind="log", rank=1e6
    ),
    "log.posterior_regrets: at most": edited({}, small("log._LARGEST", 9), kind="log", rank=SAME),
    # Counterexamples and points of the domain.
    "cases.check_counterexample: the counterexample does": stated(
        "x <= 0", X, counter=counter({"x": "1", "y": "3"})
    ),
    "cases.check_counterexample: the counterexample satisfies": stated(
        "sqrt(x)*sqrt(x) <= x",
        Real("x", 0, 9),
        counter=counter({"x": "2"}, [str(2 + Fraction(1, 10**308))] * 2, ["2", "2"]),
    ),
    "cases.check_counterexample: the  side": stated(
        "x <= 0", X, counter=counter({"x": "1/2"}, ("3", "3"))
    ),
    "cases.check_counterexample: the sides": stated(
        "x <= 1 - 1/10**10",
        X,
        counter=counter(
            {"x": "1"}, ("1", "1"), [str(1 - Fraction(21, 10**11)), str(1 + Fraction(1, 10**11))]
        ),
    ),
    "cases.check_witness:": stated(
        "x <= 2", X, box="all", entry={"witness": {"x": "1/2", "y": "1"}}
    ),
    "cases._values_inside:": stated(
        "x <= 2", X, box="all", hypotheses=("x >= 1/2",), entry={"witness": {"x": "1/4"}}
    ),
    "cases._stored_side: the  side ends": stated(
        "x <= 0", Real("x", 0, 99), counter=counter({"x": "9"}, ("10", "9"))
    ),
    "cases._stored_side: the  side in": stated(
        "x <= 0", Real("x", 0, 99), counter=counter({"x": "9"}, ("5", "10"))
    ),
    "cases._require_admitted:  =  is not": outside(Integer("x", 0, 3), "1/2"),
    "cases._require_admitted:  has": outside(Vector("x", 2), ["1"]),
    "cases._require_admitted:  decreases": outside(Vector("x", 2, increasing=True), ["2", "1"]),
    "cases._require_between:": outside(Real("x", 0, 1, high_open=True), "1"),
    "cases._require_matrix:  is too": outside(
        PositiveSemidefinite("x", 2), [["1", "0"], ["0", "1"]], small("cases._LARGEST_MATRIX", 1)
    ),
    "cases._require_matrix:  is not a": outside(
        PositiveSemidefinite("x", 2), [["1", "1/2"], ["1/3", "1"]]
    ),
    "cases._require_matrix:  is not positive": outside(
        PositiveSemidefinite("x", 2), [["1", "2"], ["2", "1"]]
    ),
    "cases._require_matrix: the": outside(
        PositiveSemidefinite("x", 2, unit=True), [["2", "1"], ["1", "1"]]
    ),
    # Boxes.
    "slopes._larger_minus_smaller: only what may be equal": stated(
        "1/4 > x*(1-x)", X, box="all", patches=(small("cases._MOST_BOXES", 3_000),)
    ),
    "slopes.derivative: a derivative that is too long": stated(
        "x*(1-x) <= 1/4",
        X,
        box="all",
        patches=(small("slopes._LONGEST", 5), small("cases._MOST_BOXES", 300)),
    ),
    "slopes._by: the derivative of ": stated(
        "max(x*(1-x), 0) <= 1/4 - 1/10**12",
        X,
        box="all",
        patches=(small("cases._MOST_BOXES", 300),),
    ),
    "cases.check_box: the box is": stated("x <= 2", X, box={"x": ("0", "1/2")}),
    "cases.check_box:  boxes": stated(
        "x*(1-x) <= 1/2", X, box="all", patches=(small("cases._MOST_BOXES", 1),)
    ),
    "cases.check_box: the box holds": stated(
        "x <= 2",
        X,
        box={"x": ("0", "1/2")},
        hypotheses=("x >= 3/4",),
        expected=Verdict.PROVED_ON_BOX,
        entry={"witness": {"x": "1"}},
    ),
    "cases._boxes: the box is": stated("x <= 2", X, box={"x": (0, 1), "y": (1, 1)}),
    "cases._boxes:  has no": stated(
        "2 >= 1", Vector("x", 1, 0, 1), box="all", entry={"witness": {"x": ["1"]}}
    ),
    "cases._boxes: the box of": stated(
        "x <= 7", X, box={"x": ("0", "2")}, expected=Verdict.PROVED_ON_BOX
    ),
    "cases._boxes:  has too many": stated(
        "x <= 7",
        Integer("x", 0, 3),
        box="all",
        entry={"witness": {"x": 1}},
        patches=(small("cases._MOST_VALUES", 3),),
    ),
    # Formulas.
    "independent.read: a formula": stated(
        "x <= 1 + 1", X, box="all", patches=(small("independent._LONGEST_TEXT", 5),)
    ),
    "independent.read:  is no number": stated("x <= 1_0", X, box="all"),
    "independent.lifted:": stated("x <= 0", X, counter=counter({"x": 0.5}, ("1/2", "1/2"))),
    "independent._value: an index": stated(
        "x[0-1] <= 0", Vector("x", 2), counter=counter({"x": ["0", "1"]})
    ),
    "independent._value:  is not part": stated("x <= 2", X, box="all", let=(("a", "x.real"),)),
    "independent._arithmetic: a power of too": stated("(10**9)**(10**5) >= x", X, box="all"),
    "independent._arithmetic: a power of what": stated(
        "0*x**(1/2) <= 1", Real("x", -1, 1), box="all"
    ),
    "independent._scopes:": stated("sum(k for k in range(9) if k > 3) <= 36"),
    "independent._root:": stated("0*sqrt(x) <= 1", Real("x", -1, 1), box="all"),
    "independent._table:": stated(
        "trace(ones(2)) <= 2", patches=(small("independent._LONGEST_RANGE", 3),)
    ),
    "independent._call:": stated("sum(k for k in range(0, 9, 2)) <= 36"),
    "independent._whole:": stated("trace(block(ones(2), 1/2, 2)) <= 2"),
    "independent._fitting:": stated("trace([[1, 2, 3], [4, 5, 6]]) <= 9"),
    "independent._entrywise:": stated(
        "trace(hadamard([[1, 2], [3, 4]], [[1, 2, 3], [3, 4, 5]])) <= 99"
    ),
    "independent._mirrored:": stated("eigenvalues([[1, 2], [0, 1]])[0] <= 99"),
    "independent._part:": stated("trace(block(ones(2), 1, 9)) <= 9"),
    "independent._above:": stated("0*gamma(0-1/2) <= 1"),
    # Entries of the ledger.
    "ledger.check:": Forged(
        "claims", lambda _: ([claim("1 <= 2")], [entry_of(claim("1 <= 2"), witness=None)] * 2)
    ),
    "ledger._require_whole:": stated("x <= 2", X, box="all", entry={"more": 1}),
    "ledger._require_whole: is ": stated("x <= 2", X, box="all", entry={"verdict": "PROVED_UP_TO"}),
    "ledger.recheck: rechecklacks": Forged(
        "claims", lambda _: ([claim("1 <= 2")], [entry_of(claim("1 <= 2"), witness=None)]), odd=True
    ),
    "ledger._check: is by": stated("x <= 2", X, box="all", entry={"by": "prover"}),
    "ledger._check: is about": stated("x <= 2", X, box="all", sentence="in-experiments"),
    "ledger._check: has neither": stated("1 <= 2", X),
    "ledger._check: the two": stated(FALSE),
    "ledger._check_own: has": own_claim(Verdict.UNDECIDED, {"theorem": "t"}),
    "ledger._check_own: its": own_claim(Verdict.PROVED, {"theorem": "another"}),
    "ledger._check_theorem: its": template(lambda e: e["theorem"].update(prover="8.15")),
    "ledger._check_theorem: the record": template(
        lambda e: None, small("ledger.stale", lambda claim, record: "scalar.v")
    ),
    "ledger._check_theorem: the prover": template(
        lambda e: None, small("ledger.compared", lambda ids: {"differing": ["statements"]})
    ),
    "entry.fault: has no": stated("x <= 2", X, expected=Verdict.SUPPORTED, entry={"by": 7}),
    "entry.fault: has a key": stated("x <= 2", X, box="all", entry={"more": 1}),
    "entry.fault: its counterexample": stated(
        "x <= 0", X, counter={**counter({"x": "1"}), "more": "1"}
    ),
    "entry.fault: states another": stated("x <= 2", X, box="all", entry={"statement": "x <= 0"}),
}


def key_of(site: str) -> str:
    found = [key for key in FORGED if site.startswith(key)]
    return max(found, key=len, default="")


def test_every_refusal_of_the_source_has_a_forged_file() -> None:
    """One, and every file is one for a refusal that is there."""
    assert [site for site in SITES if not key_of(site)] == []
    assert {key_of(site) for site in SITES} == set(FORGED)
    assert len(SITES) == len({key_of(site) for site in SITES}) > 90


def verdicts(forged: Forged, honest: Honest, folder: Path) -> list[str]:
    """Why its claims are refused, "" where they are not; of a file that is damaged, its fault."""
    path = folder / "forged.json"
    kind = "bound" if forged.kind == "other times" else forged.kind
    if kind in ("claims", "template"):
        claims, entries = forged.forge(copy.deepcopy(honest.claims))
        body = {"format": FORMAT, "version": "1", "budget": "fast", "seed": 0, "claims": entries}
        body |= {"proved": "all of it"} if forged.odd else {}
    else:
        body = copy.deepcopy(getattr(honest, kind))
        forged.forge(body)
    if body.get("digest") != "0" * 64:
        body["digest"] = digest(body)
    path.write_text(json.dumps(body), encoding="utf-8")
    try:
        if kind in ("claims", "template"):
            results = recheck(path, claims, prover=kind == "template")
        elif kind == "log":
            results = recheck_log(path)
        else:
            other = [Fraction(1)] if forged.kind == "other times" else None
            results = recheck_bound(path, instants=other)
    except InvalidInput as refused:
        return [str(refused)]
    return ["" if result.accepted else result.reason for result in results]


@pytest.mark.parametrize("site", SITES)
def test_a_refusal_alone_stops_a_forged_file(site, honest, tmp_path, monkeypatch) -> None:
    forged = FORGED[key_of(site)]
    if forged.kind == "template":
        monkeypatch.setattr(ledger, "compared", lambda ids: {"differing": []})
    for name, value in forged.patches:
        monkeypatch.setattr(name, value)
    monkeypatch.setattr("proofs_check.recheck.bounds.schedule._MOST", 2_000)
    register(OwnFamily)
    try:
        said = verdicts(forged, honest, tmp_path)
        assert any(said), "it passes"
        with without(site):
            left = verdicts(forged, honest, tmp_path)
    finally:
        forget(OwnFamily)
        read.cache_clear()
    assert not any(left), (said, left)


def test_honest_files_pass(honest, tmp_path) -> None:
    for kind in ("bound", "smooth", "close", "arms", "log"):
        assert not any(verdicts(Forged(kind, lambda body: None), honest, tmp_path))
    assert not any(verdicts(stated("x <= 2", X, box="all"), honest, tmp_path))

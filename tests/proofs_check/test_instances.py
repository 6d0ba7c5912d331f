"""Instances of cited claims, and when a formula has a value: against exact evaluation."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.language import formula
from proofs_check.language.definedness import conditions, unproved
from proofs_check.prover.instances import NoInstance, instance
from proofs_check.prover.residues import Unreadable, same

N = {"type": "Integer", "name": "n", "low": 1, "high": None}
FEW = {**N, "high": 3}
V = {"type": "Vector", "name": "v", "length": "n", "low": 0, "high": 1, "increasing": False}
K = {"type": "PositiveSemidefinite", "name": "K", "size": "n", "unit": False, "bound": False}
J = {**K, "name": "J", "unit": True}


@pytest.mark.parametrize(
    ("left", "right", "parameters"),
    [
        ("(x+y)**2", "x**2 + 2*x*y + y**2", []),
        ("x/y/z", "x/(y*z)", []),
        ("exp(-sqrt(2*log(p))**2/2)", "exp(-log(p))", []),
        ("log(x*(1+1/x))", "log(1+x)", []),
        ("max(a, b+c)", "max(c+b, a)", []),
        ("sum(v[k]**2 for k in range(n))", "sum(v[j]*v[j] for j in range(n))", [N, V]),
        ("[sqrt(v[j]) for j in range(n)][k]**2", "v[k]", [N, V]),
        ("trace(K)", "sum(K[j][j] for j in range(n))", [FEW, K]),
        (
            "det(hadamard(add(identity(n), scale(s, K)), J))",
            "det(add(identity(n), scale(s, hadamard(K, J))))",
            [FEW, K, J],
        ),
        ("log(1) + exp(0)", "1", []),
        ("(1 if x >= y else 2)", "(1 if y <= x else 2)", []),
    ],
)
def test_one_expression(left: str, right: str, parameters: list) -> None:
    assert same(left, right, parameters)


@pytest.mark.parametrize(
    ("left", "right", "parameters"),
    [
        ("(x+y)**2", "x**2 + y**2", []),
        ("sqrt(x**2)", "x", []),
        ("exp(x+y)", "exp(x)*exp(y) + 0", []),  # a law of exp is for a citation to state
        ("log(1+x)", "log(1+x) + 1/10**100", []),
        ("sum(v[k] for k in range(n))", "sum(v[k] for k in range(n-1))", [N, V]),
        ("sum(v[k] for k in range(n))", "sum(v[k+1] for k in range(n))", [N, V]),
        (
            "det(hadamard(add(identity(n), scale(s, K)), J))",
            "det(add(identity(n), scale(s, hadamard(K, J))))",
            [FEW, K, {**J, "unit": False}],
        ),
        ("(1 if x >= y else 2)", "(1 if x > y else 2)", []),
    ],
)
def test_two_expressions(left: str, right: str, parameters: list) -> None:
    assert not same(left, right, parameters)


def test_what_is_not_compared() -> None:
    with pytest.raises(Unreadable):
        same("det(K)", "det(K)", [N, K])  # of unknown size


LEAVES = st.sampled_from(["x", "y", "2", "1/3", "(x+y)", "(x-2*y)"])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(TREES, TREES)
def test_rational_functions_against_fractions(left: str, right: str) -> None:
    """Equal in the field exactly where equal at many rational points."""
    values = []
    for k in range(12):
        at = {"x": Fraction(7 * k + 3, 11), "y": Fraction(5 * k * k + 1, 13 + k)}
        try:
            pair = [formula.evaluate(text, formula.fractions(), at) for text in (left, right)]
        except ZeroDivisionError:
            continue
        values.append(pair[0] == pair[1])
    try:
        found = same(left, right, [])
    except Unreadable:  # a denominator that is 0 everywhere
        assert not values
        return
    assert found == (bool(values) and all(values))


def entry(name: str, text: str, *parameters: dict, hypotheses: tuple[str, ...] = ()) -> dict:
    return {
        "id": name, "formula": text, "definitions": [], "parameters": list(parameters),
        "hypotheses": list(hypotheses),
    }  # fmt: skip


def real(name: str, low: object = None, high: object = None, **more: object) -> dict:
    return {"type": "Real", "name": name, "low": low, "high": high, **more}


LOG = entry("log", "log(1+x) <= x", real("x", 0))
SQUARE = entry("square", "sum(v[k] for k in range(n))**2 <= n*sum(v[k]**2 for k in range(n))", N,
               {**V, "low": -1})  # fmt: skip
OWN = entry("own", "0 <= 1", real("y", 0), real("z"), N, V)


def asked(wanted: list[str], answer: bool = True):
    def follows(premises, conclusion: str) -> bool:
        wanted.append(conclusion)
        return answer

    return follows


def test_the_substitution_is_found_and_its_domain_asked_for() -> None:
    wanted: list[str] = []
    found = instance(LOG, "log(1 + y/2) <= y/2", {}, OWN, [], asked(wanted))
    assert found == {"x": "y / 2"}
    assert wanted == ["(y / 2) >= (0)"]


def test_sides_may_be_moved_turned_and_weakened_not_strengthened() -> None:
    for text in ("log(1+y) - y <= 0", "y >= log(1+y)", "0 <= y - log(1+y)"):
        assert instance(LOG, text, {"x": "y"}, OWN, [], asked([])) == {"x": "y"}
    for text in ("log(1+y) < y", "log(1+y) == y", "log(1+y) <= 2*y", "y <= log(1+y)"):
        with pytest.raises(NoInstance):
            instance(LOG, text, {"x": "y"}, OWN, [], asked([]))


def test_a_hypothesis_that_does_not_follow_is_named() -> None:
    with pytest.raises(NoInstance, match=r"\(z\) >= \(0\)"):
        instance(LOG, "log(1+z) <= z", {}, OWN, [], asked([], answer=False))


def test_vectors_are_replaced_by_lists_and_their_entries_bounded() -> None:
    wanted: list[str] = []
    roots = {"v": "[sqrt(v[j]) for j in range(n)]"}
    text = "sum(sqrt(v[k]) for k in range(n))**2 <= n*sum(v[k] for k in range(n))"
    instance(SQUARE, text, roots, OWN, [], asked(wanted))
    assert wanted == [
        "(n) >= (1)",
        "(sqrt(v[place])) >= (-1)",
        "(sqrt(v[place])) <= (1)",
    ]
    with pytest.raises(NoInstance, match="length"):
        longer = text.replace("range(n)", "range(n+1)").replace("n*", "(n+1)*")
        instance(SQUARE, longer, {"n": "n+1", **roots}, OWN, [], asked([]))
    with pytest.raises(NoInstance, match="integer"):
        halved = text.replace("range(n)", "range(n/2)").replace("<= n*", "<= n/2*")
        instance(SQUARE, halved, {"n": "n/2", **roots}, OWN, [], asked([]))


def test_an_index_is_not_captured() -> None:
    """The cited sum over k must not swallow a parameter k of the citing claim."""
    fact = entry("fact", "sum(c for k in range(n)) == n*c", N, real("c"))
    own = entry("own", "0 <= 1", N, real("k"))
    assert instance(fact, "sum(k for j in range(n)) == n*k", {"c": "k"}, own, [], asked([]))
    with pytest.raises(NoInstance):
        instance(fact, "sum(k for k in range(n)) == n*k", {"c": "k"}, own, [], asked([]))


def test_semidefinite_matrices_are_known_by_how_they_are_made() -> None:
    fact = entry("fact", "det(K) >= 0", FEW, K)
    own = entry("own", "0 <= 1", FEW, K, J, real("s", 0), {**K, "name": "S", "type": "Symmetric"})
    for text in ("add(identity(n), scale(s, K))", "hadamard(K, J)", "block(K, 0, n)"):
        assert instance(fact, f"det({text}) >= 0", {"K": text}, own, [], asked([]))
    for text in ("S", "add(K, S)", "[[s, s], [s, s]]"):
        with pytest.raises(NoInstance):
            instance(fact, f"det({text}) >= 0", {"K": text}, own, [], asked([]))
    with pytest.raises(NoInstance):
        instance(fact, "det(scale(s, K)) >= 0", {"K": "scale(s, K)"}, own, [], asked([], False))


def test_a_branch_is_an_instance_where_its_condition_holds() -> None:
    guarded = "(log(1+z) if z >= 0 else 0) <= (z if z >= 0 else 1)"
    known: list[list[str]] = []

    def follows(premises, conclusion: str) -> bool:
        known.append([*premises, conclusion])
        return True

    assert instance(LOG, guarded, {"x": "z"}, OWN, [], follows) == {"x": "z"}
    assert ["z >= 0", "(z) >= (0)"] in known
    assert ["z < 0", "0 <= 1"] in known


def test_conditions_stand_with_their_guards() -> None:
    text = "sum(1/k**2 for k in range(1, n+1)) <= (a**b if a > 0 else 1)"
    found = [str(c) for c in conditions(text)]
    assert found == [
        "(every_k ** 2) != 0 where every_k >= 1 and every_k <= n + 1 - 1",
        "a > 0 where a > 0",
    ]
    assert [str(c) for c in conditions("x**(1/2) + x**(-1) + x**2 == x**(-1/2)")] == [
        "x >= 0", "x != 0", "x > 0",
    ]  # fmt: skip


def test_an_index_is_not_taken_for_a_parameter_of_its_name() -> None:
    own = [N, {**N, "name": "k", "low": 5}]
    asked_for: list[str] = []
    list(unproved(["sum(1/(k-2) for k in range(1, n)) >= 0"], own, [], asked(asked_for)))
    assert asked_for == ["(every_k - 2) != 0"]


def test_what_is_not_known_is_returned() -> None:
    asked_for: list[str] = []
    texts, parameters = ["1/2/x + z**n == log(z)"], [N, real("z", 0)]
    gaps = list(unproved(texts, parameters, [], asked(asked_for, False)))
    assert [str(gap) for gap in gaps] == ["x != 0", "z > 0"]
    assert asked_for == ["x != 0", "z > 0"]

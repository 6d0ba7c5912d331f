"""False claims over lists, matrices and ranges: each tree is false, so that nothing proves it.

What a text could hide has no value in the tree: entries beyond an end, sizes below 0, shapes that
do not fit, the largest of nothing. For each plant the kernel takes a proof that its tree is false.
"""

import pytest

from proofs_check.language.claim import BadClaim, Claim
from proofs_check.language.formula import BadFormula
from proofs_check.language.parameters import Integer, PositiveSemidefinite, Real, Times, Vector
from proofs_check.prover import kernel, runner
from proofs_check.prover.export import tree_of
from tests.proofs_check.planted import claim, needs_coq

COUNT = Integer("n", 1)
TIMES, MATRIX = Times("t", "n"), PositiveSemidefinite("A", "n")
NO_VALUE = "intros (x & y & E & F & _). computed E. discriminate E."
ONE_TIME = (
    "at_integer 1%Z. at_list [1]. { intros i j []; cbn in *; "
    "assert (i = 0 /\\ j = 0)%nat as [-> ->] by lia; lra. } cbn -[IZR]. "
)
ONE_ROW = (
    "at_integer 1%Z. at_matrix [[1]] 1%nat. "
    "{ semidefinite_by ltac:(fun c => pose proof (pow2_ge_0 (c 0%nat)); lra). } "
)
EQUAL_ROWS = (
    "at_matrix [[1; 1]; [1; 1]] 2%nat. "
    "{ semidefinite_by ltac:(fun c => pose proof (pow2_ge_0 (c 0%nat + c 1%nat)); lra). } "
)
BRANCH = (
    "at_number 1. at_list [1]. intros (x & y & E & F & _). revert E. cbn. "
    "rewrite yes by (cbn; lra). cbn. rewrite count_IZR. discriminate."
)
PLANTS: dict[str, tuple[Claim, str]] = {
    "an entry beyond the end": (claim("t[n] >= 0", COUNT, TIMES), ONE_TIME + NO_VALUE),
    "an entry before the first": (
        claim("v[n-2] >= 0", COUNT, Vector("v", "n", 0)),
        "at_integer 1%Z. at_list [1]. " + NO_VALUE,
    ),
    "a block that starts below 0": (
        claim("trace(block(A, n-2, n)) >= 0", COUNT, MATRIX),
        ONE_ROW + NO_VALUE,
    ),
    "a block beyond the matrix": (
        claim("trace(block(A, 0, n+1)) >= 0", COUNT, MATRIX),
        ONE_ROW + NO_VALUE,
    ),
    "an identity of a size below 0": (
        claim("trace(identity(n-2)) >= 0-1", COUNT),
        "at_integer 1%Z. " + NO_VALUE,
    ),
    "shapes that do not fit": (
        claim("trace(add(identity(n), ones(n+1))) >= 0", COUNT),
        "at_integer 1%Z. " + NO_VALUE,
    ),
    "factors that do not fit": (
        claim("trace(matmul(identity(n), ones(n+1))) >= 0", COUNT),
        "at_integer 1%Z. " + NO_VALUE,
    ),
    "a determinant of no square": (
        claim("det([[1 for k in range(n)] for j in range(2)]) >= 0-1", COUNT),
        "at_integer 1%Z. " + NO_VALUE,
    ),
    "the largest of nothing": (
        claim("max(k for k in range(1, n)) >= 1", COUNT),
        "at_integer 1%Z. " + NO_VALUE,
    ),
    "the mean of nothing": (
        claim("sum(v[k] for k in range(m))/m >= 0", Integer("m", 0), Vector("v", "m", 0)),
        "at_integer 0%Z. at_list (@nil R). " + NO_VALUE,
    ),
    "an entry behind a branch": (
        claim("(v[1] if x > 0 else 0) >= 0", Real("x", 0, 1), Vector("v", 1, 0)),
        BRANCH,
    ),
    "a definition without a value": (
        claim("S >= 0", COUNT, TIMES, let=(("S", "t[n] - t[n]"),)),
        ONE_TIME + NO_VALUE,
    ),
    "numbers that nothing sorts": (
        claim("v[0] <= v[1]", Vector("v", 2)),
        "at_list [1; 0]. denied. cbn. lra.",
    ),
    "a unit diagonal alone": (
        claim("det(K) >= 1", PositiveSemidefinite("K", 2, unit=True)),
        EQUAL_ROWS + "denied. cbn. lra.",
    ),
    "a product over no range": (
        claim("prod(k for k in range(2, n)) <= 0", COUNT),
        "at_integer 1%Z. denied. cbn. lra.",
    ),
    "a sum over no range": (
        claim("sum(k for k in range(2, n)) > 0", COUNT),
        "at_integer 1%Z. denied. cbn. lra.",
    ),
    "a hypothesis that holds once more": (
        claim("n <= 1", COUNT, hypotheses=("n <= 2",)),
        "at_integer 2%Z. denied. lra.",
    ),
}


@needs_coq
@pytest.mark.slow
def test_no_plant_is_proved_for_its_tree_is_false(tmp_path) -> None:
    runner.compiled_theories(tmp_path, runner.SCALAR)
    text = [runner.HEAD, runner.MEANT, "From Coq Require Import Lia.\n"]
    for number, (planted, script) in enumerate(PLANTS.values()):
        text.append(f"Theorem false_{number} : ~ means {tree_of(planted)}.\n")
        text.append(f"Proof. apply off. cbn [app]. {script} Qed.\n")
    (tmp_path / "plants.v").write_text("".join(text), encoding="utf-8")
    kernel.coqc(tmp_path, "plants")


@pytest.mark.parametrize(
    ("formula", "fault"),
    [
        ("t[0-1+0] + [1, 2] >= 0", "a list stands where a number belongs"),
        ("t >= 0", "a list stands where a number belongs"),
        ("det(t) >= 0", "a list stands where a matrix belongs"),
        ("sum(t[k] for t in range(2)) >= 0", "an index and a number"),
        ("t[-1] >= 0", "does not wrap"),
        ("(1 <= 2) + 1 >= 0", "a comparison stands where a number belongs"),
        ("[1, [2]][0] >= 0", "not all numbers, or all lists"),
    ],
)
def test_what_has_no_kind_is_refused_before_any_tree(formula: str, fault: str) -> None:
    with pytest.raises((BadClaim, BadFormula), match=fault):
        claim(formula, COUNT, TIMES)

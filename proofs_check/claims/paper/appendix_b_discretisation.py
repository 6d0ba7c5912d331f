"""Appendix B, Lemma 10: from a finite set to the box [0, r]^d.

The grid itself has a file of its own (`appendix_b_grid`).
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_DELTA = Real("delta", 0, 1, low_open=True, high_open=True)
_WEIGHT = Real("p", 1, low_open=True)
_DIMENSION = Integer("d", 1, reach=4)

CLAIMS = (
    Claim(
        id="lemma-10",
        label="Lemma 10",
        where="appendix B, Lemma 10",
        statement=(
            "The failure F is at most G (gradients, all rounds) plus H (grid points, all rounds); "
            "G <= δS/2 and H <= δS/2 with S <= 1 the sum of 1/π_n: F <= δ."
        ),
        reading=(
            "D = [0, r]^d; n >= 1; ξ_n >= 1, or max(1, ξ_n) in β_n; one grid, the centres of "
            "floor(ξ_n) cells per axis; τ = τ_n in round n; a, b chosen before the sample path."
        ),
        parameters=(_DELTA, Real("S", 0, 1), Real("G", 0, 1), Real("H", 0, 1), Real("F", 0, 1)),
        hypotheses=("F <= G + H", "G <= delta*S/2", "H <= delta*S/2"),
        formula="F <= delta",
        witnesses=({"delta": "1/2", "S": 1, "G": "1/4", "H": "1/4", "F": "1/2"},),
        rests_on=(
            "lemma-10-gradient-union",
            "lemma-10-lipschitz",
            "lemma-10-accuracy",
            "lemma-10-cell-centres",
            "lemma-10-cell-centres-distance",
            "lemma-10-beta-counts-centres",
            "lemma-10-one-grid",
            "lemma-10-events",
            "lemma-9-along-the-times",
            "lemma-8-weights-from-one",
        ),
        expected=Verdict.OUTLINE,
        because=(
            "The statement survives under that reading with another grid; with the printed grid "
            "β_n is too small, and without ξ_n >= 1 the statement is false (lemma-10-small-grid)."
        ),
        finding="missing hypothesis",
        place_of="lemma-10-small-grid",
        printed_proof="false",
        repairs=("lemma-10-cell-centres", "lemma-10-cell-centres-distance", "lemma-10-one-grid"),
        remark="D_n denotes the data before the lemma and the grid inside it.",
    ),
    Claim(
        id="lemma-10-gradient-union",
        label="Lemma 10, display 1, at the L used later",
        where="appendix B, proof of Lemma 10, display 1 and L = b sqrt(log(2π_n a d/δ))",
        kind="step",
        statement="With that L: a d exp(-L^2/b^2) = δ/(2π_n), where 2π_n a d > δ.",
        reading="'< L' stands for '<= L'.",
        parameters=(
            Real("a", 0, low_open=True),
            Real("b", 0, low_open=True),
            _DIMENSION,
            _WEIGHT,
            _DELTA,
        ),
        hypotheses=("2*p*a*d > delta",),
        formula="a*d*exp(-log(2*p*a*d/delta)) == delta/(2*p)",
        rests_on=("union-bound",),
        expected=Verdict.OUTLINE,
        because="Insert L; the union over d partial derivatives gives the factor d.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-10-root-defined",
        label="Lemma 10, the square root in β_n and L",
        where="appendix B, Lemma 10",
        kind="step",
        statement="For a >= 1, d >= 1, π_n > 1, δ < 1: log(2π_n a d/δ) > 0.",
        reading=(
            "Assumption 1 (III) as L falls to 0 forces a >= 1, unless f is constant in x; then a "
            "may be taken 1."
        ),
        parameters=(Real("a", 1), _DIMENSION, _WEIGHT, _DELTA),
        formula="log(2*p*a*d/delta) > 0",
        expected=Verdict.PROVED,
        because="Every factor is at least 1.",
    ),
    Claim(
        id="lemma-10-lipschitz",
        label="Lemma 10, the Lipschitz bound in the l1 norm",
        where="appendix B, proof of Lemma 10, display 2",
        kind="step",
        statement=(
            "If all d partial derivatives are at most L in absolute value on the segment from x "
            "to x + h, the increment of f along it is at most L Σ|h_j|, for every d."
        ),
        reading=(
            "The domain is convex, so the segment lies in it. The search tries the slope along "
            "it, d = 2."
        ),
        parameters=(
            Real("L", 0),
            Real("g1", "-L", "L"),
            Real("g2", "-L", "L"),
            Real("h1", search=(-100, 100)),
            Real("h2", search=(-100, 100)),
        ),
        formula="abs(g1*h1 + g2*h2) <= L*(abs(h1) + abs(h2))",
        expected=Verdict.PROVED,
        because="Hölder, l1 against l∞.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-10-accuracy",
        label="Lemma 10, the accuracy 1/n²",
        where="appendix B, proof of Lemma 10, display 6",
        kind="step",
        statement="For n >= 1: d b r q/ξ_n = 1/n^2, where ξ_n = d n^2 b r q and q is the root.",
        parameters=(
            Integer("n", 1),
            _DIMENSION,
            Real("b", 0, low_open=True),
            Real("r", 0, low_open=True),
            Real("q", 0, low_open=True),
        ),
        formula="d*b*r*q/(d*n**2*b*r*q) == 1/n**2",
        expected=Verdict.PROVED,
        because="Cancel.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-10-two-grids",
        label="Lemma 10, the points [x]_n and [x]_{n+1}",
        where="appendix B, Lemma 10, statement and displays 8 to 13",
        statement=(
            "For values u, v of f at two grid points, the mean m and deviation w at the second: "
            "|v - m| <= w implies |u - m| <= w."
        ),
        reading="Literal: f is taken at [x]_n, its mean and deviation at [x]_{n+1}.",
        parameters=(
            Real("u", search=(-100, 100)),
            Real("v", search=(-100, 100)),
            Real("m", search=(-100, 100)),
            Real("w", 0, search=(None, 100)),
        ),
        hypotheses=("abs(v-m) <= w",),
        formula="abs(u-m) <= w",
        witnesses=({"u": 1, "v": 0, "m": 0, "w": 0},),
        expected=Verdict.REFUTED,
        because=(
            "Lemma 9 compares f with the posterior at one point of one grid. Indices are mixed; "
            "with one grid throughout the lines are right."
        ),
        finding="slip",
        printed_proof="gap",
        repairs=("lemma-10-one-grid",),
    ),
    Claim(
        id="lemma-10-one-grid",
        label="Lemma 10, the triangle inequality on one grid",
        where="appendix B, proof of Lemma 10, display 8",
        kind="repair",
        statement=(
            "If |y - v| <= e and |v - m| <= w, v = f([x*]) and m its mean, then |y - m| <= w + e."
        ),
        parameters=(
            Real("y", search=(-100, 100)),
            Real("v", search=(-100, 100)),
            Real("m", search=(-100, 100)),
            Real("w", 0, search=(None, 100)),
            Real("e", 0, search=(None, 100)),
        ),
        hypotheses=("abs(y-v) <= e", "abs(v-m) <= w"),
        formula="abs(y-m) <= w + e",
        expected=Verdict.PROVED,
        because="The triangle inequality.",
    ),
    Claim(
        id="lemma-10-events",
        label="Lemma 10, displays 9 to 12 (complements and unions)",
        where="appendix B, proof of Lemma 10, inequalities 2 and 3",
        kind="step",
        statement="If u + v > w + e then u > e or v > w.",
        parameters=(
            Real("u", 0, search=(None, 100)),
            Real("v", 0, search=(None, 100)),
            Real("w", 0, search=(None, 100)),
            Real("e", 0, search=(None, 100)),
        ),
        hypotheses=("u + v > w + e",),
        formula="max(u-e, v-w) > 0",
        rests_on=("union-bound",),
        expected=Verdict.OUTLINE,
        because="Otherwise add the two.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-10-total",
        label="Lemma 10, last line",
        where="appendix B, proof of Lemma 10, inequality 4",
        kind="step",
        statement="With S the sum of 1/π_k, at most 1: δS/2 + δ/2 <= δ.",
        reading="Sums from n = 1.",
        parameters=(_DELTA, Real("S", 0, 1)),
        formula="delta*S/2 + delta/2 <= delta",
        rests_on=("lemma-8-weights-from-one", "lemma-10-gradient-union", "lemma-9"),
        expected=Verdict.OUTLINE,
        because="Half of δ for the gradient, half for the finite set.",
        printed_proof="sound",
    ),
)

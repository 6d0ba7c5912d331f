"""Appendix B, Lemma 10: the grid D_n, how many points it has and how near they are.

ξ_n = d n² b r sqrt(log(2π_n a d/δ)) is the number of grid steps per axis, D_n the points of the
box whose coordinates are multiples of r/ξ_n.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real

_DELTA = Real("delta", 0, 1, low_open=True, high_open=True)
_WEIGHT = Real("p", 1, low_open=True)
_STEPS = Real("xi", 0, low_open=True)
_DIMENSION = Integer("d", 1, reach=4)

CLAIMS = (
    Claim(
        id="lemma-10-grid-size",
        label="Lemma 10, the size of the grid D_n",
        where="appendix B, proof of Lemma 10: 'of size at most ξ_n^d'",
        statement=(
            "For all ξ >= 10 and d >= 2: the multiples of r/ξ in [0, r], both ends counted, are "
            "floor(ξ)+1 per axis, and (floor(ξ)+1)^d <= ξ^d."
        ),
        reading="Asked well inside the range; it fails for every ξ > 0 and d >= 1.",
        parameters=(Real("xi", 10), Integer("d", 2, reach=4)),
        formula="(floor(xi)+1)**d <= xi**d",
        witnesses=({"xi": "25/2", "d": 2},),
        expected=Verdict.REFUTED,
        because=(
            "floor(ξ)+1 > ξ for every ξ: a fence has one post more than rails. β_n, which counts "
            "ξ^d points, is too small for this grid, always."
        ),
        finding="false",
        printed_proof="false",
        repairs=("lemma-10-cell-centres", "lemma-10-cell-centres-distance"),
        remark="The β_n printed suffices for another grid, the centres of floor(ξ) cells per axis.",
    ),
    Claim(
        id="lemma-10-cell-centres",
        label="Lemma 10, a grid that is small enough: cell centres",
        where="appendix B, proof of Lemma 10",
        kind="repair",
        statement=(
            "For ξ >= 1 and K = floor(ξ): the centres of K^d equal cells are at most ξ^d points."
        ),
        parameters=(
            Integer("K", 1),
            Real("xi", "K", "K+1", high_open=True),
            Integer("d", 1, reach=4),
        ),
        formula="K**d <= xi**d",
        expected=Verdict.PROVED,
        because="K <= ξ.",
    ),
    Claim(
        id="lemma-10-cell-centres-distance",
        label="Lemma 10, distance to the nearest cell centre",
        where="appendix B, proof of Lemma 10, display 4",
        kind="repair",
        statement="For ξ >= 1, K = floor(ξ) and r > 0: half a cell, r/(2K), is at most r/ξ.",
        reading="So every point of the box is within rd/ξ of a centre in the l1 norm.",
        parameters=(
            Integer("K", 1),
            Real("xi", "K", "K+1", high_open=True),
            Real("r", 0, low_open=True),
        ),
        formula="r/(2*K) <= r/xi",
        expected=Verdict.PROVED,
        because="ξ < K+1 <= 2K.",
    ),
    Claim(
        id="lemma-10-net-distance",
        label="Lemma 10, distance to the printed grid",
        where="appendix B, proof of Lemma 10, display 4",
        kind="step",
        statement=(
            "For ξ > 0, r > 0 and x in [0, r], with k the integer part of xξ/r: the multiple "
            "k r/ξ is a grid point of [0, r], at most x and at least x - r/ξ."
        ),
        reading=(
            "'for any x in D_n' stands for 'in D'; D = [0, r]^d. The lattice of multiples is "
            "called R_n there, the name of the cumulative regret."
        ),
        parameters=(
            _STEPS,
            Real("r", 0, low_open=True),
            Real("x", 0, "r"),
            Integer("k", "floor(x*xi/r)", "floor(x*xi/r)"),
        ),
        hypotheses=("k <= x*xi/r", "x*xi/r <= k+1"),
        formula="max(x - k*r/xi - r/xi, k*r/xi - x, -k*r/xi) <= 0",
        expected=Verdict.PROVED,
        because="x lies between two multiples.",
        printed_proof="sound",
    ),
    Claim(
        id="lemma-10-subset-domain",
        label="A domain inside the box",
        where=("Theorem 1 (domain a subset of [0, r]^d) against appendix B, Lemma 10 (all of it)"),
        kind="theory",
        statement="With m >= ξ cells per axis a cell has the side r/m <= r/ξ.",
        reading=(
            "m = ceil(ξ) and one point of D in each cell that meets D: every point of D is "
            "within r/m per axis of a chosen one. (m^d points; ξ becomes ceil(ξ) inside β_n.)"
        ),
        parameters=(_STEPS, Real("m", "xi"), Real("r", 0, low_open=True)),
        formula="r/m <= r/xi",
        expected=Verdict.PROVED,
        because="Two points of one cell differ by at most its side.",
        remark=(
            "Lemma 10 speaks of the whole box; multiples of r/ξ may miss a smaller domain, "
            "cells do not."
        ),
    ),
    Claim(
        id="lemma-10-first-round",
        label="Lemma 10 for n = 0",
        where="appendix B, Lemma 10: 'for any n >= 0'",
        statement="For all n >= 0: ξ_n > 0, so that the grid and 1/n^2 exist.",
        reading="Literal.",
        parameters=(
            Integer("n", 0),
            _DIMENSION,
            Real("b", 0, low_open=True),
            Real("r", 0, low_open=True),
            Real("q", 0, low_open=True),
        ),
        formula="d*n**2*b*r*q > 0",
        expected=Verdict.REFUTED,
        because="ξ_0 = 0: no grid, and 1/n² is a division by zero. The lemma is about n >= 1.",
        finding="slip",
        place_of="theorem-1-n-zero",
        printed_proof="gap",
        repairs=("lemma-8-weights-from-one", "lemma-11-round-index-repaired"),
    ),
    Claim(
        id="lemma-10-beta-counts-grid",
        label="Lemma 10, display 7: β_n covers the grid",
        where="appendix B, proof of Lemma 10, display 7, line 2",
        statement=(
            "For all ξ >= 10, d >= 2, p = π_n > 1, δ: 2 log(2p/δ) + 2d log ξ >= 2 log(2p/δ) + 2 "
            "log |D_n|, with |D_n| = (floor(ξ)+1)^d."
        ),
        parameters=(Real("xi", 10), Integer("d", 2, reach=4), _WEIGHT, _DELTA),
        formula=("2*log(2*p/delta) + 2*d*log(xi) >= 2*log(2*p/delta) + 2*log((floor(xi)+1)**d)"),
        expected=Verdict.REFUTED,
        because="The grid has (floor(ξ)+1)^d > ξ^d points.",
        finding="false",
        place_of="lemma-10-grid-size",
        printed_proof="false",
        repairs=("lemma-10-beta-counts-centres",),
    ),
    Claim(
        id="lemma-10-beta-counts-centres",
        label="Lemma 10, display 7 with cell centres",
        where="appendix B, proof of Lemma 10, display 7",
        kind="repair",
        statement=(
            "For ξ >= 1, K = floor(ξ), d >= 1: 2 log(2p/δ) + 2d log ξ >= 2 log(2p/δ) + 2d log K."
        ),
        parameters=(
            Integer("K", 1),
            Real("xi", "K", "K+1", high_open=True),
            Integer("d", 1, reach=4),
            _WEIGHT,
            _DELTA,
        ),
        formula="2*log(2*p/delta) + 2*d*log(xi) >= 2*log(2*p/delta) + 2*d*log(K)",
        rests_on=("lemma-10-cell-centres",),
        expected=Verdict.OUTLINE,
        because="K <= ξ.",
    ),
    Claim(
        id="lemma-10-small-grid",
        label="Lemma 10 where ξ_n < 1",
        where="appendix B, Lemma 10",
        statement=(
            "For all n >= 1, δ, ξ > 0 with β = max(0, 2 log(2π_n/δ) + 2 log ξ) and f constant in "
            "x: a fresh f (mean 0, deviation 1) exceeds sqrt(β) + 1/n^2 with probability <= δ."
        ),
        reading=(
            "f constant in x satisfies (III) with a = 1 and every b > 0, so ξ may be as small as "
            "we like; d = 1, π_n = π²n²/6; a fresh f after a long gap. sqrt(β) read as 0 where "
            "β < 0."
        ),
        parameters=(Integer("n", 1), _DELTA, Real("xi", 0, 1, low_open=True)),
        let=(("beta", "max(0, 2*log(pi**2*n**2/(3*delta)) + 2*log(xi))"),),
        formula="2*normal_cdf(-(sqrt(beta) + 1/n**2)) <= delta",
        witnesses=({"n": 2, "delta": "1/2", "xi": "1/100"},),
        expected=Verdict.REFUTED,
        because=(
            "A domain has at least one point, but β_n counts ξ^d < 1 of them. Then β_n is smaller "
            "than a single point needs, even negative."
        ),
        finding="missing hypothesis",
        printed_proof="gap",
        repairs=("theorem-1-beta-positive-repaired", "lemma-10-cell-centres"),
        remark="Needed: ξ_n >= 1, or max(1, ξ_n) inside β_n.",
    ),
)

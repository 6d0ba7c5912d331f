"""Template: copy this file, keep the shape, name the copy in `claims/__init__.py`.

A claim is a formula over parameters. Which engines run follows from what you supply:

- `formula`, `parameters`, `hypotheses`: the search looks for a counterexample, confirms it in exact
  numbers or by enclosure, and shrinks it. This alone can say SUPPORTED or REFUTED.
- `box="all"` or a part `{"x": ("0", "4")}`: enclosures cover it. PROVED or PROVED_ON_BOX.
- a theorem of the proof assistant: `python -m proofs_check.prover.scripts ID` looks for what closes
  the goals of the formula's theorem; else write its script into scripts.json, one tactic a line;
  `make proofs-record` records it. PROVED; OUTLINE where a person joined what the words say. Of a
  theorem in the theories (index.toml) the formula is a case that is searched.

Write `expected` and `because` before you run anything: `ctv verify template-sum-of-logs`. Then
`ctv verify --markdown LEDGER.md`, as a test compares the two.

A formula has + - * / **, one comparison, `a if x < y else b`, sums and products over ranges
(`sum(t[k]**2 for k in range(n))`), the words of `proofs_check.language.formula.floats` (log, exp,
sqrt, min, max, abs, floor, ceil, normal_cdf, det, eigenvalues, hadamard, …) and exact numbers
(1/1000). What a name may be is in `proofs_check.language.parameters`: Real, Integer, Vector, Times,
Symmetric, PositiveSemidefinite.
"""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

CLAIMS = (
    Claim(
        id="template-sum-of-logs",
        label="Template (a printed step that is false)",
        where="nowhere",
        statement="For all real a >= 0 and b > -1 with a+b > -1: log(1+a+b) <= log(1+a)+log(1+b).",
        parameters=(Real("a", 0), Real("b", -1, low_open=True)),
        hypotheses=("a + b > -1",),
        formula="log(1+a+b) <= log(1+a) + log(1+b)",
        expected=Verdict.REFUTED,
        because="(1+a)(1+b) - (1+a+b) = ab is negative for b < 0 < a.",
        finding="false",
        printed_proof="false",
        repairs=("template-sum-of-logs-repaired",),
    ),
    Claim(
        id="template-sum-of-logs-repaired",
        label="Template (its repair)",
        where="nowhere",
        kind="repair",
        statement="For all a, b >= 0: 1+a+b <= (1+a)(1+b).",
        parameters=(Real("a", 0), Real("b", 0)),
        formula="1 + a + b <= (1+a)*(1+b)",
        expected=Verdict.PROVED,
        because="The difference is ab >= 0.",
    ),
    Claim(
        id="template-log-below-line",
        label="Template (calculus on an unbounded domain)",
        where="nowhere",
        kind="trusted",
        statement="For all x >= 0: log(1+x) <= x.",
        parameters=(Real("x", 0),),
        formula="log(1+x) <= x",
        expected=Verdict.PROVED,
        because="Equality at 0, and the difference grows.",
    ),
    Claim(
        id="template-square-on-a-box",
        label="Template (enclosures)",
        where="nowhere",
        kind="repair",
        statement="For all x in [0, 3]: x - x^2/2 < log(1+x) + 1/100.",
        parameters=(Real("x", 0, 3),),
        formula="x - x**2/2 < log(1+x) + 1/100",
        box="all",
        expected=Verdict.PROVED,
        because="The difference is x^3/3 at 0 and grows.",
    ),
)

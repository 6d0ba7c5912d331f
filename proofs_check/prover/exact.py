"""The exact engine: check a proof step by step with sympy, z3 and enclosures.

An `Identity` is expanded by sympy. Polynomial comparisons go to z3 (unsatisfiability of the
negation over the reals); whatever else occurs is an unknown real number, of which only this is
known: exp(x) > 0, exp(x) >= 1+x, exp(x) <= 1 for x <= 0, and 1 - 1/x <= log(x) <= x - 1 for x > 0.
Nothing here trusts an author: a step that cannot be decided leaves the claim undecided, and so does
a formula that is not known to have a value everywhere, or a citation that is no instance.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from bounds import enclosure
from proofs_check.enclosures.subdivision import cover
from proofs_check.language import formula
from proofs_check.language.claim import (
    Citation,
    Claim,
    Evidence,
    Follows,
    Growth,
    Identity,
    Inequality,
    Step,
    Verdict,
)
from proofs_check.language.definedness import unproved
from proofs_check.language.parameters import Integer, Real
from proofs_check.prover.algebra import StepFailed, entails, to_sympy
from proofs_check.prover.instances import NoInstance, instance
from proofs_check.prover.residues import Unreadable
from proofs_check.records.certificate import statement


def check_proof(
    claim: Claim, most_boxes: int, cited: Mapping[str, Claim] | None = None
) -> Evidence:
    """PROVED if every step checks, PROVED_ON_BOX if the proof `covers` a part; else UNDECIDED.

    `cited` are the claims that the proof cites, by id.
    """
    if not claim.parameters and not claim.proof:
        return _ground(claim)
    if claim.covers:
        claim = replace(claim, hypotheses=(*claim.hypotheses, claim.covers))
    known = _Known(claim, cited or {})
    for number, step in enumerate(claim.proof, start=1):
        try:
            known.require_values([*getattr(step, "where", ()), step.formula])
            _check(claim, step, known, most_boxes)
        except (StepFailed, NoInstance, Unreadable) as failure:
            return Evidence("exact", Verdict.UNDECIDED, f"step {number}: {failure}")
        known.established.append(claim.normal(step.formula))
    sentence = f"{len(claim.proof)} steps checked"
    verdict = Verdict.PROVED
    if claim.covers:
        verdict, sentence = Verdict.PROVED_ON_BOX, f"{sentence}, for {claim.covers}"
    return Evidence("exact", verdict, sentence, instances=tuple(known.instances))


class _Known:
    """What a proof may use: the domain, the steps so far, instances of the cited claims."""

    def __init__(self, claim: Claim, cited: Mapping[str, Claim]) -> None:
        self.claim = claim
        self.data = statement(claim)
        self.cited = cited
        self.established = [claim.normal(text) for text in claim.hypotheses]
        self.instances: list[str] = []

    def follows(self, premises: Sequence[str], conclusion: str) -> bool:
        """Real algebra over the domain; true where no point satisfies the premises."""
        if not formula.names(conclusion):
            with enclosure.precision(256):
                return formula.holds(conclusion, formula.rigorous(), {}) is True
        return entails(self.claim, premises, conclusion, vacuously=True)

    def require_values(self, texts: Sequence[str], more: Sequence[str] = ()) -> None:
        """Raise `StepFailed` unless the formulas have values on the whole domain."""
        expanded = [self.claim.expanded(text) for text in texts]
        parameters, premises = self.data["parameters"], [*self.established, *more]
        domain = self.established[: len(self.claim.hypotheses)]
        if not any(unproved(expanded, parameters, domain, self.follows)):
            return  # the domain alone settles most, at less cost than with all that is known
        for gap in unproved(expanded, parameters, premises, self.follows):
            raise StepFailed(f"{texts[-1]} needs {gap}, which is not known")

    def instance(self, citation: Citation, given: Sequence[str]) -> None:
        """Raise unless the citation is an instance of the cited claim."""
        text, name, *using = citation
        if name not in self.cited:
            raise NoInstance(f"{name} is not there to be cited")
        known = [*self.established, *given]
        self.require_values([text], given)
        chosen = using[0] if using else {}
        assert isinstance(chosen, dict)
        fact = statement(self.cited[name])
        found = instance(fact, text, chosen, self.data, known, self.follows)
        shown = ", ".join(f"{key} = {value}" for key, value in found.items())
        self.instances.append(f"{text}: {name} with {shown}")


def _ground(claim: Claim) -> Evidence:
    """A statement without parameters is decided by its value."""
    for bits in (64, 512, 4096):
        with enclosure.precision(bits):
            try:
                answer = formula.holds(claim.expanded(claim.formula), formula.rigorous(), {})
            except ArithmeticError:
                continue
        if answer:
            return Evidence("exact", Verdict.PROVED, "both sides evaluated")
        if answer is False:
            return Evidence("exact", Verdict.UNDECIDED, "the sides violate it")
    return Evidence("exact", Verdict.UNDECIDED, "the sides could not be told apart")


def _check(claim: Claim, step: Step, known: _Known, most_boxes: int) -> None:
    text = claim.expanded(step.formula)
    if isinstance(step, Identity):
        _check_identity(claim, text)
    elif isinstance(step, Inequality):
        where = [*claim.hypotheses, *step.where]
        if step.where:
            _require_known(claim, step.where, known.established)
        _check_inequality(claim, text, where, step.box, most_boxes)
    elif isinstance(step, Growth):
        _check_growth(claim, step, text, known.established)
    elif isinstance(step, Follows):
        given: list[str] = []
        for item in step.given:
            plain = item if isinstance(item, str) else item[0]
            if isinstance(item, str):
                _require_known(claim, [item], known.established)
            else:
                known.instance(item, given)
            given.append(claim.expanded(plain))
        if not entails(claim, [*given, *map(claim.expanded, claim.hypotheses)], text):
            raise StepFailed(f"{step.formula} does not follow by real algebra from what is given")


def _require_known(claim: Claim, texts: Sequence[str], established: Sequence[str]) -> None:
    known = {*established, *(claim.normal(hypothesis) for hypothesis in claim.hypotheses)}
    for text in texts:
        if claim.normal(text) not in known:
            raise StepFailed(f"{text} is neither a hypothesis nor an earlier step")


def _check_identity(claim: Claim, text: str) -> None:
    import sympy  # half a second, needed only here

    sides = formula.relation(text)
    if sides.operator != "==":
        raise StepFailed(f"an identity needs ==: {text}")
    _require_ranges(claim, text)
    left, right = (to_sympy(claim, side) for side in (sides.left, sides.right))
    difference = sympy.expand(left - right)
    if difference != 0 and sympy.simplify(difference) != 0:
        raise StepFailed(f"the sides of {text} differ by {sympy.factor(difference)}")


def _require_ranges(claim: Claim, text: str) -> None:
    """The closed form of a sum holds only where its range does not end before it begins."""
    for node in ast.walk(formula.parse(text)):
        if not (isinstance(node, ast.comprehension) and isinstance(node.iter, ast.Call)):
            continue
        ends = [ast.unparse(argument) for argument in node.iter.args]
        low, high = ("0", ends[0]) if len(ends) == 1 else (ends[0], ends[1])
        if not entails(claim, [], f"{high} >= {low}"):
            raise StepFailed(f"the range from {low} to {high} may end before it begins")


def _check_inequality(
    claim: Claim,
    text: str,
    where: Sequence[str],
    box: dict[str, tuple[str, str]],
    most_boxes: int,
) -> None:
    if box:
        _require_box_of_domain(claim, box)
        finite = {name: (Fraction(low), Fraction(high)) for name, (low, high) in box.items()}
        conditions = [claim.expanded(condition) for condition in where]
        found = cover(text, (), conditions, finite, {}, most_boxes)
        if not found.closed:
            raise StepFailed(f"{text} undecided after {found.boxes} boxes, at {found.open_box}")
    elif not entails(claim, [claim.expanded(condition) for condition in where], text):
        raise StepFailed(f"{text} was not proved by real algebra")


def _require_box_of_domain(claim: Claim, box: dict[str, tuple[str, str]]) -> None:
    """A step on a box must reach the whole of the domain, or of what the proof covers."""
    where = [claim.expanded(condition) for condition in claim.hypotheses]
    for name, (low, high) in box.items():
        for end, sign in ((low, ">="), (high, "<=")):
            if not entails(claim, where, f"{name} {sign} {end}"):
                raise StepFailed(f"the box of {name} is smaller than its domain")


def _check_growth(claim: Claim, step: Growth, text: str, established: Sequence[str]) -> None:
    import sympy

    sides = formula.relation(text)
    if sides.operator not in ("<=", "<"):
        raise StepFailed(f"growth needs <=: {text}")
    variable = sympy.Symbol(step.variable, real=True, nonnegative=True)
    difference = to_sympy(claim, f"({sides.right}) - ({sides.left})", {step.variable: variable})
    derivative = to_sympy(claim, claim.expanded(step.derivative), {step.variable: variable})
    if sympy.simplify(sympy.diff(difference, variable) - derivative) != 0:
        raise StepFailed(f"{step.derivative} is not the derivative in {step.variable}")
    beyond = f"{step.variable} >= {step.start}"
    if step.where:
        _require_known(claim, step.where, established)
    rest = [name for name in formula.names(text) if name != step.variable]
    _require_start(claim, step, text, rest)
    if any(p.name == step.variable for p in claim.parameters) and not entails(claim, [], beyond):
        raise StepFailed(f"the domain of {step.variable} begins before {step.start}")
    _require_growth(claim, step, text, beyond)


def _require_growth(claim: Claim, step: Growth, text: str, beyond: str) -> None:
    """Between the start and any point of the domain: values throughout, and a slope >= 0.

    Where the domain begins after the start, or hypotheses speak of the variable, the way leads
    outside of it, and nothing counts that is known of the variable but what bounds it above.
    """
    given = [claim.expanded(condition) for condition in (*claim.hypotheses, *step.where)]
    path = claim
    own = next((p for p in claim.parameters if p.name == step.variable), None)
    inside = isinstance(own, Real | Integer) and str(own.low) == step.start
    if not inside or any(step.variable in formula.names(h) for h in claim.hypotheses):
        low_less = [Real(p.name, None, p.high) if p is own and isinstance(p, Real | Integer) else p
                    for p in claim.parameters]  # fmt: skip
        path = replace(
            claim, parameters=tuple(low_less), hypotheses=(), let=(), proof=(), witnesses=(),
            rests_on=(), covers="", formula="0 <= 0",
        )  # fmt: skip
        given = [condition for condition in given if _holds_below(condition, step.variable)]
    slope = claim.expanded(step.derivative)
    after = [*given, f"{step.variable} > {step.start}"]
    known = _Known(path, {})
    known.require_values([text], [*given, beyond])
    known.require_values([slope], after)
    if not entails(path, after, f"{slope} >= 0"):
        raise StepFailed(f"{step.derivative} >= 0 was not proved for {beyond}")


def _holds_below(condition: str, variable: str) -> bool:
    """Whether a condition that holds at a value of the variable holds at every lower one."""
    sides = formula.relation(condition)
    left, right = sides.left, sides.right
    if sides.operator in (">=", ">"):
        left, right = right, left
    bounded = left == variable and sides.operator not in ("==", "!=")
    return variable not in formula.names(right if bounded else condition)


def _require_start(claim: Claim, step: Growth, text: str, rest: list[str]) -> None:
    at_start = formula.expand(text, [(step.variable, f"({step.start})")])
    if rest:
        sides = formula.relation(at_start)
        import sympy

        gap = sympy.simplify(to_sympy(claim, f"({sides.right}) - ({sides.left})"))
        if gap == 0 and sides.operator == "<=":
            return
        if not entails(claim, [claim.expanded(h) for h in claim.hypotheses], at_start):
            raise StepFailed(f"{at_start} was not proved")
        return
    with enclosure.precision(256):
        if not formula.holds(at_start, formula.rigorous(), {}):
            raise StepFailed(f"{at_start} does not hold for certain")

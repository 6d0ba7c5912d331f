"""The recheck of proofs: each step derived again from the text of the certificate.

A step must be about the claim's own parameters, be defined on the whole domain, and use nothing but
the domain, the steps before it and instances of the claims that it rests on. The domain must have a
point, and so must the premises of a step that cites: from a contradiction everything would follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bounds.errors import CtvBoundsError
from proofs_check.language.definedness import unproved
from proofs_check.prover.instances import NoInstance, instance
from proofs_check.prover.residues import Unreadable
from proofs_check.recheck.cases import Refused, check_box
from proofs_check.recheck.decision import follows
from proofs_check.recheck.growth import check_growth
from proofs_check.recheck.identity import check_identity
from proofs_check.recheck.independent import evaluate
from proofs_check.recheck.points import holds_at, points, require_consistent, require_point
from proofs_check.recheck.rational_interval import Interval, NotDecided
from proofs_check.recheck.text import (
    domain_of,
    names_of,
    require_known,
    require_names,
    written_out,
)


def check_proof(entry: Mapping[str, Any], entries: Mapping[str, Any]) -> str:
    """Derive every step of a stored proof again, the last of which must be the statement itself."""
    if entry["verdict"] == "PROVED" and entry["covers"]:
        raise Refused(f"the proof covers only {entry['covers']}")
    proof = _Proof(entry, entries)
    for number, step in enumerate(entry["proof"], start=1):
        try:
            proof.check(step)
        except (Refused, NotDecided, NoInstance, Unreadable, CtvBoundsError) as failure:
            raise Refused(f"step {number}: {failure}") from None
    if not entry["proof"] or proof.established[-1] != written_out(entry, entry["formula"]):
        raise Refused("the last step is not the statement")
    return f"{len(entry['proof'])} steps"


class _Proof:
    """What is known so far: the domain, with the part that the proof covers, and the steps."""

    def __init__(self, entry: Mapping[str, Any], entries: Mapping[str, Any]) -> None:
        covered = [entry["covers"]] if entry["covers"] else []
        self.entry = {**entry, "hypotheses": [*entry["hypotheses"], *covered]}
        self.entries = entries
        require_names(self.entry)
        self.hypotheses = [written_out(entry, text) for text in self.entry["hypotheses"]]
        self.established = list(self.hypotheses)
        self.answered: set[tuple[str, frozenset[str]]] = set()
        self.domain = [*self.hypotheses, *domain_of(entry)]
        require_point(self.entry, self.hypotheses, self.domain)

    def check(self, step: Mapping[str, Any]) -> None:
        """Raise `Refused` unless the step holds up; then it is established."""
        text = written_out(self.entry, step["formula"])
        require_known(self.entry, text)
        where = [written_out(self.entry, condition) for condition in step.get("where", ())]
        for condition in where:
            self._require_established(condition)
        self._require_values([*where, text], ())
        kind = step["step"]
        if kind == "Identity":
            check_identity(self.entry, text, self.domain)
        elif kind == "Inequality" and step["box"]:
            self._check_on_box(text, step["box"], where)
        elif kind == "Inequality":
            self._require_following(text, where)
        elif kind == "Growth":
            check_growth(self.entry, step, text, self.domain, where)
        elif kind == "Follows":
            self._check_following(text, step["given"])
        else:
            raise Refused(f"{kind} is no kind of step")
        self.established.append(text)

    def follows(self, premises: Sequence[str], conclusion: str) -> bool:
        """Real algebra over the domain; numbers alone are compared by their value."""
        # What is established stays so: of the premises only the others need to be remembered.
        question = (conclusion, frozenset(premises) - frozenset(self.established))
        if question not in self.answered:
            try:
                if names_of(conclusion):
                    answer = follows([*self.domain, *premises], conclusion)
                else:
                    answer = evaluate(conclusion, {}) is True
            except NotDecided:
                answer = False
            if not answer:
                return False
            self.answered.add(question)
        return True

    def _require_following(self, text: str, premises: Sequence[str]) -> None:
        if not follows([*self.domain, *premises], text):
            raise Refused(f"{text} was not derived")

    def _require_established(self, text: str) -> None:
        if text not in self.established:
            raise Refused(f"{text} was not established before")

    def _require_values(self, texts: Sequence[str], more: Sequence[str]) -> None:
        """Refused unless the formulas have values wherever the domain and what is known hold."""
        known = [*self.established, *more]
        for gap in unproved(texts, self.entry["parameters"], known, self.follows):
            raise Refused(f"{texts[-1]} needs {gap}, which was not derived")

    def _check_on_box(self, text: str, box: Mapping[str, Any], where: Sequence[str]) -> None:
        """The box must reach at least as far as the domain of its parameters."""
        for name, (low, high) in box.items():
            self._require_following(f"{name} >= {low}", ())
            self._require_following(f"{name} <= {high}", ())
        inner = {
            "formula": text,
            "definitions": [],
            "box": "all",
            "hypotheses": [t for t in (*self.domain, *where) if names_of(t) <= set(box)],
            "verdict": "PROVED",
            "parameters": [
                {**p, "low": box[p["name"]][0], "high": box[p["name"]][1]}
                for p in self.entry["parameters"]
                if p["name"] in box
            ],
        }
        check_box(inner)

    def _check_following(self, text: str, items: Sequence[Any]) -> None:
        given: list[str] = []
        for item in items:
            plain = written_out(self.entry, item if isinstance(item, str) else item[0])
            if isinstance(item, str):
                self._require_established(plain)
            else:
                self._require_instance(item, plain, given)
            given.append(plain)
        if any(not isinstance(item, str) for item in items):
            require_consistent([*self.domain, *given])
        self._require_following(text, given)

    def _require_instance(self, item: Sequence[Any], plain: str, given: Sequence[str]) -> None:
        """By substitution an instance of a claim that this one rests on, and nowhere false."""
        name, using = item[1], item[2] if len(item) > 2 else {}
        if name not in self.entry["rests_on"] or name not in self.entries:
            raise Refused(f"cites {name} without resting on it")
        require_known(self.entry, plain)
        self._require_values([plain], given)
        known = [*self.established, *given]
        instance(self.entries[name], item[0], using, self.entry, known, self.follows)
        for values in points(self.entry, plain):
            try:
                false = evaluate(plain, values) is False
            except (NotDecided, KeyError, TypeError):
                continue
            if false and holds_at(self.hypotheses, values):
                raise Refused(f"the instance {plain} of {name} is false at {_shown(values)}")


def _shown(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} = {value.low}" for name, value in values.items() if isinstance(value, Interval)
    )

"""Is a cited comparison an instance of what another claim states? By substitution, and in full.

The cited claim's parameters are replaced by formulas of the citing claim: those that the citation
names, else those that a match of the two texts gives, else the parameter of the same name. Then the
difference of the sides has to be the same expression (`residues`), the relation no stronger, and
every bound and hypothesis of the cited claim has to follow for the substituted formulas. Engine
and recheck share this module; each brings its own `follows`, which decides real algebra. Claims are
read as the plain data of a certificate.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from proofs_check.language import formula
from proofs_check.prover.residues import Unreadable, order_of, same

Follows = Callable[[Sequence[str], str], bool]
Entry = Mapping[str, Any]
_AT_LEAST = {"<=": {"<=", "<", "=="}, "<": {"<"}, "==": {"=="}, "!=": {"!=", "<"}}
_OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "!=", "!=": "=="}


class NoInstance(ArithmeticError):
    """The text is not what the cited claim states; the message says where they part."""


def instance(
    cited: Entry,
    text: str,
    using: Mapping[str, str],
    citing: Entry,
    known: Sequence[str],
    follows: Follows,
) -> dict[str, str]:
    """The substitution by which `text` is an instance of the cited claim; else `NoInstance`.

    `known` are comparisons that hold in the citing claim: its hypotheses, its domain, earlier
    steps. A text `A if G else B` is an instance if A is one where G holds and B holds elsewhere.
    """
    text = formula.expand(text, _definitions(citing))
    try:
        return _direct(cited, text, using, citing, known, follows)
    except (NoInstance, Unreadable) as failure:
        cases = list(_branches(text))
        if len(cases) < 2:
            raise NoInstance(f"{text}: {failure}") from None
    found: dict[str, str] = {}
    for guards, branch in cases:
        premises = [*known, *guards]
        try:
            found = _direct(cited, branch, using, citing, premises, follows)
        except (NoInstance, Unreadable) as failure:
            if not follows(premises, branch):
                raise NoInstance(f"{branch} where {guards[-1]}: {failure}") from None
    if not found:
        raise NoInstance(f"{text}: no branch is an instance")
    return found


def _direct(
    cited: Entry,
    text: str,
    using: Mapping[str, str],
    citing: Entry,
    known: Sequence[str],
    follows: Follows,
) -> dict[str, str]:
    """The substitution for a text without branches: by matching it, else by equal names."""
    stated = formula.expand(cited["formula"], _definitions(cited))
    try:
        substitution = _substitution(cited, stated, text, using, citing)
        return _checked(cited, stated, text, substitution, citing, known, follows)
    except (NoInstance, Unreadable):
        by_name = {
            p["name"]: using.get(p["name"], p["name"])
            for p in cited["parameters"]
            if p["name"] in {own["name"] for own in citing["parameters"]} | set(using)
        }
        if len(by_name) < len(cited["parameters"]) or by_name == dict(using):
            raise
    substitution = _substitution(cited, stated, text, by_name, citing)
    return _checked(cited, stated, text, substitution, citing, known, follows)


def _checked(
    cited: Entry,
    stated: str,
    text: str,
    substitution: Mapping[str, str],
    citing: Entry,
    known: Sequence[str],
    follows: Follows,
) -> dict[str, str]:
    parameters = list(citing["parameters"])
    said, meant = _oriented(_replaced(stated, substitution)), _oriented(text)
    if said[1] not in _AT_LEAST[meant[1]]:
        raise NoInstance(f"{said[1]} is stated, {meant[1]} is cited")
    if not same(said[0], meant[0], parameters) and not (
        said[1] == "==" and same(f"-({said[0]})", meant[0], parameters)
    ):
        raise NoInstance(f"it states {_replaced(stated, substitution)}")
    check = _Domain(citing, known, follows)
    for parameter in cited["parameters"]:
        check.admits(parameter, substitution)
    for hypothesis in cited["hypotheses"]:
        check.holds(_replaced(formula.expand(hypothesis, _definitions(cited)), substitution))
    return {p["name"]: substitution[p["name"]] for p in cited["parameters"]}


def _definitions(entry: Entry) -> list[tuple[str, str]]:
    return [(name, meaning) for name, meaning in entry["definitions"]]


def _oriented(text: str) -> tuple[str, str]:
    """The difference of the sides and its relation to 0: <=, <, == or !=."""
    sides = formula.relation(text)
    if sides.operator in (">=", ">"):
        return f"({sides.right}) - ({sides.left})", sides.operator.replace(">", "<")
    return f"({sides.left}) - ({sides.right})", sides.operator


def _branches(text: str) -> Iterator[tuple[list[str], str]]:
    """The comparison where the conditions of its sides hold and where they do not."""
    tree = formula.parse(text).body
    assert isinstance(tree, ast.Compare)
    sides = [tree.left, tree.comparators[0]]
    test = next((ast.unparse(side.test) for side in sides if isinstance(side, ast.IfExp)), None)
    if test is None:
        yield [], text
        return
    guard = formula.relation(test)
    for holds in (True, False):
        chosen = [
            (side.body if holds else side.orelse)
            if isinstance(side, ast.IfExp) and ast.unparse(side.test) == test
            else side
            for side in sides
        ]
        operator = guard.operator if holds else _OPPOSITE[guard.operator]
        rest = ast.unparse(ast.Compare(chosen[0], tree.ops, [chosen[1]]))
        for guards, branch in _branches(rest):
            yield [f"{guard.left} {operator} {guard.right}", *guards], branch


def _substitution(
    cited: Entry, stated: str, text: str, using: Mapping[str, str], citing: Entry
) -> dict[str, str]:
    names = {parameter["name"] for parameter in cited["parameters"]}
    if not set(using) <= names:
        raise NoInstance(f"{cited['id']} has no {sorted(set(using) - names)}")
    found = {name: formula.expand(meaning, _definitions(citing)) for name, meaning in using.items()}
    own = {parameter["name"] for parameter in citing["parameters"]}
    matched: dict[str, str] = {}
    _match(formula.parse(stated).body, formula.parse(text).body, names, matched)
    for name in names - set(found):
        if name in matched and formula.names(matched[name]) <= own:
            found[name] = matched[name]
        elif name in own:
            found[name] = name
        else:
            raise NoInstance(f"what stands for {name} of {cited['id']} is not named")
    return found


def _match(pattern: ast.AST, text: ast.AST, names: set[str], found: dict[str, str]) -> None:
    """Guess what stands for each name, where the trees agree so far; wrong guesses are refused."""
    if isinstance(pattern, ast.Name) and pattern.id in names:
        found.setdefault(pattern.id, ast.unparse(text))
        return
    if type(pattern) is not type(text):
        return
    if isinstance(pattern, ast.Call) and ast.unparse(pattern.func) != ast.unparse(text.func):  # type: ignore[attr-defined]
        return
    pairs = zip(ast.iter_child_nodes(pattern), ast.iter_child_nodes(text), strict=False)
    for one, other in pairs:
        _match(one, other, names, found)


def _replaced(text: str, substitution: Mapping[str, str]) -> str:
    """All names replaced at once; indices of sums are renamed first, so that none is captured."""
    tree = formula.parse(text)
    bound = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    fresh = {name: f"bound{place}" for place, name in enumerate(sorted(bound))}

    class Replace(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            if node.id in fresh:
                return ast.Name(fresh[node.id], node.ctx)
            return formula.parse(substitution.get(node.id, node.id)).body

        def visit_Call(self, node: ast.Call) -> ast.AST:
            return ast.Call(node.func, [self.visit(a) for a in node.args], [])

    return ast.unparse(ast.fix_missing_locations(Replace().visit(tree)))


class _Domain:
    """Whether substituted formulas lie in the sets that the cited claim quantifies over."""

    def __init__(self, citing: Entry, known: Sequence[str], follows: Follows) -> None:
        self.parameters = list(citing["parameters"])
        self.by_name = {parameter["name"]: parameter for parameter in self.parameters}
        self.known = known
        self.follows = follows

    def holds(self, condition: str, more: Sequence[str] = ()) -> None:
        """Raise `NoInstance` unless the condition follows from what is known."""
        if not self.follows([*self.known, *more], condition):
            raise NoInstance(f"{condition} is not known to hold")

    def admits(self, parameter: Entry, substitution: Mapping[str, str]) -> None:
        """Raise `NoInstance` unless the parameter's substitute is in its set."""
        text, kind = substitution[parameter["name"]], parameter["type"]
        if kind == "Integer" and not self._whole(formula.parse(text).body):
            raise NoInstance(f"{text} is not known to be an integer")
        if kind in ("Real", "Integer"):
            self._between(text, parameter, substitution, ())
        elif kind in ("Vector", "Times"):
            self._entries(text, parameter, substitution)
        else:
            self._matrix(text, parameter, substitution)

    def _between(
        self, text: str, parameter: Entry, substitution: Mapping[str, str], more: Sequence[str]
    ) -> None:
        for end, sign in (("low", ">"), ("high", "<")):
            if parameter[end] is not None:
                bound = _replaced(str(parameter[end]), substitution)
                strict = "" if parameter.get(f"{end}_open") else "="
                self.holds(f"({text}) {sign}{strict} ({bound})", more)

    def _whole(self, node: ast.expr) -> bool:
        """A polynomial with integer coefficients in integers."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int)
        if isinstance(node, ast.Name):
            return bool(self.by_name.get(node.id, {}).get("type") == "Integer")
        if isinstance(node, ast.UnaryOp):
            return self._whole(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            return self._whole(node.left) and self._whole(node.right)
        return False

    def _entries(self, text: str, parameter: Entry, substitution: Mapping[str, str]) -> None:
        """A vector of the citing claim, or a list with one formula for all entries."""
        tree = formula.parse(text).body
        length = _replaced(str(parameter["length"]), substitution)
        own = self.by_name.get(text, {})
        if {"place", f"entry_of_{text}"} & set(self.by_name):
            raise NoInstance("place and entry_of_… are names of this check")
        if parameter.get("increasing") and not own.get("increasing"):
            raise NoInstance(f"{text} is not known to increase")
        if own.get("type") in ("Vector", "Times"):
            size, entry = str(own["length"]), f"entry_of_{text}"
            more = _bounds_of_entry(own, entry)
        elif isinstance(tree, ast.ListComp) and len(tree.generators) == 1:
            ends = [ast.unparse(argument) for argument in tree.generators[0].iter.args]  # type: ignore[attr-defined]
            if len(ends) != 1:
                raise NoInstance(f"write {text} over a range that begins with 0")
            index = ast.unparse(tree.generators[0].target)
            size, more = ends[0], ["place >= 0", f"place <= {ends[0]} - 1"]
            # Parameters may have the index's name: it gets one of its own.
            entry = formula.expand(ast.unparse(tree.elt), [(index, "place")])
            for name, vector in self.by_name.items():
                if vector["type"] in ("Vector", "Times"):
                    more += _bounds_of_entry(vector, f"{name}[place]")
        else:
            raise NoInstance(f"{text} is no vector that is understood")
        if not same(size, length, self.parameters):
            raise NoInstance(f"{text} has the length {size}, not {length}")
        self._between(entry, parameter, substitution, more)

    def _matrix(self, text: str, parameter: Entry, substitution: Mapping[str, str]) -> None:
        own = self.by_name.get(text, {})
        for trait in ("unit", "bound"):
            if parameter.get(trait) and not own.get(trait):
                raise NoInstance(f"the diagonal of {text} is not known to be {trait}")
        semidefinite = self._semidefinite(formula.parse(text).body)
        if parameter["type"] == "PositiveSemidefinite" and not semidefinite:
            raise NoInstance(f"{text} is not known to be positive semidefinite")
        wanted = _replaced(str(parameter["size"]), substitution)
        for chosen, size in order_of(text, self.parameters):
            if size != formula.evaluate(wanted, formula.fractions(), chosen):
                raise NoInstance(f"{text} has not the size {wanted}")

    def _semidefinite(self, node: ast.expr) -> bool:
        """True by the closure of semidefinite matrices, False for other symmetric ones."""
        if isinstance(node, ast.Name):
            kind = self.by_name.get(node.id, {}).get("type")
            if kind in ("Symmetric", "PositiveSemidefinite"):
                return bool(kind == "PositiveSemidefinite")
        elif isinstance(node, ast.Call):
            word, parts = ast.unparse(node.func), node.args
            if word in ("add", "hadamard"):
                kinds = [self._semidefinite(part) for part in parts]  # each is at least symmetric
                return all(kinds)
            if word in ("identity", "ones"):
                return True
            if word == "scale":
                inner = self._semidefinite(parts[1])
                return inner and self.follows(self.known, f"({ast.unparse(parts[0])}) >= 0")
            if word == "outer" and ast.dump(parts[0]) == ast.dump(parts[1]):
                return True
            if word == "block":
                return self._semidefinite(parts[0])
        raise NoInstance(f"{ast.unparse(node)} is not known to be symmetric")


def _bounds_of_entry(vector: Entry, entry: str) -> list[str]:
    found = []
    for end, sign in (("low", ">="), ("high", "<=")):
        if vector[end] is not None:
            found.append(f"{entry} {sign} {vector[end]}")
    return found

"""Formulas of claims typeset: LaTeX for pages, letters of Unicode for a terminal.

Both are read off the tree of the formula, so that what is shown is what is checked.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence

_GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "eps": "ε",
    "eta": "η",
    "theta": "θ",
    "kappa": "κ",
    "lam": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "psi": "ψ",
    "omega": "ω",
}
_LATEX = {"eps": r"\varepsilon", "lam": r"\lambda", "phi": r"\varphi"}
_RAISED = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.LtE: ("≤", r"\le"),
    ast.Lt: ("<", "<"),
    ast.GtE: ("≥", r"\ge"),
    ast.Gt: (">", ">"),
    ast.Eq: ("=", "="),
    ast.NotEq: ("≠", r"\ne"),
}
_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4
_NAMED = ("log", "exp", "sin", "min", "max", "det")


def latex(formula: str) -> str:
    r"""A formula of a claim as LaTeX.

    >>> latex("sum(1/k**2 for k in range(1, n+1)) <= pi**2/6")
    '\\sum_{k=1}^{n}{\\frac{1}{{k}^{2}}} \\le \\frac{{\\pi}^{2}}{6}'
    """
    return _Latex().write(ast.parse(_joined(formula), mode="eval").body)


def text(formula: str) -> str:
    """A formula of a claim in letters that a terminal has.

    >>> text("sum(1/k**2 for k in range(1, n+1)) <= pi**2/6")
    'Σ[k=1…n] 1/k² ≤ π²/6'
    >>> text("det(add(identity(n), scale(s, K))) >= 1 + s*K[0][0]")
    'det(I + s·K) ≥ 1 + s·K₀₀'
    """
    return _Text().write(ast.parse(_joined(formula), mode="eval").body)


def _joined(formula: str) -> str:
    return " ".join(formula.split())


class _Writer(ABC):
    """Walks the tree; what differs between the two ways of writing is left to them."""

    latex = False

    def write(self, node: ast.expr, least: int = 0) -> str:
        """`node`, in parentheses where it binds less tightly than `least`."""
        written, level = self._of(node)
        return self.group(written) if level < least else written

    def _of(self, node: ast.expr) -> tuple[str, int]:
        match node:
            case ast.Constant(value=value):
                return self.number(str(value)), _ATOM
            case ast.Name(id=name):
                return self.name(name), _ATOM
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return f"−{self.write(inner, _PRODUCT)}", _SUM
            case ast.UnaryOp(operand=inner):
                return self._of(inner)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.write(left, _ATOM), right), _POWER
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self.fraction(left, right), _POWER if self.latex else _PRODUCT
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                between = r" \, " if self.latex else "·"
                return f"{self.write(left, _PRODUCT)}{between}{self.write(right, _POWER)}", _PRODUCT
            case ast.BinOp(left=left, op=op, right=right):
                sign, least = ("+", _SUM) if isinstance(op, ast.Add) else ("−", _PRODUCT)
                return f"{self.write(left, _SUM)} {sign} {self.write(right, least)}", _SUM
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                sign = _COMPARED[type(op)][self.latex]
                return f"{self.write(left)} {sign} {self.write(right)}", 0
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.branches(body, test, other), 0
            case ast.Subscript():
                return self._entry(node)
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._call(name, args)
            case ast.List(elts=entries) | ast.Tuple(elts=entries):
                return f"[{', '.join(map(self.write, entries))}]", _ATOM
            case ast.ListComp(elt=inner, generators=[one]):
                return self.family(inner, one), _ATOM
        raise ValueError(f"{type(node).__name__} has no place in a formula")

    def _entry(self, node: ast.Subscript) -> tuple[str, int]:
        indices: list[ast.expr] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Subscript):
            indices.insert(0, inner.slice)
            inner = inner.value
        match inner:
            case ast.Call(func=ast.Name(id="eigenvalues"), args=[matrix]):
                base = self.lowered("λ" if not self.latex else r"\lambda", indices)
                return f"{base}({self.write(matrix)})", _ATOM
        return self.lowered(self.write(inner, _ATOM), indices), _ATOM

    def _call(self, name: str, args: Sequence[ast.expr]) -> tuple[str, int]:
        match name, args:
            case "sum" | "prod", [ast.GeneratorExp(elt=inner, generators=loops)]:
                signs = ("Σ", r"\sum") if name == "sum" else ("Π", r"\prod")
                head = "".join(self.loop(signs[self.latex], one) for one in loops)
                return self.summed(head, self.write(inner, _PRODUCT)), _PRODUCT
            case "sqrt", [inner]:
                return self.root(inner), _ATOM
            case "abs", [inner]:
                return f"|{self.write(inner)}|", _ATOM
            case "floor" | "ceil", [inner]:
                low, high = ("⌊", "⌋") if name == "floor" else ("⌈", "⌉")
                return f"{low}{self.write(inner)}{high}", _ATOM
            case "identity", [_]:
                return "I", _ATOM
            case "add", [left, right]:
                return f"{self.write(left, _SUM)} + {self.write(right, _SUM)}", _SUM
            case "scale", [factor, matrix]:
                between = r" \, " if self.latex else "·"
                scaled = f"{self.write(factor, _PRODUCT)}{between}{self.write(matrix, _PRODUCT)}"
                return scaled, _PRODUCT
            case "hadamard" | "matmul", [left, right]:
                sign = {"hadamard": ("∘", r"\circ"), "matmul": ("·", r"\,")}[name][self.latex]
                return (
                    f"{self.write(left, _PRODUCT)} {sign} {self.write(right, _PRODUCT)}",
                    _PRODUCT,
                )
            case "outer", [left, right]:
                turned = self.power(self.write(right, _ATOM), ast.Name(id="T"))
                return f"{self.write(left, _ATOM)} {turned}", _PRODUCT
            case "transpose", [inner]:
                return self.power(self.write(inner, _ATOM), ast.Name(id="T")), _POWER
            case "block", [matrix, start, end]:
                part = f"{self.write(start)}:{self.write(end)}"
                base = self.write(matrix, _ATOM)
                return (f"{base}_{{{part}}}" if self.latex else f"{base}[{part}]"), _ATOM
            case "normal_cdf", [inner]:
                return f"{self.name_of('Φ')}({self.write(inner)})", _ATOM
            case "gamma", [inner]:
                return f"{self.name_of('Γ')}({self.write(inner)})", _ATOM
            case "bessel_k", [order, inner]:
                return f"{self.lowered('K', [order])}({self.write(inner)})", _ATOM
            case "information_gain", [matrix, noise]:
                return f"I({self.write(matrix)}; {self.write(noise)})", _ATOM
            case "posterior_variance", [*given, place]:
                base = r"\sigma^2" if self.latex else "σ²"
                return f"{self.lowered(base, [place])}({', '.join(map(self.write, given))})", _ATOM
            case "posterior_mean", [*given, place]:
                base = r"\mu" if self.latex else "μ"
                return f"{self.lowered(base, [place])}({', '.join(map(self.write, given))})", _ATOM
            case "rkhs_norm", [matrix, weights]:
                base = r"\Vert f\Vert" if self.latex else "‖f‖"
                return f"{base}({self.write(matrix)}, {self.write(weights)})", _ATOM
        head = self.name_of("tr" if name == "trace" else name.replace("_", " "))
        generated = [self._generated(one) for one in args]
        return f"{head}({', '.join(generated)})", _ATOM

    def _generated(self, node: ast.expr) -> str:
        """An argument; of max(… for k in …) what is run over."""
        if isinstance(node, ast.GeneratorExp):
            loops = " ".join(self.over(one) for one in node.generators)
            return f"{self.write(node.elt)} : {loops}"
        return self.write(node)

    def ends(self, loop: ast.comprehension) -> tuple[str, str, str]:
        """Index, first and last value of a loop over a range, whose end is not in it."""
        assert isinstance(loop.iter, ast.Call)
        *first, end = loop.iter.args
        match end:
            case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
                last = self.write(left)
            case ast.Constant(value=int() as value):
                last = str(value - 1)
            case _:
                last = f"{self.write(end, _SUM)}−1"
        return self.write(loop.target), self.write(first[0]) if first else "0", last

    def over(self, loop: ast.comprehension) -> str:
        index, first, last = self.ends(loop)
        return f"{index} = {first}…{last}"

    # What the two ways of writing differ in.

    def group(self, written: str) -> str:
        return f"({written})"

    def number(self, digits: str) -> str:
        return digits

    @abstractmethod
    def name(self, name: str) -> str: ...

    @abstractmethod
    def name_of(self, function: str) -> str: ...

    @abstractmethod
    def power(self, base: str, exponent: ast.expr) -> str: ...

    @abstractmethod
    def fraction(self, above: ast.expr, below: ast.expr) -> str: ...

    @abstractmethod
    def root(self, inner: ast.expr) -> str: ...

    @abstractmethod
    def lowered(self, base: str, indices: Sequence[ast.expr]) -> str: ...

    @abstractmethod
    def loop(self, sign: str, one: ast.comprehension) -> str: ...

    @abstractmethod
    def summed(self, head: str, inner: str) -> str: ...

    @abstractmethod
    def branches(self, body: ast.expr, test: ast.expr, other: ast.expr) -> str: ...

    @abstractmethod
    def family(self, inner: ast.expr, one: ast.comprehension) -> str: ...


def _parts(name: str) -> tuple[str, str]:
    """A name and its index: digits at its end, or what follows an underscore."""
    stem, _, index = name.partition("_")
    if not index:
        stem = name.rstrip("0123456789")
        index = name[len(stem) :]
    return stem, index


class _Text(_Writer):
    def name(self, name: str) -> str:
        stem, index = _parts(name)
        lowered = index.translate(_LOWERED)
        return _GREEK.get(stem, stem) + (lowered if lowered != index or not index else f"_{index}")

    def name_of(self, function: str) -> str:
        return function

    def power(self, base: str, exponent: ast.expr) -> str:
        written = self.write(exponent)
        raised = written.replace("−", "-").translate(_RAISED)
        if all(letter in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ" for letter in raised):
            return base + raised
        return f"{base}^{written}" if written.isalnum() else f"{base}^({written})"

    def fraction(self, above: ast.expr, below: ast.expr) -> str:
        return f"{self.write(above, _PRODUCT)}/{self.write(below, _POWER)}"

    def root(self, inner: ast.expr) -> str:
        written = self.write(inner)
        return f"√{written}" if written.isalnum() else f"√({written})"

    def lowered(self, base: str, indices: Sequence[ast.expr]) -> str:
        written = [self.write(one) for one in indices]
        joined = "".join(written).replace("−", "-").replace(" ", "")
        lowered = joined.translate(_LOWERED)
        if not set(lowered) & set(joined) and all(len(one) == 1 for one in written):
            return base + lowered
        return f"{base}[{','.join(written)}]"

    def loop(self, sign: str, one: ast.comprehension) -> str:
        index, first, last = self.ends(one)
        return f"{sign}[{index}={first}…{last}] "

    def summed(self, head: str, inner: str) -> str:
        return f"{head}{inner}"

    def branches(self, body: ast.expr, test: ast.expr, other: ast.expr) -> str:
        return f"({self.write(body)} if {self.write(test)} else {self.write(other)})"

    def family(self, inner: ast.expr, one: ast.comprehension) -> str:
        return f"[{self.write(inner)} : {self.over(one)}]"


class _Latex(_Writer):
    latex = True

    def write(self, node: ast.expr, least: int = 0) -> str:
        return super().write(node, least).replace("−", "-").replace("…", r"\dots ")

    def group(self, written: str) -> str:
        return rf"\left({written}\right)"

    def name(self, name: str) -> str:
        stem, index = _parts(name)
        greek = _LATEX.get(stem) or (f"\\{stem}" if stem in _GREEK else None)
        shown = greek or (stem if len(stem) == 1 else rf"\mathrm{{{stem}}}")
        return f"{shown}_{{{index}}}" if index else shown

    def name_of(self, function: str) -> str:
        if function in _NAMED:
            return f"\\{function}"
        plain = rf"\mathrm{{{function.replace(' ', '~')}}}"
        return {"Φ": r"\Phi", "Γ": r"\Gamma"}.get(function, plain)

    def power(self, base: str, exponent: ast.expr) -> str:
        return f"{{{base}}}^{{{self.write(exponent)}}}"

    def fraction(self, above: ast.expr, below: ast.expr) -> str:
        return rf"\frac{{{self.write(above)}}}{{{self.write(below)}}}"

    def root(self, inner: ast.expr) -> str:
        return rf"\sqrt{{{self.write(inner)}}}"

    def lowered(self, base: str, indices: Sequence[ast.expr]) -> str:
        return f"{base}_{{{', '.join(self.write(one) for one in indices)}}}"

    def loop(self, sign: str, one: ast.comprehension) -> str:
        index, first, last = self.ends(one)
        return f"{sign}_{{{index}={first}}}^{{{last}}}"

    def summed(self, head: str, inner: str) -> str:
        return f"{head}{{{inner}}}"

    def branches(self, body: ast.expr, test: ast.expr, other: ast.expr) -> str:
        chosen = rf"{self.write(body)} & \text{{if }} {self.write(test)}"
        return rf"\begin{{cases}} {chosen} \\ {self.write(other)} & \text{{else}} \end{{cases}}"

    def family(self, inner: ast.expr, one: ast.comprehension) -> str:
        index, first, last = self.ends(one)
        return rf"\left({self.write(inner)}\right)_{{{index}={first}, \dots, {last}}}"

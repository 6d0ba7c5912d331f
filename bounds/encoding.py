"""Plain data on one line: `Type(name=value, …)` for `{"type": "Type", "name": value, …}`.

What a study is, is said in such lines: `Matern(nu=2.5, lengthscale=0.2)`.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from bounds.errors import InvalidInput


def spelled(data: Mapping[str, Any]) -> str:
    """The line of a mapping with a `type`.

    >>> spelled({"type": "Matern", "nu": 2.5, "lengthscale": 0.2})
    'Matern(nu=2.5, lengthscale=0.2)'
    """
    given = [f"{name}={value!r}" for name, value in data.items() if name != "type"]
    return f"{data['type']}({', '.join(given)})"


def read_spelling(text: str) -> dict[str, Any]:
    """The mapping that `spelled` wrote; numbers, texts and lists, nothing that is evaluated.

    Raises InvalidInput for any other text.

    >>> read_spelling("Grid(dimension=2, side=1.0, points_per_axis=[5, 6])")
    {'type': 'Grid', 'dimension': 2, 'side': 1.0, 'points_per_axis': [5, 6]}
    """
    try:
        call = ast.parse(text, mode="eval").body
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and not call.args:
            return {"type": call.func.id, **{str(k.arg): _value(k.value) for k in call.keywords}}
    except (SyntaxError, ValueError, TypeError, IndexError, RecursionError, MemoryError):
        raise _unreadable(text) from None
    raise _unreadable(text)


def _value(node: ast.expr) -> Any:
    # Earlier versions wrote numbers of numpy as such.
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "np.float64":
        return float(ast.literal_eval(node.args[0]))
    return ast.literal_eval(node)


def _unreadable(text: str) -> InvalidInput:
    return InvalidInput("text", text, "give a line such as Matern(nu=2.5, lengthscale=0.2)")

"""Rigorous arithmetic, the only package that touches python-flint: balls, and doubles.

What `numbers`, `sides` and `spectrum` define is here by its name, and loaded when such a name is
first used: what is not certified needs no python-flint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bounds.enclosure.numbers import *  # noqa: F403
    from bounds.enclosure.sides import *  # noqa: F403
    from bounds.enclosure.spectrum import *  # noqa: F403
else:  # a type checker is to know the names one by one
    _HOMES = ("numbers", "sides", "spectrum")

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if not name.startswith("_") and name not in _HOMES:
            for home in _HOMES:
                module = import_module(f"bounds.enclosure.{home}")
                if hasattr(module, name):
                    globals()[name] = getattr(module, name)
                    return globals()[name]
        raise AttributeError(f"module 'bounds.enclosure' has no attribute {name!r}")

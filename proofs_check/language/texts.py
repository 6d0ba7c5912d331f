"""The claims of the shipped ledgers as they are written: texts alone, in a tenth of the time.

`proofs_check.ledgers` reads every formula and checks every claim. Who only cites what claims say
needs neither.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

SHIPPED = ("textbook", "imamura2020", "theory", "rivals")
"""The folders of the shipped ledgers."""


@cache
def texts_of_claims() -> Mapping[str, Mapping[str, Any]]:
    """The table of each claim by its id, in the order of the ledgers.

    >>> texts_of_claims()["lemma-1-capped"]["label"]
    'Lemma 1, second case'
    """
    tables: dict[str, Mapping[str, Any]] = {}
    for name in SHIPPED:
        folder = files("proofs_check") / "ledgers" / name
        paper = tomllib.loads((folder / "paper.toml").read_text(encoding="utf-8"))
        for section in paper["sections"]:
            body = tomllib.loads((folder / f"{section}.toml").read_text(encoding="utf-8"))
            tables.update((id, table) for id, table in body.items() if isinstance(table, dict))
    return tables

"""A page that was written: the report, and what the explorer builds on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctv.show.shown import Screen, Shown

FILE_NAME = "report.html"
"""The page, in the folder `--out`."""

LONGEST_CERTIFIED = 2_000
"""Rounds up to which the bounds of a page are certified: beyond it would take minutes."""


@dataclass(frozen=True, eq=False, repr=False)
class Page(Shown):
    """A page and the file that it was written to.

    Attributes
    ----------
    path : of the file
    origin : what it was made from, for the JSON
    """

    format = "ctv-bounds page 1"

    path: Path
    origin: Mapping[str, Any]

    def headline(self) -> str:
        return str(self.path)

    def parts(self) -> dict[str, Any]:
        return {"path": self.path, **self.origin}

    def screen(self) -> Screen:
        return Screen((f"Wrote {self.path}",), verbatim=True)

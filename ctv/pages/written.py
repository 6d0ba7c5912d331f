"""What commands know of the page before anything that it needs is loaded."""

from __future__ import annotations

FILE_NAME = "report.html"
"""The page, in the folder `--out`."""

LONGEST_CERTIFIED = 2_000
"""Rounds up to which the bounds of a page are certified: beyond it would take minutes."""

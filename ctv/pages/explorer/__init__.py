"""The explorer of partitions: one problem as a page to play with, by a module of its own.

The page, a report and a notebook embed the same fragment; `EXPLORER_STYLE` and `EXPLORER_SCRIPT`
belong once into the page around it.
"""

from ctv.pages.explorer.data import ExplorerData, explorer_data
from ctv.pages.explorer.page import (
    EXPLORER_SCRIPT,
    EXPLORER_STYLE,
    explorer_fragment,
    explorer_page,
    framed,
)

__all__ = [
    "EXPLORER_SCRIPT",
    "EXPLORER_STYLE",
    "ExplorerData",
    "explorer_data",
    "explorer_fragment",
    "explorer_page",
    "framed",
]

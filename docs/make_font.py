"""Write ctv/pages/formulas/formulas.woff2: the part of a font that formulas on pages need.

`python docs/make_font.py STIXMath-Regular.otf`, of Debian's package fonts-stix 1.1.1. It needs
brotli beside fontTools. The licence of the font wants a changed one to have another name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

NAME = "CTV Formulas"
RANGES = (
    (0x20, 0x7E),
    (0xA0, 0xA0),
    (0xAC, 0xB7),
    (0xD7, 0xD7),
    (0xF7, 0xF7),
    (0x131, 0x131),
    (0x237, 0x237),
    (0x302, 0x307),
    (0x391, 0x3A9),
    (0x3B1, 0x3D6),
    (0x3F1, 0x3F5),
    (0x2010, 0x2016),
    (0x2018, 0x201D),
    (0x2026, 0x2026),
    (0x2032, 0x2034),
    (0x2061, 0x2064),
    (0x20D7, 0x20D7),
    (0x2102, 0x2135),
    (0x2190, 0x2195),
    (0x21A6, 0x21A6),
    (0x21D0, 0x21D4),
    (0x2200, 0x22F1),
    (0x2308, 0x230B),
    (0x23DE, 0x23DF),
    (0x25A1, 0x25A1),
    (0x27E8, 0x27EB),
    (0x27F5, 0x27FA),
    (0x29F5, 0x29F5),
    (0x2A00, 0x2A02),
    (0x2A7D, 0x2A7E),
    (0x2AAF, 0x2AB0),
    (0x1D400, 0x1D467),
    (0x1D49C, 0x1D4CF),
    (0x1D538, 0x1D56B),
    (0x1D6A4, 0x1D71B),
)
"""Letters upright, italic, bold, script and with double strokes, Greek, operators, delimiters."""


def wanted() -> Iterator[int]:
    """The characters that are kept."""
    for first, last in RANGES:
        yield from range(first, last + 1)


def made(source: Path) -> TTFont:
    """The part of the font, under its own name, with who made it and the licence."""
    options = subset.Options(layout_features=[], notdef_outline=True, name_IDs=[0, 13, 14])
    font = TTFont(source)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=list(wanted()))
    chosen.subset(font)
    names = {1: NAME, 2: "Regular", 4: NAME, 6: NAME.replace(" ", "")}
    for number, text in names.items():
        font["name"].setName(text, number, 3, 1, 0x409)
    if "CFF " in font:
        table = font["CFF "].cff
        table.fontNames = [names[6]]
        table.topDictIndex[0].FullName = table.topDictIndex[0].FamilyName = NAME
    font.flavor = "woff2"
    return font


if __name__ == "__main__":
    folder = Path(__file__).resolve().parent.parent / "ctv/pages/formulas"
    made(Path(sys.argv[1])).save(folder / "formulas.woff2")

"""Write docs/glossary.md: every symbol and word, from the glossary that the pages use.

`python docs/make_glossary.py [FILE]`; a test keeps the page current.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ctv.show.glossary import SYMBOLS, WORDS

HEAD = """# Glossary

Every symbol and word of screens, figures and pages; the same sentences stand where the report's
words are hovered over. Written by `python docs/make_glossary.py`."""


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## Symbols"]
    parts += [f"**{symbol}**: {meaning}" for symbol, meaning in SYMBOLS.items()]
    parts.append("## Words")
    parts += [f"**{word}**: {WORDS[word]}" for word in sorted(WORDS)]
    return "\n\n".join(parts).replace("m*", r"m\*") + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("glossary.md")
    target.write_text(page(), encoding="utf-8")

"""Write the tables of docs/logs.md from the bundled studies: `python docs/make_logs.py`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ctv import extensions

PAGE = Path(__file__).parent / "logs.md"


def page() -> str:
    """The page with its tables as the stored studies have them."""
    sys.path.insert(0, str(PAGE.parents[1]))
    from benchmarks import worlds

    text = PAGE.read_text(encoding="utf-8")
    tables = {"worlds": worlds.table()}
    for name, study in extensions.loaded("studies").items():
        blocks = study().screen().first
        tables[name] = "\n\n".join(
            one if isinstance(one, str) else one.markdown() for one in blocks
        )
    for name, table in tables.items():
        marked = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.S)
        text = marked.sub(lambda found, table=table: f"{found[1]}\n{table}\n\n{found[2]}", text)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""What rests on what, as a drawing: claims in layers, each above those that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from proofs_check.records.ledger import Row

_WIDTH, _HEIGHT, _ACROSS, _DOWN, _MOST_ACROSS = 190, 26, 204, 62, 6
_STATEMENT = {"PROVED": "#1a7f37", "REFUTED": "#cf222e", "ERROR": "#cf222e"}
_PROOF = {"sound": "#dafbe1", "gap": "#fff8c5", "false": "#ffebe9", "absent": "none"}
_LETTERS = 28


def drawn(rows: Sequence[Row]) -> Markup:
    """The graph as SVG: the border is the verdict of the statement, the filling the printed proof.

    A line is dashed where a person, not the assistant, made the link. Claims without links are
    left out; nothing is drawn where there is no link.
    """
    known = {row.claim.id: row for row in rows}
    links = [
        (row.claim.id, name, row.by != "prover")
        for row in rows
        for name in row.rests_on
        if name in known
    ]
    if not links:
        return Markup("")
    linked = {name for one, other, _ in links for name in (one, other)}
    places, height, width = _placed([name for name in known if name in linked], known)
    lines = [
        f'<path d="M{places[a][0] + _WIDTH // 2} {places[a][1] + _HEIGHT}'
        f'L{places[b][0] + _WIDTH // 2} {places[b][1]}" data-from="{escape(a)}" '
        f'data-to="{escape(b)}"{dashes}/>'
        for a, b, person in links
        for dashes in (' stroke-dasharray="4 3"' if person else "",)
    ]
    boxes = [_box(known[name], *places[name]) for name in places]
    return Markup(
        f'<svg class="graph" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="What rests on what"><g class="links">{"".join(lines)}</g>'
        f"{''.join(boxes)}</svg>"
    )


def _placed(
    names: Sequence[str], known: Mapping[str, Row]
) -> tuple[dict[str, tuple[int, int]], int, int]:
    depth: dict[str, int] = {}

    def deep(name: str, above: frozenset[str]) -> int:
        if name not in depth:
            under = [n for n in known[name].rests_on if n in known and n not in above]
            depth[name] = 1 + max((deep(n, above | {name}) for n in under), default=-1)
        return depth[name]

    top = max(deep(name, frozenset({name})) for name in names)
    places, line = {}, 0
    for layer in range(top, -1, -1):
        inside = [name for name in names if depth[name] == layer]
        for start in range(0, len(inside), _MOST_ACROSS):
            for column, name in enumerate(inside[start : start + _MOST_ACROSS]):
                places[name] = (7 + column * _ACROSS, 7 + line * _DOWN)
            line += 1
    return places, 14 + line * _DOWN, _MOST_ACROSS * _ACROSS


def _box(row: Row, x: int, y: int) -> str:
    claim = row.claim
    short = claim.id if len(claim.id) <= _LETTERS else claim.id[: _LETTERS - 1] + "…"
    border = _STATEMENT.get(str(row.verdict), "#9a6700")
    return (
        f'<a href="#{escape(claim.id)}" data-id="{escape(claim.id)}"><title>'
        f"{escape(claim.label)}: {row.verdict}; printed proof: {claim.printed_proof}</title>"
        f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="4" stroke="{border}" '
        f'fill="{_PROOF[claim.printed_proof]}"/><text x="{x + 8}" y="{y + 17}">{escape(short)}'
        "</text></a>"
    )

"""Files of every format: samples that the commands themselves write, and how they are damaged."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import json
import os
import signal
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ctv.cli import main
from proofs_check.recheck.reading import digest

CLAIMS = ["lemma-1-exact", "lemma-1-capped", "basel", "sum-by-lags"]
COLUMNS = [
    "duration",
    "duration_seconds",
    "t",
    "tau",
    "x",
    "x1",
    "x2",
    "y",
    "start",
    "end",
    "value",
]
_KNOWN = [
    *COLUMNS,
    "number",
    "state",
    "params_C",
    "datetime_start",
    "datetime_complete",
    "status",
    "run_id",
    "start_time",
    "end_time",
    "metrics.loss",
    "params.lr",
    "_runtime",
    "Runtime",
    "",
]
_CELLS = [
    "1",
    "2",
    "0.5",
    "3e1",
    "0",
    "-1",
    "nan",
    "inf",
    "",
    "1e400",
    "1e300",
    "1e-300",
    "5e-324",
    "x",
    "1,5",
    "0:01:30",
    "0 days 00:00:02.96",
    "1 day",
    "2024-01-01",
    "2024-01-01T10:00:00Z",
    "2024-02-30",
    "9999-12-31T23:59:59",
    "1700000000",
    "COMPLETE",
    "FAIL",
    "RUNNING",
    "True",
    "٣",
    "1_0",
    "=1+1",
    "\x1b[31m",
    '"',
    "1e17",
    "99999999999999999999",
    "-0.0",
    " 7 ",
    "0x10",
    "1e12",
]
_LEAVES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    0.5,
    1e308,
    -1e308,
    1e-320,
    10**30,
    2**63,
    "",
    "x",
    "1/0",
    "nan",
    "1/3",
    [],
    {},
    [0],
    [[]],
    [1, 2, 3],
    {"a": 1},
    "9" * 400,
    [None],
    "1e999999999",
    "-",
    "Grid(2)",
]
_LOG = "x1,x2,y,duration\n" + "".join(
    f"{0.1 * (i % 7):g},{0.3 + 0.05 * i:g},{(i * 37 % 11) / 11:g},{1 + i % 3}\n" for i in range(9)
)

_MADE = {
    "prior.json": "fit log.csv --maximize --draws 20 --out prior.json",
    "bound.json": "bound --n 6 --grid 3 --certificate bound.json",
    "claims.json": f"verify {' '.join(CLAIMS)} --workers 1 --certificate claims.json",
    "log.json": "certify log.csv --grid 3 --dimension 2 --draws 19 --certificate log.json",
    "study": "simulate --grid 3 --dimension 1 --runs 2 --initial 2 --rounds 3 --out study",
    "coverage.json": "coverage --runs 2 --rounds 2 --policy random --setting uniform "
    "--prior true --bound rank --delta 0.5 --out coverage.json",
}


@cache
def samples() -> dict[str, bytes]:
    """Path ↦ content: one sound file of each format, those of a study below `study`."""
    written = {
        "times.csv": b"duration\n1\n2\n3\n0\n5\n",
        "tau.csv": b"tau,y\n1,0\n2.5,1\n2.5,2\n9,0\n",
        "log.csv": _LOG.encode(),
        "semicolon.csv": b"start;end;y\n2024-01-01T10:00:00;2024-01-01T10:05:00;1,5\n",
        "log.csv.gz": gzip.compress(_LOG.encode(), mtime=0),
        "utf16.csv": "duration\n1\n2\n".encode("utf-16"),
        "gamma.json": json.dumps([0.0, *np.log1p(np.arange(1, 12)).tolist()]).encode(),
        "points.csv": b"0,0\n0.5,0.5\n1,0\n0.25,0.75\n",
        "hyperprior.json": json.dumps(
            {
                "unit": "s",
                "mean_and_scale": {"center": 0.0, "spread": 1.0, "shape": 3.0, "scale": 1.0},
                "members": [
                    {
                        "kernel": "se",
                        "epsilon": 0.01,
                        "lengthscale": 0.3,
                        "noise_variance": 0.01,
                        "level": 1.0,
                        "weight": 1.0,
                    }
                ],
            }
        ).encode(),
        "ranges.json": json.dumps(
            {"ranges": {"lengthscale": {"median": 0.3, "factor": 2.0}}, "kernels": ["se"]}
        ).encode(),
    }
    here, handler = Path.cwd(), signal.getsignal(signal.SIGINT)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in written.items():
            (folder / path).write_bytes(content)
        try:
            os.chdir(folder)
            for path, words in _MADE.items():
                said = io.StringIO()
                with (
                    contextlib.redirect_stdout(said),
                    contextlib.redirect_stderr(said),
                    contextlib.suppress(SystemExit),
                ):
                    main(words.split())
                assert Path(path).exists(), f"ctv {words}: {said.getvalue()}"
        finally:
            os.chdir(here)
            signal.signal(signal.SIGINT, handler)
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


_OF = {
    "times": ["times.csv", "tau.csv", "log.csv", "semicolon.csv", "log.csv.gz", "utf16.csv"],
    "data": ["log.csv", "log.csv.gz", "semicolon.csv"],
    "gamma": ["gamma.json"],
    "domain": ["points.csv"],
    "prior": ["prior.json", "hyperprior.json", "ranges.json"],
    "recheck": ["bound.json", "claims.json", "log.json"],
    "study": ["study", "coverage.json"],
    "run": ["study", "study/ctv-fixed-0.npz"],
    "certificate": ["new.json", "deep/new.json"],
    "markdown": ["new.md"],
    "out": ["new.png", "new.json", "new", "new.pdf", "study", "deep/er/new.svg"],
}
"""The files that an option is meant for; of any other name it is given all of them."""


@st.composite
def paths(draw: st.DrawFn, option: str, folder: dict[str, bytes | None]) -> str:
    """A path, mostly of a file of the right format, put into the folder with its damage."""
    everything = [*_OF["times"], "gamma.json", "bound.json", "prior.json", "study", "new.json"]
    odd = [
        ".",
        "missing",
        "pipe",
        "x" * 300,
        "study",
        "a\0b",
        "",
        "/dev/full",
        "times.csv/below",
        "/dev/null",
        "/dev/null/new",
        "-",
        "/proc/self/mem",
        "é\n.csv",
    ]
    right = _OF.get(option, everything)
    place = draw(
        st.one_of(*[st.sampled_from(right)] * 4, st.sampled_from(everything), st.sampled_from(odd))
    )
    if place == "pipe":
        folder["pipe"] = None
    if place == "times.csv/below":
        folder["times.csv"] = samples()["times.csv"]
    if place == "-":
        folder["stdin"] = draw(
            _content(draw(st.sampled_from([p for p in right if p in samples()] or ["times.csv"])))
        )
    if place in samples():
        folder[place] = draw(_content(place))
    below = [path for path in samples() if path.startswith(f"{place.split('/')[0]}/")]
    if below:
        whole = draw(st.booleans())
        for path in below:
            if whole or draw(st.integers(0, 9)) > 0:
                content = samples()[path]
                if not whole and draw(st.integers(0, 2)) == 0:
                    content = draw(_content(path))
                folder[path] = content
    return place.replace("\0", "")


@st.composite
def _content(draw: st.DrawFn, path: str) -> bytes:
    """The sample as it is, or damaged in the ways of its format, or swapped for another."""
    content = samples()[path]
    way = draw(st.integers(0, 9))
    if way <= 2:
        return content
    if way == 3:
        return samples()[draw(st.sampled_from(sorted(samples())))]
    if way <= 5:
        return draw(_damaged(content))
    if path.endswith(".json"):
        return draw(_changed_json(content))
    if path.endswith(".npz"):
        return draw(_changed_arrays(content))
    if path == "log.csv" and draw(st.booleans()):
        return draw(_scaled(content))
    return draw(_table())


@st.composite
def _damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Truncated, a bit turned, a part left out or written twice, bytes put in."""
    if not content:
        return b"\0"
    i = draw(st.integers(0, len(content) - 1))
    j = draw(st.integers(i, len(content)))
    return draw(
        st.sampled_from(
            [
                content[:i],
                content[:i] + bytes([content[i] ^ (1 << (j % 8))]) + content[i + 1 :],
                content[:i] + content[j:],
                content[:j] + content[i:],
                content[:i] + b"\xff\xfe\0" + content[i:],
                b"\xef\xbb\xbf" + content,
                content.replace(b"\n", b"\r\n"),
                gzip.compress(content, mtime=0),
                gzip.compress(content, mtime=0)[:-3],
                content + content,
            ]
        )
    )


@st.composite
def _changed_json(draw: st.DrawFn, content: bytes) -> bytes:
    """Some value replaced, left out or copied elsewhere; digests are those of the new content."""
    body = json.loads(content)
    for _ in range(draw(st.integers(1, 3))):
        nodes = list(_nodes(body))
        if not nodes:
            break
        # Drawn depth by depth, so that a long list of numbers is not all that is ever changed.
        depths = sorted({depth for depth, _, _ in nodes})
        depth = draw(st.sampled_from(depths))
        _, holder, key = draw(st.sampled_from([node for node in nodes if node[0] == depth]))
        way = draw(st.integers(0, 5))
        if way == 0:
            del holder[key]
        elif way == 1:
            holder[key] = [holder[key]]
        elif way == 2:
            _, other, name = draw(st.sampled_from(nodes))
            try:
                holder[key] = json.loads(json.dumps(other[name]))
            except (KeyError, IndexError):
                continue
        elif (
            way == 3 and isinstance(holder[key], int | float) and not isinstance(holder[key], bool)
        ):
            holder[key] = holder[key] * draw(st.sampled_from([-1, 0, 2, 1e-9, 1e9, 1e300]))
        else:
            holder[key] = draw(st.sampled_from(_LEAVES))
    if isinstance(body, dict) and isinstance(body.get("study"), dict) and "key" in body:
        said = json.dumps(body["study"], sort_keys=True).encode()
        body["key"] = hashlib.sha256(said).hexdigest()
    if isinstance(body, dict) and "digest" in body:
        with contextlib.suppress(ValueError):
            body["digest"] = digest(body)
    return json.dumps(body).encode()


def _nodes(value: Any, depth: int = 0) -> Any:
    """(depth, holder, key) of every value below."""
    below = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in list(below):
        yield depth, value, key
        if isinstance(one, dict | list):
            yield from _nodes(one, depth + 1)


@st.composite
def _changed_arrays(draw: st.DrawFn, content: bytes) -> bytes:
    """A run of a study with an array of other numbers, another shape or another type."""
    with np.load(io.BytesIO(content)) as stored:
        arrays = {name: stored[name] for name in stored.files}
    name = draw(st.sampled_from(sorted(arrays)))
    array = arrays[name]
    change = draw(st.sampled_from(["nan", "huge", "short", "text", "gone", "twice", "negative"]))
    if change == "gone":
        del arrays[name]
    else:
        arrays[name] = {
            "nan": lambda: np.full(array.shape, np.nan),
            "huge": lambda: np.full(array.shape, 1e308),
            "short": lambda: array.reshape(-1)[:-1],
            "text": lambda: array.astype(str),
            "twice": lambda: np.concatenate([array.reshape(-1)] * 2),
            "negative": lambda: -array if array.dtype.kind in "fi" else array,
        }[change]()
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@st.composite
def _scaled(draw: st.DrawFn, content: bytes) -> bytes:
    """A log whose columns are in other units, of any size."""
    header, *rows = content.decode().splitlines()
    scales = [
        draw(st.sampled_from([1.0, 1.0, 0.0, 1e-300, 1e-150, 1e-9, 1e9, 1e150, 1e300]))
        for _ in header.split(",")
    ]
    cells = ([float(cell) for cell in row.split(",")] for row in rows)
    scaled = [",".join(repr(c * s) for c, s in zip(row, scales, strict=True)) for row in cells]
    return "\n".join([header, *scaled]).encode()


@st.composite
def _table(draw: st.DrawFn) -> bytes:
    """A table of known and unknown columns, whose cells may be anything."""
    separator = draw(st.sampled_from([",", ",", ",", ";", "\t"]))
    header = draw(st.lists(st.sampled_from(_KNOWN), min_size=1, max_size=5))
    cell = st.one_of(st.integers(0, 9).map(str), st.sampled_from(_CELLS))
    rows = draw(st.lists(st.lists(cell, min_size=len(header), max_size=len(header)), max_size=7))
    text = "\n".join(separator.join(row) for row in [header, *rows])
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16"])))

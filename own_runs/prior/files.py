"""Priors in files: what a fit wrote, read for another command, and hyperpriors of one's own.

Everything wrong with a file raises `InvalidInput`, which names the key and what belongs there.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from math import inf, isfinite, log, log1p
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InvalidInput
from bounds.reading import Text, json_of, read_text
from bounds.time_text import UNITS
from own_runs.logs.observations import Observations
from own_runs.prior.fit import LARGEST_ROWS, WIDE, data_of, finite_candidates
from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior, LogNormal
from simulation.prior.memory import FORGETTING, MEMORIES
from simulation.prior.nonstationary import Nonstationarity
from simulation.prior.shapes import SHAPES
from simulation.prior.warp import Warp

FORMAT = "ctv-bounds prior 1"
_STEEPEST = 20.0
"""Of bends and slopes that are read, up or down."""
LARGEST_SET = 20_000
"""Members of the largest set that is read."""


def log_digest(observations: Observations, rows: int) -> str:
    """A fingerprint of the first rows of a log, by which a file knows that it has seen them."""
    digest = sha256()
    for array in (observations.points, observations.to_maximise):
        digest.update(np.round(array[:rows], 9).tobytes())
    # In seconds, so that a log is known again in another unit.
    seconds = observations.times[:rows] * UNITS[observations.unit]
    digest.update(np.round(seconds, 6).tobytes())
    if observations.noise is not None:
        digest.update(np.round(observations.noise.matrix[:rows, :rows], 9).tobytes())
    return digest.hexdigest()


@dataclass(frozen=True, eq=False)
class PriorFile(Candidates):
    """What `ctv fit --out` wrote: the weighted set given the log that was fitted.

    Attributes
    ----------
    unit : of time, that of the clock of the rates of the members
    inputs : the axes, as they print
    rows, digest : how many rows of the fitted log there were, and their fingerprint
    """

    unit: str
    inputs: tuple[str, ...]
    rows: int
    digest: str

    def candidates(self, observations: Observations) -> Candidates:
        """The weights given a log: the one that was fitted, perhaps longer by now, or another.

        Of the fitted log the evidence is counted once. For another one the weights are those of a
        finite hyperprior fixed before it, so that its certificates are exact.

        Raises InvalidInput for a log of other inputs.
        """
        inputs = tuple(map(str, observations.axes))
        if inputs != self.inputs:
            raise InvalidInput(
                "prior",
                f"for {'; '.join(self.inputs)}",
                f"the log has {'; '.join(inputs)}: fit it, or give its ranges with --domain",
            )
        scale = UNITS[observations.unit] / UNITS[self.unit]
        members = tuple(_in_unit(member, scale) for member in self.members)
        same = observations.n >= self.rows and log_digest(observations, self.rows) == self.digest
        if not same:
            members = tuple(
                replace(member, outliers=(), nonstationary=member.nonstationary.of_another_log())
                for member in members
            )
            chances = tuple(map(float, self.weights / self.weights.sum()))
            believed = FiniteHyperprior(members, chances, self.mean_and_scale)
            return finite_candidates(data_of(observations), believed)
        data = data_of(observations)
        if observations.n == self.rows:
            return replace(self, members=members, weights=self.weights / self.weights.sum())
        return replace(self, members=members).reweighed(data)


def _in_unit(member: Member, scale: float) -> Member:
    """A member where the unit of time is so many times as long."""
    change = member.nonstationary.change
    nonstationary = (
        member.nonstationary
        if change is None
        else replace(member.nonstationary, change=change / scale)
    )
    return replace(member, rate=member.rate * scale, nonstationary=nonstationary)


def is_fitted(file: Text) -> bool:
    """Whether `ctv fit --out` wrote it; otherwise it says what is believed before a log."""
    return "candidates" in _loaded(file)


def read_prior(path: Path | str | Text) -> PriorFile:
    """A file of `ctv fit --out`; raises InvalidInput for anything else."""
    file = read_text(path, "prior")
    document = _Object(_loaded(file), "prior")
    if document.content.get("format") not in (FORMAT, 1) or "candidates" not in document.content:
        raise InvalidInput("prior", file.name, "give a file that ctv fit --out wrote")
    rows = document.objects("candidates")
    members = tuple(_member(row, "theta") for row in rows)
    _one_dimension(members)
    fitted = document.object("fitted")
    weights = np.array([row.number("weight", 0.0, 1.0) for row in rows])
    if not weights.sum() > 0:
        raise InvalidInput("prior weight", "0 in every candidate", "give positive weights")
    inputs = document.content.get("inputs")
    if not isinstance(inputs, list) or len(inputs) != len(members[0].lengthscales):
        raise InvalidInput("prior inputs", json.dumps(inputs), "name each input and its range")
    return PriorFile(
        members,
        weights,
        np.array([row.number("log_evidence") for row in rows]),
        _mean_and_scale(document),
        Posterior.of_rows(np.array([astuple(_mean_and_scale(row)) for row in rows])),
        document.content.get("exact") is True,
        _unit(document),
        tuple(map(str, inputs)),
        int(fitted.number("rows", 1)),
        str(fitted.content.get("digest")),
    )


def read_hyperprior(path: Path | str | Text, unit: str) -> Hyperprior | FiniteHyperprior:
    """A finite set of priors with weights, or other ranges to integrate over, from a JSON file.

    The set of priors, and the ranges, each key of which may be left out::

        {"unit": "s", "mean_and_scale": {"center", "spread", "shape", "scale"},
         "members": [{"kernel", "epsilon" or "theta" or "half_life", "lengthscale",
                      "noise_variance", "level", "memory", "weight"}]}

        {"ranges": {"lengthscale": {"median", "factor"}, …}, "kernels": […], "memories": […],
         "powers": […], "drift", "level_share", "per_input", "wild", "change", "bent", "uneven"}

    Raises InvalidInput that names the key.
    """
    document = _Object(_loaded(path), "prior")
    if "members" in document.content:
        scale = UNITS[unit] / UNITS[_unit(document)]
        rows = document.objects("members")
        members = tuple(_in_unit(_member(row, ""), scale) for row in rows)
        _one_dimension(members)
        weights = np.array([row.number("weight", 0.0, default=1.0) for row in rows])
        if np.any(weights <= 0):
            raise InvalidInput("prior weight", 0, "give positive weights")
        chances = tuple(map(float, weights / weights.sum()))
        return FiniteHyperprior(members, chances, _mean_and_scale(document))
    return _ranges(document)


def _ranges(document: _Object) -> Hyperprior:
    known = ("lengthscale", "half_life", "noise_variance", "level")
    lists = ("kernels", "memories", "powers")
    shares = ("drift", "level_share", "per_input", "wild", "change", "bent", "uneven")
    for key in document.content:
        if key not in ("format", "ranges", *lists, *shares):
            allowed = ", ".join(("members", "ranges", *lists, *shares))
            raise InvalidInput("hyperprior", key, f"use {allowed}")
    given: dict[str, Any] = {}
    if "ranges" in document.content:
        ranges = document.object("ranges")
        for key in ranges.content:
            if key not in known:
                raise InvalidInput("hyperprior ranges", key, f"use {', '.join(known)}")
            law = ranges.object(key)
            given[key] = LogNormal(law.number("median"), law.number("factor"))
    for key in lists:
        if key in document.content:
            values = document.content[key]
            if not isinstance(values, list):
                raise InvalidInput(f"hyperprior {key}", json.dumps(values), "give a list")
            given[key] = tuple(values if key == "powers" else map(str, values))
    for key in shares:
        if key in document.content:
            given[key] = document.number(key, 0.0, 1.0)
    return replace(WIDE, **given)


@dataclass(frozen=True)
class _Object:
    """A JSON object and where it stands."""

    content: dict[str, Any]
    name: str

    def number(
        self,
        key: str,
        low: float = float("-inf"),
        high: float = float("inf"),
        default: float | None = None,
    ) -> float:
        value = self.content.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            raise InvalidInput(f"{self.name} {key}", json.dumps(value), "give a finite number")
        if not low <= value <= high:
            ends = f"from {low:g} to {high:g}" if isfinite(high) else f"of at least {low:g}"
            raise InvalidInput(f"{self.name} {key}", value, f"give a number {ends}")
        return float(value)

    def object(self, key: str) -> _Object:
        value = self.content.get(key)
        if not isinstance(value, dict):
            raise InvalidInput(f"{self.name} {key}", json.dumps(value), "give an object")
        return _Object(value, f"{self.name} {key}")

    def objects(self, key: str) -> list[_Object]:
        value = self.content.get(key)
        if not isinstance(value, list) or not value or len(value) > LARGEST_SET:
            count = len(value) if isinstance(value, list) else json.dumps(value)
            raise InvalidInput(f"{self.name} {key}", count, f"give 1 to {LARGEST_SET} objects")
        for place, row in enumerate(value):
            if not isinstance(row, dict):
                raise InvalidInput(f"{self.name} {key}[{place}]", json.dumps(row), "give an object")
        return [_Object(row, f"{self.name} {key}[{place}]") for place, row in enumerate(value)]


def _loaded(path: Path | str | Text) -> dict[str, Any]:
    read = read_text(path, "prior")
    try:
        content = json_of(read.text)
    except ValueError as error:
        raise InvalidInput("prior", read.name, f"it is no JSON ({error})") from None
    if not isinstance(content, dict):
        raise InvalidInput("prior", read.name, "give a JSON object")
    return content


def _unit(document: _Object) -> str:
    unit = document.content.get("unit", "s")
    if unit not in UNITS:
        raise InvalidInput(f"{document.name} unit", json.dumps(unit), f"use {', '.join(UNITS)}")
    return str(unit)


def _mean_and_scale(document: _Object) -> MeanAndScale:
    law = document.object("mean_and_scale")
    return MeanAndScale(*(law.number(key) for key in ("center", "spread", "shape", "scale")))


def _member(row: _Object, rate_key: str) -> Member:
    kernel = row.content.get("kernel")
    if kernel not in SHAPES:
        raise InvalidInput(f"{row.name} kernel", json.dumps(kernel), f"use {', '.join(SHAPES)}")
    lengths = row.content.get("lengthscale")
    listed = lengths if isinstance(lengths, list) else [lengths]
    scales = [_Object({"lengthscale": length}, row.name).number("lengthscale") for length in listed]
    if not scales or min(scales) <= 0:
        raise InvalidInput(f"{row.name} lengthscale", json.dumps(lengths), "give positive numbers")
    noise = row.number("noise_variance", 1e-12)
    level = row.number("level", 0.0, default=0.0)
    memory = row.content.get("memory", FORGETTING)
    if memory not in MEMORIES:
        raise InvalidInput(f"{row.name} memory", json.dumps(memory), f"use {', '.join(MEMORIES)}")
    rate, warp, outliers = _rate(row, rate_key), _warp(row), _outliers(row)
    nonstationary = _nonstationary(row, len(scales))
    kinds = []
    for key in ("unordered", "optional"):
        numbers = row.content.get(key, [])
        if not isinstance(numbers, list) or not set(numbers) <= set(range(len(scales))):
            remedy = f"give numbers of inputs, from 0 to {len(scales) - 1}"
            raise InvalidInput(f"{row.name} {key}", json.dumps(numbers), remedy)
        kinds.append(tuple(numbers))
    return Member(
        str(kernel),
        rate,
        tuple(scales),
        noise,
        level,
        str(memory),
        warp,
        outliers,
        nonstationary,
        *kinds,
    )


def _nonstationary(row: _Object, dimension: int) -> Nonstationarity:
    """The change point, the bends and the slopes of the errors of a candidate."""
    change = None if row.content.get("change") is None else row.number("change")
    parts: dict[str, tuple[float, ...]] = {}
    for key in ("bends", "slopes"):
        values = row.content.get(key, [])
        if not isinstance(values, list) or len(values) not in (0, dimension):
            remedy = f"give {dimension} numbers, one for each input, or none"
            raise InvalidInput(f"{row.name} {key}", json.dumps(values), remedy)
        named = [_Object({key: value}, row.name) for value in values]
        parts[key] = tuple(entry.number(key, -_STEEPEST, _STEEPEST) for entry in named)
    return Nonstationarity(change, **parts)


def _outliers(row: _Object) -> tuple[int, ...]:
    """The rows of wild errors, from 0; the file counts from 1."""
    rows = row.content.get("outliers", [])
    if not isinstance(rows, list) or not all(
        type(i) is int and 0 < i <= LARGEST_ROWS for i in rows
    ):
        remedy = f"give rows of the log, from 1 to {LARGEST_ROWS}"
        raise InvalidInput(f"{row.name} outliers", json.dumps(rows), remedy)
    return tuple(i - 1 for i in rows)


def _warp(row: _Object) -> Warp | None:
    """The scale of y of a candidate; None for y itself."""
    if row.content.get("warp") is None:
        return None
    warp = row.object("warp")
    least = {"spread": 1e-300, "factor": 1e-300}
    return Warp(
        warp.number("power", 0.0, 2.0),
        *(
            warp.number(key, least.get(key, -inf))
            for key in ("middle", "spread", "shift", "factor")
        ),
    )


def _rate(row: _Object, key: str) -> float:
    given = [name for name in ("theta", "epsilon", "half_life") if name in row.content]
    if not key and len(given) != 1:
        what = ", ".join(given) or "no rate of drift"
        raise InvalidInput(row.name, what, "give one of epsilon, theta and half_life")
    name = key or given[0]
    if name == "theta":
        return row.number("theta", 0.0)
    if name == "half_life":
        return log(2.0) / row.number("half_life", 1e-300)
    epsilon = row.number("epsilon", 0.0)
    if not epsilon < 1.0:
        raise InvalidInput(f"{row.name} epsilon", epsilon, "give a number in [0, 1), or theta")
    return -0.5 * log1p(-epsilon)


def _one_dimension(members: tuple[Member, ...]) -> None:
    first = len(members[0].lengthscales)
    other = next((i for i, m in enumerate(members) if len(m.lengthscales) != first), None)
    if other is not None:
        raise InvalidInput(
            f"prior member {other}",
            f"{len(members[other].lengthscales)} lengthscales",
            f"the first has {first}: give one for each input",
        )

"""What the proved checker is asked: the numbers of a certificate, and what it does not cover."""

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from math import log, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bounds.errors import InvalidInput
from ctv import bound
from proofs_check.checker.answer import ask
from proofs_check.checker.program import needed, own_theories
from proofs_check.checker.whole import question
from proofs_check.recheck.reading import digest


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of forty rounds on a grid of ten by ten points."""
    found = tmp_path_factory.mktemp("certificate") / "bound.json"
    bound(n=40, total=40, grid=10, epsilon=1e-3, certificate=found)
    return found


@pytest.fixture(scope="module")
def certificate(path: Path) -> Mapping[str, Any]:
    body: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return body


def _claimed(certificate: Mapping[str, Any], name: str) -> float:
    return next(float(claim["value"]) for claim in certificate["claims"] if claim["id"] == name)


def test_the_least_claim_is_what_the_certificate_states(certificate: Mapping[str, Any]) -> None:
    """Two roads to one number: balls there, whole numbers and a majorant here."""
    asked = question(certificate)
    stated = _claimed(certificate, "row.envelope")
    assert stated <= float(asked.claim) <= stated * (1 + 1e-7)


def test_the_majorant_is_one_on_the_whole_interval(certificate: Mapping[str, Any]) -> None:
    numbers = question(certificate).numbers
    rounds = numbers[0]
    t, _, contact, constant, factor, claim = (
        Fraction(numbers[at], numbers[at + 1])
        for at in range(1 + rounds + 1 + 2 + 2 + 1 + 2 + 1 + 2, 1 + rounds + 11 + 12, 2)
    )
    w = np.linspace(0, 1, 100_001)
    above = float(constant) + float(factor) * 0.5 * np.log1p(float(t) * w**2) - w
    assert above.min() >= 0
    assert above[int(float(contact) * 100_000)] < 1e-4
    n, delta, points = rounds, 0.1, 100
    beta = 2 * log(points * pi**2 * n**2 / (6 * delta))
    gain = Fraction(numbers[1 + rounds + 13], numbers[1 + rounds + 14])
    most = 2 * sqrt(beta) * (n * float(constant) + float(factor * gain))
    assert float(claim) == pytest.approx(most, rel=1e-6)


def test_inverse_and_root_are_those_of_one_matrix(certificate: Mapping[str, Any]) -> None:
    """The root R is lower triangular with R A Rᵀ = I, and Y the inverse of the same A."""
    numbers = question(certificate).numbers
    rounds, scale = numbers[0], 2.0**40
    left = numbers[-rounds:]
    assert all(0 < value < 2**41 for value in left)
    features = next(p for p in range(1, 200) if _tables(numbers, rounds, p) is not None)
    inverse, root = _tables(numbers, rounds, features) or (np.eye(1), np.eye(1))
    assert np.allclose(root.T @ root, inverse, atol=1e-6 * scale / scale)


def _tables(numbers: tuple[int, ...], rounds: int, features: int) -> Any:
    """The last two square tables of so many features, where the second is a root of the first."""
    size = features**2
    values = np.array(numbers[-rounds - 2 * size : -rounds], dtype=float) / 2.0**40
    if len(values) < 2 * size:
        return None
    inverse, root = values[:size].reshape(features, -1), values[size:].reshape(features, -1)
    fits = np.allclose(np.triu(root, 1), 0) and np.all(np.diag(root) > 0)
    return (inverse, root) if fits and np.allclose(root.T @ root, inverse, atol=1e-6) else None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("given", "instants"),
        ("delay", 1),
        ("dimension", 1),
        ("grid", 1),
        ("space_kernel", {"type": "Matern", "lengthscale": 0.2, "nu": 2.5}),
        ("time_kernel", {"type": "SquaredExponential", "lengthscale": 1.0}),
    ],
)
def test_what_is_not_covered_is_refused_by_name(
    certificate: Mapping[str, Any], key: str, value: object
) -> None:
    other = deepcopy(dict(certificate))
    other["problem"][key] = value
    with pytest.raises(InvalidInput, match=f"kernel: {key}"):
        question(other)


def test_a_certificate_without_its_dual_is_refused(certificate: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="dual"):
        question({**certificate, "inflated": None, "dual": None})
    loose = question({**certificate, "inflated": None})
    assert question(certificate).claim < loose.claim


def test_damage_is_one_line(certificate: Mapping[str, Any], tmp_path: Path) -> None:
    damaged = deepcopy(dict(certificate))
    damaged["inflated"]["dual"][0]["points"] = "none"
    damaged["digest"] = digest(damaged)
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps(damaged), encoding="utf-8")
    with pytest.raises(InvalidInput, match="its points is no list"):
        ask(file)
    damaged = deepcopy(dict(certificate))
    damaged["inflated"]["dual"][0]["time_modes"] = [1.0]
    file.write_text(json.dumps({**damaged, "digest": digest(damaged)}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="write the certificate anew"):
        ask(file)
    file.write_text(json.dumps({**certificate, "version": "x"}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="digest"):
        ask(file)


def test_the_rate_is_that_of_the_kernel(certificate: Mapping[str, Any]) -> None:
    """Else a file of a fast process would be asked about as one of the slow ε beside it."""
    other = deepcopy(dict(certificate))
    other["problem"]["epsilon"] = 1e-9
    assert question(other).numbers == question(certificate).numbers
    other["problem"]["time_kernel"]["epsilon"] = 0.3
    assert question(other).claim > 1.01 * question(certificate).claim


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("domain", {"type": "Grid", "dimension": 2, "side": 9.0, "points_per_axis": 99}),
        ("nugget", 0.5),
        ("noise", 1e-9),
    ],
)
def test_a_key_that_nobody_reads_is_refused(
    certificate: Mapping[str, Any], key: str, value: object, tmp_path: Path
) -> None:
    other = deepcopy(dict(certificate))
    other["problem"][key] = value
    file = tmp_path / "other.json"
    file.write_text(json.dumps({**other, "digest": digest(other)}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="its problem has"):
        ask(file)


def test_the_theories_that_the_checker_needs_are_found() -> None:
    names = {path.stem for path in needed()}
    assert {"definitions", "gains", "duality", "outcomes", "any_space"} <= names
    assert "statements" not in names
    assert not names & {path.stem for path in own_theories()}


def test_the_page_of_trust_names_definitions_that_stand_there() -> None:
    """Each file that it lists holds the words beside it, and no proof where it says so."""
    root = Path(__file__).resolve().parents[2]
    page = (root / "docs" / "trust.md").read_text(encoding="utf-8")
    every = {path.name: path for path in (root / "proofs_check").rglob("*.v")}
    listed = page.partition("hold no proof:")[2].partition("Beside them")[0]
    files = re.findall(r"`(\w+\.v)`: ([^;.]*)", listed)
    assert {name for name, _ in files} >= {"definitions.v", "outcomes.v", "checked_headline.v"}
    for name, words in files:
        text = every[name].read_text(encoding="utf-8")
        for word in re.findall(r"`(\w+)`", words):
            assert re.search(rf"^(Definition|Fixpoint|Record) {word}\b", text, re.M), (name, word)
    assert "Lemma" not in every["outcomes.v"].read_text(encoding="utf-8")

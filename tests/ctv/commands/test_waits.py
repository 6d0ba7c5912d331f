"""`ctv rates --times`: Π of a person's own times, beside C, and which waits cost what."""

from pathlib import Path

import numpy as np
import pytest

import ctv as toolkit
from bounds.errors import InvalidInput
from bounds.times import EvaluationTimes
from tests.bounds.test_pattern import BURSTS, shares_by_matrices

SHAPES = {
    "even": (np.ones(600), 62.2, 0.117),
    "linear": (600 * np.arange(1, 601.0) / 180_300, 59.4, 0.114),
    "bursts": (np.where(np.arange(600) % 30 == 0, 30.0, 0.0), 49.2, 0.092),
    "half a gap": (np.where(np.arange(600) == 300, 300.0, 300 / 599), 47.6, 0.097),
    "growing": (600 * 1.02 ** np.arange(600) / (1.02 ** np.arange(600)).sum(), 38.2, 0.111),
    "one gap": (np.where(np.arange(600) == 300, 600.0, 0.0), 12.6, 0.030),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_table_of_both_functionals(name: str) -> None:
    """docs/theory.md's, with C by its double sum and p_i by a factor."""
    durations, total, ratio = SHAPES[name]
    found = toolkit.rates(durations, epsilon=0.01, noise_variance=1.0).to_dict()
    instants = np.cumsum(durations)
    pairs = (instants[:, None] - instants) ** 2
    uniformity = np.minimum(pairs, 1e4).sum()
    assert found["uniformity"] == pytest.approx(uniformity, rel=1e-9)
    assert found["apart"] == pytest.approx(0.01 * uniformity**0.5)
    shares = shares_by_matrices(durations, 0.01, 1.0)
    assert found["total"] == pytest.approx(shares.sum(), rel=1e-8)
    assert found["least"] == pytest.approx((1 - np.sqrt(np.maximum(1 - shares, 0))).sum(), rel=1e-6)
    assert found["total"] == pytest.approx(total, abs=0.05)
    assert found["ratio"] == pytest.approx(ratio, abs=5e-4)


def test_a_file_on_the_command_line(ctv, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("duration\n" + "\n".join(map(str, BURSTS)) + "\n")
    asked = ("rates", "--times", path, "--epsilon", "1e-2", "--noise-variance", "1")
    run = ctv(*asked, "--json").json
    assert run["total"] == pytest.approx(81.4463, abs=6e-5)
    assert run["charged"] == pytest.approx(30.0)
    assert run["growth"][-1] == [600, pytest.approx(run["total"])]
    assert len(run["shares"]) == len(run["saved"]) == 600
    # The waits that cost most are those between the bursts.
    dearest = np.argsort(-np.array(run["saved"]))[:19] + 1
    assert set(dearest.tolist()) == {30 * k + 1 for k in range(1, 20)}
    text = ctv(*asked, "--all", "--plot", tmp_path / "waits.svg").stdout
    assert "Π = Σpᵢ = 81.45" in text
    assert "Theorem I" in text
    assert (tmp_path / "waits.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")


def test_nothing_drifts_and_one_round() -> None:
    still = toolkit.rates([1.0, 1.0, 1.0], epsilon=0.0, noise_variance=1.0)
    assert still.to_dict()["ratio"] is None
    assert "No wait costs anything" in still.screen().html()
    alone = toolkit.rates([1.0])
    assert alone.to_dict()["exponent"] is None
    alone.plot()
    rough = toolkit.rates([1.0, 1.0], time_kernel="exponential:lengthscale=2").to_dict()
    assert rough["total"] == pytest.approx(
        shares_by_matrices([1.0, 1.0], 1 - np.exp(-1.0), 0.01).sum()
    )


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("--bound", "floor"), ("bound = floor", "--times")),
        (("--sequence", "uniform"), ("sequence = uniform",)),
        (("--symbolic",), ("symbolic = text",)),
        (("--time-kernel", "se"), ("time-kernel",)),
        (("--noise-variance", "0"), ("noise-variance = 0",)),
        (("--duration", "nothing"), ("duration",)),
    ],
)
def test_what_does_not_belong_is_one_line(ctv, tmp_path, words, about) -> None:
    path = tmp_path / "log.csv"
    path.write_text("duration\n1\n2\n")
    assert ctv("rates", "--times", path, *words).is_one_line_about(*about)


def test_drift_belongs_to_times(ctv) -> None:
    assert ctv("rates", "--epsilon", "0.1").is_one_line_about("epsilon = 0.1", "--times")
    assert ctv("rates", "--end", "t").is_one_line_about("end = t")
    with pytest.raises(InvalidInput, match="noise_variance"):
        toolkit.rates(noise_variance=1.0)


def test_every_bound_says_it(ctv) -> None:
    run = ctv("bound", "--n", "30", "--domain", "arms:3", "--budget", "fast", "--json").json
    own = toolkit.rates(EvaluationTimes.from_durations(np.full(30, 13.0)))
    expected = own.to_dict()
    assert run["waits"]["total"] == pytest.approx(expected["total"])
    assert run["waits"]["charged"] == pytest.approx(expected["charged"])
    smooth = ("--time-kernel", "se:lengthscale=30")
    none = ctv(
        "bound", "--n", "5", "--domain", "arms:3", "--budget", "fast", *smooth, "--json"
    ).json
    assert none["waits"] is None


def test_exponents_of_families_on_both_sides(ctv) -> None:
    run = ctv("rates", "--bound", "floor", "--sequence", "bursts:bursts=1/2", "--json").json
    assert [one["exponent"] for one in run["regimes"]] == ["0", "kappa/2 + 1/2", "1/2"]
    assert [one["exponent"] for one in run["partition_regimes"]] == [
        "1/2",
        "kappa/4 + 3/4",
        "3/4",
    ]
    assert "Theorem I" in ctv("rates", "--bound", "floor").stdout

"""Bounds of extreme problems: certified, and derived again by other code, or refused in a line."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fuzz.child import run
from tests.fuzz.oracle import PHASES

powers = st.floats(-12.0, 12.0).map(lambda x: f"{10.0**x:.3g}")
problems = st.fixed_dictionaries(
    {"--grid": st.sampled_from(["1", "2", "3"]), "--dimension": st.sampled_from(["1", "2"])},
    optional={
        "--epsilon": st.sampled_from(["0", "1e-15", "1e-9", "0.5", "0.999999999999"]),
        "--noise-variance": powers,
        "--lengthscale": st.floats(-6.0, 6.0).map(lambda x: f"{10.0**x:.3g}"),
        "--time-kernel": st.builds(
            lambda family, length: f"{family}lengthscale={length}",
            st.sampled_from(["exponential:", "se:", "matern:2,", "matern:2.5,"]),
            st.floats(-6.0, 6.0).map(lambda x: f"{10.0**x:.3g}"),
        ),
        "--kernel": st.sampled_from(["se", "matern12", "matern32", "matern:100", "matern:0.3"]),
        "--delta": st.sampled_from(["1e-300", "1e-12", "0.999999999999"]),
    },
)
gaps = st.lists(
    st.one_of(
        st.sampled_from(["0", "1", "1e-300", "1e300"]),
        st.floats(-300.0, 300.0).map(lambda x: f"{10.0**x:.3g}"),
    ),
    min_size=1,
    max_size=6,
)

SMALLEST = {"--grid": "1", "--dimension": "1"}
pytestmark = pytest.mark.xdist_group("fuzz")


def hold(count: int, *, derandomize: bool) -> None:
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=derandomize,
        suppress_health_check=list(HealthCheck),
        phases=PHASES,
    )
    @given(problems, gaps)
    @example({"--grid": "3", "--kernel": "matern:100", "--lengthscale": "4e-6"}, ["0", "1"])
    # e^1e300 is no ball.
    @example({**SMALLEST, "--time-kernel": "exponential:lengthscale=1"}, ["0", "1e300"])
    @example(
        {**SMALLEST, "--time-kernel": "exponential:lengthscale=1e-5", "--delta": "1e-300"},
        ["0", "1e300"],
    )
    # Instants so far apart that balls around them overlap.
    @example({"--grid": "1", "--dimension": "2"}, ["1e300", "1e-300", "0", "1", "1e240", "1e260"])
    # A gap that two doubles lose beside another one, between scheduled rounds.
    @example({"--grid": "2", "--noise-variance": "1"}, ["0", "1e293", "1", "1e151", "0", "0"])
    def examine(options: dict[str, str], durations: list[str]) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "times.csv").write_text("\n".join(["duration", *durations]))
            given_words = [f"{key}={value}" for key, value in options.items()]
            words = ["bound", "--times", "times.csv", "--json", "--certificate", "c.json"]
            ended = run([*words, *given_words], folder)
            assert ended.code in (0, 2), ended
            if ended.code == 2:
                assert len(ended.stderr.splitlines()) == 1, ended
                return
            gain = json.loads(ended.stdout)["gain"]
            least, most = gain["lower"], gain["best"]
            assert least is None or most is None or 0.0 <= least <= most * (1 + 1e-12) + 1e-300
            again = run(["verify", "c.json", "--json"], folder)
            assert again.code == 0, (options, durations, again)

    examine()


def test_a_few_extreme_problems() -> None:
    hold(4, derandomize=True)


@pytest.mark.slow
def test_many_extreme_problems() -> None:
    hold(1000, derandomize=False)

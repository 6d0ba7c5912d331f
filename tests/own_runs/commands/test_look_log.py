"""`ctv FILE` for a log: it is recognised, fitted, and what it achieved is the headline."""

from pathlib import Path

import numpy as np
import pytest

from own_runs.commands.look_log import LogToLookAt, in_words

pytestmark = pytest.mark.usefixtures("computed_once")
ASKED = ("--maximize", "--domain", "x=0..1")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("log") / "log.csv"
    x = rng.random(12)
    rows = (
        f"{a:.4f},{b:.3f},{-((a - 0.4) ** 2):.4f}"
        for a, b in zip(x, 1 + rng.random(12), strict=True)
    )
    path.write_text("x,duration,y\n" + "\n".join(rows) + "\n")
    return path


def test_what_a_run_achieved_comes_first(ctv, log: Path) -> None:
    text = " ".join(ctv(str(log), *ASKED, "--out", "none").stdout.split())
    assert "a log of 12 trials over x" in text
    first = text.index("This run has cumulative regret ≤")
    assert first < text.index("lower bound") < text.index("Proven before the run")
    assert "achieved" in text


def test_the_achieved_is_the_certificate_and_the_rest_that_of_the_prior(ctv, log: Path) -> None:
    found = ctv(str(log), *ASKED, "--out", "none", "--json").json
    certified = ctv("certify", str(log), *ASKED, "--json").json["certificates"][0]
    assert found["line"]["achieved"] == certified["value"]
    assert found["fit"]["confidence"] == certified["level"]
    fitted = ctv("fit", str(log), *ASKED, "--json").json
    assert found["fit"]["prior"] == fitted["prior"]
    regret = [r for r in found["answer"]["regret"] if r["policy"] in ("any", "ctv-fixed")]
    best = min(r["value"] for r in regret if r["kind"] == "probability")
    assert found["line"]["proven"] == pytest.approx(best * found["unit"], rel=1e-12)
    assert found["achieved_by"] == "posterior certificate"


def test_without_a_direction_the_same_is_fitted_and_it_is_asked_for(ctv, log: Path) -> None:
    """The law of the priors does not see the sign of y."""
    domain = ASKED[1:]
    said = ctv(str(log), *domain, "--out", "none").stdout
    assert "--maximize or --minimize" in " ".join(said.split())
    none = ctv(str(log), *domain, "--out", "none", "--json").json
    assert none["line"]["achieved"] is None
    for way in ("--maximize", "--minimize"):
        found = ctv(str(log), way, *domain, "--out", "none", "--json").json
        for name in ("epsilon", "noise_variance"):
            assert found["fit"]["prior"][name] == pytest.approx(none["fit"]["prior"][name])
        assert found["line"]["proven"] == pytest.approx(none["line"]["proven"])


def test_a_drift_that_is_given_is_not_fitted(ctv, log: Path) -> None:
    found = ctv(str(log), "--epsilon", "0.05", "--grid", "4", "--out", "none", "--json").json
    assert (found["fit"], found["problem"]["epsilon"]) == (None, 0.05)


def test_named_columns_make_a_log(ctv, log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(log.read_text().replace("x,duration,y", "rate,duration,loss"))
    assert LogToLookAt().recognises(log, frozenset())
    assert not LogToLookAt().recognises(other, frozenset())
    assert LogToLookAt().recognises(other, frozenset({"x", "y"}))
    wrong = ctv(str(other), "--x", "none", "--y", "loss", "--out", "none")
    assert (wrong.code, len(wrong.stderr.splitlines())) == (2, 1)


def test_times_as_people_say_them() -> None:
    said = [in_words(t, "s") for t in (0.002, 30.0, 600.0, 7_300.0, 1e6)]
    assert said == ["2 ms", "30 s", "10 min", "2.03 h", "11.6 days"]


def test_what_to_do_next_reads_the_log_as_it_was_read(ctv, log: Path) -> None:
    """Options that name columns and ranges go along, and a range alone makes a file a log."""
    said = " ".join(ctv(str(log), *ASKED, "--out", "none").stdout.split())
    own = f"{log} --domain x=0..1 --maximize"
    assert f"ctv suggest {own} proposes" in said
    assert f"ctv certify {own} --stop-below" in said

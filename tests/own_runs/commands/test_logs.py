"""`ctv fit`, `ctv certify` with an unknown prior and `ctv suggest`, on one small log."""

import json
import threading
import time
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.xdist_group("logs")  # its fixtures take seconds

HEAD = "number,value,datetime_start,datetime_complete,duration,params_lr,params_depth,state"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Optuna's frame of 24 trials of a smooth function, one failed, one under way."""
    rng = np.random.default_rng(0)
    lines = [HEAD]
    clock = np.datetime64("2024-05-01T10:00:00.000")
    for i in range(24):
        rate, depth = 10 ** rng.uniform(-4, -1), int(rng.integers(2, 9))
        end = clock + np.timedelta64(int(1000 * (1 + depth / 4)), "ms")
        value = (np.log10(rate) + 2.5) ** 2 + 0.1 * (depth - 5) ** 2 + 0.05 * rng.standard_normal()
        state = "FAIL" if i == 7 else "RUNNING" if i == 23 else "COMPLETE"
        shown = value if state == "COMPLETE" else ""
        last = "" if state == "RUNNING" else end
        lines.append(f"{i},{shown},{clock},{last},,{rate},{depth},{state}")
        clock = end
    path = tmp_path_factory.mktemp("log") / "trials.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


DOMAIN = ("--minimize", "--domain", "params_lr=1e-4..1e-1 log, params_depth=2..8 int")


@pytest.fixture(scope="module")
def prior(log: Path) -> Path:
    from ctv.cli import main

    out = log.with_name("prior.json")
    with pytest.raises(SystemExit) as left:
        main(["fit", str(log), *DOMAIN, "--draws", "80", "--out", str(out), "--json"])
    assert not left.value.code
    return out


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    members = [
        {"kernel": "se", "half_life": life, "lengthscale": [0.4, 0.4], "noise_variance": 0.01}
        for life in (20.0, 2000.0)
    ]
    law = {"center": -1.0, "spread": 2.0, "shape": 2.0, "scale": 2.0}
    path = tmp_path / "grid.json"
    path.write_text(json.dumps({"unit": "s", "members": members, "mean_and_scale": law}))
    return path


def test_a_diagonal_noise_matrix_is_a_column_of_deviations(ctv, log, grid, tmp_path):
    lines = log.read_text().splitlines()
    deviations = 1.0 + np.arange(len(lines) - 1) % 3
    with_sd = tmp_path / "sd.csv"
    rows = [f"{row},{sd}" for row, sd in zip(lines[1:], deviations, strict=True)]
    with_sd.write_text("\n".join([f"{lines[0]},sd", *rows]))
    matrix = tmp_path / "noise.csv"
    np.savetxt(matrix, np.diag(deviations**2), delimiter=",")
    asked = (*DOMAIN, "--prior", grid, "--json")
    inputs = ("--x", "params_lr,params_depth")
    by_matrix = ctv("fit", log, *inputs, "--sd", f"matrix:{matrix}", *asked).json
    by_column = ctv("fit", with_sd, *inputs, "--sd", "sd", *asked).json
    for one, other in zip(by_matrix["candidates"], by_column["candidates"], strict=True):
        assert one["log_evidence"] == pytest.approx(other["log_evidence"])
    matrix.write_text("1 0\n0\n")
    outcome = ctv("fit", log, "--sd", f"matrix:{matrix}", *DOMAIN)
    assert outcome.code == 2 and "sd = 3 numbers: give as many rows as columns" in outcome.stderr


def test_fit_says_what_fits_and_its_file_is_its_json(ctv, log, prior):
    outcome = ctv("fit", log, *DOMAIN, "--draws", "80", "--json")
    assert outcome.json == json.loads(prior.read_text())
    assert set(outcome.json) >= {"prior", "unit", "candidates", "evidence", "warnings", "rows"}
    assert outcome.json["rows"]["used"] == 22
    assert outcome.json["problem"]["rows"]["pending"] == 1
    shown = ctv("fit", log, *DOMAIN, "--draws", "40", "--kernel", "se")
    assert shown.code == 0 and "By evidence: se 100" in shown.stdout
    assert "1 state fail" in shown.stdout and "1 under way" in shown.stdout


def test_certify_with_a_prior_of_a_file(ctv, log, prior):
    words = ("certify", log, *DOMAIN, "--prior", prior)
    found = ctv(*words, "--draws", "19", "--tolerance", "0.1", "--json").json
    rows = {row["quantity"]: row for row in found["certificates"]}
    assert set(rows) == {"cumulative", "simple", "lenient"}
    assert all(row["kind"] == "probability" and not row["certified"] for row in rows.values())
    assert rows["lenient"]["value"] < rows["cumulative"]["value"]
    assert 0.8 < rows["simple"]["level"] < 0.9
    again = ctv(*words, "--draws", "9", "--bound", "plug-in")
    assert again.code == 0 and "Under one prior" in again.stdout
    assert "plug-in: of" in again.stderr


def test_certify_over_a_finite_set_is_exact_and_its_worst_case_is_above(ctv, log, grid):
    words = ("certify", log, *DOMAIN, "--prior", grid, "--draws", "39", "--json")
    mixture, worst = ctv(*words).json, ctv(*words, "--bound", "worst-case").json
    assert mixture["certificates"][0]["exact"] and mixture["certificates"][0]["level"] == 0.9
    assert worst["priors"]["kept"] >= 1
    assert worst["certificates"][0]["level"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("words", "least"),
    [
        ([], 19),
        (["--bound", "plug-in"], 9),
        (["--prior", "GRID"], 9),
        (["--prior", "GRID", "--bound", "worst-case"], 19),
        (["--prior", "RANGES"], 19),
        (["--prior", "PRIOR"], 19),
        (["--prior", "PRIOR", "--bound", "plug-in"], 9),
    ],
)
def test_too_few_paths_are_told_the_number_that_is_enough(
    ctv, log, prior, grid, tmp_path, words, least
):
    ranges = tmp_path / "ranges.json"
    ranges.write_text('{"kernels": ["se"]}')
    files = {"GRID": grid, "RANGES": ranges, "PRIOR": prior}
    chosen = [str(files.get(word, word)) for word in words]
    for paths in {5, least - 1}:
        outcome = ctv("certify", log, *DOMAIN, *chosen, "--draws", str(paths))
        assert outcome.code == 2 and f"draws = {paths}: give at least {least}" in outcome.stderr
        assert len(outcome.stderr.strip().splitlines()) == 1


def test_words_are_inputs_too(ctv, tmp_path):
    """Observed or named, unordered or in an order; points are told in words."""
    rng, file = np.random.default_rng(0), tmp_path / "words.csv"
    worth = {"adam": 0.0, "sgd": -2.0, "adagrad": -1.0}
    rows = ["opt,size,lr,y,duration"]
    for _ in range(30):
        opt, size = rng.choice(sorted(worth)), rng.choice(["small", "large"])
        lr = rng.random()
        y = worth[opt] - (lr - 0.3) ** 2 + (size == "large") + 0.02 * rng.standard_normal()
        rows.append(f"{opt},{size},{lr:.4f},{y:.4f},{1 + rng.random():.3f}")
    file.write_text("\n".join(rows) + "\n")
    words = (file, "--maximize", "--x", "opt,size,lr", "--y", "y")
    domain = ("--domain", "lr=0..1, size=small<large")
    fitted = ctv("fit", *words, *domain, "--draws", "40", "--out", tmp_path / "p.json", "--json")
    inputs = ["opt=adagrad|adam|sgd", "size=small<large", "lr=0..1"]
    assert fitted.json["inputs"] == inputs
    assert {tuple(one["unordered"]) for one in fitted.json["candidates"]} == {(0,)}
    with_prior = ("--prior", tmp_path / "p.json")
    pending = ("--pending", "adam,large,0.3")
    found = ctv("suggest", *words, *domain, *with_prior, *pending, "--json").json["points"][0]
    assert (found["x"]["opt"], found["x"]["size"]) == ("adam", "large")
    assert 0.1 < found["x"]["lr"] < 0.6
    assert "adam" in ctv("suggest", *words, *domain, *with_prior).stdout
    certified = ctv("certify", *words, *domain, *with_prior, "--draws", "19", "--json")
    assert certified.code == 0 and certified.json["certificates"][1]["value"] < 1.0
    watched = ctv("watch", *words, "--stop-below", "0.5", "--draws", "20")
    assert watched.code in (0, 1) and "opt = adam" in watched.stdout
    for more, said in (
        (("fit", *words, "--domain", "opt=adam|sgd"), "none of adam, sgd: add it in --domain"),
        (("bound", "--times", file, *with_prior), "no bound is for inputs of words"),
        ((file, *words[2:]), "no bound is for words without an order"),
    ):
        outcome = ctv(*more)
        assert outcome.code == 2 and said in outcome.stderr


def test_stopping(ctv, log, prior):
    words = ("certify", log, *DOMAIN, "--prior", prior, "--draws", "19", "--json")
    on = ctv(*words, "--stop-below", "1e-9").json
    assert on["certificates"] == [] and on["stop"]["stop"] is False
    off = ctv(*words, "--stop-below", "100").json
    assert off["stop"]["stop"] is True and len(off["certificates"]) == 2
    assert "go on" in ctv(*words[:-1], "--stop-below", "1e-9").stdout.lower()


@pytest.mark.parametrize("policy", ["ctv", "ctv-simple", "tv", "gp-ucb", "ts"])
def test_suggest(ctv, log, prior, policy):
    asked = ("--policy", policy, "--rounds", "2", "--pending", "0.001,3", "--json")
    found = ctv("suggest", log, *DOMAIN, "--prior", prior, *asked).json
    assert found["policy"] == policy and len(found["points"]) == 2
    for point in found["points"]:
        assert 1e-4 <= point["x"]["params_lr"] <= 1e-1
        assert point["x"]["params_depth"] in range(2, 9)
        assert point["expected_duration"] > 0 and point["sd"] >= 0


def test_suggest_fits_where_no_prior_is_given(ctv, log):
    outcome = ctv("suggest", log, *DOMAIN)
    assert outcome.code == 0 and "Next, by ctv" in outcome.stdout


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (["fit", "LOG"], ["direction", "--minimize"]),
        (["fit", "LOG", "--minimize", "--maximize"], ["maximize", "one of them"]),
        (["fit", "LOG", "--minimize", "--kernel", "cubic"], ["kernel = cubic"]),
        (["fit", "LOG", "--minimize", "--draws", "3"], ["draws = 3"]),
        (["fit", "LOG", *DOMAIN, "--prior", "LOG"], ["prior", "no JSON"]),
        (
            ["fit", "LOG", "--minimize", "--prior", "GRID"],
            ["domain = nothing for params_lr", "log"],
        ),
        (["fit", "LOG", "--minimize", "--x", "state"], ["state in row 1", "numbers"]),
        (["certify", "LOG", "--minimize", "--epsilon", "0.1"], ["minimize", "drop it"]),
        (["certify", "LOG", "--column", "a"], ["option = --column", "--duration"]),
        (["certify", "--minimize"], ["data = nothing", "ctv certify FILE"]),
        (["certify", "--fit"], ["option = --fit", "drop it"]),
        (["fit", "--data", "LOG"], ["option = --data", "ctv fit FILE"]),
        (["certify", "LOG", "--grid", "5", "--stop-below", "1"], ["stop-below", "--prior FILE"]),
        (
            ["certify", "LOG", "--bound", "worst-case"],
            ["bound = worst-case", "--prior"],
        ),
        (["certify", "LOG", "--minimize", "--prior", "PRIOR"], ["prior", "--domain"]),
        (["certify", "LOG", "--minimize", "--prior", "GRID"], ["domain = nothing", "log"]),
        (["suggest", "LOG", "--minimize", "--prior", "GRID"], ["prior", "--out"]),
        (["suggest", "LOG", "--minimize", "--policy", "best"], ["policy = best"]),
        (["suggest", "LOG", "--minimize", "--now", "1"], ["now", "when the log ends"]),
        (["suggest", "LOG", "--minimize", "--pending", "x"], ["pending = x"]),
        (["suggest", "LOG", "--minimize", "--rounds", "0"], ["rounds = 0"]),
        (["fit", "LOG", "--minimize", "--state", "=ok"], ["state = =ok", "NAME=WORD"]),
        (["fit", "LOG", "--minimize", "--state", "state="], ["state = state="]),
        (["fit", "LOG", "--minimize", "--state", "how"], ["state = how", "no such"]),
        (["certify", "LOG", "--side", "2", "--state", "state"], ["state", "drop it"]),
    ],
)
def test_what_is_wrong_is_one_line(ctv, log, prior, grid, words, about):
    files = {"LOG": log, "PRIOR": prior, "GRID": grid}
    assert ctv(*(files.get(word, word) for word in words)).is_one_line_about(*about)


def test_half_lives_in_place_of_epsilon(ctv):
    words = ("uniformity", "--n", "5", "--total", "7200", "--json")
    found = ctv(*words, "--half-life", "30min").json
    assert found["problem"]["epsilon"] == pytest.approx(1 - 2 ** (-2 / 1800))
    both = ctv("uniformity", "--n", "5", "--half-life", "30min", "--epsilon", "0.1")
    assert both.is_one_line_about("half-life", "--epsilon")
    short = ctv("uniformity", "--n", "5", "--half-life", "0.01")
    assert short.is_one_line_about("half-life", "exponential")


def test_times_are_brought_into_the_unit_of_a_prior(ctv, prior, tmp_path):
    """A prior in hours says the same of seconds that are named so."""
    content = json.loads(prior.read_text())
    for one in content["candidates"]:
        one["theta"] *= 3600.0
    hourly, seconds = tmp_path / "hourly.json", tmp_path / "seconds.csv"
    hourly.write_text(json.dumps({**content, "unit": "h"}))
    seconds.write_text("duration_seconds\n1800\n5400\n")
    one, two = (
        ctv(
            "bound",
            "--times",
            seconds,
            "--prior",
            name,
            "--grid",
            "3",
            "--budget",
            "fast",
            "--json",
        ).json
        for name in (prior, hourly)
    )
    assert (one["total_time"], two["total_time"]) == pytest.approx((7200.0, 2.0))
    for old, new in zip(one["prior"]["spread"], two["prior"]["spread"], strict=True):
        assert new["middle"] == pytest.approx(old["middle"], rel=1e-3)
    found = ctv("uniformity", "--times", seconds, "--json").json
    assert found["problem"]["total_time"] == 7200.0


def test_bounds_spread_over_a_prior_and_are_certified_for_one(ctv, log, prior):
    few = ("--times", log, "--prior", prior, "--grid", "3")
    found = ctv("bound", *few, "--json").json
    over = found["prior"]
    assert over["certified"] is False and over["draws"] == 9 and over["time_unit"] == "s"
    for row in over["spread"]:
        assert row["low"] <= row["middle"] <= row["high"]
        assert row["low"] <= row["average"] <= row["high"]
    assert found["certified"]["additive"] is True  # of the one prior that is fixed
    assert found["problem"]["noise_variance"] == pytest.approx(
        over["fixed"]["noise_variance"] / (1.0 + over["fixed"]["level"])
    )
    shown = ctv("bound", *few, "--budget", "fast")
    assert "Over the fitted prior: 9 equally likely draws" in shown.stdout
    assert "one fixed prior" in shown.stdout and len(shown.stdout.splitlines()[0]) <= 80
    refused = ctv("bound", *few, "--epsilon", "0.1", "--budget", "fast")
    assert refused.code == 2 and "drop --prior: the file has its own" in refused.stderr


@pytest.mark.slow
def test_the_report_shows_the_spread(ctv, log, prior, tmp_path):
    few = ("--grid", "4", "--runs", "2", "--out", tmp_path)
    outcome = ctv("report", "--times", log, "--prior", prior, *few)
    assert outcome.code == 0, outcome.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Over the fitted prior" in page and "--prior" in page


def test_few_draws_over_many_structures_give_a_fit(ctv, tmp_path: Path) -> None:
    rows = [
        f"{0.1 * (i % 7):g},{0.3 + 0.05 * i:g},{(i * 37 % 11) / 11:g},{1 + i % 3}" for i in range(9)
    ]
    (tmp_path / "log.csv").write_text("\n".join(["x1,x2,y,duration", *rows]))
    fitted = ctv("fit", tmp_path / "log.csv", "--maximize", "--draws", 20, "--json")
    assert fitted.code == 0


def test_watching_a_log_that_grows(ctv, log, tmp_path):
    """It goes on, reads what was added meanwhile, and stops; a half-written row is waited for."""
    whole = log.read_text().splitlines(keepends=True)
    grown = tmp_path / "trials.csv"
    grown.write_text("".join(whole[:9]))
    asked = ["watch", grown, *DOMAIN, "--draws", "20"]
    few = ctv(*asked, "--stop-below", "0.5", "--json")
    assert few.code == 1 and json.loads(few.stdout)["worth"] is None

    def grow():
        time.sleep(0.5)
        grown.write_text("".join(whole[:15]) + "15,15")
        time.sleep(0.5)
        grown.write_text("".join(whole))

    writer = threading.Thread(target=grow)
    writer.start()
    found = ctv(*asked, "--stop-below", "50", "--every", "0.1", "--json")
    writer.join()
    assert found.code == 0, found.stderr
    told = json.loads(found.stdout)
    assert told["stop"] and told["worth"] <= 60 and told["trials"] >= 13 and told["cost"] > 0
    assert "too few to fit a prior, go on" in found.stderr
    goes = ctv(*asked, "--stop-below", "price:1e-12")
    assert goes.code == 1 and "Go on, after" in goes.stdout
    plain = ctv(*asked)
    assert plain.code == 0 and "So far, after" in plain.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--every", "1"], "every = 1.0: say when to stop"),
        (["--stop-below", "price:-1"], "stop-below = -1"),
        (["--stop-below", "price:"], "stop-below = "),
        (["--stop-below", "-1"], "stop-below = -1"),
        (["--every", "0", "--stop-below", "price:1"], "every = 0.0: give a number of seconds"),
    ],
)
def test_what_cannot_be_watched(ctv, log, options, message):
    outcome = ctv("watch", log, *DOMAIN, *options)
    assert outcome.code == 2 and message in outcome.stderr

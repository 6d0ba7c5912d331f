"""Sentences about experiments: false ones and false data are caught, statistics redone slowly."""

import json
import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from benchmarks import paper_runs
from bounds.domain import Grid
from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim, Evidence, Verdict
from proofs_check.ledgers import CLAIMS
from proofs_check.recheck.ledger import recheck
from proofs_check.records import certificate as files
from proofs_check.records import study_evidence
from proofs_check.records.study_evidence import Sample, judge_claim, sample_for
from proofs_check.records.verify import verify
from simulation.paper import experiment_results as results
from simulation.paper.experiments import ExperimentOptions, figure_2
from simulation.paper.findings import Outcome, judge
from simulation.paper.sentences import SENTENCES, Comparison, Sentence, Side
from simulation.study.study import run_study
from tests.proofs_check.planted import claim as planted

STORED = results.read(results.bundled())
SAMPLE = Sample(STORED.regrets, "as stored")
EXPERIMENTS = tuple(c for c in CLAIMS if c.sentence and c.id.startswith("experiments-"))
AT_1 = next(c for c in EXPERIMENTS if c.sentence == "fixed-unlike-tv-at-1")
RANDOM, FIXED = Side("length-10", "random"), Side("length-10", "ctv-fixed")
PLANTED = {
    "false": Sentence("planted", "figure-2", "s", "r", (Comparison(RANDOM, FIXED),)),
    "true": Sentence("planted", "figure-2", "s", "r", (Comparison(FIXED, RANDOM),)),
}


def claim(**more: object) -> Claim:
    return planted("", **{"sentence": "planted", "statement": "s", **more})


def changed(folder: Path, study: str, factor: float) -> Path:
    """The stored file with the numbers of a study changed, and a right digest."""
    regrets = {
        weight: {
            side: values * (factor if side.study == study else 1.0)
            for side, values in of_one.items()
        }
        for weight, of_one in STORED.regrets.items()
    }
    path = folder / "experiments.json"
    path.write_text(paper_runs.experiments_text(regrets), encoding="utf-8")
    return path


def test_every_sentence_is_a_claim() -> None:
    """Its words are those of the sentence that the runs are asked, with how it is read."""
    assert [c.sentence for c in EXPERIMENTS] == [sentence.id for sentence in SENTENCES]
    for claim, sentence in zip(EXPERIMENTS, SENTENCES, strict=True):
        assert claim.statement == f"{sentence.statement.rstrip('.')}: {sentence.reading}."


def test_what_is_declared_is_what_the_runs_say() -> None:
    for one in EXPERIMENTS:
        found = judge_claim(one, SAMPLE)
        assert found.verdict is one.expected, one.id
        assert found.contradicted == (one.finding != "none"), one.id
        assert found.cases == 30


@pytest.mark.parametrize(
    ("planted", "expected", "finding", "good"),
    [
        ("false", Verdict.SUPPORTED, "none", False),
        ("false", Verdict.UNDECIDED, "none", False),
        ("false", Verdict.UNDECIDED, "false", True),
        ("true", Verdict.SUPPORTED, "none", True),
        ("true", Verdict.UNDECIDED, "none", False),
        ("true", Verdict.UNDECIDED, "false", False),
    ],
)
def test_planted_sentences_are_caught(planted, expected, finding, good, monkeypatch) -> None:
    """Random choice is worse than CTV-fixed at t = 10."""
    monkeypatch.setattr(study_evidence, "SENTENCES", (PLANTED[planted],))
    monkeypatch.setattr("proofs_check.records.verify.sample_for", lambda *_: SAMPLE)
    row = verify(claims=[claim(expected=expected, finding=finding)]).rows[0]
    assert row.verdict is (Verdict.SUPPORTED if planted == "true" else Verdict.UNDECIDED)
    assert row.contradicted == (planted == "false")
    assert row.as_expected is good
    assert ("the other way" if planted == "false" else "proves nothing") in row.meaning
    assert ("contradicted" if planted == "false" else "supported") in row.engines[0].sentence


def test_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    text = results.bundled().read_text(encoding="utf-8")
    body = json.loads(text)
    number = repr(body["regrets"]["beta"]["length-1"]["tv"][3])
    bad = {
        "tampered": text.replace(number, "0.5", 1),
        "cut": text[:1000],
        "other": "{}",
        "list": "[1]",
        "wrong format": text.replace("experiments 1", "experiments 0"),
    }
    for name, content in bad.items():
        path = tmp_path / f"{name}.json"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InvalidInput, match="results"):
            results.read(path)
        sample = sample_for([AT_1.sentence], "fast", 0, path=path)
        assert judge_claim(AT_1, sample).verdict is Verdict.ERROR
    with pytest.raises(InvalidInput, match="results"):
        results.read(tmp_path / "missing.json")
    assert judge_claim(AT_1, None).verdict is Verdict.ERROR


def test_wrong_stored_numbers_are_an_error_where_they_matter(tmp_path: Path) -> None:
    path = changed(tmp_path, "length-1", 1 + 1e-5)
    found = judge_claim(AT_1, sample_for([AT_1.sentence], "fast", 0, path=path))
    assert found.verdict is Verdict.ERROR
    assert "cannot be reproduced" in found.sentence
    # What rounding does on another machine is let pass.
    path = changed(tmp_path, "length-1", 1 + 1e-9)
    found = judge_claim(AT_1, sample_for([AT_1.sentence], "fast", 0, path=path))
    assert (found.verdict, found.contradicted) == (Verdict.UNDECIDED, True)
    assert "2 simulated again" in found.sentence


def test_another_study_under_the_same_name_is_an_error(tmp_path: Path, monkeypatch) -> None:
    options = partial(ExperimentOptions, rounds=99)
    with monkeypatch.context() as other:
        other.setattr(results, "ExperimentOptions", options)
        text = paper_runs.experiments_text(STORED.regrets)
    (tmp_path / "other.json").write_text(text, encoding="utf-8")
    found = sample_for([AT_1.sentence], "fast", 0, path=tmp_path / "other.json")
    assert found is not None and "another one" in found.fault


def test_the_budget_deep_judges_new_runs(monkeypatch) -> None:
    """Had other runs come out, they would be judged: here CTV-fixed with a tenth of its regret."""
    side = Side("length-1", "ctv-fixed")
    new = {
        weight: {key: value / 10 if key == side else value for key, value in of_one.items()}
        for weight, of_one in STORED.regrets.items()
    }
    told: list[tuple[str, float]] = []

    def run_all(studies, *, workers, progress):
        assert studies == ["length-1"]
        progress(1, 2, "a run")
        return new

    monkeypatch.setattr(results, "run_all", run_all)
    row = verify([AT_1.id], "deep", claims=[AT_1], progress=lambda *event: told.append(event)).rows[
        0
    ]
    assert (row.verdict, row.as_expected) == (Verdict.SUPPORTED, False)
    assert "simulated here, 60 of them differ" in row.engines[0].sentence
    assert [share for _, share in told] == [0.15, 1.0]


def test_stored_runs_come_out_again() -> None:
    for weight, study, policy, seed in (
        ("beta", "matern-biased", "ctv-simple", 11),
        ("sqrt-beta", "length-1-noisy", "ctv", 29),
    ):
        found = results.run_one(results.specs(weight)[study], policy, seed)
        assert found == pytest.approx(STORED.regrets[weight][Side(study, policy)][seed], rel=1e-6)


def test_the_file_is_current_and_complete() -> None:
    for weight in results.WEIGHTS:
        specs = results.specs(weight)
        assert STORED.identities[weight] == {n: results.identity_of(s) for n, s in specs.items()}
        sides = {Side(name, policy) for name, spec in specs.items() for policy in spec.policies}
        assert set(STORED.regrets[weight]) == sides
        for values in STORED.regrets[weight].values():
            assert values.shape == (len(STORED.seeds),) == (30,)
            assert np.all(values > 0)


def test_the_command_writes_what_studies_give(tmp_path: Path, monkeypatch) -> None:
    small = {"seeds": 2, "initial": 2, "rounds": 2, "grid": Grid(2, 1.0, 4)}
    monkeypatch.setattr(results, "ExperimentOptions", partial(ExperimentOptions, **small))
    monkeypatch.setattr(results, "_FIGURES", {"figure-2": figure_2})
    path = tmp_path / "experiments.json"
    runs = ["experiments", str(tmp_path / "runs"), "--file"]
    paper_runs.main([*runs, str(path)])
    found = results.read(path)
    spec = figure_2(ExperimentOptions(exploration="sqrt-beta", **small))["length-10"]
    tv = run_study(spec).trajectories["tv"]
    regrets = [float(np.mean(run.best_values - run.values)) for run in tv]
    assert list(found.regrets["sqrt-beta"][Side("length-10", "tv")]) == regrets
    kept = tmp_path / "runs" / "figure-2" / "matern52-sqrt-beta" / "length-10" / "tv-1.npz"
    before = kept.stat().st_mtime_ns
    paper_runs.main([*runs, str(tmp_path / "again.json")])
    assert kept.stat().st_mtime_ns == before
    assert (tmp_path / "again.json").read_text() == path.read_text()


@pytest.mark.parametrize(
    ("name", "weight"),
    [
        ("proposed-best-at-10", "beta"),
        ("proposed-best-at-10", "sqrt-beta"),
        ("tv-steady", "beta"),
        ("alike-at-10", "beta"),
    ],
)
def test_statistics_by_the_slow_road(name: str, weight: str) -> None:
    """Bootstrap in loops with quantiles read off the sorted list, Student's t by scipy.stats."""
    sentence = next(s for s in SENTENCES if s.id == name)
    regrets = STORED.regrets[weight]
    draws = np.random.default_rng(20_200_309).integers(30, size=(10_000, 30)).tolist()
    found = judge(sentence, regrets, 0.95)
    count = len(sentence.comparisons)
    supported, contradicted = [], []
    for place, wanted in enumerate(sentence.comparisons):
        left, right = (regrets[side].tolist() for side in (wanted.left, wanted.right))
        samples = sorted(
            difference(wanted.statistic, [left[k] for k in draw], [right[k] for k in draw])
            for draw in draws
        )
        whole = difference(wanted.statistic, left, right)
        # Tukey's pseudo-values: Student's t of these, about the statistic itself.
        pseudo = [
            30 * whole
            - 29
            * difference(
                wanted.statistic,
                *([side[k] for k in range(30) if k != out] for side in (left, right)),
            )
            for out in range(30)
        ]
        margin = wanted.margin * sum(right) / 30
        for compared, level in ((found.compared, 0.95), (found.corrected, 1 - 0.05 / count)):
            half = stats.t.ppf((1 + level) / 2, 29) * stats.sem(pseudo)
            low = min(quantile(samples, (1 - level) / 2), whole - half)
            high = max(quantile(samples, (1 + level) / 2), whole + half)
            assert compared[place].low == pytest.approx(low, rel=1e-9, abs=1e-12)
            assert compared[place].high == pytest.approx(high, rel=1e-9, abs=1e-12)
            assert compared[place].level == level
            if level == 0.95:
                inside = -margin <= low and high <= margin
                supported.append(inside if wanted.relation == "alike" else high < 0)
            else:
                outside = low > margin or high < -margin
                contradicted.append(outside if wanted.relation == "alike" else low > 0)
    assert (found.outcome is Outcome.SUPPORTED) == all(supported)
    assert (found.outcome is Outcome.CONTRADICTED) == (any(contradicted) and not all(supported))
    worst = found.deciding
    assert worst in (found.corrected if any(contradicted) else found.compared)
    assert worst.outcome is found.outcome


def difference(statistic: str, left: list[float], right: list[float]) -> float:
    means = [sum(side) / len(side) for side in (left, right)]
    if statistic == "mean":
        return means[0] - means[1]
    squares = [
        sum((x - mean) ** 2 for x in side) for side, mean in zip((left, right), means, strict=True)
    ]
    return 0.5 * math.log(squares[0] / squares[1])


def quantile(ordered: list[float], share: float) -> float:
    position = share * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def test_a_sentence_that_does_not_exist_is_an_error(monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.records.verify.sample_for", lambda *_: SAMPLE)
    assert verify(claims=[claim(sentence="nobody said so")]).rows[0].verdict is Verdict.ERROR


@pytest.mark.parametrize("verdict", ["PROVED", "REFUTED", "PROVED_ON_BOX"])
def test_a_forged_verdict_on_runs_is_refused(verdict: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.records.verify.sample_for", lambda *_: SAMPLE)
    ledger = verify(claims=[AT_1])
    body = files.certificate(ledger, "test")
    assert body["claims"][0]["sentence"] == AT_1.sentence
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    (honest,) = recheck(path, [AT_1])
    assert honest.accepted and not honest.derived
    for forged in (
        {},
        {"proof": [], "covers": ""},
        {"box": "all"},
        {"counterexample": {"case": {}, "left": ["1", "1"], "right": ["0", "0"]}},
    ):
        body["claims"][0].update({"verdict": verdict, **forged})
        body["digest"] = files.digest(body)
        path.write_text(json.dumps(body), encoding="utf-8")
        (result,) = recheck(path, [AT_1])
        assert not result.accepted


def test_evidence_of_runs_stands_in_the_row(monkeypatch) -> None:
    monkeypatch.setattr("proofs_check.records.verify.sample_for", lambda *_: SAMPLE)
    shown = verify(claims=[AT_1]).rows[0].to_json()
    assert (shown["sentence"], shown["formula"]) == (AT_1.sentence, "")
    assert shown["engines"][0]["engine"] == "runs"
    assert shown["domain"] == "the distribution of runs over seeds"
    broken = replace(AT_1, sentence="proposed-best")
    assert isinstance(judge_claim(broken, SAMPLE), Evidence)

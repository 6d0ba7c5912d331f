"""The stored runs with tuned hyperparameters are of the planned studies, and come again."""

import json
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.paper_runs import planned, signed
from bounds.errors import InvalidInput
from proofs_check.ledgers import CLAIMS
from simulation.paper.experiment_results import identity_of
from simulation.paper.findings import Outcome
from simulation.paper.tuned_results import (
    FIGURE_1,
    FORMAT,
    PUBLISHED_ENDS,
    bundled,
    read,
    tuned_findings,
)
from simulation.study.study import run_study

STORED = read(bundled())


def test_they_are_the_studies_that_are_planned() -> None:
    specs = planned()
    keys = [(one.horizon, one.tune, one.weight, one.study) for one in STORED]
    assert keys == list(specs)
    for key, one in zip(keys, STORED, strict=True):
        spec = specs[key]
        assert one.identity == identity_of(spec), "write the file anew"
        assert one.seeds == tuple(spec.all_seeds) and tuple(one.regrets) == spec.policies
        for values in one.regrets.values():
            assert values.shape == (len(one.seeds), len(one.rounds))
            assert one.rounds[-1] == spec.total_rounds and np.all(values >= 0.0)


@pytest.mark.parametrize("policy", ["gp-ucb", "ctv-fixed"])
def test_a_run_comes_again(policy: str) -> None:
    key = ("figure-1", "likelihood", "beta", "se-uniform")
    (one,) = (s for s in STORED if (s.horizon, s.tune, s.weight, s.study) == key)
    spec = replace(planned()[key], policies=(policy,), seeds=1, seed=4)
    (run,) = run_study(spec).trajectories[policy]
    assert run.regret_per_round == pytest.approx(one.regrets[policy][4, -1], rel=1e-9)


def test_refitting_does_not_put_gp_ucb_and_tv_behind_ctv() -> None:
    """What the authors' published runs show is not made by fits to a run's own data."""
    for one in STORED:
        if (one.horizon, one.tune, one.study) != ("published", "likelihood", "se-uniform"):
            continue
        end = {policy: float(values[:, -1].mean()) for policy, values in one.regrets.items()}
        assert end["tv"] < 1.15 * end["ctv"]  # published: 1.44 times
        behind = end["gp-ucb"] / end["ctv"]  # published: 1.81 times
        assert (behind < 1.15) == (one.weight == "beta")
        assert (behind > 1.6) == (one.weight == "beta/16")


def test_the_ledger_quotes_what_is_stored() -> None:
    """The remark of experiments-proposed-best, number by number."""
    (claim,) = (claim for claim in CLAIMS if claim.id == "experiments-proposed-best")
    key = ("published", "likelihood", "se-uniform")
    long = {one.weight: one for one in STORED if (one.horizon, one.tune, one.study) == key}
    named = ("gp-ucb", "tv", "ctv")
    for weight in ("beta", "beta/16"):
        ends = [f"{long[weight].regrets[policy][:, -1].mean():.2f}" for policy in named]
        assert f"{ends[0]}, {ends[1]} and {ends[2]}" in claim.remark.replace("\n", " ")
    published = [f"{PUBLISHED_ENDS['se-uniform'][policy]:.2f}" for policy in named]
    assert f"{published[0]}, {published[1]} and {published[2]}" in claim.remark
    found = tuned_findings(STORED, "likelihood", "beta")
    (proposed,) = (one for one in found if one.sentence.id == "proposed-best")
    assert (proposed.outcome is Outcome.NOT_SUPPORTED) == ("neither supported" in claim.remark)
    held_out = tuned_findings(STORED, "cross-validation", "beta")
    (proposed,) = (one for one in held_out if one.sentence.id == "proposed-best")
    said = "held-out seeds it is contradicted" in claim.remark
    assert (proposed.outcome is Outcome.CONTRADICTED) == said
    for one in (one for one in STORED if one.tune == "posterior"):
        ends = [f"{one.regrets[policy][:, -1].mean():.2f}" for policy in named]
        assert f"{ends[0]}, {ends[1]} and {ends[2]}" in claim.remark


def test_every_sentence_about_figure_1_is_judged() -> None:
    found = {tune: tuned_findings(STORED, tune, weight) for tune, weight in FIGURE_1}
    assert len(found["likelihood"]) == 12
    assert len(found["cross-validation"]) == 12
    # What is said of the squared exponential alone.
    (steadier,) = found["posterior"]
    assert steadier.sentence.id == "ctv-steadier-than-gp-ucb"


@pytest.mark.parametrize("study", ["se-uniform", "se-biased"])
def test_posterior_draws_make_no_other_order_than_the_likelihood(study: str) -> None:
    ends = {
        one.tune: {policy: float(values[:, -1].mean()) for policy, values in one.regrets.items()}
        for one in STORED
        if (one.horizon, one.weight, one.study) == ("figure-1", "beta", study)
    }
    for tune in ("posterior", "likelihood"):
        assert all(ends[tune]["gp-ucb"] < ends[tune][name] for name in ("tv", "ctv", "ctv-fixed"))
    for policy, end in ends["posterior"].items():
        # GP-UCB alone is drawn towards the others, at times t(x).
        near = 0.11 if (policy, study) == ("gp-ucb", "se-biased") else 0.04
        assert end == pytest.approx(ends["likelihood"][policy], rel=near)


def test_what_is_written_is_read_and_what_is_changed_is_refused(tmp_path) -> None:
    held = json.loads(bundled().read_text(encoding="utf-8"))
    body = {name: held[name] for name in ("what", "studies")}
    text, path = signed(FORMAT, "tuned", body), tmp_path / "tuned.json"
    path.write_text(text, encoding="utf-8")
    assert [one.identity for one in read(path)] == [one.identity for one in STORED]
    made = ("version", "command", "digest")
    again = json.loads(text)
    assert {**held, **dict.fromkeys(made)} == {**again, **dict.fromkeys(made)}
    path.write_text(text.replace('"tune": "none"', '"tune": "hand"', 1))
    with pytest.raises(InvalidInput, match="is damaged"):
        read(path)
    path.write_text("[]")
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(path)


def test_the_line_that_is_commented_out_makes_tv_rise() -> None:
    """Three units of drift a round: TV as released rises and ends far above TV; at one it does not.

    The numbers are those of the remarks in the ledger.
    """
    rows = {one.study: one.regrets for one in STORED if one.horizon == "released"}
    (claim,) = (claim for claim in CLAIMS if claim.id == "experiments-tv-over-gp-ucb")
    free, printed = (rows["se-length-3"][name] for name in ("tv-as-released", "tv"))
    apart = free[:, -1] - printed[:, -1]
    error = float(np.std(apart, ddof=1)) / len(apart) ** 0.5
    assert apart.mean() > 4 * error and free[:, -1].mean() > 1.4 * free[:, 2].mean()
    said = f"({apart.mean():.2f} more, standard error {error:.2f}, {len(apart)} seeds)"
    assert said in " ".join(claim.remark.split())
    equal = rows["se-length-1"]["tv-as-released"][:, -1] - rows["se-length-1"]["tv"][:, -1]
    assert abs(equal.mean()) < 2 * float(np.std(equal, ddof=1)) / len(equal) ** 0.5
    for study, name in (("se-length-3", "tv"), ("se-length-1", "tv"), ("se-length-1", "tv")):
        for policy in (name, f"{name}-as-released"):
            assert f"{rows[study][policy][:, -1].mean():.2f}" in claim.remark
    (claim,) = (claim for claim in CLAIMS if claim.id == "experiments-proposed-best")
    key = ("figure-1", "released", "se-uniform")
    (one,) = (s for s in STORED if (s.horizon, s.weight, s.study) == key)
    ends = [f"{values[:, -1].mean():.2f}" for values in list(one.regrets.values())[:3]]
    assert f"{ends[0]}, {ends[1]} and {ends[2]}" in " ".join(claim.remark.split())

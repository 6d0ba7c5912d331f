"""The weighted set against dense quadrature and a long chain, and what a fit says of a log."""

import json
from dataclasses import replace
from operator import attrgetter
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import special

from benchmarks.fit_coverage import Setting, simulated_trace
from bounds.errors import InvalidInput
from bounds.noise import noise_of_rows
from own_runs.prior import fit as room
from own_runs.prior.checks import Residuals
from own_runs.prior.files import FORMAT, read_prior
from own_runs.prior.fit import Fit, _estimates, _of_ranges, data_of, fit
from simulation.prior.candidates import Candidates
from simulation.prior.conjugate import MeanAndScale, Posterior
from simulation.prior.evidence import Data, Member
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior, Structure
from simulation.prior.importance import log_prior
from simulation.prior.nonstationary import Nonstationarity
from simulation.prior.sampled import FamilyDraws, StructureEvidence, sampled_candidates

PLAIN = Hyperprior(kernels=("se",), drift=0.0, per_input=0.0)


def log_of(n=40, **setting):
    return simulated_trace(Setting(rounds=n, **setting), seed=3)[0]


def quadrature(data: Data, hyperprior: Hyperprior, steps=61):
    """Evidence and mean log lengthscale over a grid of (ℓ, σ²), no drift."""
    prior = MeanAndScale.around(data.values)
    z = np.linspace(-4.0, 4.0, steps)
    both = np.stack([a.ravel() for a in np.meshgrid(z, z, indexing="ij")], axis=1)
    (structure,) = hyperprior.structures(2)
    members = hyperprior.members(structure, both, 2, 1.0)
    logs = data.log_evidence(members, prior) + log_prior(both)
    cell = (z[1] - z[0]) ** 2
    weights = np.exp(logs - logs.max())
    evidence = np.log(weights.sum() * cell) + logs.max()
    return evidence, weights @ both / weights.sum()


def test_evidence_and_weights_against_dense_quadrature():
    data = data_of(log_of(30))
    expected, center = quadrature(data, PLAIN)
    candidates, structures, _ = sampled_candidates(data, PLAIN, MeanAndScale.around(data.values))
    assert structures[0].log_evidence == pytest.approx(expected, abs=0.1)
    lengths = np.log([m.lengthscales[0] for m in candidates.members]) - np.log(0.3)
    noises = np.log([m.noise_variance for m in candidates.members]) - np.log(0.02)
    found = [
        candidates.weights @ lengths / PLAIN.lengthscale.width,
        candidates.weights @ noises / PLAIN.noise_variance.width,
    ]
    assert found == pytest.approx(center, abs=0.06)


@pytest.mark.parametrize("size", [1e300, 1e101, 1e-101, 5e-324])
def test_numbers_whose_squares_are_none_are_refused(size):
    plain = log_of(8)
    for changes, field in (
        ({"values": np.asarray(plain.values) * size}, "y"),
        ({"times": np.arange(1.0, 9.0) * size}, "duration"),
    ):
        with pytest.raises(InvalidInput, match=f"^{field} = .*another unit"):
            data_of(replace(plain, **changes))


@pytest.mark.parametrize("size", [1e99, 1e-13, 1e-99])
def test_the_unit_of_y_shifts_the_evidence_by_its_logarithm(size):
    plain = data_of(log_of(12))
    scaled = replace(plain, values=plain.values * size)
    members = [Member("se", 0.01, (0.2, 0.3), 0.02), Member("matern52", 0.1, (1.0, 2.0), 0.1)]
    one, other = (d.log_evidence(members, MeanAndScale.around(d.values)) for d in (plain, scaled))
    np.testing.assert_allclose(other, one - 12 * np.log(size), rtol=1e-12)


def test_changes_that_doubles_lose_are_refused():
    with pytest.raises(InvalidInput, match="its changes are lost in doubles"):
        MeanAndScale.around(1e15 + np.arange(4.0))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["se", "matern52"])
def test_weights_against_a_long_chain(kernel):
    """Random-walk Metropolis over drift, level and both lengthscales, 20,000 steps."""
    data = data_of(log_of(60, kernel=kernel))
    hyperprior = Hyperprior(kernels=(kernel,), drift=1.0, level_share=1.0, per_input=1.0)
    prior = MeanAndScale.around(data.values)
    candidates, _, families = sampled_candidates(data, hyperprior, prior)
    assert families[0].effective >= 200
    (structure,) = hyperprior.structures(2)
    span = float(np.ptp(data.times))
    rng = np.random.default_rng(1)

    def target(z):
        member = hyperprior.members(structure, z[None], 2, span)[0]
        inside = log_prior(z[None])[0]
        return data.log_evidence([member], prior)[0] + inside if np.isfinite(inside) else -np.inf

    z, value, kept = np.zeros(5), target(np.zeros(5)), []
    for step in range(20_000):
        moved = z + 0.35 * rng.standard_normal(5)
        there = target(moved)
        if np.log(rng.random()) < there - value:
            z, value = moved, there
        if step >= 2_000:
            kept.append(z)
    chain = np.array(kept)
    laws = (hyperprior.lengthscale,) * 2, hyperprior.noise_variance
    values = np.array(
        [
            [
                *(np.log(np.array(m.lengthscales) / laws[0][0].median) / laws[0][0].width),
                np.log(m.noise_variance / laws[1].median) / laws[1].width,
                np.log(m.half_life / span / hyperprior.half_life.median)
                / hyperprior.half_life.width,
                np.log(m.level / hyperprior.level.median) / hyperprior.level.width,
            ]
            for m in candidates.members
        ]
    )
    mean = candidates.weights @ values
    deviation = np.sqrt(candidates.weights @ (values - mean) ** 2)
    assert mean == pytest.approx(chain.mean(axis=0), abs=0.15)
    assert deviation == pytest.approx(chain.std(axis=0), rel=0.25)


def test_a_fit_finds_drift_where_there_is_some_and_none_where_there_is_none():
    drifting = fit(log_of(60, epsilon=0.05, policy="random"), draws=160)
    still = fit(log_of(60, epsilon=0.0, policy="random"), draws=160)
    assert drifting.drift_share > 0.99
    assert still.drift_share < 0.5
    by_name = {row.name: row for row in drifting.estimates}
    assert by_name["epsilon"].low < 0.05 < by_name["epsilon"].high
    assert by_name["lengthscale of x1"].low < 0.25 < by_name["lengthscale of x1"].high


def test_the_same_seed_gives_the_same_set_and_its_json_is_finite():
    log = log_of(25, epsilon=0.0)
    first, again = fit(log, draws=100), fit(log, draws=100)
    assert np.array_equal(first.candidates.weights, again.candidates.weights)
    found = json.loads(json.dumps(first.to_dict(), allow_nan=False))
    assert sum(row["weight"] for row in found["candidates"]) == pytest.approx(1.0)
    assert sum(row["share"] for row in found["evidence"]) == pytest.approx(1.0)
    assert found["rows"]["used"] == 25


def test_units_of_y_and_of_time_change_nothing_but_themselves():
    log = log_of(30)
    scaled = replace(log, values=1e4 * log.values - 7.0, times=log.times / 3600.0)
    one, other = fit(log, draws=100), fit(scaled, draws=100)
    # Where the searches end differs by rounding, and with it the proposals, but hardly.
    assert other.candidates.weights == pytest.approx(one.candidates.weights, abs=0.01)
    rows = {
        row.name: (row.estimate, there.estimate)
        for row, there in zip(one.estimates, other.estimates, strict=True)
    }
    assert rows["scale"][1] == pytest.approx(1e4 * rows["scale"][0], rel=0.05)
    assert rows["half_life"][1] == pytest.approx(rows["half_life"][0] / 3600.0, rel=0.05)


def test_small_values_are_good_is_a_mirror():
    log = log_of(30)
    mirrored = replace(log, values=-log.values, direction="minimize")
    one, other = fit(log, draws=60), fit(mirrored, draws=60)
    assert np.array_equal(one.candidates.weights, other.candidates.weights)
    means = [next(r for r in f.estimates if r.name == "mean") for f in (one, other)]
    assert means[1].estimate == pytest.approx(-means[0].estimate, rel=1e-9)


def test_finite_hyperpriors_are_bayes_rule():
    log = log_of(20)
    members = tuple(Member("se", rate, (0.25, 0.25), 0.01) for rate in (0.0, 0.005, 0.1))
    prior = MeanAndScale(0.0, 1.0, 2.0, 2.0)
    found = fit(log, hyperprior=FiniteHyperprior(members, (0.5, 0.3, 0.2), prior))
    logs = data_of(log).log_evidence(members, prior) + np.log([0.5, 0.3, 0.2])
    expected = np.exp(logs - special.logsumexp(logs))
    assert found.candidates.weights == pytest.approx(expected)
    assert found.candidates.exact and not found.structures and not found.families
    evidence, posterior = data_of(log).judged(members, prior)
    assert found.candidates.log_evidence.tolist() == evidence.tolist()
    assert found.candidates.posterior.rows.tolist() == posterior.rows.tolist()
    assert found.candidates.members == members and found.candidates.mean_and_scale is prior


def test_residuals_are_uniform_under_the_truth_and_see_an_outlier():
    log = log_of(60, policy="random")
    found = fit(log, draws=160)
    assert found.residuals.uniformity > 0.01
    assert abs(found.residuals.autocorrelation) < 2 * found.residuals.band
    values = log.values.copy()
    values[30] += 12.0
    broken = fit(replace(log, values=values), draws=160)
    (said,) = [line for line in broken.asked if "errors" in line]
    assert said.startswith("far larger errors in some rows (31) (")
    narrow = fit(replace(log, values=values), draws=160, hyperprior=PLAIN)
    assert 31 in narrow.residuals.outliers and not narrow.asked


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda log: replace(log, values=np.full(log.n, 2.0)), "y = the same in every row"),
        (
            lambda log: replace(
                log, values=log.values[:3], points=log.points[:3], times=log.times[:3]
            ),
            "3 observed rows",
        ),
    ],
)
def test_bad_logs(change, message):
    with pytest.raises(InvalidInput, match=message):
        fit(change(log_of(20)))


def handmade(direction="maximize", lengths=((0.3, 0.5), (0.2, 0.4))) -> Fit:
    """Two members whose numbers are all different, one of them without drift."""
    log = replace(log_of(20), direction=direction, skipped={"failed": 2, "running": 1})
    log = replace(log, axes=log.axes[: len(lengths[0])])
    members = (Member("se", 0.0, lengths[0], 0.02), Member("matern52", 0.25, lengths[1], 0.05, 1.5))
    rows = np.array([[3.0, 0.5, 2.0, 8.0], [4.0, 0.25, 3.0, 27.0]])
    candidates = Candidates(
        members,
        np.array([0.25, 0.75]),
        np.array([-7.0, -6.0]),
        MeanAndScale(1.0, 4.0, 1.0, 2.0),
        Posterior.of_rows(rows),
        False,
    )
    checked = Residuals(np.array([0.5]), np.array([0.0]), 0.3, -0.1, 0.4, (3,))
    structure = StructureEvidence(Structure("se", False, True, True), -5.0, 0.9, 64)
    return Fit(
        log,
        Hyperprior(),
        candidates,
        (structure,),
        (FamilyDraws("se", 64, 33.5),),
        checked,
        _estimates(log, candidates),
        ("a warning",),
        1.5,
    )


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_the_json_of_a_fit_says_all_that_it_holds(direction: str, tmp_path) -> None:
    """The set is read again as it was; the summaries are those of weights by hand."""
    found = handmade(direction)
    said = {"format": FORMAT, **found.to_dict(), "fitted": {"rows": 20, "digest": ""}}
    path = tmp_path / "prior.json"
    path.write_text(json.dumps(said))
    again, given = read_prior(path), found.candidates
    assert (again.members, again.exact, again.unit) == (given.members, False, "s")
    assert again.mean_and_scale == given.mean_and_scale
    for name in ("weights", "log_evidence", "posterior.rows"):
        one, other = (attrgetter(name)(candidates).tolist() for candidates in (again, given))
        assert one == other
    assert again.inputs == ("x1=0..1", "x2=0..1") and said["direction"] == direction

    def row(estimate, low, high):
        ends = {"estimate": estimate, "low": low, "high": high}
        return {key: end if end is None else pytest.approx(end) for key, end in ends.items()}

    rate, life = 1.0 - np.exp(-0.5), np.log(2.0) / 0.25
    assert said["prior"] == {
        "epsilon": row(rate, 0.0, rate),
        "theta": row(0.25, 0.0, 0.25),
        "half_life": row(life, life, None),
        "lengthscale": [row(0.2, 0.2, 0.3), row(0.4, 0.4, 0.5)],
        "noise_variance": row(0.05, 0.02, 0.05),
        "level": row(1.5, 0.0, 1.5),
        "scale": row(3.0, 2.0, 3.0),
        "mean": row(4.0, 3.0, 4.0) if direction == "maximize" else row(-4.0, -4.0, -3.0),
    }
    assert said["candidates"][1]["epsilon"] == pytest.approx(rate)
    assert {k: said["candidates"][1][k] for k in ("mean", "scale")} == {"mean": 4.0, "scale": 3.0}
    (evidence,) = said["evidence"]
    assert evidence["lengthscale_per_input"] and not evidence["drift"] and evidence["share"] == 0.9
    assert said["effective_size"] == {"se": 33.5} and said["warnings"] == ["a warning"]
    assert said["residuals"]["outliers"] == [3] and found.drift_share == 0.75
    assert said["rows"] == {"used": 20, "reasons": {"failed": 2, "running": 1}, "skipped": 3}
    one = handmade(lengths=((0.3,), (0.2,))).to_dict()["prior"]["lengthscale"]
    assert one == row(0.2, 0.2, 0.3)


PERIOD = 4.0 * np.log(2.0) / 0.25
"""Four half-lives of the drifting member of `handmade`, the quarters of a squared cosine."""


@pytest.mark.parametrize(
    ("asks", "said"),
    [
        ({"kernel": "two-scales"}, ["two lengthscales in space"]),
        ({"power": 0.5}, ["a scale of y that draws its large values in"]),
        ({"power": 1.5}, ["a scale of y that draws its small values in"]),
        (
            {"drift": True, "memory": "sinusoid"},
            [
                "a drift that is none of a forgetting kernel",
                f"a sinusoid drift of period {PERIOD:.3g} s",
            ],
        ),
        (
            {"nonstationary": Nonstationarity(change=7.25)},
            ["another objective after 7.25 s (one change point)"],
        ),
        ({"nonstationary": Nonstationarity(bends=(0.0, 2.0))}, ["inputs on a bent scale: x2"]),
        (
            {"nonstationary": Nonstationarity(slopes=(1.0, -2.0))},
            ["errors that change with x1, x2"],
        ),
    ],
)
def test_what_a_log_asks_for_is_said_with_its_probability(asks, said) -> None:
    """That of the structures that have it, where it is above a half."""
    found = handmade()
    plain = Structure("se", False, False, False)
    shares = ((replace(plain, **asks), 0.51), (plain, 0.49))
    rows = tuple(StructureEvidence(structure, 0.0, share, 1) for structure, share in shares)
    still, moves = found.candidates.members
    members = (still, replace(moves, memory=asks.get("memory", "forgetting")))
    candidates = replace(found.candidates, members=members)
    found = replace(found, structures=rows, candidates=candidates)
    assert list(found.asked) == [f"{one} (51%)" for one in said]
    half = tuple(replace(row, share=0.5) for row in rows)
    assert replace(found, structures=half).asked == ()


def test_estimates_name_their_units_and_have_four_ends() -> None:
    rows = {one.name: one for one in handmade().estimates}
    units = {name: one.unit for name, one in rows.items()}
    assert (units["epsilon"], units["half_life"], units["lengthscale of x2"]) == (
        ("per s", "s", "of its range")
    )
    assert (units["noise_variance"], units["scale"], units["mean"]) == ("of scale²", "of y", "of y")
    noise = rows["noise_variance"]
    ends = (noise.low, noise.inner_low, noise.estimate, noise.inner_high, noise.high)
    assert ends == (0.02, 0.02, 0.05, 0.05, 0.05)


def test_what_speaks_against_a_fit_is_said(monkeypatch) -> None:
    """Residuals first, then the families of fewer than 200 effective draws of 640."""
    given = handmade()
    families = (FamilyDraws("se", 640, 199.9), FamilyDraws("matern52", 640, 200.0))
    checked = replace(given.residuals, uniformity=0.001, autocorrelation=0.0)
    sampled = (given.candidates, given.structures, families)
    monkeypatch.setattr(room, "sampled_candidates", lambda *given, **options: sampled)
    monkeypatch.setattr(room, "residuals", lambda data, candidates: checked)
    first, second, third, *others = fit(log_of(20)).warnings
    assert first.startswith("the observations do not ") and second.startswith("observation 3 is")
    assert third == (
        "the weights of se rest on 200 effective draws of 640: ctv fit --draws takes more"
    )
    assert not any("matern52 rest" in one for one in others)
    with pytest.raises(InvalidInput, match="seed = -1: give a whole number of at least 0"):
        fit(log_of(20), seed=-1)


def test_rows_at_the_edge_of_what_is_fitted(monkeypatch) -> None:
    log = log_of(20)

    def first(n: int):
        return replace(log, points=log.points[:n], values=log.values[:n], times=log.times[:n])

    assert data_of(first(5)).n == 5
    with pytest.raises(InvalidInput, match="data = 4 observed rows: give at least 5"):
        data_of(first(4))
    monkeypatch.setattr(room, "LARGEST_ROWS", 19)
    assert data_of(first(19)).n == 19
    with pytest.raises(InvalidInput, match="data = 20 observed rows: give at most 19"):
        data_of(log)
    low = replace(first(6), direction="minimize", noise=noise_of_rows(np.arange(1.0, 7.0)))
    assert np.array_equal(data_of(low).values, -low.values) and data_of(low).noise is low.noise


def of_ranges(members, weights=None, hyperprior=None, axes=2):
    weights = np.full(len(members), 1.0 / len(members)) if weights is None else np.array(weights)
    log = log_of(20)
    log = replace(log, axes=log.axes[:axes])
    candidates = SimpleNamespace(members=members, weights=weights)
    return _of_ranges(Hyperprior() if hyperprior is None else hyperprior, candidates, log)


SPAN = float(np.ptp(log_of(20).times))
SHORT, LONG = 0.3 / 2.5**4, 0.3 * 2.5**4


def members_at(first=0.0, noise=0.0, life=0.0, apart=0.0):
    """Two members, so many deviations of the logarithm from the medians of the ranges."""
    return tuple(
        Member("se", rate, (0.3 * 2.5**first, 0.3), 0.02 * 6.0**noise)
        for rate in (np.log(2.0) / (SPAN * 0.5 * 6.0 ** (life + a)) for a in (-apart, apart))
    )


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({}, None),
        ({"first": 2.49, "noise": -2.49, "life": 2.49}, None),
        (
            {"first": 2.51},
            f"the lengthscale of x1 touches the end of its range ({0.3 * 2.5**4:.2g})",
        ),
        (
            {"first": -2.51},
            f"the lengthscale of x1 touches the end of its range ({0.3 / 2.5**4:.2g})",
        ),
        ({"noise": 2.6}, f"the noise touches the end of its range ({0.02 * 6.0**4:.2g})"),
        ({"life": -2.6}, f"the half-life touches the end of its range ({0.5 / 6.0**4:.2g})"),
        ({"apart": 0.84}, None),
        ({"apart": 0.86}, "the half-life is not identified: its posterior equals the hyperprior"),
    ],
)
def test_what_touches_the_end_of_its_range_or_is_not_identified(where, said) -> None:
    """In standard deviations of the logarithm: a mean beyond 2.5, or a spread above 0.85."""
    found = of_ranges(members_at(**where))
    assert len(found) == (said is not None) and all(one.startswith(said) for one in found)


def test_noise_and_half_lives_that_the_log_does_not_say() -> None:
    """Without drift there is no half-life; with some, it is that of the drifting members alone."""
    wide = (Member("se", 0.0, (0.3, 0.3), 0.02 / 6.0), Member("se", 0.0, (0.3, 0.3), 0.02 * 6.0))
    (said,) = of_ranges(wide)
    assert said.endswith("its posterior equals the hyperprior (no point was repeated)")
    assert said.startswith("the noise is not identified")
    still, fast = Member("se", 0.0, (0.3, 0.3), 0.02), members_at(life=-2.6)[0]
    assert of_ranges((still, fast), [0.5, 0.5]) == []
    (said,) = of_ranges((still, fast), [0.49, 0.51])
    assert said.startswith("the half-life touches")
    law = MeanAndScale(0.0, 1.0, 1.0, 1.0)
    finite = FiniteHyperprior(members_at(), (0.5, 0.5), law)
    assert of_ranges(members_at(first=3.0), hyperprior=finite) == []


def test_a_hyperprior_for_other_inputs_is_refused():
    member = Member("se", 0.0, (0.3,), 0.01)
    other = FiniteHyperprior((member,), (1.0,), MeanAndScale(0.0, 1.0, 1.0, 1.0))
    with pytest.raises(InvalidInput, match="the log has 2 inputs"):
        fit(log_of(20), hyperprior=other)


def test_structures_are_said_in_words():
    assert str(Structure("se", True, True, True)) == "se, drift, level, a lengthscale per input"
    assert str(Structure("matern52", False, False, False)) == "matern52, no drift"

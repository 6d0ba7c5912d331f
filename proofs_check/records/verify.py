"""Run the engines over the claims: `verify(ids, budget) -> Ledger`.

>>> verify(["lemma-1-exact"]).as_expected
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter

from bounds.errors import InvalidInput
from bounds.progress import Stage
from proofs_check.enclosures.subdivision import enclose, ground
from proofs_check.language.claim import Claim, Evidence, Verdict
from proofs_check.ledgers import CLAIMS
from proofs_check.prover import own
from proofs_check.prover.record import evidence as recorded_evidence
from proofs_check.prover.record import reachable, supports
from proofs_check.prover.written import original, shipped
from proofs_check.recheck.outcome import CRASHES
from proofs_check.records.ledger import Ledger, assemble
from proofs_check.records.limits import within_limits
from proofs_check.records.names import belonging
from proofs_check.records.study_evidence import Sample, judge_claim, sample_for
from proofs_check.search.finder import SearchBudget, search

BUDGETS = {
    "fast": (SearchBudget(cases=400, moves=240, shrinks=400, climbs=3), 4_000, 30),
    "deep": (
        SearchBudget(10_000, 8_000, 4_000, far=2_000, climbs=4, evaluations=400),
        200_000,
        1_800,
    ),
}
"""What the search may spend, the boxes of a cover, and a claim's seconds of processor time.

Where the kernel accepted what the formula means, the search looks for a point of the domain alone;
where it accepted a theorem that is the claim, the search of a case of it spends a third.
"""

_WORTH_WORKERS = 8
_SHARE_OF_RUNS = 0.3


def verify(
    ids: Sequence[str] = (),
    budget: str = "fast",
    *,
    seed: int = 0,
    workers: int = 1,
    claims: Sequence[Claim] = CLAIMS,
    progress: Stage | None = None,
    anew: bool = False,
) -> Ledger:
    """The ledger of the claims named by `ids` (none: all), in paper order.

    A name may also be that of a lemma, a theorem or a place: then all that belongs to it.

    `budget` is "fast" (under a minute for all claims on two cores) or "deep". The result depends
    on `seed` and `budget` alone, never on `workers`. `progress(id, share)` is called after each
    claim, with "deep" also after each simulated run. Claims that the named ones rest on are
    examined too, but not shown. The proofs of claims that are not shipped are compiled where they
    have not been, all of them where it is `anew`; the usual tactics then look for scripts of those
    that have none and are expected to be PROVED. Raises `InvalidInput` for an unknown name, with
    the nearest ones.
    """
    if budget not in BUDGETS:
        raise InvalidInput("budget", budget, "use fast or deep")
    wanted = belonging(ids, claims)
    by_id = own.scripted(index(claims))
    claims = tuple(by_id[claim.id] for claim in claims)
    needed = _with_supports(wanted or list(by_id), by_id)
    chosen = [claim for claim in claims if claim.id in needed]
    count = workers if len(chosen) >= _WORTH_WORKERS else 1
    begin = 0.0

    def simulating(message: str, share: float) -> None:
        nonlocal begin
        begin = _SHARE_OF_RUNS * share
        if progress:
            progress(message, begin)

    sample = sample_for(
        [c.sentence for c in chosen if c.sentence], budget, seed, workers, simulating
    )
    mine = [claim for claim in chosen if claim.proof and original(claim).id not in shipped()]
    together = own.asked_together(mine, by_id, anew=anew)
    asked = {
        claim.id: own.evidence(claim, by_id, anew=anew and claim.id not in together)
        for claim in mine
    }
    work = partial(examine, budget=budget, seed=seed, sample=sample, asked=asked)
    seconds = BUDGETS[budget][2]
    evidence = {}
    for place, outcome in within_limits(work, chosen, count, seconds):
        name = chosen[place].id
        evidence[name] = outcome or (_exhausted(seconds), float(seconds))
        if progress:
            progress(name, begin + (1.0 - begin) * len(evidence) / len(chosen))
    if anew:
        standing = [name for name in wanted or evidence if not _fails(evidence.get(name))]
        claims = _with_found_scripts(by_id, standing, evidence)
    return assemble(claims, evidence, budget, seed, wanted or None)


def _fails(answer: tuple[tuple[Evidence, ...], float] | None) -> bool:
    """Whether an engine refuted a claim, which then has no proof."""
    return answer is None or any(evidence.verdict is Verdict.REFUTED for evidence in answer[0])


def _with_found_scripts(
    by_id: Mapping[str, Claim],
    names: Sequence[str],
    evidence: dict[str, tuple[tuple[Evidence, ...], float]],
) -> tuple[Claim, ...]:
    """The claims, those named with the scripts that the usual tactics found; their evidence too."""
    known = own.scripted(by_id, names)
    new = [name for name in names if known[name].proof and not by_id[name].proof]
    together = own.asked_together([known[name] for name in new], known, anew=False)
    for name in new:
        said = own.evidence(known[name], known, anew=name not in together)
        engines, seconds = evidence[name]
        evidence[name] = ((said, *engines) if said else engines), seconds
    return tuple(known.values())


def _exhausted(seconds: int) -> tuple[Evidence, ...]:
    spent = f"its formula takes more than {seconds} s of a processor or 2 GiB of memory"
    return (Evidence("search", Verdict.UNDECIDED, spent),)


def examine(
    claim: Claim,
    budget: str,
    seed: int,
    sample: Sample | None = None,
    asked: Mapping[str, Evidence | None] | None = None,
) -> tuple[tuple[Evidence, ...], float]:
    """Run every engine that the claim supplies; a crash of an engine is an ERROR, not an end.

    A claim about runs is judged by the `sample`; of the prover the record is read, or, of a claim
    that is not shipped, what it was `asked`.
    """
    start = perf_counter()
    search_budget, most_boxes, seconds = BUDGETS[budget]
    alone = asked is not None and claim.id in asked
    accepted = None
    if not claim.sentence:
        accepted = asked[claim.id] if asked and alone else recorded_evidence(claim)
    if accepted is not None and accepted.verdict not in (Verdict.REFUTED, Verdict.UNDECIDED):
        search_budget = search_budget.third() if claim.case else search_budget.glance()
    runs: list[tuple[str, Callable[[], Evidence]]] = [
        ("search", lambda: search(claim, search_budget, seed))
    ]
    if claim.sentence:
        runs = [("runs", lambda: judge_claim(claim, sample))]
    if claim.box is not None:
        runs.append(("enclosure", lambda: enclose(claim, most_boxes)))
    if claim.formula and not claim.parameters:
        runs.append(("exact", lambda: ground(claim)))
    evidence = [] if accepted is None else [accepted]
    for engine, run in runs:
        try:
            evidence.append(run())
        except MemoryError:
            evidence += _exhausted(seconds)
        except CRASHES as error:  # of that claim, not the end of all
            sentence = f"{type(error).__name__}: {error}"
            evidence.append(Evidence(engine, Verdict.ERROR, sentence))  # type: ignore[arg-type]
    return tuple(evidence), perf_counter() - start


def index(claims: Sequence[Claim]) -> dict[str, Claim]:
    """The claims by id; raises `InvalidInput` for two of one id or a name that does not exist."""
    by_id: dict[str, Claim] = {}
    for claim in claims:
        if claim.id in by_id:
            raise InvalidInput("claim", claim.id, "give every claim an id of its own")
        by_id[claim.id] = claim
    for claim in claims:
        for name in (*claim.rests_on, *claim.repairs):
            if name not in by_id:
                raise InvalidInput("claim", name, f"is named by {claim.id} but does not exist")
    return by_id


def _with_supports(ids: Sequence[str], by_id: dict[str, Claim]) -> set[str]:
    def named(name: str) -> Sequence[str]:
        claim = by_id[name]
        behind = [other for other in (*supports(claim), *own.cites(claim)) if other in by_id]
        return [*behind, *(claim.repairs if claim.finding == "slip" else ())]

    return set(reachable(ids, named))

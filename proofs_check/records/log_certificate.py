"""The certificate of a finished run: the log, the prior, the seed and the regrets drawn."""

from __future__ import annotations

from typing import Any

from bounds.errors import InvalidInput
from proofs_check.recheck.reading import LOG_FORMAT, digest
from proofs_check.records.bound_certificate import problem_data
from simulation.after_run.observed import Observed
from simulation.after_run.rank import RankCertificate


def log_certificate(
    observed: Observed, found: RankCertificate, seed: int, version: str
) -> dict[str, Any]:
    """A rank certificate of all rounds as plain data, which `recheck_log` derives again.

    Raises InvalidInput for a run with a noise matrix, of which that format knows nothing.
    """
    if observed.noise is not None:
        raise InvalidInput("certificate", "a noise matrix", "its file is for independent noise")
    body = {
        "format": LOG_FORMAT,
        "version": version,
        "problem": problem_data(observed.problem),
        "points": observed.sites[observed.played].tolist(),
        "observations": observed.observations.tolist(),
        "seed": seed,
        "rank": found.rank,
        "draws": found.regrets.tolist(),
        "claims": [{"id": "rank", "value": found.value}],
    }
    return {**body, "digest": digest(body)}

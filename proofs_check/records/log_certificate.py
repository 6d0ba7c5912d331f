"""The certificate of a finished run: the log, the prior, and the claim."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from bounds.errors import InvalidInput
from proofs_check.recheck.log import rank_again
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import LOG_FORMAT, digest
from proofs_check.recheck.sampling import PADDING
from proofs_check.records.bound_certificate import problem_data
from simulation.after_run.observed import Observed
from simulation.after_run.rank import RankCertificate


def log_certificate(observed: Observed, rank: RankCertificate, version: str) -> dict[str, Any]:
    """A rank certificate of all rounds as plain data, which `recheck_log` derives again.

    What is claimed is the larger of the certificate found and of the one that the recheck makes by
    draws of its own: either is one at the level asked for. Raises InvalidInput for a run with a
    noise matrix, of which that format knows nothing, and for one that the recheck refuses.
    """
    if observed.noise is not None:
        raise InvalidInput("certificate", "a noise matrix", "its file is for independent noise")
    body: dict[str, Any] = {
        "format": LOG_FORMAT,
        "version": version,
        "problem": json.loads(json.dumps(problem_data(observed.problem))),
        "points": observed.sites[observed.played].tolist(),
        "observations": observed.observations.tolist(),
    }
    try:
        again = rank_again(body)[0]
    except Refused as refused:
        raise InvalidInput(
            "certificate", "a file", f"it could not be rechecked: {refused}"
        ) from None
    if not isfinite(again):
        remedy = "its level takes more draws than the recheck makes: a larger --delta"
        raise InvalidInput("certificate", observed.problem.delta, remedy)
    value = max(rank.value, again * (1.0 + PADDING))
    body["claims"] = [{"id": "rank", "value": value}]
    return {**body, "digest": digest(body)}

"""Evidence of one problem under another: whatever is accepted there has to hold there.

The claims and the evidence of a certificate stand in a file with the problem of another one. An
upper bound that is accepted may not lie below a lower bound that is certified for that problem, nor
a lower one above an upper one: both come from the other certificate, made for it.
"""

from __future__ import annotations

import copy
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from proofs_check.recheck.bounds.bound import _is_above, is_lower, recheck_bound
from proofs_check.recheck.reading import digest
from tests.proofs_check.test_recheck_bound import IRREGULAR, certificate_of

PROBLEMS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "fast drift": {"epsilon": 0.3},
    "little noise": {"noise_variance": 0.01},
    "short lengths": {"kernel": SquaredExponential(0.15)},
    "a wide grid": {"grid": Grid(2, 3.0, 5)},
    "long gaps": {"durations": [10 * gap for gap in IRREGULAR]},
    "another drift": {"time_kernel": SquaredExponential(5.0)},
    "late results": {"delay": 3},
}


@pytest.mark.slow
def test_no_evidence_proves_a_bound_of_another_problem_that_is_false(tmp_path: Path) -> None:
    made = {name: certificate_of(**given) for name, given in PROBLEMS.items()}
    known = {
        name: {claim["id"]: claim["value"] for claim in body["claims"]}
        for name, body in made.items()
    }
    accepted = 0
    for one, other in itertools.permutations(made, 2):
        body = copy.deepcopy(made[one])
        body |= {key: made[other][key] for key in ("problem", "instants")}
        path = tmp_path / "swapped.json"
        path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
        try:
            results = [result for result in recheck_bound(path) if result.accepted]
        except InvalidInput:
            continue
        accepted += len(results)
        for result in results:
            for name, value in known[other].items():
                if is_lower(result.id) and _is_above(result.id, name):
                    assert result.value <= value * (1 + 1e-12), (one, other, result.id, name)
                if is_lower(name) and _is_above(name, result.id):
                    assert result.value >= value * (1 - 1e-12), (one, other, result.id, name)
    assert accepted > 50  # a weaker bound than the problem's own is a bound too

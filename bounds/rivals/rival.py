"""A published bound as a value: what it says here, whether it may be used here, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from bounds.kernels import Forgetting
from bounds.problem import Problem

Form = Literal["printed", "corrected", "extension"]

_RELATIVE = 1e-9


@dataclass(frozen=True)
class Rival:
    """One published bound, evaluated for one problem.

    Attributes
    ----------
    name, source : the bound and where it was published
    gain : upper bound on γ̃_n in nats; None where the bound is on regret alone or was not computed
    regret : upper bound on R_n on the problem's finite domain, with β_n = 2 log(|D|π_n/δ) and no
        discretisation (with probability ≥ 1−δ, or in expectation, as `regret_kind` says)
    applies : whether every hypothesis holds here; the numbers are given in any case
    reason : the hypothesis that fails, or what was chosen (block length, rank); one sentence
    form : "printed", "corrected" where the printed inequality is false for some problems,
        "extension" where the published argument is carried further
    regret_kind : "probability" or "mean"
    beta : β in `regret`; a constant chosen with the bound for those in expectation
    regret_box : upper bound on R_n on the whole box, by the theorem's own formula with its own β_n
        and constants, at a gain that bounds the box (see `box`); None without one of these
    beta_box : β in `regret_box`
    """

    name: str
    source: str
    gain: float | None
    regret: float | None
    applies: bool
    reason: str
    form: Form = "printed"
    regret_kind: Literal["probability", "mean"] = "probability"
    beta: float | None = None
    regret_box: float | None = None
    beta_box: float | None = None


def is_static(problem: Problem) -> bool:
    """Whether the objective stands still: no drift in the kernel, or all rounds at one time."""
    return problem.times.span == 0.0 or problem.time_kernel.slope == 0.0


def unit_step_failure(problem: Problem) -> str:
    """Why a bound for unit steps of the forgetting kernel does not apply; empty where it does."""
    kernel, slope = problem.time_kernel, Forgetting(problem.epsilon).slope
    # (1−ε)^{r/2}, under whichever name.
    if not kernel.is_markov or abs(kernel.slope - slope) > _RELATIVE * slope:
        return f"for the forgetting kernel of rate ε, not the {kernel.title} kernel"
    gaps = problem.times.waits[1:]
    wrong = np.flatnonzero(np.abs(gaps - 1.0) > _RELATIVE)
    if len(wrong):
        i = int(wrong[0])
        return f"for unit steps: round {i + 2} comes {gaps[i]:.4g} after round {i + 1}"
    return ""

"""What somebody meant who typed an option that a command does not have."""

from __future__ import annotations

from collections.abc import Iterable

_SAME = (
    {"n", "rounds", "n-rounds", "num-rounds"},
    {"rounds", "m"},
    {"total", "total-time"},
    {"policy", "policies", "algorithm", "agent"},
    {"prior", "priors", "hyperprior"},
    {"seeds", "runs", "n-runs", "n-seeds", "n-trials", "repeats", "replications"},
    {"seed", "random-state"},
    {"times", "data", "csv", "dt", "file", "input", "durations"},
    {"epsilon", "eps", "forgetting", "forgetting-rate"},
    {"noise-variance", "noise", "noise-var", "sigma2", "variance"},
    {"lengthscale", "length-scale", "ls", "ell"},
    {"dimension", "dim", "d", "dims", "ndim", "n-dims"},
    {"grid", "q", "n-points", "points-per-axis", "grid-size", "resolution"},
    {"half-life", "halflife"},
    {"kernel", "space-kernel"},
    {"maximize", "maximise"},
    {"minimize", "minimise"},
    {"out", "output", "save", "folder", "plot"},
    {"initial", "n-initial", "warmup", "random-rounds"},
    {"workers", "jobs", "n-jobs", "processes", "threads"},
    {"exploration", "beta", "weight"},
)
"""Words for one thing: a command has one of them."""

_OTHERWISE = {
    "alpha": "delta",
    "blocks": "compare",
    "bounds": "side",
    "candidates": "domain",
    "certified": "budget",
    "certify": "budget",
    "confidence": "delta",
    "confidence-level": "delta",
    "decay": "epsilon",
    "direction": "maximize",
    "drift": "epsilon",
    "horizon": "n",
    "k": "compare domain",
    "level": "delta",
    "likelihood-noise": "noise-variance",
    "max-iter": "n rounds",
    "method": "bound",
    "n-arms": "domain",
    "n-blocks": "compare",
    "noise-std": "noise-variance",
    "nu": "kernel",
    "num-arms": "domain",
    "num-samples": "runs",
    "path": "out",
    "search-space": "domain",
    "sigma": "noise-variance",
    "t": "n rounds",
    "train-x": "domain",
}
"""Words that people try for an option, or the first of several, that takes something else:
δ is 1 − confidence, n no time, σ no σ²."""

ELSEWHERE = {
    "policy": "simulate",
}
"""Options that another command has."""

_NEAR = 0.55


def same_word(name: str, options: Iterable[str]) -> str | None:
    """The one option that `name` is another word for; None where none is, or several are.

    >>> same_word("sigma2", ["noise_variance", "epsilon"]), same_word("esp", ["epsilon"])
    ('noise_variance', None)
    """
    wanted = name.replace("_", "-").lower()
    alike = {word for words in _SAME if wanted in words for word in words}
    matches = [option for option in options if option.replace("_", "-") in alike]
    return matches[0] if len(matches) == 1 else None


def meant(name: str, options: Iterable[str]) -> str | None:
    """The option that `name` most likely stands for; None where none is near.

    Another word for the same thing first, then the smallest share of letters to change, where
    swapped neighbours are one change and the beginning of a long name may stand for it.

    >>> meant("esp", ["help", "epsilon", "delta"]), meant("n", ["tune", "rounds"])
    ('epsilon', 'rounds')
    """
    wanted = name.lstrip("-").replace("_", "-").lower()
    known = [option.lstrip("-").replace("_", "-") for option in options]
    for one in _OTHERWISE.get(wanted, "").split():
        if one in known:
            return one
    for words in _SAME:
        same = [one for one in known if one in words] if wanted in words else []
        if same:
            return same[0]
    return max(
        (one for one in known if _near(wanted, one) >= _NEAR),
        default=None,
        key=lambda one: _near(wanted, one),
    )


def _near(wanted: str, option: str) -> float:
    """1 for the same word, less with every letter to change; a bit less for parts of a name."""
    starts = [option[: len(wanted)], *option.split("-")] if len(wanted) > 1 else []
    return max(_share(wanted, option), *(0.9 * _share(wanted, part) for part in starts), 0.0)


def _share(one: str, other: str) -> float:
    """1 − (letters to change, insert, drop or swap with the next)/(letters of the longer)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if before and j > 1 and (a, one[i - 2]) == (other[j - 2], b):
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return 1.0 - last[-1] / max(len(one), len(other), 1)

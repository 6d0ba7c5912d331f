"""Options and figures that had another name, or went: what to write in their place."""

from __future__ import annotations

_SHAPE = "write it behind the family: --sequence {family}:{name}=VALUE"
_READING = "write --readings {name}=VALUE"

RENAMED = {
    "n0": _SHAPE.format(family="biased", name="n0"),
    "ratio": _SHAPE.format(family="geometric", name="ratio"),
    "power": _SHAPE.format(family="power", name="power"),
    "bursts": _SHAPE.format(family="bursts", name="bursts"),
    "gap": _SHAPE.format(family="bursts", name="gap"),
    "tail": _SHAPE.format(family="pareto", name="tail"),
    "period": _SHAPE.format(family="periodic", name="period"),
    "contrast": _SHAPE.format(family="periodic", name="contrast"),
    **{
        name: _READING.format(name=name.replace("-", "_"))
        for name in (
            *("integral-noise", "round-length", "time-prior", "log-time-mean"),
            *("log-time-variance", "log-time-lengthscale", "log-time-noise"),
            *("time-noise-variance", "incumbent", "c1", "c2", "refit-every", "time-nodes", "tune"),
        )
    },
    "mean-time-noise": "write --readings mean_time_noise=yes",
    "no-mean-time-noise": "write --readings mean_time_noise=no",
    "inputs": "write --x",
    "column": "write --duration NAME, or --end NAME for times at which evaluations ended",
    "cumulative": "write --end for the times at which evaluations ended",
    "y-column": "write --y",
    "scheduler": "write --workers dask:ADDRESS",
    "backend": "write --workers NUMBER, dask:NUMBER or dask:ADDRESS",
    "seeds": "write --runs",
    "policies": "write --policy, which takes a list too",
    "priors": "write --prior, which takes a list too",
    "bundled": "write --study",
    "gamma-rate": "write --gamma",
    "count": "write --rounds",
    "noise-matrix": "write --sd matrix:FILE",
    "tree": "write --show tree",
    "goal": "write --show goal",
    "arms": "write --domain arms:K",
    "points": "write --domain FILE.csv or sobol:N",
    "box": "write --domain box",
    "durations": "write --sequence a,b,a+b",
    "gain-form": "write --values gain=NAME",
    "no-page": "write --out none",
    "lattice": "write --setting lattice:H,L",
    "equal-times": "write --duration equal",
    "paths": "write --draws",
    "simulations": "write --runs, and --bound simulation:RUNS where a study is certified",
    "own": "write --rounds own",
    "hyperprior": "write --prior",
    "plug-in": "write --bound plug-in",
    "worst-case": "write --bound worst-case",
    "price": "write --stop-below price:NUMBER",
    "data": "write the file alone: ctv certify FILE, ctv fit FILE, ctv suggest FILE",
    "fit": "drop it: the prior of a log is fitted where no option says it",
    "objective": "write --bound",
    "c": "write --gamma C",
    "acquisition": "write --exploration ei; without it a weight of ucb",
    "evaluation-time": "write --setting uniform:TIME",
    "settings": "write --setting",
    "markdown": "write --out",
    "latex": "write --symbolic latex",
    "digits": "write --symbolic DIGITS",
    "block": "write --rounds FIRST-LAST",
    "m": "write --rounds",
    "time-lengthscale": "write it behind the kernel: --time-kernel se:lengthscale=NUMBER",
    "quick": "write --budget fast",
    "search-schedule": "write --budget deep",
    "recheck": "write the file alone: ctv verify FILE",
    "claims": "write the file or folder alone: ctv verify FILE",
    "new": "write --out FILE.toml",
    "only": "write --show VERDICT",
    "certificates": "write --bound",
    "within": "drop it: it went, and Ctrl-C stops what takes too long",
}
"""Old option ↦ what to write now, or why it went."""


ASKED_BY = {
    "noise-matrix": "sd",
    "arms": "domain",
    "c": "gamma",
    "certificates": "bound",
    "count": "rounds",
    "digits": "symbolic",
    "m": "rounds",
    "paths": "draws",
    "points": "domain",
    "policies": "policy",
    "price": "stop_below",
    "priors": "prior",
    "recheck": "certificate",
    "seeds": "runs",
    "simulations": "runs",
    "time-lengthscale": "time_kernel",
}
"""What the packages call a value ↦ the option that asks for it, in commands that have it."""


def instead_of(option: str) -> str | None:
    """What to write in place of an option that had another name or went; None for others.

    >>> instead_of("--y-column")
    'write --y'
    """
    return RENAMED.get(option.lstrip("-").replace("_", "-"))

"""GP-UCB, TV and the three CTV policies: one acquisition, and what each knows of time."""

from __future__ import annotations

from bounds.regret.policies import TITLES
from simulation.policies.base import ModelPolicy, Times

_PAPER = "Imamura et al. 2020"


class GpUcb(ModelPolicy):
    """GP-UCB: the objective is taken not to move."""

    name = "gp-ucb"
    title = "GP-UCB"
    source = "Srinivas et al. 2010"
    summary = "models f without time"
    times = Times.NONE
    colour = "#d55e00"


class TimeVarying(ModelPolicy):
    """TV-GP-UCB: every round lasts as long, `readings.round_length`."""

    name = "tv"
    title = "TV-GP-UCB"
    source = "Bogunovic et al. 2016"
    summary = "takes every evaluation to last one round"
    times = Times.ROUNDS
    colour = "#b87d00"  # Okabe and Ito's orange, darker so that its label can be read on white
    dashes = (7, 1.5, 1.2, 1.5)


class Ctv(ModelPolicy):
    """CTV: ∫ α(x, τ_n + t) p(t|x) dt over the log-normal posterior of t."""

    name = "ctv"
    title = "CTV"
    source = _PAPER
    summary = "learns t(x) and averages the acquisition over its law"
    times = Times.LAW
    colour = "#0072b2"
    dashes = (5, 2)


class CtvSimple(ModelPolicy):
    """CTV-simple: α at τ_n + E[t(x)]."""

    name = "ctv-simple"
    title = "CTV-simple"
    source = _PAPER
    summary = "learns t(x) and takes its mean"
    times = Times.MEAN
    colour = "#3f9fd8"
    dashes = (1.2, 1.2)


class CtvFixed(ModelPolicy):
    """CTV-fixed: α at τ_n + t(x), the evaluation time of every point being known."""

    name = "ctv-fixed"
    title = TITLES[name]
    source = _PAPER
    summary = "knows t(x) beforehand; the policy of the theorem"
    times = Times.KNOWN
    covered_by = ("theorem-1", "theorem-c")
    colour = "#009e73"

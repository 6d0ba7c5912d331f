"""Logs of searches that people ran: from what a tuner wrote to observations on a clock."""

from simulation.logs.axes import Axis, parse_domain
from simulation.logs.clock import parse_half_life
from simulation.logs.observations import Observations
from simulation.logs.reader import Columns, read_log, read_log_times

__all__ = [
    "Axis",
    "Columns",
    "Observations",
    "parse_domain",
    "parse_half_life",
    "read_log",
    "read_log_times",
]

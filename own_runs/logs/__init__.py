"""Logs of searches that people ran: from what a tuner wrote to observations on a clock."""

from own_runs.logs.axes import Axis, parse_domain
from own_runs.logs.columns import Columns
from own_runs.logs.observations import Observations
from own_runs.logs.reader import read_log, read_log_times

__all__ = [
    "Axis",
    "Columns",
    "Observations",
    "parse_domain",
    "read_log",
    "read_log_times",
]

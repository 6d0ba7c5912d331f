"""Files of tuners as tables of trials: one reader for each format that is more than a table."""

from own_runs.logs.exports.opening import open_log

__all__ = ["open_log"]

"""The evaluation times of a log, where a command is given it by `--times`."""

from __future__ import annotations

from bounds import time_text
from bounds.reading import Text
from bounds.times import EvaluationTimes
from own_runs.logs.table import first_record, separator_of, table_of
from own_runs.logs.tools import PLAIN, tool_of


class LogTimes:
    """Reads other separators than commas, exports of tuners, starts and ends, and `0:02:30`."""

    def recognises(self, text: Text, cell: str = "") -> bool:
        """Whether a file is more than comma-separated numbers, or the cell a written duration."""
        if cell:
            return time_text.number(cell) is None and time_text.seconds(cell) is not None
        separator = separator_of(text.text)
        if separator != ",":
            return True
        header = [name.strip() for name in first_record(text.text, separator)]
        return tool_of(header) is not PLAIN or {"start", "end"} <= set(header)

    def read(self, text: Text, unit: str) -> EvaluationTimes:
        """When the complete trials ended; raises InvalidInput as `read_log_times` does."""
        from own_runs.logs.reader import read_log_times

        return read_log_times(table_of(text.text, text.name), unit=unit)[0]


LOG_TIMES = LogTimes()

"""Half-lives as people write them; durations of every spelling are in tests/own_runs/logs."""

import pytest

from bounds.errors import InvalidInput
from bounds.time_text import parse_half_life, rate_of_half_life


def test_half_lives():
    assert parse_half_life("30min") == 1800.0
    assert rate_of_half_life(2.0) == 0.5
    assert rate_of_half_life(float("inf")) == 0.0
    for text in ("", "soon", "0", "-3h", "inf"):
        with pytest.raises(InvalidInput, match="half-life"):
            parse_half_life(text)

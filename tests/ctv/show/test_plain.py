"""JSON: plain types only, and never NaN or infinity."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from ctv.show.plain import plain, write

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_any_value_has_json_without_nan(value: object) -> None:
    text = json.dumps(plain(value), allow_nan=False)
    assert plain(json.loads(text)) == plain(value)


def test_types_of_the_packages() -> None:
    value = {
        "a": np.arange(3),
        "b": np.float64("nan"),
        "c": (np.int64(1), float("-inf")),
        "d": Path("x"),
        "e": np.bool_(True),
        1: [np.array([1.0, np.inf])],
    }
    expected = {"a": [0, 1, 2], "b": None, "c": [1, None], "d": "x", "e": True, "1": [[1.0, None]]}
    assert plain(value) == expected
    with pytest.raises(InvalidInput):
        plain(object())


def test_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a": "ε\n"})
    assert capsys.readouterr().out == '{"a": "ε\\n"}\n'

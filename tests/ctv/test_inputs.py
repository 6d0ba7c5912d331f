"""Files: what is read from good ones, and the one line that each bad one gets."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from ctv.inputs import NoColumnOfTimes, bundled_times, read_columns, read_gamma, read_times

durations = st.lists(st.floats(0, 1e12, allow_subnormal=False), min_size=1, max_size=20)


def csv_file(folder: Path, text: str) -> Path:
    path = folder / "times.csv"
    path.write_text(text, encoding="utf-8")
    return path


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(durations)
def test_durations_come_back_to_the_last_bit(tmp_path: Path, values: list[float]) -> None:
    path = csv_file(tmp_path, "a,duration\n" + "".join(f"x,{v!r}\n" for v in values))
    assert read_times(path).durations.tolist() == values


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("duration\n1\n2\n", {}, [1, 3]),
        ("duration_seconds,y\n1,7\n2,8\n", {}, [1, 3]),
        ("t\n1\n2\n", {}, [1, 3]),
        ("tau\n1\n2\n", {}, [1, 2]),
        ("tau,t\n1,1\n2,5\n", {"duration": "t"}, [1, 6]),
        ("tau,t\n1,1\n2,5\n", {"end": "tau"}, [1, 2]),
        ("when\n3\n3\n", {"end": "when"}, [3, 3]),
        ('\ufeff"duration" \n 1 \n\n2\n', {}, [1, 3]),  # byte order mark, blanks, an empty line
        ("duration\r\n1\r\n2\r\n", {}, [1, 3]),
        ("note,duration\n'a\nb',1\n", None, None),
    ],
)
def test_columns(tmp_path: Path, text: str, options: dict | None, expected: list | None) -> None:
    path = csv_file(tmp_path, text)
    if options is None:  # a line break outside quotes leaves a short row
        with pytest.raises(InvalidInput, match="row 1"):
            read_times(path)
    else:
        assert read_times(path, **options).times.tolist() == expected


def test_a_table_without_a_column_of_times_is_an_error_of_its_own(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "a,b\n1,2\n")
    with pytest.raises(NoColumnOfTimes):
        read_times(path)
    with pytest.raises(InvalidInput, match="no such column") as named:
        read_times(path, "c")
    assert not isinstance(named.value, NoColumnOfTimes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        ("\n\n", ["empty"]),
        ("duration\n", ["no rows"]),
        ("1\n2\n", ["first line"]),
        ("a,b\n1,2\n", ["a,b", "--duration"]),
        ("tau,t\n1,2\n", ["tau,t", "--duration"]),
        ("t,t\n1,2\n", ["--duration"]),
        ("duration\n1\n-2\n", ["duration", "row 2", "line 3", "-2"]),
        ("duration\n1\n\n-2\n", ["row 2", "line 4"]),
        ("duration\n1\nnan\n", ["row 2", "nan", "finite"]),
        ("duration\ninf\n", ["row 1", "inf"]),
        ("duration\n1e999\n", ["row 1", "1e999"]),
        ("duration\n1\nabc\n", ["row 2", "abc"]),
        ("duration\n1_000\n", ["row 1", "1_000"]),
        ("x,duration\n1,\n", ["row 1", "missing"]),
        ("x,duration\n1\n", ["row 1", "2 values"]),
        ("duration\n1,5\n", ["row 1", "1,5", "decimal"]),
        ("tau\n1\n3\n2\n", ["tau", "row 3", "line 4", "decrease"]),
        ("tau\n-1\n3\n", ["tau", "row 1"]),
        ("duration\n1e308\n1e308\n", ["overflows"]),
        ("duration\n" + "9" * 200 + "x\n", ["row 1", "…"]),
    ],
)
def test_bad_text(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(InvalidInput) as error:
        read_times(csv_file(tmp_path, text))
    assert all(word in str(error.value) for word in words), str(error.value)
    assert "\n" not in str(error.value)


def test_bad_files(tmp_path: Path) -> None:
    binary = tmp_path / "binary.csv"
    binary.write_bytes(bytes(range(256)))
    latin = tmp_path / "latin.csv"
    latin.write_bytes("dauer,größe\n1,2\n".encode("latin-1"))
    for path in (tmp_path, tmp_path / "missing.csv", binary, latin, Path("nul\0byte")):
        for read in (read_times, read_gamma):
            with pytest.raises(InvalidInput):
                read(path)


def test_named_columns(tmp_path: Path) -> None:
    path = csv_file(tmp_path, "x1,duration,x2\n1,2,3\n4,5,6\n")
    assert read_columns(path, ["x2", "x1"]).tolist() == [[3, 1], [6, 4]]
    with pytest.raises(InvalidInput, match="x3"):
        read_columns(path, ["x3"])
    with pytest.raises(InvalidInput, match="x = x1: name each column once"):
        read_columns(path, ["x1", "x2", "x1"])
    with pytest.raises(InvalidInput, match="duration = x3: there is no such column: name it with"):
        read_times(path, "x3")
    with pytest.raises(InvalidInput, match="end = x3"):
        read_times(path, end="x3")
    with pytest.raises(InvalidInput, match="end = x1: drop it, or drop --duration"):
        read_times(path, "duration", end="x1")


def test_bundled_times_are_the_published_ones() -> None:
    times = read_times(bundled_times())
    assert times.n == 240
    # Two sums by other means: the shell's awk, 2·10⁻⁶ per printed row at most.
    lines = bundled_times().read_text(encoding="utf-8").splitlines()[1:]
    assert times.total_time == pytest.approx(sum(float(line.split(",")[5]) for line in lines))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[0, 1", ["JSON"]),
        ("", ["JSON"]),
        ("{}", ["list"]),
        ("[0, NaN]", ["NaN", "no number"]),
        ("[0, true]", ["gamma_1", "true"]),
        ('[0, "1"]', ["gamma_1"]),
        ("[0, [1]]", ["gamma_1"]),
        ("[0, null]", ["gamma_1", "null"]),
        ("[" * 100_000, ["gamma"]),
        ("[0, 1" + "0" * 400 + "]", ["overflows"]),
    ],
)
def test_bad_gamma(tmp_path: Path, text: str, words: list[str]) -> None:
    path = tmp_path / "gamma.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as error:
        read_gamma(path)
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize(
    ("content", "durations"),
    [
        (b"duration\r1\r2\r", [1.0, 2.0]),
        (b"duration\r\n1\r\n2\r\n", [1.0, 2.0]),
        (b"duration\n0:01:00\n1min\n", [60.0, 60.0]),
        ("duration,y\n0:00:01,3\n0 days 00:00:02,4\n".encode("utf-16-le"), [1.0, 2.0]),
    ],
)
def test_ways_to_write_durations(tmp_path: Path, content: bytes, durations: list[float]) -> None:
    path = tmp_path / "times.csv"
    path.write_bytes(content)
    assert read_times(path).durations.tolist() == durations


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"duration\n1\0\n2\n", "NUL"),
        ("duration\n1\n".encode("utf-32"), "NUL"),
        (b"d" * 200_000 + b"\n1\n", "field limit"),
        (b"duration\n" + b"1" * 200_000 + b"\n", "field limit"),
        (b"duration\n0:01:00\n1\n-0:00:01\n", "at least 0"),
        (b"duration\nPT1M\n", "finite number"),
        (b"duration\n0:01:00\n\n\n1:00:00:00\n", "no duration"),
    ],
)
def test_odd_bytes_are_one_line(tmp_path: Path, content: bytes, word: str) -> None:
    path = tmp_path / "times.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=word):
        read_times(path)


def test_many_rows_are_read_in_seconds(tmp_path: Path) -> None:
    values = np.random.default_rng(0).exponential(size=200_000)
    table = csv_file(
        tmp_path, "round,duration\n" + "\n".join(f"{i},{v}" for i, v in enumerate(values))
    )
    listed = tmp_path / "gamma.json"
    listed.write_text(json.dumps(np.arange(200_001).tolist()), encoding="utf-8")
    start = time.process_time()
    assert read_times(table).n == 200_000
    assert len(read_gamma(listed)) == 200_001
    assert time.process_time() - start < 2  # about 0.3 s


def test_files_that_are_no_table_are_named(tmp_path: Path) -> None:
    for content, what in (
        (b'{"t": [1, 2]}', "this is JSON"),
        (b"[1, 2]", "this is JSON"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"PK\x03\x04", "a zip archive"),
        (b"PAR1\x15", "a Parquet file"),
    ):
        path = tmp_path / "times.csv"
        path.write_bytes(content)
        with pytest.raises(InvalidInput, match=f"times = .*{what}"):
            read_times(path)


@pytest.mark.parametrize("name", ["seconds", "Runtime", "elapsed", "training_time", "s"])
def test_an_only_column_whose_name_is_of_time_holds_durations(tmp_path: Path, name: str) -> None:
    """Unless they never fall: then they may be the times at which evaluations end."""
    path = tmp_path / "only.csv"
    path.write_text(f"{name}\n3\n1\n2\n")
    assert read_times(path).times.tolist() == [3.0, 4.0, 6.0]
    path.write_text(f"{name}\n1\n2\n3\n")
    with pytest.raises(InvalidInput, match=f"times = {name}: say --duration with its name"):
        read_times(path)
    assert read_times(path, name).times.tolist() == [1.0, 3.0, 6.0]
    assert read_times(path, end=name).times.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("header", ["loss", "accuracy", "seconds,loss", "x"])
def test_other_columns_are_named_by_the_user(tmp_path: Path, header: str) -> None:
    path = tmp_path / "other.csv"
    path.write_text(header + "\n" + "\n".join([",".join(["2"] * (header.count(",") + 1))] * 3))
    with pytest.raises(NoColumnOfTimes):
        read_times(path)

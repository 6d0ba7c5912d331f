"""Files are written whole, and impossible places are refused."""

from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from ctv.outputs import check_folder, write_whole


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.html"
    for content in (b"first", b"second"):
        assert write_whole(path, content) == path
        assert path.read_bytes() == content
    assert [p.name for p in path.parent.iterdir()] == ["a.html"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.html"
    write_whole(path, b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InvalidInput, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


def test_a_file_in_place_of_a_folder(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    for folder in (taken, taken / "below", taken / "far" / "below"):
        with pytest.raises(InvalidInput) as error:
            check_folder(folder)
        assert error.value.value == str(taken)
    check_folder(tmp_path)
    check_folder(tmp_path / "not" / "yet")


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(InvalidInput, match="Permission denied") as error:
        check_folder(tmp_path / "new" / "folder")
    assert error.value.value == str(tmp_path)
    assert list(tmp_path.iterdir()) == []

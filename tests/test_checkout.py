"""The guard over the checkout sees what is written, and nothing else."""

from pathlib import Path

from tests.checkout import ROOT, changes, copied, state


def test_what_is_written_is_seen(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    for name in ("out/report.html", "gone.csv", "kept.csv"):
        (tmp_path / name).write_text("a person's", encoding="utf-8")
    before = state(tmp_path)
    assert changes(before, state(tmp_path)) == []
    (tmp_path / "out/report.html").write_text("another", encoding="utf-8")
    (tmp_path / "gone.csv").unlink()
    (tmp_path / "out/new").mkdir()
    (tmp_path / "out/new/run.npz").touch()
    for cache in ("__pycache__", ".mypy_cache", ".hypothesis", "ctv_bounds.egg-info"):
        (tmp_path / cache).mkdir()
        (tmp_path / cache / "file").touch()
    assert changes(before, state(tmp_path)) == ["gone.csv", "out/new/run.npz", "out/report.html"]


def test_a_copy_is_whole_and_has_nothing_made(tmp_path: Path) -> None:
    copy = copied(tmp_path / "copy")
    for name in ("README.md", "ctv/data/gradient_boosting_digits.csv", "notebooks"):
        assert (copy / name).exists() and (ROOT / name).exists()
    assert not (copy / "out").exists() and not (copy / ".venv").exists()

"""The folder of a study: one file per finished cell, each written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from dataclasses import dataclass, fields
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from bounds.errors import InvalidInput
from bounds.reading import json_of, read_text
from bounds.writing import is_leftover, write_whole
from simulation.runs.run import Trajectory, is_resolved
from simulation.study import manifest

MANIFEST = "study.json"
_SCALARS = {"policy": str, "seed": int, "initial": int, "noise_variance": float}
_DAMAGE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    TypeError,
    OverflowError,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,  # zipfile, of an archive that says it is encrypted or compressed in another way
)
"""What reading a damaged cell raises."""

_ROUNDING = 1e-9
"""Shares by which sums, and deviations that are 1 at most, may be off."""


@dataclass(frozen=True)
class StudyFolder:
    """The cells of one study on disk.

    Attributes
    ----------
    root : Path
    key : digest of what the study is
    initial, rounds : random rounds at the start, and rounds in all: the length of every array
    noise_variance : σ²
    sites : points of the grid
    """

    root: Path
    key: str
    initial: int
    rounds: int
    noise_variance: float
    sites: int

    @classmethod
    def opened(cls, root: Path, identity: dict[str, object], sites: int) -> StudyFolder:
        """Create the folder, or check that it is this study's; a changed manifest is restored.

        Raises InvalidInput for a folder that holds anything else; nothing is written then.
        """
        folder = cls._of(root, identity, sites)
        path = root / MANIFEST
        content = {"key": folder.key, "study": identity}
        whole = json.dumps(content, indent=1).encode()
        try:
            root.mkdir(parents=True, exist_ok=True)
            if path.exists():
                held = json_of(read_text(path, "out").text)
                if held.get("key") == folder.key:
                    if held != json.loads(whole):
                        write_whole(path, whole)
                else:
                    old = held.get("study", {})
                    changed = [k for k, v in identity.items() if old.get(k) != v]
                    raise InvalidInput(
                        "out",
                        str(root),
                        f"holds another study (other {', '.join(changed)}): choose another folder",
                    )
            elif any(not is_leftover(path) for path in root.iterdir()):
                raise InvalidInput(
                    "out", str(root), "is not empty and holds no study: choose another folder"
                )
            else:
                write_whole(path, whole)
        except InvalidInput:
            raise
        except (ValueError, AttributeError):
            raise InvalidInput(
                "out", str(path), "cannot be read as a study: choose another folder"
            ) from None
        except OSError as error:
            raise InvalidInput("out", str(root), f"cannot be used ({error.strerror})") from None
        return folder

    @classmethod
    def existing(cls, root: Path) -> tuple[StudyFolder, dict[str, object]]:
        """The folder of a study and what the study is (`StudySpec.identity`).

        Raises InvalidInput unless it is one, with the manifest that it was given.
        """
        try:
            held = json_of(read_text(root / MANIFEST, "study").text)
            identity, key = dict(held["study"]), str(held["key"])
        except (OSError, ValueError, KeyError, TypeError):
            raise InvalidInput(
                "study", str(root), "give the folder that ctv simulate --out wrote"
            ) from None
        if key != _key(identity):
            raise InvalidInput(
                "study",
                str(root),
                "its study.json was changed: the same ctv simulate --out DIR restores it",
            )
        manifest.policies_of(identity)
        manifest.seeds_of(identity)
        return cls._of(root, identity, manifest.domain(identity).size), identity

    @classmethod
    def _of(cls, root: Path, identity: dict[str, object], sites: int) -> StudyFolder:
        initial = manifest.whole(identity, "initial")
        return cls(
            root,
            key=_key(identity),
            initial=initial,
            rounds=initial + manifest.whole(identity, "rounds"),
            noise_variance=manifest.number(identity, "noise_variance"),
            sites=sites,
        )

    def path(self, policy: str, seed: int) -> Path:
        """The file of a cell."""
        return self.root / f"{policy}-{seed}.npz"

    def read(self, policy: str, seed: int) -> tuple[Trajectory | None, bool]:
        """The run and False; None and whether there was a file, but a damaged one."""
        path = self.path(policy, seed)
        try:
            if not path.exists():
                return None, False
            with zipfile.ZipFile(path) as archive:
                if archive.testzip() is not None:
                    return None, True
            with np.load(path, allow_pickle=False) as stored:
                values: dict[str, Any] = {
                    f.name: np.asarray(stored[f.name]) for f in fields(Trajectory)
                }
                key = str(stored["key"])
            if any(v.shape != (() if k in _SCALARS else (self.rounds,)) for k, v in values.items()):
                return None, True
            run = Trajectory(
                **{k: _SCALARS[k](v) if k in _SCALARS else v for k, v in values.items()}
            )
        except _DAMAGE:
            return None, True
        if key != self.key or (run.policy, run.seed) != (policy, seed) or not self._is_sound(run):
            return None, True
        return run, False

    def _is_sound(self, run: Trajectory) -> bool:
        """Whether these can be the numbers of a run of this study."""
        arrays = {f.name: getattr(run, f.name) for f in fields(run) if f.name not in _SCALARS}
        points = arrays.pop("points")
        # What the policy was told may have overflowed; nothing that is computed later needs it.
        needed = [array for name, array in arrays.items() if name != "measured_durations"]
        return (
            (run.initial, run.noise_variance) == (self.initial, self.noise_variance)
            and points.dtype.kind == "i"
            and bool(np.all((points >= 0) & (points < self.sites)))
            and all(array.dtype.kind == "f" for array in arrays.values())
            and bool(np.all(np.isfinite(needed)))
            and bool(np.all(run.durations >= 0.0))
            and np.allclose(run.times, np.cumsum(run.durations), rtol=_ROUNDING, atol=0.0)
            and bool(np.all(run.best_values >= run.values))
            and bool(np.all((run.deviations >= 0.0) & (run.deviations <= 1.0 + _ROUNDING)))
            and is_resolved(run.deviations**2, run.noise_variance)
        )

    def write(self, run: Trajectory) -> None:
        """Write the cell, whole or not at all."""
        path = self.path(run.policy, run.seed)
        file = BytesIO()
        values = {f.name: getattr(run, f.name) for f in fields(Trajectory)}
        np.savez(file, key=np.array(self.key), **values)
        try:
            write_whole(path, file.getvalue())
        except OSError as error:
            raise InvalidInput(
                "out", path.name, f"cannot be written ({error.strerror}); earlier cells are intact"
            ) from None


def _key(identity: manifest.Identity) -> str:
    return digest(json.dumps(identity, sort_keys=True).encode())


def digest(content: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()

"""The folder of a study: one file per finished cell, each written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from dataclasses import dataclass, fields
from os import fsync, getpid
from pathlib import Path

import numpy as np

from bounds.errors import InvalidInput
from simulation.run import Trajectory

_MANIFEST = "study.json"


@dataclass(frozen=True)
class StudyFolder:
    """The cells of one study on disk.

    root : Path; key : digest of what the study is; rounds : length of every array of a cell
    """

    root: Path
    key: str
    rounds: int

    @classmethod
    def opened(cls, root: Path, identity: dict[str, object], rounds: int) -> StudyFolder:
        """Create the folder, or check that it is this study's.

        Raises InvalidInput for a folder that holds anything else; nothing is written then.
        """
        key = digest(json.dumps(identity, sort_keys=True).encode())
        folder = cls(root, key, rounds)
        manifest = root / _MANIFEST
        try:
            root.mkdir(parents=True, exist_ok=True)
            if manifest.exists():
                held = json.loads(manifest.read_text(encoding="utf-8"))
                if held.get("key") != folder.key:
                    old = held.get("study", {})
                    changed = [k for k, v in identity.items() if old.get(k) != v]
                    raise InvalidInput(
                        "out",
                        str(root),
                        f"holds another study (other {', '.join(changed)}): choose another folder",
                    )
            elif any(not _is_leftover(path) for path in root.iterdir()):
                raise InvalidInput(
                    "out", str(root), "is not empty and holds no study: choose another folder"
                )
            else:
                text = json.dumps({"key": folder.key, "study": identity}, indent=1)
                _write_whole(manifest, text.encode())
        except InvalidInput:
            raise
        except (ValueError, AttributeError):
            raise InvalidInput(
                "out", str(manifest), "cannot be read as a study: choose another folder"
            ) from None
        except OSError as error:
            raise InvalidInput("out", str(root), f"cannot be used ({error.strerror})") from None
        return folder

    @classmethod
    def existing(cls, root: Path) -> tuple[StudyFolder, dict[str, object]]:
        """The folder of a study and what the study is (`StudySpec.identity`).

        Raises InvalidInput unless it is one.
        """
        try:
            held = json.loads((root / _MANIFEST).read_text(encoding="utf-8"))
            identity = dict(held["study"])
            rounds = int(identity["initial"]) + int(identity["rounds"])
            return cls(root, str(held["key"]), rounds), identity
        except (OSError, ValueError, KeyError, TypeError):
            raise InvalidInput("study", str(root), "give the folder of a study (--out)") from None

    def path(self, policy: str, seed: int) -> Path:
        """The file of a cell."""
        return self.root / f"{policy}-{seed}.npz"

    def read(self, policy: str, seed: int) -> tuple[Trajectory | None, bool]:
        """The run and False; None and whether there was a file, but a damaged one."""
        path = self.path(policy, seed)
        if not path.exists():
            return None, False
        try:
            with zipfile.ZipFile(path) as archive:
                if archive.testzip() is not None:
                    return None, True
            with np.load(path, allow_pickle=False) as stored:
                values = {f.name: stored[f.name] for f in fields(Trajectory)}
                key = str(stored["key"])
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
            return None, True
        scalars = {"policy": str, "seed": int, "initial": int, "noise_variance": float}
        run = Trajectory(**{k: scalars[k](v) if k in scalars else v for k, v in values.items()})
        whole = key == self.key and (run.policy, run.seed) == (policy, seed)
        arrays = (v for k, v in values.items() if k not in scalars)
        if not whole or any(v.shape != (self.rounds,) for v in arrays):
            return None, True
        return run, False

    def write(self, run: Trajectory) -> None:
        """Write the cell, whole or not at all."""
        path = self.path(run.policy, run.seed)
        temporary = path.with_name(f".{path.name}.{getpid()}.tmp")
        try:
            with temporary.open("wb") as file:
                values = {f.name: getattr(run, f.name) for f in fields(Trajectory)}
                np.savez(file, key=np.array(self.key), **values)
                file.flush()
                fsync(file.fileno())
            temporary.replace(path)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise InvalidInput(
                "out", path.name, f"cannot be written ({error.strerror}); earlier cells are intact"
            ) from None


def _is_leftover(path: Path) -> bool:
    """Whether the file is one that a killed study had not finished writing."""
    return path.name.startswith(".") and path.name.endswith(".tmp")


def _write_whole(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{getpid()}.tmp")
    temporary.write_bytes(content)
    temporary.replace(path)


def digest(content: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()

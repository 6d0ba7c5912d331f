"""What the proof assistant accepted on this machine: a receipt outside of the package.

A record is shipped, and whoever edits it may write into it what no kernel has said. So a verdict of
the prover stands «as recorded» until the assistant has run here, by `make proofs` or `ctv verify
--prover`. Then a receipt lies in the user's cache folder, under the digest of every file of this
package, with the digests of the propositions for which the kernel took a proof. To clear it, delete
the folder. This file is believed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from proofs_check.language.claim import Claim, Verdict
from proofs_check.prover.export import NotExported, tree_of
from proofs_check.prover.kernel import ROOT, proposition

_READ = (".py", ".v", ".json", ".toml")


def cache() -> Path:
    """The folder of this program in the user's cache: in `XDG_CACHE_HOME`, or `.cache` at home."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ctv-bounds"


def folder() -> Path:
    """Where receipts lie: `proofs` in the cache, or what `CTV_RECEIPTS` of the environment says."""
    return Path(os.environ.get("CTV_RECEIPTS") or cache() / "proofs")


def sources_digest(root: Path = ROOT.parent) -> str:
    """SHA-256 of all files of this package with their names: code, theories, claims, records."""
    hasher = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in _READ):
        body = hashlib.sha256(path.read_bytes()).hexdigest()
        hasher.update(f"{path.relative_to(root).as_posix()} {body}\n".encode())
    return hasher.hexdigest()


def keep(propositions: Iterable[str]) -> Path:
    """Add what the kernel accepted of these sources to the receipt; its path. May be an OSError."""
    path = folder() / f"{sources_digest()}.json"
    held = sorted({*_held(path), *propositions})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
    accepted.cache_clear()
    return path


@lru_cache(maxsize=1)
def accepted() -> frozenset[str]:
    """The digests of the propositions that the kernel accepted here, of these sources."""
    return _held(folder() / f"{sources_digest()}.json")


def _held(path: Path) -> frozenset[str]:
    """What a receipt holds; nothing where there is none that can be read."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return frozenset()
    return frozenset(map(str, body)) if isinstance(body, list) else frozenset()


def stands_here(claim: Claim, verdict: Verdict, theorem: str = "") -> bool:
    """Whether the kernel accepted here what a verdict says: `means` of the claim's tree, or not it.

    `theorem` is a theorem of the theories, `NAME : …`, for a claim that it states in words.
    """
    if theorem and proposition(theorem) in accepted():
        return True
    try:
        means = f"means {tree_of(claim)}"
    except NotExported:
        return False
    said = f"~ {means}" if verdict is Verdict.REFUTED else means
    return proposition(said) in accepted()

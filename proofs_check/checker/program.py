"""The checker as a program: compiled from its theories, extracted to OCaml, kept in the cache.

The theorems `SOUND` of `theories/checked_headline.v`, `checked_box.v` and `checked_gain.v` say what
the checker's yes means. They and all that they rest on are compiled before the program is made, and
their axioms are read against axioms.json.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from bounds.errors import InvalidInput
from bounds.progress import Stage, unstaged
from proofs_check.prover.kernel import ProverFailed, axioms_of, coqc, said_by
from proofs_check.prover.receipt import cache
from proofs_check.prover.runner import compiled_theories, theories

ROOT = Path(__file__).resolve().parent
_REQUIRED = re.compile(r"From CTV Require (?:Import )?([\w\s]+)\.\s")
# Constructors of machine floats that the extraction prints without their module.
_FLOATS = re.compile(
    r"(?<![\w.])(FEq|FLt|FGt|FNotComparable|PNormal|NNormal|PSubn|NSubn|PZero|NZero|PInf|NInf|NaN)\b"
)
SOUND = {
    "headline_sound": "H",
    "late_headline_sound": "H",
    "floor_sound": "H",
    "own_headline_sound": "H",
    "box_space_sound": "H.B_",
    "above_sound": "H.B_.O_.F_.R_.N",
    "below_sound": "H.B_.O_.F_.R_.N",
    "space_sound": "H.B_.O_.F_.R_.N",
}
"""Each with the module in which it stands once the arithmetic is chosen."""
_STAGE = "compiling the checker, once"
_LINKED = ["ocamlfind", "ocamlopt", "-w", "-a", "-rectypes", "-thread", "-package"]


def own_theories() -> list[Path]:
    """The theories of the checker."""
    return sorted((ROOT / "theories").glob("*.v"))


def needed() -> list[Path]:
    """The theories of the ledger that those of the checker go through."""
    known = {path.stem: path for path in theories()}
    own = {path.stem for path in own_theories()}
    reached: set[str] = set()
    front = own_theories()
    while front:
        lists = _REQUIRED.findall(front.pop().read_text(encoding="utf-8"))
        new = {name for names in lists for name in names.split()} - reached - own
        reached |= new
        front += [known[name] for name in new]
    return [known[name] for name in sorted(reached)]


def digest() -> str:
    """SHA-256 of all that the program is made from."""
    paths = [*needed(), *own_theories(), ROOT / "extract.v", ROOT / "driver.ml"]
    hasher = hashlib.sha256()
    for path in paths:
        hasher.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return hasher.hexdigest()


def kept() -> Path:
    """The folder with the compiled theories and the program, in the cache or in `CTV_CHECKER`."""
    return Path(os.environ.get("CTV_CHECKER") or cache() / "checker") / digest()[:20]


def compiled(progress: Stage = unstaged) -> Path:
    """The folder with the compiled theories, made where it is missing (some two minutes).

    Raises
    ------
    ProverFailed
        Where the assistant refuses a theory, or the theorem rests on an axiom that is not listed.
    """
    place = kept()
    if (place / "checked").exists():
        return place
    with TemporaryDirectory() as temporary:
        made = Path(temporary) / "made"
        made.mkdir()
        own = [path.stem for path in own_theories()]
        progress(_STAGE, 0.0)
        compiled_theories(made, [path.stem for path in needed()])
        for path in own_theories():
            shutil.copy(path, made)
        sorting = ["coqdep", "-Q", ".", "CTV", "-sort", *(f"{name}.v" for name in own)]
        ordered = map(Path, said_by(sorting, made).split())
        names = [path.stem for path in ordered if path.stem in own]
        for done, name in enumerate(names):
            progress(_STAGE, 0.6 + 0.4 * done / len(names))
            coqc(made, name)
        instantiated = [
            "From Coq Require Import BinNums PArith.\n"
            "From Interval Require Import Float.Basic Float.Sig Float.Primitive_ops.\n"
            "From CTV Require Import checked_headline.\n"
            "Module H := Headline PrimitiveFloat.\n"
            "Definition bits := PrimitiveFloat.PtoP 53%positive.\n",
            *(f"Definition {name} := {at}.{name} bits.\n" for name, at in SOUND.items()),
        ]
        (made / "headline.v").write_text("".join(instantiated), encoding="utf-8")
        coqc(made, "headline")
        axioms_of(made, {}, ("headline",), tuple(f"headline.{name}" for name in SOUND), "")
        shutil.copytree(made, place, dirs_exist_ok=True)
        (place / "checked").write_text(" ".join(SOUND) + "\n", encoding="utf-8")
    return place


def program(progress: Stage = unstaged) -> Path:
    """The extracted program, made where it is missing.

    Raises
    ------
    InvalidInput
        Without OCaml and its libraries.
    ProverFailed
        Where the compiler refuses.
    """
    place = compiled(progress)
    executable = place / "checker"
    if executable.exists():
        return executable
    if shutil.which("ocamlfind") is None:
        remedy = "is not installed: apt-get install ocaml-nox ocaml-findlib libzarith-ocaml-dev"
        raise InvalidInput("kernel", "ocamlfind", f"{remedy} libcoq-core-ocaml-dev")
    with TemporaryDirectory() as temporary:
        work = Path(temporary)
        shutil.copy(ROOT / "extract.v", work)
        shutil.copy(ROOT / "driver.ml", work)
        _ran(["coqc", "-q", "-w", "none", "-Q", str(place), "CTV", "extract.v"], work)
        text = (work / "checker.ml").read_text(encoding="utf-8")
        (work / "checker.ml").write_text(_FLOATS.sub(r"Float64.\1", text), encoding="utf-8")
        (work / "checker.mli").unlink()
        libraries = ["zarith,coq-core.kernel", "-linkpkg", "checker.ml", "driver.ml"]
        _ran([*_LINKED, *libraries, "-o", "made"], work)
        shutil.copy(work / "made", place / "checker.new")
        (place / "checker.new").replace(executable)
    return executable


def _ran(command: list[str], work: Path) -> None:
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProverFailed(" ".join((done.stderr or done.stdout).split())[:400])


if __name__ == "__main__":
    program()

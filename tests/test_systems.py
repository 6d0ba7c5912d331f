"""Other systems lack some of what this one has, and may be interrupted at any moment, too."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("systems")  # processes, which wait: not last
LACKING = """
import os, signal, sys
from importlib.abc import MetaPathFinder

class Lacking(MetaPathFinder):
    names = ("resource", "fcntl", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline")

    def find_spec(self, name, path=None, target=None):
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacking())
for name in Lacking.names:
    sys.modules.pop(name, None)
for module, names in (
    (os, "fork forkpty sched_getaffinity sched_setaffinity getuid geteuid getgid mkfifo killpg"
         " setsid getpgid getpgrp O_NONBLOCK O_DIRECTORY O_CLOEXEC O_NOFOLLOW wait4 waitid nice"
         " pidfd_open getloadavg sysconf fchmod fchown chown statvfs getrlimit"),
    (signal, "SIGALRM SIGUSR1 SIGUSR2 SIGHUP SIGQUIT SIGXCPU SIGXFSZ SIGCHLD SIGPIPE alarm"
             " setitimer pause sigwait pthread_kill"),
):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
if "keeps-sigkill" not in sys.orig_argv:  # by which multiprocessing of this system ends processes
    del signal.SIGKILL
"""
"""As `sitecustomize`: takes from every process what Windows, or macOS, does not have."""

IMPORTS = """
import importlib, pkgutil, sys
for package in ("bounds", "simulation", "proofs_check", "ctv"):
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
from ctv.cli import main
for words in sys.argv[1:]:
    try:
        main(words.split())
    except SystemExit as left:
        assert not left.code
"""
"""Every module, and then commands in the same process."""


def without(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with these words where all that other systems lack is taken away."""
    (folder / "sitecustomize.py").write_text(LACKING, encoding="utf-8")
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "80"},
        timeout=300,
    )


def test_what_other_systems_lack_is_lacking(tmp_path: Path) -> None:
    done = without(tmp_path, "-c", "import os; os.fork")
    assert "no attribute 'fork'" in done.stderr
    done = without(tmp_path, "-c", "import resource")
    assert "No module named 'resource'" in done.stderr


def test_everything_is_imported_and_commands_run_without_it(tmp_path: Path) -> None:
    commands = ("gain --n 4 --grid 3 --rounds 2", "bound --n 6 --grid 3 --json")
    done = without(tmp_path, "-c", IMPORTS, *commands)
    assert (done.returncode, done.stderr) == (0, "")
    *shown, last = done.stdout.splitlines()
    assert shown and json.loads(last)["format"] == "ctv-bounds bound 1"


def test_a_command_starts_without_it(tmp_path: Path) -> None:
    done = without(tmp_path, "-m", "ctv", "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_claims_are_verified_without_it(tmp_path: Path) -> None:
    words = ["-X", "keeps-sigkill", "-m", "ctv", "verify", "lemma-1-exact", "--workers", "1"]
    done = without(tmp_path, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "PROVED" in done.stdout


def test_a_job_is_ended_by_the_clock_where_there_is_no_other_limit(tmp_path: Path) -> None:
    code = (
        "import time\n"
        "from proofs_check.records.limits import within_limits\n"
        "def slept(seconds):\n"
        "    time.sleep(seconds)\n"
        "    return seconds\n"
        "if __name__ == '__main__':\n"
        "    print(sorted(within_limits(slept, [0.1, 1000.0, 0.2], 2, 3)))\n"
    )
    (tmp_path / "jobs.py").write_text(code, encoding="utf-8")
    done = without(tmp_path, "-X", "keeps-sigkill", "jobs.py")
    assert (done.stdout, done.stderr) == ("[(0, 0.1), (1, None), (2, 0.2)]\n", "")


SENT = """
import os, signal, sys
from importlib.abc import MetaPathFinder
from ctv.cli import main

class Sender(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Sender())
main("bound --n 6 --grid 3".split())
"""
SENT_INTO = {
    "a class that is made": (
        "import dataclasses, os, signal, sys\n"
        "from ctv.cli import main\n"
        "def send(self, owner, name):\n"
        "    del dataclasses.Field.__set_name__\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "dataclasses.Field.__set_name__ = send\n"
        "main('bound --n 6 --grid 3'.split())\n"
    ),
    "a callback of a weak reference": (
        "import os, signal, sys, weakref\n"
        "import ctv.cli\n"
        "found = ctv.cli.hidden_package\n"
        "class Held: pass\n"
        "def lost():\n"
        "    held = Held()\n"
        "    reference = weakref.ref(held, lambda _: os.kill(os.getpid(), signal.SIGINT))\n"
        "    del held\n"
        "    return found()\n"
        "ctv.cli.hidden_package = lost\n"
        "ctv.cli.main('bound --n 6 --grid 3'.split())\n"
    ),
}


def interruptible() -> None:
    """What a background job of a shell ignores is heard again."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize(
    "code",
    [
        *(
            SENT.format(name=name)
            for name in ("ctv.commands", "typer", "numpy", "scipy", "flint", "ctv.show.sheet")
        ),
        *SENT_INTO.values(),
    ],
    ids=lambda code: code.partition("name == ")[2].partition(":")[0].strip("'") or None,
)
def test_an_interrupt_while_libraries_load_is_one_line(code: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=interruptible,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "ctv: interrupted\n")


@pytest.mark.parametrize("after", [0.0, 0.2, 0.6])
def test_an_interrupt_at_any_moment_leaves_no_trace(after: float, tmp_path: Path) -> None:
    code = (
        "from ctv import cli\n"
        "found = cli.hidden_package\n"
        "cli.hidden_package = lambda: (print(flush=True), found())[1]\n"
        "cli.main('bound --n 6 --grid 3'.split())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=interruptible,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    if process.returncode == 130:
        assert said == "ctv: interrupted\n"
    else:  # it had ended, or was about to
        assert process.returncode in (0, -signal.SIGINT) and said == ""

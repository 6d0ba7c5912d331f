"""help() of every command ends in an example, and the example runs."""

import doctest
import inspect

import pytest

import ctv

COMMANDS = sorted(set(dir(ctv)) - set(ctv._ELSEWHERE))


@pytest.mark.usefixtures("without_pictures")
@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_runs(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(getattr(ctv, name))
    shown = text.partition("Examples\n--------\n")[2]
    test = doctest.DocTestParser().get_doctest(shown, {}, name, None, None)
    said: list[str] = []
    found = doctest.DocTestRunner().run(test, out=said.append)
    assert found.attempted > 1 or "+SKIP" in shown  # a log that grows is not at hand
    assert found.failed == 0, "".join(said)


def test_the_help_of_gain_names_the_rounds_that_it_takes_by_default() -> None:
    from ctv.commands.gain import USUAL, gain

    assert f"(default {','.join(map(str, USUAL))};" in str(inspect.signature(gain))

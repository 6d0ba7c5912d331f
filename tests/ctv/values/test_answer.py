"""The first lines of an answer are in the field's terms."""

HOUSE_WORDS = ("No policy has", "in the mean", "says nothing", "trivial cap", "at most ", "speaks")


def test_the_first_lines_of_a_bound_use_no_house_words(ctv) -> None:
    shown = " ".join(ctv("bound", "--n", "20", "--total", "60", "--grid", "4").stdout.split())
    first = shown.partition("Maximum information gain")[0]
    assert "Regret of CTV-fixed (exploration theory) ≤ " in first
    assert "with probability 0.9" in first and "certified)" in first
    assert "Every policy has expected regret ≥ " in first
    assert "Theorem 1 is vacuous" in first and "non-vacuous for ε ≤ " in first
    assert [word for word in HOUSE_WORDS if word in first] == []

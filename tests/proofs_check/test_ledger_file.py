"""Ledgers in files: what the notation means, what is refused with which line, the schema."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bounds.errors import InvalidInput
from proofs_check.language.claim import BadClaim, Claim, Verdict
from proofs_check.language.domains import BadDomain, parameters
from proofs_check.language.ledger_file import read_paper
from proofs_check.language.parameters import (
    Bound,
    Integer,
    Parameter,
    PositiveSemidefinite,
    Real,
    Symmetric,
    Times,
    Vector,
)
from proofs_check.ledgers import CLAIMS, PAPERS, ROOT, TEMPLATE

SCHEMA = json.loads(Path("docs/claims.schema.json").read_text(encoding="utf-8"))
FILES = [p for p in ROOT.rglob("*.toml") if p.name not in ("paper.toml", "sentences.toml")]
CLAIM = """
[one]
label = "One"
where = "here"
statement = "For all x >= 0: x <= 1 + x."
for = "x in [0, oo)"
formula = "x <= 1 + x"
because = "1 is positive."
"""


def text_of(parameter: Parameter) -> str:
    """The notation of a parameter, by another hand than the reader's."""
    searched = getattr(parameter, "search", (None, None))
    more = ""
    if searched != (None, None):
        more = f" searched {'..'.join('' if end is None else str(end) for end in searched)}"
    match parameter:
        case Real():
            more += f" also {', '.join(parameter.also)}" if parameter.also else ""
            left = "(-oo" if parameter.low is None else f"{'[('[parameter.low_open]}{parameter.low}"
            right = f"{parameter.high}{'])'[parameter.high_open]}"
            right = "oo)" if parameter.high is None else right
            return f"{parameter.name} in {left}, {right}{more}"
        case Integer():
            high = "" if parameter.high is None else parameter.high
            return f"{parameter.name} in {{{parameter.low}..{high}}} reach {parameter.reach}"
        case Times():
            return f"{parameter.name} in times^{parameter.length}"
        case Vector():
            left = "(-oo" if parameter.low is None else f"[{parameter.low}"
            right = "oo)" if parameter.high is None else f"{parameter.high}]"
            order = " increasing" if parameter.increasing else ""
            return f"{parameter.name} in {left}, {right}^{parameter.length}{order}{more}"
        case PositiveSemidefinite():
            diagonal = " unit diagonal" if parameter.unit else ""
            diagonal = " diagonal at most 1" if parameter.bound else diagonal
            return f"{parameter.name} in psd^{parameter.size}{diagonal}"
        case Symmetric():
            return f"{parameter.name} in symmetric^{parameter.size}"
    raise TypeError(parameter)


NAMES = st.sampled_from(["x", "eps", "n_0", "K"])
ENDS: st.SearchStrategy[Bound] = st.one_of(
    st.integers(-99, 99), st.sampled_from(["1/2", "max(a, 2*b)", "t[n-1]", "i-1", "(a, b)[0]"])
)
SEARCH = st.tuples(*[st.one_of(st.none(), st.integers(-99, 99))] * 2)
SIZES = st.sampled_from([1, 3, "n", "n+1"])


@st.composite
def reals(draw: st.DrawFn) -> Real:
    low, high = draw(st.one_of(st.none(), ENDS)), draw(st.one_of(st.none(), ENDS))
    return Real(
        draw(NAMES),
        low,
        high,
        low is not None and draw(st.booleans()),
        high is not None and draw(st.booleans()),
        draw(st.sampled_from([(), ("1/2",), ("1/3", "-9")])),
        draw(SEARCH),
    )


DRAWN: st.SearchStrategy[Parameter] = st.one_of(
    reals(),
    st.builds(Integer, NAMES, ENDS, st.one_of(st.none(), ENDS), st.integers(1, 99)),
    st.builds(
        Vector,
        NAMES,
        SIZES,
        st.one_of(st.none(), ENDS),
        st.one_of(st.none(), ENDS),
        st.booleans(),
        SEARCH,
    ),
    st.builds(Times, NAMES, SIZES),
    st.builds(Symmetric, NAMES, SIZES),
    st.builds(PositiveSemidefinite, NAMES, SIZES, st.booleans()),
    st.builds(PositiveSemidefinite, NAMES, SIZES, st.just(False), st.booleans()),
)


@given(st.lists(DRAWN, min_size=1, max_size=4))
@example([Real("x", "max(0, n)", "t[k]", high_open=True), Integer("n", 1)])
def test_the_notation_says_what_is_quantified(drawn: list[Parameter]) -> None:
    assert parameters("; ".join(map(text_of, drawn))) == tuple(drawn)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "x in",
        "x in 3",
        "x in [0, 1",
        "x in [0 1]",
        "x in [0, 1}",
        "x in [-oo, 0]",
        "x in [0, oo]",
        "x in {1, 2}",
        "x in {..2}",
        "x in (0, 1)^n",
        "x in [0, 1]^",
        "K in psd",
        "K in psd^n unit",
        "K in psd^n reach 3",
        "n in {1..} also 2",
        "x in [0, 1] reach 2",
        "t in times^n searched 0..1",
        "x in [0, 1];",
        "x in [0, 1] searched a..b",
    ],
)
def test_what_is_no_set_is_refused(text: str) -> None:
    with pytest.raises(BadDomain):
        parameters(text)


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_of_a_file_and_of_a_claim(tmp_path: Path) -> None:
    text = 'where = "section 1"\nkind = "step"\n' + CLAIM.replace('where = "here"\n', "")
    (claim,) = read_paper(written(tmp_path, text)).claims
    assert (claim.where, claim.kind, claim.expected) == ("section 1", "step", Verdict.PROVED)
    assert claim.parameters == (Real("x", 0),)


def test_a_folder_is_read_in_its_order(tmp_path: Path) -> None:
    written(
        tmp_path, 'title = "T"\nauthors = ["A"]\nyear = 2020\nsections = ["b", "a"]', "paper.toml"
    )
    written(tmp_path, CLAIM, "a.toml")
    written(tmp_path, CLAIM.replace("[one]", "[two]"), "b.toml")
    paper = read_paper(tmp_path)
    assert [claim.id for claim in paper.claims] == ["two", "one"]
    assert (paper.title, paper.authors, paper.year) == ("T", ("A",), 2020)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("because", "becuase"),
            "mine.toml [one] becuase = 1 is positive.: is no key here; did you mean because?",
        ),
        (('"1 is positive."', "3"), "mine.toml [one] because = 3: write a text in quotes"),
        (('because = "1 is positive."', ""), "mine.toml [one] because = : every claim needs"),
        (('"x in [0, oo)"', '"x in [0, oo]"'), "mine.toml [one] for = x in [0, oo]: write NAME in"),
        (('x <= 1 + x"', 'x <= 1 + y"'), "mine.toml [one] = one: ['y'] not defined in"),
        (('x <= 1 + x"', 'x + 1"'), "mine.toml [one] = one: "),
        (("[one]", '[one]\nexpected = "TRUE"'), "mine.toml [one] expected = TRUE: give one of PR"),
        (("[one]", '[one]\nif = "x > 0"'), "mine.toml [one] if = x > 0: write a list of texts"),
        (("[one]", '[one]\nbox = "some"'), 'mine.toml [one] box = some: write "all" or'),
        (("[one]", '[one]\nkind = "rumour"'), "mine.toml [one] kind = rumour: give one of"),
        (("[one]", '[one]\nfinding = "bad"'), "mine.toml [one] finding = bad: give one of"),
        (("[one]", "[one]\nwitnesses = [3]"), "mine.toml [one] witnesses = [3]: write [{"),
        (("[one]", "[one]\nlet.a = 3"), "mine.toml [one] let.a = 3: write a text in quotes"),
        (("[one]", "[one"), "claims = mine.toml: is no TOML: "),
        (("[one]", "[one]\n[one]"), "claims = mine.toml: is no TOML: "),
    ],
)
def test_a_line_names_file_table_and_key(change: tuple[str, str], said: str, tmp_path) -> None:
    text = CLAIM.replace(*change)
    assert text != CLAIM
    with pytest.raises(InvalidInput) as refused:
        read_paper(written(tmp_path, text))
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


def test_two_sections_do_not_share_an_id(tmp_path: Path) -> None:
    written(tmp_path, 'title = "T"\nsections = ["a", "b"]', "paper.toml")
    for name in ("a.toml", "b.toml"):
        written(tmp_path, CLAIM, name)
    with pytest.raises(InvalidInput, match=r"stands in a\.toml too"):
        read_paper(tmp_path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_schema_describes_what_is_shipped(path: Path) -> None:
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), SCHEMA)


def test_the_schema_has_every_field_of_a_claim() -> None:
    """Those that files spell otherwise are named here; there are no others."""
    spelt = {"parameters": "for", "hypotheses": "if"}
    fields = {spelt.get(name, name) for name in Claim.__dataclass_fields__} - {"id"}
    assert set(SCHEMA["$defs"]["claim"]["properties"]) == fields


@pytest.mark.parametrize("key", ["id", "rests_on", "repairs", "place_of"])
@given(name=st.text(st.sampled_from("aZ09-_ .é\n²"), max_size=5))
@example(name="lemma-1")
@example(name="a--b")
@example(name="-a")
@example(name="a\n")
@example(name="²")
@example(name="")
def test_the_schema_says_what_an_id_is(key: str, name: str) -> None:
    """Where a claim has it, and where another one names it, as the language does."""
    table = {"label": "l", "statement": "s", "because": "b"}
    body = {"one": {**table, key: [name] if key.startswith("re") else name}}
    if key == "id":
        body = {name: table}
    try:
        replace(CLAIMS[0], id=name)
        known = True
    except BadClaim:
        known = False
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid(body) is known


def test_every_file_belongs_to_a_ledger() -> None:
    read = sum(len(paper.sections) for paper in PAPERS.values()) + 1
    assert read == len(FILES)
    assert len({claim.id for claim in (*CLAIMS, *TEMPLATE)}) == len(CLAIMS) + len(TEMPLATE)

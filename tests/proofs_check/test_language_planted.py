"""False or meaningless claims as texts of a ledger's file: none is PROVED, on a box or whole.

Each asks for something that an engine might take for granted: a value at a pole, an index that
wraps, a domain without points, a part for the whole, digits beyond those of doubles.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from proofs_check.language.claim import Claim
from proofs_check.language.ledger_file import read_section
from proofs_check.records.ledger import PROVED, Row
from proofs_check.records.verify import BUDGETS, verify
from proofs_check.search.finder import SearchBudget

WHOLE = "all"
PLANTS: list[tuple[str, str, object, list[str]]] = [
    # The end of a domain, and what lies at it.
    ("x <= 1/2", "x in [0, 1]", WHOLE, []),
    ("x < 1", "x in [0, 1]", WHOLE, []),
    ("n <= 3", "n in {1..4}", WHOLE, []),
    ("abs(x) <= 1/2", "x in [-1, 0]", WHOLE, []),
    ("ceil(x) <= 0", "x in [0, 1]", WHOLE, []),
    ("floor(x) == 0", "x in [0, 1]", WHOLE, []),
    ("x*x >= 1/10**60", "x in [0, 1]", WHOLE, []),
    ("x <= 1/2", "x in [0, 1] searched 0..0", WHOLE, []),
    ("(x if x > 1/2 else 0-x) <= 1/2", "x in [0, 1]", WHOLE, []),
    ("v[0] <= 1/2", "v in [0, 1]^1", WHOLE, []),
    ("K[0][1] <= 1/2", "K in psd^2 unit diagonal", WHOLE, []),
    ("t[1] <= t[0]", "t in times^2", None, []),
    ("n <= 10**30", "n in {0..} reach 1", None, []),
    # No value somewhere.
    ("1/x >= 1", "x in [0, 1]", WHOLE, []),
    ("x/x == 1", "x in [0, 1]", WHOLE, []),
    ("x*log(x) <= 0", "x in [0, 1]", WHOLE, []),
    ("sqrt(x-1/2)**2 >= 0", "x in [0, 1]", WHOLE, []),
    ("(x-1/2)**(1/2) >= 0", "x in [0, 1]", WHOLE, []),
    ("(1 if x > 1/2 else 0/x) <= 1", "x in [0, 1]", WHOLE, []),
    ("(1 if 1/x > 0 else 1) == 1", "x in [0, 1]", WHOLE, []),
    ("0**x >= 1", "x in [0, 1]", WHOLE, []),
    ("(0-1)**(1/3) <= 0", "", None, []),
    ("exp(log(0)) <= 1", "", None, []),
    ("log(1 - 1) <= 0", "", None, []),
    ("gamma(0) >= 0", "", None, []),
    ("gamma(0-1/2) <= 0", "", None, []),
    ("bessel_k(1/2, 0) >= 0", "", None, []),
    ("[1, 2][2] >= 0", "", None, []),
    ("[1, 2][0-1] >= 1", "", None, []),
    ("[1, 2][1/2] <= 9", "", None, []),
    ("min([]) <= 0", "", None, []),
    ("identity(0)[0][0] <= 9", "", None, []),
    # No point, or a part of the points.
    ("x <= 0", "x in [1, 0]", WHOLE, []),
    ("n <= 0", "n in {3..1}", WHOLE, []),
    ("x <= 1", "x in [0, 2]", WHOLE, ["x <= 1", "x >= 2"]),
    ("x <= 0", "x in [0, 1]", WHOLE, ["x > 1"]),
    ("x <= 0", "x in [0, 1]", WHOLE, ["sqrt(x-2) >= 0"]),
    ("x <= 0", "x in [0, 1]", WHOLE, ["1/(x-x) >= 0"]),
    ("x <= 1", "x in [0, 2]", {"x": ["0", "1"]}, []),
    ("x + 1/10**40 > 1", "x in [0, 1]", {"x": ["1", "1"]}, []),
    ("x >= 0", "x in (-oo, oo)", {"x": ["0", "9"]}, []),
    ("x <= y", "x in [0, 1]; y in [0, 1]", {"x": ["0", "0"], "y": ["0", "1"]}, []),
    ("x <= y", "x in [0, 1]; y in [x, 1]", WHOLE, []),
    # Digits.
    ("0.1 + 0.2 != 0.3", "", None, []),
    ("1/10**400 == 0", "", None, []),
    ("1e-999 == 0", "", None, []),
    ("1e999 <= 1e998", "", None, []),
    ("1e400 < 1e399", "", None, []),
    ("exp(0-10**5) == 0", "", None, []),
    ("2**(0-10**7) == 0", "", None, []),
    ("10**(10**9) > 10**(10**9)", "", None, []),
    ("erf(30) == 1", "", None, []),
    ("normal_cdf(40) == 1", "", None, []),
    ("sin(10**30) <= 0-1", "", None, []),
    ("pi == 3", "", None, []),
    ("exp(1) == 2.718281828459045", "", None, []),
    ("sqrt(2)**2 < 2", "", None, []),
    ("log(4) != 2*log(2)", "", None, []),
    # Lists and matrices.
    ("sum(1 for k in range(n)) <= 3", "n in {1..5}", WHOLE, []),
    ("sum(1 for k in range(3, 1)) >= 1", "", None, []),
    ("prod(k for k in range(3)) >= 1", "", None, []),
    ("max([1, 2][0], 0) <= 0", "", None, []),
    ("len([]) >= 1", "", None, []),
    ("det([]) >= 2", "", None, []),
    ("trace([]) >= 1", "", None, []),
    ("det([[1, 2], [2, 4]]) > 0", "", None, []),
    ("eigenvalues([[1, 2], [2, 1]])[0] < 3", "", None, []),
    ("eigenvalues([[x, 1], [1, x]])[1] >= 0", "x in [0, 2]", WHOLE, []),
    # Branches, indices, precedence, shapes, hypotheses at every index, domains: a second attack.
    ("x + (0 if x <= 1/3 else 0-1/3-1/10**9) >= 0", "x in [0, 1]", WHOLE, []),
    ("(0 if exp(x) != 3/2 else 0-1) >= 0", "x in [0, 1]", WHOLE, []),
    ("sum((1 if k <= 10*x else 0) for k in range(10)) <= 9 + 1/2", "x in [0, 1]", WHOLE, []),
    ("(1 if x == 1/7 else 0) <= 0", "x in [0, 1]", WHOLE, []),
    ("(1 if x != sqrt(1/2) else 2) <= 1", "x in [0, 1]", WHOLE, []),
    ("floor(x)*floor(1-x) >= 0-1/2 + floor(x)", "x in [0, 1]", WHOLE, []),
    ("ceil(x) - x < 1 - 1/10**30", "x in [0, 1]", WHOLE, []),
    ("[x, 1-x][floor(x+1/2)] <= 1/2 - 1/10**20", "x in [0, 1]", WHOLE, []),
    ("[0, x][ceil(x)] <= 1 - 1/10**20", "x in [0, 1]", WHOLE, []),
    ("x**x >= exp(0-exp(0-1)) + 1/10**20", "x in [1/10, 1]", WHOLE, []),
    ("x**y <= 1 - 1/10**20", "x in [0, 1]; y in [1/2, 1]", WHOLE, []),
    ("(0-x)**2 <= 0-x", "x in [0, 1]", WHOLE, []),
    ("-x**2 >= 0", "x in [0, 1]", WHOLE, []),
    ("2**-1 >= 1", "", None, []),
    ("2**3**2 <= 64", "", None, []),
    ("-2**2 >= 4", "", None, []),
    ("1 - 1 - 1 >= 1", "", None, []),
    ("8/4/2 >= 4", "", None, []),
    ("(1 if 1 <= 2 else 0) + 1 <= 1", "", None, []),
    ("1 if 1 <= 2 else 0 + 1 <= 1", "", None, []),
    ("0**0 == 0", "", None, []),
    ("0.5**0 == 0", "", None, []),
    ("(0-8)**(1/3) == 0-2", "", None, []),
    ("(0-8)**(2/6) <= 0", "", None, []),
    ("4**0.5 == 0-2", "", None, []),
    ("sum(sum(k for k in range(k)) for k in range(4)) == 3", "", None, []),
    ("sum(k for k in range(3) for k in range(k)) == 3", "", None, []),
    ("sum(k for k in range(k))  == 0", "k in {0..3}", WHOLE, []),
    ("max(k for k in range(n)) <= 3", "n in {1..5}", WHOLE, []),
    ("min(k for k in range(n, n)) >= 0", "n in {1..5}", WHOLE, []),
    ("len([k for k in range(n) for j in range(k)]) <= 9", "n in {1..5}", WHOLE, []),
    ("prod(x for k in range(n)) <= x", "x in [0, 1]; n in {0..3}", WHOLE, []),
    ("det([[x]]) >= 1/2", "x in [0, 1]", WHOLE, []),
    ("det([[0, 1], [1, 0]]) >= 0", "", None, []),
    ("det([[0, 0, 1], [0, 1, 0], [1, 0, 0]]) >= 0", "", None, []),
    ("det([[1, 2, 3], [4, 5, 6]]) >= 0-9", "", None, []),
    ("trace([[1, 2]]) >= 0", "", None, []),
    ("det(scale(2, identity(3))) <= 2", "", None, []),
    ("trace(matmul([[1, 2]], [[3], [4]])) <= 10", "", None, []),
    ("matmul([[1, 2]], [[3, 4]])[0][0] <= 99", "", None, []),
    ("transpose([[1, 2], [3]])[0][0] <= 9", "", None, []),
    ("hadamard([[1, 2]], [[1]])[0][0] <= 9", "", None, []),
    ("outer([1, 2], [3])[1][0] <= 5", "", None, []),
    ("block([[1, 2], [2, 1]], 1, 0)[0][0] <= 9", "", None, []),
    ("trace(block([[1, 2], [2, 1]], 2, 1)) <= 9", "", None, []),
    ("eigenvalues([[1, 2], [3, 1]])[0] <= 9", "", None, []),
    ("eigenvalues([[0, 1], [1, 0]])[0] <= 0", "", None, []),
    ("eigenvalues([])[0] <= 0", "", None, []),
    ("trace(identity(3/2)) <= 9", "", None, []),
    ("diagonal([1, 2])[0][1] >= 1", "", None, []),
    ("len(identity(0)) >= 1", "", None, []),
    ("sum(k for k in range(1/2)) <= 9", "", None, []),
    ("sum(1 for k in range(pi)) <= 9", "", None, []),
    ("sum(1 for k in range(4, 2)) <= 0-1", "", None, []),
    ("erf(0-1) >= 0", "", None, []),
    ("normal_cdf(0) > 1/2", "", None, []),
    ("gamma(5) == 120", "", None, []),
    ("bessel_k(0-1, 1) < bessel_k(1, 1)", "", None, []),
    ("bessel_k(1, 0-1) <= 0", "", None, []),
    ("sin(pi) > 0", "", None, []),
    ("floor(0-1/2) >= 0", "", None, []),
    ("ceil(0-1/2) <= 0-1", "", None, []),
    ("abs(0-0) > 0", "", None, []),
    ("x <= 1", "x in [0, 2]", WHOLE, ["all(x <= k for k in range(1, 1))"]),
    ("x <= 1", "x in [0, 2]", WHOLE, ["all(x <= k for k in range(2, 3))"]),
    ("x <= 1", "x in [0, 2]", WHOLE, ["all(k/(k-1) >= 0 for k in range(1, 2))"]),
    ("x <= 1", "x in [0, 2]", WHOLE, ["all(k/(x-3) <= 0 for k in range(1, 3))"]),
    ("x <= 1/2", "x in [0, 1]", WHOLE, ["all(x != k/2 for k in range(3))"]),
    ("v[0] <= 1/2", "v in [0, 1]^2", None, ["all(v[k] <= v[k+1] for k in range(2))"]),
    ("v[1] <= 1/2", "v in [0, 1]^2", None, ["all(v[k] <= v[k+1] for k in range(1))"]),
    (
        "v[0] <= v[n-1]",
        "n in {1..}; v in [0, 1]^n",
        None,
        ["all(v[k] <= v[k+1] for k in range(n-2))"],
    ),
    ("v[0] >= 1", "n in {1..}; v in [0, 1]^n", None, ["all(v[k] <= 1 for k in range(n))"]),
    ("x <= 0", "x in [0, 1]", WHOLE, ["all(x < 0 for k in range(1))"]),
    ("x <= 0", "x in [0, 1]", WHOLE, ["log(x-2) <= 0"]),
    ("x <= 2/3", "x in [0, 1]", WHOLE, ["floor(x) == 0"]),
    ("x < 1", "x in [0, 1]", WHOLE, ["floor(2*x) <= 2"]),
    ("x <= 1/2", "x in [0, 1/2]", {"x": ["0", "1"]}, []),
    ("n <= 4", "n in {1/2..5}", WHOLE, []),
    ("n <= 4", "n in {1..9/2 + 1/2}", WHOLE, []),
    ("n*x <= 4", "n in {1..5}; x in [0, 1/n]", WHOLE, ["x >= 4"]),
    ("t[0] > 0", "t in times^1", None, []),
    ("t[1] - t[0] > 0", "t in times^3", None, []),
    ("v[0] < v[1]", "v in [0, 1]^2 increasing", None, []),
    ("K[0][0] < 1", "K in psd^2 diagonal at most 1", None, []),
    ("K[0][1] <= 9/10", "K in psd^2 diagonal at most 1", None, []),
    ("A[0][1] < A[1][0] + 1/10**9 - 1/10**9", "A in symmetric^2", None, []),
    ("det(K) > 0", "K in psd^3 unit diagonal", None, []),
    ("x <= 1", "x in (0, 1)", {"x": ["0", "1"]}, ["x > 1"]),
]


def written(number: int, folder: Path) -> Path:
    """A ledger of one plant."""
    formula, domain, box, given = PLANTS[number]
    path = folder / f"{number}.toml"
    lines = [f"[planted-{number}]", 'label = "l"', 'where = "w"', 'kind = "theory"']
    lines += ['because = "b"', 'statement = "For x, y, n, t, v and K."', f'formula = "{formula}"']
    lines += [f'for = "{domain}"'] if domain else []
    lines += [f"if = {json.dumps(given)}"] if given else []
    if isinstance(box, dict):
        lines.append(f"box = {{{', '.join(f'{k} = {json.dumps(v)}' for k, v in box.items())}}}")
    elif box:
        lines.append(f'box = "{box}"')
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row | InvalidInput]:
    """What becomes of each, all in one ledger: for every ledger a process is started."""
    folder = tmp_path_factory.mktemp("planted")
    found: dict[str, Row | InvalidInput] = {}
    claims: list[Claim] = []
    for number in range(len(PLANTS)):
        try:
            claims += read_section(written(number, folder)).claims
        except InvalidInput as fault:
            found[f"planted-{number}"] = fault
    with pytest.MonkeyPatch.context() as patch:
        # What the search finds is not asked here, and no cover of what is false may close at all.
        patch.setitem(BUDGETS, "fast", (SearchBudget(cases=60).glance(), 1_000, 30))
        return found | {row.claim.id: row for row in verify(claims=claims).rows}


@pytest.mark.parametrize("number", range(len(PLANTS)), ids=lambda number: PLANTS[number][0])
def test_no_planted_text_is_proved(number: int, rows: dict[str, Row | InvalidInput]) -> None:
    """Some are refuted, some undecided, and some no text of a ledger; the rows can be shown."""
    row = rows[f"planted-{number}"]
    if isinstance(row, InvalidInput):
        assert "\n" not in str(row)
        return
    partly = isinstance(PLANTS[number][2], dict) and str(row.verdict) == "PROVED_ON_BOX"
    assert row.verdict not in PROVED or partly, row.reason
    assert json.dumps(row.to_json(), allow_nan=False)

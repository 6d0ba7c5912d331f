"""docs/theory.md#box: the certificate from the grid to the box."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Real

CLAIMS = (
    Claim(
        id="theory-box-linear-part",
        label="From the grid to the box, the linear part",
        where="docs/theory.md#box",
        kind="theory",
        statement=(
            "Var(f + h g) = v + 2h k + h^2 w <= v + |2k| d + w d^2 for |h| <= d, with v = Var f, "
            "k = Cov(f, g), w = Var g, and 2k the derivative of v."
        ),
        parameters=(
            Real("d", 0, search=(None, 10)),
            Real("h", "-d", "d"),
            Real("v", 0, search=(None, 10)),
            Real("k", search=(-10, 10)),
            Real("w", 0, search=(None, 10)),
        ),
        formula="v + 2*h*k + h**2*w <= v + abs(2*k)*d + w*d**2",
        expected=Verdict.PROVED,
        because="Each term on its own.",
    ),
    Claim(
        id="theory-box-se",
        label="From the grid to the box, remainder of the squared exponential",
        where="docs/theory.md#box",
        kind="theory",
        statement="For y >= 0: 2-2e^-y+2y-4ye^-y <= 3y^2.",
        reading=(
            "y = d^2/(2ℓ^2): the left side is the prior variance of f(x)-f(x_0)-d f'(x_0), the "
            "right side (d^2 sqrt(3)/(2ℓ^2))^2."
        ),
        parameters=(Real("y", 0),),
        formula="2 - 2*exp(-y) + 2*y - 4*y*exp(-y) <= 3*y**2",
        expected=Verdict.PROVED,
        because="The derivative of the difference is at least 4y(1-e^-y).",
    ),
    Claim(
        id="theory-box-matern52",
        label="From the grid to the box, remainder of Matérn-5/2",
        where="docs/theory.md#box",
        kind="theory",
        statement="For a >= 0: 2 - 2(1+a+a^2/3)e^-a + a^2/3 - (2/3)a^2(1+a)e^-a <= a^4/4.",
        reading=(
            "a = sqrt(5)d/ℓ: the left side is the prior variance of the remainder, the right "
            "side (5d^2/(2ℓ^2))^2."
        ),
        parameters=(Real("a", 0),),
        formula=("2 - 2*(1+a+a**2/3)*exp(-a) + a**2/3 - 2*a**2*(1+a)*exp(-a)/3 <= a**4/4"),
        expected=Verdict.PROVED,
        because="The derivative is (2a/3) times the surplus of theory-ab-increment-matern52.",
    ),
    Claim(
        id="theory-box-matern32",
        label="From the grid to the box, increments of f' for Matérn-3/2",
        where="docs/theory.md#box",
        kind="theory",
        statement="For a >= 0: 1-(1-a)e^-a <= 2a.",
        reading=(
            "a = sqrt(3)u/ℓ: Var(f'(u)-f'(0)) = (6/ℓ^2)(1-(1-a)e^-a), so at most 12 sqrt(3) "
            "u/ℓ^3, whose root integrates to (2/3)sqrt(12 sqrt(3)/ℓ^3) d^(3/2)."
        ),
        parameters=(Real("a", 0),),
        formula="1 - (1-a)*exp(-a) <= 2*a",
        expected=Verdict.PROVED,
        because="(2-a)e^-a <= 2.",
    ),
    Claim(
        id="theory-box-matern32-remainder",
        label="From the grid to the box, remainder of Matérn-3/2, sharper",
        where="docs/theory.md#box",
        kind="theory",
        statement="For a >= 0: 2 - 2(1+a)e^-a + a^2 - 2a^2 e^-a <= (4/3)a^3.",
        reading=(
            "a = sqrt(3)d/ℓ: the left side is the prior variance of the remainder, the right "
            "side 4 sqrt(3) (d/ℓ)^3, three quarters of the square of the root that "
            "theory-box-matern32 integrates to."
        ),
        parameters=(Real("a", 0),),
        formula="2 - 2*(1+a)*exp(-a) + a**2 - 2*a**2*exp(-a) <= 4*a**3/3",
        expected=Verdict.PROVED,
        because="The derivative is 2a times the surplus of theory-box-matern32.",
    ),
    Claim(
        id="theory-box-first-order-se",
        label="From the grid to the box, first order, squared exponential",
        where="docs/theory.md#box",
        kind="theory",
        statement="For y >= 0: 2(1-e^-y) <= 2y.",
        reading=(
            "y = d^2/(2ℓ^2): the left side is Var(f(x)-f(x_0)), so sqrt(v) grows by at most d/ℓ."
        ),
        parameters=(Real("y", 0),),
        formula="2*(1-exp(-y)) <= 2*y",
        expected=Verdict.PROVED,
        because="1-e^-y <= y.",
    ),
    Claim(
        id="theory-box-first-order-matern32",
        label="From the grid to the box, first order, Matérn-3/2",
        where="docs/theory.md#box",
        kind="theory",
        statement="For a >= 0: 2(1-(1+a)e^-a) <= a^2.",
        reading="a = sqrt(3)d/ℓ: the left side is Var(f(x)-f(x_0)).",
        parameters=(Real("a", 0),),
        formula="2*(1-(1+a)*exp(-a)) <= a**2",
        expected=Verdict.PROVED,
        because="The derivative is 2a(1-e^-a).",
    ),
    Claim(
        id="theory-box-first-order-matern52",
        label="From the grid to the box, first order, Matérn-5/2",
        where="docs/theory.md#box",
        kind="theory",
        statement="For a >= 0: 2(1-(1+a+a^2/3)e^-a) <= a^2/3.",
        reading=(
            "a = sqrt(5)d/ℓ: the left side is Var(f(x)-f(x_0)), the right side (sqrt(5/3)d/ℓ)^2."
        ),
        parameters=(Real("a", 0),),
        formula="2*(1-(1+a+a**2/3)*exp(-a)) <= a**2/3",
        expected=Verdict.PROVED,
        because="The derivative is (2a/3)(1-(1+a)e^-a).",
    ),
)

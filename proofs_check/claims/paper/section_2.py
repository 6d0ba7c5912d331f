"""Section 2: the model. What it asserts about kernels, sample paths and the drifting objective."""

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Integer, Real, Times

CLAIMS = (
    Claim(
        id="matern-smoothness",
        label="Smoothness of Matérn samples",
        where="section 2.2",
        statement=(
            "For every ν > 0 the samples of a Matérn(ν) process are exactly floor(ν-1) times "
            "differentiable. The right side is what the spectral density says: the k-th derivative "
            "has finite variance if and only if k < ν, so ceil(ν)-1 times."
        ),
        reading=(
            "The number names how many derivatives there are. Read as 'at least', it is true but "
            "says -1 for the exponential kernel and 0 for ν = 3/2, whose samples are C^1."
        ),
        parameters=(Real("nu", 0, low_open=True),),
        formula="floor(nu-1) == ceil(nu)-1",
        expected=Verdict.REFUTED,
        because="The two agree only at integers; at ν = 1/2, 3/2, 5/2 the printed one is 1 short.",
        finding="false",
        repairs=("matern-smoothness-repaired",),
        remark="The printed number would deny Assumption 1 (I) to Matérn(3/2), which satisfies it.",
    ),
    Claim(
        id="matern-smoothness-repaired",
        label="Smoothness of Matérn samples, repaired",
        where="section 2.2",
        kind="repair",
        statement=(
            "For all ν > 0 with m = ceil(ν) and integers k >= 0: k <= m-1 if and only if 2k - "
            "2ν - 1 < -1, which is when the integral of w^(2k) (1+w^2)^(-ν-1/2), the variance "
            "of the k-th derivative up to a factor, is finite. So there are m-1 derivatives."
        ),
        parameters=(Integer("m", 1), Real("nu", "m-1", "m", low_open=True), Integer("k", 0)),
        hypotheses=("(k-m)*(k-m+1) >= 0",),
        formula="(1 if k <= m-1 else 0) == (1 if 2*k - 2*nu - 1 < -1 else 0)",
        outline=(
            "that samples have the k-th derivative where this integral is finite is a textbook fact"
        ),
        expected=Verdict.OUTLINE,
        because="An integral of w^p converges at infinity exactly for p < -1.",
        remark="The hypothesis says no more than that k and m are integers.",
    ),
    Claim(
        id="matern-half-is-exponential",
        label="The exponential kernel is Matérn(1/2)",
        where="section 2.2",
        statement=(
            "For all z = r/ℓ > 0: 2^(1/2)/Γ(1/2) z^(1/2) K_{1/2}(z) = exp(-z), tested up to 10^-9."
        ),
        parameters=(Real("z", 0, low_open=True),),
        formula="abs(sqrt(2)/gamma(1/2)*sqrt(z)*bessel_k(1/2, z) - exp(-z)) <= 1/10**9",
        witnesses=({"z": "1"},),
        expected=Verdict.SUPPORTED,
        because="K_{1/2}(z) = sqrt(pi/(2z)) exp(-z), a textbook identity.",
    ),
    Claim(
        id="forgetting-kernel-psd",
        label="The forgetting kernel is a covariance",
        where="section 2.2, eq. (time kernel)",
        statement=(
            "For every rate θ = -log(1-ε)/2 >= 0 and every finite sequence of times: the matrix "
            "of (1-ε)^(|τ_j-τ_k|/2) is positive semidefinite with unit diagonal and no negative "
            "entry, and 1 minus an entry is at most θ|τ_j-τ_k|."
        ),
        reading=(
            "The search tries three times, a and b the correlations of neighbours: the "
            "determinant is (1-a^2)(1-b^2)."
        ),
        parameters=(Real("a", 0, 1), Real("b", 0, 1)),
        formula="det([[1,a,a*b],[a,1,b],[a*b,b,1]]) >= 0",
        expected=Verdict.PROVED,
        because="The kernel is that of a stationary Ornstein-Uhlenbeck process.",
    ),
    Claim(
        id="forgetting-kernel-epsilon-one",
        label="The forgetting kernel at ε = 1",
        where="section 2.2, eq. (time kernel)",
        statement=(
            "For all ε in [0, 1] the time kernel has a slope θ with 1 - k_time(τ,τ') <= θ|τ-τ'|, "
            "as (II) of Assumption 1 asks with θ = ε. Asked at ε = 1 of every θ >= 1 (a larger θ "
            "is a weaker statement) at the distance h = 1/(2θ+1)."
        ),
        reading=(
            "The paper allows ε in [0, 1], with 0^0 = 1 at equal times, here and in Assumption 1, "
            "and uses this kernel under it."
        ),
        parameters=(Real("theta", 1),),
        let=(("h", "1/(2*theta+1)"),),
        formula="1 - 0**(h/2) <= theta*h",
        expected=Verdict.REFUTED,
        because="At ε = 1 the kernel is white noise in time: it jumps from 1 to 0.",
        finding="missing hypothesis",
        repairs=("forgetting-kernel-slope",),
        remark="Every θ fails, since θh < 1/2 there. The domain should be ε in [0, 1).",
    ),
    Claim(
        id="forgetting-kernel-slope",
        label="The slope of the forgetting kernel",
        where="section 2.2, eq. (time kernel)",
        kind="repair",
        statement=("For all ε in [0, 1) and h >= 0, with θ = -log(1-ε)/2: 1 - (1-ε)^(h/2) <= θh."),
        parameters=(Real("eps", 0, 1, high_open=True), Real("h", 0)),
        formula="1 - (1-eps)**(h/2) <= -log(1-eps)/2*h",
        expected=Verdict.PROVED,
        because="exp(-y) >= 1-y. No smaller θ works: the slope at 0 is θ.",
    ),
    Claim(
        id="forgetting-kernel-is-exponential",
        label="The time kernel as an exponential kernel",
        where="section 2.2, eq. (time kernel)",
        statement=("For all ε in (0, 1) and h >= 0: (1-ε)^(h/2) = exp(-h/ℓ) with ℓ = -2/log(1-ε)."),
        reading="ε = 0: the limit ℓ = oo, a constant; ε = 1: forgetting-kernel-epsilon-one.",
        parameters=(Real("eps", 0, 1, low_open=True, high_open=True), Real("h", 0)),
        formula="(1-eps)**(h/2) == exp(-h/(-2/log(1-eps)))",
        expected=Verdict.PROVED,
        because="Take logarithms.",
    ),
    Claim(
        id="matern-limit",
        label="The squared exponential kernel as a limit of Matérn kernels",
        where="section 2.2",
        statement=(
            "In dimension d at frequency w, y = ℓ^2 w^2/2: the Matérn spectral density is "
            "proportional to (1+y/ν)^(-ν-d/2), that of the squared exponential to exp(-y), and "
            "|(ν+d/2) log(1+y/ν) - y| <= (dy+y^2)/(2ν), which falls to 0 as ν grows."
        ),
        parameters=(Real("nu", 0, low_open=True), Real("y", 0), Integer("d", 1, reach=4)),
        formula="abs((nu+d/2)*log(1+y/nu) - y) <= (d*y+y**2)/(2*nu)",
        outline=(
            "that these are the spectral densities, and that they tell the kernels, is textbook"
        ),
        expected=Verdict.OUTLINE,
        because="x - x^2/2 <= log(1+x) <= x at x = y/ν.",
    ),
    Claim(
        id="prior-mean-zero",
        label="A known prior mean",
        where="section 2.2",
        statement=(
            "With any number of observations, any weights w of the posterior mean and a known "
            "mean, m at the point and p_i at the observations p_i + z_i: the deviation of f = m + "
            "g from its posterior mean m + Σ w_i ((p_i + z_i) - p_i) is that of g with mean 0, g "
            "- Σ w_i z_i."
        ),
        reading=(
            "'Without loss of generality' is about the posterior, whose weights and covariance "
            "have no mean in them. The search tries one observation of noise variance w."
        ),
        parameters=(*(Real(name, None) for name in "mpgzk"), Real("w", 0, low_open=True)),
        formula="(m+g) - (m + k*((p+z)-p)/(1+w)) == g - k*z/(1+w)",
        expected=Verdict.PROVED,
        because="Subtract the mean from the observations and add it to the prediction.",
        remark=(
            "The maximiser, and so the regret, is that of m + g: a mean that depends on the point "
            "cannot be left out there, and Assumption 1 (III) must be asked of m + g."
        ),
    ),
    Claim(
        id="regret-unit-times",
        label="The regret of unit evaluation times",
        where="section 2.1",
        statement="For all n: if t_i = 1 for all i then τ_n = n, so r_n is the earlier regret.",
        reading="The theorem: n equal terms a sum to na.",
        parameters=(Integer("n", 1),),
        formula="sum(1 for i in range(n)) == n",
        expected=Verdict.PROVED,
        because="A sum of ones.",
        printed_proof="sound",
    ),
    Claim(
        id="drift-is-forgetting-kernel",
        label="The generated objective has the forgetting kernel",
        where="section 5.1",
        kind="step",
        statement=(
            "For all λ in [0, 1) and k >= 0: f_{i+1} = sqrt(1-λ) f_i + sqrt(λ) η has unit variance "
            "and lag-k correlation (1-λ)^(k/2), so ε = λ per second at whole seconds. One step: "
            "variance (1-λ)v + λ stays 1 and the correlation c becomes sqrt(1-λ) c. (q = 1-λ.)"
        ),
        parameters=(Real("q", 0, 1, low_open=True), Integer("k", 0)),
        formula="sqrt(q)*q**(k/2) == q**((k+1)/2)",
        outline=(
            "that a step multiplies correlations by sqrt(1-λ) and keeps the variance is linearity"
        ),
        expected=Verdict.OUTLINE,
        because="Each step multiplies the correlation by sqrt(1-λ).",
    ),
    Claim(
        id="forgetting-increments",
        label="Tied and unequal times under the forgetting kernel",
        where="section 2.2, eq. (time kernel)",
        kind="step",
        statement=(
            "For all ε in [0, 1) and times: the determinant of the time Gram matrix is the product "
            "of 1 - (1-ε)^(gap), so it is singular exactly at ties."
        ),
        parameters=(Integer("n", 1, 4), Times("t", "n"), Real("eps", 0, 1, high_open=True)),
        formula=(
            "abs(det([[(1-eps)**(abs(t[j]-t[k])/2) for k in range(n)] for j in range(n)]) - "
            "prod(1-(1-eps)**(t[j]-t[j-1]) for j in range(1, n))) <= 1/10**9"
        ),
        expected=Verdict.SUPPORTED,
        because="The process is Markov: each increment is independent given the last value.",
    ),
)

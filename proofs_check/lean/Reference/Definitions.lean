import Mathlib

/-!
# The vocabulary of the statements

What a reader of `Statements.lean` needs: definitions, and no proof. They say what `definitions.v`
and `outcomes.v` of the Coq theories say, with Mathlib's determinants, inverses, semidefinite
matrices and measures. Rounds are counted from 0; `s` is the inverse of the noise variance.

Conventions of the two assistants differ outside the domains of functions (`Real.log` of a negative
number, the inverse of a singular matrix). The hypotheses of the statements keep arguments inside:
logarithms are of numbers above 0, inverses of `1 + s A` and `α + H` with `A`, `H` semidefinite,
and division by zero is 0 in both.
-/

namespace Reference

noncomputable section

/-! ## Matrices and gains -/

/-- The first `n` rows and columns of an array of numbers, as a matrix. -/
def square (n : ℕ) (A : ℕ → ℕ → ℝ) : Matrix (Fin n) (Fin n) ℝ :=
  Matrix.of fun (i j : Fin n) => A (i : ℕ) (j : ℕ)

/-- The entries of the identity. -/
def identity (i j : ℕ) : ℝ := if i = j then 1 else 0

/-- The covariance of `n` looks in units of the noise variance: `1 + s A`. -/
def noisy (s : ℝ) (n : ℕ) (A : ℕ → ℕ → ℝ) : Matrix (Fin n) (Fin n) ℝ := 1 + s • square n A

/-- The information gain: half the logarithm of `det (1 + s A)`. -/
def gain (s : ℝ) (n : ℕ) (A : ℕ → ℕ → ℝ) : ℝ := 1 / 2 * Real.log (noisy s n A).det

/-- A kernel: semidefinite at every finite sequence of points. -/
def IsKernel {X : Type} (k : X → X → ℝ) : Prop :=
  ∀ (n : ℕ) (x : ℕ → X), (square n fun i j => k (x i) (x j)).PosSemidef

/-- The covariances of rounds at points `x`, of space alone. -/
def gram {X : Type} (k : X → X → ℝ) (x : ℕ → X) (i j : ℕ) : ℝ := k (x i) (x j)

/-- The covariances of rounds at points `x` and times `tau`. -/
def joint {X : Type} (k : X → X → ℝ) (h : ℝ → ℝ → ℝ) (x : ℕ → X) (tau : ℕ → ℝ) (i j : ℕ) : ℝ :=
  k (x i) (x j) * h (tau i) (tau j)

/-- `gamma m` is at least the gain of every sequence of `m` points, repetitions allowed. -/
def BoundsSpaceGain {X : Type} (k : X → X → ℝ) (s : ℝ) (gamma : ℕ → ℝ) : Prop :=
  ∀ (m : ℕ) (x : ℕ → X), gain s m (gram k x) ≤ gamma m

/-- `log a + 1/a - 1`, of the rank-aware dual. -/
def psi (a : ℝ) : ℝ := Real.log a + a⁻¹ - 1

/-- The trace of the inverse of an `n` by `n` matrix. -/
def traceInverse (n : ℕ) (A : ℕ → ℕ → ℝ) : ℝ := ((square n A)⁻¹).trace

/-- The quadratic form `bᵀ A⁻¹ b`. -/
def inverseForm (n : ℕ) (A : ℕ → ℕ → ℝ) (b : ℕ → ℝ) : ℝ :=
  ∑ i : Fin n, ∑ j : Fin n, b i * (square n A)⁻¹ i j * b j

/-! ## Partitions -/

/-- The sum over consecutive blocks of lengths `m₀, m₁, …` of `price i d m`: `i` is the number of
the block, `d` the round that it starts with, `m` its length. -/
def overBlocks (price : ℕ → ℕ → ℕ → ℝ) : ℕ → ℕ → List ℕ → ℝ
  | _, _, [] => 0
  | i, d, m :: rest => price i d m + overBlocks price (i + 1) (d + m) rest

/-- The length of the longest block. -/
def longest : List ℕ → ℕ
  | [] => 0
  | m :: rest => max m (longest rest)

/-- The uniformity of the `m` times that start with number `d`, its cap being `cap` (`1/θ²`). -/
def uniformity (cap : ℝ) (tau : ℕ → ℝ) (d m : ℕ) : ℝ :=
  ∑ j ∈ Finset.range m, ∑ k ∈ Finset.range m, min cap ((tau (d + j) - tau (d + k)) ^ 2)

/-- The sum of `D` over all ordered pairs of times of the block of length `m` from round `d` on. -/
def pairSum (D : ℝ → ℝ) (tau : ℕ → ℝ) (d m : ℕ) : ℝ :=
  ∑ j ∈ Finset.range m, ∑ k ∈ Finset.range m, D (abs (tau (d + j) - tau (d + k)))

/-- The drift function of the paper, with `phi 0 = 0`. -/
def phi (x : ℝ) : ℝ := if x ≤ 0 then 0 else min x (Real.log x + x⁻¹)

/-- Theorem 1's bound on the gain: `N γ_M + ½ Σ M_i φ(s θ √(C_i / M_i))`. -/
def partitionBound (s theta : ℝ) (gamma tau : ℕ → ℝ) (blocks : List ℕ) : ℝ :=
  (blocks.length : ℝ) * gamma (longest blocks) +
    1 / 2 * overBlocks (fun _ d m => (m : ℝ) *
      phi (s * theta * Real.sqrt (uniformity (theta ^ 2)⁻¹ tau d m / (m : ℝ)))) 0 0 blocks

/-! ## Posterior moments -/

/-- The posterior covariance of two quantities of prior covariance `c` that have the covariances `a`
and `b` with `n` looks: `c - s aᵀ (1 + s A)⁻¹ b`. -/
def covariance (s : ℝ) (n : ℕ) (A : ℕ → ℕ → ℝ) (a b : ℕ → ℝ) (c : ℝ) : ℝ :=
  c - s * ∑ i : Fin n, ∑ j : Fin n, a i * (noisy s n A)⁻¹ i j * b j

/-- The posterior variance of round `n` given the `n` rounds before it. -/
def posteriorVariance (s : ℝ) (n : ℕ) (A : ℕ → ℕ → ℝ) : ℝ :=
  covariance s n A (fun i => A i n) (fun i => A i n) (A n n)

/-- The posterior mean of round `n` given the answers `y` to the `n` rounds before it. -/
def posteriorMean (s : ℝ) (n : ℕ) (A : ℕ → ℕ → ℝ) (y : ℕ → ℝ) : ℝ :=
  s * ∑ i : Fin n, ∑ j : Fin n, A i n * (noisy s n A)⁻¹ i j * y j

/-- The posterior standard deviation of a candidate `z` for round `i`, after the rounds before. -/
def deviation {X : Type} (s : ℝ) (k : X → X → ℝ) (h : ℝ → ℝ → ℝ) (x : ℕ → X) (tau : ℕ → ℝ)
    (i : ℕ) (z : X) : ℝ :=
  Real.sqrt (posteriorVariance s i (joint k h (Function.update x i z) tau))

/-- The posterior mean of a candidate `z` for round `i`, given the answers `y`. -/
def prediction {X : Type} (s : ℝ) (k : X → X → ℝ) (h : ℝ → ℝ → ℝ) (x : ℕ → X) (tau y : ℕ → ℝ)
    (i : ℕ) (z : X) : ℝ :=
  posteriorMean s i (joint k h (Function.update x i z) tau) y

/-- Every round plays a point where mean + √β deviation is largest. -/
def UpperConfidence {X : Type} (mean sd : ℕ → X → ℝ) (beta : ℕ → ℝ) (n : ℕ) (x : ℕ → X) : Prop :=
  ∀ (i : ℕ) (z : X), i < n →
    mean i z + Real.sqrt (beta i) * sd i z ≤ mean i (x i) + Real.sqrt (beta i) * sd i (x i)

/-! ## Outcomes: the objective, the noise and the run of a policy

The objective at round `i` and point `z` is the combination of the first `d` numbers of an outcome
`G` with the weights `L i z`; the noise of round `i` is `sigma` times number `d + i`. -/

/-- The variables `G 0, …, G (m - 1)` are independent and standard normal under a probability. (In
the Coq theories: they are below `t 0, …, t (m - 1)` with probability `∏ Φ (t i)`, for all `t`.) -/
def IndependentNormals {Ω : Type} [MeasurableSpace Ω] (P : MeasureTheory.Measure Ω) (m : ℕ)
    (G : ℕ → Ω → ℝ) : Prop :=
  MeasureTheory.IsProbabilityMeasure P ∧ (∀ i : ℕ, Measurable (G i)) ∧
    (∀ i : ℕ, i < m → MeasureTheory.Measure.map (G i) P = ProbabilityTheory.gaussianReal 0 1) ∧
    ProbabilityTheory.iIndepFun (fun (i : Fin m) => G (i : ℕ)) P

/-- The covariance of the objective between rounds `i, j` and points `z, z'` is the kernels'. -/
def HasKernel {Y : Type} (d n : ℕ) (L : ℕ → Y → ℕ → ℝ) (k : Y → Y → ℝ) (h : ℝ → ℝ → ℝ)
    (tau : ℕ → ℝ) : Prop :=
  ∀ (i j : ℕ) (z z' : Y), i < n → j < n →
    ∑ l ∈ Finset.range d, L i z l * L j z' l = k z z' * h (tau i) (tau j)

/-- The point of round `j` as a function of the `j` answers so far, the last first. -/
abbrev Policy (Y : Type) : Type := (j : ℕ) → (Fin j → ℝ) → Y

/-- Where the policy plays a given point is an event. -/
def MeasurableRule {Y : Type} (rule : Policy Y) : Prop :=
  ∀ (j : ℕ) (z : Y), MeasurableSet {answers : Fin j → ℝ | rule j answers = z}

/-- The square of the width of the confidence band in round `i` over so many points. -/
def width (points delta : ℝ) (i : ℕ) : ℝ :=
  2 * Real.log (points * Real.pi ^ 2 * ((i : ℝ) + 1) ^ 2 / (6 * delta))

/-- The objective at round `i` and point `z`. -/
def value {Y : Type} (d : ℕ) (L : ℕ → Y → ℕ → ℝ) (G : ℕ → ℝ) (i : ℕ) (z : Y) : ℝ :=
  ∑ l ∈ Finset.range d, L i z l * G l

/-- The noise of round `i`. -/
def noise (d : ℕ) (sigma : ℝ) (G : ℕ → ℝ) (i : ℕ) : ℝ := sigma * G (d + i)

/-- The answers to the first `j` rounds, the last first. -/
def history {Y : Type} (d : ℕ) (L : ℕ → Y → ℕ → ℝ) (sigma : ℝ) (rule : Policy Y) (G : ℕ → ℝ) :
    (j : ℕ) → (Fin j → ℝ)
  | 0 => Matrix.vecEmpty
  | j + 1 =>
    let past := history d L sigma rule G j
    Matrix.vecCons (value d L G j (rule j past) + noise d sigma G j) past

/-- The point that is played in round `i`. -/
def played {Y : Type} (d : ℕ) (L : ℕ → Y → ℕ → ℝ) (sigma : ℝ) (rule : Policy Y) (G : ℕ → ℝ)
    (i : ℕ) : Y :=
  rule i (history d L sigma rule G i)

/-- The noisy value that is told in round `i`. -/
def answer {Y : Type} (d : ℕ) (L : ℕ → Y → ℕ → ℝ) (sigma : ℝ) (rule : Policy Y) (G : ℕ → ℝ)
    (i : ℕ) : ℝ :=
  value d L G i (played d L sigma rule G i) + noise d sigma G i

/-- More than `c` is lost in `n` rounds against some sequence of points, so against the best. -/
def Loses {Y : Type} (d : ℕ) (L : ℕ → Y → ℕ → ℝ) (sigma : ℝ) (rule : Policy Y) (n : ℕ) (c : ℝ)
    (G : ℕ → ℝ) : Prop :=
  ∃ best : ℕ → Y, c < ∑ i ∈ Finset.range n,
    (value d L G i (best i) - value d L G i (played d L sigma rule G i))

/-- Every one of `n` rounds plays a point where prediction + √β deviation is largest. -/
def Follows {Y : Type} (d : ℕ) (L : ℕ → Y → ℕ → ℝ) (sigma : ℝ) (rule : Policy Y) (n : ℕ)
    (k : Y → Y → ℝ) (h : ℝ → ℝ → ℝ) (tau beta : ℕ → ℝ) (G : ℕ → ℝ) : Prop :=
  let s := (sigma ^ 2)⁻¹
  let x := played d L sigma rule G
  UpperConfidence (prediction s k h x tau (answer d L sigma rule G)) (deviation s k h x tau)
    beta n x

/-! ## The game of one arm at prices -/

/-- What a policy has observed before round `i`, the latest first: of arm `x` in round `j` the value
`f x j` with the error `e x j`. -/
def seen (play : ℕ → List ℝ → ℕ) (f e : ℕ → ℕ → ℝ) : ℕ → List ℝ
  | 0 => []
  | j + 1 =>
    let past := seen play f e j
    (f (play j past) j + e (play j past) j) :: past

/-- The arm that a policy plays in round `i`. -/
def arm (play : ℕ → List ℝ → ℕ) (f e : ℕ → ℕ → ℝ) (i : ℕ) : ℕ := play i (seen play f e i)

/-- What a player of one arm with the values `g` has looked at before round `i`: rounds and values,
the latest first. -/
def own (look : ℕ → List (ℕ × ℝ) → Bool) (g : ℕ → ℝ) : ℕ → List (ℕ × ℝ)
  | 0 => []
  | j + 1 =>
    let past := own look g j
    if look j past = true then (j, g j) :: past else past

/-- What `n` rounds earn at the prices `lam`. -/
def earned (look : ℕ → List (ℕ × ℝ) → Bool) (g lam : ℕ → ℝ) (n : ℕ) : ℝ :=
  ∑ i ∈ Finset.range n, if look i (own look g i) = true then g i - lam i else 0

/-- Arm `x` apart from all else, on `m` cases of weights `w`: all else (the policy with its chance,
the errors, the other arms) is case `r c` of chances `v`, its own path case `k c` of chances `u`,
and these are independent; and no player who looks at this arm alone earns more than `V` at the
prices `lam` in the mean. -/
def ArmAlone (m : ℕ) (w : ℕ → ℝ) (play : ℕ → ℕ → List ℝ → ℕ) (e f : ℕ → ℕ → ℕ → ℝ) (x : ℕ)
    (lam : ℕ → ℝ) (n : ℕ) (V : ℝ) : Prop :=
  ∃ (q l : ℕ) (v u : ℕ → ℝ) (r k : ℕ → ℕ) (P : ℕ → ℕ → List ℝ → ℕ) (E h : ℕ → ℕ → ℕ → ℝ)
    (g : ℕ → ℕ → ℝ),
    (∀ c : ℕ, c < m →
      (∀ (i : ℕ) (past : List ℝ), play c i past = P (r c) i past) ∧
      (∀ y i : ℕ, e c y i = E (r c) y i) ∧
      (∀ y i : ℕ, y ≠ x → f c y i = h (r c) y i) ∧
      (∀ i : ℕ, f c x i = g (k c) i)) ∧
    (∀ mean : ℕ → ℕ → ℝ,
      ∑ c ∈ Finset.range m, w c * mean (r c) (k c) =
        ∑ a ∈ Finset.range q, v a * ∑ b ∈ Finset.range l, u b * mean a b) ∧
    (∀ a : ℕ, 0 ≤ v a) ∧
    ∑ a ∈ Finset.range q, v a = 1 ∧
    ∀ look : ℕ → List (ℕ × ℝ) → Bool,
      ∑ b ∈ Finset.range l, u b * earned look (g b) lam n ≤ V

end

end Reference

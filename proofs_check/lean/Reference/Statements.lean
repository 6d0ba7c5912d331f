import Reference.Definitions

/-!
# Eight statements

Each has the name, the hypotheses and the direction of the theorem of `statements.v` that Coq's
kernel accepts. These are propositions: nothing is proved here, and nothing is assumed.
-/

namespace Reference

/-- Theorem 1 with its probability, on every finite domain: one event of probability less than δ
holds all outcomes in which, at any round `n` up to the horizon `N`, more is lost than the bound of
that `n` with its own partition. -/
def theorem_1_with_probability : Prop :=
  ∀ (Ω : Type) [MeasurableSpace Ω] (P : MeasureTheory.Measure Ω) (G : ℕ → Ω → ℝ)
    (Y : Type) [Fintype Y] (k : Y → Y → ℝ) (h : ℝ → ℝ → ℝ) (tau : ℕ → ℝ) (sigma delta : ℝ)
    (d N : ℕ) (L : ℕ → Y → ℕ → ℝ) (rule : Policy Y) (theta : ℝ) (gamma : ℕ → ℝ)
    (blocks : ℕ → List ℕ),
    let s : ℝ := (sigma ^ 2)⁻¹
    let beta : ℕ → ℝ := width (Fintype.card Y : ℝ) delta
    IndependentNormals P (d + N) G →
    0 < sigma → 0 < delta → delta ≤ 1 →
    IsKernel k → IsKernel h → (∀ z : Y, k z z ≤ 1) → (∀ t : ℝ, h t t = 1) →
    0 ≤ theta → (∀ t u : ℝ, 0 ≤ h t u) → (∀ t u : ℝ, 1 - h t u ≤ theta * abs (t - u)) →
    BoundsSpaceGain k s gamma →
    HasKernel d N L k h tau → MeasurableRule rule →
    (∀ ω : Ω, Follows d L sigma rule N k h tau beta (fun l => G l ω)) →
    (∀ n : ℕ, n ≤ N → (blocks n).sum = n) →
    let E : Set Ω := {ω : Ω | ∃ n : ℕ, n ≤ N ∧ Loses d L sigma rule n
      (Real.sqrt (8 / Real.log (1 + s) * beta (n - 1) * (n : ℝ) *
        partitionBound s theta gamma tau (blocks n))) (fun l => G l ω)}
    MeasurableSet E ∧ P E < ENNReal.ofReal delta

/-- Theorem A: for every partition into consecutive blocks, every real centre `c i` of block `i` and
every sequence of points, the joint gain is at most the sum over the blocks of `gamma` at the
block's length and half the sum of `log (1 + s (1 - h(tau, centre)²))`. -/
def theory_a : Prop :=
  ∀ (X : Type) (k : X → X → ℝ) (h : ℝ → ℝ → ℝ) (s : ℝ) (gamma : ℕ → ℝ) (blocks : List ℕ)
    (x : ℕ → X) (tau c : ℕ → ℝ),
    0 ≤ s → IsKernel k → IsKernel h → (∀ z : X, k z z ≤ 1) → (∀ t : ℝ, h t t = 1) →
    BoundsSpaceGain k s gamma →
    gain s blocks.sum (joint k h x tau) ≤
      overBlocks (fun i d m => gamma m + 1 / 2 * ∑ j ∈ Finset.range m,
        Real.log (1 + s * (1 - h (tau (d + j)) (c i) ^ 2))) 0 0 blocks

/-- Theorem B: whatever the pattern of non-decreasing times within an interval of length `T`, the
joint gain is at most `γ_n + √(2 s γ_n n θ T)`. -/
def theory_b : Prop :=
  ∀ (X : Type) (k : X → X → ℝ) (h : ℝ → ℝ → ℝ) (s theta : ℝ) (gamma : ℕ → ℝ) (n : ℕ)
    (x : ℕ → X) (tau : ℕ → ℝ) (a T : ℝ),
    0 ≤ s → 0 ≤ theta → 0 ≤ T → IsKernel k → IsKernel h → (∀ z : X, k z z ≤ 1) →
    (∀ t : ℝ, h t t = 1) → (∀ t u : ℝ, 1 - h t u ≤ theta * abs (t - u)) →
    BoundsSpaceGain k s gamma →
    (∀ i j : ℕ, i ≤ j → j < n → tau i ≤ tau j) →
    (∀ i : ℕ, i < n → a ≤ tau i ∧ tau i ≤ a + T) →
    gain s n (joint k h x tau) ≤
      gamma n + Real.sqrt (2 * s * gamma n * (n : ℝ) * theta * T)

/-- Lemma M, both halves: the mean pair sum of two adjacent blocks is at least that of each. -/
def theory_m : Prop :=
  ∀ (D : ℝ → ℝ) (tau : ℕ → ℝ) (d a b : ℕ),
    (∀ u : ℝ, 0 ≤ D u) → (∀ u v : ℝ, 0 ≤ u → u ≤ v → D u ≤ D v) →
    (∀ i j : ℕ, i ≤ j → tau i ≤ tau j) → 0 < a → 0 < b →
    pairSum D tau d a / (a : ℝ) ≤ pairSum D tau d (a + b) / ((a + b : ℕ) : ℝ) ∧
      pairSum D tau (d + a) b / (b : ℝ) ≤ pairSum D tau d (a + b) / ((a + b : ℕ) : ℝ)

/-- Theorem F's algebra: after looks at the points `x` and times `tau`, the posterior covariance `P`
of the values at time `t` in the points `z` lies between `p K` and `K` in the order of semidefinite
matrices, `p` being the share that looks at `h` alone with noise variance `1 / (s kappa)` leave. -/
def theory_f_gram : Prop :=
  ∀ (X : Type) (k : X → X → ℝ) (h : ℝ → ℝ → ℝ) (s kappa : ℝ),
    0 < s → 0 < kappa → IsKernel k → IsKernel h → (∀ z : X, k z z ≤ kappa) →
    ∀ (n : ℕ) (x : ℕ → X) (tau : ℕ → ℝ) (t : ℝ) (m : ℕ) (z : ℕ → X), h t t = 1 →
    let P : ℕ → ℕ → ℝ := fun i j => covariance s n (joint k h x tau)
      (fun l => k (x l) (z i) * h (tau l) t) (fun l => k (x l) (z j) * h (tau l) t)
      (k (z i) (z j))
    let p : ℝ := covariance (s * kappa) n (gram h tau) (fun l => h (tau l) t)
      (fun l => h (tau l) t) 1
    (square m fun i j => P i j - p * k (z i) (z j)).PosSemidef ∧
      (square m fun i j => k (z i) (z j) - P i j).PosSemidef

/-- Theorem L, for every law on `m` cases with weights `w`: with numbers as prices, where each arm
is independent of all else and `V x` bounds the game of arm `x` alone, the mean regret is at least
what the prices leave less the sum of the `V x`. -/
def theory_l : Prop :=
  ∀ (m : ℕ) (w : ℕ → ℝ) (N n : ℕ) (play : ℕ → ℕ → List ℝ → ℕ) (e f : ℕ → ℕ → ℕ → ℝ)
    (top : ℕ → ℕ → ℝ) (lam V : ℕ → ℝ),
    (∀ c i : ℕ, c < m → i < n → arm (play c) (f c) (e c) i < N) →
    (∀ x : ℕ, x < N → ArmAlone m w play e f x lam n (V x)) →
    (∑ c ∈ Finset.range m, w c * ∑ i ∈ Finset.range n, (top c i - lam i)) -
        (∑ x ∈ Finset.range N, V x) ≤
      ∑ c ∈ Finset.range m, w c *
        ∑ i ∈ Finset.range n, (top c i - f c (arm (play c) (f c) (e c) i) i)

/-- Lemma R: for a matrix with the eigenvalues `a 0 ≥ a 1 ≥ … ≥ 1` and orthonormal eigenvectors
`Q 0, Q 1, …`, and `M` the sum of `n` rank-one matrices `F i (F i)ᵀ` in `n + q` dimensions,
`log det (1 + M)` is at most the sum of `psi` over the `n` largest `a` and `tr (A⁻¹ M)`. -/
def theory_r : Prop :=
  ∀ (n q : ℕ) (F Q : ℕ → ℕ → ℝ) (a : ℕ → ℝ),
    (∀ l m : ℕ, l < n + q → m < n + q →
      ∑ p ∈ Finset.range (n + q), Q l p * Q m p = identity l m) →
    (∀ l : ℕ, 1 ≤ a l) → (∀ l m : ℕ, l ≤ m → a m ≤ a l) →
    Real.log (square (n + q) fun l m =>
        identity l m + ∑ i ∈ Finset.range n, F i l * F i m).det ≤
      (∑ i ∈ Finset.range n, psi (a i)) +
        ∑ i ∈ Finset.range n, ∑ l ∈ Finset.range (n + q),
          (∑ p ∈ Finset.range (n + q), Q l p * F i p) ^ 2 / a l

/-- The certificate of the maximum gain: with `S = α + H`, `H` the compression of the kernel to `m`
reference points `z` by weights `W`, and `V` at least the remaining variance of the points played,
twice the gain of `n` points is at most `log det S + tr S⁻¹ - p + (n - p) psi α + s n V / α`. -/
def theory_certificate : Prop :=
  ∀ (X : Type) (k : X → X → ℝ) (s : ℝ) (n : ℕ) (x : ℕ → X) (m : ℕ) (z : ℕ → X) (p : ℕ)
    (W : ℕ → ℕ → ℝ) (alpha V : ℝ),
    0 ≤ s → IsKernel k → 1 ≤ alpha →
    let H : ℕ → ℕ → ℝ := fun a b =>
      ∑ i ∈ Finset.range m, ∑ j ∈ Finset.range m, W i a * k (z i) (z j) * W j b
    let S : ℕ → ℕ → ℝ := fun a b => alpha * identity a b + H a b
    let c : X → ℕ → ℝ := fun y a => ∑ i ∈ Finset.range m, W i a * k (z i) y
    (∀ i : ℕ, i < n → k (x i) (x i) - inverseForm p S (c (x i)) ≤ V) →
    2 * gain s n (gram k x) ≤
      Real.log (square p S).det + traceInverse p S - (p : ℝ) +
        ((n : ℝ) - (p : ℝ)) * psi alpha + s * (n : ℝ) / alpha * V

end Reference

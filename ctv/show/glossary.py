"""Every symbol and word that pages, figures and tables use, in a sentence or two each."""

from __future__ import annotations

SYMBOLS = {
    "n": "The number of rounds: evaluations of the objective, one after another.",
    "tᵢ, τᵢ": "The time that evaluation i takes, and the time when it ends: τᵢ = t₁ + … + tᵢ.",
    "T": "The total time τₙ.",
    "f": "The objective: a Gaussian process over points and time, of prior variance 1.",
    "ε": "The forgetting rate: how much of the objective is new after a unit of time, in [0, 1); "
    "it depends on the unit of the durations.",
    "θ": "The slope of the time kernel: the least number with 1 − k(τ, τ′) ≤ θ·|τ − τ′|. For the "
    "forgetting kernel it is −½·log(1 − ε).",
    "σ²": "The variance of the noise of one observation, in units of the prior variance.",
    "δ": "The probability with which a bound with probability 1 − δ may fail.",
    "γₘ": "The largest information gain of m rounds when nothing drifts, in nats.",
    "γ̃ₙ": "The largest information gain of the n rounds at their times, drift included, in nats.",
    "C": "The uniformity: the sum over all pairs of rounds of their squared distance in time, each "
    "at most 1/ε². The larger, the more drift a block pays for.",
    "pᵢ": "The share of the variance of f that noisy observations of one point in every earlier "
    "round leave at round i: 1 in the first round, more after a long wait.",
    "Π": "The sum of all pᵢ, between 1 and n. On a finite domain the least expected regret is at "
    "least m*·Π/2 and at most a constant of the domain and the noise times Π, up to one logarithm.",
    "C₁": "The constant 8/log(1 + 1/σ²) of the regret bound.",
    "βₙ": "The squared weight of the deviation that makes a confidence region of level 1 − δ hold "
    "for all points and rounds.",
    "Rₙ": "The cumulative regret of n rounds: the sum over rounds of the largest value of the "
    "objective at that time minus its value at the point chosen.",
    "m*": "The mean of the largest value that the objective has on the domain at one time.",
    "κ": "The exponent of the drift: θT = n^κ.",
    "φ(x)": "The function x ↦ log(1 + x) or what the paper puts in its place, by which the drift "
    "of a block is charged.",
    "N, Mᵢ": "The number of blocks of a partition, and the rounds in block i.",
    "a, b": "Constants of the tails of the derivative of the objective: what turns a grid of "
    "points into the whole box.",
    "t(x)": "Evaluation times that depend on the point: the setting of the experiments, not of the "
    "theorem.",
}
"""Symbol ↦ what it stands for."""

WORDS = {
    "information gain": "How many nats the observations tell about the objective: "
    "½·log det(I + K/σ²) of their covariance matrix K.",
    "nat": "The unit of information with natural logarithms: 1/log 2 ≈ 1.44 bits.",
    "regret": "The shortfall of a policy against one that always knows the best point: see Rₙ. "
    "With unit prior variance it is in standard deviations of the objective.",
    "drift": "The change of the objective with time; as a number, the gain in nats that a bound "
    "adds for the change within a block.",
    "partition": "The rounds cut into blocks of neighbours; a bound treats the objective as "
    "static within a block and pays for its drift.",
    "block": "Neighbouring rounds of a partition, from one cut to the next.",
    "smooth order": "Ψ, the least sum over partitions of what learning a block costs, min(M, σ√M) "
    "for M rounds, and of the drift since its first round: the order of the least regret of a "
    "smooth kernel. The paper's bound prices a block by information, γₘ; on a finite domain the "
    "price is Σσ²/(σ²+k), k < M. Where all drift is in a few long waits the three have one best "
    "partition.",
    "greedy blocks": "Blocks of rounds that end where what the times since the first round renew "
    "costs more than their length: within a factor 4 of the smooth order, without a horizon.",
    "uniformity": "How far apart in time the rounds of a block are, as a mean square: see C.",
    "trivial upper bound": "½n·log(1 + 1/σ²): the gain of n rounds if each were as informative as "
    "the first (house name: cap). A bound that is not below it is vacuous.",
    "vacuous": "True, but no smaller than the trivial upper bound.",
    "non-vacuous": "Below the trivial upper bound (house word: speaks).",
    "lower bound": "A bound (house word: floor) from below on the expected regret of every policy "
    "that learns by observing.",
    "certified": "Enclosed by interval (ball) arithmetic and rounded outward, so that rounding "
    "errors cannot have made the number too good.",
    "floating point": "Computed as usual, with rounding errors that are not bounded.",
    "certificate": "For a finished run, an upper bound on the regret that it suffered, from its "
    "data; for bounds or claims, a file from which other code derives them again.",
    "rank": "A certificate by rank bounds the regret with the level's probability given the data, "
    "by comparison with draws of the posterior; the rank argument gives a lower bound, for m "
    "observations span at most m directions.",
    "telescoping": "Bounding the regret of a run by what each of its observations changed in the "
    "posterior mean.",
    "any pattern": "Theorem B: a bound by the static gain plus a term for the drift of all "
    "rounds, without blocks.",
    "refined": "Theorem A: the best partition with centres, needing no Lipschitz constant; never "
    "above the additive bound.",
    "additive": "Theorem 1 with its sum of blocks instead of a product, and log(1 + x) for φ.",
    "inducing times": "A bound (house name: knots) through a few instants whose objective "
    "values explain those in between.",
    "joint dual": "An upper bound on the joint gain of points and times by duality; no blocks.",
    "noise inflation": "The smallest bound on regret over all levels of noise that one may pretend "
    "(house name: envelope).",
    "concentration": "A bound on the regret of any policy by the Gaussian tail of the range of the "
    "objective (house name: tail).",
    "bracket": "Bounds on the expected regret of any policy around n·m*, from above and below "
    "(house name: sandwich).",
    "ladder": "The steps of one proof, from regret or γ̃ₙ to the trivial upper bound, each with its "
    "factor over the step before; the lower bound and other methods stand beside it.",
    "rival": "A bound published by others, with its hypotheses checked for the problem.",
    "ledger": "Every numbered statement and displayed step of the paper, with a machine's verdict.",
    "finding": "A statement of the ledger that is false, lacks a hypothesis, has a gap in its "
    "proof, is a slip, is vacuous, holds for another reason, or is not reproduced by runs.",
    "verdict": "PROVED, PROVED_ON_BOX, PROVED_UP_TO, OUTLINE, SUPPORTED, REFUTED, UNDECIDED or "
    "ERROR; floating point alone gives neither PROVED nor REFUTED.",
    "counterexample": "Values for which a statement fails, verified again exactly or by interval "
    "arithmetic.",
    "repair": "A statement close to a refuted one that holds; it is a claim of its own.",
    "exact": "Of a search: no partition gives a smaller value. Otherwise a gap bounds how far.",
    "forgetting kernel": "k(τ, τ′) = (1 − ε)^(|τ − τ′|/2): the drift of the paper.",
    "exploration": "The weight that a policy gives to the deviation; `theory` is √βₙ, under which "
    "the bounds hold.",
    "ctv-fixed": "The paper's policy for times that are known beforehand: the largest mean plus "
    "weighted deviation at the time when the evaluation will end.",
    "seed": "The whole number that a simulation is drawn from. On one machine, with the same "
    "libraries, the same seed gives the same bits, whatever the number of workers. Another "
    "processor, or another number of threads in BLAS, rounds sums, exponentials and roots "
    "otherwise: what is drawn and chosen and the digits that are shown are the same there, but for "
    "a last digit of a drawn number that rounding carries over an edge. Certified numbers are "
    "bounds wherever they are computed.",
    "study": "Runs of several policies on the same objectives and noise, seed by seed.",
}
"""Word ↦ what is meant by it."""

"""What Theorem G for disjoint sets of points is worth on grids.

`python benchmarks/point_sets.py` prints the table of docs/theory.md#sets: grids in the unit
interval and square cut into tiles, the closed form by blocks with each tile as an arm, searched
over tiles, lengths of blocks and ψ, beside the floors of single rounds. Means over simulated paths,
in floating point: no bound, but what a bound of this kind could have. Some minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bounds.arrays import FloatArray, IntArray
from bounds.domain import Grid
from bounds.kernels import parse_kernel
from bounds.problem import Problem
from bounds.regret.ingredients.common_part import information
from bounds.regret.ingredients.one_arm import Share
from bounds.regret.ingredients.start_up import ranked_rounds
from bounds.regret.maximum.maximum import gram_of, least_maximum
from bounds.times import EvaluationTimes
from simulation.before_run.draws import field_paths
from simulation.before_run.one_arm_blocks import told_before
from simulation.model.covariance import DenseFactor

NOISE, PATHS, DRAWS = 1e-6, 60, 8
CASES = [
    (20, 1, 60, 0.2, "se"),
    (20, 1, 60, 0.1, "matern52"),
    (40, 1, 60, 0.05, "matern52"),
    (40, 1, 240, 0.05, "matern52"),
    (8, 2, 60, 0.2, "se"),
    (8, 2, 60, 0.2, "matern52"),
    (16, 2, 60, 0.2, "matern52"),
]
DRIFTS = (1e-3, 1e-1)
TILES, LENGTHS = (2, 3, 4, 6, 8, 12), (4, 16, 60, 240)
SHARES = [Share(weight, height) for weight in (0.0, 0.2, 0.5) for height in (0.16, 0.4)]
_SMALLEST, _NUGGET = 1e-4, 1e-7


@dataclass(frozen=True, eq=False)
class Tile:
    """A set of points along S paths of n rounds, and what its player is told.

    Attributes
    ----------
    told : (S, n, |A|) the part of f on the set that is known at all times
    rivals : (S, n) the largest value off the set
    root : (|A|, r) f on the set is told + root·ξ
    hidden : (S, n, r) ξ, shown where the player plays
    """

    told: FloatArray
    rivals: FloatArray
    root: FloatArray
    hidden: FloatArray

    @classmethod
    def drawn(
        cls,
        problem: Problem,
        gram: FloatArray,
        some: IntArray,
        paths: int,
        rng: np.random.Generator,
    ) -> Tile:
        """Paths of the problem's field."""
        root, rest = hidden_part(gram, some)
        known = field_paths(problem, DenseFactor.of(rest), paths, rng)
        hidden = field_paths(problem, DenseFactor.of(np.eye(root.shape[1])), paths, rng)
        return cls(known[:, :, some], np.delete(known, some, axis=2).max(axis=2), root, hidden)


def hidden_part(gram: FloatArray, some: IntArray) -> tuple[FloatArray, FloatArray]:
    """A root of what f on a set hides from f off it, and the covariance of all the rest.

    Less may be hidden than is: directions of next to no variance are told, so that the rest is
    semidefinite where K is singular in doubles.
    """
    others = np.setdiff1d(np.arange(len(gram)), some)
    across = gram[np.ix_(some, others)]
    inner = gram[np.ix_(others, others)] + _NUGGET * np.eye(len(others))
    left = gram[np.ix_(some, some)] - across @ np.linalg.solve(inner, across.T)
    sizes, directions = np.linalg.eigh(left)
    kept, lost = sizes > _SMALLEST, 1e-6
    while True:
        root = directions[:, kept] * np.sqrt(np.maximum(sizes[kept] * (1.0 - lost) - lost, 0.0))
        rest = gram.copy()
        rest[np.ix_(some, some)] -= root @ root.T
        if lost >= 0.1 or np.linalg.eigvalsh(rest)[0] > -1e-9:
            return root, rest
        lost *= 10.0


def block_values(
    tiles: Sequence[Tile],
    told: tuple[FloatArray, FloatArray],
    length: int,
    share: Share,
    rng: np.random.Generator,
) -> FloatArray:
    """(S, blocks) Σ_A min{first play in the block, none}, means over the set by fresh draws.

    Unbiased means inside a minimum only lower its mean.
    """
    weights, left = told
    starts = np.arange(0, len(left), length)
    total = np.zeros((len(tiles[0].rivals), len(starts)))
    for tile in tiles:
        expected = np.einsum("kj,sjr->skr", weights, tile.hidden)
        base = tile.told + expected @ tile.root.T
        half = rng.standard_normal((DRAWS // 2, len(total), tile.root.shape[1]))
        play, skip = np.zeros_like(tile.rivals), np.zeros_like(tile.rivals)
        for draw in np.concatenate([half, -half]):
            fresh = left[:, None] * (draw @ tile.root.T)[:, None, :]
            ahead = (base + fresh).max(axis=2) - tile.rivals
            behind = np.maximum(-ahead, 0.0)
            play += behind - _charged(behind, share)
            skip += _charged(np.maximum(ahead, 0.0), share)
        play, skip = play / DRAWS, skip / DRAWS
        for block, start in enumerate(starts.tolist()):
            some = slice(start, start + length)
            passed = np.cumsum(skip[:, some], axis=1)
            first = (passed - skip[:, some] + play[:, some]).min(axis=1)
            total[:, block] += np.minimum(first, passed[:, -1])
    return total


def _charged(loss: FloatArray, share: Share) -> FloatArray:
    """ψ."""
    return np.asarray((1.0 - share.weight) * np.minimum(loss, share.height))


def tiles_of(grid: Grid, count: int) -> Iterator[IntArray]:
    """The points of each of count^d tiles of nearly the same size."""
    axes = grid.points.T
    parts = [np.minimum((axis / axis.max() * count).astype(int), count - 1) for axis in axes]
    place = sum(part * count**k for k, part in enumerate(parts))
    for tile in range(count ** len(parts)):
        yield np.flatnonzero(place == tile)


def floors_of_rounds(problem: Problem) -> FloatArray:
    """(n,) Theorem F with the start-up floor, the better way of two."""
    least = least_maximum(problem).value
    ways = [ranked_rounds(problem, way, least) for way in information(problem)]
    return max(ways, key=lambda each: float(each.sum()))


@dataclass(frozen=True)
class Worth:
    """In the mean: floors of rounds, sets alone, and the larger of both in each block.

    Attributes
    ----------
    rounds, sets, both : of the regret of all rounds
    tiles : how many sets were best alone
    variance : the most that a point of these hides from the points off its set
    """

    rounds: float
    sets: float
    both: float
    tiles: int
    variance: float


def worth(problem: Problem, tiles: Sequence[int] = TILES, seed: int = 0) -> Worth:
    """The best of all tiles, lengths of blocks and ψ, chosen and measured on the same paths."""
    grid, gram, rounds = problem.domain, gram_of(problem), floors_of_rounds(problem)
    assert isinstance(grid, Grid)
    best = Worth(float(rounds.sum()), 0.0, float(rounds.sum()), 0, 0.0)
    for count in tiles:
        sets = list(tiles_of(grid, count))
        if len(sets) > min(40, grid.size // 2):
            continue
        rng = np.random.default_rng(seed)
        drawn = [Tile.drawn(problem, gram, some, PATHS, rng) for some in sets]
        drawn = [tile for tile in drawn if tile.root.shape[1]]
        if not drawn:
            continue
        variance = max(float((tile.root**2).sum(axis=1).max()) for tile in drawn)
        for length in (each for each in LENGTHS if each <= problem.n):
            told = told_before(problem, length)
            plain = np.add.reduceat(rounds, np.arange(0, problem.n, length))
            for share in SHARES:
                values = block_values(drawn, told, length, share, rng).mean(axis=0)
                both = float(np.maximum(values, plain).sum())
                best = replace(best, both=max(best.both, both))
                if values.sum() > best.sets:
                    alone = float(values.sum())
                    best = replace(best, sets=alone, tiles=len(sets), variance=variance)
    return best


def main() -> None:
    """Print the table."""
    titles = "grid | n | kernel | ε | floors of rounds | sets alone | sets | variance | both"
    print(f"| {titles} |\n{'|---' * (titles.count('|') + 1)}|")
    for count, dimension, rounds, lengthscale, name in CASES:
        for epsilon in DRIFTS:
            problem = Problem(
                EvaluationTimes.from_durations(np.ones(rounds)),
                epsilon=epsilon,
                noise_variance=NOISE,
                domain=Grid(dimension, 1.0, count),
                space_kernel=parse_kernel(name, lengthscale),
            )
            found = worth(problem)
            grid = "×".join([str(count)] * dimension)
            numbers = [found.rounds, found.sets, found.tiles, found.variance, found.both]
            cells = [grid, str(rounds), f"{name}, ℓ = {lengthscale}", f"{epsilon:g}"]
            cells += [f"{each:.2f}" if isinstance(each, float) else str(each) for each in numbers]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

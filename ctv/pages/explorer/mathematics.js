/* The partition bounds, as `bounds.partitions` has them: the same formulas, sums in the same order.
   One function without free names, so that its text is the program of a Web Worker too. */
function mathematics() {
  "use strict";

  /** θ = −½ log(1−ε), the slope of the forgetting kernel. */
  const slopeOf = (epsilon) => -0.5 * Math.log1p(-epsilon);

  /** γ̂_0..γ̂_n: the least of the cap and of the lines valid at m, then of all that follow. */
  function gainCurve(curve, n) {
    const slack = 2 ** -51;
    const values = new Float64Array(n + 1);
    for (let m = 0; m <= n; m++) values[m] = (1 + slack) * curve.cap * m;
    for (const [intercept, slope, rank] of curve.lines) {
      for (let m = Math.max(rank, 1); m <= n; m++) {
        let line = intercept + slope * m;
        line += slack * (Math.abs(intercept) + slope * m);
        if (line < values[m]) values[m] = line;
      }
    }
    for (let m = n - 1; m >= 0; m--) values[m] = Math.min(values[m], values[m + 1]);
    for (let m = 0; m <= n; m++) values[m] = Math.max(values[m], 0);
    return values;
  }

  const phi = (x) => (x <= 1 ? x : Math.log(x) + 1 / x);

  /** min(1, (rate·distance)²); distinct times count 1 at an infinite rate. */
  function scaledSquare(rate, distance) {
    if (!(distance > 0)) return 0;
    const scaled = rate * distance;
    return scaled >= 1 ? 1 : scaled * scaled;
  }

  /** ½ M g(s√(rate²C/M)) from half of rate²C; g = φ for Theorem 1, log(1+·) for the additive form. */
  function pairDrift(model, half, length) {
    const x = Math.sqrt((2 * half) / length) / model.noise;
    return 0.5 * length * (model.objective === "theorem1" ? phi(x) : Math.log1p(x));
  }

  const rateOf = (model) => (model.objective === "theorem1" ? model.epsilon : model.theta);

  /** ½ log(1 + s(1 − k²)) of one round at a distance from the centre. */
  const roundDrift = (model, distance) =>
    0.5 * Math.log1p(-Math.expm1(-2 * model.theta * distance) / model.noise);

  function pairBlock(model, waits, start, end) {
    const rate = rateOf(model);
    let half = 0;
    for (let a = start; a < end - 1; a++) {
      let distance = 0;
      let row = 0;
      for (let k = a + 1; k < end; k++) {
        distance += waits[k];
        const one = scaledSquare(rate, distance);
        if (one === 1) {
          row += end - k;
          break;
        }
        row += one;
      }
      half += row;
    }
    return { drift: pairDrift(model, half, end - start), center: null };
  }

  /** Σ over the block of the drift at its distance from the rounds first … last (a lower bound);
      given up, and infinite, where it is no smaller than `limit`. */
  function outward(model, waits, start, end, first, last, limit) {
    let total = 0;
    let distance = 0;
    for (let k = first - 1; k >= start; k--) {
      distance += waits[k + 1];
      total += roundDrift(model, distance);
      if (total >= limit) return Infinity;
    }
    distance = 0;
    for (let k = last + 1; k < end; k++) {
      distance += waits[k];
      total += roundDrift(model, distance);
      if (total >= limit) return Infinity;
    }
    return total;
  }

  /** Theorem A's drift at the best of the block's own times, by branch and bound over ranges. */
  function centeredBlock(model, waits, start, end) {
    let best = Infinity;
    let center = start;
    const look = (c) => {
      const value = outward(model, waits, start, end, c, c, best);
      if (value < best) [best, center] = [value, c];
    };
    const count = end - start;
    const probes = Math.min(count, 33);
    let ranges = [];
    let before = -1;
    look((start + end - 1) >> 1);
    for (let i = 0; i < probes; i++) {
      const c = start + (probes > 1 ? Math.floor((i * (count - 1)) / (probes - 1)) : 0);
      look(c);
      if (before >= 0) ranges.push([before, c]);
      before = c;
    }
    while (ranges.length) {
      const open = ranges.filter(
        ([a, b]) => b - a > 1 && outward(model, waits, start, end, a, b, best) < best,
      );
      ranges = [];
      for (const [a, b] of open) {
        const middle = (a + b) >> 1;
        look(middle);
        ranges.push([a, middle], [middle, b]);
      }
    }
    return { drift: best, center };
  }

  /** The drift of the rounds start+1 … end, and its centre where the objective has one. */
  const block = (model, waits, start, end) =>
    model.objective === "refined"
      ? centeredBlock(model, waits, start, end)
      : pairBlock(model, waits, start, end);

  /** Blocks with gain and drift, and their sums; `cuts` are those inside, increasing. `known` keeps
      the drifts of blocks from one call to the next at the same waits and model. */
  function evaluate(model, waits, gamma, cuts, known = new Map()) {
    const ends = [...cuts, waits.length];
    const lengths = ends.map((end, i) => end - (i ? ends[i - 1] : 0));
    const longest = Math.max(...lengths);
    const blocks = ends.map((end, i) => {
      const start = i ? ends[i - 1] : 0;
      const gain = gamma[model.objective === "theorem1" ? longest : end - start];
      const name = start * (waits.length + 1) + end;
      if (!known.has(name)) known.set(name, block(model, waits, start, end));
      return { start, end, gain, ...known.get(name) };
    });
    const gain = blocks.reduce((sum, one) => sum + one.gain, 0);
    const drift = blocks.reduce((sum, one) => sum + one.drift, 0);
    return { blocks, gain, drift, value: gain + drift };
  }

  /** Drifts of all blocks: row e−1 holds those of the blocks that end with round e, by start. */
  function driftTable(model, waits) {
    return model.objective === "refined" ? centeredTable(model, waits) : pairTable(model, waits);
  }

  function pairTable(model, waits) {
    const n = waits.length;
    const table = new Float64Array(n * n);
    const sums = new Float64Array(n);
    const rate = rateOf(model);
    for (let p = 0; p < n; p++) {
      let fromP = 0;
      let distance = 0;
      const row = p * n;
      for (let a = p - 1; a >= 0; a--) {
        distance += waits[a + 1];
        fromP += scaledSquare(rate, distance);
        sums[a] += fromP;
        table[row + a] = pairDrift(model, sums[a], p + 1 - a);
      }
    }
    return table;
  }

  /** Sums outward from every centre; the best centre of a block lies between those of the two
      blocks that lack its last and its first round, so each diagonal is one sweep. */
  function centeredTable(model, waits) {
    const n = waits.length;
    const sums = new Float64Array(n * n);
    for (let c = 0; c < n; c++) {
      let distance = 0;
      for (let k = c + 1; k < n; k++) {
        distance += waits[k];
        sums[c * n + k] = sums[k * n + c] = roundDrift(model, distance);
      }
    }
    for (let c = 0; c < n; c++) {
      const row = c * n;
      for (let k = c - 2; k >= 0; k--) sums[row + k] += sums[row + k + 1];
      for (let k = c + 2; k < n; k++) sums[row + k] += sums[row + k - 1];
    }
    const table = new Float64Array(n * n);
    const center = Int32Array.from({ length: n }, (_, j) => j);
    for (let length = 2; length <= n; length++) {
      for (let a = 0; a + length <= n; a++) {
        const last = a + length - 1;
        let smallest = Infinity;
        let at = center[a];
        for (let c = center[a]; c <= center[a + 1]; c++) {
          const total = sums[c * n + a] + sums[c * n + last];
          if (total < smallest) [smallest, at] = [total, c];
        }
        center[a] = at;
        table[last * n + a] = smallest;
      }
    }
    return table;
  }

  /** The least Σ price + drift over blocks of at most `cap` rounds: dynamic programme, O(n·cap). */
  function chain(table, n, price, cap) {
    const value = new Float64Array(n + 1).fill(Infinity);
    const origin = new Int32Array(n + 1);
    value[0] = 0;
    for (let e = 1; e <= n; e++) {
      const row = (e - 1) * n;
      let best = Infinity;
      let start = e - 1;
      for (let a = Math.max(0, e - cap); a < e; a++) {
        const cost = value[a] + price[e - a] + table[row + a];
        if (cost < best) [best, start] = [cost, a];
      }
      value[e] = best;
      origin[e] = start;
    }
    const cuts = [];
    let longest = 0;
    for (let e = n; e > 0; e = origin[e]) {
      longest = Math.max(longest, e - origin[e]);
      if (origin[e] > 0) cuts.unshift(origin[e]);
    }
    return { value: value[n], forward: value, cuts, longest };
  }

  /** N·γ_M + Σ drift, M the longest block: branch and bound over M, as in the library. */
  function chainOfCaps(table, n, gamma) {
    let best = Infinity;
    let found = null;
    const relaxed = (a, b) => {
      const one = chain(table, n, new Float64Array(n + 1).fill(gamma[a]), b);
      const value = one.value + (one.cuts.length + 1) * (gamma[one.longest] - gamma[a]);
      if (value < best) [best, found] = [value, one];
      let rate = Infinity;
      for (let m = a; m <= b; m++) rate = Math.min(rate, gamma[m] / m);
      return { a, b, longest: one.longest, below: Math.max(one.value, n * rate * (1 - 1e-9)), one };
    };
    const again = (from, a, b) => {
      let rate = Infinity;
      for (let m = a; m <= b; m++) rate = Math.min(rate, gamma[m] / m);
      return { ...from, a, b, below: Math.max(from.one.value, n * rate * (1 - 1e-9)) };
    };
    let queue = [relaxed(1, n)];
    for (;;) {
      queue.sort((x, y) => x.below - y.below);
      const { a, b, below, longest, one } = queue[0];
      if (best <= below || a === b) return { ...found, value: best };
      const middle = Math.floor(Math.sqrt(a * b));
      const left =
        longest <= middle ? again({ longest, one }, a, middle) : relaxed(a, middle);
      queue = [left, relaxed(middle + 1, b), ...queue.slice(1)];
    }
  }

  /** The best partition and, for each place p of a cut, what forcing or forbidding it adds. With
      Theorem 1 the blocks are coupled: there these are upper bounds, with blocks no longer than the
      longest of the best partition, or twice as long, at the price of that. */
  function optimum(model, waits, gamma) {
    const n = waits.length;
    const table = driftTable(model, waits);
    const force = new Float64Array(n + 1).fill(Infinity);
    const forbid = new Float64Array(n + 1).fill(Infinity);
    if (model.objective !== "theorem1") {
      const best = chain(table, n, gamma, n);
      costsOfCuts(table, n, gamma, n, best.forward, best.value, force, forbid);
      return { value: best.value, cuts: best.cuts, force, forbid };
    }
    const best = chainOfCaps(table, n, gamma);
    for (const cap of new Set([best.longest, Math.min(n, 2 * best.longest)])) {
      const price = new Float64Array(n + 1).fill(gamma[cap]);
      const { forward } = chain(table, n, price, cap);
      costsOfCuts(table, n, price, cap, forward, best.value, force, forbid);
    }
    return { value: best.value, cuts: best.cuts, force, forbid };
  }

  /** One pass back: the least value through each place, and past it, over that of the best. */
  function costsOfCuts(table, n, price, cap, forward, value, force, forbid) {
    const backward = new Float64Array(n + 1).fill(Infinity);
    backward[n] = 0;
    const without = new Float64Array(n + 1).fill(Infinity);
    for (let e = n; e > 0; e--) {
      const row = (e - 1) * n;
      let through = Infinity;
      for (let a = Math.max(0, e - cap); a < e; a++) {
        const cost = price[e - a] + table[row + a] + backward[e];
        if (cost < backward[a]) backward[a] = cost;
        if (through < without[a]) without[a] = through;
        through = Math.min(through, forward[a] + cost);
      }
    }
    for (let p = 1; p < n; p++) {
      force[p] = Math.min(force[p], Math.max(0, forward[p] + backward[p] - value));
      forbid[p] = Math.min(forbid[p], Math.max(0, without[p] - value));
    }
  }

  /** The best value and number of blocks alone. */
  function least(model, waits, gamma) {
    const n = waits.length;
    const table = driftTable(model, waits);
    const found =
      model.objective === "theorem1"
        ? chainOfCaps(table, n, gamma)
        : chain(table, n, gamma, n);
    return { value: found.value, blocks: found.cuts.length + 1 };
  }

  /** p_i of Theorem F for a Markov time kernel: what noisy looks at one point leave unknown,
      rounded down as the library does: 1 − √(1−p) turns a rounding near 1 into its root. */
  function sharesLeft(model, waits, noise) {
    const down = 1 - 2 ** -49;
    const shares = new Float64Array(waits.length);
    let p = 1;
    for (let i = 0; i < waits.length; i++) {
      if (i > 0) {
        const gone = -Math.expm1(-2 * model.theta * waits[i]);
        const kept = p > 0 ? p * (noise / (p + noise)) : 0;
        p = (gone + (1 - gone) * kept) * down;
      }
      shares[i] = p;
    }
    return shares;
  }

  /** The floor m*·Σ(1 − √(1−p_i)) under any policy's mean regret, also with the noise that is left
      when the part of f common to all points is told; and the gain of one point. */
  function below(model, waits, curve) {
    const floors = [model.noise, curve.told ?? model.noise].map((noise) =>
      sharesLeft(model, waits, noise).reduce(
        (sum, p) => sum + p / (1 + Math.sqrt(Math.max(0, 1 - p))), 0));
    const repeated = sharesLeft(model, waits, model.noise).reduce(
      (sum, p) => sum + 0.5 * Math.log1p(p / model.noise), 0);
    return { floor: Math.max(...floors) * curve.maximum, repeated };
  }

  /** Ψ of Theorem I3, for a Markov time kernel: Σ[min(L, σ√L) + Σ of what is renewed since the
      first round] over blocks, the least of it and the one at these cuts. */
  function smoothOrder(model, waits, cuts) {
    const n = waits.length;
    const price = (length) => Math.min(length, Math.sqrt(model.noise * length));
    const kept = waits.map((wait) => Math.exp(-2 * model.theta * wait));
    const value = new Float64Array(n + 1).fill(Infinity);
    const origin = new Int32Array(n + 1);
    value[0] = 0;
    for (let start = 0; start < n; start++) {
      let left = 1;
      let drift = 0;
      for (let end = start + 1; end <= n; end++) {
        if (end > start + 1) {
          left *= kept[end - 1];
          drift += 1 - left;
        }
        const cost = value[start] + price(end - start) + drift;
        if (cost < value[end]) {
          value[end] = cost;
          origin[end] = start;
        }
        // Beaten here by a later start, and so for every later end.
        if (value[start] + drift > value[end] * (1 + 1e-13)) break;
      }
    }
    let blocks = 0;
    for (let end = n; end > 0; end = origin[end]) blocks += 1;
    let own = 0;
    [...cuts, n].forEach((end, i) => {
      const start = i ? cuts[i - 1] : 0;
      let left = 1;
      own += price(end - start);
      for (let k = start + 1; k < end; k++) {
        left *= kept[k];
        own += 1 - left;
      }
    });
    return { value: value[n], blocks, own };
  }

  /** The wait at which 1 − k_time ≤ ε|·| fails for a Markov kernel, 0 where it holds: the shortest
      decides. */
  function hypothesisFails(model, waits) {
    if (model.theta <= model.epsilon) return 0;
    let shortest = Infinity;
    for (let i = 1; i < waits.length; i++) {
      if (waits[i] > 0) shortest = Math.min(shortest, waits[i]);
    }
    if (shortest === Infinity) return 0;
    const left = -Math.expm1(-model.theta * shortest);
    return left > model.epsilon * shortest * (1 + 1e-12) ? shortest : 0;
  }

  return { slopeOf, gainCurve, block, evaluate, optimum, least, below, smoothOrder, hypothesisFails };
}

/* What a state is: evaluation times, model, objective, axis and cuts; its address, its command, and
   all that follows from it without a search. Nothing here draws. */

const OBJECTIVES = [
  ["theorem1", "Theorem 1"],
  ["additive", "additive"],
  ["refined", "refined"],
];

const running = (waits) => {
  let sum = 0;
  return Float64Array.from(waits, (wait) => (sum += wait));
};

/** The durations when the instant of one round (counted from 0) has moved, and its new place. */
function moved(durations, round, instant) {
  const left = Array.from(durations);
  const [own] = left.splice(round, 1);
  if (round < left.length) left[round] += own;
  let before = 0;
  let place = 0;
  while (place < left.length && before + left[place] <= instant) before += left[place++];
  const first = Math.max(0, instant - before);
  left.splice(place, 0, first);
  if (place + 1 < left.length) left[place + 1] = Math.max(0, left[place + 1] - first);
  return { durations: left, place };
}

/** The cuts at the same places of the time when a round has left one block for another. */
function carried(cuts, from, place, instant, times) {
  const n = times.length;
  const found = cuts.map((cut) => {
    const left = from < cut ? cut - 1 : cut;
    const inside = place < left || (place === left && instant < 0.5 * (times[cut - 1] + times[cut]));
    return inside ? left + 1 : left;
  });
  return [...new Set(found)].filter((cut) => cut > 0 && cut < n);
}

class States {
  constructor(data) {
    this.data = data;
  }

  get first() {
    const { data } = this;
    return {
      times: data.presets[0].name,
      moves: [],
      epsilon: data.epsilon,
      noise: data.noise_variance,
      lengthscale: data.lengthscale,
      objective: data.markov ? data.objective : "additive",
      axis: this.span(data.presets[0].durations) > 0 ? "time" : "round",
      cuts: data.markov ? data.cuts : null,
    };
  }

  /** Whether two states pose one problem: the same times and the same model. */
  poses(one, other) {
    const [a, b] = [this.durations(one), this.durations(other)];
    return one.epsilon === other.epsilon && one.noise === other.noise &&
      one.lengthscale === other.lengthscale && a.every((wait, i) => wait === b[i]);
  }

  /** Whether nothing tells two states apart. */
  same(one, other) {
    return this.poses(one, other) && one.times === other.times &&
      one.objective === other.objective && one.axis === other.axis &&
      (one.cuts === null) === (other.cuts === null) &&
      String(one.cuts ?? "") === String(other.cuts ?? "");
  }

  span(durations) {
    return durations.slice(1).reduce((sum, wait) => sum + wait, 0);
  }

  /** The state that an address stands for; throws an Error that names what is wrong. */
  parsed(text) {
    const { data } = this;
    const state = { ...this.first, cuts: null };
    const number = (name, value) => {
      if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(value)) throw new Error(`${name}=${value}`);
      return Number(value);
    };
    const one = (name, value, known) => {
      if (!known.includes(value)) throw new Error(`${name}=${value}`);
      return value;
    };
    for (const part of decodeURIComponent(text).split("&")) {
      const [name, value = ""] = part.split(/=(.*)/s);
      if (name === "times") {
        state.times = one(name, value, data.presets.map((preset) => preset.name));
      } else if (name === "move") {
        state.moves = value.split(",").map((move) => {
          const [round, instant] = move.split(":").map((each) => number(name, each));
          const fits = Number.isInteger(round) && round >= 1 && round <= data.n && instant >= 0;
          if (!fits) throw new Error(`${name}=${move}`);
          return [round, instant];
        });
      } else if (name === "epsilon") {
        state.epsilon = number(name, value);
        if (!(state.epsilon >= 0 && state.epsilon < 1)) throw new Error(part);
      } else if (name === "noise-variance") {
        state.noise = one(name, number(name, value), this.choices("noise_variance"));
      } else if (name === "lengthscale") {
        state.lengthscale = one(name, number(name, value), this.choices("lengthscale"));
      } else if (name === "objective") {
        const known = OBJECTIVES.map(([each]) => each).filter((each) => this.offers(each));
        state.objective = one(name, value, known);
      } else if (name === "axis") {
        state.axis = one(name, value, ["time", "round"]);
      } else if (name === "cuts") {
        const cuts = value === "none" ? [] : value.split("-").map((cut) => number(name, cut));
        const rises = cuts.every(
          (cut, i) => Number.isInteger(cut) && cut > (i ? cuts[i - 1] : 0) && cut < data.n,
        );
        if (!rises) throw new Error(part);
        state.cuts = cuts;
      } else {
        throw new Error(part);
      }
    }
    return state;
  }

  address(state) {
    const { first } = this;
    const words = [];
    if (state.times !== first.times) words.push(`times=${state.times}`);
    if (state.moves.length) words.push(`move=${state.moves.map((m) => m.join(":")).join(",")}`);
    if (state.epsilon !== first.epsilon) words.push(`epsilon=${state.epsilon}`);
    if (state.noise !== first.noise) words.push(`noise-variance=${state.noise}`);
    if (state.lengthscale !== first.lengthscale) words.push(`lengthscale=${state.lengthscale}`);
    if (state.objective !== first.objective) words.push(`objective=${state.objective}`);
    if (state.axis !== first.axis) words.push(`axis=${state.axis}`);
    const cuts = state.cuts?.join("-");
    if (cuts !== undefined && (words.length || cuts !== first.cuts?.join("-"))) {
      words.push(`cuts=${cuts || "none"}`);
    }
    return words.join("&");
  }

  offers(objective) {
    return objective !== "refined" || this.data.markov;
  }

  choices(name) {
    return [...new Set(this.data.curves.map((curve) => curve[name]))].sort((a, b) => a - b);
  }

  preset(state) {
    return this.data.presets.find((preset) => preset.name === state.times);
  }

  durations(state) {
    return state.moves.reduce(
      (durations, [round, instant]) => moved(durations, round - 1, instant).durations,
      this.preset(state).durations,
    );
  }

  /** Everything that follows from a state without a search. */
  derived(state) {
    const { data } = this;
    const durations = this.durations(state);
    const waits = Float64Array.from(durations);
    waits[0] = 0;
    const curve = data.curves.find(
      (one) => one.noise_variance === state.noise && one.lengthscale === state.lengthscale,
    );
    const theta = data.epsilon_moves_kernel
      ? maths.slopeOf(state.epsilon)
      : (data.theta ?? Infinity);
    const model = {
      objective: state.objective, epsilon: state.epsilon, theta, noise: state.noise,
    };
    const question = JSON.stringify([model, state.times, state.moves, state.lengthscale]);
    const gamma = maths.gainCurve(curve, data.n);
    return {
      durations, waits, times: running(durations), curve, model, question, gamma,
      cap: data.n * curve.cap,
    };
  }

  /** The cuts with one of them at another place, as far as its neighbours let it. */
  pushed(cuts, cut, to) {
    const i = cuts.indexOf(cut);
    const low = (i ? cuts[i - 1] : 0) + 1;
    const high = (i + 1 < cuts.length ? cuts[i + 1] : this.data.n) - 1;
    const place = Math.min(high, Math.max(low, to));
    return { place, cuts: cuts.map((one) => (one === cut ? place : one)) };
  }

  /** The state in which a round (from 0) of `from` is observed at another instant. */
  withMoved(from, round, instant) {
    const durations = this.durations(from);
    const times = running(durations);
    const at = Number(Math.max(0, instant).toPrecision(7));
    if (at === Number(times[round].toPrecision(7))) return { state: from, place: round };
    const { place } = moved(durations, round, at);
    let moves = [...from.moves, [round + 1, at]];
    if (from.moves.length) {
      // A round that moved last and moves again makes one move.
      const [before, [name, instantBefore]] = [from.moves.slice(0, -1), from.moves.at(-1)];
      const last = moved(this.durations({ ...from, moves: before }), name - 1, instantBefore);
      if (last.place === round) moves = [...before, [name, at]];
    }
    const cuts = carried(from.cuts ?? [], round, place, at, times);
    return { state: { ...from, moves, cuts }, place };
  }

  /** The command line that computes the value of these cuts and the optimum. */
  command(state) {
    const { data } = this;
    if (data.model === null) return null;
    const quoted = (value) =>
      /^[\w@%+=:,./-]+$/.test(value) ? value : `'${String(value).replaceAll("'", `'"'"'`)}'`;
    const own = this.preset(state).options;
    const times = state.moves.length || own === null ? { times: "times.csv" } : own;
    const given = { ...times, epsilon: state.epsilon, ...data.model };
    if (state.noise !== 0.01) given.noise_variance = state.noise;
    if (state.lengthscale !== null && state.lengthscale !== 0.2) {
      given.lengthscale = state.lengthscale;
    }
    const words = Object.entries(given).flatMap(([name, value]) => {
      const option = `--${name.replaceAll("_", "-")}`;
      return value === true ? [option] : [option, quoted(String(value))];
    });
    const cuts = [0, ...(state.cuts ?? []), data.n].join("-");
    return [
      "ctv partition", ...words, "--bound", state.objective, "--compare", `cuts:${cuts},best`,
    ].join(" ");
  }
}

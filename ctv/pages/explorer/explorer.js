/* The explorer of partitions. Every value on the page is a function of one state, which is an entry
   of the history, an address and a command; `mathematics` has the numbers. */

const maths = mathematics();
const OBJECTIVES = [
  ["theorem1", "Theorem 1"],
  ["additive", "additive"],
  ["refined", "refined"],
];
const LEAST_LOG_EPSILON = -8;
const MOST_LOG_EPSILON = -0.1;
const MOST_HANDLES = 60;
const MOST_EXPLAINED = 500;
const MOST_TABBED = 30;
const MOST_ROWS = 200;
const GRIP = 12;
const GHOST_STAYS = 4000;

// Small tools of the page.

function make(namespace, tag, given = {}, ...children) {
  const node = namespace
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const html = (tag, given, ...children) => make(false, tag, given, ...children);
const svg = (tag, given, ...children) => make(true, tag, given, ...children);

/** A number with four digits, rounded up (side 1), down (−1) or to nearest (0). */
function rounded(value, side = 0, significant = 4) {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude < -4 || magnitude > 8) return value.toExponential(significant - 1);
  const places = Math.max(0, significant - 1 - magnitude);
  const scaled = value * 10 ** places;
  const whole = side > 0 ? Math.ceil(scaled) : side < 0 ? Math.floor(scaled) : Math.round(scaled);
  return (whole / 10 ** places).toLocaleString("en-US", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
}
/** A number with two digits, as a power of ten where it is small. */
function power(value) {
  if (value >= 1e-3) return value.toPrecision(2);
  const [digits, exponent] = value.toExponential(1).split("e-");
  return `${digits}·10⁻${[...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}
const atMost = (value) => rounded(value, 1);
const whole = (count) => count.toLocaleString("en-US");
const counted = (count, noun) => `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Round numbers between two values, at most `count` of them. */
function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, count);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => span / s <= count) ?? span;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + 1e-300; i++) {
    found.push(i * step);
  }
  return found;
}
const tickText = (value) =>
  Math.abs(value) >= 1e6 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(1)
    : String(Number(value.toPrecision(6)));

function save(name, type, text) {
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Evaluation times.

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

// The optimum, in a worker where there is one.

const WORKER = `
const maths = (${mathematics.toString()})();
let latest = 0;
onmessage = async ({ data }) => {
  latest = data.id;
  const { model, waits, gamma } = data;
  postMessage({ id: data.id, kind: "optimum", found: maths.optimum(model, waits, gamma) });
  if (!data.regimes) return;
  const [low, high, cap] = data.regimes;
  const at = (log) => {
    const epsilon = 10 ** log;
    return maths.least({ ...model, epsilon, theta: maths.slopeOf(epsilon) }, waits, gamma);
  };
  const bisected = async (holds) => {
    if (!holds(at(low))) return null;
    let [a, b] = [low, high];
    for (let i = 0; i < 12; i++) {
      await new Promise((resolve) => setTimeout(resolve));
      if (latest !== data.id) return undefined;
      const middle = (a + b) / 2;
      if (holds(at(middle))) a = middle; else b = middle;
    }
    return a;
  };
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (latest !== data.id) return;
  const one = await bisected((found) => found.blocks === 1);
  const speaks = one === undefined ? undefined
    : await bisected((found) => found.value < cap * (1 - 1e-9));
  if (latest === data.id) postMessage({ id: data.id, kind: "regimes", found: { one, speaks } });
};`;

/** Answers one question after the other; of those that wait only the newest is kept. */
class Optimiser {
  constructor(answer) {
    this.answer = answer;
    this.id = 0;
    this.asked = new Map();
    try {
      const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
      this.worker = new Worker(url);
      this.worker.onmessage = ({ data }) => this.received(data);
      this.worker.onerror = () => this.alone();
    } catch {
      this.worker = null;
    }
  }

  ask(question) {
    this.id += 1;
    this.waiting = { ...question, id: this.id };
    this.send();
  }

  send() {
    if (this.busy || !this.waiting) return;
    const question = this.waiting;
    this.waiting = null;
    this.busy = question;
    if (this.worker) {
      this.worker.postMessage(question);
      return;
    }
    setTimeout(() => {
      const { model, waits, gamma } = question;
      const found = maths.optimum(model, waits, gamma);
      this.received({ id: question.id, kind: "optimum", found });
    });
  }

  received({ id, kind, found }) {
    const question = kind === "optimum" ? this.busy : this.last;
    if (question?.id !== id) return;
    if (kind === "optimum") {
      this.busy = null;
      this.last = question;
    }
    if (kind === "optimum" || !this.waiting) this.answer(kind, found, question);
    this.send();
  }

  /** Where no worker may start, the page computes itself. */
  alone() {
    this.worker = null;
    this.waiting ??= this.busy;
    this.busy = null;
    this.send();
  }
}

// The explorer.

class Explorer {
  constructor(root) {
    this.root = root;
    this.data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    this.uses = root.hasAttribute("data-address");
    this.optimiser = new Optimiser((...answer) => this.answered(...answer));
    this.known = new Map();
    this.selected = { cut: null, round: null };
    this.build();
    this.start();
    new ResizeObserver(() => this.draw()).observe(this.chart.parentNode);
    if (this.uses) addEventListener("hashchange", () => this.start());
  }

  // States.

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

  span(durations) {
    return durations.slice(1).reduce((sum, wait) => sum + wait, 0);
  }

  start() {
    let state = this.first;
    this.notice.textContent = "";
    const text = this.uses ? location.hash.slice(1) : "";
    if (text) {
      try {
        state = this.parsed(text);
      } catch (error) {
        this.notice.textContent =
          `The address holds no state of this page (${String(error.message).slice(0, 80)}): ` +
          "here is the state it starts with.";
      }
    }
    this.history = [];
    this.at = -1;
    this.commit(state);
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

  /** A state that stays: an entry of the history. */
  commit(state) {
    this.history = [...this.history.slice(0, this.at + 1), state];
    this.at = this.history.length - 1;
    this.show(state);
  }

  /** A state on the way: while something is dragged. */
  preview(state) {
    this.passing = true;
    this.show(state);
    this.passing = false;
  }

  travel(steps) {
    const to = this.at + steps;
    if (to < 0 || to >= this.history.length) return;
    this.at = to;
    this.show(this.history[to]);
  }

  show(state) {
    const asked = this.is?.question;
    this.state = state;
    this.is = this.derived(state);
    if (asked !== this.is.question) {
      this.known = new Map();
      this.ask();
    }
    if (state.cuts === null && this.best?.question === this.is.question) {
      this.adopt();
      return;
    }
    if (this.selected.cut === null && state.cuts?.length) this.selected.cut = state.cuts[0];
    this.valued();
    this.draw();
    if (!this.passing) this.settle();
  }

  ask() {
    const { model, waits, gamma, question, cap } = this.is;
    const sweeps = this.data.epsilon_moves_kernel && !this.dragging;
    const regimes = sweeps ? [LEAST_LOG_EPSILON, MOST_LOG_EPSILON, cap] : null;
    const { epsilon, theta, ...rest } = model;
    const band = JSON.stringify([rest, this.state.times, this.state.moves, this.state.lengthscale]);
    this.band.parentNode.classList.toggle("ctv-stale", band !== this.regimes?.band);
    this.optimiser.ask({
      model, waits, gamma, question, band, began: performance.now(),
      regimes: band === this.regimes?.band ? null : regimes,
    });
  }

  answered(kind, found, question) {
    if (kind === "regimes") {
      this.regimes = { ...found, band: question.band };
      this.drawRegimes();
      return;
    }
    this.best = { ...found, question: question.question };
    this.searchTook = performance.now() - question.began;
    if (this.is.question !== question.question) return;
    if (this.state.cuts === null) this.adopt();
    else {
      this.draw();
      this.explain();
      this.speak();
    }
  }

  /** Take the cuts of the optimum into a state that asked for them, in its place. */
  adopt() {
    const state = { ...this.state, cuts: this.best.cuts };
    this.history[this.at] = state;
    this.show(state);
  }

  get optimal() {
    return this.best?.question === this.is.question ? this.best : null;
  }

  valued() {
    const began = performance.now();
    const { model, waits, gamma } = this.is;
    this.value = maths.evaluate(model, waits, gamma, this.state.cuts ?? [], this.known);
    this.valueTook = performance.now() - began;
    const { data } = this;
    this.under = data.markov
      ? maths.below(model, waits, this.is.curve)
      : { floor: null, repeated: null };
  }

  /** √(C₁βₙn·gain), C₁ = 8/log(1+1/σ²): the regret that a gain allows CTV-fixed. */
  regret(gain) {
    return Math.sqrt((8 / Math.log1p(1 / this.state.noise)) * this.data.beta * this.data.n * gain);
  }

  /** The gain to which a regret belongs. */
  gainOf(regret) {
    return (regret / this.regret(1)) ** 2;
  }

  get lower() {
    const { repeated } = this.under;
    return repeated === null ? null : Math.max(repeated, this.is.curve.lower);
  }

  /** What is saved, and what a test compares. */
  numbers() {
    const { state, is, value, optimal } = this;
    return {
      format: 1,
      version: this.data.version,
      address: this.address(state),
      command: this.command(),
      objective: state.objective,
      epsilon: state.epsilon,
      noise_variance: state.noise,
      lengthscale: state.lengthscale,
      durations: Array.from(is.durations),
      cuts: [0, ...(state.cuts ?? []), this.data.n],
      value: value.value,
      gain: value.gain,
      drift: value.drift,
      blocks: value.blocks,
      optimum: optimal && {
        value: optimal.value,
        cuts: [0, ...optimal.cuts, this.data.n],
        exact: true,
        force: Array.from(optimal.force.slice(1, -1)),
        forbid: Array.from(optimal.forbid.slice(1, -1)),
      },
      trivial: is.cap,
      lower: this.lower,
      floor: this.under.floor,
      regret: this.regret(value.value),
      thinned_from: this.data.rounds > this.data.n ? this.data.rounds : null,
    };
  }

  /** The command line that computes the value of these cuts and the optimum. */
  command() {
    const { data, state } = this;
    if (data.model === null) return null;
    const quoted = (value) =>
      /^[\w@%+=:,./-]+$/.test(value) ? value : `'${String(value).replaceAll("'", `'"'"'`)}'`;
    const own = this.preset(state).options;
    const times = state.moves.length || own === null ? { times: "times.csv" } : own;
    const given = { ...times, epsilon: state.epsilon, ...data.model };
    if (state.noise !== 0.01) given["noise-variance"] = state.noise;
    if (state.lengthscale !== null && state.lengthscale !== 0.2) {
      given.lengthscale = state.lengthscale;
    }
    const words = Object.entries(given).flatMap(([name, value]) => {
      const option = `--${name.replaceAll("_", "-")}`;
      return value === true ? [option] : [option, quoted(String(value))];
    });
    const cuts = [0, ...(state.cuts ?? []), data.n].join("-");
    return [
      "ctv partition", ...words, "--objective", state.objective, "--compare", `cuts:${cuts},best`,
    ].join(" ");
  }

  // Changes, each of them one entry of the history.

  change(part) {
    this.commit({ ...this.state, ...part });
  }

  cutsWith(cut) {
    return [...new Set([...(this.state.cuts ?? []), cut])].sort((a, b) => a - b);
  }

  add(cut) {
    if (!(cut > 0 && cut < this.data.n)) return;
    this.select({ cut });
    this.change({ cuts: this.cutsWith(cut) });
  }

  /** A cut in the middle of the block that pays most. */
  addSomewhere() {
    const splittable = this.value.blocks.filter((one) => one.end - one.start > 1);
    if (!splittable.length) return;
    const block = splittable.reduce((a, b) => (a.gain + a.drift >= b.gain + b.drift ? a : b));
    this.add((block.start + block.end) >> 1);
    this.focusCut();
  }

  remove(cut) {
    const cuts = this.state.cuts.filter((one) => one !== cut);
    const near = cuts.reduce(
      (a, b) => (a === null || Math.abs(b - cut) < Math.abs(a - cut) ? b : a), null,
    );
    this.select({ cut: near });
    this.change({ cuts });
  }

  /** The cuts with one of them at another place, as far as its neighbours let it. */
  pushed(cut, to, cuts = this.state.cuts) {
    const i = cuts.indexOf(cut);
    const low = (i ? cuts[i - 1] : 0) + 1;
    const high = (i + 1 < cuts.length ? cuts[i + 1] : this.data.n) - 1;
    const place = Math.min(high, Math.max(low, to));
    return { place, cuts: cuts.map((one) => (one === cut ? place : one)) };
  }

  slide(cut, to) {
    const { place, cuts } = this.pushed(cut, to);
    if (place === cut) return;
    this.select({ cut: place });
    this.change({ cuts });
    this.focusCut();
  }

  /** The state in which a round (from 0) of `from` is observed at another instant. */
  withMoved(from, round, instant) {
    const durations = this.durations(from);
    const times = running(durations);
    const at = Number(Math.max(0, instant).toPrecision(7));
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

  moveRound(round, instant) {
    const { state, place } = this.withMoved(this.state, round, instant);
    this.select({ round: place });
    this.commit(state);
  }

  select({ cut, round }) {
    if (cut !== undefined) this.selected.cut = cut;
    if (round !== undefined) this.selected.round = round;
  }

  // The page.

  build() {
    const { data, root } = this;
    root.querySelector(".ctv-static")?.remove();
    this.notice = html("p", { class: "ctv-notice", role: "alert" });
    this.said = html("p", { class: "ctv-said", role: "status", "aria-live": "polite" });
    this.top = svg("svg", { class: "ctv-gauge", role: "img" });
    this.chart = svg("svg", { class: "ctv-chart", role: "group", tabindex: "-1" });
    this.readout = html("p", { class: "ctv-readout" });
    this.cards = html("div", { class: "ctv-cards" });
    this.why = html("div", { class: "ctv-why" });
    this.table = html("div", { class: "ctv-wide" });
    this.line = html("code", { class: "ctv-command", tabindex: "0" });
    this.note = html("p", { class: "ctv-fine" });
    this.buttons = {
      best: this.button("Best partition", () => this.takeBest(), "b"),
      undo: this.button("Undo", () => this.travel(-1), "Control+Z"),
      redo: this.button("Redo", () => this.travel(1), "Control+Shift+Z"),
      add: this.button("Add a cut", () => this.addSomewhere(), "Insert"),
      remove: this.button("Remove this cut", () => this.remove(this.selected.cut), "Delete"),
      none: this.button("No cuts", () => this.change({ cuts: [] })),
      reset: this.button("Start again", () => this.commit(this.first)),
    };
    this.controls = {
      times: html(
        "select", { onchange: (event) => this.choosePreset(event.target.value) },
        ...data.presets.map((one) => html("option", { value: one.name }, one.label)),
      ),
      objective: this.radios("objective", OBJECTIVES.filter(([name]) => this.offers(name))),
      axis: this.radios("axis", [["time", "time"], ["round", "round"]]),
      epsilon: html("input", {
        type: "range", min: LEAST_LOG_EPSILON, max: MOST_LOG_EPSILON, step: 0.01,
        "aria-label": "forgetting rate ε, logarithmic",
        oninput: (event) => this.slideEpsilon(event.target.value, false),
        onchange: (event) => this.slideEpsilon(event.target.value, true),
        disabled: !data.epsilon_moves_kernel,
      }),
      epsilonText: html("input", {
        type: "text", inputmode: "decimal", size: 8, "aria-label": "forgetting rate ε",
        onchange: (event) => this.typeEpsilon(event.target),
        disabled: !data.epsilon_moves_kernel,
      }),
      noise: this.stops("noise", "noise_variance", "variance σ² of one observation"),
      lengthscale: this.stops("lengthscale", "lengthscale", "lengthscale of the space kernel"),
      cuts: html("input", {
        type: "text", class: "ctv-cuts", "aria-label": "cuts, as rounds with dashes between",
        spellcheck: "false", onchange: (event) => this.typeCuts(event.target),
      }),
      round: html("input", {
        type: "number", min: 1, max: data.n, "aria-label": "round",
        onchange: (event) => this.typeRound(event.target),
      }),
      instant: html("input", {
        type: "text", inputmode: "decimal", size: 9, "aria-label": "its instant τ",
        onchange: (event) => this.typeInstant(event.target),
      }),
    };
    this.band = html("div", { class: "ctv-band", "aria-hidden": "true" });
    this.bandText = html("p", { class: "ctv-fine" });
    const saves = [
      ["cuts, CSV", () => this.saveCuts()],
      ["cuts, JSON", () => this.saveText("cuts.json", { cuts: this.numbers().cuts })],
      ["numbers, JSON", () => this.saveText("partition.json", this.numbers())],
      ["times, CSV", () => this.saveTimes()],
      ["picture, SVG", () => this.savePicture()],
    ];
    const { controls, buttons } = this;
    root.append(
      html("header", {},
        html("h2", {}, "Explore partitions"),
        html("p", { class: "ctv-lead" },
          `Cut ${whole(data.n)} evaluations into blocks. Each block pays for the most that so many ` +
            "observations can tell of an objective that stands still, and for its drift between " +
            "the first and the last of them. The sum bounds the information gain, and with it the " +
            "regret."),
        data.rounds > data.n
          ? html("p", { class: "ctv-fine" },
              `Thinned: ${whole(data.rounds)} rounds were given, ${whole(data.n)} of them, evenly ` +
                "spread, are here, and every number is theirs.")
          : null,
        this.notice),
      html("div", { class: "ctv-bar" },
        html("label", {}, "times ", controls.times),
        controls.objective, controls.axis,
        html("span", { class: "ctv-buttons" },
          buttons.best, buttons.add, buttons.remove, buttons.none, buttons.undo, buttons.redo,
          buttons.reset)),
      html("div", { class: "ctv-columns" },
        html("div", { class: "ctv-main" },
          this.cards, this.said,
          html("div", { class: "ctv-frame" }, this.top),
          html("div", { class: "ctv-frame" }, this.chart),
          this.readout,
          html("p", { class: "ctv-fine" },
            "Drag a cut; double-click to add or remove one. Drag a mark on the axis to move an " +
              "evaluation. Keys: arrows move what is chosen (Page keys by ten), [ and ] choose the " +
              "next, Insert adds, Delete removes, Control+Z takes back.")),
        html("div", { class: "ctv-side" },
          this.why,
          html("fieldset", {},
            html("legend", {}, "Model"),
            html("label", { class: "ctv-slider" },
              html("span", {}, "ε ", controls.epsilonText), controls.epsilon, this.band),
            this.bandText, controls.noise, controls.lengthscale),
          html("fieldset", {},
            html("legend", {}, "By hand"),
            html("label", { class: "ctv-slider" }, html("span", {}, "cuts"), controls.cuts),
            html("p", { class: "ctv-pair" },
              html("label", {}, "round ", controls.round),
              html("label", {}, " at τ = ", controls.instant))))),
      html("details", {},
        html("summary", {}, "Blocks as a table"), this.table),
      html("p", { class: "ctv-takeaway" },
        html("span", {}, "Save "),
        ...saves.map(([name, action]) => this.button(name, action))),
      html("div", { class: "ctv-line" }, this.line,
        this.button("Copy command", () => this.copy(this.command())),
        this.uses ? this.button("Copy address", () => this.copy(location.href)) : null),
      this.note,
    );
    this.grips = svg("g", {});
    this.mark = svg("g", { role: "slider", class: "ctv-round", tabindex: "0" },
      svg("circle", { r: 6 }));
    this.mark.addEventListener("keydown", (event) => this.roundKey(event));
    this.mark.addEventListener("focus", () => {
      if (this.selected.round === null) this.select({ round: 0 });
      this.draw();
    });
    this.layers = svg("g", {});
    this.chart.append(this.layers, this.grips, this.mark);
    this.chart.addEventListener("pointerdown", (event) => this.grasp(event));
    this.chart.addEventListener("pointermove", (event) => this.dragged(event));
    this.chart.addEventListener("pointerup", (event) => this.release(event));
    this.chart.addEventListener("pointercancel", (event) => this.release(event));
    this.chart.addEventListener("pointerleave", () => (this.readout.textContent = "\u00a0"));
    // On a page of its own the keys that belong to no control are the explorer's too.
    (this.uses ? document : this.root).addEventListener("keydown", (event) => this.pageKey(event));
    this.readout.textContent = "\u00a0";
  }

  button(text, action, shortcut) {
    return html("button", { type: "button", onclick: action, "aria-keyshortcuts": shortcut }, text);
  }

  radios(name, options) {
    const group = `${name}-${Math.random().toString(36).slice(2)}`;
    return html("span", { class: "ctv-radios", role: "radiogroup", "aria-label": name },
      ...options.map(([value, label]) =>
        html("label", {},
          html("input", {
            type: "radio", name: group, value, onchange: () => this.change({ [name]: value }),
          }),
          html("span", {}, label))));
  }

  /** A slider over the values for which γ curves are here; text alone where there is one. */
  stops(part, name, label) {
    const values = this.choices(name);
    if (values.length < 2) return html("p", { class: "ctv-fine" }, `${label}: fixed here`);
    const shown = html("output", {});
    const input = html("input", {
      type: "range", min: 0, max: values.length - 1, step: 1, "aria-label": label,
      oninput: (event) => this.change({ [part]: values[Number(event.target.value)] }),
    });
    const letter = part === "noise" ? "σ²" : "ℓ";
    const node = html("label", { class: "ctv-slider", title: label },
      html("span", {}, `${letter} = `, shown), input);
    node.update = (value) => {
      input.value = values.indexOf(value);
      input.setAttribute("aria-valuetext", String(value));
      shown.textContent = String(value);
    };
    return node;
  }

  choosePreset(name) {
    this.select({ cut: null, round: null });
    const flat = !(this.span(this.data.presets.find((one) => one.name === name).durations) > 0);
    const axis = flat ? "round" : this.state.axis;
    this.change({ times: name, moves: [], cuts: null, axis });
  }

  takeBest() {
    if (this.optimal) this.change({ cuts: this.optimal.cuts });
    else this.change({ cuts: null });
  }

  slideEpsilon(text, done) {
    const epsilon = Number((10 ** Number(text)).toPrecision(3));
    this.keepGhost();
    const state = { ...this.state, epsilon };
    if (done) {
      this.dragging = null;
      this.commit(state);
      this.ask();
      this.dropGhost();
    } else {
      this.dragging = "epsilon";
      this.controls.epsilonText.value = epsilon;
      this.preview(state);
    }
  }

  typeEpsilon(input) {
    const epsilon = Number(input.value.replace(",", "."));
    if (input.value.trim() !== "" && epsilon >= 0 && epsilon < 1) {
      this.notice.textContent = "";
      this.change({ epsilon });
    } else {
      this.notice.textContent = `ε = ${input.value.slice(0, 40)}: give a number from 0 to below 1.`;
      input.value = this.state.epsilon;
    }
  }

  typeCuts(input) {
    const words = input.value.split(/[^\d.]+/).filter(Boolean).map(Number);
    const { n } = this.data;
    const inside = words.filter((cut) => cut !== 0 && cut !== n);
    if (inside.every((cut) => Number.isInteger(cut) && cut > 0 && cut < n)) {
      this.notice.textContent = "";
      this.change({ cuts: [...new Set(inside)].sort((a, b) => a - b) });
    } else {
      this.notice.textContent = `cuts: give whole numbers from 1 to ${n - 1}.`;
      this.draw();
    }
  }

  typeRound(input) {
    const round = Math.min(this.data.n, Math.max(1, Math.round(Number(input.value) || 1))) - 1;
    this.select({ round });
    this.draw();
  }

  typeInstant(input) {
    const instant = Number(input.value.replace(",", "."));
    if (input.value.trim() !== "" && instant >= 0 && Number.isFinite(instant)) {
      this.notice.textContent = "";
      this.moveRound(this.selected.round ?? 0, instant);
    } else {
      this.notice.textContent = `τ = ${input.value.slice(0, 40)}: give a time of at least 0.`;
      this.draw();
    }
  }

  async copy(text) {
    if (text === null) return;
    try {
      await navigator.clipboard.writeText(text);
      this.said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(this.line);
      this.said.textContent = "Copy what is selected.";
    }
  }

  saveText(name, value) {
    save(name, "application/json", `${JSON.stringify(value, null, 1)}\n`);
  }

  saveTimes() {
    save("times.csv", "text/csv", `duration\n${Array.from(this.is.durations).join("\n")}\n`);
  }

  saveCuts() {
    const rows = this.value.blocks.map(({ start, end, gain, drift }, i) =>
      [i + 1, start + 1, end, this.is.times[start], this.is.times[end - 1], gain, drift].join(","));
    const head = "block,first_round,last_round,first_tau,last_tau,gain,drift";
    save("cuts.csv", "text/csv", `${[head, ...rows].join("\n")}\n`);
  }

  /** The chart as a file of its own: what the style sheet says is written into each element. */
  savePicture() {
    const copy = this.chart.cloneNode(true);
    copy.prepend(svg("title", {}, this.said.textContent), svg("desc", {}, this.command() ?? ""));
    const styled = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size",
      "font-family", "font-weight", "text-anchor", "display", "paint-order", "stroke-linejoin"];
    const from = [this.chart, ...this.chart.querySelectorAll("*")];
    const to = [copy, ...copy.querySelectorAll("*:not(title, desc)")];
    from.forEach((node, i) => {
      const style = getComputedStyle(node);
      to[i].setAttribute("style", styled.map((one) => `${one}:${style[one]}`).join(";"));
      for (const name of ["class", "tabindex", "role"]) to[i].removeAttribute(name);
    });
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.style.background = getComputedStyle(this.root).backgroundColor;
    save("partition.svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
  }

  // Pointers.

  /** Where on the chart a pointer is, in its units. */
  where(event) {
    const box = this.chart.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  nearestCut(x) {
    const { places } = this.lay;
    return (this.state.cuts ?? []).reduce(
      (near, cut) => {
        const away = Math.abs(places[cut] - x);
        // Of cuts at one place the chosen one is meant.
        const closer = away < near.away || (away === near.away && cut === this.selected.cut);
        return closer ? { cut, away } : near;
      },
      { cut: null, away: Infinity },
    );
  }

  nearestIn(array, x, low, high) {
    let [a, b] = [low, high];
    while (b - a > 1) {
      const middle = (a + b) >> 1;
      if (array[middle] <= x) a = middle;
      else b = middle;
    }
    return b <= high && Math.abs(array[b] - x) < Math.abs(array[a] - x) ? b : a;
  }

  grasp(event) {
    if (event.button !== 0) return;
    const { x, y } = this.where(event);
    const { lay } = this;
    if (this.state.cuts === null || this.state.axis === null) return;
    if (Math.abs(y - lay.rug) < GRIP) {
      const round = this.nearestIn(lay.at, x, 0, this.data.n - 1);
      if (Math.abs(lay.at[round] - x) < GRIP) {
        this.select({ round });
        this.dragging = { kind: "round", round, from: this.state, x };
      }
    }
    if (!this.dragging && y < lay.axis - GRIP) {
      const { cut, away } = this.nearestCut(x);
      if (away < GRIP) {
        this.select({ cut });
        this.dragging = { kind: "cut", cut, from: this.state, x };
      }
    }
    if (!this.dragging) return;
    this.keepGhost();
    this.chart.setPointerCapture(event.pointerId);
    this.draw();
    this.explain();
    (this.dragging.kind === "cut" ? this.gripOf(this.selected.cut) : this.mark)?.focus({
      preventScroll: true,
    });
  }

  dragged(event) {
    const { x, y } = this.where(event);
    const drag = this.dragging;
    if (!drag?.kind) {
      this.hover(x, y);
      return;
    }
    if (!drag.moving && Math.abs(x - drag.x) < 3) return;
    drag.moving = true;
    this.pending = () => {
      if (drag.kind === "cut") {
        const place = this.nearestIn(this.lay.places, x, 1, this.data.n - 1);
        const { place: cut, cuts } = this.pushed(drag.cut, place, drag.from.cuts);
        this.select({ cut });
        this.preview({ ...drag.from, cuts });
      } else {
        const { state, place } = this.withMoved(drag.from, drag.round, this.instantAt(x));
        this.select({ round: place });
        this.preview(state);
      }
      if (this.data.n <= MOST_EXPLAINED) this.explain();
    };
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.pending?.();
      this.pending = null;
    });
  }

  release(event) {
    const drag = this.dragging;
    if (drag?.kind) this.drop(drag);
    if (event.type !== "pointerup" || drag?.moving) return;
    // Drawing anew between two presses leaves the browser without a double click to tell of.
    const { x, y } = this.where(event);
    const last = this.pressed;
    const twice = last && event.timeStamp - last.time < 500 && Math.hypot(x - last.x, y - last.y) < 6;
    this.pressed = twice ? null : { time: event.timeStamp, x, y };
    if (twice) this.doubled(x, y);
  }

  drop(drag) {
    this.pending?.();
    this.pending = null;
    this.dragging = null;
    if (this.state !== drag.from) {
      this.commit(this.state);
      if (drag.kind === "round") this.ask();
    }
    this.dropGhost();
    this.explain();
  }

  doubled(x, y) {
    if (y > this.lay.axis - GRIP || this.state.cuts === null || this.data.n < 2) return;
    const { cut, away } = this.nearestCut(x);
    if (away < GRIP) this.remove(cut);
    else this.add(this.nearestIn(this.lay.places, x, 1, this.data.n - 1));
  }

  /** The best partition as it was when something began to change. */
  keepGhost() {
    clearTimeout(this.fading);
    const { optimal, is } = this;
    if (this.ghost || !optimal) return;
    const { times } = is;
    const instants = optimal.cuts.map((p) => 0.5 * (times[p - 1] + times[p]));
    this.ghost = { value: optimal.value, cuts: optimal.cuts, instants, question: is.question };
  }

  dropGhost() {
    clearTimeout(this.fading);
    this.fading = setTimeout(() => {
      this.ghost = null;
      this.draw();
    }, GHOST_STAYS);
  }

  /** The instant at a place of the chart; between rounds, where the axis counts them. */
  instantAt(x) {
    const { lay, is } = this;
    if (this.state.axis === "time") return lay.low + (x - lay.left) / lay.scale;
    const { at } = lay;
    const n = at.length;
    if (x <= at[0]) return is.times[0];
    if (x >= at[n - 1]) return is.times[n - 1];
    const k = Math.min(n - 2, Math.max(0, Math.floor((x - at[0]) / lay.scale)));
    const share = (x - at[k]) / lay.scale;
    return is.times[k] + share * (is.times[k + 1] - is.times[k]);
  }

  hover(x, y) {
    const { lay, optimal, data, is } = this;
    if (!lay || data.n < 2 || x < lay.left || x > lay.right) return;
    const p = this.nearestIn(lay.places, x, 1, data.n - 1);
    const words = [`after round ${whole(p)}: a wait of ${rounded(is.waits[p])}`];
    if (optimal) words.push(this.costWords(p));
    this.readout.textContent = y >= 0 ? `${words.join("; ")}.` : "";
  }

  costWords(p) {
    const { optimal } = this;
    const held = this.state.objective === "theorem1" ? "at most " : "";
    return optimal.cuts.includes(p)
      ? `a cut of the best partition: to forbid it adds ${held}${rounded(optimal.forbid[p])} nats`
      : `no cut of the best partition: to force one adds ${held}${rounded(optimal.force[p])} nats`;
  }

  // Keys.

  pageKey(event) {
    const typing = event.target.matches("input[type=text], input[type=number], select");
    const command = event.ctrlKey || event.metaKey;
    if (command && !typing && event.key.toLowerCase() === "z") {
      this.travel(event.shiftKey ? 1 : -1);
      event.preventDefault();
    } else if (command && !typing && event.key.toLowerCase() === "y") {
      this.travel(1);
      event.preventDefault();
    } else if (!typing && !command && event.key === "Insert") {
      this.addSomewhere();
      event.preventDefault();
    } else if (!typing && !command && !event.altKey && event.key === "b") {
      this.takeBest();
    }
  }

  cutKey(event) {
    const { cuts } = this.state;
    const cut = this.selected.cut;
    const i = cuts.indexOf(cut);
    if (i < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10,
      PageDown: -10, Home: -this.data.n, End: this.data.n };
    if (event.key in steps) this.slide(cut, cut + steps[event.key]);
    else if (event.key === "Delete" || event.key === "Backspace") {
      this.remove(cut);
      this.focusCut();
    } else if (event.key === "[" || event.key === "]") {
      const next = cuts[i + (event.key === "]" ? 1 : -1)];
      if (next === undefined) return;
      this.select({ cut: next });
      this.draw();
      this.focusCut();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  roundKey(event) {
    const { times } = this.is;
    const { n } = this.data;
    const round = this.selected.round ?? 0;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (times[n - 1] - times[0] || 1) / 200;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10,
      PageDown: -10 };
    if (event.key in steps) this.moveRound(round, times[round] + steps[event.key] * step);
    else if (event.key === "[" || event.key === "]") {
      this.select({ round: Math.min(n - 1, Math.max(0, round + (event.key === "]" ? 1 : -1))) });
      this.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  gripOf(cut) {
    return this.grips.querySelector(`[data-cut="${cut}"]`);
  }

  focusCut() {
    this.gripOf(this.selected.cut)?.focus({ preventScroll: true });
  }

  // Drawing.

  draw() {
    const width = Math.floor(this.chart.parentNode.clientWidth);
    if (!(width > 0)) return;
    this.layOut(width);
    const { lay } = this;
    this.chart.setAttribute("viewBox", `0 0 ${width} ${lay.height}`);
    this.chart.setAttribute("width", width);
    this.chart.setAttribute("height", lay.height);
    this.chart.setAttribute("aria-label",
      `Cuts over the ${lay.byTime ? "time" : "rounds"}: ${this.value.blocks.length} blocks, each ` +
        "with gain and drift; the table below has the numbers");
    this.layers.replaceChildren(
      ...this.bands(), ...this.staircase(), ...this.bars(), ...this.axis(), ...this.costs(),
      ...this.lines(), ...this.titles(),
    );
    this.drawGrips();
    this.drawMark();
    this.drawGauge(width);
    this.drawCards();
  }

  layOut(width) {
    const { is, state, data } = this;
    const { times } = is;
    const n = data.n;
    const byTime = state.axis === "time" && times[n - 1] > times[0];
    const [left, right] = [44, width - 12];
    const pad = byTime ? 0.012 * (times[n - 1] - times[0]) : 0;
    const low = byTime ? times[0] - pad : 0.5;
    const high = byTime ? times[n - 1] + pad : n + 0.5;
    const scale = (right - left) / (high - low);
    const at = new Float64Array(n);
    const places = new Float64Array(n + 1);
    for (let i = 0; i < n; i++) at[i] = left + ((byTime ? times[i] : i + 1) - low) * scale;
    places[0] = left;
    places[n] = right;
    for (let p = 1; p < n; p++) places[p] = 0.5 * (at[p - 1] + at[p]);
    this.lay = {
      width, left, right, low, high, scale, at, places, byTime, grip: 14,
      stair: [30, 128], bar: [150, 272], axis: 286, rug: 286, cost: [322, 386], height: 404,
    };
  }

  bands() {
    const { lay, value } = this;
    const path = value.blocks
      .filter((_, i) => i % 2 === 1)
      .map(({ start, end }) => {
        const [a, b] = [lay.places[start], lay.places[end]];
        return `M${a.toFixed(2)} ${lay.stair[0]}H${b.toFixed(2)}V${lay.axis}H${a.toFixed(2)}Z`;
      });
    return [svg("path", { class: "ctv-shade", d: path.join("") || "M0 0" })];
  }

  /** Rounds over time, or time over rounds: what the cuts cut. */
  staircase() {
    const { lay, is, data } = this;
    const { times } = is;
    const n = data.n;
    const [top, bottom] = lay.stair;
    const [low, high] = lay.byTime ? [0, n] : [Math.min(0, times[0]), times[n - 1] || 1];
    const y = (value) => bottom - ((value - low) / (high - low || 1)) * (bottom - top);
    let path = "";
    for (let i = 0; i < n; i++) {
      const level = y(lay.byTime ? i + 1 : times[i]).toFixed(2);
      const x = lay.at[i].toFixed(2);
      path += i ? `${lay.byTime ? `H${x}V${level}` : `L${x} ${level}`}` : `M${x} ${level}`;
    }
    const marks = ticks(low, high, 3).map((value) =>
      svg("text", { class: "ctv-tick", x: lay.left - 6, y: y(value) + 4, "text-anchor": "end" },
        tickText(value)));
    return [
      svg("path", { class: "ctv-stair", d: path }),
      ...marks,
    ];
  }

  /** Gain and drift of each block, one upon the other. */
  bars() {
    const { lay, value } = this;
    const [top, bottom] = lay.bar;
    const most = Math.max(...value.blocks.map((one) => one.gain + one.drift)) || 1;
    const marks = ticks(0, most, 3);
    const scale = (bottom - top - 12) / most;
    let [gains, drifts] = ["", ""];
    const words = [];
    for (const { start, end, gain, drift } of value.blocks) {
      const [a, b] = [lay.places[start], lay.places[end]];
      const gap = b - a > 5 ? 1 : 0;
      const middle = bottom - gain * scale;
      const upper = middle - drift * scale;
      const [x, w] = [(a + gap).toFixed(2), (b - gap).toFixed(2)];
      gains += `M${x} ${bottom}H${w}V${middle.toFixed(2)}H${x}Z`;
      drifts += `M${x} ${middle.toFixed(2)}H${w}V${upper.toFixed(2)}H${x}Z`;
      const label = atMost(gain + drift);
      if (b - a > 8 * label.length) {
        words.push(svg("text", { class: "ctv-value", x: (a + b) / 2, y: upper - 4,
          "text-anchor": "middle" }, label));
      }
      const count = `${whole(end - start)}`;
      if (b - a > 7 * count.length + 8 && gain * scale > 16) {
        words.push(svg("text", { class: "ctv-count", x: (a + b) / 2, y: bottom - 5,
          "text-anchor": "middle" }, count));
      }
    }
    return [
      ...marks.map((mark) => svg("path", { class: "ctv-grid",
        d: `M${lay.left} ${bottom - mark * scale}H${lay.right}` })),
      ...marks.map((mark) => svg("text", { class: "ctv-tick", x: lay.left - 6,
        y: bottom - mark * scale + 4, "text-anchor": "end" }, tickText(mark))),
      svg("path", { class: "ctv-gain", d: gains }),
      svg("path", { class: "ctv-drift", d: drifts }),
      ...words,
    ];
  }

  axis() {
    const { lay, data, is } = this;
    let marks = "";
    for (let i = 0; i < data.n; i++) marks += `M${lay.at[i].toFixed(2)} ${lay.rug - 5}v10`;
    const [low, high] = lay.byTime ? [is.times[0], is.times[data.n - 1]] : [1, data.n];
    const count = Math.max(2, Math.floor(lay.width / 110));
    const x = (value) => lay.left + (value - lay.low) * lay.scale;
    return [
      svg("path", { class: "ctv-axis", d: `M${lay.left} ${lay.rug}H${lay.right}` }),
      svg("path", { class: "ctv-rug", d: marks }),
      ...ticks(low, high, count).map((value) =>
        svg("text", { class: "ctv-tick", x: x(value), y: lay.rug + 20, "text-anchor": "middle" },
          tickText(value))),
      svg("text", { class: "ctv-tick", x: lay.left - 6, y: lay.rug + 20, "text-anchor": "end" },
        lay.byTime ? "τ" : "round"),
    ];
  }

  /** What a cut at each place would add to the best value; from the least to the most of a pixel. */
  costs() {
    const { lay, optimal, data } = this;
    const [top, bottom] = lay.cost;
    if (!optimal || data.n < 2) return [];
    const best = new Set(optimal.cuts);
    const most = Math.max(...optimal.force.slice(1, -1), ...[...best].map((p) => optimal.forbid[p]));
    const scale = (bottom - top) / (most || 1);
    const spacing = lay.byTime ? 0 : lay.scale + 0.6;
    const pixels = new Map();
    let [forced, upTo, forbidden] = ["", "", ""];
    for (let p = 1; p < data.n; p++) {
      const x = lay.places[p];
      if (best.has(p)) {
        forbidden += `M${x.toFixed(2)} ${top}v${(optimal.forbid[p] * scale).toFixed(2)}`;
        continue;
      }
      const [low, high] = pixels.get(Math.round(2 * x)) ?? [Infinity, 0];
      const cost = optimal.force[p];
      pixels.set(Math.round(2 * x), [Math.min(low, cost), Math.max(high, cost)]);
    }
    for (const [pixel, [low, high]] of pixels) {
      forced += `M${pixel / 2} ${top}v${(low * scale).toFixed(2)}`;
      upTo += `M${pixel / 2} ${(top + low * scale).toFixed(2)}V${(top + high * scale).toFixed(2)}`;
    }
    const stroke = `stroke-width:${Math.max(2, spacing > 6 ? 4 : spacing).toFixed(1)}`;
    const tip = [...best].map((p) => {
      const x = lay.places[p];
      return `M${x.toFixed(2)} ${top - 1}l-4 -7h8z`;
    });
    return [
      svg("path", { class: "ctv-axis", d: `M${lay.left} ${top}H${lay.right}` }),
      svg("path", { class: "ctv-forced", d: forced || "M0 0", style: stroke }),
      svg("path", { class: "ctv-forced ctv-upto", d: upTo || "M0 0", style: stroke }),
      svg("path", { class: "ctv-forbidden", d: forbidden || "M0 0",
        style: best.size > MOST_HANDLES ? "stroke-width:2" : null }),
      svg("path", { class: "ctv-tip", d: (best.size <= MOST_HANDLES && tip.join("")) || "M0 0" }),
      ...[0, most].map((value) => svg("text", { class: "ctv-tick", x: lay.left - 6,
        y: top + value * scale + (value ? 2 : 6), "text-anchor": "end" }, rounded(value, 0, 2))),
    ];
  }

  /** What each lane shows, upon all lines. */
  titles() {
    const { lay } = this;
    const under = this.optimal && this.data.n > 1
      ? lay.width > 560
        ? "nats that a cut here, or none at ▼, adds to the best partition"
        : "nats a cut here, or none at ▼, adds"
      : "";
    return [
      [lay.stair[0] + 8, lay.byTime ? "rounds observed" : "time τ"],
      [lay.bar[0] - 8, "nats a block: gain, drift upon it"],
      [lay.cost[1] + 13, under],
    ].map(([y, text]) => svg("text", { class: "ctv-lane", x: lay.left + 4, y }, text));
  }

  /** Lines of the cuts, of the best ones, and of those that were best before. */
  lines() {
    const { lay, optimal, ghost, state } = this;
    const many = (state.cuts ?? []).length > MOST_HANDLES;
    const path = (cuts, from, to) =>
      cuts.map((p) => `M${lay.places[p]?.toFixed(2) ?? 0} ${from}V${to}`).join("") || "M0 0";
    return [
      optimal
        ? svg("path", { class: "ctv-best",
            d: path(optimal.cuts.filter((p) => !state.cuts?.includes(p)), lay.bar[0], lay.axis) })
        : "",
      svg("path", { class: "ctv-ghost", d: this.ghostPath() || "M0 0" }),
      svg("path", { class: many ? "ctv-cut ctv-thin" : "ctv-cut",
        d: path(state.cuts ?? [], many ? lay.stair[0] : lay.grip, lay.axis) }),
      many && this.selected.cut !== null
        ? svg("path", { class: "ctv-cut", d: path([this.selected.cut], lay.grip, lay.axis) })
        : "",
    ].filter(Boolean);
  }

  /** The cuts that were best before, where they were, but for those that still are. */
  ghostPath() {
    const { lay, optimal, ghost } = this;
    if (!ghost || ghost.question === this.is.question) return "";
    const now = (optimal?.cuts ?? []).map((p) => lay.places[p]);
    return ghost.cuts
      .map((p, i) =>
        lay.byTime ? lay.left + (ghost.instants[i] - lay.low) * lay.scale : lay.places[p])
      .filter((x) => !now.some((other) => Math.abs(other - x) < 1))
      .map((x) => `M${x.toFixed(2)} ${lay.stair[0]}V${lay.cost[1]}`)
      .join("");
  }

  drawGrips() {
    const cuts = this.state.cuts ?? [];
    // Of very many only the chosen one is shown; the keys [ and ] go through them.
    const many = cuts.length > MOST_HANDLES;
    const first = many ? Math.max(0, cuts.indexOf(this.selected.cut)) : 0;
    const shown = many ? cuts.slice(first, first + 1) : cuts;
    const held = this.grips.contains(document.activeElement) ? document.activeElement : null;
    while (this.grips.childNodes.length > shown.length) this.grips.lastChild.remove();
    while (this.grips.childNodes.length < shown.length) {
      const grip = svg("g", { role: "slider", class: "ctv-grip" }, svg("circle", { r: 9 }),
        svg("path", { d: "M-2.5 -3.5v7M2.5 -3.5v7" }));
      grip.addEventListener("keydown", (event) => this.cutKey(event));
      grip.addEventListener("focus", () => {
        const cut = Number(grip.dataset.cut);
        if (this.selected.cut !== cut) {
          this.select({ cut });
          this.draw();
          this.explain();
        }
      });
      this.grips.append(grip);
    }
    const { lay, is, data } = this;
    const tabbed = this.selected.cut ?? cuts[0];
    if (held && !held.isConnected) (this.grips.lastChild ?? this.chart).focus();
    shown.forEach((cut, i) => {
      const grip = this.grips.childNodes[i];
      const all = first + i;
      const chosen = cut === this.selected.cut;
      grip.dataset.cut = cut;
      grip.setAttribute("transform", `translate(${lay.places[cut].toFixed(2)} ${lay.grip})`);
      grip.classList.toggle("ctv-chosen", chosen);
      grip.setAttribute("tabindex", cuts.length <= MOST_TABBED || cut === tabbed ? 0 : -1);
      grip.setAttribute("aria-label", `cut ${all + 1} of ${cuts.length}`);
      grip.setAttribute("aria-valuemin", (all ? cuts[all - 1] : 0) + 1);
      grip.setAttribute("aria-valuemax", (cuts[all + 1] ?? data.n) - 1);
      grip.setAttribute("aria-valuenow", cut);
      grip.setAttribute("aria-valuetext",
        `after round ${cut}, between times ${rounded(is.times[cut - 1])} and ` +
          `${rounded(is.times[cut])}`);
    });
  }

  drawMark() {
    const { lay, is, data } = this;
    const round = Math.min(this.selected.round ?? 0, data.n - 1);
    this.mark.classList.toggle("ctv-chosen", this.selected.round !== null);
    this.mark.setAttribute("transform", `translate(${lay.at[round].toFixed(2)} ${lay.rug})`);
    this.mark.setAttribute("aria-label", `evaluation ${round + 1} of ${data.n}`);
    this.mark.setAttribute("aria-valuemin", 0);
    this.mark.setAttribute("aria-valuemax", is.times[data.n - 1]);
    this.mark.setAttribute("aria-valuenow", is.times[round]);
    this.mark.setAttribute("aria-valuetext", `at time ${rounded(is.times[round], 0, 6)}`);
    if (document.activeElement !== this.controls.round) this.controls.round.value = round + 1;
    if (document.activeElement !== this.controls.instant) {
      this.controls.instant.value = Number(is.times[round].toPrecision(7));
    }
  }

  /** The total on one line with everything that it may be compared with. */
  drawGauge(width) {
    const { is, optimal, value, lower, under } = this;
    const [left, right] = [12, width - 12];
    const high = 1.03 * Math.max(is.cap, value.value);
    const x = (gain) => left + (gain / high) * (right - left);
    const narrow = width < 520;
    const [top, bottom] = [58, 76];
    const above = [
      { gain: value.value, text: `these cuts ${atMost(value.value)}`, kind: "own" },
      optimal && { gain: optimal.value, text: `best ${atMost(optimal.value)}`, kind: "best" },
      this.ghost && this.ghost.question !== is.question && {
        gain: this.ghost.value, text: `best before ${atMost(this.ghost.value)}`, kind: "ghost",
      },
    ].filter(Boolean);
    const below = [
      under.floor !== null && {
        gain: this.gainOf(under.floor), kind: "floor",
        text: `floor: mean regret ≥ ${rounded(under.floor, -1)}`,
      },
      lower !== null && { gain: lower, text: `γ̃ ≥ ${rounded(lower, -1)}`, kind: "lower" },
      { gain: is.cap, text: `trivial cap ${atMost(is.cap)}`, kind: "cap" },
    ].filter(Boolean);
    let written = -Infinity;
    const regrets = ticks(0, this.regret(high), narrow ? 3 : 6).map((regret) => {
      const gain = this.gainOf(regret);
      if (gain > high || x(gain) < written + 44) return null;
      written = x(gain);
      return svg("g", {},
        svg("path", { class: "ctv-grid", d: `M${x(gain)} ${bottom + 44}v5` }),
        svg("text", { class: "ctv-tick", x: x(gain), y: bottom + 61,
          "text-anchor": x(gain) < 30 ? "start" : x(gain) > width - 40 ? "end" : "middle" },
          tickText(regret)));
    });
    this.top.setAttribute("viewBox", `0 0 ${width} 158`);
    this.top.setAttribute("width", width);
    this.top.setAttribute("height", 158);
    this.top.setAttribute("aria-label",
      `Information gain in nats: ${[...above, ...below].map((one) => one.text).join(", ")}`);
    this.top.replaceChildren(
      svg("text", { class: "ctv-lane", x: left, y: 12 }, "information gain, nats"),
      svg("rect", { class: "ctv-track", x: left, y: top, width: right - left,
        height: bottom - top, rx: 3 }),
      lower !== null
        ? svg("rect", { class: "ctv-known", x: left, y: top, width: x(lower) - left,
            height: bottom - top, rx: 3 })
        : "",
      svg("rect", { class: "ctv-gain", x: left, y: top + 5, width: x(value.gain) - left,
        height: bottom - top - 10 }),
      svg("rect", { class: "ctv-drift", x: x(value.gain), y: top + 5,
        width: x(value.value) - x(value.gain), height: bottom - top - 10 }),
      ...this.pins(above, x, width, [top, bottom], -1),
      ...this.pins(below, x, width, [top, bottom], 1),
      svg("path", { class: "ctv-axis", d: `M${left} ${bottom + 44}H${right}` }),
      ...regrets.filter(Boolean),
      svg("text", { class: "ctv-lane", x: left, y: bottom + 78 },
        narrow ? "regret allowed to CTV-fixed"
          : `regret that the gain allows CTV-fixed, with probability ${1 - this.data.delta}`),
    );
  }

  /** Marks on the gauge with their words, on rows of their own where they would overlap. */
  pins(all, x, width, [top, bottom], side) {
    const rows = [];
    const ordered = [...all].sort((a, b) => a.gain - b.gain);
    const drawn = ordered.map(({ gain, text, kind }) => {
      const size = 6.6 * text.length;
      const at = x(gain);
      const start = Math.min(Math.max(2, at - size / 2), width - size - 2);
      let row = 0;
      while (rows[row] !== undefined && rows[row] > start - 8) row += 1;
      rows[row] = start + size;
      const y = side < 0 ? top - 10 - 14 * row : bottom + 17 + 14 * row;
      return [
        svg("path", { class: `ctv-pin ctv-pin-${kind}`,
          d: side < 0 ? `M${at} ${y + 3}V${bottom + 3}` : `M${at} ${top - 3}V${y - 10}` }),
        svg("text", { class: `ctv-word ctv-word-${kind}`, x: start, y }, text),
      ];
    });
    // Words upon the marks that pass behind them.
    return [...drawn.map(([mark]) => mark), ...drawn.map(([, words]) => words)];
  }

  drawCards() {
    const { value, optimal, state, is } = this;
    const fails = state.objective === "theorem1" && this.data.epsilon_moves_kernel
      ? maths.hypothesisFails(is.model, is.waits)
      : 0;
    const card = (words, number, more, kind) =>
      html("div", { class: `ctv-card ctv-card-${kind}` },
        html("span", {}, words), html("strong", {}, number), html("span", {}, more));
    const share = optimal && optimal.value > 0 ? value.value / optimal.value : 1;
    const ratio = rounded(share, share > 1 + 1e-9 ? 1 : 0);
    const own = value.value < is.cap * (1 - 1e-9)
      ? `${atMost(value.gain)} gain + ${atMost(value.drift)} drift`
      : "no less than the trivial cap";
    this.cards.replaceChildren(
      card(counted(value.blocks.length, "block"), `${atMost(value.value)} nats`, own, "own"),
      card("best partition", optimal ? `${atMost(optimal.value)} nats` : "…",
        optimal
          ? `${counted(optimal.cuts.length + 1, "block")}, exact; these cuts: ${ratio} × that`
          : "searching", "best"),
      card("regret at most", rounded(this.regret(value.value), 1),
        `cap ${rounded(this.regret(is.cap), 1)}`, "regret"),
    );
    if (fails) {
      this.cards.append(html("p", { class: "ctv-fine ctv-warns" },
        `Theorem 1 does not hold here: 1 − k_time > ε·${rounded(fails)} for rounds ` +
          `${rounded(fails)} apart.`));
    }
    const hidden = this.data.markov
      ? ""
      : ` Lower sides are hidden: for the ${this.data.time_kernel} time kernel they are not cheap;` +
        " so is the refined bound, whose centres are real numbers there (ctv partition has it).";
    this.note.textContent =
      `Floating point, not certified; ${this.data.space_kernel} kernel on ${this.data.domain}, ` +
      `${this.data.time_kernel} time kernel, δ = ${this.data.delta}. Regret: √(C₁βₙn·gain), for ` +
      "CTV-fixed with the exploration of the theory and times fixed beforehand. γ̃ ≥: the larger of " +
      "one design's gain without drift and the gain of one repeated point. Floor: of every policy, " +
      `in the mean (Theorem F).${hidden}`;
  }

  drawRegimes() {
    const { regimes, band, bandText } = this;
    band.parentNode.classList.remove("ctv-stale");
    if (!regimes || regimes.one === undefined || regimes.speaks === undefined) return;
    const share = (log) => ((log - LEAST_LOG_EPSILON) / (MOST_LOG_EPSILON - LEAST_LOG_EPSILON)) * 100;
    const one = regimes.one === null ? 0 : share(regimes.one);
    const speaks = Math.max(one, regimes.speaks === null ? 0 : share(regimes.speaks));
    const parts = [["one", one], ["blocks", speaks - one], ["cap", 100 - speaks]];
    band.replaceChildren(...parts.map(([name, size]) =>
      html("span", { class: `ctv-${name}`, style: `width:${size.toFixed(2)}%` },
        size > (name === "one" ? 24 : 14) ? { one: "one block", blocks: "blocks", cap: "cap" }[name] : "")));
    const words = [];
    const epsilon = (log) => power(10 ** log);
    if (regimes.one !== null) words.push(`one block up to ε = ${epsilon(regimes.one)}`);
    if (regimes.speaks === null) words.push("this bound is never below the trivial cap here");
    else if (regimes.speaks < MOST_LOG_EPSILON - 0.01) {
      words.push(`the trivial cap from ε = ${epsilon(regimes.speaks)}`);
    } else words.push("below the trivial cap throughout");
    bandText.textContent = `Best partition: ${words.join("; ")}.`;
  }

  // What follows a change that stays.

  settle() {
    const { state, controls, buttons, data } = this;
    const cuts = state.cuts ?? [];
    if (this.selected.cut !== null && !cuts.includes(this.selected.cut)) this.selected.cut = null;
    controls.times.value = state.times;
    for (const name of ["objective", "axis"]) {
      const input = controls[name].querySelector(`input[value="${state[name]}"]`);
      if (input) input.checked = true;
    }
    const log = state.epsilon > 0 ? Math.log10(state.epsilon) : LEAST_LOG_EPSILON;
    controls.epsilon.value = log;
    controls.epsilon.setAttribute("aria-valuetext", String(state.epsilon));
    controls.epsilonText.value = state.epsilon;
    controls.noise.update?.(state.noise);
    controls.lengthscale.update?.(state.lengthscale);
    controls.cuts.value = cuts.join("-");
    buttons.undo.disabled = this.at === 0;
    buttons.redo.disabled = this.at === this.history.length - 1;
    buttons.remove.disabled = this.selected.cut === null;
    buttons.none.disabled = !cuts.length;
    buttons.add.disabled = cuts.length >= data.n - 1;
    const command = this.command();
    this.line.textContent = command ?? "Made from a problem in Python: no command line has it.";
    if (state.moves.length || this.preset(state).options === null) {
      this.line.textContent = command
        ? `${command}   # save these times as times.csv first`
        : this.line.textContent;
    }
    if (this.uses) {
      const address = this.address(state);
      try {
        history.replaceState(null, "", address ? `#${address}` : location.pathname);
      } catch {
        this.uses = false; // a page without an address of its own
      }
    }
    this.tabulate();
    this.explain();
    this.speak();
  }

  tabulate() {
    const { blocks } = this.value;
    const { times } = this.is;
    const shown = blocks.slice(0, MOST_ROWS);
    const cells = (tag, words) => words.map((word) =>
      html(tag, { class: "number", scope: tag === "th" ? "col" : null }, word));
    this.table.replaceChildren(
      html("table", {},
        html("thead", {}, html("tr", {}, ...cells("th",
          ["block", "rounds", "from τ", "to τ", "gain, nats", "drift, nats"]))),
        html("tbody", {}, ...shown.map(({ start, end, gain, drift }, i) =>
          html("tr", {}, ...cells("td", [
            i + 1, `${start + 1}–${end}`, rounded(times[start]), rounded(times[end - 1]),
            atMost(gain), atMost(drift),
          ].map(String)))))),
      blocks.length > shown.length
        ? html("p", { class: "ctv-fine" }, `${blocks.length - shown.length} more are in the file.`)
        : "");
  }

  /** Why here? What the chosen cut saves and costs. */
  explain() {
    const { selected, is, value, optimal, state } = this;
    const { cut } = selected;
    const cuts = state.cuts ?? [];
    const i = cuts.indexOf(cut);
    if (i < 0) {
      this.why.replaceChildren(html("h3", {}, "Why here?"),
        html("p", {}, cuts.length ? "Choose a cut." : "No cuts: one block of all rounds."));
      return;
    }
    const total = (changed) =>
      maths.evaluate(is.model, is.waits, is.gamma, changed, this.known).value;
    const without = maths.evaluate(
      is.model, is.waits, is.gamma, cuts.filter((one) => one !== cut), this.known);
    const [gain, drift] = [without.gain - value.gain, without.drift - value.drift];
    const longer = Array.from(is.waits.slice(1)).filter((wait) => wait > is.waits[cut]).length;
    const saves = gain + drift;
    const items = [
      `The wait here is ${rounded(is.waits[cut])}, ${
        longer ? `shorter than ${whole(longer)}` : "none is longer"} of ${whole(this.data.n - 1)}.`,
      `Without it the gain would be ${rounded(Math.abs(gain))} ${gain <= 0 ? "less" : "more"} and ` +
        `the drift ${rounded(Math.abs(drift))} ${drift >= 0 ? "more" : "less"}.`,
    ];
    for (const [step, name] of [[-1, "earlier"], [1, "later"]]) {
      const { place, cuts: other } = this.pushed(cut, cut + step);
      if (place === cut) continue;
      const more = total(other) - value.value;
      items.push(`One round ${name} adds ${rounded(more)} nats.`);
    }
    if (optimal) items.push(`It is ${this.costWords(cut)}.`);
    this.why.replaceChildren(
      html("h3", {}, `Why here? Cut after round ${whole(cut)}`),
      html("p", { class: saves >= 0 ? "ctv-saves" : "ctv-warns" },
        saves >= 0 ? `It saves ${rounded(saves)} nats.` : `It costs ${rounded(-saves)} nats.`),
      html("ul", {}, ...items.map((item) => html("li", {}, item))));
  }

  speak() {
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => {
      const { value, optimal } = this;
      const beside = optimal
        ? value.value <= optimal.value * (1 + 1e-12)
          ? " This is the best partition."
          : ` The best has ${atMost(optimal.value)}, by ${counted(optimal.cuts.length + 1, "block")}.`
        : "";
      this.said.textContent =
        `${counted(value.blocks.length, "block")}: at most ${atMost(value.value)} nats.${beside}`;
    }, 250);
  }
}

/** Bring one `.ctv-explorer` element to life; the same object when called again. */
export function mount(root) {
  root.explorer ??= new Explorer(root);
  return root.explorer;
}

document.querySelectorAll(".ctv-explorer").forEach(mount);

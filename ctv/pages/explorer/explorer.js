/* The explorer of partitions. Every value on the page is a function of one state, which is an entry
   of the history, an address and a command. */

const GHOST_STAYS = 4000;
const FEWEST_TO_SKIP = 10; // handles that Tab need not go through one by one

class Explorer {
  constructor(root) {
    this.root = root;
    this.data = JSON.parse(root.querySelector("script[type='application/json']").textContent);
    this.uses = root.hasAttribute("data-address");
    this.states = new States(this.data);
    this.optimiser = new Optimiser((...answer) => this.answered(...answer));
    this.known = new Map();
    this.selected = { cut: null, round: null };
    this.chart = new Chart(this);
    this.gauge = new Gauge(this);
    this.hands = new Hands(this);
    this.controls = new Controls(this);
    this.words = new Words(this);
    this.build();
    this.start();
    new ResizeObserver(() => this.draw()).observe(this.chart.node.parentNode);
    if (this.uses) addEventListener("hashchange", () => this.anchored() || this.start());
  }

  build() {
    const { data, root, controls, words } = this;
    const { inputs } = controls;
    root.querySelector(".ctv-static")?.remove();
    this.notice = html("p", { class: "ctv-notice", role: "alert" });
    this.readout = html("p", { class: "ctv-readout" });
    this.line = html("code", { class: "ctv-command", tabindex: "0" });
    this.buttons = {
      best: this.button("Best partition", () => this.takeBest(), "b"),
      add: this.button("Add a cut", () => this.addSomewhere(), "Insert"),
      remove: this.button("Remove this cut", () => this.remove(this.selected.cut), "Delete"),
      none: this.button("No cuts", () => this.change({ cuts: [] })),
      undo: this.button("Undo", () => this.travel(-1), "Control+Z"),
      redo: this.button("Redo", () => this.travel(1), "Control+Shift+Z"),
      reset: this.button("Start again", () => this.commit(this.states.first)),
    };
    this.skip = this.button("Skip the handles of the cuts", () => this.chart.mark.focus());
    this.skip.classList.add("ctv-skip");
    const lead =
      `Cut ${whole(data.n)} evaluations into blocks. Each block pays for the most that so many ` +
      "observations can reveal about a static objective, and for the drift between the " +
      "first and the last of them. The sum bounds the information gain, and with it the regret.";
    const thinned =
      `Thinned: ${whole(data.rounds)} rounds were given, ${whole(data.n)} of them, evenly spread, ` +
      "are here, and every number is theirs.";
    const keys =
      "Drag a cut; double-click to add or remove one. Drag a mark on the axis to move an " +
      "evaluation. Keys: arrows move what is chosen (Page keys by ten), [ and ] choose the next, " +
      "Insert adds, Delete removes, Control+Z takes back.";
    root.append(
      html("header", {},
        html("h2", {}, "Partitions to move by hand"),
        html("p", { class: "ctv-lead" }, lead),
        data.rounds > data.n ? html("p", { class: "ctv-fine" }, thinned) : null,
        this.notice),
      html("div", { class: "ctv-bar" },
        html("label", {}, "times ", inputs.times), inputs.objective, inputs.axis,
        html("span", { class: "ctv-buttons" }, ...Object.values(this.buttons))),
      html("div", { class: "ctv-columns" },
        html("div", { class: "ctv-main" },
          words.cards, words.said,
          html("div", { class: "ctv-frame" }, this.gauge.node),
          this.skip, html("div", { class: "ctv-frame" }, this.chart.node),
          this.readout, html("p", { class: "ctv-fine" }, keys)),
        html("div", { class: "ctv-side" }, words.why, ...controls.fields)),
      html("details", {}, html("summary", {}, "Blocks as a table"), words.table),
      html("p", { class: "ctv-takeaway" },
        html("span", {}, "Save "),
        ...SAVED.map(([name, action]) => this.button(name, () => action(this)))),
      html("div", { class: "ctv-line" }, this.line,
        this.button("Copy command", () => this.copy(this.states.command(this.state))),
        this.uses ? this.button("Copy address", () => this.copy(location.href)) : null),
      words.note,
    );
    this.read("");
  }

  draw() {
    const width = Math.floor(this.chart.node.parentNode.clientWidth);
    if (!(width > 0)) return;
    this.chart.draw(width);
    this.gauge.draw(width);
    this.words.drawCards();
  }

  /** What is beneath the pointer; a blank keeps the line its height. */
  read(text) {
    this.readout.textContent = text || "\u00a0";
  }

  /** Whether the address names a place of the page around, and no state. */
  anchored() {
    return document.getElementById(location.hash.slice(1)) !== null;
  }

  start() {
    let state = this.states.first;
    this.notice.textContent = "";
    const text = this.uses && !this.anchored() ? location.hash.slice(1) : "";
    if (text) {
      try {
        state = this.states.parsed(text);
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

  /** A state that stays: an entry of the history. One that is no other than the present entry is
      none; then the answer is false. */
  commit(state) {
    const present = this.history[this.at];
    const other = present === undefined || !this.states.same(state, present);
    if (other) {
      this.history = [...this.history.slice(0, this.at + 1), state];
      this.at = this.history.length - 1;
    }
    this.show(this.history[this.at]);
    return other;
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
    this.is = this.states.derived(state);
    if (asked !== this.is.question) {
      this.known = new Map();
      this.ask();
    }
    if (state.cuts === null && this.best?.question === this.is.question) {
      this.adopt();
      return;
    }
    const cuts = state.cuts ?? [];
    if (!cuts.includes(this.selected.cut)) {
      this.selected.cut = cuts.length ? nearestOf(cuts, this.selected.cut ?? 0) : null;
    }
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
    this.controls.band.parentNode.classList.toggle("ctv-stale", band !== this.regimes?.band);
    this.optimiser.ask({
      model, waits, gamma, question, band, began: performance.now(),
      regimes: band === this.regimes?.band ? null : regimes,
    });
  }

  answered(kind, found, question) {
    if (kind === "regimes") {
      this.regimes = { ...found, band: question.band };
      this.controls.drawRegimes();
      return;
    }
    this.best = { ...found, question: question.question };
    this.searchTook = performance.now() - question.began;
    if (this.is.question !== question.question) return;
    if (this.state.cuts === null) this.adopt();
    else {
      this.draw();
      this.words.explain();
      this.words.speak();
    }
  }

  /** Take the cuts of the optimum into a state that asked for them, in its place. */
  adopt() {
    const state = { ...this.state, cuts: this.best.cuts };
    const before = this.history[this.at - 1];
    if (before && this.states.same(state, before)) this.history.splice(this.at--, 1);
    else this.history[this.at] = state;
    this.show(this.history[this.at]);
  }

  get optimal() {
    return this.best?.question === this.is.question ? this.best : null;
  }

  valued() {
    const began = performance.now();
    const { model, waits, gamma } = this.is;
    this.value = maths.evaluate(model, waits, gamma, this.state.cuts ?? [], this.known);
    this.valueTook = performance.now() - began;
    const { markov } = this.data;
    this.under = markov ? maths.below(model, waits, this.is.curve) : { floor: null, repeated: null };
    this.order = this.data.smooth ? maths.smoothOrder(model, waits, this.state.cuts ?? []) : null;
    // Of other kernels the page does not know enough to check the hypothesis of Theorem 1.
    this.fails = markov ? maths.hypothesisFails(model, waits) : null;
  }

  /** √(C₁βₙn·gain), C₁ = 8/log(1+1/σ²): the regret that a gain allows CTV-fixed. */
  regret(gain) {
    return Math.sqrt((8 / Math.log1p(1 / this.state.noise)) * this.data.beta * this.data.n * gain);
  }

  /** The gain to which a regret belongs. */
  gainOf(regret) {
    return (regret / this.regret(1)) ** 2;
  }

  /** Whether times and model are the problem's own, of which more is known than the page computes. */
  get asGiven() {
    return this.states.poses(this.state, this.states.first);
  }

  /** The lower sides of γ̃ₙ and of the mean regret: the library's, or elsewhere the page's own. */
  get lower() {
    if (this.asGiven) return this.data.lower;
    const { repeated } = this.under;
    return repeated === null ? null : Math.max(repeated, this.is.curve.lower);
  }

  get floor() {
    return this.asGiven ? this.data.floor : this.under.floor;
  }

  /** What is saved, and what a test compares. */
  numbers() {
    const { state, is, value, optimal } = this;
    return {
      format: 1,
      version: this.data.version,
      address: this.states.address(state),
      command: this.states.command(this.state),
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
      theorem1_fails: this.fails === null ? null : this.fails > 0,
      lower: this.lower,
      floor: this.floor,
      smooth_order: this.order,
      as_given: this.asGiven,
      regret: this.regret(value.value),
      thinned_from: this.data.rounds > this.data.n ? this.data.rounds : null,
    };
  }

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
    this.change({ cuts: this.state.cuts.filter((one) => one !== cut) });
  }

  slide(cut, to) {
    const { place, cuts } = this.states.pushed(this.state.cuts, cut, to);
    if (place === cut) return;
    this.select({ cut: place });
    this.change({ cuts });
  }

  moveRound(round, instant) {
    const { state, place } = this.states.withMoved(this.state, round, instant);
    this.select({ round: place });
    this.commit(state);
  }

  /** Choose a cut and say why it is where it is. */
  choose(cut) {
    if (this.selected.cut === cut) return;
    this.select({ cut });
    this.chart.drawChosen();
    this.words.explain();
  }

  select({ cut, round }) {
    if (cut !== undefined) this.selected.cut = cut;
    if (round !== undefined) this.selected.round = round;
  }

  button(text, action, shortcut) {
    return html("button", { type: "button", onclick: action, "aria-keyshortcuts": shortcut }, text);
  }

  takeBest() {
    if (this.optimal) this.change({ cuts: this.optimal.cuts });
    else this.change({ cuts: null });
  }

  async copy(text) {
    if (text === null) return;
    try {
      await navigator.clipboard.writeText(text);
      this.words.said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(this.line);
      this.words.said.textContent = "Copy what is selected.";
    }
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

  focusCut() {
    this.chart.gripOf(this.selected.cut)?.focus({ preventScroll: true });
  }

  /** What follows a change that stays. */
  settle() {
    const { state, buttons, data } = this;
    const cuts = state.cuts ?? [];
    this.controls.update(state);
    this.skip.hidden = cuts.length < FEWEST_TO_SKIP;
    buttons.undo.disabled = this.at === 0;
    buttons.redo.disabled = this.at === this.history.length - 1;
    buttons.remove.disabled = this.selected.cut === null;
    buttons.none.disabled = !cuts.length;
    buttons.add.disabled = cuts.length >= data.n - 1;
    const command = this.states.command(state);
    const unsaved = state.moves.length || this.states.preset(state).options === null;
    this.line.textContent = command === null
      ? "Made from a problem in Python: no command line has it."
      : unsaved ? `${command}   # save these times as times.csv first` : command;
    if (this.uses) {
      const address = this.states.address(state);
      try {
        if (address) history.replaceState(null, "", `#${address}`);
        else if (!this.anchored()) history.replaceState(null, "", location.pathname);
      } catch {
        this.uses = false; // a page without an address of its own
      }
    }
    this.words.tabulate();
    this.words.explain();
    this.words.speak();
  }
}

/** Bring one `.ctv-explorer` element to life; the same object when called again. */
export function mount(root) {
  root.explorer ??= new Explorer(root);
  return root.explorer;
}

document.querySelectorAll(".ctv-explorer").forEach(mount);

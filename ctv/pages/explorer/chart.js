/* The chart: rounds over time or time over rounds, the blocks as bars, the axis with its marks, and
   beneath it what each cut costs. Knows where things are; what is done with them is in hands.js. */

const MOST_MARKED = 60; // beyond, lines and tips would hide what they lie upon
const ROOMIEST = 22; // pixels from one handle to the next, at most

const GRIP_BARS = "M-2.5 -3.5v7M2.5 -3.5v7";

class Chart {
  constructor(explorer) {
    this.explorer = explorer;
    this.layers = svg("g", {});
    this.grips = svg("g", { class: "ctv-grips" });
    this.line = svg("path", { class: "ctv-cut" });
    this.chosen = svg("g", { class: "ctv-held", "aria-hidden": "true" },
      svg("circle", { r: 9 }), svg("path", { d: GRIP_BARS }));
    this.mark = svg("g", { role: "slider", class: "ctv-round", tabindex: "0" },
      svg("circle", { r: 6 }));
    this.node = svg("svg", { class: "ctv-chart", role: "group", tabindex: "-1" },
      this.layers, this.grips, this.chosen, this.mark);
  }

  /** Everything anew, at a width in pixels. */
  draw(width) {
    this.layOut(width);
    const { lay } = this;
    this.node.setAttribute("viewBox", `0 0 ${width} ${lay.height}`);
    this.node.setAttribute("width", width);
    this.node.setAttribute("height", lay.height);
    const blocks = counted(this.explorer.value.blocks.length, "block");
    this.node.setAttribute("aria-label",
      `Cuts over the ${lay.byTime ? "time" : "rounds"}: ${blocks}, each with gain and drift; the ` +
        "table below has the numbers");
    this.layers.replaceChildren(
      ...this.bands(), ...this.staircase(), ...this.bars(), ...this.axis(), ...this.costs(),
      ...this.lines(), ...this.titles(),
    );
    this.drawGrips();
    this.drawMark();
  }

  layOut(width) {
    const { is, state, data } = this.explorer;
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
      stair: [44, 142], bar: [164, 286], axis: 300, rug: 300, cost: [336, 400], height: 418,
    };
    this.lay.handles = this.spread((state.cuts ?? []).map((cut) => places[cut]));
  }

  /** Where the handles of cuts at these places stand: each at its own place, or as near to it as
      leaves no two closer than `room`, and all between the edges. The least squares of the moves:
      handles that would touch move as one. */
  spread(wanted) {
    const { left, right } = this.lay;
    const count = wanted.length;
    const room = Math.min(ROOMIEST, (right - left) / Math.max(1, count - 1));
    const groups = [];
    wanted.forEach((x, i) => {
      let one = { sum: x - room * i, size: 1 };
      while (groups.length && groups.at(-1).sum / groups.at(-1).size >= one.sum / one.size) {
        const before = groups.pop();
        one = { sum: before.sum + one.sum, size: before.size + one.size };
      }
      groups.push(one);
    });
    const starts = groups.flatMap(({ sum, size }) => Array(size).fill(sum / size));
    const high = right - room * (count - 1);
    return { room, at: starts.map((x, i) => Math.min(high, Math.max(left, x)) + room * i) };
  }

  bands() {
    const { lay } = this;
    const { value } = this.explorer;
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
    const { lay } = this;
    const { is, data } = this.explorer;
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
    const { lay } = this;
    const { value } = this.explorer;
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
    const { lay } = this;
    const { data, is } = this.explorer;
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
    const { lay } = this;
    const { optimal, data } = this.explorer;
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
        style: best.size > MOST_MARKED ? "stroke-width:2" : null }),
      svg("path", { class: "ctv-tip", d: (best.size <= MOST_MARKED && tip.join("")) || "M0 0" }),
      ...[0, most].map((value) => svg("text", { class: "ctv-tick", x: lay.left - 6,
        y: top + value * scale + (value ? 2 : 6), "text-anchor": "end" }, rounded(value, 0, 2))),
    ];
  }

  /** What each lane shows, upon all lines. */
  titles() {
    const { explorer, lay } = this;
    const under = explorer.optimal && explorer.data.n > 1
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
    const { explorer, lay } = this;
    const { optimal, state } = explorer;
    const cuts = state.cuts ?? [];
    const many = cuts.length > MOST_MARKED;
    const path = (cuts, from, to) =>
      cuts.map((p) => `M${lay.places[p]?.toFixed(2) ?? 0} ${from}V${to}`).join("") || "M0 0";
    const best = optimal?.cuts.filter((p) => !state.cuts?.includes(p)) ?? [];
    const dashes = path(best, lay.bar[0], lay.axis);
    return [
      svg("path", { class: "ctv-halo", d: dashes }),
      svg("path", { class: "ctv-best", d: dashes }),
      svg("path", { class: "ctv-ghost", d: this.ghostPath() || "M0 0" }),
      svg("path", { class: many ? "ctv-leader ctv-thin" : "ctv-leader",
        d: cuts.map((cut, i) => this.leader(cut, i)).join("") || "M0 0" }),
      svg("path", { class: many ? "ctv-cut ctv-thin" : "ctv-cut",
        d: path(cuts, lay.stair[0], many ? lay.stair[1] : lay.axis) }),
      this.line,
    ];
  }

  /** From the handle of a cut, the i-th, to its line. */
  leader(cut, i) {
    const { lay } = this;
    const [from, to] = [lay.handles.at[i], lay.places[cut]].map((x) => x.toFixed(2));
    return `M${from} ${lay.grip}L${to} ${lay.stair[0]}`;
  }

  /** The cuts that were best before, where they were, but for those that still are. */
  ghostPath() {
    const { explorer, lay } = this;
    const { optimal, ghost } = explorer;
    if (!ghost || ghost.question === explorer.is.question) return "";
    const now = (optimal?.cuts ?? []).map((p) => lay.places[p]);
    return ghost.cuts
      .map((p, i) =>
        lay.byTime ? lay.left + (ghost.instants[i] - lay.low) * lay.scale : lay.places[p])
      .filter((x) => !now.some((other) => Math.abs(other - x) < 1))
      .map((x) => `M${x.toFixed(2)} ${lay.stair[0]}V${lay.cost[1]}`)
      .join("");
  }

  /** A handle for every cut, each a stop of Tab. */
  drawGrips() {
    const { explorer, lay } = this;
    const { is, data, selected } = explorer;
    const cuts = explorer.state.cuts ?? [];
    const focused = this.grips.contains(document.activeElement);
    while (this.grips.childNodes.length < cuts.length) this.grips.append(this.grip());
    while (this.grips.childNodes.length > cuts.length) this.grips.lastChild.remove();
    const { room, at } = lay.handles;
    const small = Math.min(9, Math.max(1, room / 2 - 1));
    this.grips.childNodes.forEach((grip, i) => {
      const cut = cuts[i];
      put(grip, {
        "data-cut": cut,
        transform: `translate(${at[i].toFixed(2)} ${lay.grip})`,
        "aria-label": `cut ${i + 1} of ${cuts.length}`,
        "aria-valuemin": (i ? cuts[i - 1] : 0) + 1,
        "aria-valuemax": (cuts[i + 1] ?? data.n) - 1,
        "aria-valuenow": cut,
        "aria-valuetext": `after round ${cut}, between times ${rounded(is.times[cut - 1])} and ` +
          `${rounded(is.times[cut])}`,
      });
      put(grip.firstChild, { r: small });
      put(grip.lastChild, { d: small > 6 ? GRIP_BARS : "" });
    });
    this.drawChosen();
    // The focus stays with the cut that is chosen, also where handles were added or taken away.
    const chosen = this.grips.childNodes[cuts.indexOf(selected.cut)];
    if (focused) (chosen ?? this.node).focus({ preventScroll: true });
  }

  /** The chosen cut upon all others. */
  drawChosen() {
    const { explorer, lay } = this;
    const { cut } = explorer.selected;
    const i = (explorer.state.cuts ?? []).indexOf(cut);
    this.chosen.classList.toggle("ctv-none", i < 0);
    put(this.line, { d: i < 0 ? "M0 0" : `${this.leader(cut, i)}V${lay.axis}` });
    if (i < 0) return;
    put(this.chosen, { transform: `translate(${lay.handles.at[i].toFixed(2)} ${lay.grip})` });
  }

  grip() {
    const { explorer } = this;
    const grip = svg("g", { role: "slider", class: "ctv-grip", tabindex: "0" },
      svg("circle", {}), svg("path", {}));
    grip.addEventListener("keydown", (event) => explorer.hands.cutKey(event));
    grip.addEventListener("focus", () => explorer.choose(Number(grip.dataset.cut)));
    return grip;
  }

  drawMark() {
    const { explorer, lay } = this;
    const { is, data } = explorer;
    const round = Math.min(explorer.selected.round ?? 0, data.n - 1);
    this.mark.classList.toggle("ctv-chosen", explorer.selected.round !== null);
    this.mark.setAttribute("transform", `translate(${lay.at[round].toFixed(2)} ${lay.rug})`);
    this.mark.setAttribute("aria-label", `evaluation ${round + 1} of ${data.n}`);
    this.mark.setAttribute("aria-valuemin", 0);
    this.mark.setAttribute("aria-valuemax", is.times[data.n - 1]);
    this.mark.setAttribute("aria-valuenow", is.times[round]);
    this.mark.setAttribute("aria-valuetext", `at time ${rounded(is.times[round], 0, 6)}`);
    explorer.controls.showRound(round, is.times[round]);
  }

  gripOf(cut) {
    return this.grips.querySelector(`[data-cut="${cut}"]`);
  }

  /** The cut whose line, or in the row of handles whose handle, is nearest to a place. */
  nearestCut(x, y) {
    const { explorer, lay } = this;
    const byHandle = y < lay.grip + ROOMIEST / 2;
    return (explorer.state.cuts ?? []).reduce(
      (near, cut, i) => {
        const away = Math.abs((byHandle ? lay.handles.at[i] : lay.places[cut]) - x);
        // Of cuts at one place the chosen one is meant.
        const closer = away < near.away || (away === near.away && cut === explorer.selected.cut);
        return closer ? { cut, away } : near;
      },
      { cut: null, away: Infinity },
    );
  }

  /** The place of a cut that is nearest to an x. */
  placeAt(x) {
    return this.nearestIn(this.lay.places, x, 1, this.explorer.data.n - 1);
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

  /** The instant at a place of the chart; between rounds, where the axis counts them. */
  instantAt(x) {
    const { explorer, lay } = this;
    const { is } = explorer;
    if (explorer.state.axis === "time") return lay.low + (x - lay.left) / lay.scale;
    const { at } = lay;
    const n = at.length;
    if (x <= at[0]) return is.times[0];
    if (x >= at[n - 1]) return is.times[n - 1];
    const k = Math.min(n - 2, Math.max(0, Math.floor((x - at[0]) / lay.scale)));
    const share = (x - at[k]) / lay.scale;
    return is.times[k] + share * (is.times[k + 1] - is.times[k]);
  }
}

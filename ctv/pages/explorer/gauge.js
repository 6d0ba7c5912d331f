/* The gauge: the total on one line with everything that it may be compared with. */

class Gauge {
  constructor(explorer) {
    this.explorer = explorer;
    this.node = svg("svg", { class: "ctv-gauge", role: "img" });
  }

  draw(width) {
    const { explorer } = this;
    const { is, optimal, value, lower, floor } = explorer;
    const quick = explorer.asGiven ? "" : " (quick)";
    const [left, right] = [12, width - 12];
    const high = 1.03 * Math.max(is.cap, value.value);
    const x = (gain) => left + (gain / high) * (right - left);
    const narrow = width < 520;
    const [top, bottom] = [58, 76];
    const above = [
      { gain: value.value, text: `these cuts ${atMost(value.value)}`, kind: "own" },
      optimal && { gain: optimal.value, text: `best ${atMost(optimal.value)}`, kind: "best" },
      explorer.ghost && explorer.ghost.question !== is.question && {
        gain: explorer.ghost.value, kind: "ghost",
        text: `best before ${atMost(explorer.ghost.value)}`,
      },
    ].filter(Boolean);
    const below = [
      floor !== null && {
        gain: explorer.gainOf(floor), kind: "floor",
        text: `lower bound: expected regret ≥ ${rounded(floor, -1)}${quick}`,
      },
      lower !== null && { gain: lower, text: `γ̃ ≥ ${rounded(lower, -1)}${quick}`, kind: "lower" },
      { gain: is.cap, text: `trivial bound ${atMost(is.cap)}`, kind: "cap" },
    ].filter(Boolean);
    let written = -Infinity;
    const regrets = ticks(0, explorer.regret(high), narrow ? 3 : 6).map((regret) => {
      const gain = explorer.gainOf(regret);
      if (gain > high || x(gain) < written + 44) return null;
      written = x(gain);
      return svg("g", {},
        svg("path", { class: "ctv-grid", d: `M${x(gain)} ${bottom + 44}v5` }),
        svg("text", { class: "ctv-tick", x: x(gain), y: bottom + 61,
          "text-anchor": x(gain) < 30 ? "start" : x(gain) > width - 40 ? "end" : "middle" },
          tickText(regret)));
    });
    this.node.setAttribute("viewBox", `0 0 ${width} 158`);
    this.node.setAttribute("width", width);
    this.node.setAttribute("height", 158);
    this.node.setAttribute("aria-label",
      `Information gain in nats: ${[...above, ...below].map((one) => one.text).join(", ")}`);
    this.node.replaceChildren(
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
          : `regret that the gain allows CTV-fixed, with probability ${1 - explorer.data.delta}`),
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
}

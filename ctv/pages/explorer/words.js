/* What is said in words and tables: the cards, why a cut is where it is, the blocks, the summary. */

const MOST_ROWS = 200;

class Words {
  constructor(explorer) {
    this.explorer = explorer;
    this.cards = html("div", { class: "ctv-cards" });
    this.why = html("div", { class: "ctv-why" });
    this.table = html("div", { class: "ctv-wide" });
    this.said = html("p", { class: "ctv-said", role: "status", "aria-live": "polite" });
    this.note = html("p", { class: "ctv-fine" }, this.assumed());
  }

  drawCards() {
    const { explorer } = this;
    const { value, optimal, state, is } = explorer;
    const card = (words, number, more, kind) =>
      html("div", { class: `ctv-card ctv-card-${kind}` },
        html("span", {}, words), html("strong", {}, number), html("span", {}, more));
    const share = optimal && optimal.value > 0 ? value.value / optimal.value : 1;
    const ratio = rounded(share, share > 1 + 1e-9 ? 1 : 0);
    const own = value.value < is.cap * (1 - 1e-9)
      ? `${atMost(value.gain)} gain + ${atMost(value.drift)} drift`
      : "vacuous: no less than the trivial bound";
    this.cards.replaceChildren(
      card(counted(value.blocks.length, "block"), `${atMost(value.value)} nats`, own, "own"),
      card("best partition", optimal ? `${atMost(optimal.value)} nats` : "…",
        optimal
          ? `${counted(optimal.cuts.length + 1, "block")}, exact; yours ${ratio} ×`
          : "searching", "best"),
      card("regret it allows", rounded(explorer.regret(value.value), 1),
        `trivial bound ${rounded(explorer.regret(is.cap), 1)}`, "regret"),
    );
    const { fails, order } = explorer;
    if (order) {
      const times = order.own > order.value * (1 + 1e-9) ? rounded(order.own / order.value, 1) : "1";
      this.cards.append(html("p", { class: "ctv-fine ctv-order" },
        `The least regret of a smooth kernel has the order Ψ = ${rounded(order.value)}, in units of ` +
        `its expected maximum (Theorem I3), which ${counted(order.blocks, "block")} ` +
        `attain${order.blocks === 1 ? "s" : ""}; these cuts have ${times} times that.`));
    }
    if (state.objective !== "theorem1" || fails === 0) return;
    this.cards.append(html("p", { class: "ctv-fine ctv-warns" },
      fails === null
        ? "Whether Theorem 1 holds here is not checked: it needs 1 − k_time ≤ ε|τ − τ′|."
        : `Theorem 1 does not hold here: 1 − k_time > ε|τ − τ′| for rounds ${rounded(fails)} apart.`));
  }

  /** What every number rests on, and what is hidden. */
  assumed() {
    const { data } = this.explorer;
    const hidden = data.markov
      ? ""
      : ` For the ${data.time_kernel} time kernel there are no quick ones, and the refined bound is ` +
        "hidden: for it the page knows the forgetting and the exponential kernel alone; ctv " +
        "partition has it.";
    return (
      `Floating point, not certified; ${data.space_kernel === "se" ? "squared exponential" : data.space_kernel} kernel ` +
      `on ${data.domain}, ` +
      `${data.time_kernel} time kernel, δ = ${data.delta}. Regret: √(C₁βₙn·gain), for CTV-fixed with ` +
      "the exploration of the theory and times fixed beforehand. At the times and the model as given " +
      "the lower bounds on γ̃ and on the expected regret are those of ctv bound. Where they were " +
      "moved, quick ones replace them: the larger of one design's static gain and " +
      `the gain of one repeated point, and Theorem F.${hidden}`
    );
  }

  costWords(p) {
    const { explorer } = this;
    const { optimal } = explorer;
    const held = explorer.state.objective === "theorem1" ? "at most " : "";
    return optimal.cuts.includes(p)
      ? `a cut of the best partition: to forbid it adds ${held}${rounded(optimal.forbid[p])} nats`
      : `no cut of the best partition: to force one adds ${held}${rounded(optimal.force[p])} nats`;
  }

  tabulate() {
    const { explorer } = this;
    const { blocks } = explorer.value;
    const { times } = explorer.is;
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
    const { explorer } = this;
    const { selected, is, value, optimal, state } = explorer;
    const { cut } = selected;
    const cuts = state.cuts ?? [];
    const i = cuts.indexOf(cut);
    if (i < 0) {
      this.why.replaceChildren(html("h3", {}, "Why here?"),
        html("p", {}, cuts.length ? "Choose a cut." : "No cuts: one block of all rounds."));
      return;
    }
    const total = (changed) =>
      maths.evaluate(is.model, is.waits, is.gamma, changed, explorer.known).value;
    const without = maths.evaluate(
      is.model, is.waits, is.gamma, cuts.filter((one) => one !== cut), explorer.known);
    const [gain, drift] = [without.gain - value.gain, without.drift - value.drift];
    const longer = Array.from(is.waits.slice(1)).filter((wait) => wait > is.waits[cut]).length;
    const saves = gain + drift;
    const items = [
      `The wait here is ${rounded(is.waits[cut])}, ${
        longer ? `shorter than ${whole(longer)}` : "none is longer"} of ${whole(explorer.data.n - 1)}.`,
      `Without it the gain would be ${rounded(Math.abs(gain))} ${gain <= 0 ? "less" : "more"} and ` +
        `the drift ${rounded(Math.abs(drift))} ${drift >= 0 ? "more" : "less"}.`,
    ];
    for (const [step, name] of [[-1, "earlier"], [1, "later"]]) {
      const { place, cuts: other } = explorer.states.pushed(cuts, cut, cut + step);
      if (place === cut) continue;
      const more = total(other) - value.value;
      items.push(`One round ${name} ${more >= 0 ? "adds" : "saves"} ${rounded(Math.abs(more))} nats.`);
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
      const { value, optimal } = this.explorer;
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

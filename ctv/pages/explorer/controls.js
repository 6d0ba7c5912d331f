/* The controls beside the chart: choices, sliders, fields, and where the regimes of ε lie. */

const LEAST_LOG_EPSILON = -8;
const MOST_LOG_EPSILON = -0.1;

class Controls {
  constructor(explorer) {
    this.explorer = explorer;
    const { data } = explorer;
    this.band = html("div", { class: "ctv-band", "aria-hidden": "true" });
    this.bandText = html("p", { class: "ctv-fine" });
    this.inputs = {
      times: html(
        "select", { onchange: (event) => this.choosePreset(event.target.value) },
        ...data.presets.map((one) => html("option", { value: one.name }, one.label)),
      ),
      objective: this.radios(
        "objective", OBJECTIVES.filter(([name]) => explorer.states.offers(name))),
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
      lengthscale: this.stops(
        "lengthscale", "lengthscale", "lengthscale of the space kernel"),
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
  }

  /** The fields that hold the model, and those that hold cuts and times. */
  get fields() {
    const { inputs } = this;
    return [
      html("fieldset", {},
        html("legend", {}, "Model"),
        html("label", { class: "ctv-slider" },
          html("span", {}, "ε ", inputs.epsilonText), inputs.epsilon, this.band),
        this.bandText, inputs.noise, inputs.lengthscale),
      html("fieldset", {},
        html("legend", {}, "By hand"),
        html("label", { class: "ctv-slider" }, html("span", {}, "cuts"), inputs.cuts),
        html("p", { class: "ctv-pair" },
          html("label", {}, "round ", inputs.round),
          html("label", {}, " at τ = ", inputs.instant))),
    ];
  }

  /** Show a state. */
  update(state) {
    const { inputs } = this;
    const cuts = state.cuts ?? [];
    inputs.times.value = state.times;
    for (const name of ["objective", "axis"]) {
      const input = inputs[name].querySelector(`input[value="${state[name]}"]`);
      if (input) input.checked = true;
    }
    const log = state.epsilon > 0 ? Math.log10(state.epsilon) : LEAST_LOG_EPSILON;
    inputs.epsilon.value = log;
    inputs.epsilon.setAttribute("aria-valuetext", String(state.epsilon));
    inputs.epsilonText.value = state.epsilon;
    inputs.noise.update?.(state.noise);
    inputs.lengthscale.update?.(state.lengthscale);
    inputs.cuts.value = cuts.join("-");
  }

  /** Show the chosen round, but not over what is being typed. */
  showRound(round, instant) {
    const { inputs } = this;
    if (document.activeElement !== inputs.round) inputs.round.value = round + 1;
    if (document.activeElement !== inputs.instant) {
      inputs.instant.value = Number(instant.toPrecision(7));
    }
  }

  radios(name, options) {
    const group = `${name}-${Math.random().toString(36).slice(2)}`;
    return html("span", { class: "ctv-radios", role: "radiogroup", "aria-label": name },
      ...options.map(([value, label]) =>
        html("label", {},
          html("input", {
            type: "radio", name: group, value,
            onchange: () => this.explorer.change({ [name]: value }),
          }),
          html("span", {}, label))));
  }

  /** A slider over the values for which γ curves are here; text alone where there is one. */
  stops(part, name, label) {
    const { explorer } = this;
    const values = explorer.states.choices(name);
    if (values.length < 2) return html("p", { class: "ctv-fine" }, `${label}: fixed here`);
    const shown = html("output", {});
    const input = html("input", {
      type: "range", min: 0, max: values.length - 1, step: 1, "aria-label": label,
      oninput: (event) => explorer.change({ [part]: values[Number(event.target.value)] }),
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

  slideEpsilon(text, done) {
    const { explorer } = this;
    const epsilon = Number((10 ** Number(text)).toPrecision(3));
    explorer.keepGhost();
    const state = { ...explorer.state, epsilon };
    if (done) {
      explorer.dragging = null;
      explorer.commit(state);
      explorer.ask();
      explorer.dropGhost();
    } else {
      explorer.dragging = "epsilon";
      this.inputs.epsilonText.value = epsilon;
      explorer.preview(state);
    }
  }

  typeEpsilon(input) {
    const { explorer } = this;
    const epsilon = Number(input.value.replace(",", "."));
    if (input.value.trim() !== "" && epsilon >= 0 && epsilon < 1) {
      explorer.notice.textContent = "";
      explorer.change({ epsilon });
    } else {
      explorer.notice.textContent =
        `ε = ${input.value.slice(0, 40)}: give a number from 0 to below 1.`;
      input.value = explorer.state.epsilon;
    }
  }

  typeCuts(input) {
    const { explorer } = this;
    const words = input.value.split(/[^\d.]+/).filter(Boolean).map(Number);
    const { n } = explorer.data;
    const inside = words.filter((cut) => cut !== 0 && cut !== n);
    if (inside.every((cut) => Number.isInteger(cut) && cut > 0 && cut < n)) {
      explorer.notice.textContent = "";
      explorer.change({ cuts: [...new Set(inside)].sort((a, b) => a - b) });
    } else {
      explorer.notice.textContent = `cuts: give whole numbers from 1 to ${n - 1}.`;
      explorer.draw();
    }
  }

  typeRound(input) {
    const { explorer } = this;
    const round = Math.round(Number(input.value) || 1);
    explorer.select({ round: Math.min(explorer.data.n, Math.max(1, round)) - 1 });
    explorer.draw();
  }

  typeInstant(input) {
    const { explorer } = this;
    const instant = Number(input.value.replace(",", "."));
    if (input.value.trim() !== "" && instant >= 0 && Number.isFinite(instant)) {
      explorer.notice.textContent = "";
      explorer.moveRound(explorer.selected.round ?? 0, instant);
    } else {
      explorer.notice.textContent =
        `τ = ${input.value.slice(0, 40)}: give a time of at least 0.`;
      explorer.draw();
    }
  }

  drawRegimes() {
    const { regimes } = this.explorer;
    const { band, bandText } = this;
    band.parentNode.classList.remove("ctv-stale");
    if (!regimes || regimes.one === undefined || regimes.speaks === undefined) return;
    const width = MOST_LOG_EPSILON - LEAST_LOG_EPSILON;
    const share = (log) => (100 * (log - LEAST_LOG_EPSILON)) / width;
    const one = regimes.one === null ? 0 : share(regimes.one);
    const speaks = Math.max(one, regimes.speaks === null ? 0 : share(regimes.speaks));
    const parts = [
      ["one", "one block", one, 24],
      ["blocks", "blocks", speaks - one, 16],
      ["cap", "vacuous", 100 - speaks, 14],
    ];
    band.replaceChildren(...parts.map(([name, text, size, room]) =>
      html("span", { class: `ctv-${name}`, style: `width:${size.toFixed(2)}%` },
        size > room ? text : "")));
    const words = [];
    const epsilon = (log) => power(10 ** log);
    if (regimes.one !== null) words.push(`one block up to ε = ${epsilon(regimes.one)}`);
    if (regimes.speaks === null) words.push("this bound is vacuous here at every ε");
    else if (regimes.speaks < MOST_LOG_EPSILON - 0.01) {
      words.push(`vacuous from ε = ${epsilon(regimes.speaks)}`);
    } else words.push("non-vacuous throughout");
    bandText.textContent = `Best partition: ${words.join("; ")}.`;
  }

  choosePreset(name) {
    const { explorer } = this;
    explorer.select({ cut: null, round: null });
    const { durations } = explorer.data.presets.find((one) => one.name === name);
    const flat = !(explorer.states.span(durations) > 0);
    const axis = flat ? "round" : explorer.state.axis;
    explorer.change({ times: name, moves: [], cuts: null, axis });
  }
}

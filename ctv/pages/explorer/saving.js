/* What can be saved: cuts, times and numbers, and the chart as a picture of its own. */

const SAVED = [
  ["cuts, CSV", saveCuts],
  ["cuts, JSON", (explorer) => saveJson("cuts.json", { cuts: explorer.numbers().cuts })],
  ["numbers, JSON", (explorer) => saveJson("partition.json", explorer.numbers())],
  ["times, CSV", saveTimes],
  ["picture, SVG", savePicture],
];

function saveJson(name, value) {
  save(name, "application/json", `${JSON.stringify(value, null, 1)}\n`);
}

function saveTimes({ is }) {
  save("times.csv", "text/csv", `duration\n${Array.from(is.durations).join("\n")}\n`);
}

function saveCuts({ is, value }) {
  const rows = value.blocks.map(({ start, end, gain, drift }, i) =>
    [i + 1, start + 1, end, is.times[start], is.times[end - 1], gain, drift].join(","));
  const head = "block,first_round,last_round,first_tau,last_tau,gain,drift";
  save("cuts.csv", "text/csv", `${[head, ...rows].join("\n")}\n`);
}

/** What the style sheet says is written into each element. */
function savePicture(explorer) {
  const { node } = explorer.chart;
  const copy = node.cloneNode(true);
  const command = explorer.states.command(explorer.state) ?? "";
  copy.prepend(svg("title", {}, explorer.words.said.textContent), svg("desc", {}, command));
  const styled = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size",
    "font-family", "font-weight", "text-anchor", "display", "paint-order", "stroke-linejoin"];
  const from = [node, ...node.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*:not(title, desc)")];
  from.forEach((each, i) => {
    const style = getComputedStyle(each);
    to[i].setAttribute("style", styled.map((one) => `${one}:${style[one]}`).join(";"));
    for (const name of ["class", "tabindex", "role"]) to[i].removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.style.background = getComputedStyle(explorer.root).backgroundColor;
  save("partition.svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
}

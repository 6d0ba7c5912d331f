// Without this module everything can be read and downloaded; it adds copying, and a slider that
// moves the four numbers to other drift rates, which the table below them has too.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const link = document.getElementById(button.dataset.copy);
    const text = decodeURIComponent(link.href.slice(link.href.indexOf(",") + 1));
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
}
for (const drift of document.querySelectorAll("[data-lines]")) {
  const lines = JSON.parse(drift.dataset.lines);
  const line = drift.closest("section");
  const [slider, said] = [drift.querySelector("input"), drift.querySelector("output")];
  drift.hidden = false;
  slider.addEventListener("input", () => {
    const one = lines[Number(slider.value)];
    slider.setAttribute("aria-valuetext", one.said);
    said.textContent = one.said;
    line.setAttribute("aria-label", one.sentence);
    for (const row of line.querySelectorAll("li")) {
      const number = one.numbers.find(({ name }) => name === row.querySelector("span").textContent);
      row.classList.toggle("unknown", !number);
      row.querySelector("b").textContent = number ? number.shown : "–";
      const mark = line.querySelector(`.scale b.${row.classList[0]}`);
      if (!mark) continue;
      mark.hidden = !number || number.at === null;
      if (!mark.hidden) mark.style.left = `${number.at}%`;
    }
  });
}

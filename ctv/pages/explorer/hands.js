/* Pointer and keys: what is grasped, dragged and pressed on the chart. */

const GRIP = 12;
const MOST_EXPLAINED = 500;

class Hands {
  constructor(explorer) {
    this.explorer = explorer;
    const { node, mark } = explorer.chart;
    node.addEventListener("pointerdown", (event) => this.grasp(event));
    node.addEventListener("pointermove", (event) => this.dragged(event));
    node.addEventListener("pointerup", (event) => this.release(event));
    node.addEventListener("pointercancel", (event) => this.release(event));
    node.addEventListener("pointerleave", () => explorer.read(""));
    mark.addEventListener("keydown", (event) => this.roundKey(event));
    mark.addEventListener("focus", () => {
      if (explorer.selected.round === null) explorer.select({ round: 0 });
      explorer.draw();
    });
    // On a page of its own the keys that belong to no control are the explorer's too.
    const around = explorer.uses ? document : explorer.root;
    around.addEventListener("keydown", (event) => this.pageKey(event));
  }

  /** Where on the chart a pointer is, in its units. */
  where(event) {
    const box = this.explorer.chart.node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  grasp(event) {
    const { explorer } = this;
    if (event.button !== 0) return;
    const { x, y } = this.where(event);
    const { lay } = explorer.chart;
    if (explorer.state.cuts === null || explorer.state.axis === null) return;
    if (Math.abs(y - lay.rug) < GRIP) {
      const round = explorer.chart.nearestIn(lay.at, x, 0, explorer.data.n - 1);
      if (Math.abs(lay.at[round] - x) < GRIP) {
        explorer.select({ round });
        explorer.dragging = { kind: "round", round, from: explorer.state, x };
      }
    }
    if (!explorer.dragging && y < lay.axis - GRIP) {
      const { cut, away } = explorer.chart.nearestCut(x, y);
      if (away < GRIP) {
        explorer.select({ cut });
        const off = lay.places[cut] - x; // a handle may stand beside its cut
        explorer.dragging = { kind: "cut", cut, from: explorer.state, x, off };
      }
    }
    if (!explorer.dragging) return;
    explorer.keepGhost();
    explorer.chart.node.setPointerCapture(event.pointerId);
    explorer.draw();
    explorer.words.explain();
    const { cut } = explorer.selected;
    const held = explorer.dragging.kind === "cut" ? explorer.chart.gripOf(cut) : explorer.chart.mark;
    held?.focus({ preventScroll: true });
  }

  dragged(event) {
    const { explorer } = this;
    const { x, y } = this.where(event);
    const drag = explorer.dragging;
    if (!drag?.kind) {
      this.hover(x);
      return;
    }
    if (!drag.moving && Math.abs(x - drag.x) < 3) return;
    drag.moving = true;
    this.pending = () => {
      if (drag.kind === "cut") {
        const { place: cut, cuts } =
          explorer.states.pushed(drag.from.cuts, drag.cut, explorer.chart.placeAt(x + drag.off));
        explorer.select({ cut });
        explorer.preview({ ...drag.from, cuts });
      } else {
        const instant = explorer.chart.instantAt(x);
        const { state, place } = explorer.states.withMoved(drag.from, drag.round, instant);
        explorer.select({ round: place });
        explorer.preview(state);
      }
      if (explorer.data.n <= MOST_EXPLAINED) explorer.words.explain();
    };
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.pending?.();
      this.pending = null;
    });
  }

  release(event) {
    const drag = this.explorer.dragging;
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
    const { explorer } = this;
    this.pending?.();
    this.pending = null;
    explorer.dragging = null;
    if (explorer.commit(explorer.state) && drag.kind === "round") explorer.ask();
    explorer.dropGhost();
    explorer.words.explain();
  }

  doubled(x, y) {
    const { explorer } = this;
    if (y > explorer.chart.lay.axis - GRIP || explorer.state.cuts === null) return;
    if (explorer.data.n < 2) return;
    const { cut, away } = explorer.chart.nearestCut(x, y);
    if (away < GRIP) explorer.remove(cut);
    else explorer.add(explorer.chart.placeAt(x));
  }

  hover(x) {
    const { explorer } = this;
    const { lay } = explorer.chart;
    const { optimal, data, is } = explorer;
    if (!lay || data.n < 2 || x < lay.left || x > lay.right) return;
    const p = explorer.chart.placeAt(x);
    const words = [`after round ${whole(p)}: a wait of ${rounded(is.waits[p])}`];
    if (optimal) words.push(explorer.words.costWords(p));
    explorer.read(`${words.join("; ")}.`);
  }

  pageKey(event) {
    const { explorer } = this;
    const typing = event.target.matches("input[type=text], input[type=number], select");
    const command = event.ctrlKey || event.metaKey;
    if (command && !typing && event.key.toLowerCase() === "z") {
      explorer.travel(event.shiftKey ? 1 : -1);
      event.preventDefault();
    } else if (command && !typing && event.key.toLowerCase() === "y") {
      explorer.travel(1);
      event.preventDefault();
    } else if (!typing && !command && event.key === "Insert") {
      explorer.addSomewhere();
      event.preventDefault();
    } else if (!typing && !command && !event.altKey && event.key === "b") {
      explorer.takeBest();
    }
  }

  cutKey(event) {
    const { explorer } = this;
    const { cuts } = explorer.state;
    const cut = Number(event.currentTarget.dataset.cut);
    const i = cuts.indexOf(cut);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10,
      PageDown: -10, Home: -explorer.data.n, End: explorer.data.n };
    if (event.key in steps) explorer.slide(cut, cut + steps[event.key]);
    else if (event.key === "Delete" || event.key === "Backspace") {
      explorer.remove(cut);
    } else if (event.key === "[" || event.key === "]") {
      const next = cuts[i + (event.key === "]" ? 1 : -1)];
      if (next === undefined) return;
      explorer.chart.gripOf(next).focus({ preventScroll: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  roundKey(event) {
    const { explorer } = this;
    const { times } = explorer.is;
    const { n } = explorer.data;
    const round = explorer.selected.round ?? 0;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (times[n - 1] - times[0] || 1) / 200;
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10,
      PageDown: -10 };
    if (event.key in steps) explorer.moveRound(round, times[round] + steps[event.key] * step);
    else if (event.key === "[" || event.key === "]") {
      const next = round + (event.key === "]" ? 1 : -1);
      explorer.select({ round: Math.min(n - 1, Math.max(0, next)) });
      explorer.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

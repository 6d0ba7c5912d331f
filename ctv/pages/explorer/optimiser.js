/* The best partition, found in a worker made from the text of `mathematics`. */

const maths = mathematics();

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

/* Elements of the page, numbers as people read them, files. */

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

/** Set the attributes that are others than before: to set one anew lays the page out anew. */
function put(node, given) {
  for (const [name, value] of Object.entries(given)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
  }
}

const FORMATS = []; // by digits after the point: to make one takes longer than to use it

/** A number with four digits, rounded up (side 1), down (−1) or to nearest (0). */
function rounded(value, side = 0, significant = 4) {
  if (value === null || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const towards = side > 0 ? Math.ceil : side < 0 ? Math.floor : Math.round;
  if (magnitude < -4 || magnitude > 8) {
    const unit = 10 ** (magnitude - significant + 1);
    return (towards(value / unit) * unit).toExponential(significant - 1);
  }
  const places = Math.max(0, significant - 1 - magnitude);
  const whole = towards(value * 10 ** places);
  FORMATS[places] ??= new Intl.NumberFormat("en-US", {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  return FORMATS[places].format(whole / 10 ** places);
}
/** A number with two digits, as a power of ten where it is small. */
function power(value) {
  if (value >= 1e-3) return value.toPrecision(2);
  const [digits, exponent] = value.toExponential(1).split("e-");
  return `${digits}·10⁻${[...exponent].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("")}`;
}
const atMost = (value) => rounded(value, 1);
const nearestOf = (values, to) =>
  values.reduce((a, b) => (Math.abs(b - to) < Math.abs(a - to) ? b : a));
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
  Math.abs(value) >= 1e7 || (value !== 0 && Math.abs(value) < 1e-3)
    ? value.toExponential(1)
    : Number(value.toPrecision(7)).toLocaleString("en-US", { maximumFractionDigits: 9 });

function save(name, type, text) {
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

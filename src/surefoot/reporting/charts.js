// What charts do beyond being pictures: they tell the values behind their marks, to a pointer and to the arrow keys; an
// algorithm that is chosen in one is highlighted in all.
// Without this script the pictures stand as they were drawn.
const FADED = 0.35; // of its own opacity, what a mark keeps that is of another algorithm
const NEAR = 14; // pixels between a pointer and a mark that it means

const unpacked = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};

// What there is to tell of a chart: names, marks and panels.
const known = new WeakMap();
const toldOf = (chart) => {
  if (!known.has(chart)) known.set(chart, unpacked(chart.querySelector("script").textContent));
  return known.get(chart);
};
const pictureOf = (chart) => chart.querySelector(".picture svg");

// The elements of a picture with what there is to tell of each.
const marked = new WeakMap();
const marksOf = async (chart) => {
  const told = await toldOf(chart);
  const svg = pictureOf(chart);
  if (!marked.has(svg)) {
    const elements = [...svg.querySelectorAll(".m > *")];
    const marks = told.marks.map(([name, kind, text], at) => ({ element: elements[at], name: told.names[name], kind, text }));
    const panels = [...svg.querySelectorAll(".f")].map((group, at) => ({ group, ...told.panels[at] }));
    for (const { element, name } of marks) {
      if (!name) continue;
      element.dataset.k = name;
      // What is faint already, as a band is, fades by the same share: with one opacity for all it would grow stronger.
      element.style.setProperty("--own", getComputedStyle(element).opacity);
    }
    svg.querySelectorAll("text").forEach((text) => told.names.includes(text.textContent) && (text.dataset.k = text.textContent));
    marked.set(svg, { marks, panels });
  }
  return marked.get(svg);
};

// Positions within a panel, and values on its scales.
const forward = { log: Math.log, sqrt: Math.sqrt, symlog: (one) => Math.sign(one) * Math.log1p(Math.abs(one)) };
const backward = { log: Math.exp, sqrt: (one) => one * one, symlog: (one) => Math.sign(one) * Math.expm1(Math.abs(one)) };
const valueAt = (pixel, { type, domain, range }) => {
  const [from, to] = [domain[0], domain.at(-1)].map(forward[type] ?? Number);
  const share = (pixel - range[0]) / (range.at(-1) - range[0]);
  return (backward[type] ?? Number)(from + share * (to - from));
};
const written = (value, { domain, percent }) => {
  if (percent) return `${Number((100 * value).toPrecision(3))} %`;
  const span = Math.abs(domain.at(-1) - domain[0]);
  const places = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(span || 1))));
  const text = Math.abs(value) < 10 ** -places && value ? value.toPrecision(2) : value.toFixed(places);
  return text.replace("-", "\u2212");
};

// The points of a path of straight lines, as they are written: M, l, h and v.
const pointsOf = (path) => {
  const points = [];
  let [x, y] = [0, 0];
  for (const [, command, rest] of path.getAttribute("d").matchAll(/([MLlhv])([^A-Za-z]*)/g)) {
    const numbers = (rest.match(/-?(\d*\.)?\d+(e-?\d+)?/g) ?? []).map(Number);
    const width = "hv".includes(command) ? 1 : 2;
    for (let at = 0; at < numbers.length; at += width) {
      const [one, other] = [numbers[at], numbers[at + 1]];
      if (command === "M" || command === "L") [x, y] = [one, other];
      else if (command === "h") x += one;
      else if (command === "v") y += one;
      else [x, y] = [x + one, y + other];
      points.push([x, y]);
    }
  }
  return points;
};
const heightsAt = (points, x) =>
  points.slice(1).flatMap(([x1, y1], at) => {
    const [x0, y0] = points[at];
    if (x < Math.min(x0, x1) || Math.max(x0, x1) < x) return [];
    return x1 === x0 ? [y0, y1] : [y0 + ((x - x0) / (x1 - x0)) * (y1 - y0)];
  });

const tip = document.createElement("div");
tip.className = "told";
tip.hidden = true;
tip.setAttribute("role", "status");
document.body.append(tip);
const cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
cross.setAttribute("class", "cross");

const hide = () => {
  tip.hidden = true;
  cross.remove();
};
const show = (rows, x, y) => {
  tip.replaceChildren(
    ...rows.map(([text, colour]) => {
      const row = document.createElement("div");
      if (colour) {
        const swatch = row.appendChild(document.createElement("i"));
        swatch.style.background = colour;
      }
      row.append(text);
      return row;
    }),
  );
  tip.hidden = false;
  const left = x + 14 + tip.offsetWidth > innerWidth ? x - tip.offsetWidth - 14 : x + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 4))}px`;
};

const colourOf = (element) => {
  const { stroke, fill } = getComputedStyle(element);
  return stroke === "none" ? fill : stroke;
};
const showMark = ({ element, text }, x, y) => {
  cross.remove();
  show(text.split("\n").map((line) => [line]), x, y);
};
// The values of all curves of a panel above a place on its axis: the nearest at which a curve has a point, as between
// them nothing was measured; and the limits of their bands, of two the inner.
const showPanel = ({ group, x, y }, marks, near, clientX, clientY) => {
  const drawn = marks.filter(({ element, kind }) => kind === "c" && group.contains(element) && element.hasAttribute("d"));
  drawn.forEach(({ element }) => (element.points ??= pointsOf(element)));
  const isBand = ({ element }) => /z\s*$/i.test(element.getAttribute("d"));
  // A line of two points without a name is a rule.
  const curves = drawn.filter((one) => !isBand(one) && (one.name || one.element.points.length > 2));
  const points = drawn.flatMap(({ element }) => element.points.map(([at]) => at));
  if (!curves.length) return hide();
  const place = points.reduce((best, at) => (Math.abs(at - near) < Math.abs(best - near) ? at : best));
  cross.setAttribute("d", `M${place},${Math.min(...y.range)}V${Math.max(...y.range)}`);
  group.append(cross);
  const limits = (name) => {
    const ends = drawn
      .filter((one) => one.name === name && isBand(one))
      .map(({ element }) => heightsAt(element.points, place))
      .filter((heights) => heights.length > 1)
      .map((heights) => [Math.max(...heights), Math.min(...heights)])
      .sort(([low, high], [otherLow, otherHigh]) => low - high - (otherLow - otherHigh))[0];
    return ends ? ` (${ends.map((end) => written(valueAt(end, y), y)).join(" to ")})` : "";
  };
  const rows = curves
    .map((one) => ({ ...one, height: heightsAt(one.element.points, place).at(-1) }))
    .filter(({ height }) => height !== undefined)
    .sort((one, other) => one.height - other.height)
    .map(({ element, name, height }) => [
      `${name ? `${name}: ` : ""}${written(valueAt(height, y), y)}${limits(name)}`,
      colourOf(element),
    ]);
  const at = written(valueAt(place, x), x).replace(/\.0+$/, "");
  if (rows.length) show([[`${x.title}: ${at}`], ...rows], clientX, clientY);
  else hide();
};

const within = (group, clientX, clientY) => new DOMPoint(clientX, clientY).matrixTransform(group.getScreenCTM().inverse());
const pointed = async (chart, event) => {
  const { marks, panels } = await marksOf(chart);
  const [x, y] = [event.clientX, event.clientY];
  const mark = marks.find(({ element, text }) => text && (element === event.target || element.contains(event.target)));
  if (mark) return showMark(mark, x, y);
  let nearest = null;
  let least = NEAR;
  for (const one of marks) {
    if (!one.text) continue;
    const box = one.element.getBoundingClientRect();
    const distance = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (distance < least) [nearest, least] = [one, distance];
  }
  if (nearest) return showMark(nearest, x, y);
  for (const panel of panels) {
    const place = within(panel.group, x, y);
    const inside = (at, range) => at >= Math.min(...range) - 1 && at <= Math.max(...range) + 1;
    if (inside(place.x, panel.x.range) && inside(place.y, panel.y.range)) return showPanel(panel, marks, place.x, x, y);
  }
  hide();
};

// By keys: each mark in turn, or ten steps along each panel of curves.
const STEPS = 10;
const places = async (chart) => {
  const { marks, panels } = await marksOf(chart);
  const told = marks.filter(({ text }) => text).map((mark) => () => {
    const box = mark.element.getBoundingClientRect();
    showMark(mark, box.right, box.bottom);
  });
  const curves = panels.flatMap((panel) =>
    Array.from({ length: STEPS + 1 }, (_, at) => () => {
      const [start, end] = [Math.min(...panel.x.range), Math.max(...panel.x.range)];
      const place = start + ((end - start) * at) / STEPS;
      const there = new DOMPoint(place, Math.min(...panel.y.range)).matrixTransform(panel.group.getScreenCTM());
      showPanel(panel, marks, place, there.x, there.y);
    }),
  );
  return [...told, ...curves];
};
const reached = new WeakMap();
const stepped = async (chart, by) => {
  const all = await places(chart);
  if (!all.length) return;
  const at = Math.max(0, Math.min((reached.get(chart) ?? (by > 0 ? -1 : all.length)) + by, all.length - 1));
  reached.set(chart, at);
  all[at]();
};

// One algorithm in every chart of the page: a rule of style fades what is another's.
const charts = [...document.querySelectorAll("div.chart")].filter((chart) => chart.querySelector("script"));
const namesOf = (chart) => pictureOf(chart).dataset.names?.split("|") ?? [];
const fading = document.head.appendChild(document.createElement("style"));
let chosen = "";
let choice; // the list at the page's top
const choose = async (name) => {
  chosen = name;
  if (choice) choice.value = name;
  const quoted = CSS.escape(name);
  fading.textContent = name
    ? `.picture svg.has [data-k]:not([data-k="${quoted}"]) { opacity: calc(${FADED} * var(--own, 1)) !important; } .picture text[data-k="${quoted}"] { font-weight: 700; }`
    : "";
  for (const chart of charts) {
    const has = name && namesOf(chart).includes(name);
    if (has) await marksOf(chart);
    pictureOf(chart).classList.toggle("has", Boolean(has));
  }
};
const offered = () => {
  const counts = new Map();
  for (const chart of charts) for (const name of namesOf(chart)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  if (charts.length < 2 || !shared.length) return;
  choice = document.createElement("select");
  choice.append(new Option("nothing", ""), ...shared.map((name) => new Option(name, name)));
  choice.addEventListener("change", () => choose(choice.value));
  const label = document.createElement("label");
  label.className = "highlight";
  label.append("Highlight in all charts: ", choice);
  const first = charts[0].closest("figure, section > div, main > *") ?? charts[0];
  (document.querySelector("main .lead") ?? first).after(label);
};

// A picture as a file of its own: in light colours, with a paper.
const alone = (chart) => {
  const svg = pictureOf(chart).cloneNode(true);
  svg.querySelectorAll(".cross").forEach((line) => line.remove());
  ["role", "tabindex", "data-names", "class"].forEach((name) => svg.removeAttribute(name));
  const text = new XMLSerializer().serializeToString(svg).replace(/light-dark\(([^,]+),[^)]*\)/g, "$1");
  return text.replace(/<svg[^>]*>/, '$&<rect width="100%" height="100%" fill="#fff"/>');
};

if ("DecompressionStream" in window) {
  charts.forEach((chart) => {
    const picture = chart.querySelector(".picture");
    pictureOf(chart).tabIndex = 0;
    picture.addEventListener("pointermove", (event) => event.pointerType === "mouse" && pointed(chart, event));
    picture.addEventListener("pointerleave", hide);
    picture.addEventListener("click", async (event) => {
      await marksOf(chart);
      const name = event.target.closest("[data-k]")?.dataset.k;
      if (name) choose(name === chosen ? "" : name);
      else pointed(chart, event);
    });
    picture.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by) {
        event.preventDefault();
        stepped(chart, by);
      } else if (event.key === "Escape") hide();
    });
    picture.addEventListener("focusout", hide);
    chart.alone = () => alone(chart); // for its menu
  });
  addEventListener("scroll", hide, { passive: true });
  offered();
}

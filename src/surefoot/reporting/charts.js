// What charts do beyond being pictures: they tell the values behind their marks, to a pointer and to the arrow keys.
// Without this script the pictures stand as they were drawn.
const NEAR = 40; // pixels between a pointer and a mark that it means

const tip = document.createElement("div");
tip.className = "chart-tooltip"; // Bootstrap has a class tooltip, which it hides
tip.hidden = true;
tip.setAttribute("role", "status");
document.body.append(tip);

const hide = () => {
  tip.hidden = true;
  document.querySelectorAll(".place").forEach((mark) => mark.classList.remove("place"));
};
const show = (mark, x, y) => {
  hide();
  if (mark.getAttribute("opacity") === "0") mark.classList.add("place"); // a place along curves
  tip.replaceChildren(
    ...mark.dataset.tooltip.split("; ").map((line) => {
      const row = document.createElement("div");
      row.textContent = line;
      return row;
    }),
  );
  tip.hidden = false;
  const left = x + 14 + tip.offsetWidth > innerWidth ? x - tip.offsetWidth - 14 : x + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, Math.min(y + 14, innerHeight - tip.offsetHeight - 4))}px`;
};

const marksOf = (picture) => [...picture.querySelectorAll("svg [data-tooltip]")];
const pointed = (picture, { target, clientX: x, clientY: y }) => {
  let nearest = target.closest("[data-tooltip]");
  let least = nearest ? 0 : NEAR;
  for (const mark of nearest ? [] : marksOf(picture)) {
    const box = mark.getBoundingClientRect();
    const distance = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (distance < least) [nearest, least] = [mark, distance];
  }
  if (nearest) show(nearest, x, y);
  else hide();
};

// By keys: each mark in turn.
const reached = new WeakMap();
const stepped = (picture, by) => {
  const all = marksOf(picture);
  if (!all.length) return;
  const at = Math.max(0, Math.min((reached.get(picture) ?? (by > 0 ? -1 : all.length)) + by, all.length - 1));
  reached.set(picture, at);
  const box = all[at].getBoundingClientRect();
  show(all[at], box.right, box.bottom);
};

// A picture as a file of its own, with a paper, its title above it and where it comes from below.
const LINE = 18;
const EDGE = 8;
const texted = (words, y, size, weight = "normal") => {
  const text = document.createElementNS("http://www.w3.org/2000/svg", "text");
  Object.entries({ x: EDGE, y, "font-size": size, "font-weight": weight, fill: "#222222" }).forEach((pair) => text.setAttribute(...pair));
  text.textContent = words;
  return text;
};
const inLines = (words, most) =>
  words.split(/\s+/).reduce((lines, word) => {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    return lines.length && longer.length <= most ? [...lines.slice(0, -1), longer] : [...lines, word];
  }, []);
const alone = (chart) => {
  const svg = chart.querySelector(".picture svg").cloneNode(true);
  ["role", "tabindex"].forEach((name) => svg.removeAttribute(name));
  const [width, height] = svg.getAttribute("viewBox").split(" ").slice(2).map(Number);
  const title = chart.querySelector("p.title")?.textContent ?? "";
  const lines = title ? inLines(title, width / 7.5) : [];
  const { source = "" } = chart.dataset;
  const top = LINE * lines.length + (title ? EDGE : 0);
  const whole = height + top + (source ? LINE : 0);
  svg.setAttribute("viewBox", `0 ${-top} ${width} ${whole}`);
  svg.setAttribute("height", whole);
  svg.append(...lines.map((line, at) => texted(line, LINE * (at + 1) - top, 14, "bold")));
  if (source) svg.append(texted(`${source}. ${document.title}`, height + LINE - EDGE, 10));
  const text = new XMLSerializer().serializeToString(svg).replace(/light-dark\(([^ ]+), [^"]+\)/g, "$1");
  return text.replace(/<svg[^>]*>/, `$&<rect y="${-top}" width="100%" height="100%" fill="#fff"/>`);
};

document.querySelectorAll("div.chart .picture:has(svg)").forEach((picture) => {
  picture.querySelector("svg").tabIndex = 0;
  picture.addEventListener("pointermove", (event) => event.pointerType === "mouse" && pointed(picture, event));
  picture.addEventListener("pointerleave", hide);
  picture.addEventListener("click", (event) => pointed(picture, event));
  picture.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      stepped(picture, by);
    } else if (event.key === "Escape") hide();
  });
  picture.addEventListener("focusout", hide);
  const chart = picture.closest("div.chart");
  chart.alone = () => alone(chart); // for its menu
});
addEventListener("scroll", hide, { passive: true });

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

const pictureOf = (chart) => chart.querySelector(".picture svg");
const marksOf = (chart) => [...pictureOf(chart).querySelectorAll("[data-tooltip]")];
const pointed = (chart, { target, clientX: x, clientY: y }) => {
  let nearest = target.closest("[data-tooltip]");
  let least = nearest ? 0 : NEAR;
  for (const mark of nearest ? [] : marksOf(chart)) {
    const box = mark.getBoundingClientRect();
    const distance = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (distance < least) [nearest, least] = [mark, distance];
  }
  if (nearest) show(nearest, x, y);
  else hide();
};

// By keys: each mark in turn.
const reached = new WeakMap();
const stepped = (chart, by) => {
  const all = marksOf(chart);
  if (!all.length) return;
  const at = Math.max(0, Math.min((reached.get(chart) ?? (by > 0 ? -1 : all.length)) + by, all.length - 1));
  reached.set(chart, at);
  const box = all[at].getBoundingClientRect();
  show(all[at], box.right, box.bottom);
};

// A picture as a file of its own, with a paper.
const alone = (chart) => {
  const svg = pictureOf(chart).cloneNode(true);
  ["role", "tabindex"].forEach((name) => svg.removeAttribute(name));
  const text = new XMLSerializer().serializeToString(svg).replace(/light-dark\(([^ ]+), [^"]+\)/g, "$1");
  return text.replace(/<svg[^>]*>/, '$&<rect width="100%" height="100%" fill="#fff"/>');
};

document.querySelectorAll("div.chart:has(.picture svg)").forEach((chart) => {
  const picture = chart.querySelector(".picture");
  pictureOf(chart).tabIndex = 0;
  picture.addEventListener("pointermove", (event) => event.pointerType === "mouse" && pointed(chart, event));
  picture.addEventListener("pointerleave", hide);
  picture.addEventListener("click", (event) => pointed(chart, event));
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

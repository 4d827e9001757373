// Puts a live chart in the place of each picture when it comes near the window. Where this fails the picture stays.
const packedLibrary = "<!--library-->";

const unpacked = async (packed) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};

let library; // of which nothing is read before the first chart is wanted
const loaded = () => (library ??= unpacked(packedLibrary).then((code) => new Function(`${code}; return surefootEmbed;`)()));

const liven = async (chart) => {
  const picture = chart.querySelector("img");
  // Vega gives the element that it draws into a role of its own; around it stands one picture with one description.
  const live = document.createElement("div");
  const canvas = live.appendChild(document.createElement("div"));
  live.setAttribute("role", "img");
  live.setAttribute("aria-label", picture.alt);
  const embed = await loaded();
  const specification = JSON.parse(await unpacked(chart.querySelector("script").textContent));
  await embed(canvas, specification, { mode: "vega-lite", renderer: "svg", actions: false });
  picture.replaceWith(live);
  live.dispatchEvent(new Event("live"));
};

// One after the other, so that the page answers its reader in between.
let queue = Promise.resolve();
const pause = () => new Promise((resolve) => setTimeout(resolve));
const whenNear = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      whenNear.unobserve(target);
      queue = queue.then(() => liven(target).catch((error) => console.error(error))).then(pause);
    }
  },
  { rootMargin: "50% 0px" },
);

document.querySelectorAll("div.chart").forEach((chart) => {
  const link = chart.querySelector("a.svg");
  link.href = chart.querySelector("img").src;
  link.hidden = false;
  if ("DecompressionStream" in window) whenNear.observe(chart);
});

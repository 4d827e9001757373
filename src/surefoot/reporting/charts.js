// Puts a live chart in the place of each picture. Where this fails the picture stays.
document.querySelectorAll("div.chart").forEach((chart) => {
  const picture = chart.querySelector("img");
  const link = chart.querySelector("a.svg");
  link.href = picture.src;
  link.hidden = false;
  // Vega gives the element that it draws into a role of its own; around it stands one picture with one description.
  const live = document.createElement("div");
  const canvas = live.appendChild(document.createElement("div"));
  live.setAttribute("role", "img");
  live.setAttribute("aria-label", picture.alt);
  const chartSpecification = JSON.parse(chart.querySelector("script").textContent);
  vegaEmbed(canvas, chartSpecification, { mode: "vega-lite", renderer: "svg", actions: false })
    .then(() => picture.replaceWith(live))
    .catch((error) => console.error(error));
});

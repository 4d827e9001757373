// Puts a live chart in the place of each picture. Where this fails the picture stays.
document.querySelectorAll("div.chart").forEach((chart) => {
  const picture = chart.querySelector("img");
  const link = chart.querySelector("a.svg");
  link.href = picture.src;
  link.hidden = false;
  const live = document.createElement("div");
  live.setAttribute("role", "img");
  live.setAttribute("aria-label", picture.alt);
  const chartSpecification = JSON.parse(chart.querySelector("script").textContent);
  vegaEmbed(live, chartSpecification, { mode: "vega-lite", renderer: "svg", actions: false })
    .then(() => picture.replaceWith(live))
    .catch((error) => console.error(error));
});

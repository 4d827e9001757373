// Charts with controls: Vega draws them in place of their pictures, which stay where no script runs.
for (const source of document.querySelectorAll("script.live")) {
  const picture = source.previousElementSibling;
  const controls = document.createElement("div");
  controls.className = "vega-bindings";
  picture.before(controls);
  const chart = { ...JSON.parse(source.textContent), width: "container", background: "transparent" };
  const options = { actions: false, renderer: "svg", defaultStyle: false, bind: controls };
  vegaEmbed(picture, chart, options).catch((error) => console.error(error));
}

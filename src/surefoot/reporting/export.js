// What a reader may take away from a figure or a table beside its numbers. All of it is made, when it is asked for, from
// what stands in the page. Without this script the numbers can be taken.
const PIXELS = 3; // of a picture in PNG, to a pixel of the page

const saved = (name, type, content) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

const pngOf = async (svg) => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [PIXELS * image.naturalWidth, PIXELS * image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

// Tables as they are sorted and filtered now. A formula stands between two marks that no text has.
const FORMULA = "\u0000";
const textOf = (cell) => {
  const copy = cell.cloneNode(true);
  copy.querySelectorAll("math").forEach((math) => {
    math.replaceWith(`${FORMULA}${math.querySelector("annotation")?.textContent ?? math.textContent}${FORMULA}`);
  });
  return copy.textContent.replace(/\s+/g, " ").trim();
};
const gridOf = (table) => {
  const head = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
  return {
    head: head.map(textOf),
    numbers: head.map((cell) => cell.classList.contains("number") || cell.style.textAlign === "right"),
    rows: rows.map((row) => [...row.cells].map(textOf)),
  };
};
const aroundFormulas = (text, escaped) =>
  text.split(FORMULA).map((part, at) => (at % 2 ? `$${part}$` : escaped(part))).join("");

// A table of a page as LaTeX; those of a paper are written by `surefoot export`, with pandoc.
const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho varsigma sigma tau upsilon phi chi psi omega".split(" ");
const LATEX = {
  "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}",
  "|": "\\textbar{}", '"': "''", "\u2212": "$-$", "\u2013": "--", "\u2014": "---", "\u2026": "\\ldots{}", "\u00d7": "$\\times$",
  "\u00b1": "$\\pm$", "\u00b7": "$\\cdot$", "\u2264": "$\\leq$", "\u2265": "$\\geq$", "\u2192": "$\\to$", "\u2191": "$\\uparrow$",
  "\u2193": "$\\downarrow$", "\u221e": "$\\infty$", "\u2019": "'", "\u2018": "`", "\u201c": "``", "\u201d": "''", "\u00a0": "~",
};
const inLatex = (character) => {
  if ("_%&#${}".includes(character)) return `\\${character}`;
  const greek = GREEK[character.charCodeAt(0) - 0x3b1];
  return LATEX[character] ?? (greek ? (greek === "omicron" ? "o" : `$\\${greek}$`) : character);
};
const escapedForLatex = (text) => aroundFormulas(text, (part) => [...part.normalize("NFC")].map(inLatex).join(""));
const LONGEST_TEXT = 30;
const MOST_COLUMNS = 5;
const MOST_ROWS = 55; // of a table on one page: longer ones go on over several, which a float cannot
const latexOf = ({ head, numbers, rows }, caption, label) => {
  const sentences = numbers.map((number, at) => !number && rows.some((row) => row[at].length > LONGEST_TEXT));
  const broken = `p{${(0.6 / Math.max(1, sentences.filter(Boolean).length)).toFixed(2)}\\linewidth}`;
  const wide = head.length > MOST_COLUMNS;
  const place = wide ? "table*" : "table";
  const line = (cells) => {
    const text = cells.map(escapedForLatex).join(" & ");
    return `${text.startsWith("[") ? "{}" : ""}${text} \\\\`;
  };
  const columns = numbers.map((number, at) => (number ? "r" : sentences[at] ? broken : "l")).join("");
  if (rows.length > MOST_ROWS) {
    const size = wide ? "\\footnotesize\\setlength{\\tabcolsep}{3pt}" : "\\small";
    return [
      "% needs booktabs and longtable, in a text of one column",
      `{${size}`,
      `\\begin{longtable}{${columns}}`,
      `\\caption{${escapedForLatex(caption)}}\\label{tab:${label}}\\\\`,
      "\\toprule",
      line(head),
      "\\midrule",
      "\\endfirsthead",
      "\\toprule",
      line(head),
      "\\midrule",
      "\\endhead",
      "\\bottomrule",
      "\\endfoot",
      ...rows.map(line),
      "\\end{longtable}}",
      "",
    ].join("\n");
  }
  return [
    "% needs booktabs",
    `\\begin{${place}}[tb]`,
    "\\centering",
    `\\caption{${escapedForLatex(caption)}}`,
    `\\label{tab:${label}}`,
    ...(wide ? ["\\footnotesize", "\\setlength{\\tabcolsep}{3pt}"] : ["\\small"]),
    `\\begin{tabular}{${columns}}`,
    "\\toprule",
    line(head),
    "\\midrule",
    ...rows.map(line),
    "\\bottomrule",
    "\\end{tabular}",
    `\\end{${place}}`,
    "",
  ].join("\n");
};
const markdownOf = ({ head, numbers, rows }, caption) => {
  const line = (cells) => `| ${cells.map((cell) => aroundFormulas(cell, (part) => part.replace(/[\\`*_|<]/g, "\\$&"))).join(" | ")} |`;
  const ends = numbers.map((number) => (number ? "---:" : ":---"));
  return [...(caption ? [caption.replaceAll("\u00a0", " "), ""] : []), line(head), `| ${ends.join(" | ")} |`, ...rows.map(line), ""].join("\n");
};

// What a menu stands below: the tables since the last one.
const tablesAbove = (menu) => {
  const tables = [];
  for (let each = menu.previousElementSibling; each && !each.matches(".export"); each = each.previousElementSibling) {
    tables.unshift(...each.querySelectorAll("table"));
  }
  return tables.filter((table) => table.tHead);
};

const published = document.querySelector('meta[property="og:url"]')?.content;
const bibtex = document.querySelector('script[type="application/x-bibtex"]')?.textContent.trim();
document.querySelectorAll("details.export").forEach((menu) => {
  const { name, study } = menu.dataset;
  const list = menu.querySelector(".downloads");
  const figure = menu.closest("figure[id], .quarto-float[id], [id^='fig-'], [id^='tbl-']");
  const [, number, caption] = (figure?.querySelector("figcaption, caption")?.textContent ?? "").match(/^\s*((?:Figure|Table)\s\d+)?:?\s*(.*)/s) ?? [];
  const whole = (number ?? name.replaceAll("_", " ")).replace(/\s/g, " ");
  const called = (element, text, said = `${text} of ${whole}`) => element.setAttribute("aria-label", said);
  const offer = (text, make) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    called(button, text);
    button.addEventListener("click", () => make().catch((error) => console.error(error)));
    list.append(" ", button);
  };

  called(menu.querySelector("summary"), "Export", `Export ${whole}`);
  const csv = list.querySelector("a");
  if (csv) called(csv, "CSV");
  const chart = menu.closest(".chart");
  if (chart?.alone) {
    offer("SVG", async () => saved(`${name}.svg`, "image/svg+xml", chart.alone()));
    offer("PNG", async () => saved(`${name}.png`, "image/png", await pngOf(chart.alone())));
  }
  if (!chart && tablesAbove(menu).length) {
    const all = (written) => tablesAbove(menu).map((table, at) => written(gridOf(table), at)).join("\n");
    const label = (at) => `${name}${at ? `_${at + 1}` : ""}`;
    offer("LaTeX", async () => saved(`${name}.tex`, "text/x-tex", all((grid, at) => latexOf(grid, caption?.trim() ?? "", label(at)))));
    offer("Markdown", async () => saved(`${name}.md`, "text/markdown", all((grid, at) => markdownOf(grid, at ? "" : (caption?.trim() ?? "")))));
  }
  if (bibtex) offer("BibTeX", async () => saved(`${name}.bib`, "application/x-bibtex", `${bibtex}\n`));
  if (figure?.id) {
    const link = document.createElement("a");
    link.href = `#${figure.id}`;
    link.textContent = "Link";
    called(link, "Link", `Link to ${whole}`);
    // A published figure has a page of its own, of which services show a preview.
    const own = published && chart ? new URL(`figures/${name}.html`, published).href : link.href;
    link.addEventListener("click", () => navigator.clipboard?.writeText(own).catch(() => {}));
    list.append(" ", link);
  }
  if (bibtex && chart) { // a page of a study, which can be exported
    const command = document.createElement("code");
    // A page that is read as a file knows the folder that has the results, so the command can be pasted anywhere.
    const [, folder] = location.protocol === "file:" ? (decodeURIComponent(location.pathname).match(/^(.+)\/results\/render\/[^/]+$/) ?? []) : [];
    const quoted = folder && (/^[\w./+@%-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`);
    command.textContent = `surefoot export ${study}${quoted ? ` --directory ${quoted}` : ""} --venue neurips`;
    const also = document.createElement("p");
    also.className = "downloads";
    also.append(quoted ? "PDF and Vega-Lite: " : "PDF and Vega-Lite, in the folder that contains results/: ", command);
    list.after(also);
  }
});

// Numbers are kept packed in the page; here they become a plain file.
document.querySelectorAll('a[download$=".csv.gz"]').forEach((link) => {
  if (!("DecompressionStream" in window)) return;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const bytes = Uint8Array.from(atob(link.href.split(",")[1]), (letter) => letter.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
    saved(link.download.replace(/\.gz$/, ""), "text/csv", text);
  });
});

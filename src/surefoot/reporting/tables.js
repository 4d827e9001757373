// Tables that can be sorted by a click on a heading and, where they are long, filtered (also by a link to
// page.html?filter=words); numbers to download as plain CSV.
// Without this script all is there as it was written.
const LONG = 12; // rows

// What makes numbers with units comparable; other units do not change within a column.
const UNITS = { ns: 1e-9, "\u00b5s": 1e-6, "\u03bcs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, day: 86400, days: 86400 };
Object.assign(UNITS, { kB: 1e3, MB: 1e6, GB: 1e9, k: 1e3, M: 1e6, "%": 1, x: 1 });
const NONE = /^([-\u2010-\u2015\u2212]|n\/a|nan)?$/i;
const NUMBER = RegExp(
  "^(?:at least|at most|more than|less than|about|over|[<>\u2264\u2265~\u2248\u00b1])?\\s*" +
    "([-+]?(?:inf(?:inity)?|\u221e|(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?))" +
    `\\s*(${Object.keys(UNITS).sort((one, other) => other.length - one.length).join("|")})?(?![\\p{L}\\d])`,
  "u",
);

// What a cell is sorted by: numbers stand before texts, and where nothing is said comes last. Of a range or an interval
// it is the first number; a name such as 2s3z is a text.
const keyOf = (cell) => {
  const text = (cell.dataset.value ?? cell.textContent).trim();
  if (NONE.test(text)) return { rank: 2, text };
  const found = text.replaceAll("\u2212", "-").replace(/(\d),(?=\d{3}(?!\d))/g, "$1").match(NUMBER);
  if (!found) return { rank: 1, text };
  const number = Number(found[1].replace(/inf.*|\u221e/, "Infinity"));
  return { rank: 0, text, number: number * (UNITS[found[2]] ?? 1) };
};

const order = (one, other, sign) => {
  if (one.rank !== other.rank) return one.rank - other.rank;
  if (one.rank === 0 && one.number !== other.number) return one.number < other.number ? -sign : sign;
  return one.rank === 2 ? 0 : sign * one.text.localeCompare(other.text, "en", { numeric: true });
};

const sortable = (table) => {
  const body = table.tBodies[0];
  const written = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (!heading.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const direction = heading.ariaSort === "ascending" ? "descending" : heading.ariaSort ? null : "ascending";
      headings.forEach((other) => (other.ariaSort = null));
      heading.ariaSort = direction;
      const sign = direction === "descending" ? -1 : 1;
      const keys = new Map(written.map((row) => [row, keyOf(row.cells[column])]));
      const sorted = [...written].sort((one, other) => order(keys.get(one), keys.get(other), sign));
      body.append(...(direction ? sorted : written));
    });
  });
};

const filtered = (table, box) => {
  const rows = [...table.tBodies[0].rows];
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = `Filter ${rows.length} rows`;
  field.ariaLabel = field.placeholder;
  field.className = "filter";
  field.addEventListener("input", () => {
    const words = typed(field.value).split(/\s+/);
    rows.forEach((row) => {
      const text = typed(row.textContent);
      row.hidden = !words.every((word) => text.includes(word));
    });
  });
  box.before(field);
  field.value = new URLSearchParams(location.search).get("filter") ?? "";
  if (field.value) field.dispatchEvent(new Event("input"));
};

document.querySelectorAll(".scroll:not(.text) > table").forEach((table) => {
  if (!table.tHead) return;
  const rows = table.tBodies[0].rows.length;
  if (rows > 2) sortable(table);
  if (rows > LONG) filtered(table, table.parentElement);
});


// Tables that can be sorted by a click on a heading and, where they are long, filtered; numbers to download as plain CSV.
// Without this script all is there as it was written.
const LONG = 12; // rows

const numberIn = (text) => {
  const found = text.replaceAll(",", "").replace("\u2212", "-").match(/-?\d*\.?\d+(e[-+]?\d+)?/i);
  return found ? Number(found[0]) : Number.NEGATIVE_INFINITY;
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
      const text = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const compare = written.every((row) => /^(\u2013|[-\u2212]?[\d.].*)?$/.test(text(row).trim()))
        ? (one, other) => numberIn(text(one)) - numberIn(text(other))
        : (one, other) => text(one).localeCompare(text(other), "en", { numeric: true });
      body.append(...(direction ? [...written].sort((one, other) => sign * compare(one, other)) : written));
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
};

document.querySelectorAll(".scroll:not(.text) > table").forEach((table) => {
  if (!table.tHead) return;
  const rows = table.tBodies[0].rows.length;
  if (rows > 2) sortable(table);
  if (rows > LONG) filtered(table, table.parentElement);
});


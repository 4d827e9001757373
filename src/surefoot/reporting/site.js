// What the pages of a site have in common: menus, a search over all pages, the contents with the current section marked,
// both folded away where there is little room, and what a reference leads to, shown beside it.
// Without this script a page has its navigation and its contents as they were written.
const made = (name, given = {}, ...within) => {
  const element = Object.assign(document.createElement(name), given);
  element.append(...within);
  return element;
};

// What is asked for many times is done once, with the next frame.
const onceAFrame = (work) => {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => ((asked = false), work()));
  };
};

// The index is a script beside the page, as pages opened from a disk may load scripts and nothing else. It is asked for
// when the field is first used, and says [[address, title, [[part, heading, text], ...]], ...].
let index;
const indexed = () =>
  (index ??= new Promise((resolve, reject) => {
    const read = () =>
      resolve(
        globalThis.surefootIndex.flatMap(([page, title, parts]) =>
          parts.map(([part, heading, text]) => ({
            address: page + (part && `#${part}`),
            name: heading || title, // a page begins below its title
            page: heading && `${title} \u00b7 `,
            text,
            named: typed(heading || `${title} ${page}`), // a paper's page has the name of its study
            whole: typed(`${title} ${page} ${heading} ${text}`),
          })),
        ),
      );
    document.head.append(made("script", { src: "search.js", onload: read, onerror: reject }));
  }));

// What readers ask for, and how the pages call it.
const ALSO = {
  seed: "run", seeds: "runs", repetitions: "runs", significance: "difference", significant: "difference", statistical: "statistics",
  confidence: "interval", power: "how many runs", benchmark: "leaderboard", better: "best", cite: "citation",
};
// Words of questions that say nothing of what is asked for.
const EMPTY = new Set("a an and are can did do does for from how i in is it my of on or than the to was what which who with".split(" "));

const REFERENCE = /^docs-(CHANGELOG|commands|configuration|contributing|extending|functions)|_appendix\./;
const NUMBER = /^-?[\d.,]+%?$/;

// Sections with all words, or else those with the most; first those that are called so, pages before their sections, what
// explains before what lists, and short names before long ones. Numbers beside words only decide the order.
const found = (sections, words, numbers) => {
  const count = (text, of = words) => of.filter((word) => text.includes(word) || text.includes(ALSO[word] ?? word)).length;
  const score = ({ named, page, address, whole }) =>
    2 * count(named) + (page ? 0 : 1) - (REFERENCE.test(address) ? 2 : 0) + count(whole, numbers) / (numbers.length + 1);
  const rows = sections.map((one) => ({ ...one, all: count(one.whole), score: score(one) }));
  const most = Math.max(0, ...rows.map(({ all }) => all));
  const order = (one, other) => other.score - one.score || one.name.length - other.name.length;
  return [most ? rows.filter(({ all }) => all === most).sort(order) : [], most];
};

const MOST = 12; // results
const LONG = 140; // characters of a result's text
const excerpt = (text, words) => {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place > LONG / 3);
  const start = places.length ? text.indexOf(" ", Math.min(...places) - LONG / 3) + 1 : 0;
  return `${start ? "\u2026 " : ""}${text.slice(start, start + LONG)}${text.length > start + LONG ? " \u2026" : ""}`;
};

const searching = (bar) => {
  const field = made("input", { type: "search", placeholder: "Search", ariaLabel: "Search all pages" });
  const status = made("p", { className: "status", role: "status" });
  const list = made("ul");
  const panel = made("div", { className: "results", hidden: true }, status, list);
  const form = made("form", { className: "search", role: "search" }, field, panel);
  const show = async () => {
    const asked = typed(field.value).split(/[\s?]+/).filter(Boolean);
    const telling = asked.filter((word) => !EMPTY.has(word) && !NUMBER.test(word));
    const words = telling.length ? telling : asked;
    const numbers = asked.filter((word) => !words.includes(word) && NUMBER.test(word));
    panel.hidden = !words.length;
    if (panel.hidden) return;
    const sections = await indexed().catch(() => null);
    const [results, most] = sections ? found(sections, words, numbers) : [[], 0];
    const part = results.length && most < words.length ? `, with ${most} of the ${words.length} words` : "";
    const shown = results.length > MOST ? `, of which these are the first ${MOST}` : "";
    const count = results.length === 1 ? "1 result" : `${results.length} results`;
    status.textContent = sections ? count + part + shown : "Nothing to search: this page was made without the rest of the site.";
    list.replaceChildren(
      ...results.slice(0, MOST).map(({ address, name, page, text }) => {
        const link = made("a", { href: address }, made("strong", {}, name));
        return made("li", {}, link, made("span", {}, page + excerpt(text, words)));
      }),
    );
  };
  field.addEventListener("input", show);
  field.addEventListener("focus", show);
  form.addEventListener("submit", (event) => (event.preventDefault(), list.querySelector("a")?.click()));
  form.addEventListener("click", (event) => event.target.closest("a") && (panel.hidden = true));
  form.addEventListener("focusout", (event) => form.contains(event.relatedTarget) || (panel.hidden = true));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    field.focus();
    panel.hidden = true;
  });
  const entries = bar.querySelector("#site-links");
  entries ? entries.after(form) : bar.append(form);
};

// The list beside the page, of the pages that were made, and when, is asked for when the page is first used.
const USES = ["pointerover", "focusin", "keydown"];
const whenListed = (tell) => {
  const ask = () => {
    USES.forEach((name) => document.removeEventListener(name, ask));
    document.head.append(made("script", { src: "made.js", onload: tell }));
  };
  USES.forEach((name) => document.addEventListener(name, ask));
};

// Links to pages that were not made are plain text, and no entries of the bar. Without the list all links stay.
const sparing = () => {
  document.querySelectorAll(":is(main, footer) a[href]").forEach((link) => {
    const [page] = link.getAttribute("href").split(/[?#]/);
    if (/^[^:/]+\.html$/.test(page) && !globalThis.surefootMade.includes(page)) link.removeAttribute("href");
  });
};
const shortening = (bar) => {
  bar.querySelectorAll("#site-links a").forEach((link) => {
    const page = link.getAttribute("href");
    link.parentElement.hidden = !page.includes(":") && !globalThis.surefootMade.includes(page);
  });
  bar.querySelectorAll("#site-links details").forEach((menu) => {
    menu.parentElement.hidden = !menu.querySelector("li:not([hidden])");
  });
  const brand = bar.querySelector("a.name");
  if (!globalThis.surefootMade.includes(brand.getAttribute("href"))) brand.removeAttribute("href");
};

const pageName = () => decodeURIComponent(location.pathname.split("/").at(-1)) || "index.html";

// A button that shows and hides something; what it does with it, in which widths, is a matter of style.
const folding = (box, text, what, button = made("button", { type: "button", className: "fold-button" }, text)) => {
  button.setAttribute("aria-controls", what.id);
  const fold = (open) => {
    box.classList.toggle("unfolded", open);
    button.ariaExpanded = String(open);
  };
  fold(false);
  button.addEventListener("click", () => fold(!box.classList.contains("unfolded")));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.classList.contains("unfolded")) return;
    fold(false);
    button.focus();
  });
  what.before(button);
  what.addEventListener("click", (event) => event.target.closest("a") && fold(false));
  return button;
};

// A menu closes when something else is pressed or reached, and by Escape.
const closing = (bar) => {
  const menus = [...bar.querySelectorAll("#site-links details")];
  const close = (besides) => menus.forEach((menu) => menu !== besides && (menu.open = false));
  const within = (event) => close(menus.find((menu) => menu.contains(event.target)));
  document.addEventListener("click", within);
  document.addEventListener("focusin", within);
  bar.addEventListener("keydown", (event) => {
    const open = event.key === "Escape" && menus.find((menu) => menu.open);
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
};

const marking = (contents, section) => {
  const links = [...contents.querySelectorAll('a[href^="#"]')];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const line = () => innerHeight / 4; // the section that has passed it is the one that is read
  const mark = () => {
    const passed = headings.filter((heading) => heading && heading.getBoundingClientRect().top <= line());
    const current = links[headings.indexOf(passed.at(-1))];
    links.forEach((link) => (link === current ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    section.textContent = current?.textContent ?? "";
    if (!current) return void (contents.scrollTop = 0);
    const [box, own] = [contents.getBoundingClientRect(), current.getBoundingClientRect()];
    if (own.top < box.top || own.bottom > box.bottom) contents.scrollTop += own.top - box.top - box.height / 3;
  };
  const ask = onceAFrame(mark);
  ["scroll", "resize"].forEach((name) => addEventListener(name, ask, { passive: true }));
  addEventListener("hashchange", mark);
  mark();
};

// Contents of which a wide block covers a part fade out until it has passed.
const WIDE = "main :is(.scroll, .column-page, .callout, .chart, pre)";
const yielding = (contents) => {
  const look = onceAFrame(() => {
    const own = contents.getBoundingClientRect();
    const covers = (block) => {
      // What a closed fold hides is not laid out to be asked.
      if (block.parentElement.closest("details:not([open])")) return false;
      const { right, top, bottom } = block.getBoundingClientRect();
      return right > own.left && top < own.bottom && bottom > own.top;
    };
    contents.classList.toggle("covered", [...document.querySelectorAll(WIDE)].some(covers));
  });
  ["scroll", "resize"].forEach((name) => addEventListener(name, look, { passive: true }));
  ["toggle", "change", "live", "contentvisibilityautostatechange"].forEach((name) => document.addEventListener(name, look, true));
  look();
};

// A link to what is folded away opens it: the folds around its target, and the one right below a heading.
const foldBelow = (target) => {
  // Quarto's sections have the names of their headings.
  const below = (target.tagName === "SECTION" ? target.firstElementChild : target)?.nextElementSibling;
  return below?.matches("details.entry") ? below : null;
};
const unfolding = () => {
  const open = (hash) => {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    if (!target) return;
    for (let fold = foldBelow(target) ?? target; fold; fold = fold.parentElement?.closest("details, .callout-collapse")) {
      if (fold.tagName === "DETAILS") fold.open = true;
      else if (fold.matches(".callout-collapse")) { // of Quarto
        fold.classList.add("show");
        fold.parentElement.querySelector("[aria-expanded]")?.setAttribute("aria-expanded", "true");
      }
    }
  };
  addEventListener("hashchange", () => open(location.hash));
  // A link to where the address is already changes nothing, and the fold may have been closed since.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (link?.hash && link.pathname === location.pathname) open(link.hash);
  });
  open(location.hash);
};

// What a link within the page leads to: the picture and caption of a figure, the caption of a table, the beginning of a
// section. A reader who cannot see it follows the link, so it is hidden from screen readers.
const previewing = (main) => {
  const box = made("div", { className: "preview", hidden: true, ariaHidden: "true" });
  document.body.append(box);
  const hide = () => (box.hidden = true);
  const show = (event) => {
    const link = event.target.closest('a[href^="#"]');
    const target = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!target || !main.contains(link)) return hide();
    const picture = target.querySelector("img, .picture svg");
    const caption = target.querySelector("figcaption, caption") ?? foldBelow(target)?.querySelector("summary") ?? target.nextElementSibling ?? target;
    const words = caption.textContent.replace(/\s+/g, " ").trim();
    const heading = /^H\d$/.test(target.tagName) ? [made("strong", {}, target.textContent)] : [];
    const pictures = picture ? [picture.cloneNode(true)] : [];
    box.replaceChildren(...heading, ...pictures, made("p", {}, words.length > 3 * LONG ? `${words.slice(0, 3 * LONG)} …` : words));
    box.hidden = false;
    const own = link.getBoundingClientRect();
    const below = own.bottom + box.offsetHeight + 8 < innerHeight;
    box.style.left = `${Math.max(8, Math.min(own.left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${below ? own.bottom + 6 : Math.max(8, own.top - box.offsetHeight - 6)}px`;
  };
  ["mouseover", "focusin"].forEach((name) => main.addEventListener(name, show));
  ["mouseleave", "focusout"].forEach((name) => main.addEventListener(name, hide));
  addEventListener("scroll", hide, { passive: true });
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
};

// Code to be typed has a button that copies it: of a session only what was typed. Quarto has such buttons of its own.
const copying = (main) => {
  main.querySelectorAll("div.sourceCode:not(.code-with-copy) > pre:not(.code-with-copy)").forEach((block) => {
    const lines = block.textContent.split("\n");
    const session = lines[0].startsWith(">>> ");
    const text = session ? lines.filter((line) => /^(>>>|\.\.\.)/.test(line)).map((line) => line.slice(4)) : lines;
    const button = made("button", { type: "button" }, "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.join("\n"));
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    block.parentElement.classList.add("copied");
    block.after(button);
  });
};

// What scrolls within its own box can be reached by the keyboard, and only while it scrolls; of regions each has a name
// of its own.
const nameOf = (box) => {
  const title = box.closest("figure")?.querySelector("figcaption") ?? box.querySelector("caption");
  const said = title?.textContent ?? box.querySelector("svg")?.getAttribute("aria-label");
  const kind = box.tagName === "PRE" ? "Code" : "Table";
  const above = [...document.querySelectorAll("h1, h2, h3, h4")].filter((one) => one.compareDocumentPosition(box) & 4);
  const own = (said ?? `${kind} in \u201c${above.at(-1)?.textContent ?? document.title}\u201d`).trim().slice(0, 120);
  for (let number = 2, name = own; ; name = `${own} (${number++})`) {
    const other = document.querySelector(`[role=region][aria-label="${CSS.escape(name)}"]`);
    if (!other || other === box) return name;
  }
};
const SCROLLING = ".scroll, .chart .picture, main pre, main math[display=block], main :is(p, li, dd):has(> math, > .formula)";
const reaching = onceAFrame(() => {
  // To ask for the size of what a closed fold hides would lay it out; opening the fold asks again.
  const boxes = [...document.querySelectorAll(SCROLLING)].filter((box) => !box.closest("details:not([open])"));
  const scroll = boxes.map((box) => {
    const { overflowX, overflowY } = getComputedStyle(box);
    const [wide, high] = [box.scrollWidth > box.clientWidth, box.scrollHeight > box.clientHeight];
    return (wide && /auto|scroll/.test(overflowX)) || (high && /auto|scroll/.test(overflowY));
  });
  boxes.forEach((box, place) => {
    box.toggleAttribute("tabindex", scroll[place]);
    if (scroll[place]) box.tabIndex = 0;
    // What has a role of its own keeps it.
    if (/^(math|P|LI|DD)$/.test(box.tagName) || scroll[place] === (box.role === "region")) return;
    box.role = scroll[place] ? "region" : null;
    box.ariaLabel = scroll[place] ? nameOf(box) : null;
  });
});

const bar = document.querySelector("header.site nav, #quarto-header .navbar-container, #quarto-header nav");
if (bar) searching(bar);
const links = document.querySelector("#site-links");
if (links) {
  closing(bar);
  folding(bar, "Menu", links);
}
whenListed(() => {
  sparing();
  if (links) shortening(bar);
});
// Quarto's captions have their numbers among their words.
document.querySelectorAll("#quarto-content :is(figcaption, caption)").forEach((caption) => {
  const [text] = caption.childNodes;
  const label = text?.nodeType === Node.TEXT_NODE && text.textContent.match(/^\s*((?:Figure|Table)\s\d+:)/);
  if (!label) return;
  text.textContent = text.textContent.replace(label[0], "");
  caption.prepend(made("span", { className: "number" }, label[1]));
});
// Quarto does not know the page under the name that the links have.
document.querySelectorAll("#quarto-header a[href]:not(.dropdown-toggle, .navbar-brand)").forEach((link) => {
  if (link.pathname !== location.pathname || link.hash) return;
  link.ariaCurrent = "page";
  link.classList.add("active");
});
const contents = document.querySelector("nav.contents");
if (contents) {
  const section = made("span");
  folding(contents, "On this page", contents.querySelector("div")).append(section);
  marking(contents, section);
  yielding(contents);
}
const main = document.querySelector("main");
if (main?.id && !document.querySelector(".skip")) { // of Quarto
  document.body.prepend(made("a", { className: "skip", href: `#${main.id}` }, "Skip to the content"));
}
if (main) previewing(main);
if (main && navigator.clipboard) copying(main);
unfolding();
reaching();
// What changes the width of a box: the window, a tab and a fold.
addEventListener("resize", reaching);
// A long table has no size of its own before it comes near the window.
["change", "toggle", "contentvisibilityautostatechange"].forEach((name) => document.addEventListener(name, reaching, true));
// Nothing is left out on paper: folds open while the page is printed. The page says when it was made, where the list
// beside it is there and was asked for.
const folded = [];
addEventListener("beforeprint", () => {
  folded.push(...document.querySelectorAll("main details:not([open], .export)"));
  folded.forEach((fold) => (fold.open = true));
  let cover = document.querySelector(".cover");
  if (!cover) {
    const site = document.title.split(" \u2013 ").at(-1);
    document.body.prepend((cover = made("div", { className: "cover" }, site)));
  }
  cover.dataset.text ??= cover.textContent;
  cover.textContent = [cover.dataset.text, pageName()].join(" \u00b7 ");
});
addEventListener("afterprint", () => folded.splice(0).forEach((fold) => (fold.open = false)));

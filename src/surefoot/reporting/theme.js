// Light or dark, settled before anything is drawn: what the reader chose on any page of the site, else what the system
// prefers. Without this script the system decides.
const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const KEY = "surefoot-theme";
// A browser may forbid pages to remember anything; then the choice holds for this page.
const remembered = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};
const remember = (theme) => {
  try {
    theme ? localStorage.setItem(KEY, theme) : localStorage.removeItem(KEY);
  } catch {}
};
let chosen = remembered();
const settle = () => {
  const system = prefersDark.matches ? "dark" : "light";
  root.dataset.theme = chosen ?? system;
  root.dataset.bsTheme = root.dataset.theme; // what Bootstrap, and so Quarto, looks at
  const button = document.querySelector("button.theme");
  if (button) button.ariaPressed = String(root.dataset.theme === "dark");
};
root.classList.add("scripted");
settle();
prefersDark.addEventListener("change", settle);
addEventListener("storage", ({ key }) => key === KEY && ((chosen = remembered()), settle()));
document.addEventListener("DOMContentLoaded", () => {
  const bar = document.querySelector("header.site nav, #quarto-header .navbar-container, #quarto-header nav");
  if (!bar) return;
  const button = bar.appendChild(document.createElement("button"));
  Object.assign(button, { type: "button", className: "theme", ariaLabel: "Dark theme", title: "Dark theme" });
  button.addEventListener("click", () => {
    const system = prefersDark.matches ? "dark" : "light";
    const wanted = root.dataset.theme === "dark" ? "light" : "dark";
    chosen = wanted === system ? null : wanted; // who wants what the system wants, follows it
    remember(chosen);
    settle();
  });
  settle();
});

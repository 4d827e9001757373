// A text as keyboards have it.
const typed = (text) =>
  text.toLowerCase().replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replaceAll("\u2212", "-");

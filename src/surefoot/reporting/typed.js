// A text as keyboards have it: without accents, "95%" for "95 %", "lambda" for the letter.
const GREEK = Object.fromEntries(
  ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi " +
    "psi omega").split(" ").map((name, place) => [String.fromCharCode(0x3b1 + place), name]),
);
Object.assign(GREEK, { "\u03d1": "theta", "\u03d5": "phi", "\u03f5": "epsilon" });
const typed = (text) =>
  text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/(?<=\d)\s+%/g, "%")
    .replace(/[\u03b1-\u03f5]/g, (letter) => GREEK[letter] ?? letter)
    .replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replaceAll("\u2212", "-");

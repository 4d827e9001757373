"""LaTeX output: text escaped or converted by pandoc, Jinja templates, and cited works as BibTeX."""

import functools
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import surefoot
from surefoot.reporting.descriptions import BIBLIOGRAPHY, BIBTEX_ENTRY

SUREFOOT = "surefoot"
"""Citation key of this program. The entry contains the version."""
YEAR = 2026
"""Year of this version, as in LICENSE."""
_CODE = re.compile(r"^  code = .*\n", re.MULTILINE)
_CITED = re.compile(r"\\cite[pt]?(?:\[[^\]]*\])*\{([^}]*)\}")
_SYMBOLS = {
    "\N{MINUS SIGN}": "-",
    "≤": r"\leq",
    "≥": r"\geq",
    "→": r"\to",
    "↑": r"\uparrow",
    "↓": r"\downarrow",
    "∞": r"\infty",
}
_GREEK = re.compile(
    r"GREEK SMALL LETTER (?!OMICRON|FINAL)(\w+)"
    r"|GREEK CAPITAL LETTER (GAMMA|DELTA|THETA|LAMBDA|XI|PI|SIGMA|UPSILON|PHI|PSI|OMEGA)"
)
"""Unicode names of Greek letters that have LaTeX commands; the other letters look like Latin ones."""
_BEYOND_LATIN = re.compile(r"[^\x00-\u017f\u2013\u2014\u2018\u2019\u201c\u201d\u2026]")
"""Characters that pdfLaTeX does not support: all but Latin letters, dashes, quotation marks and the ellipsis."""


def escaped(texts: Iterable[str]) -> dict[str, str]:
    """Convert plain texts to LaTeX in a single process; return a mapping from each text to its LaTeX.

    The result compiles with pdfLaTeX and its default fonts: characters that the fonts lack, such as Chinese ones, are
    replaced by their code points.
    """
    import pypandoc

    distinct = [text for text in dict.fromkeys(texts) if text.strip()]
    blocks = [{"t": "Para", "c": [{"t": "Str", "c": text}]} for text in distinct]
    document = json.dumps({"pandoc-api-version": [1, 23], "meta": {}, "blocks": blocks})
    latex = pypandoc.convert_text(document, "latex", format="json", extra_args=["--wrap=none"]) if blocks else ""
    converted = with_symbols(latex.rstrip("\n")).split("\n\n")
    return {"": ""} | dict(zip(distinct, converted, strict=bool(distinct)))


def from_markdown(text: str) -> str:
    """Convert pandoc's Markdown to LaTeX: level-4 headings to paragraphs, keys like [@welch1947] to natbib."""
    import pypandoc

    arguments = ["--wrap=none", "--natbib"]
    latex = pypandoc.convert_text(text, "latex", format="markdown-auto_identifiers", extra_args=arguments)
    # A command of pandoc's template, which other documents do not define.
    return with_symbols(latex.replace("\\tightlist\n", ""))


def with_symbols(latex: str) -> str:
    """Replace characters beyond Latin letters by LaTeX commands."""
    return _BEYOND_LATIN.sub(lambda match: _command(match[0]), unicodedata.normalize("NFC", latex))


def _command(character: str) -> str:
    greek = _GREEK.fullmatch(unicodedata.name(character, "").replace("LAMDA", "LAMBDA"))
    if greek:
        return f"\\ensuremath{{\\{greek[1].lower() if greek[1] else greek[2].capitalize()}}}"
    if symbol := _SYMBOLS.get(character):
        return f"\\ensuremath{{{symbol}}}"
    plain = unicodedata.normalize("NFKD", character)
    return plain if plain.isascii() else f"\\texttt{{U+{ord(character):04X}}}"


def listed(texts: Iterable[str]) -> str:
    """Join texts as in a sentence, with semicolons if some of them contain commas."""
    *first, last = texts
    if not first:
        return last
    if any("," in re.sub(r"(?<=\d),(?=\d)", "", text) for text in (*first, last)):
        return f"{'; '.join(first)}; and {last}"
    return f"{', '.join(first)} and {last}"


def citation(keys: Iterable[str]) -> str:
    """Return keys as a citation in pandoc's Markdown with a leading space; empty if there are no keys."""
    cited = "; ".join(f"@{key}" for key in keys)
    return f" [{cited}]" if cited else ""


def cited_keys(latex: str) -> list[str]:
    """Return the keys cited in LaTeX, without duplicates, in order of first use."""
    return list(dict.fromkeys(key.strip() for keys in _CITED.findall(latex) for key in keys.split(",")))


def bibtex(keys: Iterable[str]) -> str:
    """Return the bibliography entries of the given keys as BibTeX, without the field `code`.

    Raises
    ------
    KeyError
        if the bibliography lacks a key
    """
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    text += f"""
@misc{{{SUREFOOT},
  title = {{{{Surefoot}}}},
  author = {{{{The Surefoot developers}}}},
  year = {{{YEAR}}},
  note = {{Version {surefoot.__version__}}}
}}
"""
    entries = {entry[2]: f"{entry[0]}\n" for entry in BIBTEX_ENTRY.finditer(text)}
    return "\n".join(with_symbols(_CODE.sub("", entries[key])) for key in sorted(keys))


def rendered(template: str, values: Mapping[str, Any]) -> str:
    """Render a template of this package with values."""
    text: str = _environment().get_template(template).render(values)
    return text


def rendered_text(template: str, values: Mapping[str, Any]) -> str:
    """Render a template given as a text, with the same delimiters as the templates of this package."""
    text: str = _environment().from_string(template).render(values)
    return text


@functools.cache
def _environment() -> Any:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("surefoot.reporting.export"),
        # LaTeX itself uses braces.
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"listed": listed, "thousands": "{:,}".format}
    return environment

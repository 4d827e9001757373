"""The papers and books that methods come from, in `references.bib` beside this module, as every reader of BibTeX takes
it: an entry's fields a line each, in braces. The field `code` is the address of the authors' programs."""

import re
from pathlib import Path
from urllib.parse import quote

BIBLIOGRAPHY = Path(__file__).with_name("references.bib")
_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)\n\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)


def read_bibliography(path: Path = BIBLIOGRAPHY) -> dict[str, dict[str, str]]:
    """The entries by key, each as {field: text}, in the order of the file."""
    text = path.read_text(encoding="utf-8")
    return {key: dict(_FIELD.findall(fields)) for _, key, fields in _ENTRY.findall(text)}


def short_name(entry: dict[str, str]) -> str:
    """An entry as a sentence names it, such as "Agarwal et al. 2021" or "Dolan and Moré 2002"."""
    families = [author.partition(",")[0] for author in entry["author"].split(" and ")]
    named = families[0] + (" et al." if len(families) > 2 else f" and {families[1]}" if len(families) == 2 else "")
    return f"{named} {entry['year']}"


def address(entry: dict[str, str]) -> str:
    """Where the work itself is to be read: at its DOI, which arXiv gives too, or its address; empty without any."""
    if "doi" in entry:
        return f"https://doi.org/{quote(entry['doi'], safe='/')}"
    return f"https://doi.org/10.48550/arXiv.{entry['eprint']}" if "eprint" in entry else entry.get("url", "")


def citation(entry: dict[str, str]) -> str:
    """An entry in full, as Markdown, with its links."""
    authors = [" ".join(reversed(author.split(", "))) for author in entry["author"].split(" and ")]
    places = [entry[key] for key in ("journal", "booktitle", "series", "publisher", "school") if key in entry]
    where = ", ".join(f"*{place}*" for place in places)
    numbers = ", ".join(entry[key].replace("--", "\N{EN DASH}") for key in ("volume", "pages") if key in entry)
    title = f"[{entry['title']}]({address(entry)})" if address(entry) else entry["title"]
    parts = [_listed(authors), title, " ".join(part for part in (where, numbers) if part)]
    code = f" [Authors' code]({entry['code']})." if "code" in entry else ""
    return f"{'. '.join(part for part in (*parts, entry['year']) if part)}.{code}"


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""What a paragraph cites of questions, intervals, metrics and scales, and the entries of the bibliography for it."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import surefoot
from surefoot.export.latex import with_letters_of_latex
from surefoot.methods.bibliography import BIBLIOGRAPHY, read_bibliography
from surefoot.methods.described import described
from surefoot.methods.jobs import methods_job

SUREFOOT = "surefoot"
"""The key of this program, whose entry says its version."""
_UNDATED = "n.d."
"""The year of what has no date, which BibTeX would miss."""
_CITED = re.compile(r"\\cite[pt]?\{([^}]*)\}")
Facts = Mapping[tuple[str, str], Mapping[str, str]]


def known_facts() -> dict[tuple[str, str], dict[str, str]]:
    """What the docstrings of methods say, as {(kind, name): {field: text}}; kinds are question, interval, game, metric
    and scale, fields those of `surefoot.methods.described`."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for key, path in methods_job().inputs.items():
        kind, _, module = key.partition("/")
        if module:
            found |= {(kind, name or module): facts for name, facts in described(Path(path)).items()}
    return found


def keys_of(facts: Facts, names: Iterable[tuple[str, str]]) -> list[str]:
    """The keys of the sources of some methods, each once, in their order."""
    sources = [facts.get(name, {}).get("source", "") for name in names]
    return list(dict.fromkeys(part.partition(",")[0] for source in sources for part in source.split("; ") if part))


def citation(keys: Iterable[str]) -> str:
    """The command that cites keys, after a space that does not break; nothing without keys."""
    keys = list(keys)
    return f"~\\citep{{{','.join(keys)}}}" if keys else ""


def cited_keys(text: str) -> list[str]:
    """The keys that LaTeX cites, each once, in their order."""
    return list(dict.fromkeys(key.strip() for found in _CITED.findall(text) for key in found.split(",")))


def bibtex(keys: Iterable[str]) -> str:
    """The entries of the bibliography for these keys, as BibTeX, without the addresses of programs.

    Raises
    ------
    KeyError
        for a key that the bibliography does not have
    """
    known = read_bibliography()
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    kinds = {key: kind for kind, key in re.findall(r"^@(\w+)\{(\w+),", text, re.MULTILINE)}
    entries = []
    for key in sorted(keys):
        if key == SUREFOOT:
            kind, fields = "misc", {"title": "{Surefoot}", "author": "{The Surefoot developers}"}
            fields |= {"year": _UNDATED, "note": _version()}
        else:
            kind, fields = kinds[key], {name: value for name, value in known[key].items() if name != "code"}
        lines = ",\n".join(f"  {name} = {{{with_letters_of_latex(value)}}}" for name, value in fields.items())
        entries.append(f"@{kind}{{{key},\n{lines}\n}}\n")
    return "\n".join(entries)


def _version() -> str:
    return f"Version {surefoot.__version__}"

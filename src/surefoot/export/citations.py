"""What the docstrings of methods say, for a paper: their facts, and the works that they cite as BibTeX."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import surefoot
from surefoot.export.latex import with_symbols
from surefoot.methods.bibliography import BIBLIOGRAPHY
from surefoot.methods.descriptions import described, methods_job

SUREFOOT = "surefoot"
"""The key of this program, whose entry says its version."""
_ENTRY = re.compile(r"^@\w+\{(\w+),\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"^  code = .*\n", re.MULTILINE)
_CITED = re.compile(r"\\cite[pt]?(?:\[[^\]]*\])*\{([^}]*)\}")
Facts = Mapping[tuple[str, str], Mapping[str, str]]


def read_facts() -> dict[tuple[str, str], dict[str, str]]:
    """What the docstrings of methods say, as {(kind, name): {field: text}}; kinds are question, interval, game, metric
    and scale, fields those of `surefoot.methods.descriptions`."""
    facts: dict[tuple[str, str], dict[str, str]] = {}
    for key, path in methods_job().inputs.items():
        kind, _, module = key.partition("/")
        if module:
            facts |= {(kind, name or module): fields for name, fields in described(Path(path)).items()}
    return facts


def keys_of(facts: Facts, names: Iterable[tuple[str, str]]) -> list[str]:
    """The keys of the sources of some methods, each once, in their order."""
    sources = [facts.get(name, {}).get("source", "") for name in names]
    return list(dict.fromkeys(part.partition(",")[0] for source in sources for part in source.split("; ") if part))


def citation(keys: Iterable[str]) -> str:
    """Keys as pandoc's Markdown cites them, after a space; nothing without keys."""
    cited = "; ".join(f"@{key}" for key in keys)
    return f" [{cited}]" if cited else ""


def cited_keys(latex: str) -> list[str]:
    """The keys that LaTeX cites, each once, in their order."""
    return list(dict.fromkeys(key.strip() for keys in _CITED.findall(latex) for key in keys.split(",")))


def bibtex(keys: Iterable[str]) -> str:
    """The entries of the bibliography for these keys, as BibTeX, without the addresses of programs.

    Raises
    ------
    KeyError
        for a key that the bibliography does not have
    """
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    # Without a year, BibTeX would warn.
    text += f"""
@misc{{{SUREFOOT},
  title = {{{{Surefoot}}}},
  author = {{{{The Surefoot developers}}}},
  year = {{n.d.}},
  note = {{Version {surefoot.__version__}}}
}}
"""
    entries = {entry[1]: entry[0] for entry in _ENTRY.finditer(text)}
    return "\n".join(with_symbols(_CODE.sub("", entries[key])) for key in sorted(keys))

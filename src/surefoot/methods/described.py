"""What the docstring of a module says of the methods that it has: formula, assumption, guarantee, limits, sources.

Docstrings decide no number, so a sentence may be put right without anything being computed again. A module of one
method, such as the settings of a question, says of it after its first sentences::

    formula : $\\bar x$
    assumes : Runs are independent.
    guarantee : Exact for normal scores.
    not for : Few runs of skewed scores.
    source : student1908; agarwal2021, section 3

A module of several has such lines, indented, below the name of each, and `about` in place of the first sentences. Texts
are Markdown with formulas, `about` is plain; sources are keys of the bibliography, each with the place in it.

Three more fields serve the methods section of a paper: `in a paper` says what was done, as a template that
`surefoot.export.setting_words` fills with the settings; `interval` names the kind of the intervals of a
question that has no setting for it; and `with <setting> <value>` is the guarantee where the setting has that value::

    in a paper : We report the {metrics} at each step, with {band} {intervals}.
    interval : percentile intervals
    with band simultaneous : The band holds the whole curve.
"""

import ast
import re
from pathlib import Path

FIELDS = ("about", "formula", "assumes", "guarantee", "not for", "source")
_FOR_A_PAPER = ("in a paper", "interval", r"with \w+ \w+")
_FIELD = re.compile(rf"( *)({'|'.join((*FIELDS, *_FOR_A_PAPER))}) : (.*)")
_NAME = re.compile(r"\w+")


def first_sentence(path: Path) -> str:
    """The first paragraph of a module's docstring."""
    return " ".join(_docstring(path).split("\n\n")[0].split())


def described(path: Path) -> dict[str, dict[str, str]]:
    """What the docstring of a module says, as {name: {field: text}}; the name is empty in a module of one method.

    A field is one of FIELDS, or one that serves a paper; those that the docstring leaves out are left out.
    """
    found: dict[str, dict[str, str]] = {}
    name, field, indent = "", "", 0
    for line in _docstring(path).split("\n"):
        begins = _FIELD.fullmatch(line)
        if begins:
            field, indent = begins[2], len(begins[1])
            found.setdefault(name if indent else "", {})[field] = begins[3]
        elif field and line.strip() and len(line) - len(line.lstrip()) > indent:
            found[name if indent else ""][field] += f" {line.strip()}"
        else:
            field = ""
            if _NAME.fullmatch(line):
                name = line
    return found


def _docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""

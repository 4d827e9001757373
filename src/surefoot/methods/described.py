"""What docstrings say of methods: formula, assumption, guarantee, limits, sources.

Docstrings decide no number, so a sentence may be put right without anything being computed again. A question says so in
the section Notes of its docstring, and its sources in the section References. A module of one method, such as a scale,
says of it after its first sentences::

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
from typing import TypeGuard

FIELDS = ("about", "formula", "assumes", "guarantee", "not for", "source")
_FOR_A_PAPER = ("in a paper", "interval", r"with \w+ \w+")
_FIELD = re.compile(rf"( *)({'|'.join((*FIELDS, *_FOR_A_PAPER))}) : (.*)")
_NAME = re.compile(r"\w+")
_SECTION = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)


def described(path: Path) -> dict[str, dict[str, str]]:
    """What a module says of its questions or methods, as {name: {field: text}}; the name is empty in a module of one
    method.

    A field is one of FIELDS, or one that serves a paper; those that the docstring leaves out are left out.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    questions = {node.name: _of_question(ast.get_docstring(node) or "") for node in tree.body if _is_question(node)}
    return questions or _of_methods(ast.get_docstring(tree) or "")


def _is_question(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "question"
        for mark in node.decorator_list
    )


def _of_question(docstring: str) -> dict[str, str]:
    text, *rest = _SECTION.split(docstring)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    facts = _of_methods(sections.get("Notes", "")).get("", {}) | {"about": _first_paragraph(text)}
    source = " ".join(sections.get("References", "").split())
    return facts | ({"source": source} if source else {})


def _of_methods(docstring: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    name, field, indent = "", "", 0
    for line in docstring.split("\n"):
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
    if "" in found:
        found[""].setdefault("about", _first_paragraph(docstring))
    return found


def _first_paragraph(docstring: str) -> str:
    return " ".join(docstring.split("\n\n", maxsplit=1)[0].split())

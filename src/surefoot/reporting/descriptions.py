r"""Descriptions of questions, interval methods, metrics and scales for the page of methods, read from docstrings.

Results do not depend on docstrings, so a sentence can be corrected without recomputing any result. The modules are
inputs of the job that makes the tables of the page. Planning imports this module, so it imports little.

A question is described in the section Notes of its docstring, and its sources are in the section References. A module
of one method, such as a scale, has these lines after its first sentences::

    formula : $\bar x$
    assumes : Runs are independent.
    guarantee : Exact for normal scores.
    not for : Few runs of skewed scores.
    source : Student 1908; Agarwal et al. 2021, section 3

A module of several methods has such lines, indented, below the name of each method. There, a line `about` takes the
place of the first sentences. Texts are Markdown with formulas, and `about` is plain text; sources are works of the
bibliography, as `short_name` writes them, possibly followed by a section.

Two more fields are for the methods section of a paper: `interval` names the kind of the intervals of a question that
has no setting for it; and `with <setting> <value>` is the guarantee if the setting has that value::

    interval : percentile intervals
    with band simultaneous : The band holds the whole curve.
"""

import ast
import functools
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml

from surefoot.charts.names import METHODS as REPLICATE_METHODS
from surefoot.questions._framework.question_registry import questions
from surefoot.runs.scales.scale_settings import SCALES
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.metrics.metric_catalogue import METRICS
from surefoot.workflow.fingerprint import SOURCE, module_path
from surefoot.workflow.job import Job
from surefoot.workflow.runner import Task

NAME = "methods"
"""Name of the page. The job of the page uses it in place of the name of a study."""
GAME = "game"
BOOTSTRAP = "interval"
QUESTION = "question"
METRIC = "metric"
SCALE = "scale"
"""Kinds of methods. The kind "game" includes intervals of game scores, and of single means and distributions."""
COLUMNS = ("kind", "family", "name", "title", "about", "formula", "assumes", "guarantee", "not_for", "sources")
FAMILIES: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("families.yaml").read_text("utf-8"))
"""Title and functions of each page of public functions, by the name of the page in docs/."""
_FAMILY_OF = {name: page["title"] for page in FAMILIES.values() for name in page["functions"]}
"""Title of the page of each public function."""
Facts = Mapping[tuple[str, str], Mapping[str, str]]
"""Facts from docstrings, as {(kind, name): {field: text}}."""
_FIELD = re.compile(r"( *)(about|formula|assumes|guarantee|not for|source|interval|with \w+ \w+) : (.*)")
_SECTION = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
_STATISTICS = SOURCE / "surefoot" / "statistics"
_TITLES = {"anderson": "Anderson", "dkw": "DKW", "exact_iqm": "exact IQM", "min_max": "min-max"}
"""Titles of methods that cannot be derived from their names by replacing underscores."""
BIBLIOGRAPHY = Path(__file__).with_name("references.bib")
"""Bibliography of the methods, in BibTeX with one field per line, in braces. The field `code` is the address of the
authors' programs.
"""
BIBTEX_ENTRY = re.compile(r"^@(\w+)\{(\w+),\n(.*?)\n\}$", re.MULTILINE | re.DOTALL)
_BIBTEX_FIELD = re.compile(r"^  (\w+) = \{(.*)\},?$", re.MULTILINE)
_BRACES = re.compile(r"[{}]")
"""Braces keep capital letters of titles in BibTeX."""


def methods_job() -> Job:
    """Return the job whose inputs are the modules that describe methods."""
    modules = sorted({model.__module__ for model in questions().values()})
    paths = {f"question/{name.removeprefix('surefoot.')}": module_path(name) for name in modules}
    paths |= {"interval/replicates": _STATISTICS / "resampling" / "replicate_intervals.py"}
    for kind, folder in (("game", "intervals"), ("metric", "metrics")):
        paths |= {f"{kind}/{path.stem}": path for path in sorted((_STATISTICS / folder).glob("*.py"))}
    for kind, added in (("game", INTERVAL_METHODS.modules), ("metric", METRICS.modules)):
        paths |= {f"{kind}/{name}": module_path(name) for name in dict.fromkeys(added.values())}
    paths |= {f"scale/{name}": module_path(kind.__module__) for name, kind in SCALES.complete().items()}
    here = SOURCE / "surefoot" / "reporting"
    paths |= {"references": here / "references.bib", "families": here / "families.yaml"}
    inputs = {name: os.path.relpath(path) for name, path in paths.items()}
    outputs = {name: f"results/draw/{NAME}/{name}.csv" for name in ("entries", "references")}
    # These tables are not in the catalogue of figures, but pages show them unchanged, so the stage is `draw`.
    settings = {"figures": NAME, "drawings": {}}
    return Job("draw", NAME, "figures", "draw_methods", settings, (), inputs, outputs)


def method_title(kind: str, name: str) -> str:
    """Return the name of a method for use within a sentence."""
    if kind == GAME and name in INTERVAL_METHODS:
        return str(INTERVAL_METHODS[name].title)
    title = _TITLES.get(name, name.replace("_", " "))
    if kind == BOOTSTRAP:
        return REPLICATE_METHODS.get(name, title)
    return (METRICS[name].title if kind == METRIC else "") or title


def described(path: Path) -> dict[str, dict[str, str]]:
    """Return a module's descriptions of its questions or methods, as {name: {field: text}}.

    The name is empty for a module of one method. Fields (see the module docstring) that are missing in the docstring
    are left out.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    questions_there = {}
    for node in tree.body:
        marks = map(ast.unparse, node.decorator_list) if isinstance(node, ast.FunctionDef) else ()
        if isinstance(node, ast.FunctionDef) and any(mark.startswith("question(") for mark in marks):
            text, *rest = _SECTION.split(ast.get_docstring(node) or "")
            sections = dict(zip(rest[::2], rest[1::2], strict=True))
            source = " ".join(sections.get("References", "").split())
            facts = _of_methods(sections.get("Notes", "")).get("", {})
            questions_there[node.name] = facts | {"about": _first_paragraph(text), "source": source}
    return questions_there or _of_methods(ast.get_docstring(tree) or "")


def _of_methods(docstring: str) -> dict[str, dict[str, str]]:
    facts: dict[str, dict[str, str]] = {}
    name = ""
    field = ""
    indent = 0
    for line in docstring.split("\n"):
        begins = _FIELD.fullmatch(line)
        if begins:
            field = begins[2]
            indent = len(begins[1])
            facts.setdefault(name if indent else "", {})[field] = begins[3]
        elif field and line.strip() and len(line) - len(line.lstrip()) > indent:
            facts[name if indent else ""][field] += f" {line.strip()}"
        else:
            field = ""
            if re.fullmatch(r"\w+", line):
                name = line
    if "" in facts:
        facts[""].setdefault("about", _first_paragraph(docstring))
    return facts


def _first_paragraph(docstring: str) -> str:
    return " ".join(docstring.split("\n\n", maxsplit=1)[0].split())


def write(task: Task) -> None:
    """Write the tables `entries` and `references`, as a job; for its inputs, see `methods_job`."""
    import pandas as pd

    bibliography = read_bibliography(task.inputs["references"])
    facts = read_facts(task.inputs)
    for kind, names in ((GAME, INTERVAL_METHODS), (METRIC, METRICS)):  # including methods without a description
        facts |= {(kind, name): facts.get((kind, name), {}) for name in names}
    # As in tables and legends: first the intervals of game scores, then the questions by family.
    ordered = [*((GAME, name) for name in INTERVAL_METHODS), *((QUESTION, name) for name in _FAMILY_OF)]
    place = {method: place for place, method in enumerate(ordered)}
    methods = sorted(facts, key=lambda method: place.get(method, len(place)))
    rows = [_row(*method, facts[method], bibliography) for method in methods]
    pd.DataFrame(rows, columns=list(COLUMNS)).to_csv(task.outputs["entries"], index=False, lineterminator="\n")
    works = pd.DataFrame([{"key": key, "text": citation(entry)} for key, entry in bibliography.items()])
    works.to_csv(task.outputs["references"], index=False, lineterminator="\n")


def read_facts(modules: Mapping[str, str | Path]) -> dict[tuple[str, str], dict[str, str]]:
    """Read the facts in docstrings of methods, as {(kind, name): {field: text}}.

    Kinds are question, interval, game, metric and scale; for the fields, see the module docstring.

    Parameters
    ----------
    modules : paths by name, as in the inputs of `methods_job`: <kind>/<module>; other inputs are ignored
    """
    facts: dict[tuple[str, str], dict[str, str]] = {}
    for key, path in modules.items():
        kind, _, module = key.partition("/")
        methods = described(Path(path)) if module else {}
        facts |= {(kind, name or module): fields for name, fields in methods.items() if name or kind == SCALE}
    return facts


def keys_of(facts: Facts, names: Iterable[tuple[str, str]]) -> list[str]:
    """Return the citation keys of methods, without duplicates, in order of first use."""
    sources = [facts.get(name, {}).get("source", "") for name in names]
    cited = dict.fromkeys(part.partition(",")[0] for source in sources for part in source.split("; ") if part)
    keys = _keys_by_name(read_bibliography())
    return [keys[name] for name in cited]


def sources_as_markdown(source: str, bibliography: Mapping[str, dict[str, str]]) -> str:
    """Convert sources such as "Agarwal et al. 2021, section 3; Student 1908" to Markdown, with links to the works.

    Raises
    ------
    KeyError
        if the bibliography lacks a work
    """
    keys = _keys_by_name(bibliography)
    parts = []
    for part in filter(None, source.split("; ")):
        name, comma, place = part.partition(",")
        link = address(bibliography[keys[name]])
        parts.append(f"[{name}]({link}){comma}{place}" if link else part)
    return "; ".join(parts)


def _keys_by_name(bibliography: Mapping[str, dict[str, str]]) -> dict[str, str]:
    """Return the key of each work by its short name."""
    return {short_name(entry): key for key, entry in bibliography.items()}


def _row(kind: str, name: str, facts: Mapping[str, str], bibliography: Mapping[str, dict[str, str]]) -> dict[str, str]:
    title = method_title(kind, name)
    row = {"assumes": facts.get("assumes", ""), "guarantee": facts.get("guarantee", "")}
    if kind == GAME and name in INTERVAL_METHODS:
        method = INTERVAL_METHODS[name]
        row["assumes"] = row["assumes"] or _sentence(method.assumption)
        row["guarantee"] = _sentence(method.guarantee)
        if method.as_published == method.guarantee:
            row["guarantee"] += " As published, it has the same guarantee."
        elif method.as_published:
            row["guarantee"] += f" As published, it is {method.as_published.replace(' as published', '')}."
    row |= {"kind": kind, "name": name, "title": title[:1].upper() + title[1:], "about": facts.get("about", "")}
    row["family"] = _FAMILY_OF.get(name, "Only in studies") if kind == QUESTION else ""
    row |= {"formula": facts.get("formula", ""), "not_for": facts.get("not for", "")}
    return row | {"sources": sources_as_markdown(facts.get("source", ""), bibliography)}


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."


@functools.cache
def read_bibliography(path: Path = BIBLIOGRAPHY) -> dict[str, dict[str, str]]:
    """Return the entries by key, each as {field: text}, in the order of the file."""
    text = path.read_text(encoding="utf-8")
    return {key: dict(_BIBTEX_FIELD.findall(fields)) for _, key, fields in BIBTEX_ENTRY.findall(text)}


def short_name(entry: dict[str, str]) -> str:
    """Return the name of an entry within a sentence, such as "Agarwal et al. 2021" or "Dolan and Moré 2002"."""
    families = [author.partition(",")[0] for author in entry["author"].split(" and ")]
    named = families[0] + (" et al." if len(families) > 2 else f" and {families[1]}" if len(families) == 2 else "")
    return f"{named} {entry['year']}"


def address(entry: dict[str, str]) -> str:
    """Return the web address of a work: its DOI (also for arXiv), or its URL; empty if it has neither."""
    if "doi" in entry:
        return f"https://doi.org/{quote(entry['doi'], safe='/')}"
    return f"https://doi.org/10.48550/arXiv.{entry['eprint']}" if "eprint" in entry else entry.get("url", "")


def citation(entry: dict[str, str]) -> str:
    """Return the full reference of an entry, as Markdown with links."""
    authors = [" ".join(reversed(author.split(", "))) for author in entry["author"].split(" and ")]
    places = [entry[key] for key in ("journal", "booktitle", "series", "publisher", "school") if key in entry]
    where = ", ".join(f"*{place}*" for place in places)
    numbers = ", ".join(entry[key].replace("--", "\N{EN DASH}") for key in ("volume", "pages") if key in entry)
    title = _BRACES.sub("", entry["title"])
    title = f"[{title}]({address(entry)})" if address(entry) else title
    *others, last = authors
    by = f"{', '.join(others)} and {last}" if others else last
    parts = [by, title, " ".join(part for part in (where, numbers) if part)]
    code = f" [Authors' code]({entry['code']})." if "code" in entry else ""
    return f"{'. '.join(part for part in (*parts, entry['year']) if part)}.{code}"

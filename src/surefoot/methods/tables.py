"""The tables of the methods page: an entry for each question, interval method, metric and scale, and the bibliography.

They are made of the sources that the job takes as inputs, so that no list of methods is kept a second time, and a
docstring that is put right makes this page again and nothing else.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from surefoot.build.runner import Task
from surefoot.methods.bibliography import address, citation, read_bibliography, short_name
from surefoot.methods.described import described
from surefoot.methods.titles import GAME, METRIC, SCALE, method_title
from surefoot.statistics.intervals.entries import INTERVAL_METHODS
from surefoot.statistics.metrics.entries import METRICS

COLUMNS = ("kind", "name", "title", "about", "formula", "assumes", "guarantee", "not_for", "sources")
Bibliography = Mapping[str, dict[str, str]]


def write(task: Task) -> None:
    """Write `entries` and `references`; inputs are called <kind>/<module>, and `references`."""
    bibliography = read_bibliography(task.inputs["references"])
    rows: list[dict[str, str]] = []
    for name, path in task.inputs.items():
        kind, _, module = name.partition("/")
        if module:
            rows += _rows(kind, module, path, bibliography)
    known = {(row["kind"], row["name"]) for row in rows}
    for kind, names in ((GAME, INTERVAL_METHODS), (METRIC, METRICS)):  # of which a module may say nothing
        rows += [_row(kind, name, {}, bibliography) for name in names if (kind, name) not in known]
    # Intervals of the aggregate scores first, as tables and legends list them.
    place = {(GAME, name): place for place, name in enumerate(INTERVAL_METHODS)}
    rows.sort(key=lambda row: place.get((row["kind"], row["name"]), len(place)))
    _write(task.outputs["entries.csv"], COLUMNS, rows)
    entries = ({"key": key, "text": citation(entry)} for key, entry in bibliography.items())
    _write(task.outputs["references.csv"], ("key", "text"), entries)


def sources_as_markdown(source: str, bibliography: Bibliography) -> str:
    """What "agarwal2021, section 3; dolan2002" stands for, with links to the works that have an address.

    Raises
    ------
    KeyError
        for a key that the bibliography has not
    """
    parts = []
    for part in filter(None, source.split("; ")):
        key, comma, place = part.partition(",")
        entry = bibliography[key]
        name = f"[{short_name(entry)}]({address(entry)})" if address(entry) else short_name(entry)
        parts.append(f"{name}{comma}{place}")
    return "; ".join(parts)


def _rows(kind: str, module: str, path: Path, bibliography: Bibliography) -> Iterator[dict[str, str]]:
    for name, facts in described(path).items():
        if name or kind == SCALE:
            yield _row(kind, name or module, facts, bibliography)


def _row(kind: str, name: str, facts: Mapping[str, str], bibliography: Bibliography) -> dict[str, str]:
    title = method_title(kind, name)
    row = {"assumes": facts.get("assumes", ""), "guarantee": facts.get("guarantee", "")}
    if kind == GAME and name in INTERVAL_METHODS:
        method = INTERVAL_METHODS[name]
        row["assumes"] = row["assumes"] or _sentence(method.assumption)
        row["guarantee"] = _sentence(method.guarantee)
        if method.as_published == method.guarantee:
            row["guarantee"] += " As published, it promises no more."
        elif method.as_published:
            row["guarantee"] += f" As published, it is {method.as_published.replace(' as published', '')}."
    row |= {"kind": kind, "name": name, "title": title[:1].upper() + title[1:], "about": facts.get("about", "")}
    row |= {"formula": facts.get("formula", ""), "not_for": facts.get("not for", "")}
    return row | {"sources": sources_as_markdown(facts.get("source", ""), bibliography)}


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."


def _write(path: Path, columns: tuple[str, ...], rows: Iterable[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)

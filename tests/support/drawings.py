"""Drawings of tables, and a paper's comparisons, as the stages `draw` and `compare` make them."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.catalogue import CATALOGUE, COMPARISONS
from surefoot.charts.drawing import Comparison, Drawing, Need, keywords_of, signature_of
from surefoot.registry import function_named

Tables = Mapping[str, pd.DataFrame]
"""Stand-ins for tables of a study, by stage and name; answers of questions of scores are in "numbers"."""


def made(entry: Drawing | Comparison, tables: Tables, facts: Mapping[str, Any] | None = None) -> Any:
    """What the function of an entry of the catalogue makes of those of the tables that it takes.

    A figure without the tables that it requires is its note.
    """
    given = arguments(entry, tables)
    keywords = entry.keywords if isinstance(entry, Drawing) else {}
    function = entry.function
    if isinstance(entry, Drawing) and entry.note and not given.keys() >= set(signature_of(function).required):
        return function_named("surefoot.charts.theme:note_chart")(text=entry.note)
    return function_named(function)(**given, **keywords_of(function, keywords, facts or {}))


def drawn(group: str, name: str, tables: Tables, facts: Mapping[str, Any] | None = None) -> Any:
    """The chart (or None) and the numbers of a drawing of the catalogue."""
    return made(CATALOGUE[group][name], tables, facts)


def compared(figures: str, tables: Tables, facts: Mapping[str, Any] | None = None, side: str = "run") -> pd.DataFrame:
    """The comparison of a paper with its published numbers."""
    return made(COMPARISONS[figures][side], tables, facts)


def is_drawable(entry: Drawing | Comparison, tables: Tables) -> bool:
    """Whether all tables are there that an entry of the catalogue requires."""
    return arguments(entry, tables).keys() >= set(signature_of(entry.function).required)


def arguments(entry: Drawing | Comparison, tables: Tables) -> dict[str, Any]:
    """The tables that an entry takes, by the arguments of its function."""
    found: dict[str, Any] = {}
    for argument, needs in entry.tables.items():
        if isinstance(needs, Need):
            if (table := _table(needs, tables)) is not None:
                found[argument] = table
        elif isinstance(needs, Mapping):
            known = {label: _table(need, tables) for label, need in needs.items()}
            found[argument] = {label: table for label, table in known.items() if table is not None}
        elif parts := [table for need in needs if (table := _table(need, tables)) is not None]:
            found[argument] = pd.concat(parts, ignore_index=True)
    return found


def names_of(need: Need) -> list[str]:
    """The names under which stand-ins may have the table of a need."""
    name = f"{need.name}_{need.table}" if need.table else need.name
    answers = [f"{stage}/{name}" for stage in ("numbers", "aggregate", "estimate", "cover")]
    return {
        "answer": answers,
        "first": answers,
        "larger": [f"recorded/{name}"],
        "largest": [f"recorded/{name}", *answers],
        "kept": [name],
        "every": [name],
        "studies": [f"all_{name}"],
    }.get(need.of, [f"{need.of}/{name}"])


def _table(need: Need, tables: Tables) -> Any:
    table = next((tables[name] for name in names_of(need) if name in tables), None)
    if table is not None and need.of in ("every", "studies"):
        return {str(study): rows.drop(columns="study") for study, rows in table.groupby("study", sort=False)}
    return table


def with_comparisons(figures: str, tables: Tables, facts: Mapping[str, Any] | None = None) -> dict[str, pd.DataFrame]:
    """The tables, and "compare/run" and "compare/record" where there is what they need."""
    comparisons = {
        f"compare/{side}": made(entry, tables, facts)
        for side, entry in COMPARISONS.get(figures, {}).items()
        if is_drawable(entry, tables)
    }
    return {**tables, **comparisons}

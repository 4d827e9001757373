"""Make figures, tables and comparisons with papers from stand-in tables, as the stages `draw` and `compare` do."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.draw import numbers_of
from surefoot.charts.drawing import Comparison, Drawing, Need, keywords_of, signature_of
from surefoot.charts.drawing_catalogue import CATALOGUE, COMPARISONS
from surefoot.charts.theme import chart_by, note_chart, note_numbers
from surefoot.registry import function_named

Tables = Mapping[str, pd.DataFrame]
"""Stand-ins for tables of a study, by stage and name; results of questions about scores have the stage "numbers"."""


def made(entry: Drawing | Comparison, tables: Tables, facts: Mapping[str, Any] | None = None) -> Any:
    """Call the function of a catalogue entry with the tables that it needs.

    If a required table of a figure is missing, the figure has its note as text.

    Returns
    -------
    The DataFrame of a comparison, or the chart (None for a table) and the numbers of a drawing.
    """
    given = arguments(entry, tables)
    keywords = entry.keywords if isinstance(entry, Drawing) else {}
    function = entry.function
    if isinstance(entry, Drawing) and entry.note and not given.keys() >= set(signature_of(function).required):
        return note_chart(text=entry.note), note_numbers()
    draw = function_named(function)
    known = keywords_of(function, keywords, facts or {})
    if isinstance(entry, Drawing) and entry.kind == "figure":
        return chart_by(draw, **given, **known), numbers_of(draw, given, known)
    result = draw(**given, **known)
    return (None, result) if isinstance(entry, Drawing) else result


def drawn(group: str, name: str, tables: Tables, facts: Mapping[str, Any] | None = None) -> Any:
    """Return the chart (or None) and the numbers of a figure or table in the catalogue."""
    return made(CATALOGUE[group][name], tables, facts)


def compared(figures: str, tables: Tables, facts: Mapping[str, Any] | None = None, side: str = "run") -> pd.DataFrame:
    """Return the comparison of our results with the published numbers of a paper."""
    return made(COMPARISONS[figures][side], tables, facts)


def is_drawable(entry: Drawing | Comparison, tables: Tables) -> bool:
    """Return True if all required tables of a catalogue entry are available."""
    return arguments(entry, tables).keys() >= set(signature_of(entry.function).required)


def arguments(entry: Drawing | Comparison, tables: Tables) -> dict[str, Any]:
    """Return the available tables of an entry, by the arguments of its function."""
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
    """Return the possible names of the stand-in for a needed table."""
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
    """Add "compare/run" and "compare/record" to the tables, if the tables that they need are available."""
    comparisons = {
        f"compare/{side}": made(entry, tables, facts)
        for side, entry in COMPARISONS.get(figures, {}).items()
        if is_drawable(entry, tables)
    }
    return {**tables, **comparisons}

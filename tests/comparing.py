"""Drawings of tables, and a paper's comparisons, as the stages `draw` and `compare` make them."""

from typing import Any

import pandas as pd

from surefoot.charts.catalogue import COMPARISONS
from surefoot.charts.drawing import Comparison, Drawing
from surefoot.registry import function_named


def made(entry: Drawing | Comparison, tables: dict[str, pd.DataFrame], settings: dict) -> Any:
    """What the function of an entry of the catalogue makes of those of the tables that it takes."""
    given = {key: tables[key] for key in (*entry.needs, *entry.optional) if key in tables}
    own = (entry.setting or {}) if isinstance(entry, Drawing) else {}
    return function_named(entry.function)(given, settings | dict(own))


def with_comparisons(figures: str, tables: dict[str, pd.DataFrame], settings: dict | None = None) -> dict:
    """The tables, and "compare/run" and "compare/record" where there is what they need."""
    compared = {
        f"compare/{side}": made(comparison, tables, settings or {})
        for side, comparison in COMPARISONS.get(figures, {}).items()
        if tables.keys() >= {*comparison.needs}
    }
    return tables | compared

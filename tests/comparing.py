"""Tables with a paper's comparisons, as the stage `compare` makes them."""

from importlib import import_module

import pandas as pd

from surefoot.charts.catalogue import COMPARISONS


def with_comparisons(figures: str, tables: dict[str, pd.DataFrame], settings: dict | None = None) -> dict:
    """The tables, and "compare/run" and "compare/record" where there is what they need."""
    made = {}
    for side, comparison in COMPARISONS.get(figures, {}).items():
        given = {key: tables[key] for key in (*comparison.needs, *comparison.optional) if key in tables}
        if given.keys() >= {*comparison.needs}:
            module, _, name = comparison.function.partition(":")
            made[f"compare/{side}"] = getattr(import_module(module), name)(given, settings or {})
    return tables | made

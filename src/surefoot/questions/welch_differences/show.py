"""How differences by Welch's test are shown."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import FREEDOM_FORMULAS
from surefoot.charts.selection import numbers_of_analysis
from surefoot.result_tables import Tables


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """On how many games the two methods differ at usual levels, by either formula: columns formula, level, differ,
    and a column for each method that is better."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame(columns=["formula", "level", "differ"])
    numbers = numbers.assign(method=numbers["method"].replace("", "differ"))
    wide = numbers.pivot(index=["degrees_of_freedom", "level"], columns="method", values="count").reset_index()
    wide.insert(0, "formula", wide.pop("degrees_of_freedom").map(FREEDOM_FORMULAS))
    return None, wide.sort_values(["formula", "level"], ascending=[True, False], ignore_index=True)

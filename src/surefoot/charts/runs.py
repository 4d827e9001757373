"""Numbers of runs."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.selection import (
    with_titles,
)
from surefoot.result_tables import Tables


def table_runs(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Number of runs in each environment (rows) of each algorithm (columns), both by title."""
    runs = with_titles(tables["collect/runs"], settings)
    numbers = pd.crosstab(runs["environment_title"], runs["title"])
    numbers = numbers.reindex(index=runs["environment_title"].unique(), columns=runs["title"].unique())
    numbers = numbers.rename_axis(index="environment", columns=None)
    return None, numbers.rename(columns={"environment": "environment (algorithm)"}).reset_index()

"""The agents of a study that plays Bayesian agents."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.charts.entries import AGENTS
from surefoot.charts.selection import titles

Tables = Mapping[str, pd.DataFrame]


def table_agents(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """All agents with their scores and times, as the library's full table has it (section 5.2); the times of single
    decisions where the study keeps them. Without rows in a study that plays none."""
    if AGENTS not in tables:
        return None, pd.DataFrame({"title": pd.Series(dtype=object)})
    table = tables[AGENTS].copy()
    for column in ("decision_mean", "decision_longest"):
        table[column] = table.get(column, np.nan)
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        table.insert(0, column, table[kind].map(titles(table[kind], settings, kind)))
    return None, table

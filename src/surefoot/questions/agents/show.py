"""How the agents of a study that plays Bayesian agents are shown."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.entries import AGENTS
from surefoot.charts.selection import titles
from surefoot.result_tables import Tables


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """All agents with their scores and times, as the library's full table has it (section 5.2); the times of single
    decisions where the study keeps them. Without rows in a study that plays none."""
    if AGENTS not in tables:
        return None, pd.DataFrame({"title": pd.Series(dtype=object)})
    agents = tables[AGENTS].copy()
    for column in ("decision_mean", "decision_longest"):
        agents[column] = agents.get(column, np.nan)
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        agents.insert(0, column, agents[kind].map(titles(agents[kind], settings, kind)))
    agents["variant_title"] = agents["variant"].str.replace("_", " ")
    return None, agents

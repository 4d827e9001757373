"""Scores and times of each Bayesian agent in each environment."""

import pandas as pd

from surefoot.questions.agents.settings import Settings
from surefoot.questions.answering import Shared
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.plays import agent_table


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """A row for each agent, its parameters and an environment; see `agent_table`."""
    return agent_table(tables["runs"])

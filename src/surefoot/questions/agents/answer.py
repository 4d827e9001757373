"""Scores and times of each Bayesian agent in each environment."""

import pandas as pd

from surefoot.questions.agents.settings import Settings
from surefoot.questions.answering import Shared
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.plays import agent_table


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The score and the times of each agent, with each of its parameters, in each environment.

    Returns
    -------
    as `agent_table` returns it
    """
    return agent_table(tables["runs"])

"""What the published scores are of: agents in environments.

Their quantity is mean, or library where the authors' program made them.
"""

import pandas as pd

from surefoot.bayesian.registry import case_and_experiment
from surefoot.statistics.comparison.plays import agent_names, read_agent_names
from surefoot.statistics.reproduction.items import item_parts, item_texts

MEAN, LIBRARY = "mean", "library"


def with_items(agents: pd.DataFrame, quantity: str = MEAN) -> pd.DataFrame:
    """The agents with the items of their published scores in a column item."""
    return agents.assign(item=item_texts(quantity, agents["environment"], agent_names(agents)))


def scored_agents(items: pd.Series) -> pd.DataFrame:
    """What items are of: columns case, experiment, environment, such as "accurate/gc", algorithm and parameters."""
    parts = item_parts(items, "case", "experiment", "agent")
    parts.insert(2, "environment", item_texts(parts["case"], parts["experiment"]))
    return parts.join(read_agent_names(parts.pop("agent")))


def in_case(environments: pd.Series, case: str) -> pd.Series:
    """bool for each environment: is it of this case?"""
    return environments.map(lambda environment: case_and_experiment(environment)[0] == case).astype(bool)

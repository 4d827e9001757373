"""Stand-ins for all tables of studies with trials, and the catalogue entries that they are drawn with."""

import functools

import pandas as pd
from support.drawings import with_comparisons
from support.stand_in_tables import (
    analyses,
    coverage_tables,
    published_names,
    records,
    sharper,
    stand_in_tables,
    subsamples,
)

from surefoot.charts.drawing_catalogue import CATALOGUE, METRICS

LONG = ["an algorithm whose name goes on and on and on and on, with commas", "another/one: <b>&</b> [x] 'y'.z"]
PLACES = ["chain_10_deterministic", "gridworld_5_stochastic"]
STUDIES = {
    "paper": (*published_names(), 250),
    "one_environment": (["sarsa", "q_parl2", "mine"], ["chain_10_deterministic"], 10),
    "many_environments": (["sarsa", "q", "dqn"], [*PLACES, *(f"game_{i}" for i in range(55))], 20),
    "long_names": ([*LONG, "sarsa"], ["chain_10_deterministic", 'Ms. Pac-Man "hard" (no-op starts), 200M frames'], 8),
}
ELSEWHERE = [("study", name) for name in ("table_agents", *METRICS)]
"""Entries that need other tables; see tests/papers/castronovo2016 and test_odd_names.py."""
ENTRIES = [(group, name) for group in ("jordan2020", "study") for name in CATALOGUE[group]]
ENTRIES = [entry for entry in ENTRIES if entry not in ELSEWHERE]


@functools.cache
def whole(name: str) -> dict[str, pd.DataFrame]:
    """Return all tables of a study; the paper's study also has coverage, subsamples and records of a large run."""
    tables = stand_in_tables(*STUDIES[name])
    tables |= analyses(tables) | sharper(tables)
    tables["coverage"] = coverage_tables()["cover/corrected"].assign(study="mine", variant="corrected")
    if name == "paper":
        tables |= coverage_tables() | records(tables) | {"estimate/sample_distributions": subsamples(tables)}
    return with_comparisons("jordan2020", tables)

"""The sections on how to add a Bayesian agent and a distribution over MDPs, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
import time

import pandas as pd
from support.one_study import make, planned, refused, told

from surefoot.bayesian import trajectories

trajectories.nanoseconds = lambda clock, reading: time.perf_counter_ns()  # a call of the system, in compiled code alone
plays = {"kind": "plays", "mdps": 3, "block": 3, "horizon": 20, "environments": ["accurate/" + DISTRIBUTION]}
agents = [{"agent": "random"}, {"agent": AGENT, "parameters": PARAMETERS}]
jobs = planned({"sources": {"runs": plays | {"agents": agents}}, "questions": {"evaluation_game_scores": {}}})
print(sorted({module for job in jobs if job.stage == "simulate" for module in job.modules} & {MODULE}))
made = make(jobs, lambda job: job.stage in ("simulate", "collect"))
runs = pd.read_parquet(made["runs"])
own = runs[runs["algorithm"].str.startswith(AGENT)]
print(len(own), own["environment"].iloc[0], own["score"].notna().all(), own["score"].nunique() > 1)
titles = told(jobs, "titles") | told(jobs, "environment_titles")
print(sorted(title for name, title in titles.items() if name.startswith(AGENT) or DISTRIBUTION in name))
print(refused({"sources": {"runs": plays | {"agents": [{"agent": AGENT, "parameters": WRONG}]}}}))
"""


def program(agent: str, parameters: dict, wrong: dict, distribution: str, module: str) -> str:
    names = {"AGENT": agent, "PARAMETERS": parameters, "WRONG": wrong, "DISTRIBUTION": distribution, "MODULE": module}
    return "\n".join(f"{name} = {value!r}" for name, value in names.items()) + PROGRAM


def test_an_agent_is_a_module_and_an_entry(tmp_path):
    module = "surefoot.bayesian.agents.alternating"
    assert follow("A Bayesian agent", tmp_path) == [
        "src/surefoot/bayesian/agents/alternating.py",
    ]
    asked = program("alternating", {"times": [2]}, {"times": [0]}, "gc", module)
    decided, plays, titles, wrong = run(tmp_path, asked).splitlines()
    assert decided == f"['{module}']"
    assert plays == "3 accurate/gc True True"
    assert "Alternating" in titles
    assert "agents.0.parameters.times" in wrong


def test_a_distribution_is_a_module_and_an_entry(tmp_path):
    module = "surefoot.bayesian.two_rooms"
    assert follow("A distribution over MDPs", tmp_path) == [
        "src/surefoot/bayesian/two_rooms.py",
    ]
    asked = program("e_greedy", {"epsilon": [0.5]}, {"epsilon": [2]}, "two_rooms", module)
    decided, plays, titles, _ = run(tmp_path, asked).splitlines()
    assert decided == f"['{module}']"
    assert plays == "3 accurate/two_rooms True True"
    assert "Two rooms" in titles

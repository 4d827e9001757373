"""The sections on how to add an environment and an algorithm, followed literally."""

from support.extending_page import follow, run

PROGRAM = """
import pandas as pd
from support.one_study import make, planned, refused, told

runs = {"kind": "trials", "algorithms": ["q", ALGORITHM], "environments": [ENVIRONMENT]}
study = {"sources": {"runs": runs | {"trials": 3, "block": 3}}, "questions": {"evaluation_game_intervals": {}}}
jobs = planned(study | {"questions": {"evaluation_game_intervals": {"methods": ["pbp"]}}})
simulating = [job for job in jobs if job.stage == "simulate"]
print(sorted({module for job in simulating for module in job.modules} & {MODULE}))
made = make(jobs, lambda job: job.stage in ("simulate", "collect"))
trials = pd.read_parquet(made["runs"])
own = trials[(trials["algorithm"] == ALGORITHM) & (trials["environment"] == ENVIRONMENT)]["score"]
print(len(own), bool(own.between(LEAST, 0).all()), own.nunique())
print(told(jobs, "titles").get(ALGORITHM), told(jobs, "environment_titles").get(ENVIRONMENT))
print(refused({"sources": {"runs": runs | {"environments": [ENVIRONMENT + "o"], "trials": 3}}}))
"""


def program(algorithm: str, environment: str, module: str, least: float) -> str:
    names = {"ALGORITHM": algorithm, "ENVIRONMENT": environment, "MODULE": module, "LEAST": least}
    return "\n".join(f"{name} = {value!r}" for name, value in names.items()) + PROGRAM


def test_an_environment_is_a_module_and_an_entry(tmp_path):
    module = "surefoot.simulation.environments.tightrope"
    assert follow("An environment", tmp_path) == [
        "src/surefoot/simulation/environments/tightrope.py",
    ]
    decided, trials, titles, misspelt = run(tmp_path, program("sarsa", "tightrope_6", module, -100)).splitlines()
    assert decided == f"['{module}']"
    assert trials == "3 True 3"
    assert titles.endswith(" Tightrope 6")
    assert 'did you mean "tightrope_6"?' in misspelt


def test_an_algorithm_is_a_module_and_an_entry(tmp_path):
    module = "surefoot.simulation.agents.nac_td_zero"
    assert follow("An algorithm", tmp_path) == [
        "src/surefoot/simulation/agents/nac_td_zero.py",
    ]
    printed = run(tmp_path, program("nac_td_zero", "chain_10_deterministic", module, -199))
    decided, trials, titles, _ = printed.splitlines()
    assert decided == f"['{module}']"
    assert trials == "3 True 3"
    assert titles.startswith("NAC-TD(0) ")

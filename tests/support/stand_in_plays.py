"""Stand-in tables for a study of Bayesian agents."""

import functools

import numpy as np
import pandas as pd
from support.paths import ROOT

from surefoot.bayesian.bayesian_registry import AGENTS
from surefoot.statistics.comparison.paired_plays import VIEWS, agent_table, paired_z, time_bounds

PUBLISHED = ROOT / "config" / "published" / "castronovo2016.csv"
ENVIRONMENTS = [f"{case}/{name}" for case in ("accurate", "inaccurate") for name in ("gc", "gdl", "grid")]


def published():
    return pd.read_csv(PUBLISHED)


def published_agents():
    """Return the columns environment, algorithm, parameters and score of the published means."""
    names = published()["item"].str.extract(r"^mean/(?P<environment>.*/.*)/(?P<algorithm>.*)\((?P<parameters>.*)\)$")
    return names.assign(score=published()["published"]).dropna()


def plays():
    """Return plays with scores near the published ones on 20 MDPs per agent, and times that increase by agent."""
    random = np.random.default_rng(1)
    parts = []
    for place, row in enumerate(published_agents().itertuples()):
        variants = AGENTS[row.algorithm].variants[:2] or [""]
        for variant in variants:
            part = {"run": range(20), "score": row.score + random.normal(size=20), "variant": variant}
            part |= {"environment": row.environment, "algorithm": row.algorithm}
            part |= {"parameters": row.parameters, "failed": False, "decisions": 250, "machine": "here"}
            part |= {"seconds_offline": 1e-5 * 3.0 ** (place % 8), "seconds_online": 1e-4 * 5.0 ** (place % 8)}
            parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def tables_of_plays():
    """Return the plays, and the tables that are made from them; a test may change its own."""
    return {name: table.copy() for name, table in _tables_of_plays().items()}


@functools.cache
def _tables_of_plays():
    table = plays()
    return {
        "collect/plays": table,
        "aggregate/agents": agent_table(table),
        "aggregate/time_bounds": time_bounds(table),
        "estimate/paired_z": paired_z(table),
        "published": published(),
        **views(list(published_agents()["algorithm"].unique())),
    }


def views(algorithms):
    """Return values that decrease from one algorithm to the next in each view."""
    values = pd.DataFrame({"algorithm": algorithms, "estimate": np.linspace(0.9, 0.1, len(algorithms)), "runs": 20})
    values = values.assign(rank=range(1, len(values) + 1), low=values["estimate"] - 0.1, high=values["estimate"] + 0.1)
    points = values.drop(columns=["low", "high"]).assign(aggregate="game_score", environment="", standard_error=np.nan)
    others = [values.assign(view=view, n_resamples=10) for view in VIEWS[1:]]
    return {"aggregate/evaluation_game_scores": points, "estimate/views": pd.concat(others, ignore_index=True)}


def settings(**others):
    """Return the facts that the plan knows about a study of plays."""
    titles = {name: entry.title for name, entry in AGENTS.items()}
    facts = {"titles": titles, "environment_titles": {name: name for name in ENVIRONMENTS}}
    return facts | {"discount": 0.95, "horizon": 250} | others


def recorded_rows(**changes):
    row = {"item": "mean/accurate/gc/random()", "published": 31.12, "ours": 31.5, "ours_standard_error": 0.5}
    row |= {"standard_error": 0.7, "z": 0.5, "verdict": "reproduced", "reason": np.nan, "trials": 500}
    row |= {"detectable": 3.4, "allowed": np.nan}
    return pd.DataFrame([row | {"corrected": np.nan, "corrected_trials": np.nan} | changes])


def agents_of(*rows):
    """Return a table of agents with the columns that a comparison reads."""
    names = ("environment", "algorithm", "parameters", "variant", "estimate", "standard_error", "runs")
    return pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])

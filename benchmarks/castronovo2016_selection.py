"""How far selection lowers ours below the published scores: python benchmarks/castronovo2016_selection.py PLAYS OUT.csv

Castronovo et al. 2016 played every agent with each of its parameters on the same 500 MDPs, and printed the best mean of
each agent. PLAYS is the table of plays of a build (results/collect/castronovo2016/plays.parquet), from which two
correlations between scores on the same MDPs are measured: of two settings of one agent, and of two agents.

With these, published scores are drawn and ours beside them, 500 MDPs each, in standard errors: of each score as many
settings as the paper tried, all equally good, of which the paper prints the greatest mean, while ours is that of one
setting fixed in advance. As real settings are not equally good, the true shift is smaller. OUT.csv has a row: the two
correlations, how many scores, the mean shift of their differences in standard errors of the difference, and its
standard deviation, which is large because agents share their MDPs.
"""

import sys
from itertools import combinations

import numpy as np
import pandas as pd

FEWEST, DRAWS, SEED = 30, 20_000, 2016


def correlations(plays: pd.DataFrame) -> tuple[float, float]:
    """Mean correlations, over environments, of two settings of an agent and of two agents on `FEWEST` MDPs or more."""
    settings, agents = [], []
    plays = plays[plays["variant"].fillna("").isin(["", "as_published"])]
    for _, rows in plays.groupby("environment"):
        scores = rows.pivot(index="run", columns=["algorithm", "parameters"], values="score")
        for first, second in combinations(scores, 2):
            both = scores[[first, second]].dropna()
            if len(both) >= FEWEST and (both.std() > 0).all():
                same = first[0] == second[0]
                (settings if same else agents).append(both.corr().iloc[0, 1])
    return float(np.mean(settings)), float(np.mean(agents))


def shifts(scores: pd.DataFrame, settings: float, agents: float) -> np.ndarray:
    """Mean differences, ours less published, in their standard errors: float64[draws].

    scores : columns experiment (whose MDPs both cases share) and choices
    """
    random = np.random.default_rng(SEED)
    experiments = scores["experiment"].unique()
    total = np.zeros(DRAWS)
    luck = {name: random.normal(size=(2, DRAWS)) for name in experiments}
    for row in scores.itertuples():
        agent = random.normal(size=(2, DRAWS))
        greatest = np.full(DRAWS, -np.inf)
        for _ in range(int(row.choices)):
            greatest = np.maximum(greatest, random.normal(size=DRAWS))
        setting = np.array([greatest, random.normal(size=DRAWS)])
        published, ours = (
            np.sqrt(agents) * luck[row.experiment]
            + np.sqrt(settings - agents) * agent
            + np.sqrt(1.0 - settings) * setting
        )
        total += (ours - published) / np.sqrt(2.0)
    return total / len(scores)


def main(plays: str, out: str) -> None:
    published = pd.read_csv("config/published/castronovo2016.csv")
    scores = published[published["item"].str.startswith("mean/") & (published["choices"] > 1)]
    scores = scores.assign(experiment=scores["item"].str.split("/").str[1])
    settings, agents = correlations(pd.read_parquet(plays))
    shift = shifts(scores[["experiment", "choices"]], settings, agents)
    row = {"settings_correlation": settings, "agents_correlation": agents, "scores": len(scores)}
    row |= {"shift": shift.mean(), "deviation": shift.std()}
    pd.DataFrame([row]).to_csv(out, index=False, float_format="%.4f")


if __name__ == "__main__":
    main(*sys.argv[1:])

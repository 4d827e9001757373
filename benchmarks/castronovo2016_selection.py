"""Simulate by how much published scores exceed ours because the paper selected the best parameters.

    python benchmarks/castronovo2016_selection.py PLAYS OUT.csv

Castronovo et al. 2016 played every agent with several parameters on the same 500 MDPs and printed the best mean of
each agent. PLAYS is a table of plays, such as results/collect/castronovo2016/plays.parquet. From it the correlation of
the scores of two settings of one agent, and of two agents, on the same MDPs is estimated.

With these correlations, published scores and ours are drawn. Each agent has as many settings as the paper tried, all
equally good; its published score is the greatest of their means, and our score is the mean of a setting fixed in
advance. As real settings are not equally good, the true shift is smaller. OUT.csv has one row: the two correlations,
the number of scores, the mean over these scores of the z-score of the difference (ours - published), and the standard
deviation of this mean, which is large because agents share their MDPs.
"""

import sys
from itertools import combinations

import numpy as np
import pandas as pd

FEWEST, DRAWS, SEED = 30, 20_000, 2016


def correlations(plays: pd.DataFrame) -> tuple[float, float]:
    """Return the mean correlation of scores of two settings of an agent, and of two agents, on the same MDPs.

    Pairs that share fewer than `FEWEST` MDPs are left out.
    """
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
    """Return the mean z-score of the differences (ours - published) in each simulated draw, float64[DRAWS].

    Parameters
    ----------
    scores : DataFrame
        Published scores: experiment (scores of one experiment share their MDPs) and choices (number of settings tried).
    settings, agents : float
        Correlations from `correlations`.
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

"""Compute the tables of the leaderboards: python benchmarks/leaderboards.py [FOLDER]

Writes reports/records/leaderboards/ from the published runs, which are read from FOLDER or downloaded; their SHA-256 is
checked. The tables have no score of a single run. A new algorithm needs its runs in a published table
(config/published/sources.csv) and a row in config/published/leaderboards.csv.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import surefoot
from surefoot.runs.published.published_source import sources_of
from surefoot.runs.result_tables import read_table
from surefoot.runs.scales.published_scores import BENCHMARKS
from surefoot.statistics.comparison.simultaneous_comparisons import letters
from surefoot.workflow.project import PUBLISHED, RECORDS

METRIC = "exact_iqm"  # algorithms have unequal numbers of runs
REPLICATES = 2000
SEED = 2108
ON_THE_HOME_PAGE = "atari_100k"
REFERENCES = {
    "atari_100k": "atari_human",
    "ale_200m": "atari_human",
    "dm_control_100k": "dm_control",
    "dm_control_500k": "dm_control",
    "procgen": "procgen_easy",
}


def normalized_runs(benchmark: str, folder: str | None = None) -> pd.DataFrame:
    """Return the scores of all runs of a benchmark on its common scale."""
    runs = surefoot.published_scores(benchmark, folder=folder)
    return surefoot.normalize_scores(runs, "reference_scores", reference_table=REFERENCES[benchmark])


def standings(scores: pd.DataFrame) -> pd.DataFrame:
    """Return each algorithm's IQM with its interval, letters and range of ranks, best algorithm first."""
    how = {"n_resamples": REPLICATES, "seed": SEED}
    compared = surefoot.multiple_comparisons(scores, metric=METRIC, **how).table().set_index("algorithm")
    metrics = surefoot.aggregate_metrics(scores, metrics=[METRIC], **how).table().set_index("algorithm")
    runs = scores.groupby(["algorithm", "environment"], observed=True).size().groupby("algorithm", observed=True)
    table = compared[["group_letters", "rank_low", "rank_high", "tied_with_best"]].join(
        metrics[["estimate", "low", "high", "shared_runs", "remark"]]
    )
    table["runs"] = runs.min()
    table["tasks"] = runs.size()
    return table.rename(columns={"estimate": "iqm"}).reset_index()


def comparisons(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the table of `surefoot.multiple_comparisons`, for the chart on the home page."""
    compared = surefoot.multiple_comparisons(scores, metric=METRIC, n_resamples=REPLICATES, seed=SEED).table()
    return compared.assign(metric="iqm")  # the leaderboards call it IQM


def tasks(scores: pd.DataFrame, best_first: list[str]) -> pd.DataFrame:
    """Return the means of the algorithms in each environment, with letters that hold for all environments jointly."""
    how = {"n_resamples": REPLICATES, "seed": SEED}
    pairs = surefoot.pairwise_differences(scores, metrics=["mean"], per_task=True, **how).table()
    means = scores.groupby(["environment", "algorithm"], observed=True)["score"].mean()
    parts = []
    for environment, of_task in pairs.groupby("environment", sort=True, observed=True):
        mean = means[environment].reindex(best_first)
        apart = np.zeros((len(best_first), len(best_first)), bool)
        for x, y in of_task.loc[of_task["separated"].astype(bool), ["algorithm", "baseline"]].itertuples(index=False):
            i = best_first.index(x)
            j = best_first.index(y)
            apart[i, j] = apart[j, i] = True
        order = np.argsort(-mean.to_numpy(), kind="stable").tolist()
        columns = {"algorithm": best_first, "mean": mean.to_numpy(), "group_letters": letters(apart, order)}
        parts.append(pd.DataFrame({"environment": environment, **columns}))
    return pd.concat(parts, ignore_index=True)


def address_of_scores(benchmark: str) -> str:
    """Return the web address of the folder, at a fixed commit, with the runs of a benchmark."""
    source = sources_of(BENCHMARKS[benchmark][1][0])[0]
    return f"https://github.com/{source.repository}/tree/{source.commit}/{source.path.rpartition('/')[0]}"


def record(folder: str | None = None) -> dict[str, pd.DataFrame]:
    """Return the tables of the leaderboards by file name."""
    papers = read_table(PUBLISHED / "leaderboards.csv")
    all_standings = []
    all_tasks = []
    for benchmark in REFERENCES:
        scores = normalized_runs(benchmark, folder)
        table = standings(scores)
        all_standings.append(table.assign(benchmark=benchmark, scores=address_of_scores(benchmark)))
        all_tasks.append(tasks(scores, table["algorithm"].tolist()).assign(benchmark=benchmark))
    joined = pd.concat(all_standings).merge(papers, on=["benchmark", "algorithm"], how="left", validate="1:1")
    compared = comparisons(normalized_runs(ON_THE_HOME_PAGE, folder)).assign(benchmark=ON_THE_HOME_PAGE)
    return {"standings": joined, "tasks": pd.concat(all_tasks), "comparisons": compared}


if __name__ == "__main__":
    target = RECORDS / "leaderboards"
    target.mkdir(parents=True, exist_ok=True)
    for name, table in record(*sys.argv[1:]).items():
        ordered = table[["benchmark", *table.columns.drop("benchmark")]]
        ordered.to_csv(Path(target) / f"{name}.csv", index=False, float_format="%.6g")
        print(f"{target / name}.csv: {len(table)} rows")

"""Make run tables from published tables: algorithm, environment, run, score, and the reference scores zero and one.

CURL's scores were published human-normalized, so their reference scores are 0 and 1.
"""

from collections.abc import Callable
from functools import partial

import pandas as pd

from surefoot.runs.result_tables import Tables

_NAMES = ["algorithm", "environment", "run", "score"]
_CALLED = {"game": "environment", "env": "environment", "env_name": "environment", "alg_type": "algorithm"}
_CALLED |= {"percentile_normalized_return": "score"}
"""Column names in published tables, mapped to the usual names."""

ATARI_100K = ("SimPLe", "DER", "OTR", "CURL", "DrQ", "DrQ(eps)", "SPR")
ALE = ("DQN (Nature)", "DQN (Adam)", "C51", "REM", "IQN", "Rainbow", "M-IQN", "DreamerV2")
PROCGEN = ("PPO", "MixReg", "UCB-DrAC", "PLR", "PPG", "IDAAC")
DM_CONTROL = ("SAC+AE", "SLAC", "Dreamer", "CURL", "RAD", "DrQ", "PISAC", "SUNRISE", "CURL-D2RL")
CURVE_FRAMES = (1, 10, 25, 50, 75, 100, 125, 150, 175, 200)


def run_table(name: str, tables: Tables) -> pd.DataFrame:
    """Make a run table from published tables.

    Parameters
    ----------
    name : name of the run table in the configuration
    tables : the required published tables and shipped tables (`source.KEPT`), by name

    Returns
    -------
    a table with the columns algorithm, environment, run and score; for curves also frames (in millions); and the
    reference scores zero and one, if some scores were published normalized. Rows are in the display order of algorithms
    """
    function, order = _TABLES[name]
    table = function({key: table.rename(columns=_CALLED) for key, table in tables.items()})
    if order is None:
        return table.reset_index(drop=True)
    position = {algorithm: place for place, algorithm in enumerate(order)}
    table = table[table["algorithm"].isin(position)]
    return table.sort_values("algorithm", key=lambda names: names.map(position), kind="stable", ignore_index=True)


def _atari100k(tables: Tables) -> pd.DataFrame:
    runs = tables["atari100k/final_scores"][_NAMES]
    return pd.concat([runs, _curl(tables, "hns_final", "CURL")], ignore_index=True)


def _curl(tables: Tables, column: str, algorithm: str) -> pd.DataFrame:
    curl = tables["atari100k/curl_final_and_max"]
    return curl.assign(algorithm=algorithm, score=curl[column], zero=0.0, one=1.0)[[*_NAMES, "zero", "one"]]


def _atari100k_protocols(tables: Tables) -> pd.DataFrame:
    """Return the runs of DER and CURL, once with final scores and once with the greatest of ten evaluations."""
    evaluations = tables["atari100k/der_ten_evaluations"]
    greatest = evaluations.groupby(["environment", "run"], sort=False, as_index=False)["score"].max()
    final = evaluations[evaluations["evaluation"] == evaluations["evaluation"].max()]
    parts = [
        final.assign(algorithm="DER")[_NAMES],
        greatest.assign(algorithm="DER, maximum of 10")[_NAMES],
        _curl(tables, "hns_final", "CURL"),
        _curl(tables, "hns_max_of_10", "CURL, maximum of 10"),
    ]
    return pd.concat(parts, ignore_index=True)


def _in_atari_55(runs: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    games = tables["atari_games"]
    return runs[runs["environment"].isin(games.loc[games["in_atari_55"], "environment"])]


def _ale200m_curves(tables: Tables) -> pd.DataFrame:
    """Return scores at the numbers of frames in `CURVE_FRAMES`; curves that end early keep their last value."""
    dopamine = tables["ale200m/dopamine_curves"]
    frames = {min(frames - 1, dopamine["iteration"].max()): frames for frames in CURVE_FRAMES}
    dopamine = dopamine[dopamine["iteration"].isin(frames)]
    dopamine = dopamine.assign(frames=dopamine["iteration"].map(frames))[[*_NAMES, "frames"]]
    dreamer = tables["ale200m/dreamerv2_curves"]
    wide = dreamer.pivot(index=["environment", "run"], columns="frames_millions", values="score")
    wide = wide.reindex(columns=range(1, 201)).ffill(axis=1)[list(CURVE_FRAMES)]
    long = wide.stack().rename("score").rename_axis(["environment", "run", "frames"]).reset_index()
    runs = pd.concat([dopamine, long.assign(algorithm="DreamerV2")], ignore_index=True)
    return _in_atari_55(runs, tables).astype({"score": float})


def _dm_control(tables: Tables, steps: str) -> pd.DataFrame:
    """Return scores rounded to one decimal, as in the authors' notebook."""
    runs = tables["dm_control/final_scores"]
    runs = runs[runs["steps"] == steps]
    return runs.assign(score=runs["score"].round(1))[_NAMES]


def _dm_control_published(tables: Tables, steps: str) -> pd.DataFrame:
    """Return means, standard deviations and numbers of runs for algorithms without published runs.

    The unit is thousands, as for the runs of the other algorithms.
    """
    known = tables["dm_control_means"]
    known = known[known["steps"] == steps]
    known = known.assign(run=0, score=known["mean"] / 1000, deviation=known["std"] / 1000)
    return known.assign(runs=known["n_runs_assumed"])[[*_NAMES, "deviation", "runs"]]


def _machado(tables: Tables) -> pd.DataFrame:
    """Return published means as scores, with the standard deviations and numbers of the runs."""
    table = tables["recht2018/machado2018_means_stds"]
    names = table["algorithm"] + " " + table["frames_millions"].astype(str) + "M"
    table = table.assign(algorithm=names, run=0, score=table["mean"], deviation=table["std"], runs=table["n_runs"])
    return table[[*_NAMES, "deviation", "runs"]]


def _adkins(tables: Tables) -> pd.DataFrame:
    """Return normalized means over seeds as scores, with the hyperparameters of each setting."""
    table = tables["adkins2024/data_expected_over_seeds"]
    return table.assign(run=0)[[*_NAMES, "gae_lambda", "ent_coef", "actor_lr", "critic_lr"]]


_TABLES: dict[str, tuple[Callable[[Tables], pd.DataFrame], tuple[str, ...] | None]] = {
    "atari100k": (_atari100k, ATARI_100K),
    "atari100k_all": (_atari100k, (*ATARI_100K, "PlayVirtual")),
    "atari100k_protocols": (_atari100k_protocols, None),
    "ale200m": (lambda tables: _in_atari_55(tables["ale200m/final_scores"][_NAMES], tables), ALE),
    "ale200m_curves": (_ale200m_curves, ("DQN (Nature)", "C51", "IQN", "Rainbow", "DreamerV2")),
    "procgen": (lambda tables: tables["procgen/final_scores"][_NAMES], PROCGEN),
    "procgen_all": (lambda tables: tables["procgen/final_scores"][_NAMES], (*PROCGEN, "DAAC")),
    "dm_control_100k": (partial(_dm_control, steps="100k"), DM_CONTROL),
    "dm_control_500k": (partial(_dm_control, steps="500k"), DM_CONTROL),
    "dm_control_published_100k": (partial(_dm_control_published, steps="100k"), None),
    "dm_control_published_500k": (partial(_dm_control_published, steps="500k"), None),
    "machado2018": (_machado, None),
    "adkins2024": (_adkins, None),
}

"""Convert public files to the tables of published scores, with one function per table.

Scores are unchanged. If a source lists runs in an order, `run` is the index in this order.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from surefoot.runs.pickled_arrays import read_pickled
from surefoot.runs.published.published_source import KEPT

Files = Mapping[str, Path]
"""Paths of a table's files by name without suffix."""

_RENAMED = {"OTRainbow": "OTR"}
_DOPAMINE_AGENTS = {
    "C51": "C51",
    "DQN (Adam + MSE in JAX)": "DQN (Adam, JAX)",
    "DQN": "DQN (Nature)",
    "IQN": "IQN",
    "Quantile (JAX)": "QR-DQN (JAX)",
    "Rainbow": "Rainbow",
}
_MACHADO_RUNS = {"Blob-PROST": 24, "DQN": 5}
_MACHADO_FRAMES = (10, 50, 100, 200)


def convert(table: str, files: Mapping[str, Path], games: pd.DataFrame | None = None) -> pd.DataFrame:
    """Convert the public files of a published table.

    Parameters
    ----------
    table : such as "atari100k/final_scores"
    files : the paths of its verified files, by `<repository>/<path>`
    games : the Atari games, for the tables that need them (`source.KEPT`): columns game, in_atari_26, in_atari_55,
        in_machado_60

    Returns
    -------
    a table with one row per observation, and with the columns in `TABLES`
    """
    conversion, columns = TABLES[table]
    paths = {PurePosixPath(place).stem: path for place, path in files.items()}
    converted = conversion(paths, games) if table in KEPT else conversion(paths)
    return converted[list(columns)]


def _json(path: Path) -> Any:
    return json.loads(path.read_text())


def _stacked(scores: Mapping[str, Any], *names: str) -> pd.DataFrame:
    """Flatten a nested mapping, name -> ... -> scores of runs, to one row per score."""
    rows = [(*keys, run, float(score)) for keys, runs in _leaves(scores) for run, score in enumerate(runs)]
    return pd.DataFrame(rows, columns=[*names, "run", "score"])


def _leaves(scores: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(scores, Mapping):
        for key, inner in scores.items():
            yield from _leaves(inner, (*keys, key))
    else:
        yield keys, scores


def _records(files: Files) -> pd.DataFrame:
    return pd.DataFrame([row for _, path in sorted(files.items()) for row in _json(path)])


def _atari100k_final(files: Files) -> pd.DataFrame:
    order = ("DER", "OTRainbow", "DrQ", "DrQ(eps)", "SPR", "SimPLe", "PlayVirtual")
    return _stacked({_RENAMED.get(name, name): _json(files[name]) for name in order}, "algorithm", "game")


def _der_evaluations(files: Files) -> pd.DataFrame:
    table = _records(files)
    score = table["eval_average_return"].astype(float)
    return table.assign(run=table["run_number"] - 1, evaluation=table["iteration"], score=score)


def _curl_maximum(files: Files) -> pd.DataFrame:
    table = _records(files)
    seed = table["seed"].astype(int)
    return table.assign(run=seed - 1, seed_label=seed, hns_final=table["HNS"], hns_max_of_10=table["Max HNS"])


def _dopamine_curves(files: Files, games: pd.DataFrame) -> pd.DataFrame:
    names = {game.lower(): game for game in games["game"]}
    parts = [pd.DataFrame(_json(path)).assign(game=names[name]) for name, path in sorted(files.items())]
    table = pd.concat(parts, ignore_index=True)
    run = table.groupby(["game", "Agent", "Iteration"], sort=False).cumcount()
    table = table.assign(algorithm=table["Agent"].map(_DOPAMINE_AGENTS), iteration=table["Iteration"], run=run)
    table = table.dropna(subset="algorithm").assign(score=table["Value"].astype(np.float32))
    return table.reset_index(drop=True)


def _dreamer_curves(files: Files, games: pd.DataFrame) -> pd.DataFrame:
    (path,) = files.values()
    names = {game.lower(): game for game in games["game"]}
    order = {("dreamerv2", str(seed)): run for run, seed in enumerate((10, 3, 4, 5, 6, 7, 8, 9))}
    order |= {("nosched", str(seed)): 8 + seed for seed in range(3)}
    parts = [
        pd.DataFrame(
            {
                "game": names[curve["task"].removeprefix("atari_").replace("_", "")],
                "run": order[curve["method"], str(curve["seed"])],
                "seed": int(curve["seed"]),
                "variant": curve["method"],
                "frames_millions": np.round(np.array(curve["xs"]) / 1e6).astype(int),
                "score": np.array(curve["ys"], np.float32),
            }
        )
        for curve in _json(path)
    ]
    return pd.concat(parts, ignore_index=True)


def _procgen_final(files: Files) -> pd.DataFrame:
    daac = pd.read_csv(files["daac"], index_col=0)
    scores = _json(files["procgen_data"]) | {"DAAC": {env: list(row) for env, row in daac.T.items()}}
    return _stacked(scores, "algorithm", "env")


def _dm_control_final(files: Files) -> pd.DataFrame:
    scores = {name: _json(path) for name, path in files.items()}
    scores["RAD (3 seeds)"] = {"100k": scores.pop("RAD_3_seeds")}
    return _stacked(scores, "algorithm", "steps", "env")


def _machado(files: Files, games: pd.DataFrame) -> pd.DataFrame:
    listed = games.loc[games["in_machado_60"], "game"]
    rows = []
    for algorithm, name in (("Blob-PROST", "blob"), ("DQN", "dqn")):
        numbers = pd.read_csv(files[name], header=None).to_numpy().reshape(len(listed), len(_MACHADO_FRAMES), 2)
        rows += [
            (row, game, algorithm, frames, *numbers[row, column], _MACHADO_RUNS[algorithm])
            for row, game in enumerate(listed)
            for column, frames in enumerate(_MACHADO_FRAMES)
        ]
    return pd.DataFrame(rows, columns=TABLES["recht2018/machado2018_means_stds"][1])


_FINAL = ("algorithm", "game", "run", "score")
TABLES: dict[str, tuple[Callable[..., pd.DataFrame], tuple[str, ...]]] = {
    "atari100k/final_scores": (_atari100k_final, _FINAL),
    "atari100k/der_ten_evaluations": (_der_evaluations, ("game", "run", "evaluation", "score")),
    "atari100k/curl_final_and_max": (_curl_maximum, ("game", "run", "seed_label", "hns_final", "hns_max_of_10")),
    "ale200m/final_scores": (
        lambda files: _stacked(read_pickled(*files.values()), "algorithm", "game"),
        _FINAL,
    ),
    "ale200m/dopamine_curves": (_dopamine_curves, ("algorithm", "game", "run", "iteration", "score")),
    "ale200m/dreamerv2_curves": (
        _dreamer_curves,
        ("game", "run", "seed", "variant", "frames_millions", "score"),
    ),
    "procgen/final_scores": (_procgen_final, ("algorithm", "env", "run", "score")),
    "dm_control/final_scores": (_dm_control_final, ("algorithm", "steps", "env", "run", "score")),
    "recht2018/machado2018_means_stds": (
        _machado,
        ("row", "game", "algorithm", "frames_millions", "mean", "std", "n_runs"),
    ),
    "adkins2024/data_expected_over_seeds": (
        lambda files: pd.read_csv(*files.values(), index_col=0),
        (
            *("alg_type", "env_name", "gae_lambda", "ent_coef", "actor_lr", "critic_lr"),
            *("percentile_normalized_return", "mean_return"),
        ),
    ),
}
"""Conversion function and columns of each table."""

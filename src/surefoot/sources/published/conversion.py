"""How the tables of published scores come out of the public files: one function a table.

No score is changed. Where a source lists runs in an order, `run` keeps it, counted from 0.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pandas as pd

from surefoot.pickled_arrays import read_pickled_arrays
from surefoot.sources.published.source import KEPT

Files = Mapping[str, Path]

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


def convert(table: str, files: Files, games: pd.DataFrame | None = None) -> pd.DataFrame:
    """A published table from its public files.

    Parameters
    ----------
    table : such as "atari100k/final_scores"
    files : the paths of its files by `<repository>/<path>`; their checksums have been compared
    games : the Atari games, for the tables that need them (`sources.KEPT`): columns game, in_atari_26, in_atari_55,
        in_machado_60

    Returns
    -------
    one row an observation; columns as in `COLUMNS`
    """
    return _CONVERSIONS[table](files, games) if table in KEPT else _CONVERSIONS[table](files)


def _named(files: Files) -> dict[str, Path]:
    """Paths by the name of the file without its suffix."""
    return {PurePosixPath(place).stem: path for place, path in files.items()}


def _json(path: Path) -> Any:
    return json.loads(path.read_text())


def _stacked(scores: Mapping[str, Any], *names: str) -> pd.DataFrame:
    """Rows of a nested mapping name -> ... -> scores of runs."""
    rows = [(*keys, run, float(score)) for keys, runs in _leaves(scores) for run, score in enumerate(runs)]
    return pd.DataFrame(rows, columns=[*names, "run", "score"])


def _leaves(scores: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(scores, Mapping):
        for key, inner in scores.items():
            yield from _leaves(inner, (*keys, key))
    else:
        yield keys, scores


def _atari100k_final(files: Files) -> pd.DataFrame:
    order = ("DER", "OTRainbow", "DrQ", "DrQ(eps)", "SPR", "SimPLe", "PlayVirtual")
    paths = _named(files)
    return _stacked({_RENAMED.get(name, name): _json(paths[name]) for name in order}, "algorithm", "game")


def _records(files: Files) -> pd.DataFrame:
    return pd.DataFrame([row for _, path in sorted(files.items()) for row in _json(path)])


def _der_evaluations(files: Files) -> pd.DataFrame:
    table = _records(files)
    table = table.assign(run=table["run_number"] - 1, evaluation=table["iteration"], score=table["eval_average_return"])
    return table[["game", "run", "evaluation", "score"]].astype({"score": float})


def _curl_maximum(files: Files) -> pd.DataFrame:
    table = _records(files)
    seed = table["seed"].astype(int)
    table = table.assign(run=seed - 1, seed_label=seed, hns_final=table["HNS"], hns_max_of_10=table["Max HNS"])
    return table[["game", "run", "seed_label", "hns_final", "hns_max_of_10"]]


def _ale_final(files: Files) -> pd.DataFrame:
    (path,) = files.values()
    return _stacked(read_pickled_arrays(path), "algorithm", "game")


def _dopamine_curves(files: Files, games: pd.DataFrame) -> pd.DataFrame:
    names = {game.lower(): game for game in games["game"]}
    parts = []
    for name, path in sorted(_named(files).items()):
        records = _json(path)
        table = pd.DataFrame({key: [record[key] for record in records] for key in ("Agent", "Iteration", "Value")})
        run = table.groupby(["Agent", "Iteration"], sort=False).cumcount()
        parts.append(table.assign(game=names[name], run=run))
    table = pd.concat(parts, ignore_index=True)
    table = table.assign(algorithm=table["Agent"].map(_DOPAMINE_AGENTS), iteration=table["Iteration"])
    table = table.dropna(subset="algorithm").assign(score=table["Value"].astype(np.float32))
    return table[["algorithm", "game", "run", "iteration", "score"]].reset_index(drop=True)


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
    paths = _named(files)
    daac = pd.read_csv(paths["daac"], index_col=0)
    scores = _json(paths["procgen_data"]) | {"DAAC": {env: list(row) for env, row in daac.T.items()}}
    return _stacked(scores, "algorithm", "env")


def _dm_control_final(files: Files) -> pd.DataFrame:
    scores = {name: _json(path) for name, path in _named(files).items()}
    scores["RAD (3 seeds)"] = {"100k": scores.pop("RAD_3_seeds")}
    return _stacked(scores, "algorithm", "steps", "env")


def _machado(files: Files, games: pd.DataFrame) -> pd.DataFrame:
    paths = _named(files)
    listed = games.loc[games["in_machado_60"], "game"]
    rows = []
    for algorithm, name in (("Blob-PROST", "blob"), ("DQN", "dqn")):
        numbers = pd.read_csv(paths[name], header=None).to_numpy().reshape(len(listed), len(_MACHADO_FRAMES), 2)
        rows += [
            (row, game, algorithm, frames, *numbers[row, column], _MACHADO_RUNS[algorithm])
            for row, game in enumerate(listed)
            for column, frames in enumerate(_MACHADO_FRAMES)
        ]
    return pd.DataFrame(rows, columns=["row", "game", "algorithm", "frames_millions", "mean", "std", "n_runs"])


def _adkins(files: Files) -> pd.DataFrame:
    (path,) = files.values()
    return pd.read_csv(path, index_col=0)


_CONVERSIONS: dict[str, Callable[..., pd.DataFrame]] = {
    "atari100k/final_scores": _atari100k_final,
    "atari100k/der_ten_evaluations": _der_evaluations,
    "atari100k/curl_final_and_max": _curl_maximum,
    "ale200m/final_scores": _ale_final,
    "ale200m/dopamine_curves": _dopamine_curves,
    "ale200m/dreamerv2_curves": _dreamer_curves,
    "procgen/final_scores": _procgen_final,
    "dm_control/final_scores": _dm_control_final,
    "recht2018/machado2018_means_stds": _machado,
    "adkins2024/data_expected_over_seeds": _adkins,
}

COLUMNS = {
    "atari100k/final_scores": ("algorithm", "game", "run", "score"),
    "atari100k/der_ten_evaluations": ("game", "run", "evaluation", "score"),
    "atari100k/curl_final_and_max": ("game", "run", "seed_label", "hns_final", "hns_max_of_10"),
    "ale200m/final_scores": ("algorithm", "game", "run", "score"),
    "ale200m/dopamine_curves": ("algorithm", "game", "run", "iteration", "score"),
    "ale200m/dreamerv2_curves": ("game", "run", "seed", "variant", "frames_millions", "score"),
    "procgen/final_scores": ("algorithm", "env", "run", "score"),
    "dm_control/final_scores": ("algorithm", "steps", "env", "run", "score"),
    "recht2018/machado2018_means_stds": ("row", "game", "algorithm", "frames_millions", "mean", "std", "n_runs"),
    "adkins2024/data_expected_over_seeds": (
        *("alg_type", "env_name", "gae_lambda", "ent_coef", "actor_lr", "critic_lr"),
        *("percentile_normalized_return", "mean_return"),
    ),
}
"""The columns of each table."""

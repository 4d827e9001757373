"""Sets of scores: which runs they take, and the scale that these are brought to."""

from collections.abc import Mapping

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.build.runner import Task
from surefoot.errors import HintedError
from surefoot.result_tables import read_table, write_table
from surefoot.sources.published.run_tables import run_table
from surefoot.statistics.run_order import natural_order
from surefoot.statistics.score_normalization import normalize_scores


def normalize(task: Task) -> None:
    """Write all sets of scores that are made of the job's runs."""
    tables = {name: read_table(path) for name, path in task.inputs.items()}
    write_table(score_sets(tables, task.settings["scores"]), task.outputs["normalized"])


def score_sets(tables: Mapping[str, pd.DataFrame], sets: Mapping[str, Mapping]) -> pd.DataFrame:
    """All sets of scores of the runs that were collected together.

    Parameters
    ----------
    tables : published tables and what is kept for them by name, or {"runs": the run table of a study}
    sets : by name, the keys of the configuration's `normalize.scores`

    Returns
    -------
    columns scores (the set's name), algorithm, environment, run, score (normalized), and what the runs bring beside

    Raises
    ------
    InputError
        for an algorithm or environment that no run has, and for what `normalize_scores` refuses
    """
    return pd.concat([_score_set(tables, name, chosen) for name, chosen in sets.items()], ignore_index=True)


def _score_set(tables: Mapping[str, pd.DataFrame], name: str, chosen: Mapping) -> pd.DataFrame:
    where = f"normalize.scores.{name}"
    if "runs" in tables:
        runs = tables["runs"][["algorithm", "environment", "run", "score"]]
        ends = chosen.get("reference_values", {})
        if ends:
            _check_ends(ends, list(dict.fromkeys(runs["environment"])), where)
            known = pd.DataFrame.from_dict(ends, orient="index", columns=["zero", "one"], dtype=float)
            runs = runs.join(known, on="environment")
    else:
        runs = run_table(chosen["runs"], tables, chosen.get("references"))
    for kind in ("algorithm", "environment"):
        runs = _chosen(runs, kind, chosen.get(f"{kind}s"), where)
    if "fewest_runs" in chosen:
        fewest = runs.groupby(["environment", "algorithm"]).size().groupby("environment").min()
        runs = runs[runs["environment"].isin(fewest.index[fewest >= chosen["fewest_runs"]])]
        if runs.empty:
            hint = f"no environment has more than {fewest.max()} runs of each"
            raise InputError(where, f"fewest_runs: {chosen['fewest_runs']} leaves no environment", hint)
    if "first_runs" in chosen:
        keys = [key for key in ("algorithm", "environment", "frames") if key in runs]
        ordered = runs.sort_values("run", key=natural_order, kind="stable")
        runs = runs[ordered.groupby(keys).cumcount().sort_index() < chosen["first_runs"]]
    try:
        normalized = normalize_scores(runs, chosen["method"], chosen.get("reference"))
    except HintedError as error:
        raise InputError(where, error.what, error.hint) from None
    normalized.insert(0, "scores", name)
    return normalized.reset_index(drop=True)


def _check_ends(ends: Mapping, environments: list[str], where: str) -> None:
    where = f"{where}.reference_values"
    for name in ends:
        if name not in environments:
            raise InputError(where, f'no runs of the environment "{name}"', nearest(name, environments))
    missing = [name for name in environments if name not in ends]
    if missing:
        hint = f"{missing[0]}: [score that counts as 0, score that counts as 1]"
        raise InputError(where, f"no reference scores of {', '.join(missing[:5])}", hint)


def _chosen(runs: pd.DataFrame, column: str, names: list[str] | None, where: str) -> pd.DataFrame:
    if names is None:
        return runs
    known = list(dict.fromkeys(runs[column]))
    for name in names:
        if name not in known:
            raise InputError(where, f'no runs of the {column} "{name}"', nearest(name, known))
    order = {name: position for position, name in enumerate(names)}
    runs = runs[runs[column].isin(order)]
    return runs.sort_values(column, key=lambda values: values.map(order), kind="stable", ignore_index=True)

"""record: keep the rows of a large run with the project, so that readers see its verdict beside their own small one's.

A row is replaced by one with at least as many trials, so a record grows cell by cell, over as many runs as it takes.
"""

import argparse
from pathlib import Path

import pandas as pd
import yaml

from surefoot.pipeline.canonical import canonical_json, sha256_text
from surefoot.pipeline.fingerprint import fingerprint
from surefoot.pipeline.housekeeping import read_checked
from surefoot.pipeline.page_jobs import RECORDS
from surefoot.pipeline.plan import RESAMPLING
from surefoot.pipeline.play_jobs import cells_of, modules
from surefoot.simulation import registry


def record(options: argparse.Namespace) -> int:
    """Enter what the configuration's results say about published numbers, and about coverage, into the records."""
    config = read_checked(options.configuration[0])
    RECORDS.mkdir(exist_ok=True)
    for name, study in config["studies"].items():
        reproduction = Path(f"results/draw/{name}/reproduction.csv")
        if reproduction.is_file():
            compared = pd.read_csv(reproduction, dtype={"reason": str})
            if "bayesian" in study:
                rows = with_origin_of_plays(compared, pd.read_csv(f"results/aggregate/{name}/agents.csv"), study)
            else:
                points = pd.read_csv(f"results/aggregate/{name}/{study['normalize']['method']}.csv")
                rows = with_origin(compared, points, study)
            _keep(rows, RECORDS / f"{name}.csv", ["item"], "trials")
        intervals = score_rows(name, study)
        if len(intervals):
            _keep(intervals, RECORDS / f"{name}_intervals.csv", ["method", "algorithm"], "runs")
        summaries = {key: Path(f"results/cover/{name}/{key}.parquet") for key in study["cover"]}
        made = [coverage_rows(key, path, study) for key, path in summaries.items() if path.is_file()]
        if made:
            _keep(pd.concat(made), RECORDS / f"{name}_coverage.csv", ["variant", "method", "size"], "datasets")
        if reproduction.is_file() or made:
            (RECORDS / f"{name}.yaml").write_text(yaml.safe_dump(study, sort_keys=False))
    return 0


def with_origin(reproduction: pd.DataFrame, points: pd.DataFrame, study: dict) -> pd.DataFrame:
    """Rows of a reproduction with how many trials are behind each (the fewest of any cell, where it is several), the
    seed, and the fingerprint of the code that simulated them."""
    from surefoot.statistics.reproduction import items

    trials = items(points).dropna(subset="runs").set_index("item")["runs"].astype(int)
    codes = {
        f"mean/{environment}/{algorithm}": _code(registry.modules(registry.cell(algorithm, environment), environment))
        for algorithm in study["simulate"]["algorithms"]
        for environment in study["simulate"]["environments"]
    }
    everything = sha256_text(canonical_json(sorted(codes.values())))[:12]
    return reproduction.assign(
        trials=[trials.get(item, trials.min()) for item in reproduction["item"]],
        seed=study["seed"],
        code=[codes.get(item, everything) for item in reproduction["item"]],
    )


def with_origin_of_plays(reproduction: pd.DataFrame, agents: pd.DataFrame, study: dict) -> pd.DataFrame:
    """Rows of a reproduction with the number of MDPs behind each, the seed, and the fingerprint of the agent's code."""
    agents = agents[agents["variant"].fillna("").isin(["", "as_published"])]
    places = agents["environment"] + "/" + agents["algorithm"] + "(" + agents["parameters"].fillna("") + ")"
    trials = dict(zip(places, agents["runs"], strict=True))
    codes = {cell["agent"]: _code(modules(cell)) for cell, _ in cells_of(study)}
    names = reproduction["item"].str.partition("/")[2]
    return reproduction.assign(
        trials=names.map(trials),
        seed=study["seed"],
        code=names.str.extract(r"/([^/(]+)\(")[0].map(codes),
    )


def score_rows(name: str, study: dict) -> pd.DataFrame:
    """Aggregate scores with every kind of intervals of them that the study made, the environments on which they
    depend (names with a space between) and the seed."""
    tables = [pd.read_csv(path) for path in sorted(Path(f"results/estimate/{name}").glob("*.csv"))]
    found = [table[table["aggregate"] == "game_score"] for table in tables if "aggregate" in table]
    if not found:
        return pd.DataFrame()
    rows = pd.concat(found, ignore_index=True).drop(columns=["aggregate", "environment"])
    points = pd.read_csv(f"results/aggregate/{name}/{study['normalize']['method']}.csv")
    environments = " ".join(sorted(points["environment"].dropna().unique()))
    return rows.assign(environments=environments, seed=study["seed"])


def coverage_rows(key: str, path: Path, study: dict) -> pd.DataFrame:
    """The summary of a study of coverage, with its name as the variant, the trials of its pool and the replicates.

    Methods that were never published have one variant, which then stands for any.
    """
    section = study["cover"][key]
    pool = section["pool"].get("trials", study.get("simulate", {}).get("trials"))
    table = pd.read_parquet(path)
    named = set(table.loc[table["variant"] == key, "method"])
    table = table[(table["variant"] == key) | ~table["method"].isin(named)]
    return table.assign(
        variant=key,
        pool_trials=pool,
        replicates=table["method"].map(lambda name: section["replicates"] if name in RESAMPLING else pd.NA),
        seed=study["seed"],
        code=_code(("surefoot.statistics.coverage",)),
    )


def merged(old: pd.DataFrame | None, new: pd.DataFrame, names: list[str], count: str) -> pd.DataFrame:
    """Rows of both, by `names`; of two with one name the new one, unless the old has a greater `count`."""
    if old is None:
        return new.reset_index(drop=True)
    both = pd.concat([old, new], ignore_index=True)
    best = both[count] == both.groupby(names, sort=False)[count].transform("max")
    kept = both[best].drop_duplicates(names, keep="last")
    order = both.drop_duplicates(names)[names]
    return order.merge(kept, on=names, how="left", validate="1:1")[list(new.columns)]


def _keep(rows: pd.DataFrame, path: Path, names: list[str], count: str) -> None:
    old = pd.read_csv(path, dtype={"reason": str, "code": str}) if path.is_file() else None
    table = merged(old, rows, names, count)
    temporary = path.with_name(f".{path.name}")
    table.to_csv(temporary, index=False)
    temporary.replace(path)
    print(f"{path}: {len(table)} rows, {len(rows)} of them looked at")


def _code(modules: tuple[str, ...]) -> str:
    """Twelve digits of a fingerprint of the modules."""
    return sha256_text(canonical_json([fingerprint(module) for module in modules]))[:12]

"""record: keep the rows and failure rates of a large run with the project, so that readers see its verdict beside their
own small one's.

A row is replaced by one of at least its size (trials; where it has more counts, their product), so a record grows cell
by cell, over as many runs as it takes. Only files that jobs of this very configuration made are taken.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from surefoot.bayesian import registry as bayesian
from surefoot.build.files import canonical_json, sha256_text, write_whole
from surefoot.build.fingerprint import fingerprint
from surefoot.build.job import Job, read_manifest
from surefoot.build.project import PUBLISHED, RECORDS, check_checkout, command
from surefoot.build.verify import changes, damaged_results
from surefoot.cli.housekeeping import read_checked
from surefoot.configuration.models import Study
from surefoot.pipeline.drawing_jobs import numbers_drawn
from surefoot.pipeline.plan import plan
from surefoot.pipeline.trust_jobs import INDEX
from surefoot.pipeline.trust_jobs import NAME as TRUST
from surefoot.pipeline.trust_jobs import RECORDS as TRUST_RECORDS
from surefoot.questions.settings import CoverageInBlocks, QuestionSettings
from surefoot.result_tables import read_table
from surefoot.simulation import registry
from surefoot.sources.plays import Plays
from surefoot.sources.trials import Trials
from surefoot.statistics.comparison.plays import agent_names, read_agent_names
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS
from surefoot.statistics.reproduction.items import (
    item_parts,
    item_text,
    item_texts,
    of_quantity,
    quantities,
    read_item,
    with_quantity,
)


def record(configuration: Path) -> int:
    """Enter what the configuration's results say about published numbers, and about coverage, into the records; returns
    the exit status."""
    check_checkout("surefoot record")
    config = read_checked(configuration)
    RECORDS.mkdir(exist_ok=True)
    jobs = plan(config)
    for name, study in config.studies.items():
        results = current_results(name, jobs)
        keep_numbers(name, study, jobs, results)
        if any(isinstance(source, Trials | Plays) for source in study.sources.values()):
            keep_rows(name, study, results)
    return 0


def current_results(name: str, jobs: Iterable[Job]) -> dict[str, Path]:
    """The study's tables that its jobs made as they are planned now, by stage and name, such as ``estimate/pbp``.

    For each that is otherwise, a sentence is printed.
    """
    results: dict[str, Path] = {}
    for job in jobs:
        made = [Path(path) for path in job.outputs.values() if Path(path).is_file()]
        if job.study != name or job.stage not in ("aggregate", "estimate", "cover", "compare") or not made:
            continue
        altered = damaged_results(job, read_manifest(job))
        problems = [*(f"{path}: {what}" for path, what in altered), *changes(job)]
        if problems:
            print(f"{problems[0]}, so it is not recorded. Hint: `{command(name)}` makes it again")
        else:
            results |= {f"{job.stage}/{path.stem}": path for path in made}
    return results


def keep_rows(name: str, study: Study, results: Mapping[str, Path]) -> None:
    """Enter the rows of a study that has runs of its own, each with the configuration that made it.

    results : from `current_results`

    The YAML beside the tables has the configurations that any of their rows names, by twelve digits of a hash.
    """
    configuration = sha256_text(canonical_json(study.plain()))[:12]
    files = [RECORDS / f"{name}{kind}.csv" for kind in _KINDS]
    tables = {}
    for kind, (rows, names, counts) in _rows(name, study, results).items():
        path = RECORDS / f"{name}{kind}.csv"
        old = read_table(path) if path.is_file() else pd.DataFrame()
        tables[path] = merged(old, rows.assign(configuration=configuration, new=True), names, counts)
    taken = {path: int(table.pop("new").notna().sum()) for path, table in tables.items()}
    for path, table in tables.items():
        if taken[path]:
            write_whole(path, table.to_csv(index=False))
        print(f"{path}: {len(table)} rows, {taken[path]} of them of this run")
    if any(taken.values()):
        path = RECORDS / f"{name}.yaml"
        known = yaml.safe_load(path.read_text()) if path.is_file() else {}
        recorded = [read_table(file) for file in files if file.is_file()]
        named = pd.concat([table.reindex(columns=["configuration"], fill_value="") for table in recorded])
        # Rows that name none were made by any of those that are known.
        all_are_kept = named["configuration"].eq("").any()
        kept = {key: content for key, content in known.items() if all_are_kept or key in set(named["configuration"])}
        write_whole(path, yaml.safe_dump(kept | {configuration: study.plain()}, sort_keys=False))


_POINTS = "aggregate/game_scores"
_KINDS = ("", "_coverage", "_intervals", "_distributions")
_CURVE = ["method", "environment", "algorithm"]


def _rows(name: str, study: Study, results: Mapping[str, Path]) -> dict[str, tuple[pd.DataFrame, list[str], list[str]]]:
    """The rows that this run has for each table of the record, by the ending of its name, with the columns that name a
    row and those that count what is behind it."""
    rows: dict[str, tuple[pd.DataFrame, list[str], list[str]]] = {}
    questions = [key for key, question in study.questions.items() if isinstance(question, CoverageInBlocks)]
    covered = [key for key in questions if f"cover/{key}" in results]
    coverage = pd.DataFrame()
    if covered:
        coverage = pd.concat([coverage_rows(key, results[f"cover/{key}"], study) for key in covered])
        rows["_coverage"] = coverage, ["variant", "method", "size"], ["pool_trials", "replicates", "datasets"]
    plays = any(isinstance(source, Plays) for source in study.sources.values())
    needed = "aggregate/agents" if plays else _POINTS
    if {"compare/run", needed} <= results.keys():
        verdicts, points = read_table(results["compare/run"]), read_table(results[needed])
        verdicts = verdicts[quantities(verdicts["item"]) != "coverage"]  # they have a record of their own
        verdicts = verdicts.drop(columns=["limited_by", "runs"])
        if plays:
            rows[""] = with_origin_of_plays(verdicts, points, study), ["item"], ["trials"]
        else:
            origin = with_origin(verdicts, points, study, coverage)
            rows[""] = origin, ["item"], ["trials", "trials_in_all", *({"datasets"} & set(origin))]
    intervals = score_rows(study, results)
    if len(intervals):
        rows["_intervals"] = intervals, ["method"], ["runs", "runs_in_all", "replicates"]
    curves = distribution_rows(name, study, results)
    if len(curves):
        rows["_distributions"] = curves, _CURVE, ["runs"]
    return rows


def keep_numbers(name: str, study: Study, jobs: Sequence[Job], results: Mapping[str, Path]) -> None:
    """Enter the numbers of each analysis that this run made into reports/records/<study>/, six digits of each.

    results : from `current_results`

    One that was recorded with more replicates or subsamples stays.
    """
    folder = RECORDS / name
    index = folder / "record.csv"
    known = read_table(index).set_index("analysis").to_dict("index") if index.is_file() else {}
    for job in jobs:
        if job.study != name or job.stage not in ("estimate", "cover"):
            continue
        for analysis in job.settings.get("questions", {}):
            if not isinstance(study.questions.get(analysis), QuestionSettings):
                continue
            path, old = results.get(f"{job.stage}/{analysis}"), known.get(analysis)
            if path is None:
                continue
            replicates, datasets = numbers_drawn(study, analysis)
            manifest = read_manifest(job)
            if old is not None and old["replicates"] * old["datasets"] > replicates * datasets:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            read_table(path).to_csv(folder / f"{analysis}.csv", index=False, float_format="%.6g")
            known[analysis] = {
                "made": manifest["facts"]["made"] if manifest else "",
                "replicates": replicates,
                "datasets": datasets,
                "seed": study.seed,
                "code": _code(job.modules),
            }
    if known:
        pd.DataFrame.from_dict(known, orient="index").rename_axis("analysis").to_csv(index)
        print(f"{index}: {len(known)} analyses")


def with_origin(reproduction: pd.DataFrame, points: pd.DataFrame, study: Study, coverage: pd.DataFrame) -> pd.DataFrame:
    """Rows of a reproduction with what is behind each, the seed, and the fingerprint of the code that simulated it.

    trials : of the pair that an item names; the fewest of any pair where it names an environment only, or none; those
        of the pool where it is a claim on coverage, which ends in a number of trials
    trials_in_all : of all these pairs
    datasets : of such claims, from the rows of `coverage_rows`; no such column where there is none
    """
    from surefoot.statistics.reproduction.comparison import items

    means = items(points[points["aggregate"] == "mean"]).dropna(subset="runs")
    trials = means.set_index("item")["runs"].astype(int)
    environments = item_parts(trials.index.to_series(), "environment", "algorithm")["environment"].to_numpy()
    simulated = [source for source in study.sources.values() if isinstance(source, Trials)]
    trials_of, own = simulated[0], simulated[0].own.plain()
    codes = {
        item_text("mean", environment, algorithm): _code(
            registry.modules(registry.cell(algorithm, environment, own), environment, own)
        )
        for algorithm in trials_of.algorithms
        for environment in trials_of.environments
    }
    everything = sha256_text(canonical_json(sorted(codes.values())))[:12]

    def behind(item: str) -> pd.Series:
        if _pair(item) in trials:
            return trials[[_pair(item)]]
        named = np.isin(environments, read_item(item).of)
        return trials[named] if named.any() else trials

    counts = [behind(item) for item in reproduction["item"]]
    rows = reproduction.assign(
        trials=[count.min() for count in counts],
        trials_in_all=[count.sum() for count in counts],
        seed=study.seed,
        code=[codes.get(_pair(item), everything) for item in reproduction["item"]],
    )
    sizes = rows["item"].map(_sizes_of_claim)
    covered = sizes.map(bool)
    if covered.any():
        designs = coverage[coverage["variant"] == "as_published"].set_index("size")[["pool_trials", "datasets"]]
        least = [designs.loc[list(asked)].min() for asked in sizes[covered]]
        for column in ("trials", "trials_in_all"):
            rows.loc[covered, column] = [row["pool_trials"] for row in least]
        rows.loc[covered, "datasets"] = [row["datasets"] for row in least]
    return rows


def _pair(item: str) -> str:
    """The item of the mean of the one pair that an item is about; others as they are."""
    quantity, of = read_item(item)
    return item_text("mean", *of[:2]) if quantity in ("mean_low", "mean_high", "cdf", "quantile") else item


def _sizes_of_claim(item: str) -> tuple[int, ...]:
    """The numbers of trials that a claim on coverage is about, which are its last names; none of any other item."""
    quantity, of = read_item(item)
    if quantity != "claim" or not of[-1].isdecimal():
        return ()
    return tuple(int(name) for name in of if name.isdecimal())


def with_origin_of_plays(reproduction: pd.DataFrame, agents: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Rows of a reproduction with the standard error of our number, the number of MDPs behind it, the seed, the
    fingerprint of the agent's code, what the corrected agent scored, where it differs, on how many MDPs, and the half
    copied one with its standard error, where it was played."""
    agents = agents.assign(parameters=agents["parameters"].fillna(""))
    names = item_texts("mean", agents["environment"], agent_names(agents))
    variants = agents["variant"].fillna("")
    ours = agents.set_index(names)[variants.isin(["", "as_published"]).to_numpy()]
    corrected, half_copied = (
        agents.set_index(names)[(variants == name).to_numpy()] for name in ("corrected", "half_copied")
    )
    codes = {cell["agent"]: _code(bayesian.modules(cell)) for cell, _ in _cells(study)}
    items = with_quantity(reproduction["item"], "mean")
    played = read_agent_names(item_parts(items, "case", "experiment", "agent")["agent"])
    return reproduction.assign(
        ours_standard_error=items.map(ours["standard_error"]),
        trials=items.map(ours["runs"]),
        corrected=items.map(corrected["value"]),
        corrected_trials=items.map(corrected["runs"]),
        half_copied=items.map(half_copied["value"]),
        half_copied_standard_error=items.map(half_copied["standard_error"]),
        seed=study.seed,
        code=played["algorithm"].map(codes),
    )


def _cells(study: Study) -> list[tuple[dict[str, Any], int]]:
    return [cell for source in study.sources.values() if isinstance(source, Plays) for cell in source.cells(study.seed)]


def score_rows(study: Study, results: Mapping[str, Path]) -> pd.DataFrame:
    """Aggregate scores with every kind of intervals of them that the study made, the environments on which they
    depend (names with a space between), the runs of all pairs (column `runs` has the fewest of any) and the seed."""
    tables = [read_table(path) for key, path in sorted(results.items()) if key.startswith("estimate/")]
    found = [table[table["aggregate"] == "game_score"] for table in tables if "aggregate" in table]
    if not found or _POINTS not in results:
        return pd.DataFrame()
    rows = pd.concat(found, ignore_index=True).drop(columns=["aggregate", "environment"])
    points = read_table(results[_POINTS])
    means = points[points["aggregate"] == "mean"]
    environments, in_all = " ".join(sorted(means["environment"].unique())), int(means["runs"].sum())
    return rows.assign(environments=environments, runs_in_all=in_all, seed=study.seed)


def distribution_rows(name: str, study: Study, results: Mapping[str, Path]) -> pd.DataFrame:
    """Curves of the distributions of which points were published, and of the samples of one pair.

    Columns method (dkw, or subsamples), environment, algorithm, size (of the sample), probability, score, low, high,
    runs (of the pair) and seed.
    """
    published = PUBLISHED / f"{name}.csv"
    if not published.is_file() or not {"estimate/dkw", _POINTS} <= results.keys():
        return pd.DataFrame()
    points = of_quantity(read_table(published), "cdf", "quantile")["item"]
    pairs = {read_item(item).of[:2] for item in points}
    bands = read_table(results["estimate/dkw"])
    bands = bands[[pair in pairs for pair in zip(bands["environment"], bands["algorithm"], strict=True)]]
    points = read_table(results[_POINTS])
    runs = points[points["aggregate"] == "mean"][["algorithm", "environment", "runs"]].astype({"runs": int})
    tables = [bands.merge(runs, on=["algorithm", "environment"], validate="m:1").assign(size=lambda rows: rows["runs"])]
    if "estimate/sample_distributions" in results:
        tables.append(
            read_table(results["estimate/sample_distributions"]).drop(columns="confidence").assign(method="subsamples")
        )
    order = [*_CURVE, "size", "probability", "score", "low", "high", "runs"]
    return pd.concat(tables, ignore_index=True)[order].assign(seed=study.seed)


def coverage_rows(key: str, path: Path, study: Study) -> pd.DataFrame:
    """The summary of a study of coverage, with its name as the variant, the trials of its pool and the replicates.

    Methods that were never published have one variant, which then stands for any.
    """
    section: Any = study.questions[key]
    source = study.sources[section.source]
    pool = source.trials if isinstance(source, Trials) else None
    table = pd.read_parquet(path)
    named = set(table.loc[table["variant"] == key, "method"])
    table = table[(table["variant"] == key) | ~table["method"].isin(named)]
    return table.assign(
        variant=key,
        pool_trials=pool,
        replicates=table["method"].map(
            lambda name: section.replicates if INTERVAL_METHODS[name].resamples else float("nan")
        ),
        seed=study.seed,
        code=_code(("surefoot.statistics.coverage.score_coverage",)),
    )


def merged(old: pd.DataFrame, new: pd.DataFrame, names: list[str], counts: list[str]) -> pd.DataFrame:
    """The rows of each name from the table where more is behind them, and of equal ones the new.

    Rows of one name, such as a curve, or the scores of algorithms that depend on each other, stay together. Where they
    name the environments on which they depend, rows of more pairs of algorithm and environment come first; else, and of
    as many, the greater product of the least of each count decides.

    Parameters
    ----------
    old : what is recorded; without rows and columns at first
    names, counts : columns; an empty count is 1, and one that the old table does not have is not compared
    """
    shared = [name for name in counts if name in old or old.empty]

    def size(rows: pd.DataFrame) -> tuple[int, float]:
        several = "environments" in rows
        pairs = rows["algorithm"].nunique() * len(rows["environments"].iloc[0].split(" ")) if several else 0
        return pairs, rows[shared].min().astype(float).prod()

    both = pd.concat([old, new], ignore_index=True) if len(old) else new.reset_index(drop=True)
    order: list[int] = []
    for _, rows in both.groupby(names, sort=False):
        is_new = rows.index >= len(old)
        order.extend(max(filter(len, (rows[is_new], rows[~is_new])), key=size).index)
    return both.loc[order].reset_index(drop=True)


def _code(modules: tuple[str, ...]) -> str:
    """Twelve digits of a fingerprint of the modules."""
    return sha256_text(canonical_json([fingerprint(module) for module in modules]))[:12]


def record_trust(configuration: Path) -> int:
    """Enter each subject's table of failure rates into reports/records/trust, unless a larger one is there; returns the
    exit status.

    The index beside them says of each when it was made, with how many data sets and resamples, and by which code.
    """
    check_checkout("surefoot record --trust")
    index = TRUST_RECORDS / INDEX
    known = read_table(index).set_index("subject").to_dict("index") if index.is_file() else {}
    TRUST_RECORDS.mkdir(parents=True, exist_ok=True)
    jobs = [job for job in plan(read_checked(configuration)) if job.study == TRUST and job.stage == "cover"]
    for job in jobs:
        manifest, old = read_manifest(job), known.get(job.part)
        datasets = job.settings["datasets"]
        if manifest is None or [*changes(job)]:
            print(f"{job.outputs['failures']}: not made by this configuration and code, so left out")
        elif old is not None and old["datasets"] > datasets:
            print(f"{job.part}: the record of {old['datasets']:,} data sets a case stays")
        else:
            write_whole(TRUST_RECORDS / f"{job.part}.csv", Path(job.outputs["failures"]).read_text())
            code = sha256_text(canonical_json(manifest["spec"]["code"]))[:12]
            drawn = {key: job.settings[key] for key in ("datasets", "replicates", "seed")}
            known[job.part] = {"made": manifest["facts"]["made"]} | drawn | {"code": code}
            print(f"{job.part}: {datasets:,} data sets a case recorded")
    if known:
        table = pd.DataFrame.from_dict(known, orient="index").rename_axis("subject").sort_index()
        write_whole(index, table.to_csv())
    return 0

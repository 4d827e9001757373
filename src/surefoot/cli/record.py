"""record: keep the rows of a large run with the project, so that readers see its verdict beside their own small one's.

A row is replaced by one of at least its size (trials; where it has more counts, their product), so a record grows cell
by cell, over as many runs as it takes. Only files that jobs of this very configuration made are taken.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from surefoot.bayesian import registry as bayesian
from surefoot.build.files import canonical_json, sha256_file, sha256_text, write_whole
from surefoot.build.fingerprint import fingerprint
from surefoot.build.job import Job, read_manifest, specification
from surefoot.build.project import PUBLISHED, RECORDS, check_checkout, command
from surefoot.cli.housekeeping import read_checked
from surefoot.configuration.models import Study
from surefoot.pipeline.drawing_jobs import numbers_drawn
from surefoot.pipeline.plan import plan
from surefoot.questions.settings import QuestionSettings
from surefoot.result_tables import read_table
from surefoot.simulation import registry
from surefoot.sources.plays.settings import Settings as Plays
from surefoot.sources.trials.settings import Settings as Trials
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


def record(options: argparse.Namespace) -> int:
    """Enter what the configuration's results say about published numbers, and about coverage, into the records."""
    check_checkout("surefoot record")
    config = read_checked(options.configuration[0])
    RECORDS.mkdir(exist_ok=True)
    jobs = plan(config)
    for name, study in config.studies.items():
        results = current_results(name, jobs)
        keep_numbers(name, study, jobs, results)
        if any(question.kind == "game_scores" for question in study.questions.values()):
            keep_rows(name, study, results)
    return 0


def current_results(name: str, jobs: Iterable[Job]) -> dict[str, Path]:
    """The study's tables that its jobs made as they are planned now, by stage and name, such as ``estimate/pbp``.

    For each that is otherwise, a sentence is printed.
    """
    results = {}
    for job in jobs:
        made = {path: Path(path) for path in job.outputs.values() if Path(path).is_file()}
        if job.study != name or job.stage not in ("aggregate", "estimate", "cover", "draw") or not made:
            continue
        manifest = read_manifest(job)
        for text, path in made.items():
            if manifest is None:
                what = "nothing is known of how it was made"
            elif manifest["spec_sha256"] != sha256_text(canonical_json(specification(job))):
                what = "made with other settings or other code than those of this configuration"
            elif sha256_file(path) != manifest["outputs"].get(text):
                what = "altered since it was made"
            elif any(_is_other(manifest, key, Path(source)) for key, source in job.inputs.items()):
                what = "made of other inputs than those that are there"
            else:
                results[f"{job.stage}/{path.stem}"] = path
                continue
            print(f"{text}: {what}, so it is not recorded. Hint: `{command(name)}` makes it again")
    return results


def _is_other(manifest: Mapping[str, Any], key: str, source: Path) -> bool:
    """Whether an input is there and has other bytes than what the results were made of."""
    return source.is_file() and sha256_file(source) != manifest["facts"]["input_sha256"].get(key)


def keep_rows(name: str, study: Study, results: Mapping[str, Path]) -> None:
    """Enter the rows of a study that has runs of its own, each with the configuration that made it.

    results : from `current_results`

    The YAML beside the tables has the configurations that any of their rows names, by twelve digits of a hash.
    """
    configuration = sha256_text(canonical_json(study.plain()))[:12]
    tables = {}
    for path, rows, names, counts, merge in _tables(name, study, results):
        old = read_table(path) if path.is_file() else None
        tables[path] = merge(old, rows.assign(configuration=configuration, new=True), names, counts)
    taken = {path: int(table.pop("new").notna().sum()) for path, table in tables.items()}
    for path, table in tables.items():
        if taken[path]:
            write_whole(path, table.to_csv(index=False))
        print(f"{path}: {len(table)} rows, {taken[path]} of them of this run")
    if any(taken.values()):
        path = RECORDS / f"{name}.yaml"
        known = yaml.safe_load(path.read_text()) if path.is_file() else {}
        files = [read_table(file) for file in _files(name) if file.is_file()]
        named = pd.concat([table.reindex(columns=["configuration"], fill_value="") for table in files])["configuration"]
        # Rows that name none were made by any of those that are known.
        kept = {key: content for key, content in known.items() if key in set(named) or named.eq("").any()}
        write_whole(path, yaml.safe_dump(kept | {configuration: study.plain()}, sort_keys=False))


_POINTS = "aggregate/game_scores"
_KINDS = ("", "_coverage", "_intervals", "_distributions")


def _files(name: str) -> list[Path]:
    return [RECORDS / f"{name}{kind}.csv" for kind in _KINDS]


def _tables(
    name: str, study: Study, results: Mapping[str, Path]
) -> Iterator[tuple[Path, pd.DataFrame, list[str], list[str], Callable[..., pd.DataFrame]]]:
    """Path, rows, names, counts and merger of each table of the record that this run has rows for."""
    numbers, covered, scores, distributions = _files(name)
    made = [coverage_rows(key, results[f"cover/{key}"], study) for key in _covered(study) if f"cover/{key}" in results]
    coverage = pd.concat(made, ignore_index=True) if made else pd.DataFrame()
    if made:
        yield covered, coverage, ["variant", "method", "size"], ["pool_trials", "replicates", "datasets"], merged
    plays = any(isinstance(source, Plays) for source in study.sources.values())
    needed = "aggregate/agents" if plays else _POINTS
    if {"compare/run", needed} <= results.keys():
        rows = read_table(results["compare/run"])
        rows = rows[quantities(rows["item"]) != "coverage"]  # they have a record of their own
        if plays:
            agents = read_table(results[needed])
            yield numbers, with_origin_of_plays(rows, agents, study), ["item"], ["trials"], merged
        else:
            rows = with_origin(rows, read_table(results[needed]), study, coverage)
            yield numbers, rows, ["item"], ["trials", "trials_in_all", *({"datasets"} & set(rows))], merged
    intervals = score_rows(study, results)
    if len(intervals):
        yield scores, intervals, ["method"], ["runs", "runs_in_all", "replicates"], merged_scores
    curves = distribution_rows(name, study, results)
    if len(curves):
        yield distributions, curves, list(_CURVE), ["runs"], merged_curves


def _covered(study: Study) -> list[str]:
    return [name for name, question in study.questions.items() if question.kind == "coverage"]


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
            row: dict[str, Any] = {"made": manifest["facts"]["made"] if manifest else "", "replicates": replicates}
            row |= {"datasets": datasets, "seed": study.seed, "code": _code(job.modules)}
            larger = old is not None and old["replicates"] * old["datasets"] > row["replicates"] * row["datasets"]
            if larger:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            read_table(path).to_csv(folder / f"{analysis}.csv", index=False, float_format="%.6g")
            known[analysis] = row
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
    return item_text("mean", *of[:2]) if quantity in ("cdf", "quantile") else item


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


def merged(old: pd.DataFrame | None, new: pd.DataFrame, names: list[str], counts: list[str]) -> pd.DataFrame:
    """Rows of both, by `names`; of two with one name that with the greater product of `counts`, and of equal ones the
    new. An empty count is 1, and one that the old table does not have is not compared."""
    if old is None:
        return new.reset_index(drop=True)
    both = pd.concat([old, new], ignore_index=True)
    order = both.drop_duplicates(names)[names]
    size = both[_shared(counts, old)].astype(float).prod(axis=1)
    kept = both.loc[size.sort_values(kind="stable").index].drop_duplicates(names, keep="last")
    return order.merge(kept, on=names, how="left", validate="1:1")[list(both.columns)]


_CURVE = ("method", "environment", "algorithm")


def merged_curves(old: pd.DataFrame | None, new: pd.DataFrame, names: list[str], counts: list[str]) -> pd.DataFrame:
    """As `merged` of whole curves, whose rows have one name: the old ones of a curve stay together, or the new."""
    return _merged_sets(old, new, names, lambda rows: tuple(rows[counts].iloc[0]))


def merged_scores(old: pd.DataFrame | None, new: pd.DataFrame, names: list[str], counts: list[str]) -> pd.DataFrame:
    """As `merged` of aggregate scores with their intervals. Those of one name depend on each other and stay together;
    of two sets that of more pairs of algorithm and environment is kept, and of as many that with the greater product of
    the least of each count."""
    shared = counts if old is None else _shared(counts, old)

    def size(rows: pd.DataFrame) -> tuple[int, float]:
        pairs = rows["algorithm"].nunique() * len(rows["environments"].iloc[0].split(" "))
        return pairs, rows[shared].min().astype(float).prod()

    return _merged_sets(old, new, names, size)


def _shared(counts: list[str], old: pd.DataFrame) -> list[str]:
    return [name for name in counts if name in old]


def _merged_sets(
    old: pd.DataFrame | None, new: pd.DataFrame, names: list[str], size: Callable[..., Any]
) -> pd.DataFrame:
    """All rows of each name from the table where its set has the greater size, of equal ones from the new."""
    kept: dict[Any, pd.DataFrame] = {}
    for table in (new,) if old is None else (old, new):
        for key, rows in table.groupby(names, sort=False):
            kept[key] = max(rows, kept.get(key, rows), key=size)
    columns = new.columns if old is None else old.columns.union(new.columns, sort=False)
    return pd.concat(kept.values(), ignore_index=True).reindex(columns=columns)


def _code(modules: tuple[str, ...]) -> str:
    """Twelve digits of a fingerprint of the modules."""
    return sha256_text(canonical_json([fingerprint(module) for module in modules]))[:12]

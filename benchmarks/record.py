"""Store the results of a large run in reports/records: python benchmarks/record.py [--trust]

The reports of smaller runs show them next to their own results. The targets `record` and `record_trust` of the
workflow run this program in the folder that has the results.

A table replaces the recorded one unless the recorded one is from more resamples, data sets or trials. Only files that
jobs of the current configuration made are recorded.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd
import yaml

from surefoot.bayesian.sources.play_settings import Plays
from surefoot.charts.study_tables import compared
from surefoot.cli.housekeeping import HINTS, problems_of
from surefoot.questions._framework.question_settings import CoverageInBlocks, QuestionSettings
from surefoot.runs.result_tables import read_table
from surefoot.simulation.sources.trials import Trials
from surefoot.statistics.comparison.paired_plays import agent_names
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.reproduction.items import item_texts, of_quantity, quantities, read_item
from surefoot.statistics.reproduction.published_comparison import contradicted_first
from surefoot.workflow.configuration.models import Configuration, Study
from surefoot.workflow.configuration.validation import read_back
from surefoot.workflow.files import canonical_json, sha256_file, sha256_text, write_whole
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.folder import read_configuration_of_results
from surefoot.workflow.job import Job
from surefoot.workflow.machine_errors import EXPLAINED, tell
from surefoot.workflow.planning.drawing_inputs import numbers_drawn
from surefoot.workflow.planning.drawing_jobs import TRUST, TRUST_RECORDS
from surefoot.workflow.planning.plan import plan
from surefoot.workflow.project import PUBLISHED, RECORDS, check_checkout
from surefoot.workflow.store import read_entry, store_folder

_POINTS = "aggregate/evaluation_game_scores"
_OF_ONE_ENVIRONMENT = ("mean", "mean_low", "mean_high", "cdf", "quantile")
"""Quantities that depend on a single environment."""
_CURVE = ["method", "environment", "algorithm"]
_JUDGED = ("ours", "z", "tolerance", "detectable", "matters", "allowed", "verdict", "reason", "undecided_by")


def configuration() -> Configuration:
    """Return the configuration of the results in the current folder, and set SUREFOOT_STORE to its store."""
    config = read_back(read_configuration_of_results())
    os.environ["SUREFOOT_STORE"] = str(store_folder(config.store))
    return config


def record() -> int:
    """Record the current folder's results about published numbers and coverage; return the exit status."""
    check_checkout("the target record")
    config = configuration()
    jobs = plan(config)
    for name, study in config.studies.items():
        results = current_results(name, jobs)
        keep_numbers(name, study, jobs, results)
        if any(isinstance(source, Trials | Plays) for source in study.sources.values()):
            keep_rows(name, study, results)
            judge_rows(name, jobs)
    return 0


def record_trust() -> int:
    """Record the tables of failure rates in reports/records/trust; return the exit status."""
    check_checkout("the target record_trust")
    jobs = [job for job in plan(configuration()) if job.study == TRUST and job.stage == "cover"]
    results = current_results(TRUST, jobs)
    for job in jobs:
        path = Path(job.outputs["failures"])
        if path in results.values():
            drawn = {key: job.settings[key] for key in ("datasets", "n_resamples", "seed")}
            keep_table(TRUST_RECORDS, "subject", job.part, path, job, drawn)
    return 0


def current_results(name: str, jobs: Iterable[Job]) -> dict[str, Path]:
    """Return the files of a study's up-to-date tables by stage and name, such as ``estimate/pbp``.

    A sentence is printed for each job whose files are outdated or changed.
    """
    results: dict[str, Path] = {}
    for job in jobs:
        tables = [Path(path) for path in job.outputs.values() if Path(path).is_file()]
        if job.study != name or job.stage not in ("aggregate", "estimate", "cover", "compare") or not tables:
            continue
        problems = problems_of(job, store_folder())
        if problems:
            path, problem = next(iter(problems.items()))
            print(f"{path}: {problem}, so it is not recorded. Hint: {HINTS[problem]}")
        else:
            results |= {f"{job.stage}/{path.stem}": path for path in tables}
    return results


def keep_numbers(
    name: str, study: Study, jobs: Iterable[Job], results: Mapping[str, Path], records: Path = RECORDS
) -> None:
    """Record the table of each analysis of a study in reports/records/<study>/.

    results : files from `current_results`
    """
    for job in jobs:
        if job.study != name or job.stage not in ("estimate", "cover"):
            continue
        path = results.get(f"{job.stage}/{job.part}")
        if path is not None and isinstance(study.questions.get(job.part), QuestionSettings):
            n_resamples, datasets = numbers_drawn(study, job.part)
            drawn = {"n_resamples": n_resamples, "datasets": datasets, "seed": study.seed}
            keep_table(records / name, "analysis", job.part, path, job, drawn)


def keep_table(folder: Path, kind: str, name: str, path: Path, job: Job, drawn: Mapping[str, int]) -> None:
    """Record a table, with six digits of each number, unless the recorded one is from more resamples and data sets.

    Parameters
    ----------
    folder : Path
        Folder of the record. Its index ``record.csv`` has for each table when it was made, the numbers of resamples and
        data sets, the seed, and a hash of the code.
    kind : {"analysis", "subject"}
        Name of the column of the index that has the names of the tables.
    name : str
        Name of the table.
    path : Path
        File that the job wrote.
    job : Job
        Job that made the table.
    drawn : dict
        Numbers of resamples ("n_resamples") and of simulated data sets ("datasets"), and "seed".
    """
    index = folder / "record.csv"
    known = read_table(index).set_index(kind) if index.is_file() else pd.DataFrame()
    if name in known.index:
        old = known.loc[name]
        if old["n_resamples"] * old["datasets"] > drawn["n_resamples"] * drawn["datasets"]:
            print(f"{name}: the record of {old['n_resamples']:,} resamples and {old['datasets']:,} data sets stays")
            return
    stored = read_entry(store_folder(), job.key({key: sha256_file(given) for key, given in job.inputs.items()}))
    code = sha256_text(canonical_json([fingerprint(module) for module in job.modules]))[:12]
    facts = {"made": stored["facts"]["made"] if stored else "", **drawn, "code": code}
    entry = pd.DataFrame([facts], index=[name])
    folder.mkdir(parents=True, exist_ok=True)
    read_table(path).to_csv(folder / f"{name}.csv", index=False, float_format="%.6g")
    table = pd.concat([known.drop(index=name, errors="ignore"), entry]).rename_axis(kind).sort_index()
    write_whole(index, table.to_csv())
    print(f"{folder / name}.csv: recorded")


def keep_rows(name: str, study: Study, results: Mapping[str, Path], records: Path = RECORDS) -> None:
    """Record the tables of a study that simulates runs, each unless the recorded one is larger (see `keep_larger`).

    The rows of a table name their configuration by twelve digits of its hash; ``<study>.yaml`` has the configurations
    by hash.

    results : files from `current_results`
    """
    configuration = sha256_text(canonical_json(study.plain()))[:12]
    verdicts = verdict_rows(study, results)
    if (path := records / f"{name}.csv").is_file() and len(verdicts):
        verdicts = with_recorded_rows(verdicts.assign(configuration=configuration), read_table(path))
    tables = {
        "": (verdicts, ["trials"]),
        "_coverage": (coverage_rows(study, results), ["pool_trials", "n_resamples", "datasets"]),
        "_intervals": (score_rows(study, results), ["runs", "n_resamples"]),
        "_distributions": (distribution_rows(name, results), ["runs"]),
    }
    for ending, (rows, counts) in tables.items():
        named_rows = rows.assign(configuration=rows.get("configuration", configuration), seed=study.seed)
        if keep_larger(records / f"{name}{ending}.csv", named_rows, counts):
            named = records / f"{name}.yaml"
            known = yaml.safe_load(named.read_text()) if named.is_file() else {}
            write_whole(named, yaml.safe_dump(known | {configuration: study.plain()}, sort_keys=False))


def keep_larger(path: Path, rows: pd.DataFrame, counts: Sequence[str]) -> bool:
    """Write a table, unless the file has more rows or more draws in total; return True if it is written.

    counts : columns whose product is the number of draws of a row; a missing number is 1
    """
    old = read_table(path) if path.is_file() else rows[:0]
    drawn = [table.reindex(columns=counts).astype(float).fillna(1.0).prod(axis=1).sum() for table in (old, rows)]
    if len(rows) < len(old) or drawn[0] > drawn[1]:
        print(f"{path}: the record of {len(old)} rows stays, as it has more rows or more draws")
        return False
    if rows.empty:
        return False
    write_whole(path, rows.to_csv(index=False))
    print(f"{path}: {len(rows)} rows")
    return True


def with_recorded_rows(rows: pd.DataFrame, recorded: pd.DataFrame) -> pd.DataFrame:
    """Return the recorded rows, updated with rows of this run that have more trials or are new.

    If the run has all recorded items and at least as many trials in total, its rows are returned unchanged. Otherwise
    only numbers that depend on a single environment are replaced: means, their limits, and points of distributions.
    Claims and aggregate scores depend on the set of environments, so recorded ones are never replaced.

    Parameters
    ----------
    rows : DataFrame
        Rows of this run, with the columns item, trials and configuration.
    recorded : DataFrame
        Recorded rows, with the same columns.
    """
    if set(recorded["item"]) <= set(rows["item"]) and rows["trials"].sum() >= recorded["trials"].sum():
        return rows
    trials = recorded.set_index("item")["trials"]
    of_one_environment = quantities(rows["item"]).isin(_OF_ONE_ENVIRONMENT)
    more = rows["trials"] > rows["item"].map(trials)
    lacking = ~rows["item"].isin(recorded["item"])
    replaced = rows[of_one_environment & more | lacking]
    kept = recorded[~recorded["item"].isin(replaced["item"])]
    order = {item: position for position, item in enumerate(recorded["item"])}
    return pd.concat([kept, replaced]).sort_values(
        "item", key=lambda items: items.map(order), kind="stable", ignore_index=True
    )


def judge_rows(name: str, jobs: Iterable[Job]) -> None:
    """Update the verdicts in a study's record from its recorded numbers, contradicted claims first."""
    path = RECORDS / f"{name}.csv"
    for job in jobs:
        if (job.stage, job.study, job.part) == ("compare", name, "record") and path.is_file():
            judged = compared(job.settings, {key: Path(table) for key, table in job.inputs.items()}).set_index("item")
            record = read_table(path)
            known = record["item"].isin(judged.index)
            for column in _JUDGED:
                record[column] = record["item"].map(judged[column]).where(known, record.get(column))
            write_whole(path, contradicted_first(record).to_csv(index=False))


def verdict_rows(study: Study, results: Mapping[str, Path]) -> pd.DataFrame:
    """Return the comparison of published numbers with ours, with the number of runs of ours in the column `trials`.

    If a number combines several pairs of an algorithm and an environment, `trials` is the smallest number of runs of a
    pair. For plays, there are also the standard error of our number, the score of the corrected agent with its number
    of MDPs, and the score of the half-copied agent; scores of agents that were not played are missing.
    """
    plays = any(isinstance(source, Plays) for source in study.sources.values())
    needed = "aggregate/agents" if plays else _POINTS
    if not {"compare/run", needed} <= results.keys():
        return pd.DataFrame()
    verdicts, points = read_table(results["compare/run"]), read_table(results[needed])
    verdicts = verdicts[quantities(verdicts["item"]) != "coverage"]  # recorded by `coverage_rows`
    runs = verdicts["runs"].fillna(points["runs"].min())
    rows = verdicts.drop(columns="runs").assign(trials=runs)
    if not plays:
        return rows
    variants = points["variant"].fillna("").replace("as_published", "")
    agents = points.assign(parameters=points["parameters"].fillna(""))
    agents.index = pd.Index(item_texts("mean", agents["environment"], agent_names(agents)))
    ours, corrected, half_copied = (
        agents[(variants == variant).to_numpy()] for variant in ("", "corrected", "half_copied")
    )
    items = rows["item"].map(lambda text: read_item(text)._replace(quantity="mean").text)
    return rows.assign(
        ours_standard_error=items.map(ours["standard_error"]),
        trials=items.map(ours["runs"]),
        corrected=items.map(corrected["estimate"]),
        corrected_trials=items.map(corrected["runs"]),
        half_copied=items.map(half_copied["estimate"]),
    )


def coverage_rows(study: Study, results: Mapping[str, Path]) -> pd.DataFrame:
    """Return the summaries of the coverage studies, with their numbers of trials in the pool and of replicates.

    A study contributes the rows of the variant that has its name, and all rows of methods without that variant; the
    column `variant` has the name of the study.
    """
    tables = [pd.DataFrame()]
    for key, question in study.questions.items():
        if not isinstance(question, CoverageInBlocks) or f"cover/{key}" not in results:
            continue
        source = study.sources[question.source]
        table = pd.read_parquet(results[f"cover/{key}"])
        named = set(table.loc[table["variant"] == key, "method"])
        table = table[(table["variant"] == key) | ~table["method"].isin(named)]
        resample = table["method"].map(lambda name: INTERVAL_METHODS[name].resamples)
        tables.append(
            table.assign(
                variant=key,
                pool_trials=source.trials if isinstance(source, Trials) else None,
                n_resamples=resample.map({True: getattr(question, "n_resamples", None), False: None}),
            )
        )
    return pd.concat(tables)


def score_rows(study: Study, results: Mapping[str, Path]) -> pd.DataFrame:
    """Return the aggregate scores with their intervals from all methods of the study.

    Column `environments` has the names of the environments, separated by spaces. Column `runs` has the smallest number
    of runs of a pair of an algorithm and an environment.
    """
    tables = [read_table(path) for key, path in sorted(results.items()) if key.startswith("estimate/")]
    scores = [table[table["aggregate"] == "game_score"] for table in tables if "aggregate" in table]
    if not scores or _POINTS not in results:
        return pd.DataFrame()
    points = read_table(results[_POINTS])
    environments = sorted(points.loc[points["aggregate"] == "mean", "environment"].unique())
    rows = pd.concat(scores, ignore_index=True).drop(columns=["aggregate", "environment"])
    return rows.assign(environments=" ".join(environments))


def distribution_rows(name: str, results: Mapping[str, Path]) -> pd.DataFrame:
    """Return points of the score distributions of pairs that have published points, and of subsamples of one pair.

    Columns method ("dkw" or "subsamples"), environment, algorithm, size (of the sample), probability, score, low, high
    and runs (of the pair).
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
        tables.append(read_table(results["estimate/sample_distributions"]).assign(method="subsamples"))
    return pd.concat(tables, ignore_index=True)[[*_CURVE, "size", "probability", "score", "low", "high", "runs"]]


if __name__ == "__main__":
    try:
        sys.exit(record_trust() if "--trust" in sys.argv else record())
    except EXPLAINED as error:
        sys.exit(tell(error))

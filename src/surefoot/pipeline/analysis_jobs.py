"""The jobs of a study of named sets of scores: collected, normalized, and analysed, a table of numbers a figure.

Where a set's runs are not available, its figures are drawn from the record of a run that had them.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from surefoot.build.fingerprint import SOURCE
from surefoot.build.job import Job
from surefoot.pipeline.run_jobs import run_table, run_tables
from surefoot.questions.registry import answer_module, questions
from surefoot.sources.published.sources import kept_for, sources_of, table_in

RECORDS = SOURCE.parent / "reports" / "records"
SCORE_SETS = "surefoot.scales.score_sets:normalize"
"""The work that makes sets of scores."""


def is_analysed(study: Mapping) -> bool:
    """Whether the study is of named sets of scores: of published tables, or of a score table with analyses."""
    return bool(study["collect"]["published"] or study["estimate"]["analyses"])


def analysis_jobs(name: str, study: dict, config: dict) -> list[Job]:
    """The jobs that bring the numbers of the study's figures, of those sets of scores whose runs are available."""
    jobs = list(run_tables(name, study, []) if "file" in study["collect"] else _collect_jobs(name, study))
    collected = {job.part: job for job in jobs}
    for part in _parts(study):
        runs = _runs_of_study(study, part, config) if part not in study["collect"]["published"] else None
        if part in collected or runs is not None:
            jobs += _part_jobs(name, study, part, runs or collected[part].outputs)
    return jobs


def _runs_of_study(study: dict, part: str, config: dict) -> dict[str, str] | None:
    """The run table of another study of the configuration, where it has one."""
    known = part in config["studies"] and part in study["collect"]["studies"]
    return {"runs": run_table(part)} if known else None


def numbers_of(name: str, study: dict, jobs: list[Job]) -> tuple[dict[str, str], list[str]]:
    """Paths of the numbers of each analysis, as {"numbers/<analysis>": path}; and those that come from the record."""
    made = {
        f"numbers/{output}": path
        for job in jobs
        if job.study == name and "analyses" in job.settings
        for output, path in job.outputs.items()
    }
    recorded = []
    for analysis in study["estimate"]["analyses"]:
        path = RECORDS / name / f"{analysis}.csv"
        if f"numbers/{analysis}" not in made and path.is_file():
            made[f"numbers/{analysis}"] = os.path.relpath(path)
            recorded.append(analysis)
    return made, recorded


def larger_records(name: str, jobs: Iterable[Job]) -> dict[str, str]:
    """Paths, as {"recorded/<analysis>": path}, of the recorded numbers of analyses that these jobs make with fewer
    replicates or subsamples than the record has."""
    index = RECORDS / name / "record.csv"
    if not index.is_file():
        return {}
    with index.open(newline="") as file:
        known = {row["analysis"]: int(row["replicates"]) * int(row["datasets"]) for row in csv.DictReader(file)}
    paths = {}
    for job in jobs:
        for analysis, settings in job.settings.get("analyses", {}).items():
            replicates = settings.get("replicates", job.settings["replicates"])
            if known.get(analysis, 0) > replicates * settings.get("datasets", 1):
                paths[f"recorded/{analysis}"] = os.path.relpath(RECORDS / name / f"{analysis}.csv")
    return paths


def _parts(study: dict) -> list[str]:
    """The sources of runs that some set of scores is made of, in the order of the sets."""
    return list(dict.fromkeys(scores["collected"] for scores in study["normalize"]["scores"].values()))


def _collect_jobs(name: str, study: dict) -> Iterator[Job]:
    """One job for each group of published tables that can be had: from the local folder, or downloaded."""
    section = study["collect"]
    for part, tables in section["published"].items():
        published, inputs = {}, {}
        for table in tables:
            found = table_in(Path(section["folder"]), table) if section["folder"] else {}
            if not found and not section["download"]:
                break
            keys = {place: f"{table}:{place}" for place in found}
            inputs |= {keys[place]: os.path.relpath(path) for place, path in found.items()}
            published[table] = {"given": keys, "files": [list(source) for source in sources_of(table)]}
            if not found:
                published[table]["address"] = section["address"]
        else:
            outputs = {table: f"results/collect/{name}/{part}.{table.replace('/', '_')}.parquet" for table in tables}
            inputs |= {key: os.path.relpath(path) for key, path in kept_for(tables).items()}
            work = "surefoot.sources.published.collecting:collect"
            yield Job("collect", name, part, work, {"published": published}, (), inputs, outputs)


def _part_jobs(name: str, study: dict, part: str, tables: dict[str, str]) -> Iterator[Job]:
    sets = {key: scores for key, scores in study["normalize"]["scores"].items() if scores["collected"] == part}
    normalized = f"results/normalize/{name}/{part}.parquet"
    needing = [scores.get(key) for scores in sets.values() for key in ("runs", "references")]
    kept = {key: os.path.relpath(path) for key, path in kept_for(needing).items()}
    yield Job("normalize", name, part, SCORE_SETS, {"scores": sets}, (), tables | kept, {"normalized": normalized})
    section = study["estimate"]
    for stage in ("estimate", "cover"):
        chosen = {
            key: analysis
            for key, analysis in section["analyses"].items()
            if questions()[analysis["kind"]].stage == stage and set(analysis["scores"]) & set(sets)
        }
        if chosen:
            yield analyses_job(stage, name, part, study, chosen, section["replicates"], normalized)


def analyses_job(
    stage: str, name: str, part: str, study: dict, analyses: dict, replicates: int, normalized: str
) -> Job:
    """The job that makes the numbers of some analyses of the normalized sets of scores at a path."""
    settings = {"analyses": analyses, "replicates": replicates}
    settings |= {"seed": study["seed"], "confidence": study["estimate"]["confidence"]}
    outputs = {key: f"results/{stage}/{name}/{key}.csv" for key in analyses}
    work = "surefoot.questions.analyses:answer"
    code = tuple(dict.fromkeys(answer_module(analysis["kind"]) for analysis in analyses.values()))
    return Job(stage, name, part, work, settings, code, {"scores": normalized}, outputs)

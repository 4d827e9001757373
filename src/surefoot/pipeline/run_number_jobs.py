"""The jobs that say how many runs a study needs, and that compare two of its algorithms after every run.

Any study may ask: the section `how_many_runs` of its configuration names the pilot, and its runs are the study's own.
"""

from collections.abc import Callable, Iterable, Mapping

from surefoot.build.errors import InputError, nearest
from surefoot.build.job import Job
from surefoot.configuration.analysis_checks import check_metrics
from surefoot.pipeline.analysis_jobs import SCORE_SETS, analyses_job, is_analysed
from surefoot.pipeline.run_jobs import run_table

PART = "how_many_runs"
"""The part that these jobs, their drawings and their page are called after."""

_OWN_SCALE = {"collected": "runs", "method": "min_max"}
_PLAN = ("algorithms", "metrics", "sizes", "lifts", "datasets", "replicates")


def pilot_scores(study: Mapping) -> tuple[str, dict]:
    """Name and keys of the set of scores that the pilot is taken from: the one that is named, the only one, or all runs
    of the study between the least and the greatest score of each environment."""
    sets, named = study["normalize"]["scores"], study["how_many_runs"]["scores"]
    if named is None and is_analysed(study) and len(sets) == 1:
        named = next(iter(sets))
    return ("runs", _OWN_SCALE) if named is None else (named, sets[named])


def planned_studies(jobs: Iterable[Job]) -> list[str]:
    """Names of the studies that have a page of how many runs they need."""
    return [job.study for job in jobs if (job.stage, job.part) == ("draw", PART)]


def run_number_jobs(name: str, study: dict, jobs: list[Job]) -> list[Job]:
    """Those of a study that asks, if its runs are available.

    jobs : those of the study, of which one makes the runs
    """
    section = study["how_many_runs"]
    if section is None:
        return []
    key, chosen = pilot_scores(study)
    if is_analysed(study):
        normalized = f"results/normalize/{name}/{chosen['collected']}.parquet"
        if not any(normalized in job.outputs.values() for job in jobs):
            return []
        made = []
    else:
        normalized = f"results/normalize/{name}/{PART}.parquet"
        scales, output = {"scores": {key: chosen}}, {"normalized": normalized}
        made = [Job("normalize", name, PART, SCORE_SETS, scales, (), {"runs": run_table(name)}, output)]
    analyses = _analyses(section, key)
    return [*made, analyses_job("cover", name, PART, study, analyses, section["replicates"], normalized)]


def _analyses(section: Mapping, scores: str) -> dict[str, dict]:
    plan = {key: section[key] for key in _PLAN if key in section}
    analyses = {PART: {"kind": "run_plans", "scores": [scores]} | plan}
    if "compare" in section:
        both = {"scores": [scores], "compare": section["compare"], "replicates": section["replicates"]}
        both["tasks_independent"] = section["tasks_independent"]
        looks = {"kind": "sequential_comparison"}
        alarms = {"kind": "false_alarm_rates", "rounds": section["rounds"], "datasets": section["experiments"]}
        analyses |= {"sequential": looks | both, "false_alarms": alarms | both}
    return analyses


def check_run_numbers(study: Mapping, where: Callable[..., str]) -> None:
    """Whether the section asks for what there can be.

    where : where(keys) says in which file a key of the study stands

    Raises
    ------
    InputError
    """
    section, sets = study["how_many_runs"], study["normalize"]["scores"]
    named = section["scores"]
    if named is not None and named not in sets:
        hint = nearest(named, sets) if sets else "normalize.scores names none; leave the key out"
        raise InputError(where(PART, "scores"), f'there are no scores "{named}"', hint)
    if named is None and is_analysed(study) and len(sets) > 1:
        raise InputError(where(PART), "which scores are the pilot's is not said", f"scores: one of {', '.join(sets)}")
    if named is not None and not is_analysed(study) and sets[named]["collected"] != "runs":
        what = f'"{sets[named]["collected"]}" is not collected in this study'
        raise InputError(where("normalize", "scores", named, "collected"), what, "runs, the study's own")
    for name in _analyses(section | {"compare": []}, ""):
        if name in study["estimate"]["analyses"]:
            raise InputError(where("estimate", "analyses", name), f"{PART} makes numbers of this name", "another name")
    check_metrics(section["metrics"], where(PART, "metrics"))
    if len(set(section.get("compare", "xy"))) == 1:
        what = f'"{section["compare"][0]}" is compared with itself'
        raise InputError(where(PART, "compare"), what, "two algorithms")
    known = pilot_scores(study)[1].get("algorithms") or study.get("simulate", {}).get("algorithms", [])
    for key in ("algorithms", "compare"):
        for name in section.get(key, []):
            if known and name not in known:
                raise InputError(where(PART, key), f'"{name}" is none of the pilot\'s algorithms', nearest(name, known))

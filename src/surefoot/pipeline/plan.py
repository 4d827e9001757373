"""The plan: every job that a configuration asks for, with its inputs, its outputs and what decides its numbers.

Snakemake takes its inputs from here, `check` the files that belong, `prune` the entries that are needed. Nothing heavy
is imported: the plan is made each time the workflow is parsed.
"""

from collections.abc import Callable

from surefoot.build.job import Job, with_proofs
from surefoot.pipeline.analysis_jobs import analysis_jobs, is_analysed
from surefoot.pipeline.cover_jobs import coverage
from surefoot.pipeline.page_jobs import (
    analysis_drawings,
    home_drawings,
    pages,
    run_number_drawings,
    study_drawings,
    trust_drawings,
)
from surefoot.pipeline.play_jobs import play_tables, plays
from surefoot.pipeline.run_jobs import known_bounds, other_simulations, run_table, run_tables, simulations
from surefoot.pipeline.run_number_jobs import run_number_jobs
from surefoot.pipeline.trust_jobs import trust_jobs
from surefoot.statistics.interval_catalogue import ESTIMATORS, INTERVAL_METHODS

ANALYSES = {
    "exploits": ("seed", "copies"),
    "alpha_rank": ("alphas",),
    "best_of_candidates": ("candidates",),
    "tuning": ("seed", "tuning"),
    "run_percentiles": (),
}
"""The analyses beyond the scores of the game, and the keys of the configuration that each takes."""

_TAKEN = {
    "exploits": ("runs", "random_policies"),
    "tuning": ("same_hyperparameters",),
    "run_percentiles": ("runs", "weights"),
}
"""The tables that an analysis takes, where that is not the runs alone."""

RESAMPLING = tuple(name for name, method in INTERVAL_METHODS.items() if method.resamples)
"""The methods that resample, and so depend on a number of replicates."""


def plan(config: dict, locate: Callable[..., str] = lambda path, _: ".".join(path)) -> list[Job]:
    """All jobs, in an order in which they can run.

    Parameters
    ----------
    config : validated, with its defaults
    locate : the place of a key in an error, from its path and those of other keys, as `where_given` finds it
    """
    jobs: list[Job] = []
    # Studies that analyse the runs of others come after them.
    for name, study in sorted(config["studies"].items(), key=lambda named: is_analysed(named[1])):
        own = analysed_study(name, study, config) if is_analysed(study) else _study_jobs(name, study)
        numbers = run_number_jobs(name, study, own)
        jobs.extend([*own, *numbers, *run_number_drawings(name, study, numbers)])
    jobs.extend(trust_jobs(config))
    jobs.extend(trust_drawings(config))
    jobs.append(home_drawings(config, jobs))
    return with_proofs([*jobs, *pages(config, jobs, locate)])


def _study_jobs(name: str, study: dict) -> list[Job]:
    if "bayesian" in study:
        jobs = plays(name, study)
        jobs.extend(play_tables(name, study, jobs))
    else:
        jobs = simulations(name, study) if "simulate" in study else []
        jobs.extend(run_tables(name, study, jobs))
        jobs.extend(other_simulations(name, study))
    runs = run_table(name)
    method = study["normalize"]["method"]
    normalized = f"results/normalize/{name}/{method}.parquet"
    jobs.append(
        Job(
            "normalize",
            name,
            method,
            "surefoot.scales.payoffs:normalize",
            {"method": method},
            (),
            {"runs": runs},
            {"normalized": normalized},
        )
    )
    aggregates, weights = (f"results/aggregate/{name}/{method}{end}.csv" for end in ("", "_weights"))
    jobs.append(
        Job(
            "aggregate",
            name,
            method,
            "surefoot.questions.game_scores:answer",
            {"method": method},
            (),
            {"runs": runs, "normalized": normalized},
            {"values": aggregates, "weights": weights},
        )
    )
    others = {job.part: job.outputs["runs"] for job in jobs if job.module == "surefoot.sources.protocols"}
    known = {"runs": runs, "weights": weights} | others
    jobs.extend(_analysis(name, study, chosen, known) for chosen in study["aggregate"]["analyses"])
    jobs.extend(_estimate(name, study, chosen, runs) for chosen in study["estimate"]["methods"])
    if study["estimate"]["subsamples"] is not None:
        jobs.append(_subsamples(name, study, runs))
    jobs.extend(coverage(name, study, ESTIMATORS))
    jobs.extend(study_drawings(name, study, jobs))
    return jobs


def analysed_study(name: str, study: dict, config: dict) -> list[Job]:
    """The jobs of a study of named sets of scores."""
    jobs = analysis_jobs(name, study, config)
    return [*jobs, *analysis_drawings(name, study, jobs)]


def _analysis(name: str, study: dict, analysis: str, known: dict[str, str]) -> Job:
    """An analysis of those of the `known` tables that it takes: the runs, the weights, and runs that are no trials."""
    known_settings = study["aggregate"] | {"seed": study["seed"]}
    settings = {key: known_settings[key] for key in ANALYSES[analysis]}
    taken = _TAKEN.get(analysis, ("runs",))
    inputs = {table: path for table, path in known.items() if table in taken}
    output = {"values": f"results/aggregate/{name}/{analysis}.csv"}
    return Job("aggregate", name, analysis, f"surefoot.questions.{analysis}:answer", settings, (), inputs, output)


def _estimate(name: str, study: dict, method: str, runs: str) -> Job:
    section = study["estimate"]
    settings = {
        "method": method,
        "normalization": study["normalize"]["method"],
        "confidence": section["confidence"],
        "variant": section["variant"],
        "seed": study["seed"],
    }
    if method in RESAMPLING:
        settings["replicates"] = section["replicates"]
    if method == "pbp_known_bounds":
        settings["bounds"] = known_bounds(study)
    output = {"intervals": f"results/estimate/{name}/{method}.csv"}
    return Job(
        "estimate",
        name,
        method,
        "surefoot.questions.game_intervals:answer",
        settings,
        (ESTIMATORS[method],),
        {"runs": runs},
        output,
    )


def _subsamples(name: str, study: dict, runs: str) -> Job:
    section = study["estimate"]
    settings = {"subsamples": section["subsamples"], "confidence": section["confidence"], "seed": study["seed"]}
    output = {"bands": f"results/estimate/{name}/subsamples.csv"}
    work = "surefoot.questions.sample_distributions:answer"
    return Job("estimate", name, "subsamples", work, settings, (), {"runs": runs}, output)

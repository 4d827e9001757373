"""The plan: every job for a configuration, with its inputs, its outputs and everything that determines its results.

The rules use the plan to find the files that each job reads and writes, and the files of named targets. Nothing heavy
is imported, since the plan is made each time the workflow is parsed.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from surefoot.reporting.descriptions import NAME as METHODS
from surefoot.reporting.descriptions import methods_job
from surefoot.runs.scales.scale_settings import scale_jobs
from surefoot.runs.setting_errors import SettingError, within
from surefoot.runs.sources.source_settings import StudySources, check_files, source_jobs, tables_of
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.metrics.metric_catalogue import METRICS, metric
from surefoot.workflow.configuration.models import Configuration
from surefoot.workflow.configuration.validation import FIGURES_AND_TABLES
from surefoot.workflow.job import Job
from surefoot.workflow.planning.drawing_jobs import (
    LEADERBOARDS,
    TRUST,
    drawing_rule,
    home_drawings,
    record_drawings,
    study_drawings,
    trust_jobs,
)
from surefoot.workflow.planning.page_jobs import APPENDIX, DOCUMENTATION, RUN_NUMBERS, SEARCH, pages, planned_studies
from surefoot.workflow.planning.question_jobs import question_jobs

_WILDCARD = re.compile(r"\{\s*\w+\s*(,[^{}]*)?\}")
_OF_ANSWERS = ("aggregate", "estimate", "cover", "compare", "draw")
"""Stages of questions and of everything that is made from their results."""


WORK = {
    "simulate_trials": "surefoot.simulation.sources.simulating.simulate",
    "simulate_repeated_runs": "surefoot.simulation.sources.simulating.simulate_repeated_runs",
    "simulate_plays": "surefoot.bayesian.sources.playing.play",
    "simulate_plays_with_transitions": "surefoot.bayesian.sources.playing.play",
    "collect_trials": "surefoot.simulation.sources.simulating.collect",
    "collect_plays": "surefoot.bayesian.sources.playing.collect_plays",
    "best_plays": "surefoot.bayesian.sources.playing.collect_best",
    "read_table": "surefoot.runs.sources.score_tables.collect",
    "read_curves": "surefoot.runs.sources.score_tables.collect",
    "convert_published": "surefoot.runs.published.collecting.collect",
    "download": "surefoot.runs.published.collecting.collect",
    "normalize": "surefoot.runs.scales.scaling.normalize",
    "normalize_pairs": "surefoot.runs.scales.scaling.normalize_pairs",
    "aggregate": "surefoot.workflow.answers.answer",
    "aggregate_with_weights": "surefoot.workflow.answers.answer",
    "estimate": "surefoot.workflow.answers.answer",
    "estimate_with_curves": "surefoot.workflow.answers.answer",
    "cover": "surefoot.workflow.answers.answer",
    "cover_block": "surefoot.workflow.blocks.intervals",
    "cover_summary": "surefoot.workflow.blocks.summary",
    "cover_trust": "surefoot.workflow.blocks.failures",
    "compare": "surefoot.charts.study_tables.compare",
    "draw": "surefoot.charts.draw.draw",
    "draw_methods": "surefoot.reporting.descriptions.write",
    "render": "surefoot.reporting.render.make_page",
    "documentation": "surefoot.reporting.render.make_documentation",
    "previews": "surefoot.reporting.previews.make_previews",
    "search": "surefoot.reporting.site.make_search_index",
}
"""Function called by the script of each rule."""


def plan(config: Configuration) -> list[Job]:
    """Return all jobs of a validated configuration, in an order in which they can run."""
    jobs: list[Job] = []
    studies = config.studies.items()
    for name, study in studies:
        for source, settings in study.sources.items():
            # Snakemake does not report a missing input file while its result exists.
            with within("studies", name, "sources", source):
                check_files(settings)
    others = {name: any(source.kind == "study" for source in study.sources.values()) for name, study in studies}
    # Studies that use the runs of other studies come last.
    for name, study in sorted(studies, key=lambda pair: others[pair[0]]):
        own = study_jobs(name, config)
        # Answers and drawings also depend on installed packages that add a metric or an interval method of the study.
        modules: dict[str, None] = {}
        for asked in study.questions.values():
            metrics = [metric(written).name for written in asked.metric_names()]
            for added, names in ((METRICS.modules, metrics), (INTERVAL_METHODS.modules, getattr(asked, "methods", ()))):
                modules |= {added[one]: None for one in names if one in added}
        for job in [*own, *study_drawings(name, study, own)]:
            code = dict.fromkeys([*job.modules, *modules]) if job.stage in _OF_ANSWERS else job.modules
            jobs.append(job._replace(modules=tuple(code)))
    jobs += trust_jobs(config.trust)
    jobs += record_drawings(config.trust)
    jobs += home_drawings(config, jobs)
    jobs.append(methods_job())
    jobs += pages(config, jobs)
    _check_names(jobs)
    return [
        job._replace(modules=(WORK[job.rule].rpartition(".")[0], *job.modules), work=WORK[job.rule]) for job in jobs
    ]


def _check_names(jobs: Iterable[Job]) -> None:
    """Check that no two jobs write the same file, and that rules can have the names of files and figures.

    Some results have a name of their own, such as the intervals of each method, which a question may have too.

    Raises
    ------
    SettingError
        If a name is taken twice, or has a wildcard.
    """
    made: set[str] = set()
    for job in jobs:
        where = ["studies", job.study]
        hints = dict.fromkeys(job.outputs.values(), f'choose another name for what is called "{job.part}"')
        if job.stage == "draw":
            hints[drawing_rule(job)] = "choose another name for the study"
        for name, hint in hints.items():
            if name in made:
                raise SettingError(where, f"two results of the workflow would be called {name}", hint)
            made.add(name)
        for path in job.inputs.values():
            if found := _WILDCARD.search(path):
                what = f"{path}: in the name of this file, Snakemake takes {found[0]} for a wildcard"
                raise SettingError(where, what, "rename the file or its folder")


def study_jobs(name: str, config: Configuration) -> list[Job]:
    """Return the jobs of a study: its sources, the scales that its questions use, and the questions."""
    study = config.studies[name]
    origin = StudySources(name, study.seed, study.sources, config.published, study.stated_algorithms())
    sources = source_jobs(origin)
    tables = tables_of(origin, sources, config.studies)
    wanted = {scale for asked in study.questions.values() for scale in asked.scales()}
    scales = {scale: study.scales[scale] for scale in study.scales if scale in wanted}
    normalizing, scaled = scale_jobs(name, scales, tables)
    known = {f"source:{table}": paths["runs"] for table, paths in tables.items() if "runs" in paths}
    known |= {f"scale:{scale}": path for scale, path in scaled.items()}
    shared = {"seed": study.seed, "confidence_level": study.confidence_level, "n_resamples": study.n_resamples}
    return [*sources, *normalizing, *question_jobs(name, study.questions, known, shared)]


_NUMBERED = re.compile(r"(figure|table)_[a-z]?[0-9]+")


def named_targets(jobs: Sequence[Job], studies: Collection[str], own: Collection[str] = ()) -> dict[str, list[str]]:
    """Return the files of each named target.

    The default target `all` is everything, or only the user's studies if there are any. There is a target for each
    study, with its page, its appendix, its page on the number of runs, the methods page, the documentation, and the
    search index if there is only one study. Further targets are `how_many_runs`, `trust`, `leaderboards` and `docs`,
    and figures and tables, such as `figure_5`, of all studies that have one. Parts of a figure, such as `figure_2_left`
    and `figure_11a`, also belong to `figure_2` and `figure_11`.

    Parameters
    ----------
    jobs : sequence of Job
    studies : collection of str
        Names of the studies.
    own : collection of str, default ()
        Names of the studies that a user added to the shipped studies.
    """
    targets: dict[str, list[str]] = {}
    planned = [f"{study}_{RUN_NUMBERS}" for study in planned_studies(jobs)]
    linked = (METHODS, DOCUMENTATION, *([SEARCH] if len(studies) == 1 else []))
    parts: dict[str, tuple[str, ...]] = {name: (name,) for name in (*planned, TRUST, LEADERBOARDS, DOCUMENTATION)}
    parts |= {study: (study, f"{study}_{APPENDIX}", f"{study}_{RUN_NUMBERS}", *linked) for study in studies}
    targets |= {name: _files(job for job in jobs if job.study in those) for name, those in parts.items()}
    targets[RUN_NUMBERS] = [path for name in planned for path in targets[name]]
    everything = _files(job for job in jobs if not job.on_request)
    targets["all"] = [path for name in own for path in targets[name]] or everything
    return targets | _drawings(jobs)


def _files(jobs: Iterable[Job]) -> list[str]:
    return [path for job in jobs for path in job.outputs.values()]


def _drawings(jobs: Iterable[Job]) -> dict[str, list[str]]:
    """Return the files of each figure and table by name; parts of a figure are also listed under its name."""
    targets: dict[str, list[str]] = {}
    for job in jobs:
        for path in job.outputs.values() if job.stage == "draw" else ():
            name = Path(path).stem
            whole = _NUMBERED.match(name)
            for target in {name, whole[0] if whole else name}:
                if target.startswith(FIGURES_AND_TABLES):
                    targets.setdefault(target, []).append(path)
    return targets

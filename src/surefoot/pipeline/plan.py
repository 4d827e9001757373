"""The plan: every job that a configuration asks for, with its inputs, its outputs and what decides its numbers.

Snakemake takes its inputs from here, and `check` the files that belong. Nothing heavy is imported: the plan is made
each time the workflow is parsed.
"""

from surefoot.build.job import Job, with_proofs
from surefoot.configuration.models import Configuration
from surefoot.methods.descriptions import methods_job
from surefoot.pipeline.drawing_jobs import home_drawings, study_drawings, trust_drawings, trust_jobs
from surefoot.pipeline.page_jobs import pages
from surefoot.questions.planning import question_jobs
from surefoot.scales.settings import scale_jobs
from surefoot.sources.settings import StudySources, source_jobs, tables_of
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS
from surefoot.statistics.metrics.catalogue import METRICS, metric

_OF_ANSWERS = ("aggregate", "estimate", "cover", "compare", "draw")
"""The stages of questions and of what is made of their answers."""


def plan(config: Configuration) -> list[Job]:
    """All jobs of a checked configuration, in an order in which they can run."""
    jobs: list[Job] = []
    studies = config.studies.items()
    others = {name: any(source.kind == "study" for source in study.sources.values()) for name, study in studies}
    # Studies that take the runs of others come after them.
    for name, study in sorted(studies, key=lambda pair: others[pair[0]]):
        own = study_jobs(name, config)
        # Answers and drawings also depend on the modules of other installed packages that add the metrics and interval
        # methods which the study names.
        modules: dict[str, None] = {}
        for asked in study.questions.values():
            metrics = [metric(written).name for written in getattr(asked, "metrics", ())]
            for added, names in ((METRICS.modules, metrics), (INTERVAL_METHODS.modules, getattr(asked, "methods", ()))):
                modules |= {added[one]: None for one in names if one in added}
        for job in [*own, *study_drawings(name, study, own)]:
            code = dict.fromkeys([*job.modules, *modules]) if job.stage in _OF_ANSWERS else job.modules
            jobs.append(job._replace(modules=tuple(code)))
    jobs += trust_jobs(config.trust)
    jobs += trust_drawings(config.trust)
    jobs += home_drawings(config, jobs)
    jobs.append(methods_job())
    return with_proofs([*jobs, *pages(config, jobs)])


def study_jobs(name: str, config: Configuration) -> list[Job]:
    """The jobs that answer a study's questions: its sources, the scales that are asked for, and the questions."""
    study = config.studies[name]
    origin = StudySources(name, study.seed, study.sources, config.published, study.stated_algorithms())
    sources = source_jobs(origin)
    tables = tables_of(origin, sources, config.studies)
    wanted = {scale for asked in study.questions.values() for scale in asked.scales()}
    scales = {scale: study.scales[scale] for scale in study.scales if scale in wanted}
    normalizing, scaled = scale_jobs(name, scales, tables)
    known = {f"source:{table}": paths["runs"] for table, paths in tables.items() if "runs" in paths}
    known |= {f"scale:{scale}": path for scale, path in scaled.items()}
    shared = {"seed": study.seed, "confidence": study.confidence, "replicates": study.replicates}
    return [*sources, *normalizing, *question_jobs(name, study.questions, known, shared)]
